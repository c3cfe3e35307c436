//! Comparison with the numbers of a second program.

use hindsight_core::{Notation, Symmetry, Value, Wdl};
use hindsight_report::golden;
use hindsight_rules::{Visitor, by_name, by_name_in_published_order};
use hindsight_run::{Limits, NoMonitor};
use hindsight_solve::forward::{self, ForwardVariant};

use super::{setup, solved};

struct GraphCounts;

impl Visitor for GraphCounts {
    type Output = (u64, u64, Value, String);

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        let solved = solved(&game);
        let summary = solved.summary();
        (
            summary.positions,
            summary.edges,
            solved.value(0),
            format!("{:016x}", solved.histogram().hash()),
        )
    }
}

struct ForwardCounts(ForwardVariant);

impl Visitor for ForwardCounts {
    type Output = (u64, Wdl);

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        let solved = forward::solve(&game, self.0, Limits::default(), &mut NoMonitor).unwrap();
        (solved.summary().positions, solved.start())
    }
}

/// Checks the rows of the second program's file whose number of positions is in a range.
fn check_second_program(positions: std::ops::Range<u64>) {
    let mut checked = 0;
    for row in golden(include_str!("../../../../../golden/onitama_second_program.csv")).unwrap() {
        let [size, cards, what, symmetry, count, edges, value, remoteness, histogram] = row[..]
        else {
            panic!("nine fields: {row:?}");
        };
        let count: u64 = count.parse().unwrap();
        if !positions.contains(&count) {
            continue;
        }
        let spec = format!("onitama:{size}:{}", cards.replace(' ', ","));
        let symmetry = match symmetry {
            "none" => Symmetry::None,
            "swap" => Symmetry::Swap,
            _ => Symmetry::All,
        };
        let variant = match what {
            "program" => Some(ForwardVariant::ThesisProgram),
            "printed" => Some(ForwardVariant::ThesisAlgorithm),
            _ => None,
        };
        match variant {
            Some(variant) => {
                let ours =
                    by_name_in_published_order(&spec, &setup(symmetry), ForwardCounts(variant))
                        .unwrap();
                assert_eq!((ours.0, ours.1.to_string().as_str()), (count, value), "{row:?}");
            }
            None => {
                let ours = by_name(&spec, &setup(symmetry), GraphCounts).unwrap();
                assert_eq!((ours.0, ours.3.as_str()), (count, histogram), "{row:?}");
                assert!(edges.is_empty() || edges.parse() == Ok(ours.1), "{row:?}");
                let plies = ours.2.remoteness().map_or(String::new(), |plies| plies.to_string());
                assert_eq!(
                    (ours.2.wdl().to_string().as_str(), plies.as_str()),
                    (value, remoteness),
                    "{row:?}"
                );
            }
        }
        checked += 1;
    }
    assert!(checked > 50, "{checked} rows");
}

#[test]
fn a_second_program_agrees() {
    check_second_program(0..40_000);
}

#[test]
#[ignore = "slow: a minute, 300 MB"]
fn a_second_program_agrees_on_large_boards() {
    check_second_program(40_000..u64::MAX);
}
