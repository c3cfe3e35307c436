use std::collections::HashMap;

use hindsight_core::Symmetry;
use hindsight_rules::ostle::{Ostle, OstleSetup, Rule8};
use hindsight_solve::forbidden_move::{self, ForbiddenMoveSolution};
use hindsight_testkit::golden;

use super::options::OstlePaperOptions;
use crate::step_monitor::{StepFn, StepMonitor};
use hindsight_study::game_of;

/// Readings of rule 8, with the names of their columns.
pub(super) const READINGS: [(Rule8, &str); 2] = [(Rule8::Paper, "paper"), (Rule8::Exact, "exact")];

/// State of a running study.
pub(super) struct OstleStudy<'a> {
    pub(super) options: &'a OstlePaperOptions,
    /// True if the game is that of the paper, so that cells have published numbers.
    pub(super) is_paper_game: bool,
    /// Solution by each reading of [`READINGS`]; `None` before the first try. The inner `None`
    /// stands for a solve that reached a limit or was stopped.
    pub(super) solved: Option<[Option<ForbiddenMoveSolution>; 2]>,
}

impl OstleStudy<'_> {
    pub(super) fn game(&self, rule8: Rule8) -> Ostle {
        let setup = OstleSetup { rule8, ..self.options.setup };
        Ostle::new(setup, Symmetry::None)
    }

    /// Returns the last column of a golden file by the other columns, joined with spaces. Empty if
    /// the game is not that of the paper.
    pub(super) fn golden(&self, text: &str) -> HashMap<String, String> {
        if !self.is_paper_game {
            return HashMap::new();
        }
        let rows = golden(text).expect("the golden file is in the program");
        let row = |mut row: Vec<&str>| {
            let last = row.pop().unwrap_or_default().to_string();
            (row.join(" "), last)
        };
        rows.into_iter().map(row).collect()
    }

    /// Returns the solution by each reading. Solves both at the first call.
    pub(super) fn solved(
        &mut self,
        on_step: &mut StepFn<'_>,
    ) -> &[Option<ForbiddenMoveSolution>; 2] {
        if self.solved.is_none() {
            self.solved = Some(READINGS.map(|(rule8, _)| {
                let mut solved = self.options.solved.iter();
                if let Some(reading) = solved.find(|reading| reading.rule8 == rule8) {
                    return Some(reading.solution.clone());
                }
                let game = self.game(rule8);
                let limits = self.options.limits;
                let spec = game.setup().spec();
                let go_on = on_step(&format!("{spec}, every state"));
                let mut monitor = StepMonitor::new(on_step);
                let solve =
                    || forbidden_move::solve(&game_of(&spec), limits, &mut monitor, &mut |_| ());
                go_on.then(solve).and_then(Result::ok)
            }));
        }
        self.solved.as_ref().expect("set above")
    }
}
