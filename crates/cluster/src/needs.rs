//! Needs of a solve in one process, known before it starts.

use hindsight_core::{PackedGame, PawnPairs};
use hindsight_engine::Error;
use hindsight_tablebase::{RUN_RANKS, write_layer_memory};

use crate::error::ClusterError;
use crate::journal::Journal;
use crate::pairs::{TABLE_BYTES, TierIndex, pair_deal};
use crate::ranks::Deal;
use crate::shapes::Shapes;
use crate::store::{Commit, SolvePoint};
use crate::task::ClusterTask;
use crate::tier::{Predecessors, Questions, TierPart};
use crate::workers::Cluster;

/// Bytes of a process that depend on nothing: buffers of connections and files.
const FIXED_BYTES: u64 = 32 << 20;
/// Bytes for the connection with one other worker: what is on its way.
const LINK_BYTES: u64 = 4 << 20;

/// Needs of a solve in one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClusterNeeds {
    /// Ranks of all layers, holes included.
    pub ranks: u64,
    /// Number of layers.
    pub layers: u32,
    /// Ranks of the largest part of a layer that one thread owns.
    pub part: u64,
    /// Bytes of memory while layers are solved.
    pub solving: u64,
    /// Bytes of memory at the peak, with the writing of the table.
    pub memory: u64,
}

impl ClusterNeeds {
    /// Needs of layers of some shapes. `bytes` are those of the solving and of the writing.
    fn new(shapes: &Shapes, part: u64, bytes: [u64; 2]) -> Self {
        let [solving, writing] = bytes;
        Self {
            ranks: shapes.total(),
            layers: shapes.len(),
            part,
            solving,
            memory: solving.max(writing),
        }
    }

    /// Checks that the solve fits.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if it does not.
    pub(crate) fn check(&self, limit: u64) -> Result<(), ClusterError> {
        if self.memory <= limit {
            return Ok(());
        }
        Err(ClusterError::Solve(Error::TooLarge { ranks: self.ranks, needed: self.memory, limit }))
    }
}

/// Bytes that connections take.
fn link_bytes(cluster: &Cluster<'_>) -> u64 {
    let others = (cluster.workers() - 1) as u64;
    others.min(16) * cluster.threads as u64 * LINK_BYTES
}

/// Bytes that a process takes at most while it takes over what workers of another number have left
/// of a solve by plies: its own parts, and one of theirs.
pub(crate) fn retro_takeover(shapes: &Shapes, cluster: &Cluster<'_>, commit: Commit) -> u64 {
    let SolvePoint { layer, pass } = commit.point;
    let part = |layer, workers| Deal::new(shapes.ranks(layer), RUN_RANKS, workers).part_len(0);
    let own = |layer| part(layer, cluster.workers());
    let old = |layer| part(layer, commit.workers());
    let earlier = 0..layer.min(shapes.len());
    let finished = || {
        let earlier = earlier.clone();
        earlier.filter(|&earlier| shapes.is_used_after(earlier, layer - 1))
    };
    let mut kept: u64 = finished().map(own).sum();
    let mut read = finished().map(old).max().unwrap_or(0);
    if pass > 0 && layer < shapes.len() {
        kept += TierPart::bytes(own(layer));
        read = read.max(TierPart::bytes(old(layer)) + Journal::bytes(old(layer)));
    }
    takeover_bytes(shapes, cluster, kept, read)
}

/// The same of a solve by whole tiers.
pub(crate) fn pair_takeover(
    game: &PackedGame,
    shapes: &Shapes,
    cluster: &Cluster<'_>,
    commit: Commit,
) -> u64 {
    let SolvePoint { layer, pass } = commit.point;
    let tier_ranks = pair_tier_ranks(game);
    let layers = layer..shapes.len().min(layer + 1 + u32::from(pass > 0));
    let parts = |workers: usize| {
        let part = move |layer| pair_deal(shapes.ranks(layer), tier_ranks, workers).part_len(0);
        layers.clone().map(part)
    };
    let (kept, read) = (parts(cluster.workers()), parts(commit.workers()));
    takeover_bytes(shapes, cluster, kept.sum(), read.max().unwrap_or(0))
}

/// Bytes of a process of which each thread keeps some, and the first one reads some.
fn takeover_bytes(shapes: &Shapes, cluster: &Cluster<'_>, kept: u64, read: u64) -> u64 {
    let fixed = FIXED_BYTES + link_bytes(cluster) + shapes.bytes();
    fixed + cluster.threads as u64 * kept + read
}

/// Ranks of a tier that is a pair of squares.
fn pair_tier_ranks(game: &PackedGame) -> u64 {
    2 * u64::from(game.squares()).pow(2)
}

/// Needs of a solve by plies.
pub(crate) fn retro_needs(
    shapes: &Shapes,
    cluster: &Cluster<'_>,
    task: &ClusterTask<'_>,
) -> ClusterNeeds {
    let workers = cluster.workers();
    let threads = cluster.threads as u64;
    // The first worker has the largest part.
    let part = |layer| Deal::new(shapes.ranks(layer), RUN_RANKS, workers).part_len(0);
    let finished = |layer: u32| {
        let kept = (0..layer).filter(|&earlier| shapes.is_used_after(earlier, layer - 1));
        kept.map(part).sum::<u64>()
    };
    let in_work = |layer: u32| {
        let journal = task.checkpoint.map_or(0, |_| Journal::bytes(part(layer)));
        TierPart::bytes(part(layer)) + finished(layer) + journal
    };
    let largest = (0..shapes.len()).map(in_work).max().unwrap_or(0);
    let fixed = FIXED_BYTES + link_bytes(cluster) + shapes.bytes();
    let lists = Predecessors::bytes(workers) + Questions::bytes(shapes.len(), workers);
    let solving = fixed + threads * (largest + lists);
    let memory = fixed
        + table_memory(shapes, cluster, task, &|layer| threads * (part(layer) + finished(layer)));
    let largest_part = (0..shapes.len()).map(part).max().unwrap_or(0);
    ClusterNeeds::new(shapes, largest_part, [solving, memory])
}

/// Needs of a solve by whole tiers.
pub(crate) fn pair_needs(
    game: &PackedGame,
    shapes: &Shapes,
    cluster: &Cluster<'_>,
    task: &ClusterTask<'_>,
) -> ClusterNeeds {
    let workers = cluster.workers();
    let threads = cluster.threads as u64;
    let tier_ranks = pair_tier_ranks(game);
    let ranks = |layer: u32| if layer < shapes.len() { shapes.ranks(layer) } else { 0 };
    // The first worker has the largest part.
    let part = |layer| pair_deal(ranks(layer), tier_ranks, workers).part_len(0);
    let both = |layer: u32| threads * (part(layer) + part(layer + 1));
    let index = |layer: u32| {
        if layer + 1 < shapes.len() {
            TierIndex::bytes(shapes.layer(layer + 1).tiers.len() as u64)
        } else {
            0
        }
    };
    let largest = (0..shapes.len()).map(|layer| both(layer) + threads * index(layer)).max();
    let buffers = threads * workers as u64 * TABLE_BYTES;
    let fixed = FIXED_BYTES + link_bytes(cluster) + shapes.bytes() + buffers;
    let solving = fixed + largest.unwrap_or(0);
    let memory = fixed + table_memory(shapes, cluster, task, &both);
    let largest_part = (0..shapes.len()).map(part).max().unwrap_or(0);
    ClusterNeeds::new(shapes, largest_part, [solving, memory])
}

/// Bytes that a process takes while it writes a layer, of which `kept` bytes are its parts.
pub(crate) fn table_memory(
    shapes: &Shapes,
    cluster: &Cluster<'_>,
    task: &ClusterTask<'_>,
    kept: &dyn Fn(u32) -> u64,
) -> u64 {
    let writing = |layer: u32| {
        let tiers = shapes.layer(layer).tiers.len() as u64;
        let threads = cluster.threads;
        match task.layers {
            Some(_) => write_layer_memory(shapes.ranks(layer), tiers, task.layout, threads),
            None => 24 * tiers,
        }
    };
    let all = (0..shapes.len()).map(|layer| kept(layer) + writing(layer));
    if task.has_table { all.max().unwrap_or(0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::retro_takeover;
    use crate::hosts::Hosts;
    use crate::shapes::Shapes;
    use crate::store::{Commit, SolvePoint};
    use crate::workers::Cluster;

    #[test]
    fn a_part_of_an_earlier_run_is_in_memory_beside_the_new_ones() {
        const RANKS: u64 = 1 << 30;
        let shapes = Shapes::of_one_layer(RANKS);
        let hosts = Hosts::parse("127.0.0.1:1\n127.0.0.1:2\n").expect("addresses");
        let cluster = Cluster {
            hosts: &hosts,
            process: 0,
            threads: 4,
            listen: None,
            wait: Duration::ZERO,
            silence: Duration::ZERO,
            version: "test",
            tell: Arc::new(|_: &str| ()),
        };
        let takeover = |workers: usize, pass| {
            let commit =
                Commit { point: SolvePoint { layer: 0, pass }, processes: 1, threads: workers };
            retro_takeover(&shapes, &cluster, commit)
        };
        let [before, from_one, from_two] = [takeover(1, 0), takeover(1, 5), takeover(2, 5)];
        // Two bytes a rank: the whole layer or a half of it, and the half that is new.
        assert!(before < RANKS / 2, "{before}");
        assert!((3 * RANKS..4 * RANKS).contains(&from_one), "{from_one}");
        assert!((2 * RANKS..3 * RANKS).contains(&from_two), "{from_two}");
    }
}
