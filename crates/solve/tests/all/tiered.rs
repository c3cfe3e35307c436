//! The tiered solver agrees with a slow obvious one, position by position.

use std::time::Duration;

use hindsight_core::{Game, Notation, PackedGame, Ranked, Structure, Tiers};
use hindsight_engine::checkpoint::{Blobs, Checkpoint, MemoryBlobs};
use hindsight_engine::{
    Error, Layer, Limits, MemoryStore, Monitor, NoMonitor, NullStore, Poll, Progress, Store,
    StoreError, StrongSolution,
};
use hindsight_solve::tiered::{TierPlan, TierStorage};
use hindsight_solve::{pawn_pairs, tiered};

use crate::game;
use crate::stopped::{StopAfter, check_damaged};

/// Solves and compares with the slow obvious solver. Returns the number of positions.
fn compare_tiered(game: &PackedGame) -> u64 {
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(game);
    let solved = tiered::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    compare(game, &kept, &solved.expect("a solve without limits"))
}

/// As [`compare_tiered`], with the solver of pairs of pawn squares: from the start, from half of
/// the layers, and streamed.
fn compare_pairs(game: &PackedGame) -> u64 {
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(game);
    let solved = pawn_pairs::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
    let solved = solved.expect("a solve without limits");
    let positions = compare(game, &kept, &solved);
    // Layers that were read back have other codes.
    let mut half = MemoryStore(kept.0[..kept.0.len() / 2].to_vec());
    half.0.iter_mut().for_each(reverse_codes);
    let resumed = pawn_pairs::solve(game, &plan, &mut half, Limits::default(), &mut NoMonitor);
    assert_eq!(resumed.expect("a solve without limits"), solved);
    assert_eq!(compare(game, &half, &solved), positions);
    let folded = TierPlan::new(game).streamed();
    let counted =
        pawn_pairs::solve(game, &folded, &mut NullStore, Limits::default(), &mut NoMonitor);
    assert_eq!(counted.expect("a solve without limits"), solved);
    positions
}

/// Keeps the values and changes their codes.
fn reverse_codes(layer: &mut Layer) {
    let last = layer.palette.len() - 1;
    layer.palette.reverse();
    for code in &mut layer.codes {
        *code = (last - usize::from(*code)) as u8;
    }
}

/// Compares every value with the slow obvious solver. Returns the number of positions.
fn compare(game: &PackedGame, kept: &MemoryStore, solved: &StrongSolution) -> u64 {
    let expected = hindsight_testkit::reference_ranked(game);
    let mut positions = 0;
    for layer in &kept.0 {
        for (i, &tier) in layer.tiers.iter().enumerate() {
            for (rank, &code) in (0..).zip(layer.tier_codes(i)) {
                let value = layer.palette[usize::from(code)];
                assert_eq!(
                    value,
                    expected.get(&(tier, rank)).copied(),
                    "{}: {:?}",
                    game.spec(),
                    game.unrank(tier, rank).map(|position| game.format(position))
                );
                let copies = game.orbit_run(tier, rank).orbit_size;
                positions += copies * u64::from(value.is_some());
            }
        }
    }
    let start = game.rank(game.start()).expect("the start has a rank");
    assert_eq!(solved.start, expected[&start], "{}", game.spec());
    assert_eq!(solved.summary.positions, positions, "{}", game.spec());
    positions
}

/// Compares each solver that the game has. Returns the number of positions.
fn agree(spec: &str) -> u64 {
    let game = game(spec);
    let positions = compare_tiered(&game);
    if game.structure() == Structure::PawnPairs {
        assert_eq!(compare_pairs(&game), positions);
    }
    positions
}

#[test]
fn onitama_agrees_in_every_position() {
    let mut counts = Vec::new();
    for spec in [
        "onitama:2x2:boar",
        "onitama:3x2:tiger,crab,monkey,crane,dragon",
        "onitama:2x4:ox,horse,boar,boar,elephant",
        "onitama:3x3:boar",
        "onitama:3x3:tiger,crab,monkey,crane,dragon:students=1",
        "onitama:2x3:(0,0)(1,0):stay=yes",
        "onitama:3x3:(1,1),boar,(0,2),boar,():hand=2",
        "onitama:2x3:boar,ox,horse:hand=1",
        "onitama:4x2:rabbit,cobra,rooster,frog,goose:students=2",
        "onitama:1x5:tiger,crab,monkey,crane,dragon",
    ] {
        counts.push((spec, agree(spec)));
    }
    // Counted by hand: two masters on four squares, neither on the other's arch nor on its square.
    assert_eq!(agree("onitama:2x2:boar:students=0"), 9 - 2);
    assert!(counts.iter().all(|&(_, n)| n > 0), "{counts:?}");
}

#[test]
fn quoridor_agrees_in_every_position() {
    for (spec, positions) in [
        ("quoridor:2x2:0", 12),
        ("quoridor:2x2:1", 36),
        ("quoridor:2x2:1:edge=open", 36),
        ("quoridor:2x3:2,1", 232),
        ("quoridor:2x3:2:edge=open:start=point", 240),
        ("quoridor:2x5:2:start=point", 4072),
        ("quoridor:2x5:1,2", 3104),
        ("quoridor:3x2:2", 396),
        ("quoridor:4x2:1", 1160),
        ("quoridor:3x3:1", 3116),
        ("quoridor:3x3:2,1", 5128),
        ("quoridor:3x3:0,2", 2348),
        ("quoridor:3x3:1:edge=open", 3116),
        ("quoridor:4x3:1", 12812),
        ("quoridor:3x3:2", 7156),
        ("quoridor:5x2:1", 3324),
    ] {
        assert_eq!(agree(spec), positions, "{spec}");
    }
}

#[test]
fn teaching_games_agree_in_every_position() {
    for spec in ["tic-tac-toe", "dodgem:2x2", "dodgem:3x3", "l-game", "quixo:3x3"] {
        agree(spec);
    }
}

#[test]
fn a_plan_that_does_not_fit_is_refused_with_its_figure() {
    let game = game("onitama:3x3:boar");
    let plan = TierPlan::new(&game);
    let solve = |memory| {
        let limits = Limits { memory, time: None };
        tiered::solve(&game, &plan, &mut NullStore, limits, &mut NoMonitor)
    };
    let error = solve(1000).expect_err("too little memory").to_string();
    assert!(error.contains("bytes of memory, 1000 are allowed"), "{error}");
    let needed: u64 = error.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert!(solve(needed).expect("enough memory").summary.positions > 0);
    assert!(solve(needed - 1).is_err());
}

/// Stops a solve after every few reports, and compares what it finds with one without a break.
/// Returns the number of stops.
fn stop_and_resume(spec: &str, reports: u32) -> u32 {
    let game = game(spec);
    let plan = TierPlan::new(&game);
    let mut whole = MemoryStore::default();
    let solved = tiered::solve(&game, &plan, &mut whole, Limits::default(), &mut NoMonitor);
    let (mut finished, blobs) = (MemoryStore::default(), MemoryBlobs::default());
    let mut stops = 0;
    loop {
        let mut monitor = StopAfter(reports);
        match solve_from(&game, &mut finished, &blobs, &mut monitor) {
            Err(Error::Stopped) => stops += 1,
            resumed => {
                assert_eq!(resumed.expect("it ends"), solved.expect("it ends"));
                break;
            }
        }
    }
    for (one, other) in whole.0.iter().zip(&finished.0) {
        let value = |layer: &Layer, code: u8| layer.palette[usize::from(code)];
        let mut codes = one.codes.iter().zip(&other.codes);
        assert!(codes.all(|(&a, &b)| value(one, a) == value(other, b)));
    }
    assert!(blobs.keys().expect("keys").is_empty());
    stops
}

/// Lets `left` layers be stored, and stops the solve when one more is.
struct StopStoring {
    left: u32,
    first_phase: Option<&'static str>,
}

impl Monitor for StopStoring {
    fn report(&mut self, progress: Progress) -> bool {
        self.first_phase.get_or_insert(progress.phase);
        let left = self.left;
        self.left -= u32::from(progress.phase == "storing" && left > 0);
        progress.phase != "storing" || left > 0
    }
}

/// Stops the storing of every layer once, and expects that no layer is solved twice.
fn check_stopped_storing(
    game: &PackedGame,
    solve: impl Fn(TierStorage<'_>, &mut dyn Monitor) -> Result<StrongSolution, Error>,
) {
    let (blobs, mut layers) = (MemoryBlobs::default(), MemoryStore::default());
    let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
    let mut solve_until = |monitor: &mut dyn Monitor| {
        let storage = TierStorage { layers: &mut layers, checkpoint: Some(&checkpoint) };
        solve(storage, monitor)
    };
    for layer in 0..game.layers() {
        let mut monitor = StopStoring { left: layer.min(1), first_phase: None };
        let stopped = solve_until(&mut monitor);
        assert!(matches!(stopped, Err(Error::Stopped)), "layer {layer}");
        assert!(layer == 0 || monitor.first_phase == Some("storing"));
    }
    let resumed = solve_until(&mut NoMonitor).expect("a solution");
    let whole = TierStorage { layers: &mut MemoryStore::default(), checkpoint: None };
    assert_eq!(resumed, solve(whole, &mut NoMonitor).expect("a solution"));
    assert_eq!(layers.0.len() as u32, game.layers());
    assert!(blobs.keys().expect("keys").is_empty());
}

#[test]
fn a_layer_whose_storing_was_stopped_is_not_solved_again() {
    for spec in ["dodgem:3x3", "quoridor:3x3:2", "onitama:2x2:boar"] {
        let game = game(spec);
        let plan = TierPlan::new(&game);
        let solve_from = match game.structure() {
            Structure::PawnPairs => pawn_pairs::solve_from,
            _ => tiered::solve_from,
        };
        check_stopped_storing(&game, |storage, monitor| {
            solve_from(&game, &plan, storage, Limits::default(), monitor)
        });
    }
}

/// Store that takes longer than [`SlowStore::LIMIT`] for a layer.
#[derive(Default)]
struct SlowStore(MemoryStore);

impl SlowStore {
    const LIMIT: Duration = Duration::from_secs(1);
}

impl Store for SlowStore {
    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error> {
        std::thread::sleep(Self::LIMIT);
        self.0.put(layer, poll)
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        self.0.has(layer)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        self.0.get(layer)
    }
}

#[test]
fn a_solved_layer_is_stored_though_its_time_is_over() {
    let game = game("tic-tac-toe");
    let limits = Limits { time: Some(SlowStore::LIMIT), ..Limits::default() };
    let mut store = SlowStore::default();
    let solved = tiered::solve(&game, &TierPlan::new(&game), &mut store, limits, &mut NoMonitor);
    assert!(matches!(solved, Err(Error::Time { .. })), "{solved:?}");
    assert_eq!(store.0.0.len(), 1);
}

fn solve_from(
    game: &PackedGame,
    layers: &mut MemoryStore,
    blobs: &MemoryBlobs,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let plan = TierPlan::new(game);
    let checkpoint = Checkpoint::new(blobs, Duration::MAX);
    let storage = TierStorage { layers, checkpoint: Some(&checkpoint) };
    tiered::solve_from(game, &plan, storage, Limits::default(), monitor)
}

#[test]
fn a_damaged_layer_is_refused() {
    let game = game("onitama:2x2:boar");
    check_damaged(|blobs, monitor| solve_from(&game, &mut MemoryStore::default(), blobs, monitor));
}

#[test]
fn a_stopped_layer_goes_on_where_it_was() {
    assert!(stop_and_resume("onitama:3x3:tiger,crab,monkey,crane,dragon", 2) > 20);
}

#[test]
#[ignore = "slow: half a minute"]
fn a_stopped_large_layer_goes_on_where_it_was() {
    assert!(stop_and_resume("onitama:3x4:tiger,crab,monkey,crane,dragon", 5) > 10);
}
