//! Limits of time, memory and positions, and moves that need no thought.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use hindsight_core::{Answer, Game, Random, Wdl};
use hindsight_play::{Agent, AgentError, AgentResources, AgentSpec, ChosenMove, SeededRandom};
use hindsight_rules::tic_tac_toe::TicTacToe;

/// A game of `wide` moves in every position, that never ends. Its playouts and guesses take as long as is said.
#[derive(Default)]
struct Slow {
    wide: u64,
    each: Duration,
    /// The first playout takes longer.
    first: Duration,
    playouts: AtomicU64,
    /// By the move of the root that they follow.
    after: [AtomicU64; 8],
    guesses: AtomicU64,
}

impl Game for Slow {
    type Position = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        1
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
    fn playout<R: Random>(&self, position: u64, plies: u32, _: &mut R) -> (u64, u32) {
        if self.playouts.fetch_add(1, Ordering::Relaxed) == 0 {
            sleep(self.first);
        }
        sleep(self.each);
        if let Some(after) = self.after.get(position.wrapping_sub(101) as usize) {
            after.fetch_add(1, Ordering::Relaxed);
        }
        (position, plies)
    }
    fn evaluate(&self, _: u64) -> Option<i32> {
        self.guesses.fetch_add(1, Ordering::Relaxed);
        sleep(self.each);
        Some(0)
    }
}

fn choose<G: Game>(agent: &str, game: &G, at: G::Position) -> ChosenMove<G::Move> {
    let spec: AgentSpec = agent.parse().unwrap();
    let mut agent = spec.agent::<G>(None, AgentResources::default()).unwrap();
    agent
        .choose(game, at, &mut SeededRandom::new(&[1]))
        .unwrap()
}

/// A process that sleeps loses the time: no move has a share of its own that begins later.
#[test]
fn pure_monte_carlo_has_one_deadline() {
    let game = Slow {
        wide: 5,
        first: Duration::from_millis(300),
        ..Slow::default()
    };
    assert_eq!(choose("mc:time=0.3", &game, 1).work, 5, "one round");
}

#[test]
fn pure_monte_carlo_by_time_is_fair() {
    let game = Slow {
        wide: 8,
        each: Duration::from_millis(1),
        ..Slow::default()
    };
    let work = choose("mc:time=0.1", &game, 1).work;
    assert_eq!(work, game.playouts.load(Ordering::Relaxed));
    let after = game.after.each_ref().map(|n| n.load(Ordering::Relaxed));
    assert_eq!(after.iter().sum::<u64>(), work, "{after:?}");
    assert!(after[0] - after[7] <= 1, "{after:?}");
}

/// Sleeps last at least as long as is said: more steps than these cannot be in time.
#[test]
fn slow_steps_are_not_taken_in_dozens() {
    let slow = || Slow {
        wide: 60,
        each: Duration::from_millis(4),
        ..Slow::default()
    };
    for agent in ["mcts:time=0.04", "mcts:time=0.04,rollouts=1000"] {
        let game = slow();
        assert!(choose(agent, &game, 1).work <= 11, "{agent}");
    }
    // The clock is read before a position is looked at; a limit ends all lists of moves at once.
    let game = slow();
    choose("alphabeta:time=0.04", &game, 1);
    let guesses = game.guesses.load(Ordering::Relaxed);
    assert!(guesses <= 12, "{guesses}");
}

/// A cycle of many playouts ends in the middle.
#[test]
fn rollouts_end_with_the_time() {
    let game = TicTacToe::default();
    let choice = choose("mcts:time=0.01,rollouts=1048576", &game, game.start());
    assert!((1..1 << 20).contains(&choice.work), "{choice:?}");
}

#[test]
fn alpha_beta_looks_at_no_more_positions_than_it_may() {
    let game = TicTacToe::default();
    for nodes in [1, 2, 10, 57, 1000] {
        let choice = choose(&format!("alphabeta:nodes={nodes}"), &game, game.start());
        assert_eq!(choice.work, nodes);
    }
}

/// A single legal move is played without work, without values and, but for those who draw their moves, without
/// random numbers.
#[test]
fn forced_moves_need_no_thought() {
    let game = Slow {
        wide: 1,
        each: Duration::from_secs(60),
        ..Slow::default()
    };
    let no_values = |_: &[u64]| -> Result<Vec<Answer>, String> { Err("asked".into()) };
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
        let made = spec.agent::<Slow>(Some(&no_values), AgentResources::default());
        let mut random = SeededRandom::new(&[1]);
        let choice = made.unwrap().choose(&game, 1, &mut random).unwrap();
        assert_eq!((choice.mv, choice.work), (0, 0), "{agent}");
        let untouched = random.bits() == SeededRandom::new(&[1]).bits();
        let draws = ["random", "perfect", "lure"].contains(&agent);
        assert_eq!(untouched, !draws, "{agent}");
    }
}

fn within<'a>(
    agent: &str,
    memory: u64,
    full: &'a AtomicBool,
) -> Result<Box<dyn Agent<Slow> + 'a>, AgentError> {
    let spec: AgentSpec = agent.parse().unwrap();
    let full = Some(full);
    spec.agent::<Slow>(
        None,
        AgentResources {
            memory_bytes: memory,
            exhausted: full,
        },
    )
}

/// Too little memory is refused with the least that is enough; with that, agents play.
#[test]
fn agents_say_what_memory_they_need() {
    let game = Slow {
        wide: 30,
        ..Slow::default()
    };
    for agent in ["random", "mc", "mcts:playouts=200", "alphabeta"] {
        let spec: AgentSpec = agent.parse().unwrap();
        let least = spec.least_memory::<Slow>();
        let full = AtomicBool::new(false);
        if least > 0 {
            let error = within(agent, least - 1, &full).err().unwrap().to_string();
            let name = agent.split(':').next().unwrap();
            let says = format!("{name} takes at least {least} bytes of memory");
            assert!(error.starts_with(&says), "{error}");
        }
        let mut made = within(agent, least, &full).unwrap();
        made.choose(&game, 1, &mut SeededRandom::new(&[1])).unwrap();
        assert!(!full.load(Ordering::Relaxed), "{agent}");
    }
    // The root and its moves must be there, however many there are.
    let game = Slow {
        wide: 3000,
        ..Slow::default()
    };
    let full = AtomicBool::new(false);
    let mut tree = within("mcts", 100_000, &full).unwrap();
    let error = tree
        .choose(&game, 1, &mut SeededRandom::new(&[1]))
        .unwrap_err();
    let AgentError::Memory { least, .. } = error else {
        panic!("{error}");
    };
    let mut tree = within("mcts", least, &full).unwrap();
    tree.choose(&game, 1, &mut SeededRandom::new(&[1])).unwrap();
}

/// Memory that is never reached changes nothing, and a full tree is told of.
#[test]
fn a_full_tree_plays_on_and_says_so() {
    let game = Slow {
        wide: 30,
        ..Slow::default()
    };
    let choice = |memory| {
        let full = AtomicBool::new(false);
        let mut agent = within("mcts:playouts=20000", memory, &full).unwrap();
        let choice = agent
            .choose(&game, 1, &mut SeededRandom::new(&[1]))
            .unwrap();
        (choice, full.load(Ordering::Relaxed))
    };
    let unlimited = choice(u64::MAX);
    assert_eq!(choice(2 << 20), unlimited);
    assert!(!unlimited.1);
    let (small, full) = choice(200_000);
    assert!(full);
    assert_eq!(small.work, 20_000);
}
