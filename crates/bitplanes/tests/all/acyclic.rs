//! Where no piece can go back, a solve by tiers of bytes finds what the tiered one finds, position by position.

use hindsight_bitplanes::{AcyclicOptions, AcyclicPlan, BitplanePlan, Instructions, solve_acyclic};
use hindsight_core::{Answer, Game, Notation, Probe, Retro, TwoSided, Value};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::StrongSolution;
use hindsight_solve::{Error, Limits, MemoryStore, Monitor, NoMonitor, Progress, tiered};
use hindsight_testkit::every_position;

/// Odd and even widths, cards that are each other's images or not, pieces that can go back, hands that can be stuck, and every variant.
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

fn solve<G: TwoSided>(
    game: &G,
    (instructions, limits): (Instructions, Limits),
    watched: &[G::Position],
    monitor: &mut dyn Monitor,
) -> Solved {
    let terms = AcyclicOptions {
        instructions,
        limits,
        monitor,
    };
    let arranged = |&position| game.placement(position).expect("a game that is not over");
    let plan = AcyclicPlan::new(BitplanePlan::new(game));
    solve_acyclic(game, plan, terms, watched.iter().map(arranged))
}

/// With all instructions.
struct Agrees;

impl Visitor for Agrees {
    type Output = ();

    fn visit<G: Game + Notation>(self, game: G) {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let mut kept = MemoryStore::default();
        let plan = tiered::TierPlan::new(&game);
        let expected = tiered::solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
        let expected = expected.expect("a solve without limits");
        let positions = every_position(&game);
        for instructions in Instructions::all() {
            let how = (instructions, Limits::default());
            let solved = solve(&game, how, &positions, &mut NoMonitor);
            let (outcome, values) = solved.expect("a solve without limits");
            for (&position, value) in positions.iter().zip(&values) {
                let Ok(answer) = kept.with(&game).probe(position);
                let value = Answer::Exact(value.unwrap_or(Value::Draw));
                assert_eq!(value, answer, "{}: {}", game.spec(), game.format(position));
            }
            assert_eq!(outcome, expected, "{}, {instructions:?}", game.spec());
        }
    }
}

#[test]
fn every_position_agrees_with_the_tiered_solver() {
    for spec in SPECS {
        by_name(spec, &Setup::default(), Agrees).expect("a game");
    }
}

struct GoesOnward;

impl Visitor for GoesOnward {
    type Output = bool;

    fn visit<G: Game + Notation>(self, game: G) -> bool {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> bool {
        BitplanePlan::new(&game).acyclic(u64::MAX).is_ok()
    }
}

#[test]
fn tiers_of_bytes_are_for_cards_that_do_not_go_back() {
    let goes = |spec| by_name(spec, &Setup::default(), GoesOnward).expect("a game");
    assert!(goes("onitama:3x4:boar"));
    assert!(goes("onitama:3x4:boar,boar,elephant,boar,boar"));
    assert!(!goes("onitama:3x4:boar,boar,ox,boar,boar"));
    assert!(!goes("onitama:3x4:boar,ox,elephant,horse,crab"));
    // Planes of bits are faster with so many deals.
    assert!(!goes("onitama:3x4:boar,elephant,crab,boar,boar"));
}

/// Stops at once.
struct Stops;

impl Monitor for Stops {
    fn report(&mut self, _: Progress) -> bool {
        false
    }
}

struct IsRefused;

impl Visitor for IsRefused {
    type Output = ();

    fn visit<G: Game + Notation>(self, game: G) {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let peak = AcyclicPlan::new(BitplanePlan::new(&game)).peak();
        let with = |memory| (Instructions::detect(), Limits { memory, time: None });
        let refused = solve(&game, with(peak - 1), &[], &mut NoMonitor);
        assert!(matches!(refused, Err(Error::TooLarge { needed, .. }) if needed == peak));
        assert!(solve(&game, with(peak), &[], &mut NoMonitor).is_ok());
        let stopped = solve(&game, with(peak), &[], &mut Stops);
        assert!(matches!(stopped, Err(Error::Stopped)));
    }
}

#[test]
fn it_stops_when_asked_and_is_refused_without_memory() {
    by_name("onitama:3x3:boar", &Setup::default(), IsRefused).expect("a game");
}
