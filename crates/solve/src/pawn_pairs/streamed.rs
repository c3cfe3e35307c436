use std::sync::Mutex;

use hindsight_core::PawnPairs;
use rayon::prelude::*;

use super::code::{HOLE, palette};
use super::row::RowBits;
use super::{ExitValues, PairOrder, PairScratch, PairSolver, TIERS_PER_REPORT, TIERS_PER_TASK};
use crate::solve_layer::LayerProgress;
use crate::{Error, Histogram};

/// What moves out of the tiers of layer 1 are worth, without the tiers they lead to: for each tier and
/// side the least codes, empty for none.
pub(super) struct StreamedLayer {
    tiers: Vec<u64>,
    exit_codes: Vec<[Mutex<Vec<u8>>; 2]>,
}

impl StreamedLayer {
    fn new(tiers: &[u64]) -> Self {
        Self {
            tiers: tiers.to_vec(),
            exit_codes: tiers.iter().map(|_| Default::default()).collect(),
        }
    }

    /// Lowers the codes of a tier and side to those of a table, pair by pair at its places.
    fn lower(&self, tier: u64, side: usize, order: &PairOrder, table: &[u8]) {
        let Ok(i) = self.tiers.binary_search(&tier) else {
            // A tier without any position.
            return;
        };
        let mut least = self.exit_codes[i][side]
            .lock()
            .expect("no thread panics with the lock");
        if least.is_empty() {
            least.resize(table.len(), HOLE);
        }
        order.lower(&mut least, table);
    }

    /// Writes the least codes of a tier and side.
    pub(super) fn read_exit_codes(&self, tier: u64, side: usize, out: &mut [u8]) {
        let i = self.tiers.binary_search(&tier);
        let least = i.ok().map(|i| {
            let least = self.exit_codes[i][side].lock();
            least.expect("no thread panics with the lock")
        });
        match least {
            Some(least) if !least.is_empty() => out.copy_from_slice(&least),
            _ => out.fill(HOLE),
        }
    }
}

/// Solves layer 0, tier by tier, and keeps of it only what layer 1 needs, and the counts.
pub(super) fn stream_layer<G: PawnPairs, R: RowBits>(
    solver: &PairSolver<'_, G, R>,
    tiers: &[u64],
    above: &[u64],
    report: &mut LayerProgress<'_>,
) -> Result<(StreamedLayer, Histogram), Error> {
    let len = 2 * solver.squares * solver.squares;
    let folded = StreamedLayer::new(above);
    let mut counts = [0_u64; 256];
    let mut done = 0;
    for batch in tiers.chunks(TIERS_PER_REPORT) {
        let begin = || (solver.scratch(), vec![0; len]);
        let chunk = |(scratch, table): &mut (PairScratch<R>, Vec<u8>), tiers: &[u64]| {
            let mut counts = [0_u64; 256];
            for &tier in tiers {
                solver.solve_tier(tier, None, ExitValues::Nothing, scratch, table)?;
                let copies = solver.game.tier_copies(tier);
                table
                    .iter()
                    .for_each(|&code| counts[usize::from(code)] += copies);
                lower_predecessors(solver, tier, scratch, table, &folded);
            }
            Ok(counts)
        };
        let sums = batch
            .par_chunks(TIERS_PER_TASK)
            .map_init(begin, |own, tiers| chunk(own, tiers));
        let sums: Vec<[u64; 256]> = sums.collect::<Result<_, Error>>()?;
        for sum in sums {
            counts.iter_mut().zip(sum).for_each(|(all, n)| *all += n);
        }
        done += (batch.len() * len) as u64;
        report("solving", done)?;
    }
    let rows = palette().into_iter().zip(counts);
    let rows = rows.filter_map(|(value, n)| Some((value?, n)).filter(|_| n > 0));
    Ok((folded, rows.collect()))
}

/// Tells the tiers before a solved one what it is worth to move there.
fn lower_predecessors<G: PawnPairs, R: RowBits>(
    solver: &PairSolver<'_, G, R>,
    tier: u64,
    scratch: &mut PairScratch<R>,
    table: &[u8],
    folded: &StreamedLayer,
) {
    let half = table.len() / 2;
    for side in 0..2 {
        scratch.exits.clear();
        solver.game.tiers_before(tier, side, &mut scratch.exits);
        let mover = 1 - side;
        let table = &table[mover * half..(mover + 1) * half];
        for &(before, image) in &scratch.exits {
            let swaps = solver.images[usize::from(image)].exchanges_players;
            let side = if swaps { 1 - side } else { side };
            folded.lower(before, side, &solver.orders[usize::from(image)], table);
        }
    }
}
