//! Rules of a program, asked for many positions at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hindsight_foreign::{
    Answers, Description, ForeignRules, RankedPositions, RulesFault, bytes_of, hexadecimal,
    push_hexadecimal,
};
use hindsight_play::{AgentFault, FaultKind};

use super::answer::{read_address, read_answer, read_ranked};
use super::digest::digest_of;
use super::hello::RulesHello;
use crate::bot_command::BotCommand;
use crate::bot_error::BotError;
use crate::line_process::LineProcess;
use crate::pipes::WaitLimit;
use crate::protocol::VERSION;
use crate::shown_line::shown_line;

/// Most bytes of a line: those of a position with all the moves that it may have.
const MOST_LINE_BYTES: usize = 1 << 22;
/// Time for the lines up to `ready`.
const HELLO_TIME: Duration = Duration::from_secs(30);
/// Time from one line of an answer to the next.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// Time for which an answer is still waited for after a stop: what asked can then end its work in
/// order.
const GRACE: Duration = Duration::from_millis(500);

/// Line after the last one of each answer: an answer too many or too few would shift the others.
const END: &[u8] = b"end";

/// Function that returns true once the user wants to stop.
type IsStopped = dyn Fn() -> bool + Send + Sync;

/// Rules in a program that the user has named. Each thread that asks has a process of its own.
pub struct RulesProgram {
    command: BotCommand,
    hello: RulesHello,
    description: Description,
    patience: Patience,
    free: Mutex<Vec<LineProcess>>,
}

/// Waits for answers, which end some time after a stop.
struct Patience {
    is_stopped: Box<IsStopped>,
    /// When the stop was first seen.
    stopped_at: Mutex<Option<Instant>>,
}

impl Patience {
    /// Returns true some time after a stop.
    fn is_over(&self) -> bool {
        let mut stopped_at = self.stopped_at.lock().unwrap_or_else(PoisonError::into_inner);
        if !(self.is_stopped)() {
            *stopped_at = None;
            return false;
        }
        stopped_at.get_or_insert_with(Instant::now).elapsed() > GRACE
    }
}

/// Starts a process, and waits until it is ready.
fn start_process(
    command: &BotCommand,
    patience: &Patience,
) -> Result<(LineProcess, RulesHello), RulesFault> {
    let stop = || patience.is_over();
    let limit = WaitLimit::new(HELLO_TIME, &stop);
    let mut process = LineProcess::start(command.words(), MOST_LINE_BYTES).map_err(rules_fault)?;
    process.send(format!("rules {VERSION}\n").as_bytes(), limit).map_err(rules_fault)?;
    let mut hello = RulesHello::default();
    loop {
        let line = process.receive(limit).map_err(rules_fault)?.to_vec();
        let text = std::str::from_utf8(&line).map_err(|_| String::from("is no UTF-8"));
        match text.and_then(|text| hello.read(text)) {
            Ok(false) => {}
            Ok(true) => return Ok((process, hello)),
            Err(reason) => return Err(rules_fault(process.fault(nonsense(&line, &reason)))),
        }
    }
}

/// Returns the description that a program has given, with a version.
fn description_of(command: &BotCommand, hello: &RulesHello) -> Result<Description, RulesFault> {
    let version = match hello.version() {
        Some(version) => version.to_string(),
        None => digest_of(command.words())
            .map_err(|error| RulesFault::new(format!("cannot be read: {error}")))?,
    };
    let description = hello.description(command.to_string(), version);
    description.check()?;
    Ok(description)
}

impl RulesProgram {
    /// Starts the program, and waits until it is ready.
    ///
    /// # Errors
    /// A fault of the program, or [`RulesFault::is_stop`].
    pub fn start(
        command: BotCommand,
        is_stopped: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Self, RulesFault> {
        let patience = Patience { is_stopped: Box::new(is_stopped), stopped_at: Mutex::default() };
        let started = start_process(&command, &patience)
            .and_then(|(process, hello)| Ok((process, description_of(&command, &hello)?, hello)));
        let named = |fault| RulesFault { rules: command.to_string(), ..fault };
        let (process, description, hello) = started.map_err(named)?;
        Ok(Self { command, hello, description, patience, free: Mutex::new(vec![process]) })
    }

    /// Returns what the program has said of itself.
    #[must_use]
    pub fn hello(&self) -> &RulesHello {
        &self.hello
    }

    fn free(&self) -> MutexGuard<'_, Vec<LineProcess>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Result<LineProcess, RulesFault> {
        while let Some(process) = { self.free().pop() } {
            if !process.has_ended() {
                return Ok(process);
            }
        }
        let (process, hello) = start_process(&self.command, &self.patience)?;
        if hello == self.hello && description_of(&self.command, &hello)? == self.description {
            Ok(process)
        } else {
            Err(RulesFault::new("the program, or what it says of its rules, has changed"))
        }
    }

    /// Asks with one line, and reads as many lines as there are positions, each by a function that
    /// says what is wrong with it.
    fn ask(
        &self,
        word: &str,
        positions: &[u8],
        read: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), RulesFault> {
        let bytes = self.description.position_bytes();
        let mut line = String::from(word);
        for position in positions.chunks_exact(bytes) {
            line.push(' ');
            push_hexadecimal(position, &mut line);
        }
        let position = |number| hexadecimal(&positions[number * bytes..][..bytes]);
        self.exchange(line, positions.len() / bytes, read, &position)
    }

    fn exchange(
        &self,
        mut line: String,
        answers: usize,
        read: &mut dyn FnMut(&[u8]) -> Result<(), String>,
        position: &dyn Fn(usize) -> String,
    ) -> Result<(), RulesFault> {
        let stop = || self.patience.is_over();
        let at = |number| move |error| rules_fault(error).at(|| position(number));
        line.push('\n');
        let mut process = self.take()?;
        let _shared = process.share_processor();
        no_stray_line(&mut process)?;
        process.send(line.as_bytes(), WaitLimit::new(ANSWER_TIME, &stop)).map_err(at(0))?;
        for number in 0..answers {
            let limit = WaitLimit::new(ANSWER_TIME, &stop);
            let line = process.receive(limit).map_err(at(number))?;
            let fault = match line.trim_ascii_start().strip_prefix(b"error ") {
                Some(text) => Some(AgentFault::new(FaultKind::GaveUp, shown_line(text))),
                None if line.trim_ascii() == END => {
                    let reason = format!("comes after {number} of {answers} answers");
                    Some(nonsense(line, &reason))
                }
                None => read(line).err().map(|reason| nonsense(line, &reason)),
            };
            if let Some(fault) = fault {
                return Err(at(number)(process.fault(fault)));
            }
        }
        let limit = WaitLimit::new(ANSWER_TIME, &stop);
        let line = process.receive(limit).map_err(|error| {
            let kind = if let BotError::Fault(fault) = &error { Some(fault.kind) } else { None };
            let mut fault = at(answers - 1)(error);
            if kind == Some(FaultKind::TimedOut) {
                fault.text.push_str(": the line 'end' is missing after the answer");
            }
            fault
        })?;
        if line.trim_ascii() != END {
            let fault = nonsense(line, "is a line more than were asked for, where end is missing");
            return Err(at(answers - 1)(process.fault(fault)));
        }
        self.free().push(process);
        Ok(())
    }

    /// Asks with a line that has one line as its answer.
    fn ask_for_text(
        &self,
        line: String,
        position: &dyn Fn(usize) -> String,
    ) -> Result<String, RulesFault> {
        let mut answer = String::new();
        let mut read = |line: &[u8]| {
            let text = std::str::from_utf8(line).map_err(|_| "is no UTF-8")?;
            answer = text.trim().to_string();
            Ok(())
        };
        self.exchange(line, 1, &mut read, position)?;
        Ok(answer)
    }
}

impl Drop for RulesProgram {
    fn drop(&mut self) {
        // All processes are told first, so that they end at the same time.
        self.free().iter_mut().for_each(LineProcess::quit);
    }
}

/// Refuses a line after the end of an answer: it would be taken for an answer to the next question.
fn no_stray_line(process: &mut LineProcess) -> Result<(), RulesFault> {
    let Some(line) = process.stray_line() else {
        return Ok(());
    };
    let fault = nonsense(line, "was not asked for");
    Err(rules_fault(process.fault(fault)))
}

/// Fault of a line that is no answer, and what it is not.
fn nonsense(line: &[u8], reason: &str) -> AgentFault {
    AgentFault::new(FaultKind::Nonsense, format!("{} {reason}", shown_line(line)))
}

fn rules_fault(error: BotError) -> RulesFault {
    let is_stop = matches!(error, BotError::Stopped);
    RulesFault { is_stop, ..RulesFault::new(error.to_string()) }
}

impl ForeignRules for RulesProgram {
    fn description(&self) -> &Description {
        &self.description
    }

    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
        let bytes = self.description.position_bytes();
        self.ask("expand", positions, &mut |line| read_answer(line, bytes, answers))
    }

    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        let byte = self.hello.player_byte().unwrap_or_default();
        for position in positions.chunks_exact(self.description.position_bytes()) {
            match position[byte] {
                player @ (0 | 1) => players.push(player),
                other => {
                    let text = format!(
                        "byte {byte} of a position has the player to move, 0 or 1, not {other}"
                    );
                    return Err(RulesFault::new(text).at(|| hexadecimal(position)));
                }
            }
        }
        Ok(())
    }

    fn canonicalize(&self, positions: &mut [u8]) -> Result<(), RulesFault> {
        let mut members = Vec::with_capacity(positions.len());
        let digits = 2 * self.description.position_bytes();
        self.ask("canonical", positions, &mut |line| {
            let line = line.trim_ascii();
            let read = (line.len() == digits).then(|| bytes_of(line, &mut members)).flatten();
            read.ok_or_else(|| format!("is no position of {digits} hexadecimal digits"))
        })?;
        positions.copy_from_slice(&members);
        Ok(())
    }

    fn rank(
        &self,
        positions: &[u8],
        addresses: &mut Vec<Option<(u64, u64)>>,
    ) -> Result<(), RulesFault> {
        self.ask("rank", positions, &mut |line| {
            addresses.push(read_address(line)?);
            Ok(())
        })
    }

    fn unrank(
        &self,
        tier: u64,
        ranks: &[u64],
        out: &mut RankedPositions,
    ) -> Result<(), RulesFault> {
        let mut line = format!("unrank {tier}");
        for rank in ranks {
            line.push_str(&format!(" {rank}"));
        }
        let bytes = self.description.position_bytes();
        let mut read = |line: &[u8]| read_ranked(line, bytes, out);
        self.exchange(line, ranks.len(), &mut read, &|number| {
            format!("of rank {} of tier {tier}", ranks[number])
        })
    }

    fn move_names(&self, position: &[u8]) -> Result<Vec<String>, RulesFault> {
        let digits = hexadecimal(position);
        let names = self.ask_for_text(format!("names {digits}"), &|_| digits.clone())?;
        Ok(names.split_whitespace().map(String::from).collect())
    }

    fn format(&self, position: &[u8]) -> Result<String, RulesFault> {
        let digits = hexadecimal(position);
        self.ask_for_text(format!("text {digits}"), &|_| digits.clone())
    }

    fn parse(&self, text: &str) -> Result<Result<Vec<u8>, String>, RulesFault> {
        let answer = self.ask_for_text(format!("parse {text}"), &|_| format!("'{text}'"))?;
        if let Some(reason) = answer.strip_prefix("no ") {
            return Ok(Err(reason.trim().to_string()));
        }
        let mut bytes = Vec::new();
        match bytes_of(answer.as_bytes(), &mut bytes) {
            Some(()) => Ok(Ok(bytes)),
            None => {
                let reason = "is neither a position nor no and a reason";
                Err(rules_fault(nonsense(answer.as_bytes(), reason).into()))
            }
        }
    }
}
