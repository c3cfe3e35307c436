//! Analysis on a terminal, redrawn as it improves.

use std::io::{IsTerminal, stdout};
use std::time::{Duration, Instant};

use anyhow::Result;
use console::Term;
use hindsight_answers::AnalysisAnswer;
use hindsight_answers::report::wrap;
use hindsight_games::{AnalysisWatcher, AnyAnalysis, Monitor, Progress, SolverError};

use super::Subject;
use super::report::text_below_diagram;
use crate::context::Context;
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;

/// Time between two drawings while nothing new is known.
const REDRAW_INTERVAL: Duration = Duration::from_millis(500);

/// Watcher of an analysis. On a terminal the moves are drawn again whenever more is known, and the
/// progress from time to time.
pub(crate) struct LiveAnalysis<'a> {
    subject: &'a Subject,
    display: ProgressDisplay,
    /// Terminal of the answer, if it is one.
    terminal: Option<Term>,
    /// Text of the moves, as far as they are known.
    moves: String,
    /// Lines on the terminal that are drawn again.
    lines: usize,
    drawn_at: Instant,
    /// True if the moves are not to be drawn.
    pub(super) is_hidden: bool,
    /// True if nothing but the value of the position is wanted.
    pub(crate) wants_value: bool,
    /// True if the result of every move is wanted first.
    pub(super) wants_every_move: bool,
}

impl<'a> LiveAnalysis<'a> {
    pub(crate) fn new(subject: &'a Subject, context: &Context) -> Self {
        let is_drawn = stdout().is_terminal() && !context.json && !context.quiet;
        Self {
            subject,
            display: ProgressDisplay::new(context.quiet || is_drawn),
            terminal: is_drawn.then(Term::stdout),
            moves: String::new(),
            lines: 0,
            drawn_at: Instant::now(),
            is_hidden: false,
            wants_value: false,
            wants_every_move: false,
        }
    }

    /// Returns a watcher that draws nothing.
    pub(crate) fn hidden(subject: &'a Subject, context: &Context) -> Self {
        Self {
            subject,
            display: ProgressDisplay::new(context.quiet),
            terminal: None,
            moves: String::new(),
            lines: 0,
            drawn_at: Instant::now(),
            is_hidden: true,
            wants_value: false,
            wants_every_move: false,
        }
    }

    /// Removes what was drawn.
    pub(crate) fn clear(&mut self) {
        if let Some(terminal) = &self.terminal {
            // Ignored: a terminal that cannot be cleared shows old lines above the answer.
            let _ = terminal.clear_last_lines(self.lines);
        }
        self.lines = 0;
    }

    /// Returns the error of a signal, if one has ended the analysis.
    pub(crate) fn stopped(&self) -> Result<()> {
        if stopped() { Err(SolverError::Stopped.into()) } else { Ok(()) }
    }

    fn is_drawn(&self) -> bool {
        self.terminal.is_some() && !self.is_hidden
    }

    /// Draws the moves and a line of progress, as far as the terminal has lines for them.
    fn draw(&mut self, progress: &str) {
        let Some(terminal) = self.terminal.clone() else {
            return;
        };
        self.clear();
        let (height, width) = terminal.size();
        let text = wrap(&self.moves, usize::from(width));
        let room = usize::from(height).saturating_sub(2);
        for line in text.lines().take(room).chain([progress]) {
            // Ignored: the final answer reports a terminal that is gone.
            let _ = terminal.write_line(line);
            self.lines += 1;
        }
        self.drawn_at = Instant::now();
    }
}

impl AnalysisWatcher for LiveAnalysis<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        if self.is_drawn() && self.drawn_at.elapsed() > REDRAW_INTERVAL {
            let line = self.display.line(progress);
            self.draw(&line);
        }
        self.display.report(progress)
    }

    fn improved(&mut self, analysis: &AnyAnalysis) {
        if !self.is_drawn() {
            return;
        }
        let answer = AnalysisAnswer::new(&self.subject.game, analysis);
        let text = answer.and_then(|answer| text_below_diagram(&answer, self.subject));
        // Ignored: the final answer reports what is wrong.
        self.moves = text.unwrap_or_default();
        self.draw("");
    }

    fn wants_every_move(&self) -> bool {
        self.wants_every_move
    }

    fn is_enough(&self, analysis: &AnyAnalysis) -> bool {
        self.wants_value && analysis.is_exact()
    }
}
