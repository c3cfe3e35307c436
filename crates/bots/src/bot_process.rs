//! A running bot.

use std::fmt::Write as _;
use std::time::Duration;

use hindsight_play::{AgentFault, FaultKind};

use crate::bot_command::BotCommand;
use crate::bot_error::BotError;
use crate::line_process::LineProcess;
use crate::pipes::{StopFunction, WaitLimit};
use crate::protocol::{BotLine, HostLine, MAX_BOT_LINE_BYTES, VERSION, encoding_fault};
use crate::shown_line::shown_line;

/// A running bot. Dropping it ends its process group: with `quit` and half a second, or at once
/// after a fault.
#[derive(Debug)]
pub(crate) struct BotProcess {
    process: LineProcess,
    /// Number of moves in all games.
    moves_made: u64,
}

impl BotProcess {
    /// Starts a bot for a game, and waits for its `hello`.
    ///
    /// # Errors
    /// As [`BotError`] says.
    pub(crate) fn start(
        command: &BotCommand,
        spec: &str,
        time: Duration,
        stop: &StopFunction<'_>,
    ) -> Result<Self, BotError> {
        let process = LineProcess::start(command.words(), MAX_BOT_LINE_BYTES)?;
        let mut bot = Self { process, moves_made: 0 };
        let version = VERSION;
        let limit = WaitLimit::new(time, stop);
        bot.send(&[HostLine::Hello { version, spec }], limit)?;
        let line = bot.receive(limit)?;
        match read_line(&line) {
            Some(BotLine::Hello { version, .. }) if version == VERSION => Ok(bot),
            Some(BotLine::Hello { version, .. }) => Err(BotError::Version { theirs: version }),
            Some(BotLine::Error(text)) => Err(bot.process.fault(gave_up(text))),
            _ => Err(bot.process.fault(nonsense(&line, "is no hello"))),
        }
    }

    /// Tells the bot that a game begins.
    ///
    /// # Errors
    /// As [`BotProcess::choose`].
    pub(crate) fn new_game(
        &mut self,
        spec: &str,
        seed: &str,
        time: Duration,
        stop: &StopFunction<'_>,
    ) -> Result<(), BotError> {
        let line = HostLine::NewGame { spec, seed };
        self.send(&[line], WaitLimit::new(time, stop))
    }

    /// Asks the bot for a move in a position; returns its index among the legal moves.
    ///
    /// # Errors
    /// [`BotError::Fault`] if the bot gives no legal move in its time; it is to be dropped then.
    /// [`BotError::Stopped`] if the host asked to stop.
    pub(crate) fn choose(
        &mut self,
        position: &str,
        moves: &[String],
        time: Duration,
        stop: &StopFunction<'_>,
    ) -> Result<usize, BotError> {
        let limit = WaitLimit::new(time, stop);
        let lines = [
            HostLine::Position(position),
            HostLine::Moves(&moves.join(" ")),
            HostLine::Go { seconds: time.as_secs_f64() },
        ];
        self.send(&lines, limit)?;
        let line = self.receive(limit)?;
        let fault = match read_line(&line) {
            Some(BotLine::Move(text)) => match moves.iter().position(|mv| mv == text) {
                Some(index) => {
                    self.moves_made += 1;
                    return Ok(index);
                }
                None => {
                    let (shown, shown_position) =
                        (shown_line(text.as_bytes()), shown_line(position.as_bytes()));
                    let text = format!("{shown} is no legal move in {shown_position}");
                    AgentFault::new(FaultKind::Illegal, text)
                }
            },
            Some(BotLine::Error(text)) => gave_up(text),
            _ => nonsense(&line, "is no answer to go"),
        };
        Err(self.process.fault(fault))
    }

    /// Says `quit` and closes the input. The bot then has half a second to end, in which others can
    /// be told the same.
    pub(crate) fn quit(&mut self) {
        self.process.quit();
    }

    /// Number of moves that the bot has made, in all its games.
    pub(crate) fn moves_made(&self) -> u64 {
        self.moves_made
    }

    /// Returns true if the program has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.process.has_ended()
    }

    /// Receives the next line that is neither empty nor `info`.
    fn receive(&mut self, limit: WaitLimit<'_>) -> Result<Vec<u8>, BotError> {
        loop {
            let line = self.process.receive(limit)?;
            if !line.trim_ascii().is_empty() {
                return Ok(line.to_vec());
            }
        }
    }

    fn send(&mut self, lines: &[HostLine<'_>], limit: WaitLimit<'_>) -> Result<(), BotError> {
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        self.process.send(text.as_bytes(), limit)
    }
}

/// Reads a line of a bot; `None` if it is no line of the protocol.
fn read_line(line: &[u8]) -> Option<BotLine<'_>> {
    BotLine::read(std::str::from_utf8(line).ok()?)
}

/// Fault of a line that is no answer, and what it is not.
fn nonsense(line: &[u8], reason: &str) -> AgentFault {
    let mut text = format!("{} {reason}", shown_line(line));
    if let Some(fault) = encoding_fault(line) {
        text.push_str(&format!(": {fault}, and lines are plain UTF-8"));
    }
    AgentFault::new(FaultKind::Nonsense, text)
}

fn gave_up(text: &str) -> AgentFault {
    AgentFault::new(FaultKind::GaveUp, shown_line(text.as_bytes()))
}
