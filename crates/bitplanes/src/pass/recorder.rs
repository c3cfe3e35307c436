//! Recorder of the positions that a pass decides, in the thread that decides them.

use std::sync::MutexGuard;

use crate::decided::new_bits::RowObserver;
use crate::pass::frontier::{Encoding, FrontierWriter, PagedList};
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::mirror::Mirror;
use crate::space::sets::{set_rank, squares};

/// Receivers of the positions that a pass decides.
#[derive(Clone, Copy, Default)]
pub(crate) struct Observers<'a> {
    /// Frontier for the next pass.
    pub(crate) frontier: Option<&'a FrontierWriter>,
    pub(crate) observer: Option<&'a RowObserver<'a>>,
}

impl<'a> Observers<'a> {
    /// Makes a recorder for a row, in the thread that goes over it.
    ///
    /// `other_followers` are those of the side that does not move.
    #[inline(always)]
    pub(crate) fn recorder<const LOSSES: bool>(
        self,
        tables: &'a BoardTables,
        other_followers: u32,
    ) -> Recorder<'a, LOSSES> {
        Recorder {
            tables,
            other_followers,
            mirror: tables
                .mirror
                .as_ref()
                .filter(|mirror| mirror.image(other_followers) != other_followers),
            frontier: self.frontier.map(|writer| (writer.encoding, writer.own())),
        }
    }
}

/// Ranks by which positions of a block are recorded, and those of its mirror image.
#[derive(Clone, Copy)]
pub(crate) struct FrontierSlot {
    /// Ranks of the block.
    own: FollowerRanks,
    /// Ranks of its mirror image.
    image: FollowerRanks,
}

/// Ranks of the followers of a block.
#[derive(Clone, Copy)]
struct FollowerRanks {
    /// Set rank of the mover's followers.
    set: u32,
    /// Rank of the other side's followers beside the mover's.
    block: u32,
}

/// Recorder for one row. `LOSSES` is true if side 1 is to move.
pub(crate) struct Recorder<'a, const LOSSES: bool> {
    tables: &'a BoardTables,
    /// Followers of the side that does not move.
    other_followers: u32,
    /// The mirror, if the row stands for its mirror image as well.
    mirror: Option<&'a Mirror>,
    frontier: Option<(Encoding, MutexGuard<'a, PagedList>)>,
}

impl<const LOSSES: bool> Recorder<'_, LOSSES> {
    /// Returns true if the pass records its frontier.
    #[inline(always)]
    pub(crate) fn is_active(&self) -> bool {
        self.frontier.is_some()
    }

    /// Ranks for the block with these followers of the mover.
    #[inline(always)]
    pub(crate) fn slot<S: Simd>(&self, simd: S, own: u32) -> FrontierSlot {
        let own_ranks = self.ranks(simd, own, self.other_followers);
        let image = match self.mirror {
            Some(mirror) => self.ranks(simd, mirror.image(own), mirror.image(self.other_followers)),
            None => own_ranks,
        };
        FrontierSlot { own: own_ranks, image }
    }

    /// Ranks of the followers of the mover and of the other side.
    #[inline(always)]
    fn ranks<S: Simd>(&self, simd: S, own: u32, other: u32) -> FollowerRanks {
        let beside = self.tables.board() & !own;
        let other = simd.extract(other.into(), beside.into()) as u32;
        FollowerRanks { set: set_rank(own) as u32, block: set_rank(other) as u32 }
    }

    /// Records decided positions of a line, and their mirror images if the row stands for them.
    ///
    /// `bits` are the squares of side 1's leader.
    #[inline(always)]
    pub(crate) fn record_line(&mut self, slot: FrontierSlot, lane: usize, line: usize, bits: u32) {
        self.record_in(slot.own, lane, line, bits);
        if let Some(mirror) = self.mirror {
            let (lane, line) = (mirror.lane_images[lane], mirror.image_square(line));
            self.record_in(slot.image, lane, line, mirror.image(bits));
        }
    }

    /// Records positions of a line of the block with these ranks.
    #[inline(always)]
    fn record_in(&mut self, ranks: FollowerRanks, lane: usize, line: usize, bits: u32) {
        if let Some((encoding, lists)) = &mut self.frontier {
            for bit in squares(bits) {
                let position = encoding.encode(ranks.block as usize, lane, line, bit);
                lists.push(ranks.set as usize, position);
            }
        }
    }
}
