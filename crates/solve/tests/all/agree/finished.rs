//! Terminal positions of every kind.

use hindsight_core::{Notation, PackedGame, Wdl};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_solve::forward;
use hindsight_testkit::reference;

use super::{VARIANTS, solved};
use crate::number_game::NumberGame;

/// A game whose terminal positions may be won, lost or drawn for the side to move. Solvers must not
/// rely on Onitama's, which are always lost. Positions are the numbers 0 to 59. A move halves,
/// subtracts three, or adds seven to a multiple of four.
fn numerals() -> PackedGame {
    PackedGame::new(NumberGame {
        start: 59,
        terminal: Box::new(|position| match position {
            0 => Some(Wdl::Win),
            1 => Some(Wdl::Loss),
            2 | 17 => Some(Wdl::Draw),
            _ => None,
        }),
        moves: Box::new(|position| {
            let grows = position.is_multiple_of(4) && position < 53;
            let grown = grows.then_some(position + 7);
            [Some(position / 2), grown, Some(position - 3)].into_iter().flatten().collect()
        }),
    })
}

#[test]
fn finished_positions_of_all_three_kinds() {
    let game = numerals();
    let expected = reference(&game, 100).unwrap();
    let solved = solved(&game);
    for (number, position) in solved.positions().enumerate() {
        assert_eq!(solved.value(number), expected[&position], "{}", game.format(position));
    }
    let start = game.parse("59").unwrap();
    for variant in VARIANTS {
        let forward = forward::solve(&game, variant, Limits::default(), &mut NoMonitor).unwrap();
        assert_eq!(forward.start(), expected[&start].wdl(), "{variant:?}");
    }
}
