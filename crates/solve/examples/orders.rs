//! Positions and milliseconds of every variant and move order of the forward solver: `cargo run
//! --release -p hindsight-solve --example orders -- onitama:3x4:boar ..`

#![expect(clippy::print_stdout, reason = "an example is a program")]

use std::time::Instant;

use hindsight_core::{Notation, Symmetry};
use hindsight_rules::{Setup, Visitor, by_name_in_published_order};
use hindsight_run::{Limits, NoMonitor};
use hindsight_solve::forward::{ForwardVariant, MoveOrder, solve};

struct Try(ForwardVariant);

impl Visitor for Try {
    type Output = String;

    fn visit<G: Notation>(self, game: G) -> String {
        let begin = Instant::now();
        let limits = Limits { memory: 4 << 30, time: Some(std::time::Duration::from_secs(60)) };
        match solve(&game, self.0, limits, &mut NoMonitor) {
            Ok(solved) => {
                let ms = begin.elapsed().as_secs_f64() * 1e3;
                format!("{} {} {ms:.2} ms", solved.start(), solved.summary().positions)
            }
            Err(error) => error.to_string(),
        }
    }
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
            let setup = Setup { symmetry: Symmetry::Swap, ..Setup::default() };
            let outcome = by_name_in_published_order(&spec, &setup, Try(way));
            println!("{spec} {way:?}: {}", outcome.unwrap_or_else(|error| error.to_string()));
        }
    }
}
