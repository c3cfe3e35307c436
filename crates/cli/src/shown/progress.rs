//! Progress of long work on standard error.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use hindsight_games::{Monitor, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::output::{message_lines, print_message};
use crate::process::signals::{StopListener, stopped};

/// Display of progress: a bar on a terminal, else a line every ten seconds.
/// Work of less than a second shows nothing. While a display lives, a signal asks the work to stop.
pub struct ProgressDisplay {
    begin: Instant,
    last_shown: Option<Instant>,
    bar: Option<ProgressBar>,
    quiet: bool,
    phase: Option<Phase>,
    /// Plural noun for the things that are counted.
    unit: &'static str,
    /// Series whose progress was reported last.
    series: String,
    /// True if the work saves something once it has reported for the first time.
    saves_later: bool,
    listener: StopListener,
}

impl ProgressDisplay {
    pub fn new(quiet: bool) -> Self {
        Self::with_unit("positions", quiet)
    }

    pub fn with_unit(unit: &'static str, quiet: bool) -> Self {
        Self {
            begin: Instant::now(),
            last_shown: None,
            bar: None,
            quiet,
            phase: None,
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
    pub fn report_series(&mut self, series: &str, progress: Progress) -> bool {
        if self.series != series {
            self.series = series.into();
            self.phase = None;
            self.note(series);
        }
        self.report(progress)
    }

    fn show_bar(&mut self, progress: Progress) {
        let unit = self.unit;
        let template = match progress.total {
            Some(_) => {
                format!(
                    "{{prefix:>10}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {unit}{{msg}}"
                )
            }
            None => format!("{{prefix:>10}} {{spinner}} {{human_pos}} {unit}{{msg}}"),
        };
        let text = match (self.time_left(progress), self.rate(progress)) {
            (Some(left), _) => time_left_text(left),
            (None, Some(rate)) if progress.total.is_none() => {
                let seconds = self.begin.elapsed().as_secs();
                format!(" after {seconds} s, {} a second", HumanCount(rate as u64))
            }
            _ => String::new(),
        };
        let bar = self.bar.get_or_insert_with(ProgressBar::no_length);
        bar.set_style(ProgressStyle::with_template(&template).expect("a valid template"));
        bar.set_prefix(progress.phase);
        bar.set_message(text);
        if let Some(total) = progress.total {
            bar.set_length(total);
        }
        bar.set_position(progress.done);
    }

    /// Returns progress as one line.
    pub(crate) fn line(&self, progress: Progress) -> String {
        let total =
            progress.total.map_or(String::new(), |total| format!(" of {}", HumanCount(total)));
        let left = self.time_left(progress).map_or(String::new(), time_left_text);
        let seconds = self.begin.elapsed().as_secs();
        format!(
            "{}: {}{total} {} after {seconds} s{left}",
            progress.phase,
            HumanCount(progress.done),
            self.unit
        )
    }

    /// Notes when a phase begins, or begins again, by which its rate is known.
    fn note_phase(&mut self, progress: Progress) {
        let (name, done) = (progress.phase, progress.done);
        match &mut self.phase {
            Some(phase) if phase.name == name && phase.last <= done => phase.last = done,
            _ => {
                self.phase = Some(Phase { name, begin: Instant::now(), first: done, last: done });
            }
        }
    }

    /// Returns what the phase has done in a second; `None` in its first moments.
    fn rate(&self, progress: Progress) -> Option<f64> {
        let phase = self.phase.as_ref()?;
        let elapsed = phase.begin.elapsed();
        let done = progress.done.saturating_sub(phase.first);
        (elapsed >= LEAST_MEASURED && done > 0).then(|| done as f64 / elapsed.as_secs_f64())
    }

    /// Returns the time that the work takes at this rate; `None` if its end or its rate is not
    /// known.
    fn time_left(&self, progress: Progress) -> Option<Duration> {
        let left = progress.total?.saturating_sub(progress.done);
        Duration::try_from_secs_f64(left as f64 / self.rate(progress)?).ok()
    }
}

/// Phase of the work that is displayed.
struct Phase {
    name: &'static str,
    begin: Instant,
    /// Work that was done when it began.
    first: u64,
    /// Work that was done at the last report.
    last: u64,
}

/// Least time by which a rate is known.
const LEAST_MEASURED: Duration = Duration::from_secs(1);

/// Returns the time that is left, at least a second.
fn time_left_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil().max(1.0);
    format!(", {} left", HumanDuration(Duration::from_secs_f64(seconds)))
}

impl Monitor for ProgressDisplay {
    fn report(&mut self, progress: Progress) -> bool {
        if std::mem::take(&mut self.saves_later) {
            self.listener.save_something();
        }
        self.note_phase(progress);
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
    use std::time::Instant;

    use super::{Duration, Progress, ProgressDisplay, time_left_text};

    #[test]
    fn at_least_a_second_is_left() {
        let texts = [Duration::ZERO, Duration::from_millis(1200), Duration::from_secs(90)];
        let texts = texts.map(time_left_text);
        assert_eq!(texts, [", 1 second left", ", 2 seconds left", ", 2 minutes left"]);
    }

    #[test]
    fn no_time_is_shown_before_it_is_known() {
        let mut display = ProgressDisplay::new(true);
        let at = |done| Progress { phase: "solving", done, total: Some(100) };
        display.note_phase(at(20));
        assert_eq!(display.time_left(at(50)), None);
        let Some(phase) = &mut display.phase else { panic!("a phase has begun") };
        phase.begin = Instant::now() - Duration::from_secs(10);
        assert_eq!(display.time_left(at(20)), None);
        // Thirty in ten seconds, and fifty to go.
        let left = display.time_left(at(50)).expect("a rate");
        assert_eq!(left.as_secs_f64().round(), 17.0);
        assert!(display.line(at(50)).ends_with(" s, 17 seconds left"));
        display.note_phase(at(50));
        display.note_phase(at(5));
        assert_eq!(display.time_left(at(50)), None, "a phase that begins again");
        display.note_phase(Progress { phase: "writing", ..at(0) });
        assert_eq!(display.time_left(Progress { phase: "writing", ..at(50) }), None);
    }
}
