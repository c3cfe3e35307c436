//! Where a pass puts down what it finds.

use std::sync::MutexGuard;

use game::Arranged;

use super::cpu::Cpu;
use super::news::{Chains, Form, Writers};
use super::shape::{Frame, rank, squares};

/// Called with each position that a pass finds, by several threads at once.
pub(super) type Found<'a> = dyn Fn(Arranged) + Sync + 'a;

/// Who is told what is new.
#[derive(Clone, Copy, Default)]
pub(super) struct Listeners<'a> {
    /// The list that the next pass goes on from.
    pub(super) news: Option<&'a Writers>,
    /// Who keeps values.
    pub(super) found: Option<&'a Found<'a>>,
}

impl<'a> Listeners<'a> {
    /// For a row, in the thread that goes over it.
    #[inline(always)]
    pub(super) fn notes<const LOSSES: bool>(
        self,
        frame: &'a Frame,
        other: u32,
    ) -> Notes<'a, LOSSES> {
        Notes {
            frame,
            other,
            news: self.news.map(|news| (news.form, news.own())),
            found: self.found,
        }
    }
}

/// What is found in a row.
pub(super) struct Notes<'a, const LOSSES: bool> {
    frame: &'a Frame,
    /// The followers of the side that does not move.
    other: u32,
    news: Option<(Form, MutexGuard<'a, Chains>)>,
    found: Option<&'a Found<'a>>,
}

impl<const LOSSES: bool> Notes<'_, LOSSES> {
    /// Whether anyone wants to know.
    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        self.news.is_some() || self.found.is_some()
    }

    /// The numbers of these followers of the mover and of the other side's beside them.
    #[inline(always)]
    pub(super) fn place<C: Cpu>(&self, own: u32) -> (usize, usize) {
        let beside = self.frame.board() & !own;
        let other = C::extract(self.other.into(), beside.into()) as u32;
        (rank(own), rank(other))
    }

    /// Takes down the new positions of a word, with these followers of the mover; `place`: their number, and
    /// that of the other side's beside them.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        place: (usize, usize),
        own: u32,
        lane: usize,
        row: usize,
        word: u32,
    ) {
        let (frame, other, (set, block)) = (self.frame, self.other, place);
        if let Some((form, to)) = &mut self.news {
            for bit in squares(word) {
                to.push(set, form.position(block, lane, row, bit));
            }
        }
        let Some(found) = self.found else { return };
        for bit in squares(word) {
            found(Arranged {
                mover: usize::from(LOSSES),
                followers: if LOSSES { [other, own] } else { [own, other] },
                leaders: [row as u8, bit as u8],
                context: frame.contexts[lane],
            });
        }
    }
}
