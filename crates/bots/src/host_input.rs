//! Lines of a host, read ahead by a thread of their own while the agent thinks.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use crate::protocol::{HostLine, MAX_HOST_LINE_BYTES};

/// Bytes of lines that wait, from which on no more are read.
const MAX_WAITING_BYTES: usize = MAX_HOST_LINE_BYTES;

/// Time that an answer may take once the input has ended, before the search for it is stopped.
const END_TIME: Duration = Duration::from_millis(50);

/// Time in which a stopped search, or the work around it, is to be done.
const STOP_TIME: Duration = Duration::from_millis(50);

/// Input of a bot. Dropping it ends the watch of its end.
#[derive(Debug)]
pub struct HostInput {
    shared: Arc<SharedInput>,
}

/// Input as the bot, the thread that reads it and the one that watches its end share it.
#[derive(Debug, Default)]
struct SharedInput {
    state: Mutex<InputState>,
    /// Notified after each change of the state that another thread may wait for.
    changed: Condvar,
    /// Set once the input has ended and its last answer takes too long.
    stop: AtomicBool,
}

#[derive(Debug, Default)]
struct InputState {
    /// Lines without their line breaks.
    waiting: VecDeque<Vec<u8>>,
    waiting_bytes: usize,
    /// Number of lines that were taken.
    taken: u64,
    /// True after `quit`, the end of the input, or an error.
    has_ended: bool,
    /// Error that ended the input, until it is taken.
    error: Option<io::Error>,
    /// True if the bot takes no more lines.
    is_dropped: bool,
}

impl SharedInput {
    fn state(&self) -> MutexGuard<'_, InputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change.
    fn changed<'a>(&self, state: MutexGuard<'a, InputState>) -> MutexGuard<'a, InputState> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads lines until `quit`, the end of the input, or an error.
    fn read_all(&self, input: impl Read) {
        let mut input = BufReader::new(input);
        let error = loop {
            match read_line(&mut input) {
                Ok(Some(line)) if !is_quit(&line) => {
                    let mut state = self.state();
                    while state.waiting_bytes >= MAX_WAITING_BYTES && !state.is_dropped {
                        state = self.changed(state);
                    }
                    if state.is_dropped {
                        return;
                    }
                    state.waiting_bytes += memory_of(&line);
                    state.waiting.push_back(line);
                    drop(state);
                    self.changed.notify_all();
                }
                Ok(_) => break None,
                Err(error) => break Some(error),
            }
        };
        let mut state = self.state();
        state.error = error;
        state.has_ended = true;
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until the input has ended and an answer takes too long, then until it still does after
    /// the search was stopped. Returns false if the bot is done before.
    fn watch(&self) -> bool {
        let mut state = self.state();
        while !state.has_ended && !state.is_dropped {
            state = self.changed(state);
        }
        loop {
            let taken = state.taken;
            let goes_on = |state: &mut InputState| state.taken == taken && !state.is_dropped;
            let waited = self.changed.wait_timeout_while(state, END_TIME, goes_on);
            let (after, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = after;
            if timeout.timed_out() || state.is_dropped {
                break;
            }
        }
        self.stop.store(true, Ordering::Relaxed);
        let waited = self.changed.wait_timeout_while(state, STOP_TIME, |state| !state.is_dropped);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !state.is_dropped
    }
}

impl HostInput {
    /// Starts a thread that reads the lines of an input.
    ///
    /// # Errors
    /// There is no other thread.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(SharedInput::default());
        let reader = Arc::clone(&shared);
        let thread = Builder::new().name(String::from("input"));
        thread.spawn(move || reader.read_all(input))?;
        Ok(Self { shared })
    }

    /// Starts a thread that watches for the end of the input. An answer that then takes more than
    /// 0.05 s is cut short by [`HostInput::stop_flag`], and no further line is taken. If the bot
    /// still works 0.05 s later, `overdue` is called, which is to end the process.
    ///
    /// # Errors
    /// There is no other thread.
    pub fn watch_end(&self, overdue: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let thread = Builder::new().name(String::from("end of input"));
        thread.spawn(move || {
            if shared.watch() {
                overdue();
            }
        })?;
        Ok(())
    }

    /// Returns the flag that stops the search for a move.
    #[must_use]
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.shared.stop
    }

    /// Number of lines that wait to be taken.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.state().waiting.len()
    }

    /// Waits for the next line, without its line break; `None` after `quit` or the end.
    ///
    /// # Errors
    /// The input cannot be read, or the line has more than [`MAX_HOST_LINE_BYTES`] bytes.
    pub(crate) fn next_line(&self) -> io::Result<Option<Vec<u8>>> {
        let mut state = self.shared.state();
        loop {
            if self.shared.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(line) = state.waiting.pop_front() {
                state.waiting_bytes -= memory_of(&line);
                state.taken += 1;
                drop(state);
                self.shared.changed.notify_all();
                return Ok(Some(line));
            }
            if state.has_ended {
                return state.error.take().map_or(Ok(None), Err);
            }
            state = self.shared.changed(state);
        }
    }
}

impl Drop for HostInput {
    fn drop(&mut self) {
        self.shared.state().is_dropped = true;
        self.shared.changed.notify_all();
    }
}

/// Reads a line without its line break; `None` at the end.
fn read_line(input: &mut BufReader<impl Read>) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let longest = MAX_HOST_LINE_BYTES as u64 + 1;
    if input.take(longest).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 == longest {
        let text = format!("a line has more than {MAX_HOST_LINE_BYTES} bytes");
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    Ok(Some(line))
}

/// Returns the bytes that a line takes while it waits: its list and allocation have some too.
const fn memory_of(line: &[u8]) -> usize {
    line.len() + 64
}

fn is_quit(line: &[u8]) -> bool {
    let line = std::str::from_utf8(line).map(HostLine::read);
    matches!(line, Ok(Ok(HostLine::Quit)))
}
