//! Numbers of the places of lions and of all other pieces.

use alloc::vec::Vec;
use core::ops::Range;

use super::DobutsuPosition;
use super::side::{CHICK, DobutsuSide, ELEPHANT, GIRAFFE, HEN, LION};
use super::squares::{BOARD, COUNTS, SQUARES, count};

/// Pairs of lions that are numbered: one of each pair and its mirror image.
const LION_PAIRS: usize = 21;
/// Sets of pieces besides lions: the own ones and the other ones of four kinds.
const SET_COUNT: usize = 8;
/// Ways in which two giraffes or elephants are shared out to boards and hands.
const SHARES: usize = 10;
/// Ways in which two chicks are shared out to boards, as chicks or hens, and hands.
const CHICK_SHARES: usize = 21;
/// Entry of a table without a number.
const NONE: u8 = u8::MAX;

/// Orientation of a position: which of it and its mirror image is numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orientation {
    /// The position itself.
    Stored,
    /// The mirror image.
    Mirrored,
    /// Both: the lions stand on the middle column.
    Both,
}

/// Number of a pair of lions.
#[derive(Clone, Copy, Debug)]
pub(super) struct LionPair {
    pub(super) number: u8,
    pub(super) orientation: Orientation,
}

/// Numbers of two pieces of a kind: `[own board, other board, own hand, other hand]`.
type Share = [u8; 4];
/// Numbers of two chicks: `[own chicks, other chicks, own hens, other hens, own hand, other hand]`.
type ChickShare = [u8; 6];

/// Tables that number arrangements.
///
/// `number = lion pair * ways + first way of the class + way`. The class says how the giraffes, the
/// elephants and the chicks are shared out. A way is a mixed-radix number: for each of the eight
/// sets of pieces, the rank of its squares among those that are free before it.
#[derive(Clone, Debug)]
pub(super) struct Arrangements {
    shares: Vec<Share>,
    chick_shares: Vec<ChickShare>,
    /// Index of a share: `own board + 3 * other board + 9 * own hand`.
    share_numbers: [u8; 27],
    /// Index of a share: the first five numbers as digits to base 3, the first one lowest.
    chick_share_numbers: [u8; 243],
    /// First way of each class, and after the last one the number of ways.
    first_ways: Vec<u32>,
    lions: [[u8; 2]; LION_PAIRS],
    /// Index: `[own square][other square]`; `2 * number`, plus 1 if the mirror image is numbered.
    lion_numbers: [[u8; SQUARES]; SQUARES],
}

impl Default for Arrangements {
    fn default() -> Self {
        let (mut shares, mut chick_shares) = (Vec::new(), Vec::new());
        for_each_share(|share| shares.push(share));
        for_each_share(|share| chick_shares.push(share));
        let (mut share_numbers, mut chick_share_numbers) = ([NONE; 27], [NONE; 243]);
        for (number, share) in (0..).zip(&shares) {
            share_numbers[index_to_base_3(&share[..3])] = number;
        }
        for (number, share) in (0..).zip(&chick_shares) {
            chick_share_numbers[index_to_base_3(&share[..5])] = number;
        }
        let mut arrangements = Self {
            shares,
            chick_shares,
            share_numbers,
            chick_share_numbers,
            first_ways: [0].into(),
            lions: [[0; 2]; LION_PAIRS],
            lion_numbers: [[NONE; SQUARES]; SQUARES],
        };
        arrangements.add_classes();
        arrangements.add_lions();
        arrangements
    }
}

/// Lists the ways to share out two pieces to `N` places.
fn for_each_share<const N: usize>(mut add: impl FnMut([u8; N])) {
    for second in 0..N {
        for first in 0..=second {
            let mut share = [0; N];
            share[first] += 1;
            share[second] += 1;
            add(share);
        }
    }
}

fn index_to_base_3(digits: &[u8]) -> usize {
    let digits = digits.iter().rev();
    digits.fold(0, |index, &digit| 3 * index + usize::from(digit))
}

/// Number of sets of `count` of `free` squares, for at most two of them.
const fn subset_count(free: u32, count: u8) -> u32 {
    match count {
        0 => 1,
        1 => free,
        _ => free * (free - 1) / 2,
    }
}

impl Arrangements {
    fn add_classes(&mut self) {
        let mut next = 0;
        for class in 0..SHARES * SHARES * CHICK_SHARES {
            next += self.ways(class);
            self.first_ways.push(next);
        }
    }

    /// Number of ways of a class.
    fn ways(&self, class: usize) -> u32 {
        let (mut ways, mut free) = (1, 10);
        for pieces in self.set_sizes(class) {
            ways *= subset_count(free, pieces);
            free -= u32::from(pieces);
        }
        ways
    }

    fn add_lions(&mut self) {
        let mut number = 0;
        for own in 3..SQUARES as u8 {
            for other in 0..9 {
                let [own_image, other_image] = [own, other].map(mirrored_square);
                let apart = (own / 3).abs_diff(other / 3) > 1 || (own % 3).abs_diff(other % 3) > 1;
                if !apart || [own_image, other_image] < [own, other] {
                    continue;
                }
                self.lions[usize::from(number)] = [own, other];
                let images = [own_image, other_image].map(usize::from);
                self.lion_numbers[images[0]][images[1]] = 2 * number + 1;
                self.lion_numbers[usize::from(own)][usize::from(other)] = 2 * number;
                number += 1;
            }
        }
        assert_eq!(usize::from(number), LION_PAIRS, "there are 21 pairs");
    }

    /// Numbers of pieces of the eight sets of a class.
    fn set_sizes(&self, class: usize) -> [u8; SET_COUNT] {
        let [giraffes, elephants, chicks] = self.class_shares(class);
        let [g, e] = [giraffes, elephants].map(|number| self.shares[number]);
        let c = self.chick_shares[chicks];
        [g[0], g[1], e[0], e[1], c[0], c[1], c[2], c[3]]
    }

    fn class_shares(&self, class: usize) -> [usize; 3] {
        let rest = class / CHICK_SHARES;
        [rest / SHARES, rest % SHARES, class % CHICK_SHARES]
    }

    fn ways_of_lions(&self) -> u64 {
        u64::from(*self.first_ways.last().expect("a class"))
    }

    pub(super) fn len(&self) -> u64 {
        LION_PAIRS as u64 * self.ways_of_lions()
    }

    /// Returns the number of the lions; `None` if the game is over, or a lion can be taken by the
    /// other, or has reached its last row.
    #[inline]
    pub(super) fn lion_pair(&self, own: u16, other: u16) -> Option<LionPair> {
        if own == 0 || other == 0 {
            return None;
        }
        let [own, other] = [own, other].map(|set| set.trailing_zeros() as usize);
        let found = self.lion_numbers[own][other];
        let is_central = own % 3 == 1 && other % 3 == 1;
        (found != NONE).then_some(LionPair {
            number: found / 2,
            orientation: match found % 2 {
                _ if is_central => Orientation::Both,
                0 => Orientation::Stored,
                _ => Orientation::Mirrored,
            },
        })
    }

    /// Number of an arrangement in the stored orientation.
    #[inline]
    pub(super) fn number(&self, pair: u8, own: &DobutsuSide, other: &DobutsuSide) -> u64 {
        let sets = sets(own, other);
        let sizes = sets.map(count);
        let share = |kind: usize, own_size: u8, other_size: u8| {
            let in_hand = *own.in_hand(kind);
            self.share_numbers[index_to_base_3(&[own_size, other_size, in_hand])]
        };
        let giraffes = share(GIRAFFE, sizes[0], sizes[1]);
        let elephants = share(ELEPHANT, sizes[2], sizes[3]);
        let chick_sizes = [sizes[4], sizes[5], sizes[6], sizes[7], *own.in_hand(CHICK)];
        let chicks = self.chick_share_numbers[index_to_base_3(&chick_sizes)];
        let [giraffes, elephants, chicks] = [giraffes, elephants, chicks].map(usize::from);
        let class = (giraffes * SHARES + elephants) * CHICK_SHARES + chicks;
        let way = way(sets, BOARD & !own.board[LION] & !other.board[LION]);
        let in_class = u64::from(self.first_ways[class] + way);
        u64::from(pair) * self.ways_of_lions() + in_class
    }

    /// Arrangement of a number.
    pub(super) fn position(&self, number: u64) -> DobutsuPosition {
        let ways = Ways::new(self, number);
        ways.position()
    }

    /// Calls `visit` with the arrangement of each number of a range, ascending.
    pub(super) fn each_position(
        &self,
        numbers: Range<u64>,
        mut visit: impl FnMut(DobutsuPosition),
    ) {
        let mut number = numbers.start;
        while number < numbers.end {
            let mut ways = Ways::new(self, number);
            loop {
                visit(ways.position());
                number += 1;
                if number == numbers.end || !ways.advance() {
                    break;
                }
            }
        }
    }
}

/// The ways of a class, one after the other.
struct Ways {
    /// Position without the sets of this way, with its lions and hands.
    frame: DobutsuPosition,
    sizes: [u8; SET_COUNT],
    radices: [u32; SET_COUNT],
    digits: [u32; SET_COUNT],
    sets: [u16; SET_COUNT],
    /// Squares that are free before each set.
    free: [u16; SET_COUNT + 1],
}

impl Ways {
    /// The ways of the class of a number, from this number on.
    fn new(arrangements: &Arrangements, number: u64) -> Self {
        let squares = arrangements.lions[(number / arrangements.ways_of_lions()) as usize];
        let lions = squares.map(|square| 1 << square);
        let way = (number % arrangements.ways_of_lions()) as u32;
        let class = arrangements.first_ways.partition_point(|&first| first <= way) - 1;
        let mut ways = Self {
            frame: arrangements.frame(class, lions),
            sizes: arrangements.set_sizes(class),
            radices: [1; SET_COUNT],
            digits: [0; SET_COUNT],
            sets: [0; SET_COUNT],
            free: [BOARD & !lions[0] & !lions[1]; SET_COUNT + 1],
        };
        let mut free_count = 10;
        for (radix, &size) in ways.radices.iter_mut().zip(&ways.sizes) {
            *radix = subset_count(free_count, size);
            free_count -= u32::from(size);
        }
        let mut rest = way - arrangements.first_ways[class];
        for (digit, radix) in ways.digits.iter_mut().zip(ways.radices).rev() {
            *digit = rest % radix;
            rest /= radix;
        }
        ways.place_from(0);
        ways
    }

    /// Puts the sets from a number on onto their squares.
    #[inline]
    fn place_from(&mut self, first: usize) {
        for i in first..SET_COUNT {
            self.sets[i] = subset(self.digits[i], self.sizes[i], self.free[i]);
            self.free[i + 1] = self.free[i] & !self.sets[i];
        }
    }

    /// Goes on to the next way; false after the last one.
    #[inline]
    fn advance(&mut self) -> bool {
        for i in (0..SET_COUNT).rev() {
            if self.digits[i] + 1 < self.radices[i] {
                self.digits[i] += 1;
                self.place_from(i);
                return true;
            }
            self.digits[i] = 0;
        }
        false
    }

    #[inline]
    fn position(&self) -> DobutsuPosition {
        let mut position = self.frame;
        for (kind, sets) in (GIRAFFE..=HEN).zip(self.sets.chunks_exact(2)) {
            position.own.board[kind] = sets[0];
            position.other.board[kind] = sets[1];
        }
        position
    }
}

impl Arrangements {
    /// Position with lions and hands alone.
    fn frame(&self, class: usize, lions: [u16; 2]) -> DobutsuPosition {
        let [giraffes, elephants, chicks] = self.class_shares(class);
        let [g, e] = [giraffes, elephants].map(|number| self.shares[number]);
        let c = self.chick_shares[chicks];
        let side = |which: usize| DobutsuSide {
            board: [lions[which], 0, 0, 0, 0],
            hand: [g[2 + which], e[2 + which], c[4 + which]],
        };
        DobutsuPosition { player: 0, own: side(0), other: side(1) }
    }
}

fn mirrored_square(square: u8) -> u8 {
    square - square % 3 + 2 - square % 3
}

#[inline]
fn sets(own: &DobutsuSide, other: &DobutsuSide) -> [u16; SET_COUNT] {
    let of_kind = |kind: usize| [own.board[kind], other.board[kind]];
    let [g, e] = [of_kind(GIRAFFE), of_kind(ELEPHANT)];
    let [c, h] = [of_kind(CHICK), of_kind(HEN)];
    [g[0], g[1], e[0], e[1], c[0], c[1], h[0], h[1]]
}

/// Number of the places of some sets of at most two pieces on the free squares.
#[inline]
fn way(sets: [u16; SET_COUNT], mut free: u16) -> u32 {
    let (mut way, mut free_count) = (0, u32::from(count(free)));
    for set in sets {
        if set == 0 {
            continue;
        }
        let low = set & set.wrapping_neg();
        let high = set ^ low;
        let first = u32::from(COUNTS[usize::from(free & (low - 1))]);
        if high == 0 {
            way = way * free_count + first;
            free_count -= 1;
        } else {
            let second = u32::from(COUNTS[usize::from(free & (high - 1))]);
            way = way * subset_count(free_count, 2) + second * (second - 1) / 2 + first;
            free_count -= 2;
        }
        free &= !set;
    }
    way
}

/// The set of `size` of the free squares, at most two, with a rank.
fn subset(rank: u32, size: u8, free: u16) -> u16 {
    match size {
        0 => 0,
        1 => nth(free, rank),
        _ => {
            let mut second = 1;
            while (second + 1) * second / 2 <= rank {
                second += 1;
            }
            nth(free, second) | nth(free, rank - second * (second - 1) / 2)
        }
    }
}

/// The free square with `n` free squares before it.
fn nth(free: u16, n: u32) -> u16 {
    let rest = (0..n).fold(free, |rest, _| rest & rest.wrapping_sub(1));
    rest & rest.wrapping_neg()
}
