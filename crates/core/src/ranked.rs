use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::{Game, Value};

/// A dense numbering of positions: unlocks the value of *every* position, and tables on disk.
///
/// Positions are split into **tiers**, named by numbers of 64 bits. No sequence of moves leads out of a
/// tier and back. A position of a tier has a **rank** below [`Ranked::tier_len`]; a rank without a
/// position is a hole. **Layers** are groups of tiers that are solved and kept together: layer 0 first.
/// A move stays in its tier, or leads to a tier of an earlier layer that [`Ranked::layer_successors`]
/// names.
///
/// One position stands for its class under the symmetries that the numbering uses, whatever
/// [`Game::canonical`] does; a tier may stand for several ([`Ranked::tier_copies`]).
///
/// Laws, checked by `hindsight_testkit::check_ranks`: `rank(unrank(t, r)) == (t, r)`; every successor has a rank
/// or is terminal; tiers ascend within a layer and from layer to layer.
pub trait Ranked: Game {
    /// How many layers there are, at least one.
    fn layers(&self) -> u32;

    /// Appends the tiers of a layer in ascending order, each greater than those of earlier layers.
    fn tiers(&self, layer: u32, out: &mut Vec<u64>);

    /// About how many ranks a layer has, within a factor of four. A game with so many tiers that listing
    /// them could take all memory must override this.
    #[inline]
    fn estimated_ranks(&self, layer: u32) -> u64 {
        let mut tiers = Vec::new();
        self.tiers(layer, &mut tiers);
        let lens = tiers.into_iter().map(|tier| self.tier_len(tier));
        lens.fold(0, u64::saturating_add)
    }

    /// The earlier layers that moves from this layer lead to.
    fn layer_successors(&self, layer: u32) -> Vec<u32>;

    /// What the tiers of a layer have in common, in a few words, such as `2 fences on the board`.
    fn layer_name(&self, layer: u32) -> String;

    /// How many ranks a tier has, holes included.
    fn tier_len(&self, tier: u64) -> u64;

    /// How many tiers this one stands for, itself included: those equal to it by symmetry.
    #[inline]
    fn tier_orbit_size(&self, _tier: u64) -> u64 {
        1
    }

    /// Tier and rank of a position, or of the member of its class that is ranked. `None` for terminal
    /// positions that the numbering leaves out.
    fn rank(&self, position: Self::Position) -> Option<(u64, u64)>;

    /// The tier of a position; as [`Ranked::rank`], but a game may know it sooner.
    #[inline]
    fn tier(&self, position: Self::Position) -> Option<u64> {
        self.rank(position).map(|(tier, _)| tier)
    }

    /// The position of a rank below [`Ranked::tier_len`]; `None` for a hole.
    fn unrank(&self, tier: u64, rank: u64) -> Option<Self::Position>;

    /// Appends the positions of a range of ranks with their ranks, without the holes. A game may override
    /// this where neighbours share work.
    #[inline]
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Self::Position)>) {
        out.extend(ranks.filter_map(|rank| Some((rank, self.unrank(tier, rank)?))));
    }

    /// Numbers modulo which ranks may be alike, such as that of the cards that ranks count fastest: hints
    /// for the compression of tables. At most 65,536 each; a layer's ranks are counted through its tiers.
    #[inline]
    fn rank_periods(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The value of a position that is not terminal, where a rule much cheaper than a look at every
    /// successor gives it.
    ///
    /// Must be the same for all members of a class, and always the true value.
    #[inline]
    fn immediate_value(&self, _position: Self::Position) -> Option<Value> {
        None
    }

    /// The value of a position that is not terminal, where a rule gives it that is cheaper than to read
    /// it from a table: at least what is [`Ranked::obvious`]. Tables do not store such values; solvers
    /// that look at every successor do not ask.
    ///
    /// Must be the same for all members of a class, and always the true value.
    #[inline]
    fn implied_value(&self, position: Self::Position) -> Option<Value> {
        self.immediate_value(position)
    }
}

/// What the moves of a position come to before its tier is solved, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveSummary {
    /// Moves that stay in the tier and end neither the game nor in an obvious position.
    pub open: u32,
    /// The best of the moves that end the game or lead to an obvious position, if there is one.
    pub best: Option<Value>,
}

/// Moves taken back: unlocks retrograde analysis without a reverse graph.
pub trait Retro: Ranked {
    /// Appends the positions from which one move leads to this one inside its tier, each as often as
    /// there are such moves. The position is as [`Ranked::unrank`] gives it; so may be those appended,
    /// or other members of their classes.
    ///
    /// Law, checked by `hindsight_testkit::check_retro`: `p` is a predecessor of `q` as often as `q` is a
    /// successor of `p`, by ranks.
    fn predecessors(&self, position: Self::Position, out: &mut Vec<Self::Position>);

    /// The [`Outlook`] of a position of a tier that is neither terminal nor obvious; appends the
    /// successors in other tiers that are neither. A game may override this where it can be told without
    /// each move.
    #[inline]
    fn summarize_moves(
        &self,
        tier: u64,
        position: Self::Position,
        outside: &mut Vec<Self::Position>,
    ) -> MoveSummary {
        summary_by_moves(self, tier, position, outside)
    }

    /// Appends the ranks of the predecessors, in the same tier, that are not obvious. A game may override
    /// this where they share work.
    #[inline]
    fn predecessor_ranks(&self, position: Self::Position, out: &mut Vec<u64>) {
        predecessor_ranks_by_moves(self, position, out);
    }
}

/// [`Retro::outlook`], move by move.
#[inline]
pub fn summary_by_moves<G: Ranked + ?Sized>(
    game: &G,
    tier: u64,
    position: G::Position,
    outside: &mut Vec<G::Position>,
) -> MoveSummary {
    let mut successors = Vec::new();
    game.successors(position, &mut successors);
    let mut outlook = MoveSummary::default();
    for next in successors {
        let at_sight = match game.terminal(next) {
            Some(wdl) => Some(Value::terminal(wdl)),
            None => game.immediate_value(next),
        };
        match at_sight {
            Some(value) => outlook.best = outlook.best.max(Some(value.before())),
            None if game.tier(next) == Some(tier) => outlook.open += 1,
            None => outside.push(next),
        }
    }
    outlook
}

/// [`Retro::predecessor_ranks`], move by move.
#[inline]
pub fn predecessor_ranks_by_moves<G: Retro + ?Sized>(
    game: &G,
    position: G::Position,
    out: &mut Vec<u64>,
) {
    let mut predecessors = Vec::new();
    game.predecessors(position, &mut predecessors);
    let open = |before: &G::Position| game.immediate_value(*before).is_none();
    let ranks = predecessors.into_iter().filter(open);
    out.extend(ranks.filter_map(|before| Some(game.rank(before)?.1)));
}
