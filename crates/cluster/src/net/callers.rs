//! Calls to the processes that listen, a thread for each.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::hello::{HELLO_TIME, Heard, Hello, Role, other_version};
use super::link::Greeted;
use super::resources::{is_out_of_files, spawn};
use crate::error::ClusterError;
use crate::hosts::Hosts;

/// Time between two calls to a process that is not there yet.
const CALL_AGAIN: Duration = Duration::from_millis(100);
/// Strange answers after which a process is not called again.
const MOST_STRANGE: u32 = 3;

/// Threads that call the processes before this one, until it has met them.
pub(super) struct Callers<'a> {
    hosts: &'a Hosts,
    hello: &'a Hello,
    answers: Receiver<CallResult>,
    sender: Sender<CallResult>,
    ended: Arc<AtomicBool>,
}

/// Outcome of the calls to a process. The connection for data comes last.
pub(super) struct CallResult {
    pub(super) process: usize,
    pub(super) found: Result<Greeted, ClusterError>,
}

impl<'a> Callers<'a> {
    /// Callers of whom none calls yet.
    pub(super) fn new(hosts: &'a Hosts, hello: &'a Hello) -> Self {
        let (sender, answers) = channel();
        Self { hosts, hello, answers, sender, ended: Arc::default() }
    }

    /// Starts to call a process.
    ///
    /// # Errors
    /// [`ClusterError::Failed`] if the system gives no thread.
    pub(super) fn call(&self, process: usize) -> Result<(), ClusterError> {
        let caller = Caller {
            process,
            name: self.hosts.name(process),
            address: self.hosts.host(process).address,
            hello: self.hello.clone(),
            answers: self.sender.clone(),
            ended: self.ended.clone(),
        };
        spawn("call", move || caller.run())?;
        Ok(())
    }

    /// Waits a while for what comes of a call.
    pub(super) fn answer(&self, wait: Duration) -> Option<CallResult> {
        self.answers.recv_timeout(wait).ok()
    }
}

impl Drop for Callers<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Caller of one process.
struct Caller {
    process: usize,
    name: String,
    address: SocketAddr,
    hello: Hello,
    answers: Sender<CallResult>,
    ended: Arc<AtomicBool>,
}

impl Caller {
    /// Calls until both connections stand, or until a call fails for good.
    fn run(self) {
        for role in [Role::Control, Role::Data] {
            let Some(found) = self.connect(role) else {
                return;
            };
            let is_refused = found.is_err();
            let process = self.process;
            if self.answers.send(CallResult { process, found }).is_err() || is_refused {
                return;
            }
        }
    }

    /// Calls again and again. `None` if nobody waits for the connection any more.
    fn connect(&self, role: Role) -> Option<Result<Greeted, ClusterError>> {
        let hello = Hello { role, ..self.hello.clone() };
        let refused = |sentence: String| Some(Err(ClusterError::Refused(sentence)));
        let mut strange = 0;
        while !self.ended.load(Ordering::Relaxed) {
            match call(self.address, &hello) {
                Ok((Heard::Hello(theirs), _)) if !theirs.refusal.is_empty() => {
                    return refused(theirs.refusal);
                }
                Ok((Heard::Hello(theirs), stream)) => {
                    let hello = Hello { role, ..*theirs };
                    return Some(Ok(Greeted { hello, stream }));
                }
                Ok((Heard::OtherVersion(version), _)) => {
                    return refused(other_version(&self.name, version));
                }
                Ok((Heard::Strange(reason), _)) => {
                    strange += 1;
                    if strange == MOST_STRANGE {
                        let name = &self.name;
                        return refused(format!("{name} answers by bytes of no hello: {reason}"));
                    }
                }
                Err(error) if is_out_of_files(&error) => {
                    let sentence = format!("cannot connect with {}: {error}", self.name);
                    return Some(Err(ClusterError::Unreachable(sentence)));
                }
                Ok((Heard::More(_), _)) | Err(_) => {}
            }
            thread::sleep(CALL_AGAIN);
        }
        None
    }
}

/// Calls a process, says hello and hears the answer.
fn call(address: SocketAddr, hello: &Hello) -> io::Result<(Heard, TcpStream)> {
    let begin = Instant::now();
    let mut stream = TcpStream::connect_timeout(&address, HELLO_TIME)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(HELLO_TIME))?;
    hello.write(&mut stream)?;
    let mut bytes = Vec::new();
    loop {
        let more = match Heard::of(&bytes) {
            Heard::More(more) => more,
            heard @ Heard::Hello(_) => {
                // The other side counts on the connection only after this byte.
                stream.write_all(&[0])?;
                stream.set_read_timeout(None)?;
                stream.set_write_timeout(None)?;
                return Ok((heard, stream));
            }
            heard => return Ok((heard, stream)),
        };
        let left = HELLO_TIME.saturating_sub(begin.elapsed());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        let mut part = vec![0; more];
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ if left.is_zero() => return Err(io::ErrorKind::TimedOut.into()),
            n => bytes.extend_from_slice(&part[..n]),
        }
    }
}
