//! Limits of time, memory and positions; forced moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hindsight_core::{Game, Heuristics, PackedGame, PackedMove, Random, Wdl};
use hindsight_play::{Agent, AgentError, AgentResources, AgentSpec, ChosenMove, SeededRandom};
use hindsight_testkit::pack_numbers;

use crate::named;

/// An endless game with `wide` moves in every position, and slow playouts and evaluations.
#[derive(Clone, Default)]
struct SlowGame {
    wide: u64,
    /// Duration of a playout or an evaluation.
    each: Duration,
    /// Extra duration of the first playout.
    first: Duration,
    counts: Arc<Counts>,
}

/// Numbers of what agents have asked for.
#[derive(Default)]
struct Counts {
    playouts: AtomicU64,
    /// Playouts by the first move of the game, from position 1.
    playouts_by_move: [AtomicU64; 8],
    evaluations: AtomicU64,
}

impl SlowGame {
    /// Returns the game for agents. It has the same counts.
    fn packed(&self) -> PackedGame {
        PackedGame::new(self.clone())
    }
}

pack_numbers!(SlowGame, u64, "slow");

impl Game for SlowGame {
    type Position = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        1
    }
    fn player_to_move(&self, _: u64) -> usize {
        0
    }
    fn terminal(&self, _: u64) -> Option<Wdl> {
        None
    }
    fn moves(&self, _: u64, out: &mut Vec<u64>) {
        out.extend(0..self.wide);
    }
    fn play(&self, position: u64, mv: u64) -> u64 {
        position.wrapping_mul(101).wrapping_add(mv)
    }
    fn heuristics(&self) -> Option<&dyn Heuristics<Position = u64, Move = u64>> {
        Some(self)
    }
}

impl Heuristics for SlowGame {
    fn playout(&self, position: u64, plies: u32, _: &mut dyn Random) -> (u64, u32) {
        if self.counts.playouts.fetch_add(1, Ordering::Relaxed) == 0 {
            sleep(self.first);
        }
        sleep(self.each);
        if let Some(count) = self.counts.playouts_by_move.get(position.wrapping_sub(101) as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        (position, plies)
    }
    fn evaluate(&self, _: u64) -> Option<i32> {
        self.counts.evaluations.fetch_add(1, Ordering::Relaxed);
        sleep(self.each);
        Some(0)
    }
}

fn choose(agent: &str, game: &PackedGame) -> ChosenMove {
    let spec: AgentSpec = agent.parse().unwrap();
    let mut agent = spec.agent(None, AgentResources::default()).unwrap();
    agent.choose(game, game.start(), &mut SeededRandom::new(&[1])).unwrap()
}

/// One deadline covers all moves: a slow first playout leaves the others no time of their own.
#[test]
fn pure_monte_carlo_has_one_deadline() {
    let game = SlowGame { wide: 5, first: Duration::from_millis(300), ..SlowGame::default() };
    assert_eq!(choose("mc:time=0.3", &game.packed()).work, 5, "one round");
}

#[test]
fn pure_monte_carlo_by_time_is_fair() {
    let game = SlowGame { wide: 8, each: Duration::from_millis(1), ..SlowGame::default() };
    let work = choose("mc:time=0.1", &game.packed()).work;
    assert_eq!(work, game.counts.playouts.load(Ordering::Relaxed));
    let by_move = game.counts.playouts_by_move.each_ref().map(|n| n.load(Ordering::Relaxed));
    assert_eq!(by_move.iter().sum::<u64>(), work, "{by_move:?}");
    assert!(by_move[0] - by_move[7] <= 1, "{by_move:?}");
}

/// A sleep never ends early, so the time limit bounds the number of slow steps.
#[test]
fn slow_steps_are_not_taken_in_dozens() {
    let slow = || SlowGame { wide: 60, each: Duration::from_millis(4), ..SlowGame::default() };
    for agent in ["mcts:time=0.04", "mcts:time=0.04,rollouts=1000"] {
        assert!(choose(agent, &slow().packed()).work <= 11, "{agent}");
    }
    // The clock is read before each position; a limit ends the lists of moves on all plies at once.
    let game = slow();
    choose("alphabeta:time=0.04", &game.packed());
    let evaluations = game.counts.evaluations.load(Ordering::Relaxed);
    assert!(evaluations <= 12, "{evaluations}");
}

/// The deadline ends a cycle of many playouts before its last one.
#[test]
fn rollouts_end_with_the_time() {
    let game = named("tic-tac-toe");
    let choice = choose("mcts:time=0.01,rollouts=1048576", &game);
    assert!((1..1 << 20).contains(&choice.work), "{choice:?}");
}

#[test]
fn alpha_beta_looks_at_no_more_positions_than_it_may() {
    let game = named("tic-tac-toe");
    for nodes in [1, 2, 10, 57, 1000] {
        let choice = choose(&format!("alphabeta:nodes={nodes}"), &game);
        assert_eq!(choice.work, nodes);
    }
}

/// A forced move is played without work and without values.
///
/// Only agents that draw their moves use a random number.
#[test]
fn forced_moves_need_no_thought() {
    let game = SlowGame { wide: 1, each: Duration::from_secs(60), ..SlowGame::default() }.packed();
    let no_values = |_: &[_]| Err("asked".into());
    for agent in [
        "random",
        "mc",
        "mc:time=100",
        "mcts",
        "mcts:time=100",
        "mcts:prune=1%,proven=yes,rollouts=5",
        "alphabeta",
        "alphabeta:time=100",
        "perfect",
        "lure",
    ] {
        let spec: AgentSpec = agent.parse().unwrap();
        let made = spec.agent(Some(&no_values), AgentResources::default());
        let mut random = SeededRandom::new(&[1]);
        let choice = made.unwrap().choose(&game, game.start(), &mut random).unwrap();
        assert_eq!((choice.mv, choice.work), (PackedMove(0), 0), "{agent}");
        let untouched = random.bits() == SeededRandom::new(&[1]).bits();
        let draws = ["random", "perfect", "lure"].contains(&agent);
        assert_eq!(untouched, !draws, "{agent}");
    }
}

fn within<'a>(
    agent: &str,
    memory: u64,
    full: &'a AtomicBool,
) -> Result<Box<dyn Agent + 'a>, AgentError> {
    let spec: AgentSpec = agent.parse().unwrap();
    let full = Some(full);
    spec.agent(
        None,
        AgentResources { memory_bytes: memory, exhausted: full, ..AgentResources::default() },
    )
}

/// A limit below the minimum is refused with that minimum; at the minimum, agents play.
#[test]
fn agents_say_what_memory_they_need() {
    let game = SlowGame { wide: 30, ..SlowGame::default() }.packed();
    for agent in ["random", "mc", "mcts:playouts=200", "alphabeta"] {
        let spec: AgentSpec = agent.parse().unwrap();
        let least = spec.least_memory();
        let full = AtomicBool::new(false);
        if least > 0 {
            let error = within(agent, least - 1, &full).err().unwrap().to_string();
            let name = agent.split(':').next().unwrap();
            let says = format!("{name} takes at least {least} bytes of memory");
            assert!(error.starts_with(&says), "{error}");
        }
        let mut made = within(agent, least, &full).unwrap();
        made.choose(&game, game.start(), &mut SeededRandom::new(&[1])).unwrap();
        assert!(!full.load(Ordering::Relaxed), "{agent}");
    }
    // The root and all its successors must fit, however many they are.
    let game = SlowGame { wide: 3000, ..SlowGame::default() }.packed();
    let full = AtomicBool::new(false);
    let mut tree = within("mcts", 130_000, &full).unwrap();
    let error = tree.choose(&game, game.start(), &mut SeededRandom::new(&[1])).unwrap_err();
    let AgentError::Memory { least, .. } = error else {
        panic!("{error}");
    };
    let mut tree = within("mcts", least, &full).unwrap();
    tree.choose(&game, game.start(), &mut SeededRandom::new(&[1])).unwrap();
}

/// Every agent with a search, in its slow and endless form.
const SEARCHES: [&str; 6] = [
    "mc:playouts=10000000",
    "mcts:playouts=10000000",
    "mcts:playouts=10000000,rollouts=1000,prune=1%",
    "alphabeta:depth=100",
    "level:10",
    "level:9",
];

#[test]
fn resources_end_every_search_in_time() {
    let game = SlowGame { wide: 5, each: Duration::from_micros(200), ..SlowGame::default() };
    let packed = game.packed();
    let stopped = AtomicBool::new(true);
    let by_time =
        AgentResources { time: Some(Duration::from_millis(50)), ..AgentResources::default() };
    let by_flag = AgentResources { stop: Some(&stopped), ..AgentResources::default() };
    for agent in SEARCHES {
        for resources in [by_time, by_flag] {
            let spec: AgentSpec = agent.parse().unwrap();
            let mut made = spec.agent(None, resources).unwrap();
            let begin = Instant::now();
            let chosen =
                made.choose(&packed, packed.start(), &mut SeededRandom::new(&[1])).unwrap();
            let spent = begin.elapsed();
            assert!(spent < Duration::from_millis(500), "{agent}: {spent:?}");
            assert!(chosen.mv.0 < game.wide && chosen.work < 100_000, "{agent}");
            if resources.stop.is_none() {
                assert!(spent >= Duration::from_millis(40), "{agent}: {spent:?}");
            }
        }
    }
}

#[test]
fn time_that_is_not_reached_changes_no_move() {
    let go_on = AtomicBool::new(false);
    let limited = AgentResources {
        time: Some(Duration::from_secs(3600)),
        stop: Some(&go_on),
        ..AgentResources::default()
    };
    for agent in [
        "mc:playouts=500",
        "mcts:playouts=500,rollouts=3,prune=1%",
        "alphabeta:nodes=2000",
        "level:4",
    ] {
        for seed in 1..6 {
            let spec: AgentSpec = agent.parse().unwrap();
            let chosen = |resources| {
                let mut made = spec.agent(None, resources).unwrap();
                let game = named("tic-tac-toe");
                let mut random = SeededRandom::new(&[seed]);
                let chosen = made.choose(&game, game.start(), &mut random).unwrap();
                (chosen, random.bits())
            };
            let unlimited = chosen(AgentResources::default());
            assert_eq!(chosen(limited), unlimited, "{agent}");
        }
    }
}

/// A move whose turn did not come is not played, and a cut round of one does not count.
#[test]
fn pure_monte_carlo_plays_among_the_moves_it_has_looked_at() {
    let game = SlowGame { wide: 4, each: Duration::from_millis(1), ..SlowGame::default() };
    let resources =
        AgentResources { time: Some(Duration::from_millis(60)), ..AgentResources::default() };
    let spec: AgentSpec = "mc:playouts=80".parse().unwrap();
    let mut agent = spec.agent(None, resources).unwrap();
    let packed = game.packed();
    let chosen = agent.choose(&packed, packed.start(), &mut SeededRandom::new(&[1]));
    let chosen = chosen.unwrap();
    assert_eq!(chosen.mv, PackedMove(0), "the first of equal moves");
    assert!(chosen.work < 80, "{}", chosen.work);
    let counts = game.counts.playouts_by_move.each_ref();
    let counts = counts.map(|count| count.load(Ordering::Relaxed));
    assert!(counts[0] > 0 && counts[0] <= 20 && counts[3] < 20);
}

/// A limit that is not reached changes nothing; a full tree is reported.
#[test]
fn a_full_tree_plays_on_and_says_so() {
    let game = SlowGame { wide: 30, ..SlowGame::default() }.packed();
    let chosen = |memory| {
        let full = AtomicBool::new(false);
        let mut agent = within("mcts:playouts=20000", memory, &full).unwrap();
        let chosen = agent.choose(&game, game.start(), &mut SeededRandom::new(&[1])).unwrap();
        (chosen, full.load(Ordering::Relaxed))
    };
    let unlimited = chosen(u64::MAX);
    assert_eq!(chosen(2 << 20), unlimited);
    assert!(!unlimited.1);
    let (small, full) = chosen(200_000);
    assert!(full);
    assert_eq!(small.work, 20_000);
}
