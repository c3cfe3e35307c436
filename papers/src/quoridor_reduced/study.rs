use std::time::Instant;

use crate::bottom_up::{self, BottomUpSolution};
use hindsight_engine::Limits;
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_solve::tiered::TierPlan;

use super::published::PublishedQuoridor;
use crate::step_monitor::{StepFn, StepMonitor};
use hindsight_study::game_of;

/// Game of the study and its solution.
pub(super) struct QuoridorStudy<'a> {
    pub(super) setup: &'a QuoridorSetup,
    pub(super) game: &'a Quoridor,
    pub(super) limits: Limits,
    /// Plan of tiers; `None` if listing the tiers may exceed the limits.
    pub(super) plan: Option<TierPlan>,
    /// Solution from the small sets up; `None` if it was not needed, or a limit was reached.
    pub(super) bottom_up: Option<BottomUpSolution>,
    /// Run time of the solve from the small sets up, in seconds.
    pub(super) bottom_up_seconds: Option<f64>,
    /// Numbers of the paper, if the game is that of the paper.
    pub(super) published: Option<&'a PublishedQuoridor>,
}

impl QuoridorStudy<'_> {
    /// Solves the game from the small sets up.
    pub(super) fn solve_bottom_up(&mut self, on_step: &mut StepFn<'_>) {
        let Some(plan) = &self.plan else {
            return;
        };
        if on_step(&format!("{}, from the small sets up", self.setup.spec())) {
            let begin = Instant::now();
            let mut monitor = StepMonitor::new(on_step);
            self.bottom_up = bottom_up::solve_pawn_pairs(
                &game_of(&self.setup.spec()),
                plan,
                self.limits,
                &mut monitor,
            )
            .ok();
            self.bottom_up_seconds = Some(begin.elapsed().as_secs_f64());
        }
    }
}
