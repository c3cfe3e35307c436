//! Connects each process with every other.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use hindsight_run::{Error, Monitor, Progress};

use super::frame::Frame;
use super::hello::{Hello, Role};
use super::watch::LAST_WORDS;
use crate::error::ClusterError;
use crate::hosts::Hosts;

/// Time in which a connection must say hello.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// Time between two calls to a process that is not there yet.
const CALL_AGAIN: Duration = Duration::from_millis(100);
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
    pub(crate) control: TcpStream,
    pub(crate) data: TcpStream,
}

/// All other processes.
pub(crate) struct Peers {
    /// Connections with each process; `None` at the own number.
    pub(crate) peers: Vec<Option<Peer>>,
    /// First difference between this process and another, of which all shall hear.
    pub(crate) refusal: Result<(), ClusterError>,
}

/// A connection that said hello.
type Greeted = (Hello, TcpStream);

/// Fails if the monitor asks a process that still waits to stop.
pub(super) fn check_stop(monitor: &mut dyn Monitor) -> Result<(), ClusterError> {
    let progress = Progress {
        phase: "waiting",
        done: 0,
        total: None,
    };
    match monitor.report(progress) {
        true => Ok(()),
        false => Err(ClusterError::Solve(Error::Stopped)),
    }
}

/// Connects with every other process. One that does not fit is met too, so that all can hear of it.
///
/// # Errors
/// [`ClusterError::Refused`] if another process has other hosts, or the number of another one;
/// [`ClusterError::Unreachable`] if the address is taken or a process stays away.
pub(crate) fn meet(
    meeting: &Meeting<'_>,
    monitor: &mut dyn Monitor,
) -> Result<Peers, ClusterError> {
    let own = meeting.hello.process;
    let processes = meeting.hosts.processes();
    if processes == 1 {
        return Ok(Peers {
            peers: vec![None],
            refusal: Ok(()),
        });
    }
    let listener = listen(meeting)?;
    let ended = Arc::new(AtomicBool::new(false));
    let (greeted, arrivals) = channel();
    let acceptor = {
        let (ended, hello) = (ended.clone(), meeting.hello.clone());
        thread::spawn(move || accept_all(&listener, &hello, &greeted, &ended))
    };
    let mut met = Met::new(processes);
    let waited = call_and_wait(meeting, &mut met, &arrivals, monitor);
    if let Err(error) = &waited {
        met.tell(&format!("{}: {error}", meeting.hosts.name(own)));
    }
    ended.store(true, Ordering::Relaxed);
    let _ = acceptor.join();
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

/// Greets whoever connects, until the meeting has ended. A stranger is hung up on.
fn accept_all(
    listener: &TcpListener,
    hello: &Hello,
    greeted: &Sender<Greeted>,
    ended: &AtomicBool,
) {
    while !ended.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => {
                let (hello, greeted) = (hello.clone(), greeted.clone());
                thread::spawn(move || {
                    if let Ok(Some(found)) = answer(stream, &hello) {
                        let _ = greeted.send(found);
                    }
                });
            }
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Reads the hello of a caller and answers it.
fn answer(mut stream: TcpStream, hello: &Hello) -> io::Result<Option<Greeted>> {
    stream.set_nonblocking(false)?;
    set_times(&stream, Some(HELLO_TIME))?;
    let Some(theirs) = Hello::read(&mut stream)? else {
        return Ok(None);
    };
    let own = Hello {
        role: theirs.role,
        ..hello.clone()
    };
    own.write(&mut stream)?;
    set_times(&stream, None)?;
    Ok(Some((theirs, stream)))
}

/// Calls a process that listens. `None` if whoever answers speaks another protocol.
fn call(address: SocketAddr, hello: &Hello) -> io::Result<Option<Greeted>> {
    let mut stream = TcpStream::connect_timeout(&address, HELLO_TIME)?;
    set_times(&stream, Some(HELLO_TIME))?;
    hello.write(&mut stream)?;
    let theirs = Hello::read(&mut stream)?;
    set_times(&stream, None)?;
    Ok(theirs.map(|theirs| (theirs, stream)))
}

fn set_times(stream: &TcpStream, time: Option<Duration>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(time)?;
    stream.set_write_timeout(time)
}

/// Connections made so far.
struct Met {
    control: Vec<Option<TcpStream>>,
    data: Vec<Option<TcpStream>>,
    refusal: Result<(), ClusterError>,
}

impl Met {
    fn new(processes: usize) -> Self {
        Self {
            control: (0..processes).map(|_| None).collect(),
            data: (0..processes).map(|_| None).collect(),
            refusal: Ok(()),
        }
    }

    /// Tells all processes that were met why this one gives up.
    fn tell(&mut self, sentence: &str) {
        for control in self.control.iter_mut().flatten() {
            let _ = Frame::Refused(sentence.into()).write(control);
        }
        thread::sleep(LAST_WORDS);
    }

    /// Adds a connection with a process, and notes if that does not fit.
    fn greet(&mut self, meeting: &Meeting<'_>, greeted: Greeted) {
        let names = [meeting.hello.process, greeted.0.process];
        let names = names.map(|process| format!("process {process}"));
        let difference = meeting.hello.difference(&greeted.0, [&names[0], &names[1]]);
        if let (Some(difference), Ok(())) = (difference, &self.refusal) {
            self.refusal = Err(ClusterError::Refused(difference));
        }
        self.add(greeted);
    }

    fn into_peers(self) -> Peers {
        let pairs = self.control.into_iter().zip(self.data);
        let peers = pairs.map(|(control, data)| {
            Some(Peer {
                control: control?,
                data: data?,
            })
        });
        Peers {
            peers: peers.collect(),
            refusal: self.refusal,
        }
    }

    fn has(&self, process: usize, role: Role) -> bool {
        match role {
            Role::Control => self.control[process].is_some(),
            Role::Data => self.data[process].is_some(),
        }
    }

    fn lacks(&self, process: usize) -> bool {
        !self.has(process, Role::Control) || !self.has(process, Role::Data)
    }

    /// Adds a connection with a process.
    fn add(&mut self, greeted: Greeted) {
        let (hello, stream) = greeted;
        let process = hello.process;
        match hello.role {
            Role::Control => self.control[process] = Some(stream),
            Role::Data => self.data[process] = Some(stream),
        }
    }
}

/// Calls the processes before this one, and waits for the others.
fn call_and_wait(
    meeting: &Meeting<'_>,
    met: &mut Met,
    arrivals: &Receiver<Greeted>,
    monitor: &mut dyn Monitor,
) -> Result<(), ClusterError> {
    let (own, processes) = (meeting.hello.process, meeting.hosts.processes());
    let begin = Instant::now();
    let mut next_word = TELL_AFTER;
    loop {
        for process in 0..own {
            for role in [Role::Control, Role::Data] {
                if !met.has(process, role) {
                    let hello = Hello {
                        role,
                        ..meeting.hello.clone()
                    };
                    if let Some(found) = call_process(meeting, process, &hello)? {
                        check(meeting, &found.0, Some(process), met)?;
                        met.greet(meeting, (Hello { role, ..found.0 }, found.1));
                    }
                }
            }
        }
        while let Ok(found) = arrivals.recv_timeout(CALL_AGAIN) {
            check(meeting, &found.0, None, met)?;
            met.greet(meeting, found);
        }
        let Some(absent) = (0..processes).find(|&p| p != own && met.lacks(p)) else {
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

/// Calls a process; `None` if it is not there yet.
fn call_process(
    meeting: &Meeting<'_>,
    process: usize,
    hello: &Hello,
) -> Result<Option<Greeted>, ClusterError> {
    match call(meeting.hosts.host(process).address, hello) {
        Ok(Some(found)) => Ok(Some(found)),
        Ok(None) => {
            let name = meeting.hosts.name(process);
            let message = format!("{name} is no hindsight, or one of another protocol version");
            Err(ClusterError::Refused(message))
        }
        Err(_) => Ok(None),
    }
}

/// Checks that a process has the same hosts and the expected number; without one, a number after
/// the own.
fn check(
    meeting: &Meeting<'_>,
    theirs: &Hello,
    expected: Option<usize>,
    met: &Met,
) -> Result<(), ClusterError> {
    let own = meeting.hello.process;
    let refuse = |message: String| Err(ClusterError::Refused(message));
    if meeting.hello.processes != theirs.processes {
        let names = [own, theirs.process].map(|process| format!("process {process}"));
        let difference = meeting.hello.difference(theirs, [&names[0], &names[1]]);
        return refuse(difference.unwrap_or_default());
    }
    let (process, processes) = (theirs.process, meeting.hosts.processes());
    match expected {
        Some(expected) if expected != process => refuse(format!(
            "{} says that it is process {process}; each process needs its own --process",
            meeting.hosts.name(expected)
        )),
        None if process <= own || process >= processes || met.has(process, theirs.role) => {
            refuse(format!(
                "two processes say that they are process {process}; \
                 each process needs its own --process"
            ))
        }
        _ => Ok(()),
    }
}
