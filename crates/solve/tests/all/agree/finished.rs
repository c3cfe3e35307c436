//! Terminal positions of every kind.

use hindsight_core::{Game, Wdl};
use hindsight_run::{Limits, NoMonitor};
use hindsight_solve::forward;
use hindsight_testkit::reference;

use super::{VARIANTS, solved};

/// A game whose terminal positions may be won, lost or drawn for the side to move. Solvers must not
/// rely on Onitama's, which are always lost. Positions are the numbers 0 to 59. A move halves,
/// subtracts three, or adds seven to a multiple of four.
struct Numerals;

impl Game for Numerals {
    type Position = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        59
    }
    fn player_to_move(&self, _: u8) -> usize {
        0
    }
    fn terminal(&self, position: u8) -> Option<Wdl> {
        match position {
            0 => Some(Wdl::Win),
            1 => Some(Wdl::Loss),
            2 | 17 => Some(Wdl::Draw),
            _ => None,
        }
    }
    fn moves(&self, position: u8, out: &mut Vec<u8>) {
        if self.terminal(position).is_none() {
            out.push(position / 2);
            if position.is_multiple_of(4) && position < 53 {
                out.push(position + 7);
            }
            out.push(position - 3);
        }
    }
    fn play(&self, _: u8, mv: u8) -> u8 {
        mv
    }
}

#[test]
fn finished_positions_of_all_three_kinds() {
    let expected = reference(&Numerals, 100).unwrap();
    let solved = solved(&Numerals);
    for (number, position) in solved.positions().iter().enumerate() {
        assert_eq!(solved.value(number), expected[position], "{position}");
    }
    for variant in VARIANTS {
        let forward =
            forward::solve(&Numerals, variant, Limits::default(), &mut NoMonitor).unwrap();
        assert_eq!(forward.start(), expected[&59].wdl(), "{variant:?}");
    }
}
