//! Numbers of the ways to mark half a board.

use alloc::vec;
use alloc::vec::Vec;

/// Ways to mark some squares, listed by their numbers of own and other marks.
#[derive(Clone, Debug)]
pub(super) struct HalfBoards {
    squares: u32,
    /// `ternary[set]` is the sum of `3^s` over the squares `s` of the set.
    ternary: Vec<u32>,
    /// Class and place in its list of each way. Index: `ternary[own] + 2 * ternary[other]`.
    places: Vec<HalfPlace>,
    /// `[own, other]` of the ways of each class, ascending by their index in `places`.
    lists: Vec<Vec<[u16; 2]>>,
}

/// Place of a way to mark half a board.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HalfPlace {
    /// `own marks * (squares + 1) + other marks`.
    pub(super) class: u32,
    /// Number in the list of the class.
    pub(super) place: u32,
}

impl HalfBoards {
    /// Lists the ways to mark `squares` squares, at most 13.
    pub(super) fn new(squares: u32) -> Self {
        let power = |square: u32| 3_u32.pow(square);
        let value = |set: u32| (0..squares).map(move |s| (set >> s & 1) * power(s)).sum();
        let mut boards = Self {
            squares,
            ternary: (0..1 << squares).map(value).collect(),
            places: vec![HalfPlace::default(); power(squares) as usize],
            lists: vec![Vec::new(); (squares as usize + 1).pow(2)],
        };
        for index in 0..power(squares) {
            let digit = |s: u32| index / power(s) % 3;
            let set = |mark| (0..squares).fold(0, |set, s| set | u16::from(digit(s) == mark) << s);
            let [own, other] = [set(1), set(2)];
            let class = boards.class([own, other].map(u16::count_ones));
            let list = &mut boards.lists[class as usize];
            let place = list.len() as u32;
            list.push([own, other]);
            boards.places[index as usize] = HalfPlace { class, place };
        }
        boards.lists.iter_mut().for_each(Vec::shrink_to_fit);
        boards
    }

    pub(super) fn class_count(&self) -> usize {
        self.lists.len()
    }

    /// Class of `[own, other]` numbers of marks.
    pub(super) fn class(&self, [own, other]: [u32; 2]) -> u32 {
        own * (self.squares + 1) + other
    }

    /// Numbers of own and other marks of a class.
    pub(super) fn marks(&self, class: u32) -> [u32; 2] {
        [class / (self.squares + 1), class % (self.squares + 1)]
    }

    pub(super) fn list(&self, class: u32) -> &[[u16; 2]] {
        &self.lists[class as usize]
    }

    #[inline]
    pub(super) fn place(&self, own: u32, other: u32) -> HalfPlace {
        let [own, other] = [own, other].map(|set| self.ternary[set as usize]);
        self.places[(own + 2 * other) as usize]
    }
}
