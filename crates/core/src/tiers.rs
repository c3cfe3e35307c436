use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Game;

/// Game whose positions fall into tiers, which are solved one after the other.
///
/// * A **tier** is a set of positions, named by a number of 64 bits. No sequence of moves leaves a
///   tier and returns to it.
/// * A **layer** is a group of tiers that are solved and stored together. Layers are solved in
///   ascending order, layer 0 first.
/// * A move stays in its tier, or leads to a tier of an earlier layer. The method
///   [`Tiers::layer_successors`] names these layers.
/// * A **rank** is a number in `0..tier_len(tier)`, given by [`crate::Ranked`]. A rank without a
///   position is a **hole**. A rank may stand for several positions that are equal by symmetry.
///
/// The defaults are those of a game with one tier a layer. A game in one tier writes only
/// [`Tiers::tier_len`].
///
/// # Laws
/// `hindsight_testkit::check_ranks` checks them on samples:
///
/// * Tier numbers ascend within a layer and from each layer to the next.
/// * [`Tiers::estimated_tiers`] and [`Tiers::estimated_ranks`] are at most four times too large or
///   too small.
pub trait Tiers: Game {
    /// Returns the number of layers, at least 1, which is the default.
    #[inline]
    fn layers(&self) -> u32 {
        1
    }

    /// Appends the tiers of a layer in ascending order.
    ///
    /// Invariant: each tier number is greater than all tier numbers of earlier layers. The default
    /// is one tier a layer, with the number of the layer.
    #[inline]
    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        out.push(layer.into());
    }

    /// Estimates the number of tiers of a layer, within a factor of four.
    ///
    /// The default lists the tiers. Override it if a list of tiers could exceed the memory.
    #[inline]
    fn estimated_tiers(&self, layer: u32) -> u64 {
        let mut tiers = Vec::new();
        self.tiers(layer, &mut tiers);
        tiers.len() as u64
    }

    /// Estimates the number of ranks of a layer, within a factor of four.
    ///
    /// The default lists the tiers and adds up their lengths. Override it if a list of tiers could
    /// exceed the memory.
    #[inline]
    fn estimated_ranks(&self, layer: u32) -> u64 {
        let mut tiers = Vec::new();
        self.tiers(layer, &mut tiers);
        let lens = tiers.into_iter().map(|tier| self.tier_len(tier));
        lens.fold(0, u64::saturating_add)
    }

    /// Returns earlier layers, among them all into which moves of this layer lead.
    ///
    /// Solvers keep these layers in memory. The method works on layers because a game may have
    /// millions of tiers, as Quoridor, and a solver needs to know only which finished layers to
    /// keep. The default is all earlier layers.
    #[inline]
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        (0..layer).collect()
    }

    /// Describes the tiers of a layer in a few words, such as `2 fences on the board`.
    fn layer_name(&self, layer: u32) -> String {
        format!("layer {layer} of 0 to {}", self.layers() - 1)
    }

    /// Returns the number of ranks of a tier, holes included.
    fn tier_len(&self, tier: u64) -> u64;

    /// Estimates the bytes of memory that the game itself takes while a tier is solved. The default
    /// is none.
    fn work_bytes(&self, _tier: u64) -> u64 {
        0
    }

    /// Returns how many positions a rank stands for by symmetry, its own included, and the ranks
    /// from this one on that stand for as many.
    ///
    /// The default is one position for each rank of the tier.
    #[inline]
    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        OrbitRun { ranks: rank..self.tier_len(tier), orbit_size: 1 }
    }
}

/// Ranks that follow each other and stand for equally many positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrbitRun {
    /// The ranks; never none.
    pub ranks: Range<u64>,
    /// Number of positions that each rank stands for, at least 1.
    pub orbit_size: u64,
}

/// Splits some ranks of a tier into runs that stand for equally many positions.
pub fn orbit_runs<G: Tiers + ?Sized>(
    game: &G,
    tier: u64,
    ranks: Range<u64>,
) -> impl Iterator<Item = OrbitRun> {
    let mut next = ranks.start;
    core::iter::from_fn(move || {
        (next < ranks.end).then(|| {
            let mut run = game.orbit_run(tier, next);
            run.ranks.end = run.ranks.end.min(ranks.end);
            next = run.ranks.end;
            run
        })
    })
}
