//! Processes that bots have started, in groups and sessions of their own too.
//!
//! They are found in `/proc`, and killed when the bot ends; on systems without it there are none.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::os::fd::AsRawFd;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process};

/// Environment variable with the marks of a bot and of the bots that it is a child of.
const VARIABLE: &str = "HINDSIGHT_BOT";

/// Longest time to look for processes that are left.
const KILL_TIME: Duration = Duration::from_millis(200);

/// Mark of a bot, which its descendants inherit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BotMark(String);

impl BotMark {
    /// Returns a mark that no other bot of this machine has.
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let time = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanoseconds = time.unwrap_or_default().as_nanos();
        Self(format!("{}-{nanoseconds}-{number}", std::process::id()))
    }

    /// Puts the mark into the environment of a bot, after those of this process.
    pub(crate) fn set(&self, command: &mut Command) {
        let outer = env::var(VARIABLE).unwrap_or_default();
        command.env(VARIABLE, format!("{outer} {}", self.0).trim_start());
    }
}

/// Traces of a bot by which its descendants are known.
#[derive(Debug)]
pub(crate) struct BotTraces {
    pub(crate) leader: Pid,
    mark: BotMark,
    /// Names of its standard input and output, as `/proc` has them.
    pipes: Vec<String>,
}

impl BotTraces {
    /// Returns the traces of a bot that was just started; `pipes` are this process's ends.
    pub(crate) fn new(leader: Pid, mark: BotMark, pipes: &[&dyn AsRawFd]) -> Self {
        let names = pipes.iter().filter_map(|pipe| {
            let name = fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())).ok()?;
            let name = name.to_string_lossy().into_owned();
            name.starts_with("pipe:").then_some(name)
        });
        Self { leader, mark, pipes: names.collect() }
    }

    /// Returns true if a process has the mark in its environment, or uses the pipes.
    fn are_of(&self, process: i32) -> bool {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let mut variables = environment.split(|&byte| byte == 0);
        let has_mark = variables.any(|variable| {
            let variable = String::from_utf8_lossy(variable);
            let value = variable.strip_prefix(VARIABLE);
            let value = value.and_then(|rest| rest.strip_prefix('='));
            value.is_some_and(|marks| marks.split(' ').any(|mark| mark == self.mark.0))
        });
        has_mark
            || (0..=1).any(|stream| {
                let name = fs::read_link(format!("/proc/{process}/fd/{stream}"));
                name.is_ok_and(|name| {
                    self.pipes.iter().any(|pipe| *pipe == *name.to_string_lossy())
                })
            })
    }
}

/// Descendants of some bots: times of their starts by number.
#[derive(Debug, Default)]
pub(crate) struct Descendants(HashMap<i32, u64>);

impl Descendants {
    /// Finds the descendants of leaders that are alive or not yet reaped. The leaders are among
    /// them.
    pub(crate) fn of(leaders: &[Pid]) -> Self {
        let processes = processes();
        let leaders = processes.iter().filter(|process| {
            let is_process = |leader: &Pid| leader.as_raw_nonzero().get() == process.number;
            leaders.iter().any(is_process)
        });
        let mut found = Self(leaders.map(|leader| (leader.number, leader.begin)).collect());
        found.add_children(&processes);
        found
    }

    /// Kills the descendants, and whatever else has traces of the bots, until none is left.
    pub(crate) fn kill(mut self, bots: &[BotTraces]) {
        let own = std::process::id() as i32;
        // A descendant begins after the first of the bots.
        let begin = self.0.values().copied().min().unwrap_or(0);
        let deadline = Instant::now() + KILL_TIME;
        loop {
            let processes = processes();
            self.add_children(&processes);
            let alive = processes.iter().filter(|process| {
                let may_be_one = process.number > 1 && process.number != own && !process.has_ended;
                may_be_one
                    && process.begin >= begin
                    && (self.has(process) || bots.iter().any(|bot| bot.are_of(process.number)))
            });
            let alive: Vec<&ProcessEntry> = alive.collect();
            for process in &alive {
                self.0.insert(process.number, process.begin);
                process.kill();
            }
            if alive.is_empty() || Instant::now() >= deadline {
                return;
            }
            sleep(Duration::from_millis(1));
        }
    }

    fn has(&self, process: &ProcessEntry) -> bool {
        self.0.get(&process.number) == Some(&process.begin)
    }

    /// Adds the children of processes that are there, and theirs.
    fn add_children(&mut self, processes: &[ProcessEntry]) {
        let by_number: HashMap<i32, &ProcessEntry> =
            processes.iter().map(|process| (process.number, process)).collect();
        loop {
            let children = processes.iter().filter(|process| {
                let parent = by_number.get(&process.parent);
                parent.is_some_and(|parent| self.has(parent)) && !self.has(process)
            });
            let children: Vec<&ProcessEntry> = children.collect();
            if children.is_empty() {
                return;
            }
            let children = children.into_iter();
            self.0.extend(children.map(|child| (child.number, child.begin)));
        }
    }
}

/// A process of this machine.
#[derive(Debug)]
struct ProcessEntry {
    number: i32,
    parent: i32,
    /// Ticks from the start of the machine to that of the process.
    begin: u64,
    /// True if the process only waits to be reaped.
    has_ended: bool,
}

impl ProcessEntry {
    fn read(number: i32) -> Option<Self> {
        let line = fs::read(format!("/proc/{number}/stat")).ok()?;
        let line = String::from_utf8_lossy(&line);
        // The second field is a name in brackets, which may have brackets and spaces.
        let (_, fields) = line.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        Some(Self {
            number,
            parent: fields.get(1)?.parse().ok()?,
            begin: fields.get(19)?.parse().ok()?,
            has_ended: ["Z", "X"].contains(fields.first()?),
        })
    }

    /// Kills the process, unless its number is another one's by now.
    fn kill(&self) {
        let Some(number) = Pid::from_raw(self.number) else {
            return;
        };
        let is_same = || Self::read(self.number).is_some_and(|now| now.begin == self.begin);
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
            // A handle stays that of its process, so that the number can be compared first.
            if let Ok(handle) = pidfd_open(number, PidfdFlags::empty()) {
                if is_same() {
                    let _ = pidfd_send_signal(&handle, Signal::KILL);
                }
                return;
            }
        }
        if is_same() {
            let _ = kill_process(number, Signal::KILL);
        }
    }
}

/// Returns all processes of this machine.
fn processes() -> Vec<ProcessEntry> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(ProcessEntry::read).collect()
}
