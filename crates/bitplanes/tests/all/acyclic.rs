//! The acyclic solver agrees with the tiered one, position by position.

use hindsight_bitplanes::{AcyclicOptions, AcyclicPlan, BitplanePlan, Instructions, solve_acyclic};
use hindsight_core::{Answer, Notation, Packed, PackedGame, Probe, TwoSided, Value};
use hindsight_engine::{Error, Limits, MemoryStore, Monitor, NoMonitor, Progress, StrongSolution};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered;
use hindsight_testkit::every_position;

/// Games with odd and even widths, and with every variant.
///
/// Cards are each other's images or not; pieces can go back or be stuck.
const SPECS: [&str; 17] = [
    "onitama:1x3:boar",
    "onitama:2x3:boar",
    "onitama:3x3:boar",
    "onitama:2x4:boar",
    "onitama:3x4:boar",
    "onitama:2x4:boar,elephant,crab,boar,elephant",
    "onitama:3x3:(1,1)(-1,1),(0,1),(1,0)(-1,0),(0,2),(0,1)(1,1)(-1,1)",
    "onitama:3x3:(0,2)(1,0),(0,1)(1,1),(1,0)(0,1),(0,1),(2,1)",
    "onitama:2x4:(0,0)(1,0),boar,crab,(0,0),crab:stay=yes",
    "onitama:3x4:boar,(),(),(0,1),(0,1)",
    "onitama:2x3:boar,elephant,crab,(0,1),(0,2),boar,boar:hand=3",
    "onitama:2x3:boar,elephant,(0,1):hand=1",
    "onitama:3x3:boar,ox,elephant,horse,crab",
    "onitama:2x4:tiger,crab,monkey,crane,dragon",
    "onitama:3x3:(0,1)(0,-1),(1,1),(-1,-1)(0,0),(1,0),(0,1):stay=yes",
    "onitama:5x3:boar:students=1",
    "onitama:7x4:(0,1)(1,0)(-1,0):students=1",
];

type Solved = Result<(StrongSolution, Vec<Option<Value>>), Error>;

/// Solves a game, and returns the values of tracked positions.
fn solve(
    game: &PackedGame,
    instructions: Instructions,
    limits: Limits,
    tracked: &[Packed],
    monitor: &mut dyn Monitor,
) -> Solved {
    let options = AcyclicOptions { instructions, limits, monitor };
    let placement = |&position| game.placement(position).expect("a game that is not over");
    let plan = AcyclicPlan::new(BitplanePlan::new(game));
    solve_acyclic(game, plan, options, tracked.iter().map(placement))
}

/// Compares with the tiered solver, for every instruction set.
fn assert_agrees_with_tiered(game: &PackedGame) {
    let mut store = MemoryStore::default();
    let plan = tiered::TierPlan::new(game);
    let expected = tiered::solve(game, &plan, &mut store, Limits::default(), &mut NoMonitor);
    let expected = expected.expect("a solve without limits");
    let positions = every_position(game);
    for instructions in Instructions::all() {
        let limits = Limits::default();
        let solved = solve(game, instructions, limits, &positions, &mut NoMonitor);
        let (solution, values) = solved.expect("a solve without limits");
        for (&position, value) in positions.iter().zip(&values) {
            let Ok(answer) = store.with(game).probe(position);
            let value = Answer::Exact(value.unwrap_or(Value::Draw));
            assert_eq!(value, answer, "{}: {}", game.spec(), game.format(position));
        }
        assert_eq!(solution, expected, "{}, {instructions:?}", game.spec());
    }
}

#[test]
fn every_position_agrees_with_the_tiered_solver() {
    for spec in SPECS {
        assert_agrees_with_tiered(&by_name(spec, &Setup::default()).expect("a game"));
    }
}

#[test]
fn a_plan_is_acyclic_if_cards_do_not_go_back_and_contexts_are_few() {
    let is_acyclic = |spec| {
        let game = by_name(spec, &Setup::default()).expect("a game");
        BitplanePlan::new(&game).acyclic(u64::MAX).is_ok()
    };
    assert!(is_acyclic("onitama:3x4:boar"));
    assert!(is_acyclic("onitama:3x4:boar,boar,elephant,boar,boar"));
    assert!(!is_acyclic("onitama:3x4:boar,boar,ox,boar,boar"));
    assert!(!is_acyclic("onitama:3x4:boar,ox,elephant,horse,crab"));
    // Ten contexts or more, for which planes of bits are faster.
    assert!(!is_acyclic("onitama:3x4:boar,elephant,crab,boar,boar"));
}

/// Stops a solve at its first report.
struct StopsAtOnce;

impl Monitor for StopsAtOnce {
    fn report(&mut self, _: Progress) -> bool {
        false
    }
}

#[test]
fn a_solve_is_refused_without_memory_and_stops_when_asked() {
    let game = &by_name("onitama:3x3:boar", &Setup::default()).expect("a game");
    let peak = AcyclicPlan::new(BitplanePlan::new(game)).peak();
    let instructions = Instructions::detect();
    let within = |memory| Limits { memory, time: None };
    let refused = solve(game, instructions, within(peak - 1), &[], &mut NoMonitor);
    assert!(matches!(refused, Err(Error::TooLarge { needed, .. }) if needed == peak));
    assert!(solve(game, instructions, within(peak), &[], &mut NoMonitor).is_ok());
    let stopped = solve(game, instructions, within(peak), &[], &mut StopsAtOnce);
    assert!(matches!(stopped, Err(Error::Stopped)));
}
