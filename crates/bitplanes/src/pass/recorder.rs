//! Where a pass puts down what it finds.

use std::sync::MutexGuard;

use hindsight_core::Placement;

use crate::pass::frontier::{Chains, Form, Writers};
use crate::simd::token::Cpu;
use crate::space::board_tables::Frame;
use crate::space::mirror::Mirror;
use crate::space::sets::{rank, squares};

/// Called with each position that a pass finds, by several threads at once.
pub(crate) type Found<'a> = dyn Fn(Placement) + Sync + 'a;

/// Who is told what is new.
#[derive(Clone, Copy, Default)]
pub(crate) struct Listeners<'a> {
    /// The list that the next pass goes on from.
    pub(crate) news: Option<&'a Writers>,
    /// Who keeps values.
    pub(crate) found: Option<&'a Found<'a>>,
}

impl<'a> Listeners<'a> {
    /// For a row, in the thread that goes over it.
    #[inline(always)]
    pub(crate) fn notes<const LOSSES: bool>(
        self,
        frame: &'a Frame,
        other: u32,
    ) -> Notes<'a, LOSSES> {
        Notes {
            frame,
            other,
            mirror: frame
                .mirror
                .as_ref()
                .filter(|mirror| mirror.set(other) != other),
            news: self.news.map(|news| (news.form, news.own())),
            found: self.found,
        }
    }
}

/// Where the followers of a block are listed, and their image.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    /// The number of the mover's followers, and of the other side's beside these.
    place: [u32; 2],
    image: [u32; 2],
}

/// What is found in a row.
pub(crate) struct Notes<'a, const LOSSES: bool> {
    frame: &'a Frame,
    /// The followers of the side that does not move.
    other: u32,
    /// If the row stands for its image as well.
    mirror: Option<&'a Mirror>,
    news: Option<(Form, MutexGuard<'a, Chains>)>,
    found: Option<&'a Found<'a>>,
}

impl<const LOSSES: bool> Notes<'_, LOSSES> {
    /// Whether anyone wants to know.
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        self.news.is_some() || self.found.is_some()
    }

    /// Where these followers of the mover are listed.
    #[inline(always)]
    pub(crate) fn spot<C: Cpu>(&self, cpu: C, own: u32) -> Spot {
        let place = self.number(cpu, own, self.other);
        let image = match self.mirror {
            Some(mirror) => self.number(cpu, mirror.set(own), mirror.set(self.other)),
            None => place,
        };
        Spot { place, image }
    }

    /// The numbers of the mover's followers, and of the other side's beside these.
    #[inline(always)]
    fn number<C: Cpu>(&self, cpu: C, own: u32, other: u32) -> [u32; 2] {
        let beside = self.frame.board() & !own;
        let other = cpu.extract(other.into(), beside.into()) as u32;
        [rank(own) as u32, rank(other) as u32]
    }

    /// Takes down the new positions of a word, with these followers of the mover.
    #[inline(always)]
    pub(crate) fn take(&mut self, spot: Spot, own: u32, lane: usize, row: usize, word: u32) {
        self.take_one(spot.place, [own, self.other], lane, row, word);
        if let Some(mirror) = self.mirror {
            let followers = [mirror.set(own), mirror.set(self.other)];
            let (lane, row) = (mirror.lanes[lane], mirror.square(row));
            self.take_one(spot.image, followers, lane, row, mirror.set(word));
        }
    }

    #[inline(always)]
    fn take_one(
        &mut self,
        [set, block]: [u32; 2],
        [own, other]: [u32; 2],
        lane: usize,
        row: usize,
        word: u32,
    ) {
        if let Some((form, to)) = &mut self.news {
            for bit in squares(word) {
                to.push(set as usize, form.position(block as usize, lane, row, bit));
            }
        }
        let Some(found) = self.found else { return };
        for bit in squares(word) {
            found(Placement {
                mover: usize::from(LOSSES),
                followers: if LOSSES { [other, own] } else { [own, other] },
                leaders: [row as u8, bit as u8],
                context: self.frame.contexts[lane],
            });
        }
    }
}
