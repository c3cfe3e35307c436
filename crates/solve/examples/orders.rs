//! Positions and milliseconds of every variant and move order of the forward solver: `cargo run
//! --release -p hindsight-solve --example orders -- onitama:3x4:boar ..`

#![expect(clippy::print_stdout, reason = "an example is a program")]

use std::time::Instant;

use hindsight_core::{ClassWords, ParseError, Symmetry};
use hindsight_rules::{OrderVisitor, Setup, by_name, in_published_order};
use hindsight_run::{Limits, NoMonitor};
use hindsight_solve::forward::{ForwardVariant, MoveOrder, solve};

/// Solves a game in the order of moves that it is given in.
struct Try(ForwardVariant);

impl OrderVisitor for Try {
    type Output = String;

    fn visit<G: ClassWords>(self, game: G) -> String {
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

/// Solves a game in the published order of moves, or in its own if there is none.
fn outcome(spec: &str, variant: ForwardVariant) -> Result<String, ParseError> {
    let setup = Setup { symmetry: Symmetry::Swap, ..Setup::default() };
    match in_published_order(spec, &setup, Try(variant))? {
        Some(outcome) => Ok(outcome),
        None => Ok(Try(variant).visit(by_name(spec, &setup)?)),
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
            let outcome = outcome(&spec, way).unwrap_or_else(|error| error.to_string());
            println!("{spec} {way:?}: {outcome}");
        }
    }
}
