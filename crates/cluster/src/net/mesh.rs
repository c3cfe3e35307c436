//! Connects each process with every other.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use hindsight_engine::Monitor;

use super::callers::{CallResult, Callers};
use super::doorway::{Doorway, Greeter};
use super::frame::FrameSender;
use super::hello::{Hello, Role};
use super::link::{Greeted, Link};
use super::word::{LAST_WORDS, Word};
use crate::error::ClusterError;
use crate::hosts::Hosts;
use crate::report::check_stop;

/// Time between two looks at the door and at the monitor.
const LOOK: Duration = Duration::from_millis(10);
/// Time until the first word about a process that is not there, and between two words.
const TELL_AFTER: Duration = Duration::from_secs(5);

/// Task of [`meet`].
pub(crate) struct Meeting<'a> {
    pub(crate) hosts: &'a Hosts,
    /// Description of this process; the role is that of the connection.
    pub(crate) hello: Hello,
    /// Address to listen on, in place of that in the hosts file.
    pub(crate) listen: Option<SocketAddr>,
    /// Time in which all processes must be there.
    pub(crate) wait: Duration,
    /// Hears whom the process waits for.
    pub(crate) tell: &'a (dyn Fn(&str) + Sync),
}

/// Connections with another process.
pub(crate) struct Peer {
    pub(crate) control: Link,
    pub(crate) data: Link,
}

/// All other processes.
pub(crate) struct Peers {
    /// Connections with each process; `None` at the own number.
    pub(crate) peers: Vec<Option<Peer>>,
    /// First difference between this process and another, of which all shall hear.
    pub(crate) refusal: Result<(), ClusterError>,
}

/// Connects with every other process. One that does not fit is met too, so that all can hear of it.
///
/// # Errors
/// [`ClusterError::Refused`] if another process has other hosts, or the number of another one;
/// [`ClusterError::Unreachable`] if the address is taken or a process stays away;
/// [`ClusterError::Failed`] if the system has no more threads.
pub(crate) fn meet(
    meeting: &Meeting<'_>,
    monitor: &mut dyn Monitor,
) -> Result<Peers, ClusterError> {
    let own = meeting.hello.process;
    let processes = meeting.hosts.processes();
    if processes == 1 {
        return Ok(Peers { peers: vec![None], refusal: Ok(()) });
    }
    let mut doorway = Doorway::new(listen(meeting)?);
    let mut met =
        Met { meeting, slots: (0..processes).map(|_| Slot::default()).collect(), refusal: Ok(()) };
    let waited = met.call_and_wait(&mut doorway, monitor);
    if let Err(error) = &waited {
        met.tell_all(&format!("{}: {error}", meeting.hosts.name(own)));
    }
    waited.map(|()| met.into_peers())
}

fn listen(meeting: &Meeting<'_>) -> Result<TcpListener, ClusterError> {
    let host = meeting.hosts.host(meeting.hello.process);
    let address = meeting.listen.unwrap_or(host.address);
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|error| {
        let name = meeting.hosts.name(meeting.hello.process);
        ClusterError::Unreachable(format!("{name} cannot listen on {address}: {error}"))
    })
}

/// Connections made so far.
struct Met<'m, 'a> {
    meeting: &'m Meeting<'a>,
    slots: Vec<Slot>,
    refusal: Result<(), ClusterError>,
}

/// Connections with one process.
#[derive(Default)]
struct Slot {
    control: Option<Greeted>,
    data: Option<Greeted>,
    /// True while the process is called.
    is_called: bool,
}

impl Slot {
    fn connections(&mut self) -> impl Iterator<Item = &mut Greeted> {
        [&mut self.control, &mut self.data].into_iter().flatten()
    }

    /// True if another run of the process has a connection here that stands.
    fn is_of_another(&mut self, run: u64) -> bool {
        self.connections().any(|greeted| greeted.hello.run != run && stands(&greeted.stream))
    }

    /// Adds a connection. Those of earlier runs of the process are forgotten.
    fn add(&mut self, greeted: Greeted) {
        let run = greeted.hello.run;
        for slot in [&mut self.control, &mut self.data] {
            slot.take_if(|earlier| earlier.hello.run != run);
        }
        match greeted.hello.role {
            Role::Control => self.control = Some(greeted),
            Role::Data => self.data = Some(greeted),
        }
    }

    /// True if the process that was called has ended since, so that another run of it may come.
    /// Words that it has left are heard first.
    fn is_lost(&self) -> bool {
        let stands = |control: &Greeted| stands(&control.stream);
        !self.is_called && !self.control.as_ref().is_some_and(stands)
    }
}

/// True unless the other side of a connection has ended.
fn stands(stream: &TcpStream) -> bool {
    let peek = || {
        stream.set_nonblocking(true)?;
        let peeked = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        peeked
    };
    match peek() {
        Ok(bytes) => bytes > 0,
        Err(error) => error.kind() == io::ErrorKind::WouldBlock,
    }
}

impl Met<'_, '_> {
    /// Calls the processes before this one, and waits for the others.
    fn call_and_wait(
        &mut self,
        doorway: &mut Doorway,
        monitor: &mut dyn Monitor,
    ) -> Result<(), ClusterError> {
        let (meeting, own) = (self.meeting, self.meeting.hello.process);
        let callers = Callers::new(meeting.hosts, &meeting.hello);
        let begin = Instant::now();
        let mut next_word = TELL_AFTER;
        loop {
            let name = meeting.hosts.name(own);
            let failed = |error| {
                ClusterError::Unreachable(format!("{name} cannot accept a connection: {error}"))
            };
            for greeted in doorway.greet(self).map_err(failed)? {
                if !self.slots[greeted.hello.process].is_of_another(greeted.hello.run) {
                    self.greet(greeted);
                }
            }
            for (process, slot) in self.slots[..own].iter_mut().enumerate() {
                if slot.is_lost() {
                    *slot = Slot { is_called: true, ..Slot::default() };
                    callers.call(process)?;
                }
            }
            let mut answer = callers.answer(LOOK);
            while let Some(CallResult { process, found }) = answer {
                let greeted = found?;
                self.check_called(process, &greeted.hello)?;
                self.slots[process].is_called = greeted.hello.role != Role::Data;
                self.greet(greeted);
                answer = callers.answer(Duration::ZERO);
            }
            let is_absent = |slot: &Slot| slot.control.is_none() || slot.data.is_none();
            let mut absent = (0..self.slots.len()).filter(|&process| process != own);
            let Some(absent) = absent.find(|&process| is_absent(&self.slots[process])) else {
                return Ok(());
            };
            check_stop(monitor)?;
            let waited = begin.elapsed();
            if waited >= meeting.wait {
                let name = meeting.hosts.name(absent);
                let seconds = meeting.wait.as_secs();
                let message = format!("{name} did not come within {seconds} seconds");
                return Err(ClusterError::Unreachable(message));
            }
            if waited >= next_word {
                next_word = waited + TELL_AFTER;
                (meeting.tell)(&format!("waiting for {}", meeting.hosts.name(absent)));
            }
        }
    }

    /// Checks that a process that was called has the same hosts and the expected number.
    fn check_called(&self, expected: usize, theirs: &Hello) -> Result<(), ClusterError> {
        let process = theirs.process;
        if self.meeting.hello.processes != theirs.processes {
            let difference = self.difference(theirs).unwrap_or_default();
            return Err(ClusterError::Refused(difference));
        }
        if expected != process {
            return Err(ClusterError::Refused(format!(
                "{} says that it is process {process}; each process needs its own --process",
                self.meeting.hosts.name(expected)
            )));
        }
        Ok(())
    }

    fn difference(&self, theirs: &Hello) -> Option<String> {
        let own = &self.meeting.hello;
        let names = [own.process, theirs.process].map(|process| format!("process {process}"));
        own.difference(theirs, [&names[0], &names[1]])
    }

    /// Adds a connection with a process, and notes if that does not fit.
    fn greet(&mut self, greeted: Greeted) {
        if let (Some(difference), Ok(())) = (self.difference(&greeted.hello), &self.refusal) {
            self.refusal = Err(ClusterError::Refused(difference));
        }
        self.slots[greeted.hello.process].add(greeted);
    }

    /// Tells all processes that were met why this one gives up.
    fn tell_all(&mut self, sentence: &str) {
        let own = &self.meeting.hello;
        for slot in &mut self.slots {
            if let Some(Greeted { hello, stream }) = &mut slot.control {
                let mut sender = FrameSender::new(own.seed_to(hello, Role::Control));
                let word = Word::Refused(sentence.into());
                let _ = stream.set_write_timeout(Some(LAST_WORDS));
                let _ = sender.send(&word.to_bytes(), stream);
            }
        }
        thread::sleep(LAST_WORDS);
    }

    fn into_peers(self) -> Peers {
        let own = &self.meeting.hello;
        let link = |greeted: Greeted| {
            let Greeted { hello, stream } = greeted;
            Link {
                stream,
                sends: own.seed_to(&hello, hello.role),
                hears: hello.seed_to(own, hello.role),
            }
        };
        let peers = self
            .slots
            .into_iter()
            .map(|slot| Some(Peer { control: link(slot.control?), data: link(slot.data?) }));
        Peers { peers: peers.collect(), refusal: self.refusal }
    }
}

impl Greeter for Met<'_, '_> {
    fn own(&self) -> Hello {
        self.meeting.hello.clone()
    }

    fn answer(&mut self, theirs: &Hello) -> Hello {
        let own = &self.meeting.hello;
        let (process, processes) = (theirs.process, self.slots.len());
        let refusal = if own.processes != theirs.processes {
            self.difference(theirs).unwrap_or_default()
        } else if process <= own.process
            || process >= processes
            || self.slots[process].is_of_another(theirs.run)
        {
            format!(
                "two processes say that they are process {process}; each process needs its own \
                 --process"
            )
        } else {
            String::new()
        };
        Hello { role: theirs.role, refusal, ..own.clone() }
    }

    fn tell(&mut self, sentence: &str) {
        (self.meeting.tell)(sentence);
    }
}
