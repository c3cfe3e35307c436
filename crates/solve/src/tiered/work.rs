//! Solve of one tier by its frontiers.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use hindsight_core::{
    Game, MoveSummary, Packed, PackedGame, RankSummaries, RankSummary, Ranked, Retro, Tiers, Value,
};
use hindsight_engine::{Error, FIRST_VALUE_CODE, HOLE, Known, Layer, Pace, TierCodes, parallel};

use super::finished::{layer_with_tier, value_at};
use super::unfinished::UnfinishedLayer;

/// Ranks that one thread handles at a time.
const CHUNK_RANKS: u64 = 1 << 14;
/// Most chunks between two calls of the monitor.
const CHUNKS_PER_REPORT: u64 = 64;
/// As [`CHUNKS_PER_REPORT`], of rules that live outside.
const SLOW_CHUNKS_PER_REPORT: u64 = 4;
/// Data shared by the threads of a solve.
pub(super) struct TierContext<'a> {
    pub(super) game: &'a PackedGame,
    pub(super) codes: &'a TierCodes,
    pub(super) finished: &'a [Layer],
    /// True if moves to layers that are not finished do not count. Otherwise there are none.
    pub(super) ignores_missing_layers: bool,
}

/// A tier being solved: two bytes per rank.
///
/// The two bytes of a position are [`Known`].
struct TierWork<'a> {
    context: &'a TierContext<'a>,
    tier: u64,
    len: u64,
    codes: Vec<AtomicU8>,
    counts: Vec<AtomicU8>,
    /// For each chunk, a bit set of the remotenesses modulo 256 that its codes may have.
    ply_marks: Vec<[AtomicU64; 4]>,
    /// The greatest remoteness of a code.
    max_plies: AtomicU32,
    /// Ranks whose values are known to be final.
    decided: AtomicU64,
}

/// Callback with the phase, the ranks done and all ranks of this phase. An error stops the work.
pub(super) type TierProgress<'a> = dyn FnMut(&'static str, u64, u64) -> Result<(), Error> + 'a;

/// Solves a tier and returns the codes of its ranks. Resumes from `unfinished`. Stores the state
/// there on [`Error::Stopped`], but not on other errors.
#[inline]
pub(super) fn solve_tier(
    context: &TierContext<'_>,
    tier: u64,
    unfinished: &mut Option<UnfinishedLayer>,
    report: &mut TierProgress<'_>,
) -> Result<Vec<u8>, Error> {
    let (work, mut point) = match unfinished.take() {
        None => (TierWork::new(context, tier), PassPoint::default()),
        Some(unfinished) => TierWork::restore(context, tier, unfinished)?,
    };
    let solved = work.run(&mut point, report);
    context.game.leave_tier(tier);
    let plain = |bytes: Vec<AtomicU8>| bytes.into_iter().map(AtomicU8::into_inner).collect();
    if let Err(Error::Stopped) = solved {
        *unfinished = Some(UnfinishedLayer {
            layer: 0,
            pass: point.pass,
            done: work.len.min(point.chunk * CHUNK_RANKS),
            meaning: context.codes.assigned(),
            codes: plain(work.codes),
            counts: plain(work.counts),
        });
        return Err(Error::Stopped);
    }
    solved?;
    Ok(plain(work.codes))
}

/// Work on one chunk, on any thread.
type ChunkAction<'a> = dyn Fn(u64) -> Result<(), Error> + Sync + 'a;

/// Progress of a solve: the pass, and the first chunk that it has not handled.
#[derive(Clone, Copy, Default)]
struct PassPoint {
    pass: u32,
    chunk: u64,
}

impl<'a> TierWork<'a> {
    #[inline]
    fn new(context: &'a TierContext<'a>, tier: u64) -> Self {
        let len = context.game.tier_len(tier);
        let zeros = || (0..len).map(|_| AtomicU8::new(0)).collect();
        Self::with(context, tier, zeros(), zeros())
    }

    #[inline]
    fn with(
        context: &'a TierContext<'a>,
        tier: u64,
        codes: Vec<AtomicU8>,
        counts: Vec<AtomicU8>,
    ) -> Self {
        let len = codes.len() as u64;
        Self {
            context,
            tier,
            len,
            codes,
            counts,
            ply_marks: (0..len.div_ceil(CHUNK_RANKS)).map(|_| Default::default()).collect(),
            max_plies: AtomicU32::new(0),
            decided: AtomicU64::new(0),
        }
    }

    /// Restores the work as it was stopped.
    #[inline]
    fn restore(
        context: &'a TierContext<'a>,
        tier: u64,
        unfinished: UnfinishedLayer,
    ) -> Result<(Self, PassPoint), Error> {
        let len = context.game.tier_len(tier);
        let UnfinishedLayer { codes, counts, .. } = unfinished;
        let known = unfinished.meaning.len() + FIRST_VALUE_CODE;
        let plies = unfinished.meaning.iter().map(|(value, _)| value.remoteness());
        let longest = plies.max().flatten().unwrap_or(0);
        let fits = codes.len() as u64 == len
            && counts.len() as u64 == len
            && unfinished.done <= len
            && (unfinished.done.is_multiple_of(CHUNK_RANKS) || unfinished.done == len)
            // The last frontier is propagated, then the solve ends.
            && unfinished.pass <= u32::from(longest) + 2
            && codes.iter().all(|&code| usize::from(code) < known);
        if !fits {
            return Err(Error::damaged("a stopped layer does not fit its game"));
        }
        context.codes.restore(&unfinished.meaning)?;
        let shared_bytes = |bytes: Vec<u8>| bytes.into_iter().map(AtomicU8::new).collect();
        let work = Self::with(context, tier, shared_bytes(codes), shared_bytes(counts));
        let point =
            PassPoint { pass: unfinished.pass, chunk: unfinished.done.div_ceil(CHUNK_RANKS) };
        let chunks = 0..work.ply_marks.len() as u64;
        if !parallel::all(chunks.clone(), &|chunk| work.is_sound(chunk, point)) {
            return Err(Error::damaged("a stopped layer has values where its game has none"));
        }
        parallel::each(chunks, &|chunk| work.mark_chunk(chunk));
        Ok((work, point))
    }

    /// True if the codes of a chunk can belong to its ranks.
    ///
    /// Invariant: a rank has a code exactly if it has a position that was looked at. Its code is
    /// settled exactly if the rules give its value at once.
    #[inline]
    fn is_sound(&self, chunk: u64, point: PassPoint) -> bool {
        let game = self.context.game;
        let mut positions = Vec::new();
        if point.pass > 0 || chunk < point.chunk {
            game.unrank_range(self.tier, self.ranks(chunk), &mut positions);
        }
        let code = |rank: u64| self.codes[rank as usize].load(Ordering::Relaxed);
        let given = self.ranks(chunk).filter(|&rank| code(rank) != HOLE);
        let codes = self.context.codes;
        given.count() == positions.len()
            && positions.iter().all(|&(rank, position)| {
                match terminal_or_immediate_value(game, position) {
                    // Their values are propagated as others are.
                    Some(value) if game.is_outside() => {
                        codes.code_for(value, false).is_ok_and(|given| given == code(rank))
                    }
                    Some(value) => {
                        codes.code_for(value, true).is_ok_and(|given| given == code(rank))
                    }
                    None => code(rank) != HOLE && !codes.is_settled(code(rank)),
                }
            })
    }

    /// Marks the remotenesses that the codes of a chunk have.
    #[inline]
    fn mark_chunk(&self, chunk: u64) {
        for rank in self.ranks(chunk) {
            let code = self.codes[rank as usize].load(Ordering::Relaxed);
            let value = self.context.codes.value(code);
            if let Some(plies) = value.and_then(Value::remoteness) {
                self.set_code(rank, code, plies);
            }
        }
    }

    /// Runs all passes from `point` on.
    #[inline]
    fn run(&self, point: &mut PassPoint, report: &mut TierProgress<'_>) -> Result<(), Error> {
        if point.pass == 0 {
            self.run_pass("counting", point, report, &|chunk| self.count_moves(chunk))?;
        }
        while point.pass <= self.max_plies.load(Ordering::Relaxed) + 1 {
            let ply = point.pass as u16 - 1;
            self.run_pass("solving", point, report, &|chunk| self.propagate(chunk, ply))?;
        }
        self.run_pass("solving", point, report, &|chunk| self.finish_chunk(chunk))
    }

    /// Runs one pass from the chunk of `point` on.
    #[inline]
    fn run_pass(
        &self,
        phase: &'static str,
        point: &mut PassPoint,
        report: &mut TierProgress<'_>,
        process: &ChunkAction<'_>,
    ) -> Result<(), Error> {
        let chunks = self.ply_marks.len() as u64;
        let is_slow = self.context.game.is_outside();
        let most = if is_slow { SLOW_CHUNKS_PER_REPORT } else { CHUNKS_PER_REPORT };
        let mut pace = Pace::new(most);
        while point.chunk < chunks {
            let end = chunks.min(point.chunk + pace.portion());
            if end - point.chunk == 1 {
                process(point.chunk)?;
            } else {
                parallel::try_each(point.chunk..end, process)?;
            }
            point.chunk = end;
            let done = match point.pass {
                0 => end * CHUNK_RANKS,
                _ => self.decided.load(Ordering::Relaxed),
            };
            report(phase, self.len.min(done), self.len)?;
        }
        *point = PassPoint { pass: point.pass + 1, chunk: 0 };
        Ok(())
    }

    #[inline]
    fn ranks(&self, chunk: u64) -> Range<u64> {
        chunk * CHUNK_RANKS..self.len.min((chunk + 1) * CHUNK_RANKS)
    }

    /// Writes the code of a value that becomes final at remoteness `plies`.
    #[inline]
    fn set_code(&self, rank: u64, code: u8, plies: u16) {
        self.codes[rank as usize].store(code, Ordering::Relaxed);
        let word = &self.ply_marks[(rank / CHUNK_RANKS) as usize][usize::from(plies >> 6 & 3)];
        let bit = 1 << (plies & 63);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        if self.max_plies.load(Ordering::Relaxed) < plies.into() {
            self.max_plies.fetch_max(plies.into(), Ordering::Relaxed);
        }
    }

    /// Looks once at the moves of every position of a chunk.
    #[inline]
    fn count_moves(&self, chunk: u64) -> Result<(), Error> {
        let ranks = self.ranks(chunk);
        let mut settled = ranks.end - ranks.start;
        self.context.each_summary(self.tier, ranks, &mut |summary| {
            match summary.value {
                Some(value) => {
                    let code = self.context.codes.code_for(value, true)?;
                    self.codes[summary.rank as usize].store(code, Ordering::Relaxed);
                }
                None => {
                    settled -= 1;
                    self.init_position(summary.rank, summary.moves)?;
                }
            }
            Ok(())
        })?;
        self.decided.fetch_add(settled, Ordering::Relaxed);
        Ok(())
    }

    #[inline]
    fn init_position(&self, rank: u64, summary: MoveSummary) -> Result<(), Error> {
        let known = self.context.codes.begin(summary)?;
        self.counts[rank as usize].store(known.count, Ordering::Relaxed);
        match summary.best.and_then(Value::remoteness) {
            None => self.codes[rank as usize].store(known.code, Ordering::Relaxed),
            Some(plies) => self.set_code(rank, known.code, plies),
        }
        Ok(())
    }

    /// Returns what is known of a rank.
    #[inline]
    fn known(&self, rank: u64, code: u8) -> Known {
        Known { code, count: self.counts[rank as usize].load(Ordering::Relaxed) }
    }

    /// Propagates the values of a chunk that become final at `ply` to their predecessors.
    #[inline]
    fn propagate(&self, chunk: u64, ply: u16) -> Result<(), Error> {
        let marks =
            self.ply_marks[chunk as usize][usize::from(ply >> 6 & 3)].load(Ordering::Relaxed);
        if marks >> (ply & 63) & 1 == 0 {
            return Ok(());
        }
        let codes = self.context.codes.at_ply(ply);
        let mut frontier = Frontier::default();
        let mut decided = 0;
        for rank in self.ranks(chunk) {
            let code = self.codes[rank as usize].load(Ordering::Relaxed);
            if !codes.has(code) {
                continue;
            }
            let Some(won) = codes.decided(self.known(rank, code)) else {
                continue;
            };
            decided += 1;
            if won { &mut frontier.won } else { &mut frontier.lost }.push(rank);
            if frontier.won.len() + frontier.lost.len() >= FRONTIER_PER_BATCH {
                self.propagate_frontier(&mut frontier, ply)?;
            }
        }
        self.decided.fetch_add(decided, Ordering::Relaxed);
        self.propagate_frontier(&mut frontier, ply)
    }

    /// Propagates the values of positions that become final at `ply`, and forgets them.
    #[inline]
    fn propagate_frontier(&self, frontier: &mut Frontier, ply: u16) -> Result<(), Error> {
        let (game, tier) = (self.context.game, self.tier);
        game.predecessors_of_ranks(tier, &frontier.won, &mut frontier.updates.losing_move);
        game.predecessors_of_ranks(tier, &frontier.lost, &mut frontier.updates.winning_move);
        frontier.won.clear();
        frontier.lost.clear();
        self.apply(&mut frontier.updates, ply)
    }

    #[inline]
    fn apply(&self, updates: &mut PredecessorBatch, ply: u16) -> Result<(), Error> {
        // Locked instructions wait for one another, loads do not. So loads fetch the cache lines
        // first.
        let touch = |bytes: &[AtomicU8], ranks: &[u64]| {
            ranks.iter().fold(0_u8, |sum, &rank| sum ^ bytes[rank as usize].load(Ordering::Relaxed))
        };
        std::hint::black_box(touch(&self.counts, &updates.losing_move));
        let next = ply + 1;
        for rank in updates.losing_move.drain(..) {
            if self.counts[rank as usize].fetch_sub(1, Ordering::Relaxed) == 1 {
                self.set_loss(rank, next)?;
            }
        }
        if updates.winning_move.is_empty() {
            return Ok(());
        }
        let code = self.context.codes.code_for(Value::Win(next), false)?;
        std::hint::black_box(touch(&self.codes, &updates.winning_move));
        for rank in updates.winning_move.drain(..) {
            let known = self.codes[rank as usize].load(Ordering::Relaxed);
            if self.context.codes.improves(code, next, known) {
                self.set_code(rank, code, next);
            }
        }
        Ok(())
    }

    /// Records that the last open move lost, at ply `next`.
    #[inline]
    fn set_loss(&self, rank: u64, next: u16) -> Result<(), Error> {
        let known = self.codes[rank as usize].load(Ordering::Relaxed);
        let (code, plies) = self.context.codes.lost(known, next)?;
        self.set_code(rank, code, plies);
        Ok(())
    }

    /// Turns undecided positions of a chunk into draws.
    #[inline]
    fn finish_chunk(&self, chunk: u64) -> Result<(), Error> {
        for rank in self.ranks(chunk) {
            let code = &self.codes[rank as usize];
            let known = self.known(rank, code.load(Ordering::Relaxed));
            if known.count != 0 {
                code.store(self.context.codes.finish(known), Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// Ranks of predecessors, collected for a batch of memory accesses.
#[derive(Default)]
struct PredecessorBatch {
    /// Predecessors of positions won at the ply: one open move of each loses.
    losing_move: Vec<u64>,
    /// Predecessors of positions lost at the ply: each has a winning move.
    winning_move: Vec<u64>,
}

/// Ranks whose values become final at one ply, collected for a batch.
#[derive(Default)]
struct Frontier {
    won: Vec<u64>,
    lost: Vec<u64>,
    updates: PredecessorBatch,
}

/// Ranks per batch of a frontier.
const FRONTIER_PER_BATCH: usize = 64;
/// Ranks whose moves are summarized by one call.
const RANKS_PER_SUMMARY: usize = 1 << 10;

/// Returns the value of a position that is known without its successors.
#[inline]
pub(crate) fn terminal_or_immediate_value(game: &PackedGame, position: Packed) -> Option<Value> {
    match game.terminal(position) {
        Some(wdl) => Some(Value::terminal(wdl)),
        None => game.immediate_value(position),
    }
}

/// Class of a successor before its predecessor's tier is solved.
enum SuccessorClass {
    Valued(Value),
    InTier,
    /// Tier and rank in a finished layer.
    Exit((u64, u64)),
    /// Not a position of the reduced game.
    Absent,
}

impl TierContext<'_> {
    /// Classifies a successor of a position of `tier`.
    #[inline]
    fn classify(&self, tier: u64, position: Packed) -> SuccessorClass {
        let absent = |other| other != tier && layer_with_tier(self.finished, other).is_none();
        if self.ignores_missing_layers && self.game.tier(position).is_some_and(absent) {
            return SuccessorClass::Absent;
        }
        if let Some(value) = terminal_or_immediate_value(self.game, position) {
            return SuccessorClass::Valued(value);
        }
        if self.game.tier(position) == Some(tier) {
            return SuccessorClass::InTier;
        }
        SuccessorClass::Exit(self.game.rank(position).expect("a position has a rank"))
    }

    /// Appends the summaries of the moves from some ranks of a tier, with exits that lead to
    /// finished layers.
    #[inline]
    fn summarize(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        if !self.ignores_missing_layers {
            return self.game.summarize_ranks(tier, ranks, out);
        }
        let (mut positions, mut successors) = (Vec::new(), Vec::new());
        self.game.unrank_range(tier, ranks, &mut positions);
        for (rank, position) in positions {
            let value = terminal_or_immediate_value(self.game, position);
            let (mut moves, first_exit) = (MoveSummary::default(), out.exits.len());
            if value.is_none() {
                successors.clear();
                self.game.successors(position, &mut successors);
                for &successor in &successors {
                    match self.classify(tier, successor) {
                        SuccessorClass::Valued(value) => {
                            moves.best = moves.best.max(Some(value.before()));
                        }
                        SuccessorClass::InTier => moves.open += 1,
                        SuccessorClass::Exit(address) => out.exits.push(address),
                        SuccessorClass::Absent => {}
                    }
                }
            }
            let exits = (out.exits.len() - first_exit) as u32;
            out.ranks.push(RankSummary { rank, value, moves, exits });
        }
    }

    /// Calls `visit` with the summary of each position at some ranks of a tier, exits included,
    /// before the tier is solved.
    #[inline]
    fn each_summary(
        &self,
        tier: u64,
        ranks: Range<u64>,
        visit: &mut dyn FnMut(RankSummary) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut summaries = RankSummaries::default();
        for begin in ranks.clone().step_by(RANKS_PER_SUMMARY) {
            summaries.clear();
            let end = ranks.end.min(begin + RANKS_PER_SUMMARY as u64);
            self.summarize(tier, begin..end, &mut summaries);
            let mut exits = summaries.exits.iter();
            for &(mut summary) in &summaries.ranks {
                for &(tier, rank) in exits.by_ref().take(summary.exits as usize) {
                    let value = value_at(self.finished, tier, rank).before();
                    summary.moves.best = summary.moves.best.max(Some(value));
                }
                visit(summary)?;
            }
        }
        Ok(())
    }

    /// True if some exit of a tier has another value by `other`.
    #[inline]
    pub(super) fn exits_differ(&self, other: &Self, tier: u64) -> bool {
        let len = self.game.tier_len(tier);
        let summaries = |context: &Self, chunk: u64| {
            let ranks = chunk * CHUNK_RANKS..len.min((chunk + 1) * CHUNK_RANKS);
            let mut moves = Vec::new();
            let listed = context.each_summary(tier, ranks, &mut |summary| {
                moves.push(summary.moves);
                Ok(())
            });
            listed.expect("listing cannot fail");
            moves
        };
        let is_same = |chunk| summaries(self, chunk) == summaries(other, chunk);
        !parallel::all(0..len.div_ceil(CHUNK_RANKS), &is_same)
    }
}
