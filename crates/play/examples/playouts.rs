//! Measures random games and node cycles of Monte Carlo tree search a second, on one core.
//!
//! `cargo run --release -p hindsight-play --example playouts -- [SPEC] [SECONDS]`

use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, playout};
use hindsight_play::{Agent, Mcts, MoveBudget, SeededRandom};
use hindsight_rules::{Setup, Visitor, by_name};

/// Prints the speed of a game; the field is the duration of each measurement.
struct Measure(Duration);

impl Visitor for Measure {
    type Output = ();

    #[expect(clippy::print_stdout, reason = "an example prints its measurement")]
    fn visit<G: Notation>(self, game: G) {
        let mut random = SeededRandom::new(&[1]);
        let (begin, mut games, mut plies) = (Instant::now(), 0_u64, 0_u64);
        while begin.elapsed() < self.0 {
            for _ in 0..1000 {
                let (last, played) = playout(&game, game.start(), 10_000, &mut random);
                assert!(game.terminal(last).is_some(), "games end");
                games += 1;
                plies += u64::from(played);
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{}: {:.3} million playouts a second, {:.1} plies each, {:.1} ns a ply",
            game.spec(),
            games as f64 / seconds / 1e6,
            plies as f64 / games as f64,
            seconds * 1e9 / plies as f64
        );
        for playouts in [1000, 300_000] {
            self.measure_cycles(&game, playouts);
        }
    }
}

impl Measure {
    /// Measures node cycles of searches of `playouts` playouts, in self-play.
    #[expect(clippy::print_stdout, reason = "an example prints its measurement")]
    fn measure_cycles<G: Game>(&self, game: &G, playouts: u64) {
        let mut agent = Mcts {
            budget: MoveBudget::Playouts(playouts),
            ..Mcts::default()
        };
        let mut random = SeededRandom::new(&[1]);
        let (begin, mut cycles, mut position) = (Instant::now(), 0, game.start());
        while begin.elapsed() < self.0 {
            let chosen = agent.choose(game, position, &mut random);
            let chosen = chosen.expect("tree search needs no table");
            cycles += chosen.work;
            position = game.play(position, chosen.mv);
            if game.terminal(position).is_some() {
                position = game.start();
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "MCTS, {playouts} playouts a move: {:.3} million node cycles a second",
            cycles as f64 / seconds / 1e6
        );
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let spec = args.next();
    let spec = spec
        .as_deref()
        .unwrap_or("onitama:5x5:tiger,crab,monkey,crane,dragon");
    let seconds = args
        .next()
        .map_or(2.0, |text| text.parse().expect("a number of seconds"));
    by_name(
        spec,
        &Setup::default(),
        Measure(Duration::from_secs_f64(seconds)),
    )
    .expect("a spec");
}
