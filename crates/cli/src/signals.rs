//! Signals that end the process: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
//!
//! While a [`Listener`] lives, the first of them asks the work to stop, which saves its checkpoint; the
//! second ends the process at once. Without one the first ends it at once. Either way no temporary file is
//! left, and the exit code is 128 and the number of the signal.

use std::fs;
use std::process::exit;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::thread::Builder;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::output::print_message;
use crate::temporary::remove_temporaries;

/// The first signal that came; 0 for none.
static FIRST_SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The number of parts of the program that stop when they are asked to.
static STOP_LISTENERS: AtomicUsize = AtomicUsize::new(0);

/// True if a signal has asked the work to stop.
pub(crate) fn stopped() -> bool {
    FIRST_SIGNAL.load(Ordering::Relaxed) != 0
}

/// The exit code of work that was stopped.
pub(crate) fn exit_code() -> u8 {
    let signal = match FIRST_SIGNAL.load(Ordering::Relaxed) {
        0 => SIGINT,
        signal => signal,
    };
    128 + signal as u8
}

/// Work that asks [`stopped`] every now and then, as long as the value lives.
#[derive(Debug)]
pub(crate) struct StopListener(());

impl StopListener {
    pub(crate) fn new() -> Self {
        STOP_LISTENERS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for StopListener {
    fn drop(&mut self) {
        STOP_LISTENERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Catches the signals from now on, on a thread of its own.
pub(crate) fn install_handlers() -> Result<()> {
    let mut ending = vec![SIGINT, SIGTERM];
    // `nohup` starts programs with this signal ignored; it stays so.
    if !is_ignored(SIGHUP) {
        ending.push(SIGHUP);
    }
    // A write beyond the largest file that is allowed fails then, as on a full disk, and does not kill.
    let caught = ending.into_iter().chain([SIGXFSZ]);
    let mut signals = Signals::new(caught).context("cannot catch signals")?;
    let listen = move || {
        signals
            .forever()
            .filter(|&signal| signal != SIGXFSZ)
            .for_each(handle_signal)
    };
    let thread = Builder::new().name(String::from("signals"));
    thread.spawn(listen).context("cannot make a thread")?;
    Ok(())
}

fn handle_signal(signal: i32) {
    let first = FIRST_SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
    if first.is_err() || STOP_LISTENERS.load(Ordering::SeqCst) == 0 {
        print_message("hindsight: stopped");
        remove_temporaries();
        exit(128 + signal);
    }
}

/// True if a signal was ignored when the process began, where the system tells (Linux).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
