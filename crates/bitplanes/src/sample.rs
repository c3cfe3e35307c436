//! A solve checked by positions that are drawn at random.

use hindsight_core::{Placement, Random, TwoSided, TwoSidedRules, Value};
use rayon::prelude::*;

use crate::planes::Planes;

/// Faults that are told apart.
const MAX_FAULTS: usize = 10;

/// Positions drawn at random with all their successors, whose values are noted while planes are solved: what no pass decides is a draw.
/// A solve that keeps no values is checked by them, as a table is by all of its positions: each value by those of the
/// successors, and these are what the rules say, not what planes know of them.
///
/// Equally many have each number of followers, since problems with few of them are few of all positions. What is wrong with one
/// position in n of these is found by 3 n of them with a chance of 95 %.
pub struct Sample<P> {
    drawn: Vec<P>,
    /// Where the successors of each begin, and where the last ones end.
    begins: Vec<usize>,
    /// The positions drawn, then their successors.
    tracked: Vec<SampledPosition>,
}

#[derive(Clone, Copy)]
struct SampledPosition {
    arranged: Placement,
    value: Option<Value>,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleReport<P> {
    /// Positions drawn.
    pub positions: u64,
    /// Moves from these.
    pub successors: u64,
    /// The first wrong values, at most ten.
    pub faults: Vec<SampleFault<P>>,
}

/// A position with a wrong value, or with a successor that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleFault<P> {
    /// The position.
    pub position: P,
    /// What the solve found.
    pub value: Value,
    /// What is right, if its successors are.
    pub by_successors: Value,
}

impl<P: Copy> Sample<P> {
    /// Bytes that a position takes with its successors, as far as one can tell before.
    pub const BYTES: u64 = 1 << 10;

    /// So many positions, some more than once in a small game; none if a game has none.
    pub fn draw<G>(game: &G, count: u32, random: &mut impl Random) -> Self
    where
        G: TwoSided<Position = P>,
    {
        let mut drawer = PositionDrawer::new(game.two_sided_rules(), random);
        let arranged: Vec<Placement> = (0..count).map_while(|n| drawer.draw(n)).collect();
        let drawn: Vec<P> = arranged
            .iter()
            .map(|&arranged| game.position_of(arranged))
            .collect();
        let open = |arranged| SampledPosition {
            arranged,
            value: None,
        };
        let mut watched: Vec<SampledPosition> = arranged.into_iter().map(open).collect();
        let mut begins = vec![watched.len()];
        let mut successors = Vec::new();
        for (n, &position) in drawn.iter().enumerate() {
            successors.clear();
            game.successors(position, &mut successors);
            for &successor in &successors {
                let next = match game.placement(successor) {
                    Some(arranged) => open(arranged),
                    None => SampledPosition {
                        value: game.terminal(successor).map(Value::terminal),
                        ..watched[n]
                    },
                };
                watched.push(next);
            }
            begins.push(watched.len());
        }
        Self {
            drawn,
            begins,
            tracked: watched,
        }
    }

    /// Notes what a pass has decided. Has to be told of each pass from the first on.
    pub fn record(&mut self, planes: &Planes, value: Value) {
        let wdl = value.wdl();
        let open = self.tracked.par_iter_mut();
        open.filter(|watched| watched.value.is_none())
            .for_each(|watched| {
                if planes.wdl(watched.arranged) == wdl {
                    watched.value = Some(value);
                }
            });
    }

    /// The positions whose values are not known before, for a solver that notes them itself.
    pub fn tracked(&self) -> impl Iterator<Item = Placement> {
        let open = self
            .tracked
            .iter()
            .filter(|watched| watched.value.is_none());
        open.map(|watched| watched.arranged)
    }

    /// Takes the values of [`Sample::watched`], in their order; `None` for draws.
    pub fn set_values(&mut self, values: &[Option<Value>]) {
        let open = self
            .tracked
            .iter_mut()
            .filter(|watched| watched.value.is_none());
        for (watched, &value) in open.zip(values) {
            watched.value = value;
        }
    }

    /// After the last pass.
    #[must_use]
    pub fn check(&self) -> SampleReport<P> {
        let value = |watched: &SampledPosition| watched.value.unwrap_or(Value::Draw);
        let fault = |(n, &position): (usize, &P)| {
            let successors = &self.tracked[self.begins[n]..self.begins[n + 1]];
            let best = successors.iter().map(|next| value(next).before()).max();
            let (value, by_successors) = (value(&self.tracked[n]), best?);
            (value != by_successors).then_some(SampleFault {
                position,
                value,
                by_successors,
            })
        };
        SampleReport {
            positions: self.drawn.len() as u64,
            successors: (self.tracked.len() - self.drawn.len()) as u64,
            faults: self
                .drawn
                .iter()
                .enumerate()
                .filter_map(fault)
                .take(MAX_FAULTS)
                .collect(),
        }
    }
}

/// Draws positions.
struct PositionDrawer<'a, R> {
    rules: TwoSidedRules,
    /// Where leaders are, and how many followers there are.
    leaders: Vec<[u8; 2]>,
    followers: Vec<[u8; 2]>,
    random: &'a mut R,
}

impl<'a, R: Random> PositionDrawer<'a, R> {
    fn new(rules: TwoSidedRules, random: &'a mut R) -> Self {
        let pairs = |n: u8| (0..n).flat_map(move |i| (0..n).map(move |j| [i, j]));
        let goals = rules.goals;
        let stand = |&[one, other]: &[u8; 2]| one != other && one != goals[0] && other != goals[1];
        let fit = |&[one, other]: &[u8; 2]| one + other + 2 <= rules.squares;
        Self {
            leaders: pairs(rules.squares).filter(stand).collect(),
            followers: pairs(rules.max_followers + 1).filter(fit).collect(),
            rules,
            random,
        }
    }

    /// The n-th position, if there is any.
    fn draw(&mut self, n: u32) -> Option<Placement> {
        let leaders = *pick(&self.leaders, self.random)?;
        let followers = *self
            .followers
            .get(n as usize % self.followers.len().max(1))?;
        let mut taken = leaders.iter().fold(0, |all, &leader| all | 1_u32 << leader);
        let sets = followers.map(|followers| {
            let mut set = 0;
            for _ in 0..followers {
                let squares = 0..u32::from(self.rules.squares);
                let free: Vec<u32> = squares.filter(|square| taken >> square & 1 == 0).collect();
                set |= pick(&free, self.random).map_or(0, |square| 1 << square);
                taken |= set;
            }
            set
        });
        Some(Placement {
            mover: self.random.below(2) as usize,
            followers: sets,
            leaders,
            context: self.random.below(self.rules.kind_into.len() as u32) as u16,
        })
    }
}

/// One of some, each with the same chance.
fn pick<'a, T>(of: &'a [T], random: &mut impl Random) -> Option<&'a T> {
    match of.len() as u32 {
        0 => None,
        len => of.get(random.below(len) as usize),
    }
}
