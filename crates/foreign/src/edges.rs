//! Moves inside a tier, backwards, while it is solved.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::fault::RulesFault;

/// Ranks of a block, whose moves are recorded together.
pub(crate) const BLOCK: u64 = 1024;

/// Moves from the ranks of a block to ranks of the same tier.
#[derive(Default)]
pub(crate) struct BlockEdges {
    /// For each rank that has such moves, its number in the block and their number.
    pub(crate) sources: Vec<(u16, u16)>,
    /// Ranks to which they lead, those of the first source first.
    pub(crate) targets: Vec<u32>,
}

/// Moves inside a tier: four bytes for each, twice as many while they are turned around, and four
/// for each rank.
pub(crate) struct TierEdges {
    tier: u64,
    blocks: Mutex<Vec<Option<BlockEdges>>>,
    reversed: OnceLock<Reversed>,
}

/// For each rank, the ranks from which a move leads to it.
struct Reversed {
    /// Place of the first one in `sources`, for each rank, and the end.
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl TierEdges {
    fn new(tier: u64, ranks: u64) -> Self {
        let blocks = (0..ranks.div_ceil(BLOCK)).map(|_| None).collect();
        Self { tier, blocks: Mutex::new(blocks), reversed: OnceLock::new() }
    }

    fn blocks(&self) -> MutexGuard<'_, Vec<Option<BlockEdges>>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the moves of a block, unless all are turned around already.
    pub(crate) fn record(&self, block: u64, edges: BlockEdges) {
        if self.reversed.get().is_none() {
            self.blocks()[block as usize] = Some(edges);
        }
    }

    /// Calls a function with the ranks from which moves lead to each of some ranks. `look` returns
    /// the moves of a block that were not recorded.
    pub(crate) fn each_source(
        &self,
        ranks: &[u64],
        tier_len: u64,
        look: &dyn Fn(u64) -> BlockEdges,
        visit: &mut dyn FnMut(u32),
    ) -> Result<(), RulesFault> {
        if self.reversed.get().is_none() {
            let mut blocks = self.blocks();
            // Another thread may have turned them around meanwhile.
            if self.reversed.get().is_none() {
                let missing = (0..).zip(blocks.iter_mut()).filter(|(_, edges)| edges.is_none());
                missing.for_each(|(block, edges)| *edges = Some(look(block)));
                let reversed = Reversed::of(std::mem::take(&mut *blocks), tier_len)?;
                let _ = self.reversed.set(reversed);
            }
        }
        let Reversed { starts, sources } = self.reversed.get().expect("they are turned around");
        for &rank in ranks {
            let own = starts[rank as usize] as usize..starts[rank as usize + 1] as usize;
            sources[own].iter().for_each(|&source| visit(source));
        }
        Ok(())
    }
}

impl Reversed {
    /// Turns all moves around.
    fn of(blocks: Vec<Option<BlockEdges>>, tier_len: u64) -> Result<Self, RulesFault> {
        let mut starts = vec![0_u32; tier_len as usize + 1];
        let mut all: u32 = 0;
        for edges in blocks.iter().flatten() {
            let more = u32::try_from(edges.targets.len()).ok();
            all = more.and_then(|more| all.checked_add(more)).ok_or_else(|| {
                let most = u32::MAX;
                RulesFault::new(format!("more than {most} moves stay in a tier: use more tiers"))
            })?;
            edges.targets.iter().for_each(|&target| starts[target as usize] += 1);
        }
        // Ends of the lists, which become their starts as they are filled from the end.
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut sources = vec![0; all as usize];
        for (block, edges) in (0..).zip(blocks) {
            let edges = edges.unwrap_or_default();
            let mut targets = edges.targets.iter();
            for (place, moves) in edges.sources {
                let source = (block * BLOCK) as u32 + u32::from(place);
                for &target in targets.by_ref().take(moves.into()) {
                    let start = &mut starts[target as usize];
                    *start -= 1;
                    sources[*start as usize] = source;
                }
            }
        }
        Ok(Self { starts, sources })
    }
}

/// Moves inside the one tier that is being solved.
#[derive(Default)]
pub(crate) struct CurrentEdges(Mutex<Option<Arc<TierEdges>>>);

impl CurrentEdges {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<TierEdges>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the moves inside a tier, of which none are recorded if it was not the last one.
    pub(crate) fn of(&self, tier: u64, ranks: u64) -> Arc<TierEdges> {
        let mut current = self.lock();
        match &*current {
            Some(edges) if edges.tier == tier => Arc::clone(edges),
            _ => Arc::clone(current.insert(Arc::new(TierEdges::new(tier, ranks)))),
        }
    }

    /// Forgets a tier.
    pub(crate) fn leave(&self, tier: u64) {
        self.lock().take_if(|edges| edges.tier == tier);
    }
}
