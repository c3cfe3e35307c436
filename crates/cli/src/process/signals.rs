//! Signals that end the process: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
//!
//! While a [`StopListener`] lives, the first signal asks the work to stop and to save its
//! checkpoint; a second ends the process at once, unless it is the same within [`SAME_STOP`].
//! Work that saves nothing is ended if it does not stop soon by itself ([`PATIENCE`]).
//! Without a listener, or after [`end_at_once`], the first ends the process at once. In all cases
//! temporary files are removed, programs that play are killed, and the exit code is 128 plus the
//! number of the signal.

use std::fs;
use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use hindsight_bots::kill_bots;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::output::print_message;
use crate::process::temporary::remove_temporaries;

/// Time after the first signal in which another of its kind belongs to the same stop: `timeout`
/// sends one to the process and one to its group.
const SAME_STOP: Duration = Duration::from_secs(1);

/// Stop that the process was asked for first.
static FIRST_STOP: FirstStop = FirstStop::new();

/// Record of the first signal.
struct FirstStop {
    /// Number of the signal; 0 for none.
    signal: AtomicI32,
    /// Time of it; held while a signal is recorded.
    time: Mutex<Option<Instant>>,
    /// True if there is one.
    is_asked: AtomicBool,
}

/// Place of a signal among those that came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StopOrder {
    First,
    /// Another signal of the first stop.
    Same,
    Another,
}

impl FirstStop {
    const fn new() -> Self {
        Self { signal: AtomicI32::new(0), time: Mutex::new(None), is_asked: AtomicBool::new(false) }
    }

    /// Number of the signal; 0 for none.
    fn signal(&self) -> i32 {
        self.signal.load(Ordering::SeqCst)
    }

    fn record(&self, signal: i32) -> StopOrder {
        let mut time = self.time.lock().unwrap_or_else(PoisonError::into_inner);
        let recorded = self.signal.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
        let is_recent = time.is_some_and(|time| time.elapsed() < SAME_STOP);
        match recorded {
            Ok(_) => {
                *time = Some(Instant::now());
                self.is_asked.store(true, Ordering::SeqCst);
                StopOrder::First
            }
            Err(first) if first == signal && is_recent => StopOrder::Same,
            Err(_) => StopOrder::Another,
        }
    }

    /// Forgets the signal if it has this number. Returns true if it had.
    fn forget(&self, signal: i32) -> bool {
        let forgotten = self.signal.compare_exchange(signal, 0, Ordering::SeqCst, Ordering::SeqCst);
        if forgotten.is_ok() {
            self.is_asked.store(false, Ordering::SeqCst);
        }
        forgotten.is_ok()
    }
}

/// Longest time that work which saves nothing may take to hear of a signal.
const PATIENCE: Duration = Duration::from_millis(400);

/// Number of [`StopListener`]s alive.
static STOP_LISTENERS: AtomicUsize = AtomicUsize::new(0);

/// Number of those alive whose work saves nothing.
static SAVING_NOTHING: AtomicUsize = AtomicUsize::new(0);

/// True if a signal ends the process at once, whoever listens.
static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(false);

/// Lets the first signal end the process at once: there is nothing to save.
pub(crate) fn end_at_once() {
    ENDS_AT_ONCE.store(true, Ordering::SeqCst);
}

/// Ends the process, whatever its threads do. Temporary files are removed, and programs that play
/// are killed.
pub(crate) fn end_process(code: i32) -> ! {
    remove_temporaries();
    kill_bots();
    exit(code)
}

/// Returns true if a signal has asked the work to stop.
pub fn stopped() -> bool {
    FIRST_STOP.signal() != 0
}

/// Returns the flag that is set while a signal asks the work to stop.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    &FIRST_STOP.is_asked
}

/// Returns the number of the signal that has asked the work to stop.
#[cfg(feature = "cluster")]
pub(crate) fn first_signal() -> Option<i32> {
    Some(FIRST_STOP.signal()).filter(|&signal| signal != 0)
}

/// Asks the work to stop, as SIGTERM does.
#[cfg(feature = "cluster")]
pub(crate) fn stop() {
    FIRST_STOP.record(SIGTERM);
}

/// Returns true if Ctrl-C has asked the work to stop, and forgets it: the program goes on.
pub(crate) fn take_interrupt() -> bool {
    FIRST_STOP.forget(SIGINT)
}

/// Exit code after a stop: 128 plus the number of the signal.
pub(crate) fn exit_code() -> u8 {
    let signal = match FIRST_STOP.signal() {
        0 => SIGINT,
        signal => signal,
    };
    128 + signal as u8
}

/// Guard of work that polls [`stopped`].
#[derive(Debug)]
pub(crate) struct StopListener {
    saves_nothing: bool,
}

impl StopListener {
    /// Guard of work that saves or tells something when it is stopped. It takes the time for that.
    pub(crate) fn new() -> Self {
        STOP_LISTENERS.fetch_add(1, Ordering::SeqCst);
        Self { saves_nothing: false }
    }

    /// Notes that the work saves nothing when it is stopped: if it does not end by itself within
    /// [`PATIENCE`], because it does not poll just then, the process is ended.
    pub(crate) fn save_nothing(&mut self) {
        if !self.saves_nothing {
            SAVING_NOTHING.fetch_add(1, Ordering::SeqCst);
        }
        self.saves_nothing = true;
    }

    /// Takes back [`StopListener::save_nothing`].
    pub(crate) fn save_something(&mut self) {
        if self.saves_nothing {
            SAVING_NOTHING.fetch_sub(1, Ordering::SeqCst);
        }
        self.saves_nothing = false;
    }
}

impl Drop for StopListener {
    fn drop(&mut self) {
        self.save_something();
        STOP_LISTENERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the process after [`PATIENCE`] if all work then alive saves nothing.
fn end_if_nothing_is_saved(signal: i32) {
    sleep(PATIENCE);
    let alive = STOP_LISTENERS.load(Ordering::SeqCst);
    let is_saved_nothing = alive > 0 && alive == SAVING_NOTHING.load(Ordering::SeqCst);
    // `play` forgets a Ctrl-C that it has obeyed.
    if is_saved_nothing && FIRST_STOP.signal() == signal {
        print_message("hindsight: stopped");
        end_process(128 + signal);
    }
}

/// Starts a thread that handles the signals.
pub(crate) fn install_handlers() -> Result<()> {
    let mut handled = vec![SIGINT, SIGTERM];
    // `nohup` starts programs with SIGHUP ignored, and it must stay ignored.
    if !is_ignored(SIGHUP) {
        handled.push(SIGHUP);
    }
    // With SIGXFSZ caught, a write beyond the file size limit is an error, as on a full disk.
    let caught = handled.into_iter().chain([SIGXFSZ]);
    let mut signals = Signals::new(caught).context("cannot catch signals")?;
    let listen = move || {
        let stops = signals.forever().filter(|&signal| signal != SIGXFSZ);
        stops.for_each(handle_signal);
    };
    let thread = Builder::new().name(String::from("signals"));
    thread.spawn(listen).context("cannot make a thread")?;
    Ok(())
}

/// Records a signal, or ends the process if it is another stop or nobody listens.
fn handle_signal(signal: i32) {
    let order = FIRST_STOP.record(signal);
    let nobody_listens =
        ENDS_AT_ONCE.load(Ordering::SeqCst) || STOP_LISTENERS.load(Ordering::SeqCst) == 0;
    if order == StopOrder::Another || nobody_listens {
        print_message("hindsight: stopped");
        end_process(128 + signal);
    }
    if order == StopOrder::First {
        // Without this thread the work is stopped when it polls.
        let _ = Builder::new().spawn(move || end_if_nothing_is_saved(signal));
    }
}

/// Returns true if a signal was ignored when the process began; false if unknown (not Linux).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use signal_hook::consts::{SIGINT, SIGTERM};

    use super::{FirstStop, StopOrder};

    #[test]
    fn the_same_signal_soon_after_the_first_is_no_second_stop() {
        let stop = FirstStop::new();
        for first in [SIGINT, SIGTERM] {
            assert_eq!(stop.record(first), StopOrder::First);
            assert_eq!(stop.record(first), StopOrder::Same);
            assert_eq!(stop.record(SIGINT + SIGTERM - first), StopOrder::Another);
            assert!(stop.forget(first) && stop.signal() == 0);
        }
    }
}
