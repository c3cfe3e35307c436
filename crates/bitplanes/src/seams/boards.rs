//! Boards on which the seams of the crate are tested.

use hindsight_rules::{Setup, by_name};

use crate::space::board_tables::BoardTables;
use crate::space::plan::BitplanePlan;

/// Specs with odd and even widths, with and without a mirror, with one context and many.
const SPECS: [&str; 5] = [
    "onitama:3x4:boar,ox,elephant,horse,crab",
    "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
    "onitama:3x3:boar",
    "onitama:4x4:boar:students=2",
    "onitama:5x5:boar,ox,elephant,horse,crab:students=1",
];

/// A board with the plan of its game.
pub(crate) struct TestBoard {
    pub(crate) spec: &'static str,
    pub(crate) plan: BitplanePlan,
}

pub(crate) fn test_boards() -> impl Iterator<Item = TestBoard> {
    SPECS.into_iter().map(|spec| TestBoard {
        spec,
        plan: BitplanePlan::new(&by_name(spec, &Setup::default()).expect("a game")),
    })
}

impl TestBoard {
    /// Rules of the board, tabulated.
    pub(crate) fn tables(&self) -> &BoardTables {
        &self.plan.tables
    }
}

/// Bits that look random, from a seed: SplitMix64.
///
/// # Source
/// G. L. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014.
pub(crate) fn random_bits(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}
