//! Solve of layer 0 without keeping it.

use hindsight_core::Tiers;
use hindsight_engine::{Error, Histogram, Pace};
use rayon::prelude::*;

use super::code::palette;
use super::row::RowBits;
use super::solver::{ExitValues, PairScratch, PairSolver, TASKS_PER_REPORT, TIERS_PER_TASK};
use super::streamed::StreamedLayer;
use crate::solve_layer::LayerProgress;

/// Solves layer 0 tier by tier. Returns the exit values of layer 1, and the positions of layer 0 by
/// value. `above` lists the tiers of layer 1.
pub(super) fn stream_layer<R: RowBits>(
    solver: &PairSolver<'_, R>,
    tiers: &[u64],
    above: &[u64],
    report: &mut LayerProgress<'_>,
) -> Result<(StreamedLayer, Histogram), Error> {
    let len = 2 * solver.squares * solver.squares;
    let streamed = StreamedLayer::new(above);
    let mut counts = [0_u64; 256];
    let mut done = 0;
    let (mut left, mut pace) = (tiers, Pace::new(TASKS_PER_REPORT));
    while !left.is_empty() {
        let most = pace.portion() as usize * TIERS_PER_TASK;
        let batch = left.split_off(..most.min(left.len()));
        let batch = batch.expect("at most all tiers");
        let begin = || (solver.scratch(), vec![0; len]);
        let chunk = |(scratch, table): &mut (PairScratch<R>, Vec<u8>), tiers: &[u64]| {
            let mut counts = [0_u64; 256];
            for &tier in tiers {
                solver.solve_tier(tier, None, ExitValues::Nothing, scratch, table)?;
                let copies = solver.game.orbit_run(tier, 0).orbit_size;
                table.iter().for_each(|&code| counts[usize::from(code)] += copies);
                lower_before(solver, tier, scratch, table, &streamed);
            }
            Ok(counts)
        };
        let sums = batch.par_chunks(TIERS_PER_TASK).map_init(begin, |own, tiers| chunk(own, tiers));
        let sums: Vec<[u64; 256]> = sums.collect::<Result<_, Error>>()?;
        for sum in sums {
            counts.iter_mut().zip(sum).for_each(|(all, n)| *all += n);
        }
        done += (batch.len() * len) as u64;
        report("solving", done)?;
    }
    let rows = palette().into_iter().zip(counts);
    let rows = rows.filter_map(|(value, n)| Some((value?, n)).filter(|_| n > 0));
    Ok((streamed, rows.collect()))
}

/// Lowers the exit codes of the tiers of layer 1 whose exits lead to a solved tier.
fn lower_before<R: RowBits>(
    solver: &PairSolver<'_, R>,
    tier: u64,
    scratch: &mut PairScratch<R>,
    table: &[u8],
    streamed: &StreamedLayer,
) {
    solver.list_exits_before(tier, scratch);
    let PairScratch { before, images, .. } = scratch;
    images.clear();
    for &exit in &*before {
        streamed.lower(exit, images.codes(exit, &solver.orders, table));
    }
}
