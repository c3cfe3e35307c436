use hindsight_solve::{Limits, Progress};

use crate::board_size::BoardSize;

/// Options of the atlas.
#[derive(Clone, Debug)]
pub struct AtlasOptions {
    /// Boards to survey; [`AtlasOptions::DEFAULT_BOARDS`] if empty.
    pub boards: Vec<BoardSize>,
    /// Seed of the order of the sets.
    pub seed: u64,
    /// Memory for all sets that are solved at the same time, and time per board. After that time no
    /// further set of the board is started; each worker solves at least one set.
    pub limits: Limits,
}

impl AtlasOptions {
    /// Default boards. All sets of the three took 1,758 s on two cores
    /// (`runs/2026-11-23-xeon-2c/atlas.md`).
    pub const DEFAULT_BOARDS: [BoardSize; 3] = [
        BoardSize::new(2, 4),
        BoardSize::new(3, 3),
        BoardSize::new(3, 4),
    ];
}

/// Callback that receives the current board and its progress: the sets solved, of those expected
/// to be solved in time. Returns `false` to stop the study.
pub type BoardProgressFn<'a> = &'a (dyn Fn(BoardSize, Progress) -> bool + Sync);
