//! A text is a position or an error; a position is read back from its text, and can be played on.
#![no_main]

use hindsight_core::{Game, Notation};
use hindsight_rules::{Setup, Visitor, by_name};
use libfuzzer_sys::fuzz_target;

struct Read<'a>(&'a str);

impl Visitor for Read<'_> {
    type Output = ();
    fn visit<G: Game + Notation>(self, game: G) {
        let Ok(position) = game.parse(self.0) else { return };
        assert_eq!(game.parse(&game.format(position)), Ok(position));
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        assert_eq!(moves.is_empty(), game.terminal(position).is_some());
        for mv in moves {
            assert_eq!(game.parse_move(position, &game.format_move(position, mv)), Ok(mv));
            game.play(position, mv);
        }
    }
}

fuzz_target!(|text: &str| {
    for spec in ["tic-tac-toe", "quoridor:5x5:3,2", "ostle", "ostle:3x3:2:1:rule8=paper", "onitama:3x4:boar,boar,ox,(0,0)(1,1),()", "onitama:12x5:tiger,crab,monkey,crane,dragon"] {
        by_name(spec, &Setup::default(), Read(text)).expect("a spec");
    }
});
