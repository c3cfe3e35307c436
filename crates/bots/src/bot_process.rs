//! A running bot.

use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use hindsight_play::{AgentFault, FaultKind};

use crate::bot_command::BotCommand;
use crate::bot_error::BotError;
use crate::pipes::{BotPipes, PipeError, WaitLimit};
use crate::process_group::ProcessGroup;
use crate::protocol::{BotLine, HostLine, MAX_BOT_LINE_BYTES, VERSION, encoding_fault};
use crate::shown_line::shown_line;

/// Time for a bot to end after `quit`.
const END_TIME: Duration = Duration::from_millis(500);
/// Time between the end of a bot's output and that of the bot.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// Function that returns true once the host is to stop.
pub(crate) type StopFunction<'a> = dyn Fn() -> bool + Sync + 'a;

/// A running bot. Dropping it ends its process group: with `quit` and half a second, or at once
/// after a fault.
#[derive(Debug)]
pub(crate) struct BotProcess {
    pipes: Option<BotPipes>,
    group: ProcessGroup,
    quit_at: Option<Instant>,
    has_fault: bool,
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
        let failed = |source| BotError::Start { program: command.words()[0].clone(), source };
        let mut group = ProcessGroup::start(command.words()).map_err(failed)?;
        let (input, output) = group.take_pipes();
        let pipes = BotPipes::new(input, output).map_err(failed)?;
        let mut bot =
            Self { pipes: Some(pipes), group, quit_at: None, has_fault: false, moves_made: 0 };
        let limit = limit_of(time, stop);
        let version = VERSION;
        bot.send(&[HostLine::Hello { version, spec }], limit, time)?;
        let line = bot.receive(limit, time)?;
        match read_line(&line) {
            Some(BotLine::Hello { version, .. }) if version == VERSION => Ok(bot),
            Some(BotLine::Hello { version, .. }) => Err(BotError::Version { theirs: version }),
            Some(BotLine::Error(text)) => Err(bot.fault(gave_up(text))),
            _ => Err(bot.fault(nonsense(&line, "is no hello"))),
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
        self.send(&[line], limit_of(time, stop), time)
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
        let limit = limit_of(time, stop);
        let lines = [
            HostLine::Position(position),
            HostLine::Moves(&moves.join(" ")),
            HostLine::Go { seconds: time.as_secs_f64() },
        ];
        self.send(&lines, limit, time)?;
        let line = self.receive(limit, time)?;
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
        Err(self.fault(fault))
    }

    /// Says `quit` and closes the input. The bot then has half a second to end, in which others can
    /// be told the same.
    pub(crate) fn quit(&mut self) {
        if let Some(mut pipes) = self.pipes.take() {
            let now = WaitLimit { deadline: Instant::now(), stop: &|| false };
            let _ = pipes.send(&format!("{}\n", HostLine::Quit), now);
            self.quit_at = Some(Instant::now());
        }
    }

    /// Number of moves that the bot has made, in all its games.
    pub(crate) fn moves_made(&self) -> u64 {
        self.moves_made
    }

    /// Returns true if the program has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.group.has_ended()
    }

    fn send(
        &mut self,
        lines: &[HostLine<'_>],
        limit: WaitLimit<'_>,
        time: Duration,
    ) -> Result<(), BotError> {
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        let pipes = self.pipes.as_mut().expect("no quit was said");
        match pipes.send(&text, limit) {
            // The output of a bot that has ended may tell more.
            Ok(()) | Err(PipeError::Closed) => Ok(()),
            Err(error) => Err(self.pipe_error(error, time)),
        }
    }

    /// Receives the next line that is no `info`.
    fn receive(&mut self, limit: WaitLimit<'_>, time: Duration) -> Result<Vec<u8>, BotError> {
        loop {
            let pipes = self.pipes.as_mut().expect("no quit was said");
            let line = pipes.receive(limit);
            let line = line.map_err(|error| self.pipe_error(error, time))?;
            if !matches!(read_line(&line), Some(BotLine::Info(_))) {
                return Ok(line);
            }
        }
    }

    fn pipe_error(&mut self, error: PipeError, time: Duration) -> BotError {
        let (kind, text) = match error {
            PipeError::Stopped => {
                self.has_fault = true;
                return BotError::Stopped;
            }
            PipeError::TimedOut => {
                let text = format!("no answer in {} s", time.as_secs_f64());
                (FaultKind::TimedOut, text)
            }
            PipeError::TooLong(line) => {
                let text =
                    format!("{} is longer than {MAX_BOT_LINE_BYTES} bytes", shown_line(&line));
                (FaultKind::Nonsense, text)
            }
            PipeError::Closed => (FaultKind::Crashed, self.end_text()),
            PipeError::Broken(error) => (FaultKind::Crashed, format!("its pipe broke: {error}")),
        };
        self.fault(AgentFault::new(kind, text))
    }

    /// Describes how the bot ended, after its pipe was closed.
    fn end_text(&mut self) -> String {
        if !self.group.wait_until(Instant::now() + EXIT_TIME) {
            return String::from("it closed its input or output");
        }
        match self.group.end() {
            Some(status) => status_text(status),
            None => String::from("it ended"),
        }
    }

    fn fault(&mut self, fault: AgentFault) -> BotError {
        self.has_fault = true;
        fault.into()
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        if !self.has_fault {
            self.quit();
        }
        if let Some(quit_at) = self.quit_at {
            self.group.wait_until(quit_at + END_TIME);
        }
        self.group.end();
    }
}

fn limit_of<'a>(time: Duration, stop: &'a StopFunction<'_>) -> WaitLimit<'a> {
    WaitLimit { deadline: Instant::now() + time, stop }
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

fn status_text(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => String::from("it ended"),
    }
}
