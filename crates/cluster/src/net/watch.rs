//! Watch over the other processes: beats, faults, silence.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hindsight_run::Monitor;

use super::frame::Frame;
use super::mesh::check_stop;
use crate::error::ClusterError;

/// Time between two beats.
const BEAT: Duration = Duration::from_secs(1);
/// Silence that is told, and told again after as much more.
const TELL_SILENCE: Duration = Duration::from_secs(5);
/// Time in which the last frame of a process reaches the others, before its connections end.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(200);
/// Time in which a frame must be taken by another process.
const WRITE_TIME: Duration = Duration::from_secs(1);

/// Watch over the control connections of a process.
pub(crate) struct Watch {
    /// Name of this process in sentences.
    own_name: String,
    peers: Vec<WatchedPeer>,
    fault: Mutex<Option<Fault>>,
    /// True once there is a fault.
    has_fault: AtomicBool,
    /// True once all work of this process is done.
    is_finished: AtomicBool,
    /// Notified whenever a flag or the state of a peer changes.
    changed: Condvar,
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
    control: Mutex<TcpStream>,
    state: Mutex<PeerState>,
}

struct PeerState {
    last_heard: Instant,
    /// Silence that was told last.
    told: Duration,
    is_ready: bool,
    is_done: bool,
}

/// Control connection with a process.
pub(crate) struct ControlLink {
    pub(crate) process: usize,
    /// Name of the process in sentences.
    pub(crate) name: String,
    pub(crate) stream: TcpStream,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// Starts to watch. `tell` hears of processes that are silent.
    ///
    /// # Errors
    /// [`ClusterError::Unreachable`] if the system refuses a connection or a thread.
    pub(crate) fn start(
        own_name: String,
        links: Vec<ControlLink>,
        tell: Arc<dyn Fn(&str) + Send + Sync>,
    ) -> Result<Arc<Self>, ClusterError> {
        let mut readers = Vec::new();
        let mut peers = Vec::new();
        let failed = |error: io::Error| ClusterError::Unreachable(error.to_string());
        for link in links {
            let cloned = link.stream.try_clone().and_then(|stream| {
                stream.set_write_timeout(Some(WRITE_TIME))?;
                Ok(stream)
            });
            peers.push(WatchedPeer {
                number: link.process,
                name: link.name,
                control: Mutex::new(cloned.map_err(failed)?),
                state: Mutex::new(PeerState {
                    last_heard: Instant::now(),
                    told: Duration::ZERO,
                    is_ready: false,
                    is_done: false,
                }),
            });
            readers.push(link.stream);
        }
        let watch = Arc::new(Self {
            own_name,
            peers,
            fault: Mutex::new(None),
            has_fault: AtomicBool::new(false),
            is_finished: AtomicBool::new(false),
            changed: Condvar::new(),
        });
        for (i, stream) in readers.into_iter().enumerate() {
            let watch = watch.clone();
            let reader = thread::Builder::new().name(format!("control-{i}"));
            let spawned = reader.spawn(move || watch.read_frames(i, stream));
            spawned.map_err(failed)?;
        }
        if !watch.peers.is_empty() {
            let beating = watch.clone();
            let beater = thread::Builder::new().name("beat".into());
            let spawned = beater.spawn(move || beating.beat(&*tell));
            spawned.map_err(failed)?;
        }
        Ok(watch)
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
            Ok(()) => self.send(&Frame::Ready),
            Err(error) => {
                self.send(&Frame::Refused(format!(
                    "{}: {}",
                    self.own_name,
                    error.with_causes()
                )));
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
            Some(Fault {
                sentence,
                is_refusal: true,
            }) => Err(ClusterError::Refused(sentence)),
            Some(Fault { sentence, .. }) => Err(ClusterError::Lost(sentence)),
            None => Ok(()),
        }
    }

    /// Tells the other workers of this process, and all other processes, that one has failed.
    pub(crate) fn fail(&self, error: &ClusterError) {
        match error {
            ClusterError::Refused(sentence) => self.set_fault(sentence.clone(), true),
            ClusterError::Lost(sentence) => self.set_fault(sentence.clone(), false),
            error => self.set_fault(format!("{}: {}", self.own_name, error.with_causes()), false),
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
        self.send(&Frame::Done);
        self.wait_for_all(monitor, |state| state.is_done)
    }

    /// Records that the connection with a process is lost, and waits for ever.
    pub(crate) fn wait_for_ever(&self, process: usize) -> ! {
        if let Some(peer) = self.peers.iter().find(|peer| peer.number == process) {
            // The control connection mostly knows more.
            thread::sleep(Duration::from_millis(200));
            self.set_fault(format!("the connection with {} is lost", peer.name), false);
        }
        loop {
            thread::park();
        }
    }

    fn all_peers(&self, holds: impl Fn(&PeerState) -> bool) -> bool {
        self.peers.iter().all(|peer| holds(&lock(&peer.state)))
    }

    /// Sends a frame to all other processes. Whoever does not take it is noticed elsewhere.
    fn send(&self, frame: &Frame) {
        for peer in &self.peers {
            let _ = frame.write(&mut *lock(&peer.control));
        }
    }

    /// Records a fault, and tells the others. Only the first counts.
    fn set_fault(&self, sentence: String, is_refusal: bool) {
        let mut fault = lock(&self.fault);
        if fault.is_some() {
            return;
        }
        let frame = match is_refusal {
            true => Frame::Refused(sentence.clone()),
            false => Frame::Failed(sentence.clone()),
        };
        *fault = Some(Fault {
            sentence,
            is_refusal,
        });
        self.has_fault.store(true, Ordering::Release);
        drop(fault);
        self.changed.notify_all();
        self.send(&frame);
    }

    /// Reads the frames of a process until it is done.
    fn read_frames(&self, peer: usize, mut stream: TcpStream) {
        let peer = &self.peers[peer];
        loop {
            let frame = Frame::read(&mut stream);
            let mut state = lock(&peer.state);
            state.last_heard = Instant::now();
            match frame {
                Ok(Frame::Beat) => {}
                Ok(Frame::Ready) => state.is_ready = true,
                Ok(Frame::Done) => state.is_done = true,
                Ok(Frame::Refused(sentence)) => {
                    drop(state);
                    self.set_fault(sentence, true);
                }
                Ok(Frame::Failed(sentence)) => {
                    drop(state);
                    self.set_fault(sentence, false);
                }
                Err(_) => {
                    let is_done = state.is_done;
                    drop(state);
                    if !is_done {
                        self.set_fault(format!("{} ended before the solve did", peer.name), false);
                    }
                    self.changed.notify_all();
                    let _ = stream.shutdown(Shutdown::Both);
                    return;
                }
            }
            self.changed.notify_all();
        }
    }

    /// Sends beats, and tells of silence.
    fn beat(&self, tell: &dyn Fn(&str)) {
        while !self.has_fault.load(Ordering::Acquire) {
            self.send(&Frame::Beat);
            for peer in &self.peers {
                let mut state = lock(&peer.state);
                let silence = state.last_heard.elapsed();
                if state.is_done {
                    continue;
                }
                if silence < TELL_SILENCE {
                    if state.told > Duration::ZERO {
                        state.told = Duration::ZERO;
                        tell(&format!("{} answers again", peer.name));
                    }
                } else if silence >= state.told + TELL_SILENCE {
                    state.told = silence;
                    let seconds = silence.as_secs();
                    tell(&format!(
                        "{} has not answered for {seconds} s; waiting",
                        peer.name
                    ));
                }
            }
            if self.is_finished.load(Ordering::Acquire) && self.all_peers(|state| state.is_done) {
                return;
            }
            thread::sleep(BEAT);
        }
    }
}
