//! Solve of one tier by its frontiers.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{ForbiddenMove, InEdge, PackedGame, Ranked, States, Value};
use hindsight_engine::{Error, Layer, Pace, memory};
use rayon::prelude::*;

use super::codes::StateCodes;
use super::stage::{CHUNK_RANKS, ResumePoint, StateStage};
use super::word::{MAX_OPEN_MOVES, OPEN, StateWord};

/// Chunks between two calls of the monitor.
const CHUNKS_PER_REPORT: u64 = 256;
/// The last ply that a chunk can be marked for.
const MAX_PLIES: u16 = 511;
/// Moves per batch of memory accesses.
const BATCH_MOVES: usize = 1024;

/// A tier being solved: four bytes and a bit per rank.
pub(super) struct TierSolve<'a> {
    game: &'a PackedGame,
    pub(super) tier: u64,
    pub(super) words: Vec<AtomicU32>,
    /// One bit per rank: a value became known there at the current ply. Valid only in chunks marked
    /// for that ply.
    events: Vec<u64>,
    pub(super) codes: StateCodes,
    /// For each chunk, a bit set of the plies at which a value may become known.
    ply_marks: Vec<[AtomicU64; 8]>,
    /// The greatest marked ply.
    last_marked_ply: AtomicU32,
    /// Values propagated: two per position, V0 and V1. Without a best move both count at once.
    values_propagated: AtomicU64,
}

/// Callback after every batch, with the work, its resume point, the phase and the ranks done.
pub(super) type AfterBatch<'a> =
    dyn FnMut(&TierSolve<'_>, ResumePoint, &'static str, u64) -> Result<(), Error> + 'a;

/// Codes of a win and a loss at a ply; 0 for a value that has no code.
#[derive(Clone, Copy, Default)]
struct PlyCodes {
    ply: u16,
    win: u16,
    loss: u16,
}

/// Flags for a ply: some value became a win, some value became a loss.
#[derive(Default)]
struct PlyOutcomes {
    win: AtomicBool,
    loss: AtomicBool,
}

/// Values that became known at a ply: true for a win, false for a loss.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct DecidedNow {
    value: Option<bool>,
    without_best: Option<bool>,
}

/// A move whose value became known.
struct DecidedMove {
    /// Rank of the position in which the move is played.
    rank: u64,
    move_id: u8,
    /// True if its successor is won, for the side to move there.
    leads_to_win: bool,
}

impl PlyOutcomes {
    fn add(&self, decided: DecidedNow) {
        for (won, seen) in [(true, &self.win), (false, &self.loss)] {
            let found = decided.value == Some(won) || decided.without_best == Some(won);
            if found && !seen.load(Ordering::Relaxed) {
                seen.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl<'a> TierSolve<'a> {
    /// Starts a tier. `exits` lists the values that moves out of the tier may have. `report` is
    /// called while its memory is laid out.
    pub(super) fn new(
        game: &'a PackedGame,
        tier: u64,
        len: u64,
        exits: impl IntoIterator<Item = Value>,
        report: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut codes = StateCodes::default();
        for value in exits.into_iter().chain([Value::Loss(0), Value::Win(1), Value::Loss(1)]) {
            if value.remoteness() > Some(MAX_PLIES) {
                return Err(Error::TooLong(MAX_PLIES));
            }
            codes.add(value)?;
        }
        Ok(Self {
            game,
            tier,
            words: memory::lay_out(len, &mut |_| report())?,
            events: vec![0; len.div_ceil(64) as usize],
            codes,
            ply_marks: (0..len.div_ceil(CHUNK_RANKS)).map(|_| Default::default()).collect(),
            last_marked_ply: AtomicU32::new(0),
            values_propagated: AtomicU64::new(0),
        })
    }

    /// Restores a stopped tier.
    pub(super) fn resumed(
        game: &'a PackedGame,
        layer: u32,
        tier: u64,
        stage: &StateStage,
        words: Vec<AtomicU32>,
    ) -> Result<Self, Error> {
        let len = words.len() as u64;
        if (stage.layer, stage.tier) != (layer, tier) || !stage.fits(len) {
            return Err(Error::damaged("an unfinished tier does not fit its game"));
        }
        let mut work = Self::new(game, tier, 0, [], &mut || Ok(()))?;
        work.words = words;
        work.events = vec![0; len.div_ceil(64) as usize];
        work.codes = StateCodes::default();
        for &value in &stage.values {
            work.codes.add(value)?;
        }
        let is_decided = |value: &Value| value.remoteness().is_some();
        if work.codes.list() != stage.values || !stage.values.iter().all(is_decided) {
            return Err(Error::damaged("an unfinished tier lists a value twice, or a draw"));
        }
        work.ply_marks = stage.ply_marks.iter().map(|plies| plies.map(AtomicU64::new)).collect();
        let plies =
            (0..512).filter(|&ply| work.ply_marks.iter().any(|plies| is_marked(plies, ply)));
        let latest = u32::from(plies.max().unwrap_or(0));
        work.last_marked_ply = AtomicU32::new(latest);
        work.values_propagated = AtomicU64::new(stage.values_propagated);
        let chunks = (0..work.ply_marks.len() as u64).into_par_iter();
        let is_sound = || chunks.clone().all(|chunk| work.is_sound(chunk, stage.point));
        // The last values are propagated, then the solve ends.
        if stage.point.pass > latest + 2 || !is_sound() {
            let message = "an unfinished tier has states where its game has none";
            return Err(Error::damaged(message));
        }
        Ok(work)
    }

    /// True if the words of a chunk can belong to its ranks.
    fn is_sound(&self, chunk: u64, point: ResumePoint) -> bool {
        let codes = self.codes.list().len();
        let is_looked_at = point.pass > 0 || chunk < point.chunks_done;
        self.ranks(chunk).all(|rank| match self.word(rank) {
            word if !is_looked_at => word == StateWord(0),
            StateWord::HOLE => self.game.base().unrank(self.tier, rank).is_none(),
            word => {
                usize::from(word.value().max(word.second_code())) <= codes
                    && self.game.base().unrank(self.tier, rank).is_some()
            }
        })
    }

    /// Returns the state that [`TierSolve::resumed`] needs besides the words.
    pub(super) fn stage(&self, layer: u32, point: ResumePoint) -> StateStage {
        let plies = self.ply_marks.iter();
        StateStage {
            layer,
            tier: self.tier,
            point,
            values_propagated: self.values_propagated.load(Ordering::Relaxed),
            values: self.codes.list().to_vec(),
            ply_marks: plies
                .map(|plies| plies.each_ref().map(|word| word.load(Ordering::Relaxed)))
                .collect(),
        }
    }

    /// Solves the tier from `point` on. Returns the point after the last ply.
    pub(super) fn run(
        &mut self,
        point: ResumePoint,
        finished: &[Layer],
        after: &mut AfterBatch<'_>,
    ) -> Result<ResumePoint, Error> {
        if point.pass == 0 {
            self.for_each_chunk(
                point,
                |chunk| self.count_moves(chunk, finished),
                &mut |work, point| {
                    let done = (point.chunks_done * CHUNK_RANKS).min(work.words.len() as u64);
                    after(work, point, "counting", done)
                },
            )?;
        }
        let mut point = if point.pass == 0 { ResumePoint::of_ply(0) } else { point };
        while point.pass <= self.last_marked_ply.load(Ordering::Relaxed) + 1 {
            self.run_ply(point, after)?;
            point = ResumePoint::of_ply(point.pass as u16);
        }
        Ok(point)
    }

    /// Draws the conclusions of a ply, if that is not done, and propagates its values.
    fn run_ply(&mut self, point: ResumePoint, after: &mut AfterBatch<'_>) -> Result<(), Error> {
        let ply = (point.pass - 1) as u16;
        let now = self.codes_at(ply);
        if point.concluded {
            self.find_events(now);
        } else {
            let seen = self.end_ply(point, now, after)?;
            if seen.loss.into_inner() {
                self.codes.add(Value::Win(ply + 1))?;
            }
            if seen.win.into_inner() {
                self.codes.add(Value::Loss(ply + 1))?;
            }
        }
        let next = self.codes_at(ply + 1);
        let point = ResumePoint { concluded: true, ..point };
        self.for_each_chunk(
            point,
            |chunk| {
                self.propagate(chunk, now, next);
                Ok(())
            },
            &mut |work, point| after(work, point, "solving", work.ranks_propagated()),
        )
    }

    /// Codes of a ply, as far as there are any.
    fn codes_at(&self, ply: u16) -> PlyCodes {
        PlyCodes {
            ply,
            win: self.codes.find(Value::Win(ply)).unwrap_or(0),
            loss: self.codes.find(Value::Loss(ply)).unwrap_or(0),
        }
    }

    /// Number of finished ranks: half the values propagated.
    fn ranks_propagated(&self) -> u64 {
        self.values_propagated.load(Ordering::Relaxed) / 2
    }

    /// Runs `act` on every chunk from `point` on.
    fn for_each_chunk(
        &self,
        point: ResumePoint,
        act: impl Fn(u64) -> Result<(), Error> + Sync,
        after: &mut dyn FnMut(&Self, ResumePoint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let chunks = self.ply_marks.len() as u64;
        let (mut done, mut pace) = (point.chunks_done, Pace::new(CHUNKS_PER_REPORT));
        while done < chunks {
            let begin = done;
            done = chunks.min(begin + pace.portion());
            (begin..done).into_par_iter().try_for_each(&act)?;
            after(self, ResumePoint { chunks_done: done, ..point })?;
        }
        Ok(())
    }

    fn ranks(&self, chunk: u64) -> std::ops::Range<u64> {
        let len = self.words.len() as u64;
        chunk * CHUNK_RANKS..len.min((chunk + 1) * CHUNK_RANKS)
    }

    fn word(&self, rank: u64) -> StateWord {
        StateWord(self.words[rank as usize].load(Ordering::Relaxed))
    }

    /// Marks the chunk of a rank, so that it is looked at when the ply ends.
    fn mark(&self, rank: u64, ply: u16) {
        let word = &self.ply_marks[(rank / CHUNK_RANKS) as usize][usize::from(ply >> 6 & 7)];
        let bit = 1 << (ply & 63);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        if self.last_marked_ply.load(Ordering::Relaxed) < ply.into() {
            self.last_marked_ply.fetch_max(ply.into(), Ordering::Relaxed);
        }
    }

    /// Ranks of a chunk where a value became known at this ply.
    fn events(&self, chunk: u64) -> impl Iterator<Item = u64> {
        let groups = (chunk * CHUNK_RANKS / 64) as usize..;
        let events = self.events[groups.start..].iter().take(CHUNK_RANKS as usize / 64);
        groups.zip(events).flat_map(|(group, &events)| {
            SetBits(events).map(move |bit| 64 * group as u64 + u64::from(bit))
        })
    }

    /// Looks once at the moves of every position of a chunk.
    fn count_moves(&self, chunk: u64, finished: &[Layer]) -> Result<(), Error> {
        let mut exits = Vec::new();
        for rank in self.ranks(chunk) {
            exits.clear();
            let summary = self.game.summarize_moves(self.tier, rank, &mut exits);
            let word = match summary {
                None => StateWord::HOLE,
                Some(summary) => {
                    let values = exits.iter().map(|&(tier, rank)| {
                        let layer = finished.iter().find_map(|layer| layer.value(tier, rank));
                        layer.expect("moves lead to finished tiers").before()
                    });
                    let best = values.chain(summary.best).max();
                    self.first_word(rank, best, summary.open, summary.open_ids)?
                }
            };
            self.words[rank as usize].store(word.0, Ordering::Relaxed);
        }
        Ok(())
    }

    /// First word of a position whose best move out of the tier has value `best`.
    fn first_word(
        &self,
        rank: u64,
        best: Option<Value>,
        open: u8,
        open_ids: u8,
    ) -> Result<StateWord, Error> {
        let exit_count = u8::from(best.is_some());
        if open > MAX_OPEN_MOVES - exit_count {
            return Err(Error::TooManyMoves((MAX_OPEN_MOVES - exit_count).into()));
        }
        let code = best.and_then(|best| self.codes.find(best)).unwrap_or(0);
        let plies = best.and_then(Value::remoteness);
        if let Some(plies) = plies {
            self.mark(rank, plies);
        }
        let word = StateWord::new(OPEN, 0, code, open_ids, open + exit_count);
        if plies.is_none() && word.may_change_at_ply_end() {
            self.mark(rank, 0);
        }
        Ok(word)
    }

    /// Draws the conclusions of a ply in all marked chunks. Repeating it changes nothing.
    fn end_ply(
        &mut self,
        point: ResumePoint,
        now: PlyCodes,
        after: &mut AfterBatch<'_>,
    ) -> Result<PlyOutcomes, Error> {
        let seen = PlyOutcomes::default();
        let batches = self.ply_marks.len().div_ceil(CHUNKS_PER_REPORT as usize);
        for batch in 0..batches {
            let groups = self.groups(batch, now.ply);
            groups.for_each(|(words, events)| *events = end_words(words, now, &seen));
            after(self, point, "solving", self.ranks_propagated())?;
        }
        Ok(seen)
    }

    /// Words of a batch in chunks marked for a ply: groups of 64, each with its events.
    fn groups(
        &mut self,
        batch: usize,
        ply: u16,
    ) -> impl ParallelIterator<Item = (&mut [AtomicU32], &mut u64)> {
        const BATCH: usize = (CHUNKS_PER_REPORT * CHUNK_RANKS) as usize;
        const OF_CHUNK: usize = CHUNK_RANKS as usize / 64;
        let ranks = batch * BATCH..self.words.len().min((batch + 1) * BATCH);
        let chunks = &self.ply_marks[batch * CHUNKS_PER_REPORT as usize..];
        let events = &mut self.events[ranks.start / 64..ranks.end.div_ceil(64)];
        let words = self.words[ranks].par_chunks_mut(64);
        words
            .zip(events)
            .enumerate()
            .filter(move |(group, _)| is_marked(&chunks[group / OF_CHUNK], ply))
            .map(|(_, group)| group)
    }

    /// Finds the events of a ply whose conclusions are drawn.
    fn find_events(&mut self, now: PlyCodes) {
        for batch in 0..self.ply_marks.len().div_ceil(CHUNKS_PER_REPORT as usize) {
            self.groups(batch, now.ply).for_each(|(words, events)| {
                let is_event =
                    |word: &mut AtomicU32| decided_now(StateWord(*word.get_mut()), now).is_some();
                let bits = words.iter_mut().map(is_event).enumerate();
                *events = bits.fold(0, |events, (i, is_event)| events | u64::from(is_event) << i);
            });
        }
    }

    /// Propagates the values of a chunk that became known at a ply.
    fn propagate(&self, chunk: u64, now: PlyCodes, next: PlyCodes) {
        if !is_marked(&self.ply_marks[chunk as usize], now.ply) {
            return;
        }
        let mut values_propagated = 0;
        let mut moves = Vec::with_capacity(2 * BATCH_MOVES);
        let mut edges: Vec<InEdge> = Vec::new();
        for rank in self.events(chunk) {
            let word = self.word(rank);
            let Some(DecidedNow { value, without_best }) = decided_now(word, now) else {
                continue;
            };
            let best = word.best_move();
            let both = value.is_some() && (best == 0 || without_best.is_some());
            values_propagated += 1 + u64::from(both);
            edges.clear();
            self.game.edges_to(self.tier, rank, &mut edges);
            moves.extend(edges.iter().filter_map(|edge| {
                let forbids_best = best != 0 && edge.forbids == best;
                let won = if forbids_best { without_best } else { value };
                won.map(|leads_to_win| DecidedMove {
                    rank: edge.rank,
                    move_id: edge.move_id,
                    leads_to_win,
                })
            }));
            if moves.len() >= BATCH_MOVES {
                self.apply(&mut moves, next);
            }
        }
        self.apply(&mut moves, next);
        self.values_propagated.fetch_add(values_propagated, Ordering::Relaxed);
    }

    /// Applies moves to the words of their positions. Marks the chunks of changed words for ply
    /// `next`.
    fn apply(&self, moves: &mut Vec<DecidedMove>, next: PlyCodes) {
        // Locked instructions wait for one another, loads do not. So loads fetch the cache lines
        // first.
        let touch = moves.iter().fold(0, |sum, mv| sum ^ self.word(mv.rank).0);
        std::hint::black_box(touch);
        for mv in moves.drain(..) {
            let change = |word: StateWord| {
                if mv.leads_to_win {
                    word.with_loss(mv.move_id, next.loss)
                } else {
                    word.with_win(mv.move_id, next.win, next.loss)
                }
            };
            let changed = |word| {
                let after = change(StateWord(word));
                (after.0 != word).then_some(after.0)
            };
            let word = &self.words[mv.rank as usize];
            if let Ok(before) = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed) {
                let after = change(StateWord(before));
                if after.may_change_at_ply_end() || decided_now(after, next).is_some() {
                    self.mark(mv.rank, next.ply);
                }
            }
        }
    }
}

/// True if a chunk is marked for a ply.
fn is_marked(plies: &[AtomicU64; 8], ply: u16) -> bool {
    plies[usize::from(ply >> 6 & 7)].load(Ordering::Relaxed) >> (ply & 63) & 1 == 1
}

/// Words compared side by side.
const LANES: usize = 16;

/// Draws the conclusions of a ply for 64 words. Returns a bit for each where a value became known.
fn end_words(words: &mut [AtomicU32], now: PlyCodes, seen: &PlyOutcomes) -> u64 {
    let patterns = FieldPatterns::new(now);
    let mut events = 0;
    for (group, words) in words.chunks_mut(LANES).enumerate() {
        let mut copies = [StateWord::HOLE.0; LANES];
        for (copy, word) in copies.iter_mut().zip(words.iter_mut()) {
            *copy = *word.get_mut();
        }
        let matches = patterns.matches(&copies);
        if matches == [0; LANES] {
            continue;
        }
        for (i, word) in words.iter_mut().enumerate() {
            if matches[i] == 0 {
                continue;
            }
            let after = StateWord(copies[i]).at_end_of_ply(now.win, now.loss);
            *word.get_mut() = after.0;
            if let Some(found) = decided_now(after, now) {
                events |= 1 << (LANES * group + i);
                seen.add(found);
            }
        }
    }
    events
}

/// Codes of a ply, shifted to the fields of a word.
struct FieldPatterns {
    values: [u32; 2],
    others: [u32; 2],
}

impl FieldPatterns {
    fn new(now: PlyCodes) -> Self {
        // The pattern `u32::MAX` is greater than any field, so it never matches.
        let pattern = |code: u16| if code == 0 { u32::MAX } else { code.into() };
        let values = [pattern(now.win), pattern(now.loss)];
        Self { values, others: values.map(|pattern| pattern.saturating_mul(1 << 9)) }
    }

    /// Nonzero for each word that the end of the ply may change, or that names a value of the ply.
    /// Branch-free, so that the words are compared in SIMD lanes.
    #[inline]
    fn matches(&self, words: &[u32; LANES]) -> [u32; LANES] {
        words.map(|word| {
            let (value, other) = (word & 0x1FF, word & 0x1FF << 9);
            let [a, b] = self.values.map(|pattern| u32::from(value == pattern));
            let [c, d] = self.others.map(|pattern| u32::from(other == pattern));
            a | b | c | d | u32::from(StateWord(word).may_change_at_ply_end())
        })
    }
}

/// Returns the values of a word that became known at the ply.
#[inline]
fn decided_now(word: StateWord, now: PlyCodes) -> Option<DecidedNow> {
    let kind = |code: u16| match code {
        0 => None,
        code if code == now.win => Some(true),
        code if code == now.loss => Some(false),
        _ => None,
    };
    if word == StateWord::HOLE {
        return None;
    }
    if word.stage() == OPEN {
        return None;
    }
    let found = DecidedNow {
        value: kind(word.value()),
        without_best: word.value_without_best().and_then(kind),
    };
    (found != DecidedNow::default()).then_some(found)
}
