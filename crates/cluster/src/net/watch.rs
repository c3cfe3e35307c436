//! Watch over the other processes: beats, faults, silence, lost bytes.

use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use hindsight_engine::Monitor;

use super::frame::{FrameFault, FrameReceiver, FrameSender};
use super::link::{Link, WireBytes};
use super::pulse::{Pulse, Trouble};
use super::resources::spawn;
use super::word::{LAST_WORDS, Word};
use crate::error::{ClusterError, Reword};
use crate::report::check_stop;

/// Time between two beats.
const BEAT: Duration = Duration::from_secs(1);
/// Time in which a frame must be taken by another process.
const WRITE_TIME: Duration = Duration::from_secs(1);

/// Watch over the control connections of a process.
pub(crate) struct Watch {
    voice: Voice,
    peers: Vec<WatchedPeer>,
    patience: Patience,
    fault: Mutex<Option<Fault>>,
    /// True once there is a fault.
    has_fault: AtomicBool,
    /// True once all work of this process is done.
    is_finished: AtomicBool,
    /// Notified whenever a flag or the state of a peer changes.
    changed: Condvar,
}

/// Words of this process.
pub(crate) struct Voice {
    /// Name of the process in sentences.
    pub(crate) name: String,
    pub(crate) reword: Reword,
    /// Hears of processes that are silent.
    pub(crate) tell: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Voice {
    /// Sentence by which all others hear of an error of this process.
    fn sentence(&self, error: &ClusterError) -> String {
        let text = (self.reword)(error.with_causes());
        format!("{}: {text}", self.name)
    }
}

/// Reason why the processes end.
#[derive(Clone)]
struct Fault {
    sentence: String,
    /// True if the fault is one of the beginning, so that nothing was begun.
    is_refusal: bool,
}

/// Another process.
struct WatchedPeer {
    number: usize,
    name: String,
    link: Arc<Link>,
    sender: Mutex<FrameSender>,
    state: Mutex<PeerState>,
    data: Arc<WireBytes>,
}

struct PeerState {
    pulse: Pulse,
    is_ready: bool,
    is_done: bool,
}

/// Control connection with a process.
pub(crate) struct ControlLink {
    pub(crate) process: usize,
    /// Name of the process in sentences.
    pub(crate) name: String,
    pub(crate) link: Link,
    /// Count of the bytes of the data connection.
    pub(crate) data: Arc<WireBytes>,
}

/// Limits of silence, of which whole seconds count.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// Silence after which a process is given up that has begun.
    pub(crate) working: Duration,
    /// The same while a process may still wait for others.
    pub(crate) beginning: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// Starts to watch.
    ///
    /// # Errors
    /// [`ClusterError::Failed`] if the system gives no thread; the others have heard of it.
    pub(crate) fn start(
        voice: Voice,
        links: Vec<ControlLink>,
        patience: Patience,
    ) -> Result<Arc<Self>, ClusterError> {
        let peers = links.into_iter().map(|link| {
            // Without it a frame that nobody takes would keep this process from its end.
            let _ = link.link.stream.set_write_timeout(Some(WRITE_TIME));
            WatchedPeer {
                number: link.process,
                name: link.name,
                sender: Mutex::new(FrameSender::new(link.link.sends)),
                link: Arc::new(link.link),
                state: Mutex::new(PeerState {
                    pulse: Pulse::default(),
                    is_ready: false,
                    is_done: false,
                }),
                data: link.data,
            }
        });
        let watch = Arc::new(Self {
            voice,
            peers: peers.collect(),
            patience,
            fault: Mutex::new(None),
            has_fault: AtomicBool::new(false),
            is_finished: AtomicBool::new(false),
            changed: Condvar::new(),
        });
        watch.start_threads().inspect_err(|error| watch.fail(error))?;
        Ok(watch)
    }

    fn start_threads(self: &Arc<Self>) -> Result<(), ClusterError> {
        for i in 0..self.peers.len() {
            let watch = self.clone();
            spawn("control", move || watch.read_words(i))?;
        }
        if !self.peers.is_empty() {
            let watch = self.clone();
            spawn("beat", move || watch.beat())?;
        }
        Ok(())
    }

    /// Agrees with all processes to begin; `own` is the refusal of this one, if it cannot.
    ///
    /// # Errors
    /// [`ClusterError::Refused`] with the first refusal; `own` if it is one.
    pub(crate) fn agree(
        &self,
        own: Result<(), ClusterError>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), ClusterError> {
        match &own {
            Ok(()) => self.send(&Word::Ready),
            Err(error) => {
                self.send(&Word::Refused(self.voice.sentence(error)));
                thread::sleep(LAST_WORDS);
            }
        }
        own?;
        self.wait_for_all(monitor, |state| state.is_ready)
    }

    /// Waits until something holds of all other processes.
    fn wait_for_all(
        &self,
        monitor: &mut dyn Monitor,
        holds: impl Fn(&PeerState) -> bool,
    ) -> Result<(), ClusterError> {
        let mut fault = lock(&self.fault);
        while fault.is_none() && !self.all_peers(&holds) {
            let waited = self.changed.wait_timeout(fault, BEAT / 4);
            fault = waited.unwrap_or_else(PoisonError::into_inner).0;
            if let Err(stopped) = check_stop(monitor) {
                drop(fault);
                self.fail(&stopped);
                return Err(stopped);
            }
        }
        drop(fault);
        self.check()
    }

    /// Checks that no process is lost.
    ///
    /// # Errors
    /// [`ClusterError::Lost`] or [`ClusterError::Refused`] if one is.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        if !self.has_fault.load(Ordering::Acquire) {
            return Ok(());
        }
        match lock(&self.fault).clone() {
            Some(Fault { sentence, is_refusal: true }) => Err(ClusterError::Refused(sentence)),
            Some(Fault { sentence, .. }) => Err(ClusterError::Lost(sentence)),
            None => Ok(()),
        }
    }

    /// Tells the other workers of this process, and all other processes, that one has failed.
    pub(crate) fn fail(&self, error: &ClusterError) {
        match error {
            ClusterError::Refused(sentence) => self.set_fault(sentence.clone(), true),
            ClusterError::Lost(sentence) => self.set_fault(sentence.clone(), false),
            error => self.set_fault(self.voice.sentence(error), false),
        }
        thread::sleep(LAST_WORDS);
    }

    /// Tells all other processes that this one has finished, and waits until they have.
    ///
    /// # Errors
    /// As [`Watch::check`].
    pub(crate) fn finish(&self, monitor: &mut dyn Monitor) -> Result<(), ClusterError> {
        self.is_finished.store(true, Ordering::Release);
        self.changed.notify_all();
        self.send(&Word::Done);
        self.wait_for_all(monitor, |state| state.is_done)
    }

    /// Records that the data connection with a process is lost, and waits for ever.
    pub(crate) fn lose(&self, process: usize) -> ! {
        // The control connection mostly knows more.
        thread::sleep(LAST_WORDS);
        if let Some(peer) = self.peer(process) {
            self.set_fault(format!("the connection with {} is lost", peer.name), false);
        }
        park_for_ever()
    }

    /// Records that data of a process was damaged, and waits for ever.
    pub(crate) fn lose_damaged(&self, process: usize, fault: &str) -> ! {
        if let Some(peer) = self.peer(process) {
            self.set_fault(self.damage(&peer.name, fault), false);
        }
        park_for_ever()
    }

    fn peer(&self, process: usize) -> Option<&WatchedPeer> {
        self.peers.iter().find(|peer| peer.number == process)
    }

    /// Sentence about data that did not come as it was sent.
    fn damage(&self, from: &str, fault: &str) -> String {
        let own = &self.voice.name;
        format!("data from {from} to {own} was damaged on the way: {fault}")
    }

    fn all_peers(&self, holds: impl Fn(&PeerState) -> bool) -> bool {
        self.peers.iter().all(|peer| holds(&lock(&peer.state)))
    }

    /// Sends a word to all other processes. Whoever does not take it is noticed elsewhere.
    fn send(&self, word: &Word) {
        self.peers.iter().for_each(|peer| peer.send(word));
    }

    /// Records a fault, and tells the others. Only the first counts.
    fn set_fault(&self, sentence: String, is_refusal: bool) {
        let mut fault = lock(&self.fault);
        if fault.is_some() {
            return;
        }
        let word = if is_refusal {
            Word::Refused(sentence.clone())
        } else {
            Word::Failed(sentence.clone())
        };
        *fault = Some(Fault { sentence, is_refusal });
        self.has_fault.store(true, Ordering::Release);
        drop(fault);
        self.changed.notify_all();
        self.send(&word);
    }

    /// Reads the words of a process until it is done.
    fn read_words(&self, peer: usize) {
        let peer = &self.peers[peer];
        let mut receiver = FrameReceiver::new(peer.link.hears);
        loop {
            let frame = receiver.receive(&mut &peer.link.stream);
            let word = frame.and_then(|payload| {
                let word = Word::from_bytes(&receiver.bytes()[payload]);
                word.map_err(|damage| FrameFault::Damaged(damage.to_string()))
            });
            let mut state = lock(&peer.state);
            state.pulse.hear();
            match word {
                Ok(Word::Beat(sent)) => state.pulse.claim(sent),
                Ok(Word::Ready) => state.is_ready = true,
                Ok(Word::Done) => state.is_done = true,
                Ok(Word::Refused(sentence)) => {
                    drop(state);
                    self.set_fault(sentence, true);
                }
                Ok(Word::Failed(sentence)) => {
                    drop(state);
                    self.set_fault(sentence, false);
                }
                Err(fault) => {
                    let is_done = state.is_done;
                    drop(state);
                    let sentence = match fault {
                        FrameFault::Lost => format!("{} ended before the solve did", peer.name),
                        FrameFault::Damaged(fault) => self.damage(&peer.name, &fault),
                    };
                    if !is_done {
                        self.set_fault(sentence, false);
                    }
                    self.changed.notify_all();
                    let _ = peer.link.stream.shutdown(Shutdown::Both);
                    return;
                }
            }
            self.changed.notify_all();
        }
    }

    /// Sends beats, and tells of silence. Time is counted in beats, so that a process which was
    /// paused itself does not take the others for lost.
    fn beat(&self) {
        let tell = &self.voice.tell;
        while !self.has_fault.load(Ordering::Acquire) {
            for peer in &self.peers {
                let sent = peer.data.sent.load(Ordering::Relaxed);
                peer.send_beat(sent);
                let mut state = lock(&peer.state);
                if state.is_done {
                    continue;
                }
                let patience =
                    if state.is_ready { self.patience.working } else { self.patience.beginning };
                let received = peer.data.received.load(Ordering::Relaxed);
                let trouble = state.pulse.beat(received, patience.as_secs());
                drop(state);
                let name = &peer.name;
                match trouble {
                    None => {}
                    Some(Trouble::AnswersAgain) => tell(&format!("{name} answers again")),
                    Some(Trouble::Silent(seconds)) => {
                        tell(&format!("{name} has not answered for {seconds} s; waiting"));
                    }
                    Some(Trouble::Gone(seconds)) => {
                        let sentence = format!("{name} has not answered for {seconds} s; given up");
                        self.set_fault(sentence, false);
                    }
                    Some(Trouble::Stuck { sent, received }) => {
                        let fault = format!("{received} of {sent} bytes came");
                        self.set_fault(self.damage(name, &fault), false);
                    }
                }
            }
            if self.is_finished.load(Ordering::Acquire) && self.all_peers(|state| state.is_done) {
                return;
            }
            thread::sleep(BEAT);
        }
    }
}

impl WatchedPeer {
    /// Sends a word. What the process does not take in time is sent with the next beat.
    fn send(&self, word: &Word) {
        let _ = lock(&self.sender).send(&word.to_bytes(), &mut &self.link.stream);
    }

    /// Sends a beat, unless the process has not taken all words before it.
    fn send_beat(&self, sent: u64) {
        let mut sender = lock(&self.sender);
        let stream = &mut &self.link.stream;
        if sender.send_rest(stream).is_ok() {
            let _ = sender.send(&Word::Beat(sent).to_bytes(), stream);
        }
    }
}

fn park_for_ever() -> ! {
    loop {
        thread::park();
    }
}
