//! Progress of long work on standard error.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use hindsight_games::{Monitor, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::output::{message_lines, print_message};
use crate::signals::{StopListener, stopped};

/// Display of progress: a bar on a terminal, else a line every ten seconds.
/// Work of less than a second shows nothing. While a display lives, a signal asks the work to stop.
pub(crate) struct ProgressDisplay {
    begin: Instant,
    last_shown: Option<Instant>,
    bar: Option<ProgressBar>,
    quiet: bool,
    phase: &'static str,
    /// Plural noun for the things that are counted.
    unit: &'static str,
    /// Series whose progress was reported last.
    series: String,
    /// True if the work saves something once it has reported for the first time.
    saves_later: bool,
    listener: StopListener,
}

impl ProgressDisplay {
    pub(crate) fn new(quiet: bool) -> Self {
        Self::with_unit("positions", quiet)
    }

    pub(crate) fn with_unit(unit: &'static str, quiet: bool) -> Self {
        Self {
            begin: Instant::now(),
            last_shown: None,
            bar: None,
            quiet,
            phase: "",
            unit,
            series: String::new(),
            saves_later: false,
            listener: StopListener::new(),
        }
    }

    /// Returns the display of work that saves and tells nothing when it is stopped.
    pub(crate) fn saving_nothing(mut self) -> Self {
        self.listener.save_nothing();
        self
    }

    /// Returns the display of work that saves something when it is stopped, but not before its
    /// first report: until then it reads what an earlier run has saved, or lays out memory.
    pub(crate) fn saving_later(self) -> Self {
        let mut display = self.saving_nothing();
        display.saves_later = true;
        display
    }

    /// Prints a line, above the bar if there is one.
    pub(crate) fn note(&self, text: &str) {
        match &self.bar {
            _ if self.quiet => {}
            Some(bar) => bar.println(message_lines(text)),
            None => print_message(text),
        }
    }

    /// As [`Monitor::report`], for one of several series. Prints the name of a new series first.
    pub(crate) fn report_series(&mut self, series: &str, progress: Progress) -> bool {
        if self.series != series {
            self.series = series.into();
            self.note(series);
        }
        self.report(progress)
    }

    fn show_bar(&mut self, progress: Progress) {
        let bar = self.bar.get_or_insert_with(ProgressBar::no_length);
        if self.phase != progress.phase {
            self.phase = progress.phase;
            let unit = self.unit;
            let template = match progress.total {
                Some(_) => format!(
                    "{{msg:>10}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {unit}{{left}}"
                ),
                None => {
                    format!(
                        "{{msg:>10}} {{spinner}} {{human_pos}} {unit}, {{elapsed}}, {{per_sec}}"
                    )
                }
            };
            let style = ProgressStyle::with_template(&template).expect("a valid template");
            bar.set_style(style.with_key(
                "left",
                |state: &ProgressState, text: &mut dyn fmt::Write| {
                    let _ = text.write_str(&time_left_text(state.eta()));
                },
            ));
            bar.set_message(progress.phase);
            bar.reset_eta();
        }
        if let Some(total) = progress.total {
            bar.set_length(total);
        }
        bar.set_position(progress.done);
    }

    /// Returns progress as one line.
    pub(crate) fn line(&self, progress: Progress) -> String {
        let total =
            progress.total.map_or(String::new(), |total| format!(" of {}", HumanCount(total)));
        let seconds = self.begin.elapsed().as_secs();
        format!(
            "{}: {}{total} {} after {seconds} s",
            progress.phase,
            HumanCount(progress.done),
            self.unit
        )
    }
}

/// Returns the text of the time that is left; none before an estimate is known, which is then zero.
fn time_left_text(time: Duration) -> String {
    match time.is_zero() {
        true => String::new(),
        false => format!(", {} left", HumanDuration(time)),
    }
}

impl Monitor for ProgressDisplay {
    fn report(&mut self, progress: Progress) -> bool {
        if std::mem::take(&mut self.saves_later) {
            self.listener.save_something();
        }
        let terminal = stderr().is_terminal();
        let interval = match (self.last_shown, terminal) {
            (None, _) => Duration::from_secs(1),
            (_, true) => Duration::from_millis(100),
            (_, false) => Duration::from_secs(10),
        };
        if !self.quiet && self.last_shown.unwrap_or(self.begin).elapsed() >= interval {
            self.last_shown = Some(Instant::now());
            if terminal {
                self.show_bar(progress);
            } else {
                print_message(&self.line(progress));
            }
        }
        !stopped()
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, time_left_text};

    #[test]
    fn no_time_is_shown_before_it_is_known() {
        assert_eq!(time_left_text(Duration::ZERO), "");
        assert_eq!(time_left_text(Duration::from_secs(90)), ", 90 seconds left");
    }
}
