//! Measures random games a second, one at a time and as agents play them, and node cycles of Monte
//! Carlo tree search, on one core. Each figure is the best of ten measurements.
//!
//! `cargo run --release -p hindsight-play --example playouts -- [SPEC] [SECONDS]`

use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, PackedGame};
use hindsight_play::{Agent, Mcts, MoveBudget, PureMonteCarlo, SeededRandom};
use hindsight_rules::{Setup, by_name};

/// Duration of each measurement.
struct Measure(Duration);

impl Measure {
    #[expect(clippy::print_stdout, reason = "an example prints its measurements")]
    fn print_speeds(&self, game: &PackedGame) {
        let mut random = SeededRandom::new(&[1]);
        let (mut games, mut plies) = (0, 0);
        let speed = self.best_speed(|| {
            let (last, played) = game.random_playout(game.start(), 10_000, &mut random);
            assert!(game.terminal(last).is_some(), "games end");
            games += 1;
            plies += u64::from(played);
            1
        });
        let length = plies as f64 / f64::from(games);
        println!(
            "{}: {:.3} million playouts a second, {length:.1} plies each, {:.1} ns a ply",
            game.spec(),
            speed / 1e6,
            1e9 / speed / length
        );
        for playouts in [1000, 300_000] {
            let budget = MoveBudget::Playouts(playouts);
            let mc = PureMonteCarlo { budget, ..PureMonteCarlo::default() };
            let mcts = Mcts { budget, ..Mcts::default() };
            println!(
                "{playouts} playouts a move: mc {:.3}, mcts {:.3} million a second",
                self.agent_speed(game, mc) / 1e6,
                self.agent_speed(game, mcts) / 1e6
            );
        }
    }

    /// Playouts a second of an agent in self-play.
    fn agent_speed(&self, game: &PackedGame, mut agent: impl Agent) -> f64 {
        let mut random = SeededRandom::new(&[1]);
        let mut position = game.start();
        self.best_speed(|| {
            let chosen = agent.choose(game, position, &mut random);
            let chosen = chosen.expect("these agents need no table");
            position = game.play(position, chosen.mv);
            if game.terminal(position).is_some() {
                position = game.start();
            }
            chosen.work
        })
    }

    /// Work a second; `step` does some and returns how much.
    fn best_speed(&self, mut step: impl FnMut() -> u64) -> f64 {
        let mut best: f64 = 0.0;
        for _ in 0..10 {
            let (begin, mut work) = (Instant::now(), 0);
            while begin.elapsed() < self.0 / 10 {
                work += step();
            }
            best = best.max(work as f64 / begin.elapsed().as_secs_f64());
        }
        best
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let spec = args.next();
    let spec = spec.as_deref().unwrap_or("onitama:5x5:tiger,crab,monkey,crane,dragon");
    let seconds = args.next().map_or(2.0, |text| text.parse().expect("a number of seconds"));
    let game = by_name(spec, &Setup::default()).expect("a spec");
    Measure(Duration::from_secs_f64(seconds)).print_speeds(&game);
}
