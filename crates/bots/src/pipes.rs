//! Lines through the pipes of a bot, within a time.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::ops::Range;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use memchr::memchr;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Longest wait between two looks at a stop of the host.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// Most bytes of one read.
const CHUNK: usize = 1 << 16;

/// Function that returns true once nothing more is to be waited for.
pub(crate) type StopFunction<'a> = dyn Fn() -> bool + Sync + 'a;

/// End of a wait: a time, and a stop by the host.
#[derive(Clone, Copy)]
pub(crate) struct WaitLimit<'a> {
    pub(crate) time: Duration,
    deadline: Instant,
    stop: &'a StopFunction<'a>,
}

impl<'a> WaitLimit<'a> {
    /// Returns the limit of a wait that begins now.
    pub(crate) fn new(time: Duration, stop: &'a StopFunction<'_>) -> Self {
        Self { time, deadline: Instant::now() + time, stop }
    }
}

/// Reason why no line was sent or received.
#[derive(Debug)]
pub(crate) enum PipeError {
    /// The bot has closed its end.
    Closed,
    /// The time is over.
    TimedOut,
    /// The line is longer than `most` bytes.
    TooLong { begin: Vec<u8>, most: usize },
    /// The host asked to stop.
    Stopped,
    /// The pipe does not work.
    Broken(io::Error),
}

impl From<io::Error> for PipeError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Broken(error),
        }
    }
}

/// Pipes to and from a bot.
#[derive(Debug)]
pub(crate) struct BotPipes {
    input: ChildStdin,
    output: ChildStdout,
    received: ReceivedBytes,
    /// Bytes of the last read.
    chunk: Box<[u8]>,
    /// Most bytes of a line that is received.
    most: usize,
}

impl BotPipes {
    pub(crate) fn new(input: ChildStdin, output: ChildStdout, most: usize) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&input, true)?;
        rustix::io::ioctl_fionbio(&output, true)?;
        Ok(Self {
            input,
            output,
            received: ReceivedBytes::default(),
            chunk: vec![0; CHUNK].into(),
            most,
        })
    }

    /// Sends text. What the program says meanwhile is received, so that neither side waits for the
    /// other.
    pub(crate) fn send(&mut self, text: &[u8], limit: WaitLimit<'_>) -> Result<(), PipeError> {
        let mut rest = text;
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(0) => return Err(PipeError::Closed),
                Ok(sent) => rest = &rest[sent..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if self.received.len() <= self.most {
                        self.read_or_wait(true, limit)?;
                    } else {
                        wait_for(&mut [PollFd::new(&self.input, PollFlags::OUT)], limit)?;
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Returns the line at a place.
    pub(crate) fn line(&self, place: Range<usize>) -> &[u8] {
        &self.received.bytes[place]
    }

    /// Receives a line, without its line break; returns its place, where it is until the next call.
    pub(crate) fn receive(&mut self, limit: WaitLimit<'_>) -> Result<Range<usize>, PipeError> {
        loop {
            if let Some(line) = self.received.take_line() {
                return Ok(line);
            }
            if self.received.len() > self.most {
                let begin = self.received.rest().to_vec();
                return Err(PipeError::TooLong { begin, most: self.most });
            }
            check(limit)?;
            if !self.read_or_wait(false, limit)? {
                // A last line without a line break counts.
                return match self.received.len() {
                    0 => Err(PipeError::Closed),
                    _ => Ok(self.received.take_all()),
                };
            }
        }
    }

    /// Returns the place of a line that is there already. Nothing is waited for.
    pub(crate) fn receive_at_once(&mut self) -> Option<Range<usize>> {
        loop {
            if let Some(line) = self.received.take_line() {
                return Some(line);
            }
            match self.output.read(&mut self.chunk) {
                Ok(read) if read > 0 && self.received.len() <= self.most => {
                    self.received.add(&self.chunk[..read]);
                }
                _ => return None,
            }
        }
    }

    /// Reads what is there, or waits until something is, or until more can be sent if that is
    /// wanted. False if the output has ended.
    fn read_or_wait(&mut self, sends: bool, limit: WaitLimit<'_>) -> Result<bool, PipeError> {
        match self.output.read(&mut self.chunk) {
            Ok(0) if sends => {
                wait_for(&mut [PollFd::new(&self.input, PollFlags::OUT)], limit)?;
            }
            Ok(0) => return Ok(false),
            Ok(read) => self.received.add(&self.chunk[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let ready = PollFd::new(&self.output, PollFlags::IN);
                if sends {
                    wait_for(&mut [ready, PollFd::new(&self.input, PollFlags::OUT)], limit)?;
                } else {
                    wait_for(&mut [ready], limit)?;
                }
            }
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }
}

/// Returns an error if the wait is to end.
fn check(limit: WaitLimit<'_>) -> Result<(), PipeError> {
    if (limit.stop)() {
        return Err(PipeError::Stopped);
    }
    if Instant::now() >= limit.deadline { Err(PipeError::TimedOut) } else { Ok(()) }
}

/// Waits until one of the pipes is ready.
fn wait_for(pipes: &mut [PollFd<'_>], limit: WaitLimit<'_>) -> Result<(), PipeError> {
    loop {
        check(limit)?;
        let rest = limit.deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(rest.min(STOP_INTERVAL)).ok();
        match poll(pipes, timeout.as_ref()) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(PipeError::Broken(error.into())),
        }
    }
}

/// Bytes that were received and belong to no line yet that was taken.
#[derive(Default, Debug)]
struct ReceivedBytes {
    bytes: Vec<u8>,
    /// Bytes of lines that were taken.
    taken: usize,
    /// Bytes in which no line break is left to find.
    searched: usize,
}

impl ReceivedBytes {
    fn len(&self) -> usize {
        self.bytes.len() - self.taken
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.taken);
        self.searched -= self.taken;
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Bytes that belong to no line that was taken.
    fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// Returns the place of the next line, which is there until more is added.
    fn take_line(&mut self) -> Option<Range<usize>> {
        let Some(end) = memchr(b'\n', &self.bytes[self.searched..]) else {
            self.searched = self.bytes.len();
            return None;
        };
        let line = self.taken..self.searched + end;
        self.taken = line.end + 1;
        self.searched = self.taken;
        Some(line)
    }

    /// Returns the place of all that is left.
    fn take_all(&mut self) -> Range<usize> {
        let rest = self.taken..self.bytes.len();
        self.taken = rest.end;
        self.searched = rest.end;
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::ReceivedBytes;

    #[test]
    fn lines_are_taken_in_order() {
        let mut received = ReceivedBytes::default();
        let line = |received: &mut ReceivedBytes| {
            let line = received.take_line()?;
            Some(String::from_utf8_lossy(&received.bytes[line]).into_owned())
        };
        assert_eq!(line(&mut received), None);
        received.add(b"move a");
        assert_eq!(line(&mut received), None);
        received.add(b"1\n\ninfo x\nmo");
        assert_eq!(line(&mut received).as_deref(), Some("move a1"));
        assert_eq!(line(&mut received).as_deref(), Some(""));
        received.add(b"ve");
        assert_eq!(line(&mut received).as_deref(), Some("info x"));
        assert_eq!(line(&mut received), None);
        assert_eq!((received.len(), received.rest()), (4, &b"move"[..]));
        let rest = received.take_all();
        assert_eq!((received.len(), &received.bytes[rest]), (0, &b"move"[..]));
    }
}
