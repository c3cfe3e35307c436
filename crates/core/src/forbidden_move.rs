use alloc::vec::Vec;

use crate::states::{BaseMove, BasePosition};
use crate::{Game, Ranked, Retro, States, Value, position_at};

/// Game of states whose base positions are ranked and whose forbidden moves have numbers.
///
/// The trait unlocks a solver that ranks only the base positions.
///
/// Three numbers give the values of all states of a base position:
///
/// 1. the value with nothing forbidden;
/// 2. the best move, if exactly one move is best;
/// 3. the value without that move. Any other forbidden move changes nothing.
///
/// A move of a ranked position is **forbiddable** if some state forbids it. Forbiddable moves have
/// a **move id** from 1 to 127, unique in their position. Id 0 means "none".
///
/// Limits: a base position has at most 30 moves, and no state forbids a move that leaves its tier.
///
/// # Laws
/// `hindsight_testkit::check_forbidden_move` checks them on samples:
///
/// * All ranks of a tier stand for equally many positions, as [`crate::Tiers::orbit_run`] tells.
/// * Methods with a default agree with it, but edges may come in any order:
///   [`ForbiddenMove::forbiddable_ids`], [`ForbiddenMove::summarize_moves`],
///   [`ForbiddenMove::edges_from`], [`ForbiddenMove::edges_to`]. If a move wins at once,
///   `summarize_moves` may leave out the other moves.
pub trait ForbiddenMove: States {
    /// Returns the id of a move, `1..=127`, or 0 if no state forbids it.
    ///
    /// `base` must be a ranked position, that is, one that [`crate::Ranked::unrank`] returns. Two
    /// moves that a symmetry of the position exchanges have different ids.
    fn move_id(&self, base: BasePosition<Self>, mv: BaseMove<Self>) -> u8;

    /// Returns the address of a state, `(tier, rank, forbidden id)`; `None` for a terminal state.
    ///
    /// Tier and rank belong to the ranked member of the base position's class. The symmetry from
    /// the base position to this member also maps the forbidden move; the id is the image's. If
    /// several symmetries lead there, the least id counts. Id 0: nothing is forbidden.
    fn rank_state(&self, state: Self::Position) -> Option<(u64, u64, u8)>;

    /// Appends the forbidden ids of all states of a rank except 0, in ascending order.
    ///
    /// Forbiddable moves that a symmetry of the position exchanges count once, by their least id.
    #[inline]
    fn forbiddable_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        forbiddable_ids_by_moves(self, tier, rank, out);
    }

    /// Summarizes the moves of a rank as far as they are known before its tier is solved.
    ///
    /// Appends `(tier, rank)` of each successor in another tier. Returns `None` for a hole.
    #[inline]
    fn summarize_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<ForbiddableMoveSummary> {
        forbiddable_summary_by_moves(self, tier, rank, outside)
    }

    /// Appends the moves of a rank that do not end the game, each once.
    ///
    /// Returns false only if no two of these moves lead, up to symmetry, to the same state with a
    /// forbidden move. True is always allowed.
    #[inline]
    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool {
        edges_from_by_moves(self, tier, rank, out);
        true
    }

    /// Appends the moves that lead to a rank from ranks of the same tier.
    #[inline]
    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>) {
        edges_to_by_moves(self, tier, rank, out);
    }
}

/// Summary of the moves of a base position before its tier is solved, for the side to move.
///
/// Moves into other tiers are not included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ForbiddableMoveSummary {
    /// Number of moves that stay in the tier and do not end the game.
    pub open: u8,
    /// Exclusive or of the ids of these moves; moves that are not forbiddable count as 0.
    pub open_ids: u8,
    /// Value of the best move that ends the game; `None` if no move does.
    pub best: Option<Value>,
}

/// Move to a known rank from a rank of the same tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct InEdge {
    /// Rank of the position in which the move is made.
    pub rank: u64,
    /// Id of the move in that position; 0 if it is not forbiddable.
    pub move_id: u8,
    /// Id of the move that is forbidden after it, at the known rank; 0 if none is.
    pub forbids: u8,
}

/// Move from a known rank and the state to which it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct OutEdge {
    /// Tier of the target.
    pub tier: u64,
    /// Rank of the target in its tier.
    pub rank: u64,
    /// Id of the move that is forbidden at the target; 0 if none is.
    pub forbids: u8,
    /// Id of the move itself, at the known rank; 0 if it is not forbiddable.
    pub move_id: u8,
    /// False only if, at the target, no other move leads to the same state as the move `forbids`,
    /// up to symmetry. Meaningless if `forbids` is 0.
    pub may_share_target: bool,
}

/// Computes [`ForbiddenMove::edges_from`] by playing every move. Appends nothing for a hole.
///
/// Sets [`OutEdge::may_share_target`] on every edge.
#[inline]
pub fn edges_from_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    out: &mut Vec<OutEdge>,
) {
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    for mv in moves {
        let next = base.play(position, mv);
        let state = game.encode(next, game.forbidden_after(position, mv));
        if let Some((tier, rank, forbids)) = game.rank_state(state) {
            out.push(OutEdge {
                tier,
                rank,
                forbids,
                move_id: game.move_id(position, mv),
                may_share_target: true,
            });
        }
    }
}

/// Computes [`ForbiddenMove::summarize_moves`] by playing every move.
#[inline]
pub fn forbiddable_summary_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    outside: &mut Vec<(u64, u64)>,
) -> Option<ForbiddableMoveSummary> {
    let base = game.base();
    let position = base.unrank(tier, rank)?;
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    let mut summary = ForbiddableMoveSummary::default();
    for mv in moves {
        let next = base.play(position, mv);
        if let Some(wdl) = base.terminal(next) {
            summary.best = summary.best.max(Some(Value::terminal(wdl).before()));
            continue;
        }
        match base.rank(next) {
            Some(address) if address.0 != tier => outside.push(address),
            _ => {
                summary.open += 1;
                summary.open_ids ^= game.move_id(position, mv);
            }
        }
    }
    Some(summary)
}

/// Computes [`ForbiddenMove::edges_to`] from the predecessors of the base and all their moves.
#[inline]
pub fn edges_to_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    out: &mut Vec<InEdge>,
) {
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let mut predecessors = Vec::new();
    base.predecessors(position, &mut predecessors);
    let mut ranks: Vec<u64> = predecessors
        .into_iter()
        .filter_map(|position| base.rank(position))
        .map(|(_, rank)| rank)
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    for from in ranks {
        edges_between(game, tier, from, rank, out);
    }
}

/// Appends the moves from rank `from` to rank `to` of the same tier.
#[inline]
pub fn edges_between<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    from: u64,
    to: u64,
    out: &mut Vec<InEdge>,
) {
    let base = game.base();
    let Some(position) = base.unrank(tier, from) else {
        return;
    };
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    for mv in moves {
        let next = base.play(position, mv);
        if base.terminal(next).is_some() || base.rank(next) != Some((tier, to)) {
            continue;
        }
        let state = game.encode(next, game.forbidden_after(position, mv));
        let forbids = game.rank_state(state).map_or(0, |(_, _, id)| id);
        out.push(InEdge { rank: from, move_id: game.move_id(position, mv), forbids });
    }
}

/// Computes [`ForbiddenMove::forbiddable_ids`] by ranking, for each forbiddable move, the state
/// that forbids it. Appends nothing for a hole.
#[inline]
pub fn forbiddable_ids_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    out: &mut Vec<u8>,
) {
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let begin = out.len();
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    for mv in moves {
        if game.move_id(position, mv) != 0 {
            let state = game.rank_state(game.encode(position, Some(mv)));
            out.extend(state.map(|(_, _, id)| id));
        }
    }
    out[begin..].sort_unstable();
    let mut distinct = out.split_off(begin);
    distinct.dedup();
    out.append(&mut distinct);
}

/// Returns the states of a rank that some move leads to; that with no move forbidden comes first.
///
/// Empty for a hole. The tier must have the rank.
pub fn states_at<G: ForbiddenMove + ?Sized>(game: &G, tier: u64, rank: u64) -> Vec<G::Position> {
    let Some(base) = game.base().unrank(tier, rank) else {
        return Vec::new();
    };
    let mut ids = Vec::new();
    game.forbiddable_ids(tier, rank, &mut ids);
    if game.reached_unrestricted(base) {
        ids.insert(0, 0);
    }
    let states = ids.into_iter();
    states.filter_map(|id| state_at(game, tier, rank, id)).collect()
}

/// Returns true if no move leads to a state, although its base position has a rank.
///
/// The start of the game is no such state.
pub fn is_unreached<G: ForbiddenMove + ?Sized>(game: &G, state: G::Position) -> bool {
    let address = game.rank_state(state);
    if address.is_none() || address == game.rank_state(game.start()) {
        return false;
    }
    let (base, _) = game.decode(state);
    let mut origins = Vec::new();
    game.predecessor_moves(base, &mut origins);
    let state_after = |(before, mv)| game.encode(base, game.forbidden_after(before, mv));
    let mut states = origins.into_iter().map(state_after);
    !states.any(|state| game.rank_state(state) == address)
}

/// Returns the state at any tier and rank; `forbidden` is the id of the forbidden move, 0 for none.
///
/// `None` where [`position_at`] finds no base position, and if no move has the id.
pub fn state_at<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    forbidden: u8,
) -> Option<G::Position> {
    let base = position_at(game.base(), tier, rank)?;
    if forbidden == 0 {
        return Some(game.encode(base, None));
    }
    let mut moves = Vec::new();
    game.base().moves(base, &mut moves);
    let mut moves = moves.into_iter();
    let mv = moves.find(|&mv| game.move_id(base, mv) == forbidden)?;
    Some(game.encode(base, Some(mv)))
}
