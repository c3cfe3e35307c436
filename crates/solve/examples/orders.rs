//! Positions and milliseconds of every variant and move order of the forward solver: `cargo run
//! --release -p hindsight-solve --example orders -- onitama:3x4:boar ..`

#![expect(clippy::print_stdout, reason = "an example is a program")]

use std::time::Instant;

use hindsight_core::{PackedGame, ParseError, Symmetry};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name, in_published_order};
use hindsight_solve::forward::{ForwardVariant, MoveOrder, solve};

/// Solves a game in the order of its moves.
fn outcome(game: &PackedGame, variant: ForwardVariant) -> String {
    let begin = Instant::now();
    let limits = Limits { memory: 4 << 30, time: Some(std::time::Duration::from_secs(60)) };
    match solve(game, variant, limits, &mut NoMonitor) {
        Ok(solved) => {
            let ms = begin.elapsed().as_secs_f64() * 1e3;
            format!("{} {} {ms:.2} ms", solved.start(), solved.summary().positions)
        }
        Err(error) => error.to_string(),
    }
}

/// Returns a game in the published order of moves, or in its own if there is none.
fn ordered(spec: &str) -> Result<PackedGame, ParseError> {
    let setup = Setup { symmetry: Symmetry::Swap, ..Setup::default() };
    in_published_order(spec, &setup)?.map_or_else(|| by_name(spec, &setup), Ok)
}

fn main() {
    let orders = [
        MoveOrder::AsListed,
        MoveOrder::Reversed,
        MoveOrder::FewestReplies,
        MoveOrder::MostReplies,
    ];
    for spec in std::env::args().skip(1) {
        let ways = [ForwardVariant::ThesisProgram, ForwardVariant::ThesisAlgorithm]
            .into_iter()
            .chain(orders.map(ForwardVariant::Best));
        for way in ways {
            match ordered(&spec) {
                Ok(game) => println!("{spec} {way:?}: {}", outcome(&game, way)),
                Err(error) => println!("{spec}: {error}"),
            }
        }
    }
}
