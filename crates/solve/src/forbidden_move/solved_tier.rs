//! A solved tier and its counts.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_core::{ForbiddenMove, Game, PackedGame, Ranked, States, Value};
use hindsight_engine::{Error, FinishedTier, Histogram, Layer, Pace, StateHistograms, StateSource};
use rayon::prelude::*;

use super::codes::StateCodes;
use super::tier_solve::TierSolve;
use super::word::StateWord;

/// Ranks that one thread counts at a time.
const COUNTED_AT_ONCE: u64 = 1 << 16;

/// A solved tier with all its states: four bytes per rank.
pub struct SolvedStateTier {
    /// Number of the layer.
    pub layer: u32,
    /// The only tier of the layer.
    pub tier: u64,
    pub(super) words: Vec<AtomicU32>,
    codes: StateCodes,
    positions: Histogram,
    states: StateHistograms,
}

impl SolvedStateTier {
    /// Takes the words of a finished solve; the counts are still empty.
    pub(super) fn new(layer: u32, work: TierSolve<'_>) -> Self {
        Self {
            layer,
            tier: work.tier,
            words: work.words,
            codes: work.codes,
            positions: Histogram::default(),
            states: StateHistograms::default(),
        }
    }

    /// Returns the counts of the tier, and the value of the start if it is there.
    #[must_use]
    pub fn results(&self, game: &PackedGame) -> FinishedTier {
        let start = game.rank_state(game.start()).filter(|&(tier, ..)| tier == self.tier);
        FinishedTier {
            positions: self.positions.clone(),
            states: self.states.clone(),
            start: start.and_then(|(_, rank, move_id)| self.state(rank, move_id)),
        }
    }

    fn word(&self, rank: u64) -> Option<StateWord> {
        let word = self.words.get(usize::try_from(rank).ok()?)?;
        let word = StateWord(word.load(Ordering::Relaxed));
        (word != StateWord::HOLE).then_some(word)
    }

    /// Returns the values with nothing forbidden, one byte per rank.
    ///
    /// # Errors
    /// [`Error::TooLong`] for more than 255 values.
    pub fn unrestricted_layer(&self, game: &PackedGame) -> Result<Layer, Error> {
        let mut palette: Vec<Option<Value>> = vec![None, Some(Value::Draw)];
        let mut code_of = vec![1_u8];
        for &value in self.codes.list() {
            let code = u8::try_from(palette.len());
            let plies = value.remoteness().unwrap_or(0);
            code_of.push(code.map_err(|_| Error::TooLong(plies.saturating_sub(1)))?);
            palette.push(Some(value));
        }
        let mut layer = Layer::unsolved(game.base(), self.layer, &[self.tier]);
        layer.palette = palette;
        layer.codes.par_iter_mut().enumerate().for_each(|(rank, code)| {
            let word = self.word(rank as u64);
            *code = word.map_or(0, |word| code_of[usize::from(word.value())]);
        });
        Ok(layer)
    }

    /// Counts positions and states. `report` gets the number of ranks done and may stop it.
    pub(super) fn count(
        &mut self,
        game: &PackedGame,
        report: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        const MOST_CHUNKS: u64 = 1 << 7;
        let mut bins = CodeHistograms::new(self.codes.list().len());
        let (mut end, mut pace) = (0, Pace::new(MOST_CHUNKS));
        while end < self.ranks() {
            let first = end;
            end = self.ranks().min(first + pace.portion() * COUNTED_AT_ONCE);
            bins = bins.merged(self.histograms(game, first..end));
            report(end)?;
        }
        let histogram = |bins: &[u64]| -> Histogram {
            let rows = bins.iter().enumerate().filter(|(_, n)| **n > 0);
            rows.map(|(code, &n)| (self.codes.value(code as u16).unwrap_or(Value::Draw), n))
                .collect()
        };
        self.positions = histogram(&bins.positions);
        self.states = StateHistograms {
            all: histogram(&bins.states),
            nontrivial: histogram(&bins.nontrivial),
        };
        Ok(())
    }

    fn histograms(&self, game: &PackedGame, ranks: Range<u64>) -> CodeHistograms {
        let chunks = (0..(ranks.end - ranks.start).div_ceil(COUNTED_AT_ONCE)).into_par_iter();
        let empty = || CodeHistograms::new(self.codes.list().len());
        let count = |chunk: u64| {
            let first = ranks.start + chunk * COUNTED_AT_ONCE;
            let mut bins = empty();
            let mut move_ids = Vec::new();
            for rank in first..ranks.end.min(first + COUNTED_AT_ONCE) {
                self.count_rank(game, rank, &mut move_ids, &mut bins);
            }
            bins
        };
        chunks.map(count).reduce(empty, CodeHistograms::merged)
    }

    fn count_rank(
        &self,
        game: &PackedGame,
        rank: u64,
        move_ids: &mut Vec<u8>,
        bins: &mut CodeHistograms,
    ) {
        let Some(word) = self.word(rank) else {
            return;
        };
        let position =
            game.base().unrank(self.tier, rank).expect("a rank with a value has a position");
        let value = usize::from(word.value());
        bins.positions[value] += 1;
        let mut states = [0_u64; 2];
        states[0] += u64::from(game.reached_unrestricted(position));
        move_ids.clear();
        game.forbiddable_ids(self.tier, rank, move_ids);
        let best = word.best_move();
        for &move_id in move_ids.iter() {
            states[usize::from(best != 0 && move_id == best)] += 1;
        }
        let without = usize::from(word.value_without_best().unwrap_or(0));
        let trivial = self.codes.value(word.value()) == Some(Value::Win(1));
        for (code, states) in [(value, states[0]), (without, states[1])] {
            bins.states[code] += states;
            if !trivial {
                bins.nontrivial[code] += states;
            }
        }
    }
}

impl StateSource for SolvedStateTier {
    fn layer(&self) -> u32 {
        self.layer
    }

    fn tier(&self) -> u64 {
        self.tier
    }

    fn ranks(&self) -> u64 {
        self.words.len() as u64
    }

    fn value(&self, rank: u64) -> Option<Value> {
        let word = self.word(rank)?;
        Some(self.codes.value(word.value()).unwrap_or(Value::Draw))
    }

    fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        let word = self.word(rank)?;
        let move_id = Some(word.best_move()).filter(|&move_id| move_id != 0)?;
        let without = word.value_without_best().and_then(|code| self.codes.value(code));
        Some((move_id, without.unwrap_or(Value::Draw)))
    }

    fn known_counts(&self) -> Option<StateHistograms> {
        Some(self.states.clone())
    }
}

/// Counts by code.
struct CodeHistograms {
    positions: Vec<u64>,
    states: Vec<u64>,
    nontrivial: Vec<u64>,
}

impl CodeHistograms {
    fn new(codes: usize) -> Self {
        let zeros = || vec![0; codes + 1];
        Self { positions: zeros(), states: zeros(), nontrivial: zeros() }
    }

    fn merged(mut self, other: Self) -> Self {
        let pairs = [
            (&mut self.positions, other.positions),
            (&mut self.states, other.states),
            (&mut self.nontrivial, other.nontrivial),
        ];
        for (sums, counts) in pairs {
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        self
    }
}
