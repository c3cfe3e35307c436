//! `cargo bench -p hindsight-solve --bench pair_tiers`: tiers of Quoridor on one thread, by looking
//! finished tables up and by lowering exit codes. Both must end with the same values.

use divan::Bencher;
use divan::counter::ItemsCount;
use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::{Histogram, Limits, NoMonitor, NullStore};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::pawn_pairs::{self, NO_EXIT, PairTierSolver, palette};
use hindsight_solve::tiered::TierPlan;

const SPECS: [&str; 2] = ["quoridor:4x4:3", "quoridor:5x5:3"];

fn main() {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1);
    one_thread.build_global().expect("no pool yet");
    divan::main();
}

fn by_lookup(game: &PackedGame, plan: &TierPlan) -> Histogram {
    let limits = Limits::default();
    let solved = pawn_pairs::solve(game, plan, &mut NullStore, limits, &mut NoMonitor);
    solved.expect("a solve without limits").histogram
}

fn by_lowering(game: &PackedGame, plan: &TierPlan) -> Histogram {
    let mut solver = PairTierSolver::new(game);
    let ranks = solver.tier_ranks();
    let mut counts = [0; 256];
    let mut codes = vec![NO_EXIT; plan.tiers(0).len() * ranks];
    for layer in 0..game.layers() {
        let is_last = layer + 1 == game.layers();
        let above = if is_last { &[] } else { plan.tiers(layer + 1) };
        let mut next = vec![NO_EXIT; above.len() * ranks];
        for (&tier, codes) in plan.tiers(layer).iter().zip(codes.chunks_mut(ranks)) {
            solver.solve(tier, codes).expect("few plies");
            let copies = game.orbit_run(tier, 0).orbit_size;
            let counted = codes.iter();
            counted.for_each(|&code| counts[usize::from(code)] += copies);
            let mut offset = |tier| above.binary_search(&tier).ok().map(|i| i * ranks);
            solver.lower(tier, codes, &mut next, &mut offset);
        }
        codes = next;
    }
    let rows = palette().into_iter().zip(counts);
    rows.filter_map(|(value, n)| Some((value?, n)).filter(|_| n > 0)).collect()
}

fn bench(bencher: Bencher<'_, '_>, spec: &str, solve: fn(&PackedGame, &TierPlan) -> Histogram) {
    let game = by_name(spec, &Setup::default()).expect("a spec");
    let plan = TierPlan::new(&game);
    let expected = by_lookup(&game, &plan);
    let bencher = bencher.counter(ItemsCount::new(plan.ranks()));
    bencher.bench_local(|| assert_eq!(solve(&game, &plan), expected));
}

#[divan::bench(args = SPECS, sample_count = 5)]
fn lookup(bencher: Bencher<'_, '_>, spec: &str) {
    bench(bencher, spec, by_lookup);
}

#[divan::bench(args = SPECS, sample_count = 5)]
fn lowering(bencher: Bencher<'_, '_>, spec: &str) {
    bench(bencher, spec, by_lowering);
}
