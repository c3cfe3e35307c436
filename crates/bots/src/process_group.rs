//! Process groups of bots, and the list of all that are alive.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Process groups of this process that are alive. A group is removed before its leader is reaped,
/// so that its number cannot be that of another process.
static ALIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn alive() -> MutexGuard<'static, Vec<Pid>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all bots of this process, for a process that ends without destructors. No bot can be
/// started from then on: the call that tries it waits for the end of the process.
pub fn kill_bots() {
    /// Attempts to lock the list, which the calling thread itself may have locked.
    const ATTEMPTS: u32 = 50;
    let attempt = |_| {
        let groups = ALIVE.try_lock().ok();
        if groups.is_none() {
            sleep(Duration::from_millis(2));
        }
        groups
    };
    let Some(groups) = (0..ATTEMPTS).find_map(attempt) else {
        return;
    };
    for &group in groups.iter() {
        let _ = kill_process_group(group, Signal::KILL);
    }
    std::mem::forget(groups);
}

/// Program that runs in a process group of its own. Dropping it kills the group.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    child: Child,
    /// Status of the program, once it was reaped.
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    /// Starts a program with pipes for its input and output. Its errors go to those of this
    /// process, and its working folder is that of this process.
    pub(crate) fn start(words: &[String]) -> io::Result<Self> {
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0);
        // The lock is held meanwhile: `kill_bots` misses no bot that is being started.
        let mut groups = alive();
        let child = command.spawn()?;
        groups.push(Pid::from_child(&child));
        Ok(Self {
            child,
            status: None,
        })
    }

    /// Takes the pipes of the program. To be called once.
    pub(crate) fn take_pipes(&mut self) -> (ChildStdin, ChildStdout) {
        let input = self.child.stdin.take().expect("the input is a pipe");
        let output = self.child.stdout.take().expect("the output is a pipe");
        (input, output)
    }

    /// Waits for the program to end by itself; false if it has not until `deadline`.
    pub(crate) fn wait_until(&self, deadline: Instant) -> bool {
        let mut pause = Duration::from_millis(1);
        while !self.has_ended() {
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return false;
            }
            sleep(pause.min(rest));
            pause = (2 * pause).min(Duration::from_millis(20));
        }
        true
    }

    /// Returns true if the program has ended. It is not reaped.
    pub(crate) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let leader = WaitId::Pid(Pid::from_child(&self.child));
        self.status.is_some() || !matches!(waitid(leader, options), Ok(None))
    }

    /// Kills what is left of the group, and returns the status of the program.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let group = Pid::from_child(&self.child);
            let mut groups = alive();
            let _ = kill_process_group(group, Signal::KILL);
            groups.retain(|&other| other != group);
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}
