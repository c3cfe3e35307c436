//! Positions: a text is an error or a position, which is read back and can be played on.
#![no_main]

use hindsight_core::{Game, Notation, PackedGame};
use hindsight_rules::{Setup, by_name};
use libfuzzer_sys::fuzz_target;

const SPECS: [&str; 13] = [
    "tic-tac-toe",
    "dobutsu",
    "dodgem:4x4",
    "four:5x4:3",
    "four:7x6",
    "l-game",
    "quixo:3x3",
    "quoridor:5x5:3,2",
    "ostle",
    "ostle:3x3:2:1:rule8=paper",
    "onitama:3x4:boar,boar,ox,(0,0)(1,1),()",
    "onitama:3x4:wolf=(0,0)(1,1),hound=(0,0)(1,1),boar,stone=(),ox",
    "onitama:12x5:tiger,crab,monkey,crane,dragon",
];

/// Reads a text as a position of a game and plays every move there.
fn read_and_play(game: &PackedGame, text: &str) {
    let Ok(position) = game.parse(text) else {
        return;
    };
    assert_eq!(game.parse(&game.format(position)), Ok(position));
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    assert_eq!(moves.is_empty(), game.terminal(position).is_some());
    for mv in moves {
        let text = game.format_move(position, mv);
        assert_eq!(game.parse_move(position, &text), Ok(mv));
        game.play(position, mv);
    }
}

fuzz_target!(|text: &str| {
    for spec in SPECS {
        read_and_play(&by_name(spec, &Setup::default()).expect("a spec"), text);
    }
});
