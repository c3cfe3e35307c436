//! Check of a solve by positions drawn at random, for a solve that only counts.

use hindsight_core::{Game, Packed, PackedGame, Placement, Random, TwoSided, TwoSidedRules, Value};
use rayon::prelude::*;

use crate::planes::Planes;

/// Most faults that a report lists.
const MAX_FAULTS: usize = 10;

/// Positions drawn at random, with all their successors, whose values are tracked during a solve.
///
/// The sample checks a solve that keeps no values, as a table is checked by all its positions: each
/// value by those of its successors. The successors are those of the rules, not of the planes. A
/// position that no pass decides is a draw.
///
/// Each number of followers is drawn equally often, since subproblems with few followers have few
/// positions. A share `1 / n` of wrong positions, weighted so, is found by `3 * n` draws with a
/// probability of 95 %.
pub struct Sample {
    drawn: Vec<Packed>,
    /// Index into `tracked` of each position's first successor, then the length of `tracked`.
    begins: Vec<usize>,
    /// All positions drawn, then their successors.
    tracked: Vec<SampledPosition>,
}

/// A position drawn, or a successor of one.
#[derive(Clone, Copy)]
struct SampledPosition {
    placement: Placement,
    /// Value so far; `None` while it is undecided.
    value: Option<Value>,
}

/// Result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleReport {
    /// Number of positions drawn.
    pub positions: u64,
    /// Number of their successors, counted with multiplicity.
    pub successors: u64,
    /// First faults, at most ten.
    pub faults: Vec<SampleFault>,
}

/// A position with a wrong value, or with a successor that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleFault {
    /// Position drawn.
    pub position: Packed,
    /// Value by the solve.
    pub value: Value,
    /// Value by the solved values of its successors.
    pub by_successors: Value,
}

impl Sample {
    /// Estimate of the bytes that a position takes with its successors.
    pub const BYTES: u64 = 1 << 10;

    /// Draws `count` positions, some more than once in a small game; none if the game has none.
    pub fn draw(game: &PackedGame, count: u32, random: &mut (impl Random + ?Sized)) -> Self {
        let mut drawer = PositionDrawer::new(game.two_sided_rules(), random);
        let placements: Vec<Placement> = (0..count).map_while(|n| drawer.draw(n)).collect();
        let drawn: Vec<Packed> =
            placements.iter().map(|&placement| game.position_of(placement)).collect();
        let undecided = |placement| SampledPosition { placement, value: None };
        let mut tracked: Vec<SampledPosition> = placements.into_iter().map(undecided).collect();
        let mut begins = vec![tracked.len()];
        let mut successors = Vec::new();
        for (n, &position) in drawn.iter().enumerate() {
            successors.clear();
            game.successors(position, &mut successors);
            for &successor in &successors {
                let sampled = match game.placement(successor) {
                    Some(placement) => undecided(placement),
                    // A finished game has no placement; its value is known.
                    None => SampledPosition {
                        value: game.terminal(successor).map(Value::terminal),
                        ..tracked[n]
                    },
                };
                tracked.push(sampled);
            }
            begins.push(tracked.len());
        }
        Self { drawn, begins, tracked }
    }

    /// Records the positions that a pass has decided.
    ///
    /// To be called after each pass, from the first on, with the value that the pass decides.
    pub fn record(&mut self, planes: &Planes, value: Value) {
        let wdl = value.wdl();
        self.tracked.par_iter_mut().filter(|tracked| tracked.value.is_none()).for_each(|tracked| {
            if planes.wdl(tracked.placement) == wdl {
                tracked.value = Some(value);
            }
        });
    }

    /// Positions without a value, for a solver that tracks them itself.
    pub fn tracked(&self) -> impl Iterator<Item = Placement> {
        let undecided = self.tracked.iter().filter(|tracked| tracked.value.is_none());
        undecided.map(|tracked| tracked.placement)
    }

    /// Sets the values of [`Sample::tracked`], in their order; `None` for draws.
    pub fn set_values(&mut self, values: &[Option<Value>]) {
        let undecided = self.tracked.iter_mut().filter(|tracked| tracked.value.is_none());
        for (tracked, &value) in undecided.zip(values) {
            tracked.value = value;
        }
    }

    /// Checks the value of each position drawn by those of its successors, after the last pass.
    #[must_use]
    pub fn check(&self) -> SampleReport {
        let value = |tracked: &SampledPosition| tracked.value.unwrap_or(Value::Draw);
        let fault = |(n, &position): (usize, &Packed)| {
            let successors = &self.tracked[self.begins[n]..self.begins[n + 1]];
            let best = successors.iter().map(|successor| value(successor).before());
            let (value, by_successors) = (value(&self.tracked[n]), best.max()?);
            (value != by_successors).then_some(SampleFault { position, value, by_successors })
        };
        SampleReport {
            positions: self.drawn.len() as u64,
            successors: (self.tracked.len() - self.drawn.len()) as u64,
            faults: self.drawn.iter().enumerate().filter_map(fault).take(MAX_FAULTS).collect(),
        }
    }
}

/// Source of random positions.
struct PositionDrawer<'a, R: ?Sized> {
    rules: TwoSidedRules,
    /// All pairs of squares that the leaders can have.
    leaders: Vec<[u8; 2]>,
    /// All numbers of followers that fit on the board.
    followers: Vec<[u8; 2]>,
    random: &'a mut R,
}

impl<'a, R: Random + ?Sized> PositionDrawer<'a, R> {
    fn new(rules: TwoSidedRules, random: &'a mut R) -> Self {
        let pairs = |n: u8| (0..n).flat_map(move |i| (0..n).map(move |j| [i, j]));
        let goals = rules.goals;
        let are_open =
            |&[one, other]: &[u8; 2]| one != other && one != goals[0] && other != goals[1];
        let fit = |&[one, other]: &[u8; 2]| one + other + 2 <= rules.squares;
        Self {
            leaders: pairs(rules.squares).filter(are_open).collect(),
            followers: pairs(rules.max_followers + 1).filter(fit).collect(),
            rules,
            random,
        }
    }

    /// Draws position number `n`, whose followers take turns; `None` if the game has no positions.
    fn draw(&mut self, n: u32) -> Option<Placement> {
        let leaders = *pick(&self.leaders, self.random)?;
        let followers = *self.followers.get(n as usize % self.followers.len().max(1))?;
        let mut taken = leaders.iter().fold(0, |set, &leader| set | 1_u32 << leader);
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

/// Draws one item, each with the same probability; `None` if there are none.
fn pick<'a, T>(items: &'a [T], random: &mut (impl Random + ?Sized)) -> Option<&'a T> {
    match items.len() as u32 {
        0 => None,
        len => items.get(random.below(len) as usize),
    }
}
