use hindsight_engine::{Limits, Progress};

use super::entry::all_sets;
use hindsight_study::{BoardSize, StudyPart};

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
    /// Part of the sets of each board to solve; all if `None`.
    pub part: Option<StudyPart>,
}

impl AtlasOptions {
    /// Default boards. All sets of the three took 1,758 s on two cores
    /// (`runs/2026-11-23-xeon-2c/atlas.md`).
    pub const DEFAULT_BOARDS: [BoardSize; 3] =
        [BoardSize::new(2, 4), BoardSize::new(3, 3), BoardSize::new(3, 4)];

    /// Returns the boards to survey, each once.
    #[must_use]
    pub(crate) fn boards_to_survey(&self) -> Vec<BoardSize> {
        let mut boards = Vec::new();
        let named = if self.boards.is_empty() { &Self::DEFAULT_BOARDS[..] } else { &self.boards };
        for &size in named {
            if !boards.contains(&size) {
                boards.push(size);
            }
        }
        boards
    }

    /// Returns the number of sets to solve on each board.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.part.map_or(all_sets(), |part| part.share_of(all_sets()))
    }

    /// Returns true if the set with this number is to be solved.
    pub(super) fn has_set(&self, number: usize) -> bool {
        self.part.is_none_or(|part| part.contains(number as u64))
    }
}

/// Callback that receives the current board and its progress: the sets solved, of those expected
/// to be solved in time. Returns `false` to stop the study.
pub(crate) type BoardProgressFn<'a> = &'a (dyn Fn(BoardSize, Progress) -> bool + Sync);
