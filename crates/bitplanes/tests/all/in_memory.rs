//! The solver in memory agrees with the tiered one, position by position.

use std::collections::HashMap;

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, Planes, solve, solve_and_store,
};
use hindsight_core::{Answer, Notation, PackedGame, Probe, Ranked, Tiers, TwoSided, Value, Wdl};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Error, Layer, Limits, MemoryStore, Monitor, NoMonitor, StrongSolution};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered;
use hindsight_testkit::every_position;

/// Small games with odd and even widths, and with every variant.
///
/// Cards are alike or each other's images; pieces can be stuck.
const SPECS: [&str; 21] = [
    "onitama:1x2:boar",
    "onitama:2x2:boar",
    "onitama:2x3:boar",
    "onitama:3x3:boar",
    "onitama:2x4:boar,ox,elephant,horse,crab",
    "onitama:3x2:tiger,crab,monkey,crane,dragon",
    "onitama:2x3:boar,boar,ox,ox,ox",
    "onitama:3x3:ox,ox,tiger,tiger,boar",
    "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
    "onitama:2x3:tiger,tiger,(),(),horse",
    "onitama:3x2:()",
    "onitama:2x3:boar,ox,elephant,horse,crab,tiger,eel:hand=3",
    "onitama:2x3:boar,ox,elephant,horse,crab,tiger,eel,crane,dragon:hand=4",
    "onitama:2x3:boar,ox,eel:hand=1",
    "onitama:3x4:boar,ox,elephant,horse,crab:students=1",
    "onitama:4x5:(0,2)(0,-1):students=1",
    "onitama:5x5:boar:students=1",
    "onitama:5x3:boar,ox,horse,eel,cobra:students=1",
    "onitama:7x4:tiger:students=1",
    "onitama:4x8:boar,boar,ox,ox,tiger:students=0",
    "onitama:3x9:boar:students=1",
];

pub(crate) fn options<'a>(
    instructions: Instructions,
    limits: Limits,
    monitor: &'a mut dyn Monitor,
    checkpoint: Option<&'a Checkpoint<'a>>,
) -> InMemoryOptions<'a> {
    InMemoryOptions { instructions, limits, monitor, checkpoint }
}

/// Compares with the tiered solver, for every instruction set; returns the number of positions.
fn compare_with_tiered(game: &PackedGame) -> u64 {
    let mut tiered_store = MemoryStore::default();
    let plan = tiered::TierPlan::new(game);
    let expected = tiered::solve(game, &plan, &mut tiered_store, Limits::default(), &mut NoMonitor);
    let expected = expected.expect("a solve without limits");
    let positions = every_position(game);
    for instructions in Instructions::all() {
        let plan = BitplanePlan::new(game);
        assert_eq!(plan.positions(), positions.len() as u64, "{}", game.spec());
        // A position that is first decided by the pass of a value has that value.
        let mut values: HashMap<(u64, u64), Value> = HashMap::new();
        let mut undecided = positions.clone();
        let wdl = |planes: &Planes, position| {
            planes.wdl(game.placement(position).expect("a game that is not over"))
        };
        let mut record = |planes: &Planes, value: Value| {
            undecided.retain(|&position| {
                let wdl = wdl(planes, position);
                if wdl != Wdl::Draw {
                    assert_eq!(wdl, value.wdl(), "{}", game.format(position));
                    values.insert(game.rank(position).expect("a rank"), value);
                }
                wdl == Wdl::Draw
            });
            Ok(())
        };
        let limits = Limits::default();
        let solved =
            solve(game, plan, options(instructions, limits, &mut NoMonitor, None), &mut record);
        let solved = solved.expect("a solve without limits");
        assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
        for &position in &positions {
            let address = game.rank(position).expect("a rank");
            let value = values.get(&address).copied().unwrap_or(Value::Draw);
            let Ok(answer) = tiered_store.with(game).probe(position);
            let expected = Answer::Exact(value);
            assert_eq!(answer, expected, "{}", game.format(position));
            let is_implied = game.implied_value(position).is_some();
            assert_eq!(game.is_implied(value), Some(is_implied), "{}", game.spec());
        }
        let mut plane_store = MemoryStore::default();
        let plan = BitplanePlan::new(game);
        let solved = solve_and_store(
            game,
            plan,
            options(instructions, limits, &mut NoMonitor, None),
            &mut plane_store,
        );
        let solved = solved.expect("a solve without limits");
        assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
        for layer in 0..game.layers() {
            let [by_planes, by_tiers] =
                [&plane_store, &tiered_store].map(|store: &MemoryStore| &store.0[layer as usize]);
            assert_eq!((by_planes.layer, by_tiers.layer), (layer, layer));
            assert_eq!(by_planes.tiers, by_tiers.tiers);
            let values = |layer: &Layer| -> Vec<_> {
                let codes = layer.codes.iter();
                codes.map(|&code| layer.palette[usize::from(code)]).collect()
            };
            assert_eq!(values(by_planes), values(by_tiers), "{}", game.spec());
        }
    }
    positions.len() as u64
}

#[test]
fn planes_agree_with_tiers_position_by_position() {
    for spec in SPECS {
        let game = by_name(spec, &Setup::default()).expect("a spec");
        assert!(compare_with_tiered(&game) > 0, "{spec}");
    }
}

/// Larger boards, of some hundred million positions.
#[test]
#[ignore = "slow: minutes; needs an optimised build"]
fn planes_agree_with_tiers_on_larger_boards() {
    let specs = [
        "onitama:3x4:boar",
        "onitama:4x3:boar",
        "onitama:3x5:boar",
        "onitama:4x4:boar",
        "onitama:3x3:tiger,crab,monkey,crane,dragon",
        "onitama:3x4:boar,ox,elephant,horse,crab",
        "onitama:4x4:boar,boar,ox,ox,tiger:students=2",
        "onitama:4x5:boar,ox,elephant,horse,crab:students=1",
    ];
    for spec in specs {
        assert_same_histogram(&by_name(spec, &Setup::default()).expect(spec));
    }
}

/// Compares the histogram with that of the tiered solver, for every instruction set.
fn assert_same_histogram(game: &PackedGame) {
    let plan = tiered::TierPlan::new(game);
    let limits = Limits::default();
    let expected =
        tiered::solve(game, &plan, &mut hindsight_engine::NullStore, limits, &mut NoMonitor);
    let expected = expected.expect("a solve without limits");
    for instructions in Instructions::all() {
        let plan = BitplanePlan::new(game);
        let ignore = &mut |_: &Planes, _| Ok(());
        let solved = solve(game, plan, options(instructions, limits, &mut NoMonitor, None), ignore);
        let solved = solved.expect("a solve without limits");
        assert_eq!(solved, expected, "{} {instructions:?}", game.spec());
    }
}

/// Solves within limits, with a monitor.
pub(crate) fn solve_within(
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let plan = BitplanePlan::new(game);
    let ignore = &mut |_: &Planes, _| Ok(());
    let instructions = Instructions::detect();
    solve(game, plan, options(instructions, limits, monitor, None), ignore)
}

#[test]
fn a_solve_that_does_not_fit_is_refused_before_it_allocates() {
    let limits = Limits { memory: 1 << 30, time: None };
    let needed = |cards: &str| {
        let spec = format!("onitama:5x5:{cards}");
        let game = by_name(&spec, &Setup::default()).expect("a spec");
        match solve_within(&game, limits, &mut NoMonitor) {
            Err(Error::TooLarge { ranks, needed, limit }) => {
                assert_eq!((ranks, limit), (957_188_203_230, 1 << 30));
                needed as f64 / ranks as f64
            }
            other => panic!("{other:?}"),
        }
    };
    // A little more than two bits a position, and half of that with a mirror.
    let bytes = needed("boar,ox,elephant,tiger,crab");
    assert!(bytes > 0.25 && bytes < 0.31, "{bytes}");
    let half = needed("boar,ox,elephant,horse,crab");
    assert!(half > 0.125 && half < 0.155, "{half}");
}

#[test]
fn the_least_memory_gives_the_same_solution() {
    for spec in ["onitama:4x3:boar:students=2", "onitama:2x4:boar,ox,elephant,horse,crab"] {
        let game = by_name(spec, &Setup::default()).expect("a spec");
        let solved = |memory| solve_within(&game, Limits { memory, time: None }, &mut NoMonitor);
        let expected = solved(u64::MAX).expect("a solve without limits");
        let Err(Error::TooLarge { needed, .. }) = solved(1) else {
            panic!("{spec} fits into a byte");
        };
        assert!(matches!(solved(needed - 1), Err(Error::TooLarge { .. })));
        // Without frontiers, with frontiers that are too short, and with longer ones.
        for more in [0, needed / 100, needed / 20, needed / 5] {
            let solved = solved(needed + more).expect("memory enough");
            assert_eq!(solved, expected, "{spec} {more}");
        }
    }
}

#[test]
fn threads_do_not_change_the_solution() {
    let game = by_name("onitama:4x3:boar:students=2", &Setup::default()).expect("a spec");
    let solution = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let solved = solve_within(&game, Limits::default(), &mut NoMonitor);
            solved.expect("a solve without limits")
        })
    };
    assert_eq!(solution(1), solution(5));
}
