//! Counts the states of a layer that the side to move wins only by a sacrifice, rank by rank.
//!
//! Most ranks are skipped by their value alone, most others because no sacrifice is among their
//! quickest wins. For the few that are left, lines are followed in the table on disk. No other file
//! of the crate knows layers of a table.

use std::collections::BTreeMap;
use std::ops::Range;

use hindsight_core::{
    ForbiddenMove, Game, Packed, PackedGame, PackedMove, Probe, Ranked, States, Value,
};
use hindsight_tablebase::StateLayer;
use rayon::prelude::*;

use crate::criteria::{Uniqueness, gives_up_piece};
use crate::rated_move::{PuzzleError, PuzzleErrorOf, exact_moves};

/// Number of states that the side to move wins only by a sacrifice.
///
/// A state is a position up to symmetry together with its forbidden move, or none. Only states that
/// some move leads to are counted. States won in one ply never count: a move that ends the game
/// gives up nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SacrificeCounts {
    /// Positions with no move forbidden in which every winning move gives up a piece. Positions
    /// that no move leads to are included.
    pub positions: u64,
    /// States in which every winning move gives up a piece.
    pub states: u64,
    /// Part of `states` with exactly one winning move.
    pub only_move: u64,
    /// Part of `states` with exactly one quickest win.
    pub only_first: u64,
    /// Part of `states` with a unique line ([`Uniqueness::Line`]).
    pub only_line: u64,
    /// States in which every quickest win gives up a piece; slower wins need not.
    pub quickest: u64,
}

impl SacrificeCounts {
    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.states += other.states;
        self.only_move += other.only_move;
        self.only_first += other.only_first;
        self.only_line += other.only_line;
        self.quickest += other.quickest;
    }
}

/// A layer in memory, with the layers that its moves lead to.
#[derive(Clone, Copy, Debug)]
pub struct SacrificeLayers<'a> {
    /// The states of the layer.
    pub layer: &'a StateLayer,
    /// Successor layers; only values with no move forbidden are read from them.
    pub successor_layers: &'a [StateLayer],
}

/// A move that wins.
#[derive(Clone, Copy)]
struct WinningMove {
    /// Remoteness of the win before the move.
    plies: u16,
    gives_up: bool,
    /// Identifier of the move in its position ([`ForbiddenMove::move_id`]).
    move_id: u8,
}

/// States of a range of ranks that are won only by a sacrifice, and their counts.
#[derive(Clone, Debug, Default)]
pub struct SacrificeStates {
    /// Counts by plies to the end.
    pub counts: BTreeMap<u16, SacrificeCounts>,
    /// States in which every winning move gives up a piece, by rank; of equal rank the state with
    /// no move forbidden first.
    pub states: Vec<Packed>,
}

impl SacrificeStates {
    /// Returns the union with the states of later ranks.
    #[must_use]
    pub fn merged(mut self, later: Self) -> Self {
        for (plies, counts) in &later.counts {
            self.counts.entry(*plies).or_default().add(counts);
        }
        self.states.extend(later.states);
        self
    }
}

/// Number of ranks in a unit of parallel work.
const CHUNK: u64 = 1 << 12;

/// Finds and counts the states of the ranks `ranks` of a layer.
///
/// The game must have two properties: a move that gives up a piece leads out of the layer, and it
/// forbids no move. `open` opens the table for a thread; the table is read only to follow lines.
///
/// # Errors
/// A value cannot be read, or values do not agree.
pub fn find_sacrifices<S: Probe>(
    game: &PackedGame,
    layers: SacrificeLayers<'_>,
    ranks: Range<u64>,
    open: impl Fn() -> S + Sync,
) -> Result<SacrificeStates, PuzzleErrorOf<S>>
where
    S::Error: Send,
{
    let chunks = (ranks.start / CHUNK..ranks.end.div_ceil(CHUNK)).into_par_iter();
    let search_chunk = |solution: &mut S, chunk: u64| {
        let mut search =
            SacrificeSearch { game, layers, found: SacrificeStates::default(), moves: Vec::new() };
        let (first, end) = (chunk * CHUNK, (chunk + 1) * CHUNK);
        for rank in first.max(ranks.start)..end.min(ranks.end) {
            if let Some((base, wins)) = search.winning_moves(rank)? {
                search.count(rank, base, &wins, solution)?;
            }
        }
        Ok(search.found)
    };
    chunks
        .map_init(&open, search_chunk)
        .try_reduce(SacrificeStates::default, |sum, part| Ok(sum.merged(part)))
}

struct SacrificeSearch<'a> {
    game: &'a PackedGame,
    layers: SacrificeLayers<'a>,
    found: SacrificeStates,
    /// Legal moves at the current rank, with no move forbidden.
    moves: Vec<PackedMove>,
}

/// The position at a rank with its winning moves.
type PositionWithWins = (Packed, Vec<WinningMove>);

impl SacrificeSearch<'_> {
    /// Returns the position at a rank with its winning moves.
    ///
    /// `None` if the position is not won, if a move wins at once, or if no state of the rank has a
    /// sacrifice among its quickest wins.
    fn winning_moves<E: std::error::Error>(
        &mut self,
        rank: u64,
    ) -> Result<Option<PositionWithWins>, PuzzleError<E>> {
        // A forbidden move never improves the value, so the position itself must be won. A win at
        // once is no sacrifice.
        let Some(Value::Win(plies @ 2..)) = self.layers.layer.value(rank) else {
            return Ok(None);
        };
        let base = self.game.base();
        let position =
            base.unrank(self.layers.layer.tier(), rank).ok_or(PuzzleError::Inconsistent)?;
        self.moves.clear();
        base.moves(position, &mut self.moves);
        let mut wins = Vec::new();
        for &mv in &self.moves {
            if gives_up_piece(base, position, mv) {
                wins.extend(self.winning_move(position, mv, true)?);
            }
        }
        // A state has the value of its position, or the value without the only best move. If no
        // sacrifice wins as fast as one of the two, a move that gives up nothing wins faster.
        let Some(quickest) = wins.iter().map(|win| win.plies).min() else {
            return Ok(None);
        };
        let without_best = self.layers.layer.exception(rank).map(|(_, value)| value);
        if quickest != plies && without_best != Some(Value::Win(quickest)) {
            return Ok(None);
        }
        for &mv in &self.moves {
            if !gives_up_piece(base, position, mv) {
                wins.extend(self.winning_move(position, mv, false)?);
            }
        }
        Ok(Some((position, wins)))
    }

    /// Returns a move as a winning move; `None` if the move does not win.
    fn winning_move<E: std::error::Error>(
        &self,
        position: Packed,
        mv: PackedMove,
        gives_up: bool,
    ) -> Result<Option<WinningMove>, PuzzleError<E>> {
        let successor = self.successor_value(position, mv);
        let Value::Win(plies) = successor.ok_or(PuzzleError::Inconsistent)?.before() else {
            return Ok(None);
        };
        Ok(Some(WinningMove { plies, gives_up, move_id: self.game.move_id(position, mv) }))
    }

    /// Returns the value of the successor by a move, for the side to move there.
    fn successor_value(&self, position: Packed, mv: PackedMove) -> Option<Value> {
        let (game, base) = (self.game, self.game.base());
        let next = base.play(position, mv);
        if let Some(wdl) = base.terminal(next) {
            return Some(Value::terminal(wdl));
        }
        let state = game.encode(next, game.forbidden_after(position, mv));
        let (tier, rank, forbidden_id) = game.rank_state(state)?;
        let SacrificeLayers { layer, successor_layers } = self.layers;
        if tier == layer.tier() {
            return layer.state(rank, forbidden_id);
        }
        let mut layers = successor_layers.iter();
        let layer = layers.find(|layer| layer.tier() == tier)?;
        if forbidden_id == 0 { layer.value(rank) } else { None }
    }

    /// Counts the position at a rank and its states.
    fn count<S: Probe>(
        &mut self,
        rank: u64,
        position: Packed,
        wins: &[WinningMove],
        solution: &S,
    ) -> Result<(), PuzzleErrorOf<S>> {
        if let Some((plies, _)) = counts_of_state(wins).filter(|(_, counts)| counts.states > 0) {
            self.found.counts.entry(plies).or_default().positions += 1;
        }
        let mut forbidden_ids = Vec::new();
        if self.game.reached_unrestricted(position) {
            forbidden_ids.push(0);
        }
        self.game.forbiddable_ids(self.layers.layer.tier(), rank, &mut forbidden_ids);
        for forbidden_id in forbidden_ids {
            let legal = wins.iter().filter(|win| forbidden_id == 0 || win.move_id != forbidden_id);
            let legal: Vec<WinningMove> = legal.copied().collect();
            let Some((plies, mut counts)) = counts_of_state(&legal) else {
                continue;
            };
            if counts.states > 0 {
                let state = self.state(position, forbidden_id);
                self.found.states.push(state);
                counts.only_line =
                    (counts.only_first > 0 && self.is_only_line(state, solution)?).into();
            }
            self.found.counts.entry(plies).or_default().add(&counts);
        }
        Ok(())
    }

    /// Returns the state of the current position with the given move forbidden; 0 forbids nothing.
    fn state(&self, position: Packed, forbidden_id: u8) -> Packed {
        let is_forbidden = |&&mv: &&PackedMove| {
            forbidden_id != 0 && self.game.move_id(position, mv) == forbidden_id
        };
        let forbidden = self.moves.iter().find(is_forbidden).copied();
        self.game.encode(position, forbidden)
    }

    /// Returns true if the line from a state is unique.
    fn is_only_line<S: Probe>(
        &self,
        state: Packed,
        solution: &S,
    ) -> Result<bool, PuzzleErrorOf<S>> {
        let moves = exact_moves(self.game, solution, state)?;
        Uniqueness::Line.holds(self.game, solution, &moves)
    }
}

/// Returns the remoteness and the counts of a state with these winning moves; `only_line` stays 0.
///
/// `None` without winning moves, or if a quickest win gives up nothing.
fn counts_of_state(wins: &[WinningMove]) -> Option<(u16, SacrificeCounts)> {
    let plies = wins.iter().map(|win| win.plies).min()?;
    let quickest = || wins.iter().filter(|win| win.plies == plies);
    let all_give_up = wins.iter().all(|win| win.gives_up);
    let counts = SacrificeCounts {
        positions: 0,
        states: all_give_up.into(),
        only_move: (all_give_up && wins.len() == 1).into(),
        only_first: (all_give_up && quickest().count() == 1).into(),
        only_line: 0,
        quickest: quickest().all(|win| win.gives_up).into(),
    };
    (counts.quickest > 0).then_some((plies, counts))
}
