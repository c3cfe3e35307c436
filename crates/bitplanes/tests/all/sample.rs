//! A sample of positions finds no fault in a right solve, and some in a wrong one.

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, Sample, SampleReport, solve,
};
use hindsight_core::{Game, PackedGame, Random, Value};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};

/// Positions of a sample.
const SAMPLED: u32 = 400;

/// Linear congruential generator.
struct Lcg(u64);

impl Random for Lcg {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0.rotate_left(32)
    }
}

/// Solves a game, and records its values as a function changes them; `None` is not recorded.
///
/// Returns the number of faults that the sample finds, and of successors in it.
fn check_recorded(game: &PackedGame, change: fn(Value) -> Option<Value>) -> (usize, u64) {
    let mut sample = Sample::draw(game, SAMPLED, &mut Lcg(7));
    let options = InMemoryOptions {
        instructions: Instructions::detect(),
        limits: Limits::default(),
        monitor: &mut NoMonitor,
        checkpoint: None,
    };
    let solved = solve(game, BitplanePlan::new(game), options, &mut |planes, value| {
        if let Some(value) = change(value) {
            sample.record(planes, value);
        }
        Ok(())
    });
    solved.expect("a solve without limits");
    let SampleReport { positions, successors, faults } = sample.check();
    assert_eq!(positions, u64::from(SAMPLED));
    for fault in &faults {
        assert_ne!(fault.value, fault.by_successors);
        assert_eq!(game.terminal(fault.position), None);
    }
    (faults.len(), successors)
}

/// Games with odd and even widths, one whose pieces can be stuck, and one where they always are.
const SPECS: [&str; 7] = [
    "onitama:1x2:boar",
    "onitama:2x2:boar",
    "onitama:2x4:boar,ox,elephant,horse,crab",
    "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
    "onitama:3x3:ox,ox,tiger,tiger,boar",
    "onitama:3x2:()",
    "onitama:5x5:boar:students=1",
];

#[test]
fn a_right_solve_has_no_faults() {
    for spec in SPECS {
        let game = by_name(spec, &Setup::default()).expect("a spec");
        let (faults, successors) = check_recorded(&game, Some);
        assert_eq!(faults, 0, "{spec}");
        assert!(successors >= SAMPLED.into(), "{spec}");
    }
}

#[test]
fn a_wrong_solve_has_faults() {
    let wrong: [fn(Value) -> Option<Value>; 3] = [
        // Losses in two plies become draws.
        |value| (value != Value::Loss(2)).then_some(value),
        // Wins take two plies more.
        |value| match value {
            Value::Win(plies) => Some(Value::Win(plies + 2)),
            other => Some(other),
        },
        // Losses become draws.
        |value| match value {
            Value::Loss(_) => None,
            other => Some(other),
        },
    ];
    let spec = "onitama:2x4:boar,ox,elephant,horse,crab";
    let game = by_name(spec, &Setup::default()).expect("a spec");
    for wrong in wrong {
        let (faults, _) = check_recorded(&game, wrong);
        assert!(faults > 0);
    }
}
