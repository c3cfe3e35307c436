//! Every state of a game in which at most one move is forbidden, from three numbers a position.
//!
//! A state is a position of a base game and perhaps one forbidden move. If V0 is the value with nothing
//! forbidden, b the best move where there is only one, and V1 the value when b is forbidden, then a state
//! that forbids b is worth V1 and every other V0. So tiers of the base are solved by their frontiers,
//! ply by ply, and a position is passed on at most twice: V0 to the moves into it after which something
//! other than b is forbidden, V1 to those after which b is. Four bytes and a bit a position of the tier in
//! work, one byte of finished tiers that others look up.
//!
//! b is known at the latest when V0 is won by it, or when all other moves have lost: then the undecided
//! way is the exclusive or of those that were undecided at first, and of all that were decided since.

mod checkpoint;
mod codes;
mod dictionary;
mod word;
mod work;

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicU32;

use hindsight_core::{Answer, ForbiddenMove, Game, Probe, Ranked, Value};
use rayon::prelude::*;

use crate::tiered::TierPlan;
use crate::{Error, Histogram, Layer, Limits, Monitor, Progress};
use hindsight_run::Budget;

use checkpoint::PutOnly;
pub use checkpoint::{FinishedTier, ResumePoint, StateCheckpoint, StateStage};
use codes::StateCodes;
pub use dictionary::StateDictionary;
use word::StateWord;
use work::TierSolve;

/// No longer remoteness than this, in plies, is kept of tiers that others look up, where a byte tells the
/// values. A solve may end with [`Error::TooLong`] a few plies sooner, and a table has at most 256 different
/// values and ways in a layer.
pub const MAX_REMOTENESS: u16 = 253;

/// What a solve of every state found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForbiddenMoveSolution {
    /// The value of the start.
    pub start: Value,
    /// Positions of the base by their value with nothing forbidden, those won at once included.
    pub positions: Histogram,
    /// States that a move leads to by value, those of positions won at once included.
    pub states: Histogram,
    /// The same without states of positions that are won by a move that ends the game.
    pub nontrivial: Histogram,
}

impl ForbiddenMoveSolution {
    fn add(&mut self, counts: &StateCounts) {
        self.positions.merge(&counts.positions);
        self.states.merge(&counts.states);
        self.nontrivial.merge(&counts.nontrivial);
    }
}

/// Positions and states by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateCounts {
    /// As in [`Outcome::positions`].
    pub positions: Histogram,
    /// As in [`Outcome::states`].
    pub states: Histogram,
    /// As in [`Outcome::nontrivial`].
    pub nontrivial: Histogram,
}

/// A tier with all its states: four bytes a rank.
pub struct SolvedStateTier {
    /// Which layer it is.
    pub layer: u32,
    /// Its only tier.
    pub tier: u64,
    words: Vec<AtomicU32>,
    codes: StateCodes,
    counts: StateCounts,
}

impl SolvedStateTier {
    /// Not counted yet.
    fn new<G: ForbiddenMove>(layer: u32, work: TierSolve<'_, G>) -> Self {
        Self {
            layer,
            tier: work.tier,
            words: work.words,
            codes: work.codes,
            counts: StateCounts::default(),
        }
    }

    /// How many positions and states have each value.
    #[must_use]
    pub fn counts(&self) -> &StateCounts {
        &self.counts
    }

    fn word(&self, rank: u64) -> Option<StateWord> {
        let word = self.words.get(usize::try_from(rank).ok()?)?;
        let word = StateWord(word.load(std::sync::atomic::Ordering::Relaxed));
        (word != StateWord::HOLE).then_some(word)
    }

    /// How many ranks there are.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.words.len() as u64
    }

    /// The value at a rank with nothing forbidden; `None` for a hole.
    #[must_use]
    pub fn unrestricted_value(&self, rank: u64) -> Option<Value> {
        let word = self.word(rank)?;
        Some(self.codes.value(word.value()).unwrap_or(Value::Draw))
    }

    /// The best way if it is the only best move and forbidding it changes the value, with the value then.
    #[must_use]
    pub fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        let word = self.word(rank)?;
        let move_id = Some(word.best_move()).filter(|&move_id| move_id != 0)?;
        let without = word
            .value_without_best()
            .and_then(|code| self.codes.value(code));
        Some((move_id, without.unwrap_or(Value::Draw)))
    }

    /// The value at a rank when a way is forbidden (0: nothing).
    #[must_use]
    pub fn state_value(&self, rank: u64, move_id: u8) -> Option<Value> {
        match self.exception(rank) {
            Some((best, without)) if move_id == best => Some(without),
            _ => self.unrestricted_value(rank),
        }
    }

    /// The values with nothing forbidden, a byte a rank.
    ///
    /// # Errors
    /// [`Error::TooLong`] for more than 255 values.
    pub fn unrestricted_layer<G: ForbiddenMove>(&self, game: &G) -> Result<Layer, Error> {
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
        layer
            .codes
            .par_iter_mut()
            .enumerate()
            .for_each(|(rank, code)| {
                let word = self.word(rank as u64);
                *code = word.map_or(0, |word| code_of[usize::from(word.value())]);
            });
        Ok(layer)
    }

    /// Counts, and tells how many ranks are counted each time it may stop.
    fn count<G: ForbiddenMove>(
        &mut self,
        game: &G,
        report: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        const SLICE: u64 = 1 << 23;
        let mut bins = CodeHistograms::new(self.codes.list().len());
        for first in (0..self.ranks()).step_by(SLICE as usize) {
            let end = self.ranks().min(first + SLICE);
            bins = bins.merged(self.histograms(game, first..end));
            report(end)?;
        }
        let histogram = |bins: &[u64]| -> Histogram {
            let rows = bins.iter().enumerate().filter(|(_, n)| **n > 0);
            rows.map(|(code, &n)| (self.codes.value(code as u16).unwrap_or(Value::Draw), n))
                .collect()
        };
        self.counts = StateCounts {
            positions: histogram(&bins.positions),
            states: histogram(&bins.states),
            nontrivial: histogram(&bins.nontrivial),
        };
        Ok(())
    }

    fn histograms<G: ForbiddenMove>(&self, game: &G, ranks: Range<u64>) -> CodeHistograms {
        const CHUNK: u64 = 1 << 16;
        let chunks = (0..(ranks.end - ranks.start).div_ceil(CHUNK)).into_par_iter();
        let empty = || CodeHistograms::new(self.codes.list().len());
        let count = |chunk: u64| {
            let first = ranks.start + chunk * CHUNK;
            let mut bins = empty();
            let mut move_ids = Vec::new();
            for rank in first..ranks.end.min(first + CHUNK) {
                self.count_rank(game, rank, &mut move_ids, &mut bins);
            }
            bins
        };
        chunks.map(count).reduce(empty, CodeHistograms::merged)
    }

    fn count_rank<G: ForbiddenMove>(
        &self,
        game: &G,
        rank: u64,
        move_ids: &mut Vec<u8>,
        bins: &mut CodeHistograms,
    ) {
        let Some(word) = self.word(rank) else {
            return;
        };
        let position = game
            .base()
            .unrank(self.tier, rank)
            .expect("a rank with a value has a position");
        let value = usize::from(word.value());
        bins.positions[value] += 1;
        let mut states = [0_u64; 2];
        states[0] += u64::from(game.reached_unrestricted(position));
        move_ids.clear();
        game.forbidden_ids(self.tier, rank, move_ids);
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

/// Counts by code.
struct CodeHistograms {
    positions: Vec<u64>,
    states: Vec<u64>,
    nontrivial: Vec<u64>,
}

impl CodeHistograms {
    fn new(codes: usize) -> Self {
        let zeros = || vec![0; codes + 1];
        Self {
            positions: zeros(),
            states: zeros(),
            nontrivial: zeros(),
        }
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

/// Bytes that a solve needs at its peak.
#[must_use]
pub fn peak<G: ForbiddenMove>(game: &G) -> u64 {
    peak_with_checkpoint(game, &|_| 0)
}

/// The same for a solve that puts its tiers into a checkpoint, by what that takes for a tier of so many ranks.
pub fn peak_with_checkpoint<G: ForbiddenMove>(game: &G, takes: &dyn Fn(u64) -> u64) -> u64 {
    let needs = MemoryNeeds::new(game);
    let putting = |layer| needs.finished(layer) + takes(needs.ranks(layer));
    let layers = 0..game.base().layers();
    let peaks = layers.map(|layer| needs.solving(layer).max(putting(layer)));
    peaks.max().unwrap_or(0)
}

/// The memory that a solve needs, layer by layer.
struct MemoryNeeds<'a, G> {
    game: &'a G,
    plan: TierPlan,
}

impl<'a, G: ForbiddenMove> MemoryNeeds<'a, G> {
    fn new(game: &'a G) -> Self {
        let plan = TierPlan::new(game.base());
        Self { game, plan }
    }

    fn ranks(&self, layer: u32) -> u64 {
        let tiers = self.plan.tiers(layer).iter();
        tiers.map(|&tier| self.game.base().tier_len(tier)).sum()
    }

    /// Bytes of the values of finished layers that a layer, or a later one, looks up.
    fn earlier(&self, layer: u32) -> u64 {
        let earlier = (0..layer).filter(|&earlier| self.plan.last_use(earlier) >= layer);
        earlier.map(|earlier| self.ranks(earlier)).sum()
    }

    /// Bytes while a layer is solved: a word a rank and what is marked.
    fn solving(&self, layer: u32) -> u64 {
        let ranks = self.ranks(layer);
        let marks = ranks.div_ceil(8) + 64 * ranks.div_ceil(work::CHUNK_RANKS);
        4 * ranks + marks + self.earlier(layer)
    }

    /// Bytes when a layer is finished: its words, and a copy of its values if they are looked up.
    fn finished(&self, layer: u32) -> u64 {
        let is_looked_up = self.plan.last_use(layer) > layer;
        let a_rank = 4 + u64::from(is_looked_up);
        a_rank * self.ranks(layer) + self.earlier(layer)
    }
}

/// Solves every state of a game, tier by tier, and hands each tier over.
///
/// # Errors
/// Before it starts, [`Error::TooLarge`] if more memory is needed than is allowed; then what the monitor,
/// the clock or the receiver say; [`Error::TooLong`] for more values than codes.
pub fn solve<G: ForbiddenMove>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
    put: &mut dyn FnMut(SolvedStateTier) -> Result<(), Error>,
) -> Result<ForbiddenMoveSolution, Error> {
    solve_from(game, &mut PutOnly(put), limits, monitor)
}

/// As [`solve`], with checkpoints: goes on with what an earlier run kept, and keeps what it has when it is
/// time, or when the monitor or the clock stop it.
///
/// # Errors
/// As [`solve`], and what the checkpoint says.
pub fn solve_from<G: ForbiddenMove>(
    game: &G,
    checkpoint: &mut dyn StateCheckpoint,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ForbiddenMoveSolution, Error> {
    let base = game.base();
    let needed = peak_with_checkpoint(game, &|ranks| checkpoint.takes(ranks));
    let needs = MemoryNeeds::new(game);
    let plan = &needs.plan;
    if needed > limits.memory {
        return Err(Error::TooLarge {
            ranks: plan.ranks(),
            needed,
            limit: limits.memory,
        });
    }
    let mut run = TierRun {
        game,
        budget: Budget::new(limits, monitor),
        total: plan.ranks(),
        done: 0,
        outcome: ForbiddenMoveSolution {
            start: Value::Draw,
            positions: Histogram::default(),
            states: Histogram::default(),
            nontrivial: Histogram::default(),
        },
        layers: Vec::new(),
        not_loaded: Vec::new(),
    };
    for layer in 0..base.layers() {
        for &tier in plan.tiers(layer) {
            let is_needed = plan.last_use(layer) > layer;
            checkpoint.allow(limits.memory - needs.finished(layer));
            run.run_tier((layer, tier), is_needed, checkpoint)?;
        }
        run.layers.retain(|kept| plan.last_use(kept.layer) > layer);
        run.not_loaded.retain(|&kept| plan.last_use(kept) > layer);
    }
    Ok(run.outcome)
}

/// A solve on its way.
struct TierRun<'a, G> {
    game: &'a G,
    budget: Budget<'a>,
    /// Ranks of all tiers, and of those that are done.
    total: u64,
    done: u64,
    outcome: ForbiddenMoveSolution,
    /// Finished tiers that later ones look up.
    layers: Vec<Layer>,
    /// Those of an earlier run that are not in memory.
    not_loaded: Vec<u32>,
}

impl<G: ForbiddenMove> TierRun<'_, G> {
    /// Solves a tier, or takes it from the checkpoint.
    fn run_tier(
        &mut self,
        (layer, tier): (u32, u64),
        is_needed: bool,
        checkpoint: &mut dyn StateCheckpoint,
    ) -> Result<(), Error> {
        if let Some(finished) = checkpoint.finished(layer).map_err(Error::Store)? {
            self.done += self.game.base().tier_len(tier);
            self.outcome.start = finished.start.unwrap_or(self.outcome.start);
            self.outcome.add(&finished.counts);
            self.not_loaded.extend(Some(layer).filter(|_| is_needed));
            return Ok(());
        }
        let solved = self.solve_tier((layer, tier), checkpoint)?;
        let start = self.game.rank_state(self.game.start());
        if let Some((_, rank, move_id)) = start.filter(|&(of, ..)| of == tier) {
            self.outcome.start = solved
                .state_value(rank, move_id)
                .expect("the start is no hole");
        }
        self.outcome.add(solved.counts());
        self.done += solved.ranks();
        if is_needed {
            self.layers.push(solved.unrestricted_layer(self.game)?);
        }
        checkpoint.put(solved)
    }

    /// Reads the tiers that are looked up when one begins.
    fn load_lower_tiers(&mut self, checkpoint: &mut dyn StateCheckpoint) -> Result<(), Error> {
        for layer in self.not_loaded.drain(..) {
            self.layers
                .push(checkpoint.unrestricted_layer(layer).map_err(Error::Store)?);
        }
        Ok(())
    }

    fn report(&mut self, phase: &'static str, part: u64) -> Result<(), Error> {
        let done = self.done + part;
        let total = Some(self.total);
        self.budget
            .check(Progress { phase, done, total }, done, 0, 0)
    }

    fn solve_tier(
        &mut self,
        (layer, tier): (u32, u64),
        checkpoint: &mut dyn StateCheckpoint,
    ) -> Result<SolvedStateTier, Error> {
        let len = self.game.base().tier_len(tier);
        let unfinished = checkpoint.unfinished(layer, len).map_err(Error::Store)?;
        let (mut work, point) = match unfinished {
            Some((stage, words)) => {
                if stage.point.pass == 0 {
                    self.load_lower_tiers(checkpoint)?;
                }
                let work = TierSolve::resumed(self.game, (layer, tier), &stage, words)?;
                (work, stage.point)
            }
            None => {
                self.load_lower_tiers(checkpoint)?;
                let values = self
                    .layers
                    .iter()
                    .flat_map(|layer| layer.palette.iter().flatten());
                let outside = values
                    .filter(|value| value.remoteness().is_some())
                    .map(|value| value.before());
                (
                    TierSolve::new(self.game, tier, len, outside)?,
                    ResumePoint::default(),
                )
            }
        };
        let layers = std::mem::take(&mut self.layers);
        let mut after = |work: &TierSolve<'_, G>, point: ResumePoint, phase, done| {
            // A rank is half done when its moves were looked at, and done when its values were passed on.
            let twice = if phase == "counting" {
                done
            } else {
                len + done
            };
            let reported = self.report(phase, twice / 2);
            if reported.is_err() || point.chunks_done > 0 && checkpoint.is_due() {
                let kept = checkpoint.put_unfinished(&work.stage(layer, point), &work.words);
                kept.map_err(Error::Store)?;
            }
            reported
        };
        let ran = work.run(point, &layers, &mut after);
        self.layers = layers;
        let stage = work.stage(layer, ran?);
        let mut solved = SolvedStateTier::new(layer, work);
        let counted = solved.count(self.game, &mut |done| self.report("counting states", done));
        if counted.is_err() {
            let kept = checkpoint.put_unfinished(&stage, &solved.words);
            kept.map_err(Error::Store)?;
        }
        counted.map(|()| solved)
    }
}

/// Keeps every tier in memory: for small games, and for tests.
#[derive(Default)]
pub struct SolvedStates(pub Vec<SolvedStateTier>);

impl SolvedStates {
    /// Reads the values of the game whose states these are.
    pub fn with<'a, G: ForbiddenMove>(&'a self, game: &'a G) -> SolvedStatesReader<'a, G> {
        SolvedStatesReader { states: self, game }
    }
}

/// Reads values of states from memory.
#[derive(Clone, Copy)]
pub struct SolvedStatesReader<'a, G> {
    states: &'a SolvedStates,
    game: &'a G,
}

impl<G: ForbiddenMove> Probe<G> for SolvedStatesReader<'_, G> {
    type Error = Infallible;

    fn probe(&self, position: <G as Game>::Position) -> Result<Answer, Infallible> {
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Answer::Exact(Value::terminal(wdl)));
        }
        let value = |(tier, rank, move_id)| {
            let solved = self.states.0.iter().find(|solved| solved.tier == tier)?;
            solved.state_value(rank, move_id)
        };
        let value = self.game.rank_state(position).and_then(value);
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
