use alloc::vec::Vec;

use crate::{Game, Retro, Value};

type BasePosition<G> = <<G as ForbiddenMove>::Base as Game>::Position;
type BaseMove<G> = <<G as ForbiddenMove>::Base as Game>::Move;

/// A position is a position of a base game and perhaps one move that is forbidden there: unlocks a solver
/// that keeps three numbers for a position of the base instead of one for every state.
///
/// All states of a base position follow from its value with nothing forbidden, the single best move if
/// there is only one, and the value without that move: whatever else is forbidden changes nothing. So
/// the base is ranked, not the states. The moves of a ranked position that some state forbids are its
/// **ways**, numbered from 1 to 127, each number at most once; 0 is no way.
///
/// The base game is the same without the restriction. A position of it has at most 30 moves. A move
/// that leaves the tier is never forbidden.
///
/// Laws, checked by `hindsight_testkit::check_restricting`: `join(split(s)) == s`; a state has the moves of its
/// base but the forbidden one; [`Restricting::outlook`] and [`Restricting::edges_to`] agree with the
/// moves.
pub trait ForbiddenMove: Game {
    /// The game in which nothing is forbidden.
    type Base: Retro;

    /// That game.
    fn base(&self) -> &Self::Base;

    /// A state's position in the base, and the move forbidden there.
    fn decode(&self, state: Self::Position) -> (BasePosition<Self>, Option<BaseMove<Self>>);

    /// The state with this position and forbidden move.
    fn encode(&self, base: BasePosition<Self>, forbidden: Option<BaseMove<Self>>)
    -> Self::Position;

    /// What the successor of a position by a move forbids.
    fn forbidden_after(
        &self,
        base: BasePosition<Self>,
        mv: BaseMove<Self>,
    ) -> Option<BaseMove<Self>>;

    /// The number of a move of a ranked position (one that [`crate::Ranked::unrank`] gives) among its
    /// ways, or 0. Moves that a symmetry of the position exchanges have numbers of their own.
    fn move_id(&self, base: BasePosition<Self>, mv: BaseMove<Self>) -> u8;

    /// Tier and rank of a state's position, and the way that it forbids, as the ranked member of its class
    /// has it (the least if there are several), or 0. `None` for terminal states.
    fn rank_state(&self, state: Self::Position) -> Option<(u64, u64, u8)>;

    /// Appends every position, of any tier, that is not over and has a move to exactly this one, with the
    /// move. This one is not over.
    fn predecessor_moves(
        &self,
        base: BasePosition<Self>,
        out: &mut Vec<(BasePosition<Self>, BaseMove<Self>)>,
    );

    /// Whether some move leads to the state in which nothing is forbidden.
    fn reached_unrestricted(&self, base: BasePosition<Self>) -> bool;

    /// The least number of each class of ways under the symmetries of a ranked position, ascending: one for
    /// each state with a forbidden move that a move leads to.
    #[inline]
    fn forbiddable_ids(&self, tier: u64, rank: u64, out: &mut Vec<u8>) {
        forbiddable_ids_by_moves(self, tier, rank, out);
    }

    /// What the moves of a rank come to before its tier is solved; appends tier and rank of the successors
    /// in other tiers. `None` for a hole.
    #[inline]
    fn summarize_moves(
        &self,
        tier: u64,
        rank: u64,
        outside: &mut Vec<(u64, u64)>,
    ) -> Option<ForbiddableMoveSummary> {
        forbiddable_summary_by_moves(self, tier, rank, outside)
    }

    /// Appends the moves of a rank that do not end the game, each once. Returns whether the rank may have
    /// twins: two moves that lead to the same state up to symmetry, something being forbidden there.
    #[inline]
    fn edges_from(&self, tier: u64, rank: u64, out: &mut Vec<OutEdge>) -> bool {
        edges_from_by_moves(self, tier, rank, out);
        true
    }

    /// Appends the moves inside a tier that lead to a rank.
    #[inline]
    fn edges_to(&self, tier: u64, rank: u64, out: &mut Vec<InEdge>) {
        edges_to_by_moves(self, tier, rank, out);
    }
}

/// What the moves of a position come to before its tier is solved, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ForbiddableMoveSummary {
    /// Moves that stay in the tier and do not end the game.
    pub open: u8,
    /// The numbers of those that are ways, combined by exclusive or.
    pub open_ids: u8,
    /// The best of the moves that end the game.
    pub best: Option<Value>,
}

/// A move inside a tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct InEdge {
    /// The rank it is made at.
    pub rank: u64,
    /// Its number among the ways there, or 0.
    pub move_id: u8,
    /// The way that is forbidden after it, or 0.
    pub forbids: u8,
}

/// A move of a ranked position and the state it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct OutEdge {
    /// The tier it leads to.
    pub tier: u64,
    /// The rank there.
    pub rank: u64,
    /// The way that is forbidden there, or 0.
    pub forbids: u8,
    /// Its own number among the ways where it is made, or 0.
    pub move_id: u8,
    /// Whether what `back` forbids may have a twin: another move to the same state up to symmetry.
    pub may_share_target: bool,
}

/// [`Restricting::steps_from`], move by move: twins are taken to be anywhere.
#[inline]
pub fn edges_from_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    out: &mut Vec<OutEdge>,
) {
    use crate::Ranked;
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    for mv in moves {
        let next = base.play(position, mv);
        let state = game.encode(next, game.forbidden_after(position, mv));
        if let Some((tier, rank, back)) = game.rank_state(state) {
            out.push(OutEdge {
                tier,
                rank,
                forbids: back,
                move_id: game.move_id(position, mv),
                may_share_target: true,
            });
        }
    }
}

/// [`Restricting::outlook`], move by move.
#[inline]
pub fn forbiddable_summary_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    outside: &mut Vec<(u64, u64)>,
) -> Option<ForbiddableMoveSummary> {
    use crate::Ranked;
    let base = game.base();
    let position = base.unrank(tier, rank)?;
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    let mut outlook = ForbiddableMoveSummary::default();
    for mv in moves {
        let next = base.play(position, mv);
        if let Some(wdl) = base.terminal(next) {
            outlook.best = outlook.best.max(Some(Value::terminal(wdl).before()));
            continue;
        }
        match base.rank(next) {
            Some(place) if place.0 != tier => outside.push(place),
            _ => {
                outlook.open += 1;
                outlook.open_ids ^= game.move_id(position, mv);
            }
        }
    }
    Some(outlook)
}

/// [`Restricting::edges_to`], move by move.
#[inline]
pub fn edges_to_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    out: &mut Vec<InEdge>,
) {
    use crate::Ranked;
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let mut before = Vec::new();
    base.predecessors(position, &mut before);
    let mut ranks: Vec<u64> = before
        .into_iter()
        .filter_map(|position| base.rank(position))
        .map(|place| place.1)
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    for from in ranks {
        edges_between(game, tier, (from, rank), out);
    }
}

/// Appends the moves from one rank of a tier to another.
#[inline]
pub fn edges_between<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    (from, to): (u64, u64),
    out: &mut Vec<InEdge>,
) {
    use crate::Ranked;
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
        let back = game.rank_state(state).map_or(0, |place| place.2);
        out.push(InEdge {
            rank: from,
            move_id: game.move_id(position, mv),
            forbids: back,
        });
    }
}

/// [`Restricting::ways`], move by move.
#[inline]
pub fn forbiddable_ids_by_moves<G: ForbiddenMove + ?Sized>(
    game: &G,
    tier: u64,
    rank: u64,
    out: &mut Vec<u8>,
) {
    use crate::Ranked;
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
            out.extend(state.map(|place| place.2));
        }
    }
    out[begin..].sort_unstable();
    let mut distinct = out.split_off(begin);
    distinct.dedup();
    out.append(&mut distinct);
}
