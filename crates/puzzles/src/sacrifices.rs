//! Counting all states of a layer in which the player to move wins only by a sacrifice, a rank at a time:
//! most are passed over by a look at their value, most others because nothing that is given up wins.

use std::collections::BTreeMap;
use std::ops::Range;

use hindsight_core::{ForbiddenMove, Game, Material, Probe, Ranked, Value};
use hindsight_tablebase::StateLayer;
use rayon::prelude::*;

use crate::choice::{Error, ErrorOf, choices};
use crate::wanted::Unique;

type BaseOf<G> = <G as ForbiddenMove>::Base;
type BasePosition<G> = <BaseOf<G> as Game>::Position;
type BaseMove<G> = <BaseOf<G> as Game>::Move;

/// How many states there are in which the player to move wins only by a sacrifice.
///
/// A state is a position up to symmetry with the move that is forbidden in it, or none, that some move leads
/// to. States that win at once are never among them: a move that ends the game gives nothing up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SacrificeCounts {
    /// Positions with nothing forbidden, whether or not a move leads to them, in which every winning move
    /// gives up a piece.
    pub positions: u64,
    /// States in which every winning move gives up a piece.
    pub states: u64,
    /// Of these states, those with exactly one winning move.
    pub only_move: u64,
    /// Those with exactly one quickest.
    pub only_first: u64,
    /// Those whose line is the only one ([`Unique::Line`]).
    pub only_line: u64,
    /// States in which every quickest winning move gives up a piece; slower ones need not.
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

/// A layer in memory, and those that moves from it lead to.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'a> {
    /// The states of the layer.
    pub layer: &'a StateLayer,
    /// Of the earlier ones, the values with nothing forbidden.
    pub before: &'a [StateLayer],
}

/// A move that wins.
#[derive(Clone, Copy)]
struct Winner {
    plies: u16,
    gives_up: bool,
    /// Its number where it is made, or 0.
    way: u8,
}

/// What some ranks have.
#[derive(Clone, Debug)]
pub struct Given<P> {
    /// Counts by plies to the end.
    pub counts: BTreeMap<u16, SacrificeCounts>,
    /// The states in which every winning move gives up a piece, by rank; of a rank, that with nothing forbidden
    /// first.
    pub states: Vec<P>,
}

impl<P> Default for Given<P> {
    fn default() -> Self {
        Self {
            counts: BTreeMap::new(),
            states: Vec::new(),
        }
    }
}

impl<P> Given<P> {
    /// Adds what later ranks have.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        for (plies, counts) in &other.counts {
            self.counts.entry(*plies).or_default().add(counts);
        }
        self.states.extend(other.states);
        self
    }
}

/// Ranks that a thread takes at a time.
const CHUNK: u64 = 1 << 12;

/// Finds and counts the states of some ranks of a layer. Moves that give up a piece must leave
/// the layer, and forbid nothing. `open` opens the table for a thread; it is asked about lines only.
///
/// # Errors
/// When a value cannot be read, or values do not agree.
pub fn sacrifices<G: ForbiddenMove<Base: Material>, S: Probe<G>>(
    game: &G,
    layers: Layers<'_>,
    ranks: Range<u64>,
    open: impl Fn() -> S + Sync,
) -> Result<Given<G::Position>, ErrorOf<G, S>>
where
    S::Error: Send,
{
    let chunks = (ranks.start / CHUNK..ranks.end.div_ceil(CHUNK)).into_par_iter();
    let count = |solution: &mut S, chunk: u64| {
        let mut search = Search {
            game,
            layers,
            given: Given::default(),
            moves: Vec::new(),
        };
        let (first, end) = (chunk * CHUNK, (chunk + 1) * CHUNK);
        for rank in first.max(ranks.start)..end.min(ranks.end) {
            if let Some((base, winners)) = search.winners(rank)? {
                search.count(rank, base, &winners, solution)?;
            }
        }
        Ok(search.given)
    };
    chunks
        .map_init(&open, count)
        .try_reduce(Given::default, |sum, part| Ok(sum.merged(part)))
}

struct Search<'a, G: ForbiddenMove> {
    game: &'a G,
    layers: Layers<'a>,
    given: Given<G::Position>,
    /// Of the rank that is looked at.
    moves: Vec<BaseMove<G>>,
}

/// The position at a rank with the moves that win there.
type Won<G> = (BasePosition<G>, Vec<Winner>);

impl<G: ForbiddenMove<Base: Material>> Search<'_, G> {
    /// The position at a rank and its winning moves, where one of them gives up a piece and none wins at
    /// once.
    fn winners<E: std::error::Error>(&mut self, rank: u64) -> Result<Option<Won<G>>, Error<E>> {
        // A state is worth at most what its position is.
        let Some(Value::Win(plies @ 2..)) = self.layers.layer.value(rank) else {
            return Ok(None);
        };
        let base = self.game.base();
        let position = base
            .unrank(self.layers.layer.tier(), rank)
            .ok_or(Error::Inconsistent)?;
        self.moves.clear();
        base.moves(position, &mut self.moves);
        let mut winners = Vec::new();
        for &mv in &self.moves {
            if base.gives_up(position, mv) {
                winners.extend(self.winner(position, mv, true)?);
            }
        }
        // A state is worth what its position is, or what that is without its only best move. Where nothing
        // given up wins as fast as that, something else does.
        let Some(quickest) = winners.iter().map(|winner| winner.plies).min() else {
            return Ok(None);
        };
        let without = self
            .layers
            .layer
            .exception(rank)
            .map(|(_, without)| without);
        if quickest != plies && without != Some(Value::Win(quickest)) {
            return Ok(None);
        }
        for &mv in &self.moves {
            if !base.gives_up(position, mv) {
                winners.extend(self.winner(position, mv, false)?);
            }
        }
        Ok(Some((position, winners)))
    }

    /// A move, if it wins.
    fn winner<E: std::error::Error>(
        &self,
        position: BasePosition<G>,
        mv: BaseMove<G>,
        gives_up: bool,
    ) -> Result<Option<Winner>, Error<E>> {
        let value = self.value(position, mv).ok_or(Error::Inconsistent)?;
        let Value::Win(plies) = value.before() else {
            return Ok(None);
        };
        Ok(Some(Winner {
            plies,
            gives_up,
            way: self.game.move_id(position, mv),
        }))
    }

    /// What a move leads to.
    fn value(&self, position: BasePosition<G>, mv: BaseMove<G>) -> Option<Value> {
        let (game, base) = (self.game, self.game.base());
        let next = base.play(position, mv);
        if let Some(wdl) = base.terminal(next) {
            return Some(Value::terminal(wdl));
        }
        let state = game.encode(next, game.forbidden_after(position, mv));
        let (tier, rank, way) = game.rank_state(state)?;
        let Layers { layer, before } = self.layers;
        if tier == layer.tier() {
            return layer.state(rank, way);
        }
        let layer = before.iter().find(|layer| layer.tier() == tier)?;
        if way == 0 { layer.value(rank) } else { None }
    }

    /// Counts the position at a rank and its states.
    fn count<S: Probe<G>>(
        &mut self,
        rank: u64,
        position: BasePosition<G>,
        winners: &[Winner],
        solution: &S,
    ) -> Result<(), ErrorOf<G, S>> {
        if let Some((plies, _)) = counted(winners).filter(|(_, counts)| counts.states > 0) {
            self.given.counts.entry(plies).or_default().positions += 1;
        }
        let mut ways = Vec::new();
        if self.game.reached_unrestricted(position) {
            ways.push(0);
        }
        self.game
            .forbidden_ids(self.layers.layer.tier(), rank, &mut ways);
        for way in ways {
            let left = winners
                .iter()
                .filter(|winner| way == 0 || winner.way != way);
            let left: Vec<Winner> = left.copied().collect();
            let Some((plies, mut counts)) = counted(&left) else {
                continue;
            };
            if counts.states > 0 {
                let state = self.state(position, way);
                self.given.states.push(state);
                counts.only_line =
                    (counts.only_first > 0 && self.is_only_line(state, solution)?).into();
            }
            self.given.counts.entry(plies).or_default().add(&counts);
        }
        Ok(())
    }

    /// The position that is looked at with a way forbidden.
    fn state(&self, position: BasePosition<G>, way: u8) -> G::Position {
        let forbidden = |&&mv: &&BaseMove<G>| way != 0 && self.game.move_id(position, mv) == way;
        let forbidden = self.moves.iter().find(forbidden).copied();
        self.game.encode(position, forbidden)
    }

    /// Whether the line from a state is the only one.
    fn is_only_line<S: Probe<G>>(
        &self,
        state: G::Position,
        solution: &S,
    ) -> Result<bool, ErrorOf<G, S>> {
        let choices = choices(self.game, solution, state)?;
        Unique::Line.holds(self.game, solution, &choices)
    }
}

/// What a state with these winning moves counts as, but for its line; `None` if no quickest win gives up anything.
fn counted(winners: &[Winner]) -> Option<(u16, SacrificeCounts)> {
    let plies = winners.iter().map(|winner| winner.plies).min()?;
    let quickest = || winners.iter().filter(|winner| winner.plies == plies);
    let only_by = winners.iter().all(|winner| winner.gives_up);
    let counts = SacrificeCounts {
        positions: 0,
        states: only_by.into(),
        only_move: (only_by && winners.len() == 1).into(),
        only_first: (only_by && quickest().count() == 1).into(),
        only_line: 0,
        quickest: quickest().all(|winner| winner.gives_up).into(),
    };
    (counts.quickest > 0).then_some((plies, counts))
}
