//! Process groups of bots, and the list of all that are alive.

use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::descendants::{BotMark, BotTraces, Descendants};

/// Bots of this process that are alive. One is removed before it is reaped, so that its number
/// cannot be that of another process.
static ALIVE: Mutex<Vec<BotTraces>> = Mutex::new(Vec::new());

fn alive() -> MutexGuard<'static, Vec<BotTraces>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all bots of this process, for a process that ends without destructors. No bot can be
/// started from then on: the call that tries it waits for the end of the process.
pub fn kill_bots() {
    /// Attempts to lock the list, which the calling thread itself may have locked.
    const ATTEMPTS: u32 = 200;
    let attempt = |_| {
        let bots = ALIVE.try_lock().ok();
        if bots.is_none() {
            sleep(Duration::from_millis(2));
        }
        bots
    };
    let Some(bots) = (0..ATTEMPTS).find_map(attempt) else {
        return;
    };
    if !bots.is_empty() {
        let leaders: Vec<Pid> = bots.iter().map(|bot| bot.leader).collect();
        let descendants = Descendants::of(&leaders);
        for leader in leaders {
            let _ = kill_process_group(leader, Signal::KILL);
        }
        descendants.kill(&bots);
    }
    std::mem::forget(bots);
}

/// Program that runs in a process group of its own. Dropping it kills the group, and all else that
/// the program has started.
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
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mark = BotMark::new();
        mark.set(&mut command);
        // The lock is held meanwhile: `kill_bots` misses no bot that is being started.
        let mut bots = alive();
        let child = command.spawn()?;
        let pipes = [
            child.stdin.as_ref().map(|pipe| pipe as &dyn AsRawFd),
            child.stdout.as_ref().map(|pipe| pipe as &dyn AsRawFd),
        ];
        let pipes: Vec<&dyn AsRawFd> = pipes.into_iter().flatten().collect();
        bots.push(BotTraces::new(Pid::from_child(&child), mark, &pipes));
        Ok(Self { child, status: None })
    }

    /// Number of the program.
    pub(crate) fn leader(&self) -> Pid {
        Pid::from_child(&self.child)
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
        let leader = WaitId::Pid(self.leader());
        self.status.is_some() || !matches!(waitid(leader, options), Ok(None))
    }

    /// Kills what is left of the group and of other descendants, and returns the status of the
    /// program.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let leader = self.leader();
            let mut bots = alive();
            // Children of a parent that has ended are known by their traces only.
            let descendants = Descendants::of(&[leader]);
            let _ = kill_process_group(leader, Signal::KILL);
            let ended: Vec<BotTraces> = bots.extract_if(.., |bot| bot.leader == leader).collect();
            // The program may have left its group.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
            descendants.kill(&ended);
        }
        self.status
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}
