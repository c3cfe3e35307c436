use alloc::vec::Vec;
use core::ops::Range;

use crate::{Tiers, Value};

/// Game whose positions have a dense numbering.
///
/// The trait unlocks the values of *all* positions, reachable from the start or not, and tables on
/// disk.
///
/// A position has an address `(tier, rank)`: its tier, as in [`Tiers`], and its number there.
///
/// The numbering may use symmetries that [`crate::Game::canonical`] does not use. Then not every
/// position is ranked itself, and [`Tiers::orbit_run`] counts the positions that a rank stands for.
///
/// # Laws
/// `hindsight_testkit::check_ranks` checks them on samples:
///
/// * `rank(unrank(tier, rank)) == (tier, rank)` unless the rank is a hole.
/// * Each successor of a ranked position is ranked or terminal, or has an immediate value.
///
/// # Examples
/// ```
/// # use hindsight_core::{Game, Wdl};
/// use hindsight_core::{Ranked, Tiers};
///
/// # struct TakeAway { stones: u8 }
/// # impl Game for TakeAway {
/// #     type Position = u8;
/// #     type Move = u8;
/// #     fn start(&self) -> u8 { self.stones }
/// #     fn player_to_move(&self, _left: u8) -> usize { 0 }
/// #     fn terminal(&self, left: u8) -> Option<Wdl> { (left == 0).then_some(Wdl::Loss) }
/// #     fn moves(&self, left: u8, out: &mut Vec<u8>) { out.extend(1..=left.min(2)); }
/// #     fn play(&self, left: u8, taken: u8) -> u8 { left - taken }
/// # }
/// // The game of the example of `Game`, in a single tier; the rank is the number of stones left.
/// impl Tiers for TakeAway {
///     fn tier_len(&self, _tier: u64) -> u64 {
///         u64::from(self.stones) + 1
///     }
/// }
/// impl Ranked for TakeAway {
///     fn rank(&self, left: u8) -> Option<(u64, u64)> {
///         Some((0, u64::from(left)))
///     }
///     fn unrank(&self, _tier: u64, rank: u64) -> Option<u8> {
///         u8::try_from(rank).ok()
///     }
/// }
///
/// let game = TakeAway { stones: 5 };
/// assert_eq!(game.rank(3), Some((0, 3)));
/// assert_eq!(game.unrank(0, 3), Some(3));
/// ```
pub trait Ranked: Tiers {
    /// Returns `(tier, rank)` of the ranked member of a position's class.
    ///
    /// `None` for a position that the numbering omits: it is terminal, or
    /// [`Ranked::immediate_value`] gives its value. All other positions have a rank.
    fn rank(&self, position: Self::Position) -> Option<(u64, u64)>;

    /// Appends the [`Ranked::rank`] of each position.
    ///
    /// Override it if several positions share work.
    fn rank_all(&self, positions: &[Self::Position], out: &mut Vec<Option<(u64, u64)>>) {
        out.extend(positions.iter().map(|&position| self.rank(position)));
    }

    /// Returns the tier that [`Ranked::rank`] returns. Override it if the tier alone is cheaper.
    #[inline]
    fn tier(&self, position: Self::Position) -> Option<u64> {
        self.rank(position).map(|(tier, _)| tier)
    }

    /// Returns the position of a rank; `None` for a hole.
    ///
    /// The rank must be below [`Tiers::tier_len`].
    fn unrank(&self, tier: u64, rank: u64) -> Option<Self::Position>;

    /// Appends `(rank, position)` for the ranks of the half-open range `ranks`, ascending, without
    /// holes.
    ///
    /// Override it if neighbouring ranks share work.
    #[inline]
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Self::Position)>) {
        out.extend(ranks.filter_map(|rank| Some((rank, self.unrank(tier, rank)?))));
    }

    /// Returns periods of the ranks, hints for the compression of tables; at most 65,536 each.
    ///
    /// `p` is a period if ranks that are equal modulo `p` tend to have similar values. For example,
    /// the number of deals is a period if the deal is the fastest digit of the rank. Ranks are
    /// counted through a whole layer: its tiers follow each other in ascending order.
    #[inline]
    fn rank_periods(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Returns the value of a position that is not terminal, if a cheap rule gives it.
    ///
    /// The rule must be much cheaper than a look at every successor. The value must be exact, and
    /// the same for all members of a class. The default returns `None`.
    #[inline]
    fn immediate_value(&self, _position: Self::Position) -> Option<Value> {
        None
    }

    /// Returns the value of a position that is not terminal, if a rule cheaper than a read from a
    /// table gives it.
    ///
    /// Tables omit these values. Solvers that look at every successor use only
    /// [`Ranked::immediate_value`], which this method must extend. The value must be exact, and the
    /// same for all members of a class.
    #[inline]
    fn implied_value(&self, position: Self::Position) -> Option<Value> {
        self.immediate_value(position)
    }

    /// Tells for which values [`Ranked::implied_value`] gives them.
    ///
    /// `Some(true)` if it gives the value of every position that has this value and is not
    /// terminal, `Some(false)` if of none, `None` if it depends on the position. The default
    /// returns `None`; writers of tables then ask the rule for every position.
    #[inline]
    fn is_implied(&self, _value: Value) -> Option<bool> {
        None
    }
}

/// Summary of the moves of a position before its tier is solved, for the side to move.
///
/// Moves into other tiers are not included, unless they end the game or lead to an immediate value.
/// If `best` is `Win(1)`, no other move matters, and `open` may be too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveSummary {
    /// Number of moves that stay in the tier, do not end the game, and lead to a position without
    /// an immediate value.
    pub open: u32,
    /// Value of the best move that ends the game or leads to an immediate value; `None` if no move
    /// does.
    pub best: Option<Value>,
}

/// Ranked game whose moves can be taken back.
///
/// The trait unlocks retrograde analysis without a reverse graph in memory.
pub trait Retro: Ranked {
    /// Appends the predecessors of a position inside its tier, one for each move that leads here.
    ///
    /// The default appends nothing, which is right for a game in which every move leaves its tier.
    /// `position` must be the ranked member of its class. An appended position may be any member of
    /// its own class.
    ///
    /// # Laws
    /// By ranks, `p` is a predecessor of `q` as often as `q` is a successor of `p`. Checked on
    /// samples by `hindsight_testkit::check_retro`.
    #[inline]
    fn predecessors(&self, _position: Self::Position, _out: &mut Vec<Self::Position>) {}

    /// Summarizes the moves of a position of `tier` as far as they are known before the tier is
    /// solved.
    ///
    /// The position must not be terminal and must have no immediate value. Appends each successor
    /// in another tier that is not terminal and has no immediate value; some may be missing if the
    /// position is won in one ply. Override it if there is a faster way than to play each move.
    #[inline]
    fn summarize_moves(
        &self,
        tier: u64,
        position: Self::Position,
        outside: &mut Vec<Self::Position>,
    ) -> MoveSummary {
        summary_by_moves(self, tier, position, outside)
    }

    /// Appends the ranks of all [`Retro::predecessors`] without an immediate value.
    ///
    /// Override it if predecessors share work.
    #[inline]
    fn predecessor_ranks(&self, position: Self::Position, out: &mut Vec<u64>) {
        predecessor_ranks_by_moves(self, position, out);
    }

    /// Summarizes the moves of the positions at some ranks of a tier, in their order.
    ///
    /// Batches of a hundred ranks and more make the call itself cheap.
    #[inline]
    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        summarize_in_turn(self, tier, ranks, out);
    }

    /// Appends the [`Retro::predecessor_ranks`] of the positions at some ranks of a tier, which all
    /// have positions.
    #[inline]
    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        for &rank in ranks {
            let position = self.unrank(tier, rank).expect("the rank has a position");
            self.predecessor_ranks(position, out);
        }
    }

    /// Frees what the game keeps for the predecessors of a tier, after its solve. The default keeps
    /// nothing.
    fn leave_tier(&self, _tier: u64) {}
}

/// Summaries of the moves of some positions, as [`Retro::summarize_ranks`] appends them.
#[derive(Clone, Debug, Default)]
pub struct RankSummaries {
    /// The ranks that have positions.
    pub ranks: Vec<RankSummary>,
    /// Tier and rank of each successor in another tier that is not terminal and has no immediate
    /// value, those of the first position first.
    pub exits: Vec<(u64, u64)>,
}

/// Summary of the position at a rank before its tier is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankSummary {
    /// The rank.
    pub rank: u64,
    /// The value of a terminal position, or the immediate value.
    ///
    /// A game whose moves to terminal positions count as open has `None` there, and the value as
    /// the best of no moves. Such positions are propagated as others are.
    pub value: Option<Value>,
    /// [`Retro::summarize_moves`]; nothing for a position with a value.
    pub moves: MoveSummary,
    /// Number of its exits.
    pub exits: u32,
}

impl RankSummaries {
    /// Empties both lists.
    pub fn clear(&mut self) {
        self.ranks.clear();
        self.exits.clear();
    }
}

/// Computes [`Retro::summarize_ranks`] position by position.
#[inline]
fn summarize_in_turn<G: Retro + ?Sized>(
    game: &G,
    tier: u64,
    ranks: Range<u64>,
    out: &mut RankSummaries,
) {
    let (mut positions, mut outside) = (Vec::new(), Vec::new());
    game.unrank_range(tier, ranks, &mut positions);
    for (rank, position) in positions {
        let value = match game.terminal(position) {
            Some(wdl) => Some(Value::terminal(wdl)),
            None => game.immediate_value(position),
        };
        let mut moves = MoveSummary::default();
        if value.is_none() {
            moves = game.summarize_moves(tier, position, &mut outside);
        }
        let exits = u32::try_from(outside.len()).expect("a position has fewer than 2^32 moves");
        let address = |position| game.rank(position).expect("a successor has a rank");
        out.exits.extend(outside.drain(..).map(address));
        out.ranks.push(RankSummary { rank, value, moves, exits });
    }
}

/// Computes [`Retro::summarize_moves`] from all successors.
#[inline]
pub fn summary_by_moves<G: Ranked + ?Sized>(
    game: &G,
    tier: u64,
    position: G::Position,
    outside: &mut Vec<G::Position>,
) -> MoveSummary {
    let mut successors = Vec::new();
    game.successors(position, &mut successors);
    let mut summary = MoveSummary::default();
    for next in successors {
        let known_value = match game.terminal(next) {
            Some(wdl) => Some(Value::terminal(wdl)),
            None => game.immediate_value(next),
        };
        match known_value {
            Some(value) => summary.best = summary.best.max(Some(value.before())),
            None if game.tier(next) == Some(tier) => summary.open += 1,
            None => outside.push(next),
        }
    }
    summary
}

/// Computes [`Retro::predecessor_ranks`] by ranking every predecessor.
#[inline]
pub fn predecessor_ranks_by_moves<G: Retro + ?Sized>(
    game: &G,
    position: G::Position,
    out: &mut Vec<u64>,
) {
    let mut predecessors = Vec::new();
    game.predecessors(position, &mut predecessors);
    let is_open = |predecessor: &G::Position| game.immediate_value(*predecessor).is_none();
    let open = predecessors.into_iter().filter(is_open);
    out.extend(open.filter_map(|predecessor| Some(game.rank(predecessor)?.1)));
}

/// Returns the position at a tier and rank, which may be any numbers, for example of a file.
///
/// `None` for a hole, and where the game has no such tier or rank.
pub fn position_at<G: Ranked + ?Sized>(game: &G, tier: u64, rank: u64) -> Option<G::Position> {
    // Tiers ascend from layer to layer, and `tier_len` takes any number up to the last tier. The
    // last layer has few tiers, so listing them is cheap.
    let mut tiers = Vec::new();
    game.tiers(game.layers() - 1, &mut tiers);
    let known = tiers.last().is_some_and(|&last| tier <= last) && rank < game.tier_len(tier);
    known.then(|| game.unrank(tier, rank)).flatten()
}
