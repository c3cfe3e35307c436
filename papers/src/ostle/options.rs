use hindsight_core::Value;
use hindsight_engine::Limits;
use hindsight_rules::ostle::{OstlePosition, OstleSetup, Rule8};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;

use super::table::OstlePaperTable;

/// Options of the study of Ostle.
#[derive(Debug)]
pub struct OstlePaperOptions {
    /// Board and pieces. Both readings of rule 8 are solved, whichever the setup has.
    pub setup: OstleSetup,
    /// Tables to compute; all if empty.
    pub tables: Vec<OstlePaperTable>,
    /// Solutions by readings of rule 8, taken instead of a solve.
    pub solved: Vec<SolvedReading>,
    /// Number of states at each distance from the start, from 0 plies, by the exact reading of rule
    /// 8; `None` to search for it.
    pub distances: Option<Vec<u64>>,
    /// Limits of each solve.
    pub limits: Limits,
}

/// Solution of the game by one reading of rule 8.
#[derive(Debug)]
pub struct SolvedReading {
    /// Reading of rule 8.
    pub rule8: Rule8,
    /// Numbers of positions and states by value.
    pub solution: ForbiddenMoveSolution,
    /// Value of each state.
    pub values: OstleStateValues,
}

/// Function that returns the value of a state, or `None` if it is not known.
pub struct OstleStateValues(pub Box<dyn Fn(OstlePosition) -> Option<Value>>);

impl std::fmt::Debug for OstleStateValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Values")
    }
}
