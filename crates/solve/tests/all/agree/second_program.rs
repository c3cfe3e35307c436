//! Comparison with the numbers of a second program.

use hindsight_core::Symmetry;
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, in_published_order};
use hindsight_solve::forward::{self, ForwardVariant};
use hindsight_testkit::golden;

use super::solved;
use crate::game_with;

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
                let setup = Setup { symmetry, ..Setup::default() };
                let ordered = in_published_order(&spec, &setup).unwrap().expect("an order");
                let limits = Limits::default();
                let solved = forward::solve(&ordered, variant, limits, &mut NoMonitor).unwrap();
                let start = solved.start().to_string();
                assert_eq!((solved.summary().positions, &*start), (count, value), "{row:?}");
            }
            None => {
                let solved = solved(&game_with(symmetry, &spec));
                let (summary, start) = (solved.summary(), solved.value(0));
                let hash = format!("{:016x}", solved.histogram().hash());
                assert_eq!((summary.positions, hash.as_str()), (count, histogram), "{row:?}");
                assert!(edges.is_empty() || edges.parse() == Ok(summary.edges), "{row:?}");
                let plies = start.remoteness().map_or(String::new(), |plies| plies.to_string());
                let wdl = start.wdl().to_string();
                assert_eq!((wdl.as_str(), plies.as_str()), (value, remoteness), "{row:?}");
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
