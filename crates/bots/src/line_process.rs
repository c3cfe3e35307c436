//! A running program that speaks lines.

use std::ops::Range;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use hindsight_play::{AgentFault, FaultKind};

#[cfg(target_os = "linux")]
use crate::answering_processor::{AnsweringProcessor, SharedProcessor};
use crate::bot_error::BotError;
use crate::pipes::{BotPipes, PipeError, WaitLimit};
use crate::process_group::ProcessGroup;
use crate::shown_line::shown_line;

/// Time for a program to end after `quit`.
const END_TIME: Duration = Duration::from_millis(500);
/// Time between the end of a program's output and that of the program.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// A running program. Dropping it ends its process group: with `quit` and half a second, or at once
/// after a fault.
#[derive(Debug)]
pub(crate) struct LineProcess {
    pipes: Option<BotPipes>,
    group: ProcessGroup,
    #[cfg(target_os = "linux")]
    processor: AnsweringProcessor,
    quit_at: Option<Instant>,
    has_fault: bool,
}

impl LineProcess {
    /// Starts a program, whose lines have at most some bytes.
    pub(crate) fn start(words: &[String], most_line_bytes: usize) -> Result<Self, BotError> {
        let failed = |source| BotError::Start { program: words[0].clone(), source };
        let mut group = ProcessGroup::start(words).map_err(failed)?;
        let (input, output) = group.take_pipes();
        let pipes = BotPipes::new(input, output, most_line_bytes).map_err(failed)?;
        Ok(Self {
            pipes: Some(pipes),
            #[cfg(target_os = "linux")]
            processor: AnsweringProcessor::new(group.leader()),
            group,
            quit_at: None,
            has_fault: false,
        })
    }

    /// Says `quit` and closes the input. The program then has half a second to end, in which others
    /// can be told the same.
    pub(crate) fn quit(&mut self) {
        if let Some(mut pipes) = self.pipes.take() {
            let _ = pipes.send(b"quit\n", WaitLimit::new(Duration::ZERO, &|| false));
            self.quit_at = Some(Instant::now());
        }
    }

    /// Lets the calling thread and the program share a processor until the result is dropped, where
    /// that is known to be faster.
    #[cfg(target_os = "linux")]
    pub(crate) fn share_processor(&mut self) -> Option<SharedProcessor> {
        self.processor.share()
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn share_processor(&mut self) -> Option<()> {
        None
    }

    /// Returns true if the program has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.group.has_ended()
    }

    /// Sends text.
    pub(crate) fn send(&mut self, text: &[u8], limit: WaitLimit<'_>) -> Result<(), BotError> {
        let pipes = self.pipes.as_mut().expect("no quit was said");
        match pipes.send(text, limit) {
            // The output of a program that has ended may tell more.
            Ok(()) | Err(PipeError::Closed) => Ok(()),
            Err(error) => Err(self.pipe_error(error, limit.time)),
        }
    }

    /// Receives the next line that does not begin with the word `info`.
    pub(crate) fn receive(&mut self, limit: WaitLimit<'_>) -> Result<&[u8], BotError> {
        loop {
            let pipes = self.pipes.as_mut().expect("no quit was said");
            let line = pipes.receive(limit);
            let line = line.map_err(|error| self.pipe_error(error, limit.time))?;
            if !is_info(self.line(line.clone())) {
                return Ok(self.line(line));
            }
        }
    }

    /// Returns the next line that is there already and does not begin with `info`.
    pub(crate) fn stray_line(&mut self) -> Option<&[u8]> {
        let pipes = self.pipes.as_mut()?;
        let line = loop {
            let line = pipes.receive_at_once()?;
            if !is_info(pipes.line(line.clone())) {
                break line;
            }
        };
        Some(self.line(line))
    }

    fn line(&self, place: Range<usize>) -> &[u8] {
        self.pipes.as_ref().map_or(&[], |pipes| pipes.line(place))
    }

    /// Returns the error of a fault, after which the program is not to be asked again.
    pub(crate) fn fault(&mut self, fault: AgentFault) -> BotError {
        self.has_fault = true;
        fault.into()
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
            PipeError::TooLong { begin, most } => {
                let text = format!("{} is longer than {most} bytes", shown_line(&begin));
                (FaultKind::Nonsense, text)
            }
            PipeError::Closed => (FaultKind::Crashed, self.end_text()),
            PipeError::Broken(error) => (FaultKind::Crashed, format!("its pipe broke: {error}")),
        };
        self.fault(AgentFault::new(kind, text))
    }

    /// Describes how the program ended, after its pipe was closed.
    fn end_text(&mut self) -> String {
        if !self.group.wait_until(Instant::now() + EXIT_TIME) {
            return String::from("it closed its input or output");
        }
        match self.group.end() {
            Some(status) => status_text(status),
            None => String::from("it ended"),
        }
    }
}

impl Drop for LineProcess {
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

/// Returns true for a line to be ignored.
fn is_info(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(b"info");
    rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

fn status_text(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => String::from("it ended"),
    }
}
