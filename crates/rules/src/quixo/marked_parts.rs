//! Lists of the ways to mark a part of the board.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::board_parts::{BoardPart, SYMMETRIES};

/// Ways to mark the anchor up to symmetry, in lists of the same orbit size and numbers of marks.
///
/// Of each orbit, one way is listed.
#[derive(Clone, Debug)]
pub(super) struct AnchorWays {
    /// By [`BoardPart::index`].
    places: Vec<AnchorPlace>,
    /// Lists of larger orbits come first.
    pub(super) lists: Vec<AnchorList>,
}

/// Ways to mark the anchor, no two of them equal by symmetry.
#[derive(Clone, Debug)]
pub(super) struct AnchorList {
    pub(super) orbit_size: u8,
    /// Numbers of own and of other marks.
    pub(super) marks: [u32; 2],
    /// Own and other marks of each way.
    pub(super) ways: Vec<[u16; 2]>,
}

/// Place of a way to mark the anchor: that of the listed way of its orbit.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct AnchorPlace {
    pub(super) list: u16,
    /// A symmetry that leads to the listed way.
    pub(super) symmetry: u8,
    /// Number in the list.
    pub(super) number: u32,
}

/// Ways to mark the squares beside the anchor, in lists of the same numbers of marks.
#[derive(Clone, Debug)]
pub(super) struct RestWays {
    squares: u32,
    /// Number of each way in its list, by [`BoardPart::index`].
    numbers: Vec<u32>,
    /// `[own, other]` marks of the ways. Index: `own marks * (squares + 1) + other marks`.
    lists: Vec<Vec<[u16; 2]>>,
}

fn counts(way: [u16; 2]) -> [u32; 2] {
    way.map(u16::count_ones)
}

impl AnchorWays {
    pub(super) fn new(part: &BoardPart) -> Self {
        let mut lists: BTreeMap<_, Vec<[u16; 2]>> = BTreeMap::new();
        for way in part.every_way() {
            let index = part.index(0, way);
            let images = || (0..SYMMETRIES).map(|symmetry| part.index(symmetry, way));
            if images().all(|image| index <= image) {
                let orbit_size =
                    SYMMETRIES / images().filter(|&image| image == index).count() as u8;
                let key = (Reverse(orbit_size), counts(way));
                lists.entry(key).or_default().push(way);
            }
        }
        let lists = lists.into_iter().map(|((orbit_size, marks), ways)| AnchorList {
            orbit_size: orbit_size.0,
            marks,
            ways,
        });
        let lists: Vec<AnchorList> = lists.collect();
        let mut places = vec![AnchorPlace::default(); part.ways()];
        for (list, ways) in (0..).zip(&lists) {
            for (number, &way) in (0..).zip(&ways.ways) {
                for symmetry in 0..SYMMETRIES {
                    places[part.index(symmetry, way)] =
                        AnchorPlace { list, symmetry: inverse(symmetry), number };
                }
            }
        }
        Self { places, lists }
    }

    pub(super) fn bytes(&self) -> usize {
        let ways = self.lists.iter().map(|list| list.ways.capacity() * size_of::<[u16; 2]>());
        size_of_val(&*self.places) + ways.sum::<usize>()
    }

    #[inline]
    pub(super) fn place(&self, index: usize) -> AnchorPlace {
        self.places[index]
    }
}

/// The symmetry of [`hindsight_core::Grid::image`] that leads back.
fn inverse(symmetry: u8) -> u8 {
    match symmetry {
        // A quarter turn: one mirror before the exchange of rows and columns is the other after it.
        5 => 6,
        6 => 5,
        _ => symmetry,
    }
}

impl RestWays {
    pub(super) fn new(part: &BoardPart) -> Self {
        let squares = part.squares;
        let mut ways = Self {
            squares,
            numbers: vec![0; part.ways()],
            lists: vec![Vec::new(); (squares as usize + 1).pow(2)],
        };
        for way in part.every_way() {
            let list = ways.class(counts(way)).expect("marks of the part");
            ways.numbers[part.index(0, way)] = ways.lists[list].len() as u32;
            ways.lists[list].push(way);
        }
        ways
    }

    pub(super) fn bytes(&self) -> usize {
        let ways = self.lists.iter().map(|list| list.capacity() * size_of::<[u16; 2]>());
        size_of_val(&*self.numbers) + ways.sum::<usize>()
    }

    /// Index of the list of the ways with `[own, other]` marks.
    fn class(&self, [own, other]: [u32; 2]) -> Option<usize> {
        let is_possible = own + other <= self.squares;
        is_possible.then(|| (own * (self.squares + 1) + other) as usize)
    }

    /// The ways with `[own, other]` marks.
    #[inline]
    pub(super) fn list(&self, marks: [u32; 2]) -> &[[u16; 2]] {
        self.class(marks).map_or(&[], |list| &self.lists[list])
    }

    /// Number of a way in its list.
    #[inline]
    pub(super) fn number(&self, index: usize) -> u32 {
        self.numbers[index]
    }
}
