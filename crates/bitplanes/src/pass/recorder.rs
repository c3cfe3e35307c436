//! Where a pass puts down what it finds.

use std::sync::MutexGuard;

use hindsight_core::Placement;

use crate::pass::frontier::{Encoding, FrontierWriter, PagedList};
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::mirror::Mirror;
use crate::space::sets::{set_rank, squares};

/// Called with each position that a pass finds, by several threads at once.
pub(crate) type PositionObserver<'a> = dyn Fn(Placement) + Sync + 'a;

/// Who is told what is new.
#[derive(Clone, Copy, Default)]
pub(crate) struct Observers<'a> {
    /// The list that the next pass goes on from.
    pub(crate) frontier: Option<&'a FrontierWriter>,
    /// Who keeps values.
    pub(crate) observer: Option<&'a PositionObserver<'a>>,
}

impl<'a> Observers<'a> {
    /// For a row, in the thread that goes over it.
    #[inline(always)]
    pub(crate) fn recorder<const LOSSES: bool>(
        self,
        tables: &'a BoardTables,
        other: u32,
    ) -> Recorder<'a, LOSSES> {
        Recorder {
            tables,
            other_followers: other,
            mirror: tables
                .mirror
                .as_ref()
                .filter(|mirror| mirror.image(other) != other),
            frontier: self.frontier.map(|news| (news.encoding, news.own())),
            observer: self.observer,
        }
    }
}

/// Where the followers of a block are listed, and their image.
#[derive(Clone, Copy)]
pub(crate) struct FrontierSlot {
    /// The number of the mover's followers, and of the other side's beside these.
    own: [u32; 2],
    image: [u32; 2],
}

/// What is found in a row.
pub(crate) struct Recorder<'a, const LOSSES: bool> {
    tables: &'a BoardTables,
    /// The followers of the side that does not move.
    other_followers: u32,
    /// If the row stands for its image as well.
    mirror: Option<&'a Mirror>,
    frontier: Option<(Encoding, MutexGuard<'a, PagedList>)>,
    observer: Option<&'a PositionObserver<'a>>,
}

impl<const LOSSES: bool> Recorder<'_, LOSSES> {
    /// Whether anyone wants to know.
    #[inline(always)]
    pub(crate) fn is_active(&self) -> bool {
        self.frontier.is_some() || self.observer.is_some()
    }

    /// Where these followers of the mover are listed.
    #[inline(always)]
    pub(crate) fn slot<S: Simd>(&self, simd: S, own: u32) -> FrontierSlot {
        let place = self.ranks(simd, own, self.other_followers);
        let image = match self.mirror {
            Some(mirror) => self.ranks(simd, mirror.image(own), mirror.image(self.other_followers)),
            None => place,
        };
        FrontierSlot { own: place, image }
    }

    /// The numbers of the mover's followers, and of the other side's beside these.
    #[inline(always)]
    fn ranks<S: Simd>(&self, simd: S, own: u32, other: u32) -> [u32; 2] {
        let beside = self.tables.board() & !own;
        let other = simd.extract(other.into(), beside.into()) as u32;
        [set_rank(own) as u32, set_rank(other) as u32]
    }

    /// Takes down the new positions of a word, with these followers of the mover.
    #[inline(always)]
    pub(crate) fn record_line(
        &mut self,
        spot: FrontierSlot,
        own: u32,
        lane: usize,
        row: usize,
        word: u32,
    ) {
        self.record_in(spot.own, [own, self.other_followers], lane, row, word);
        if let Some(mirror) = self.mirror {
            let followers = [mirror.image(own), mirror.image(self.other_followers)];
            let (lane, row) = (mirror.lane_images[lane], mirror.image_square(row));
            self.record_in(spot.image, followers, lane, row, mirror.image(word));
        }
    }

    #[inline(always)]
    fn record_in(
        &mut self,
        [set, block]: [u32; 2],
        [own, other]: [u32; 2],
        lane: usize,
        row: usize,
        word: u32,
    ) {
        if let Some((form, to)) = &mut self.frontier {
            for bit in squares(word) {
                to.push(set as usize, form.encode(block as usize, lane, row, bit));
            }
        }
        let Some(found) = self.observer else { return };
        for bit in squares(word) {
            found(Placement {
                mover: usize::from(LOSSES),
                followers: if LOSSES { [other, own] } else { [own, other] },
                leaders: [row as u8, bit as u8],
                context: self.tables.contexts[lane],
            });
        }
    }
}
