use std::collections::BTreeMap;

use hindsight_core::{Material, Probe};

use crate::choice::{Error, ErrorOf, best, best_value, choices};
use crate::puzzle::{has, in_portions};
use crate::wanted::{Unique, Wanted};

/// How many positions of a theme there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions of the theme.
    pub positions: u64,
    /// Of these, those with exactly one move that wins, or holds the draw ([`Unique::Win`]).
    pub only_move: u64,
    /// Those with exactly one quickest ([`Unique::First`]).
    pub only_first: u64,
    /// Those whose line is the only one ([`Unique::Line`]).
    pub only_line: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.only_move += other.only_move;
        self.only_first += other.only_first;
        self.only_line += other.only_line;
    }
}

/// Counts by plies to the end; `None` for draws.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally(pub BTreeMap<Option<u16>, Counts>);

impl Tally {
    /// Adds other counts.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        for (plies, counts) in &other.0 {
            self.0.entry(*plies).or_default().add(counts);
        }
        self
    }

    /// The sums over all plies.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.0.values().for_each(|counts| total.add(counts));
        total
    }
}

/// Counts those of some positions that have the theme and the length wanted, however many solutions they
/// have. `open` opens the solution for a thread.
///
/// # Errors
/// When a value cannot be read, or values do not agree.
pub fn tally<G: Material, S: Probe<G>>(
    game: &G,
    open: impl Fn() -> S + Sync,
    positions: &[G::Position],
    wanted: &Wanted,
) -> Result<Tally, ErrorOf<G, S>>
where
    S::Error: Send,
{
    let counted = in_portions(positions, &|positions| {
        let solution = open();
        let mut counts = positions
            .iter()
            .map(|&position| count(game, &solution, position, wanted));
        counts.try_fold(Tally::default(), |sum, one| one.map(|one| sum.merged(one)))
    })?;
    Ok(counted.into_iter().fold(Tally::default(), Tally::merged))
}

fn count<G: Material, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    wanted: &Wanted,
) -> Result<Tally, ErrorOf<G, S>> {
    let mut tally = Tally::default();
    if !has(game, solution, position, wanted)? {
        return Ok(tally);
    }
    let choices = choices(game, solution, position)?;
    let value = best_value(&choices).ok_or(Error::Inconsistent)?;
    let mut themes = wanted.theme.iter();
    if !themes.all(|theme| theme.fits(game, position, &choices)) {
        return Ok(tally);
    }
    let only_first = best(&choices).count() == 1;
    let counts = Counts {
        positions: 1,
        only_move: Unique::Win.holds(game, solution, &choices)?.into(),
        only_first: only_first.into(),
        only_line: (only_first && Unique::Line.holds(game, solution, &choices)?).into(),
    };
    tally.0.insert(value.remoteness(), counts);
    Ok(tally)
}
