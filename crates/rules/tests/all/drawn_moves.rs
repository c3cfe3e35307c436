//! Drawn moves, written by hand from the rules.

use hindsight_core::{BoardCell, DrawnMove, Notation, PackedGame};
use hindsight_rules::{Setup, by_name};

/// Returns words for the drawn move of a text in a position.
fn drawn_words(game: &PackedGame, position: &str, mv: &str) -> String {
    let position = game.parse(position).expect("a position");
    let mv = game.parse_move(position, mv).expect("a legal move");
    words(&game.drawn_move(position, mv).expect("a drawn move"))
}

fn words(drawn: &DrawnMove) -> String {
    let cell = |cell: Option<BoardCell>| cell.map_or(String::from("-"), BoardCell::name);
    let cells = |cells: &[BoardCell]| {
        let names: Vec<String> = cells.iter().map(|cell| cell.name()).collect();
        names.join(",")
    };
    let mut words = vec![format!("{} {}", cell(drawn.from), cell(drawn.to))];
    if let Some((right, up)) = drawn.leaves {
        words.push(format!("leaves {right} {up}"));
    }
    if let Some(fence) = &drawn.fence {
        let form = if fence.is_vertical { "upright" } else { "level" };
        words.push(format!("fence {} {} {form}", fence.name, fence.cell.name()));
    }
    words.extend(drawn.card.iter().map(|card| format!("card {card}")));
    for (name, list) in [("pushed", &drawn.pushed), ("removed", &drawn.removed)] {
        if !list.is_empty() {
            words.push(format!("{name} {}", cells(list)));
        }
    }
    words.join("; ")
}

#[test]
fn drawn_moves_name_what_changes() {
    let onitama = "onitama:3x4:boar,ox,boar,horse,(0,0)(1,1):stay=yes";
    for (spec, position, mv, expected) in [
        ("tic-tac-toe", "x../.../...", "c1", "- c1"),
        ("dodgem:3x3", "R../R.U/.U. right", "a2b2", "a2 b2"),
        ("dodgem:3x3", "..R/.../.U. right", "c3off", "c3 -; leaves 1 0; removed c3"),
        ("dodgem:3x3", ".U./R../... up", "b3off", "b3 -; leaves 0 1; removed b3"),
        ("ostle:4x4:4:1", ".W../.O../WW../BBBB black -", "a1U", "a1 a2; pushed a2"),
        ("ostle:4x4:4:1", ".WW./.O../.B../BBWB black -", "b2U", "b2 b3; removed b2"),
        ("ostle:4x4:4:1", ".WW./.O../.W../BB.B black -", "b1U", "b1 b2; pushed b2; removed b2"),
        ("ostle:4x4:4:1", ".W../WBO./BW../BW.. black -", "a2R", "a2 b2; pushed b2"),
        (
            "ostle:4x4:4:1",
            "W.../W.O./B.../B.W. black -",
            "a1U",
            "a1 a2; pushed a2,a3,a4; removed a4",
        ),
        ("ostle:4x4:4:1", "W.../W.O./B.../B.W. black -", "a1L", "a1 -; leaves -1 0; removed a1"),
        ("ostle:4x4:4:1", "W.../W.O./B.../B.W. black -", "c3R", "c3 d3"),
        ("quoridor:3x3:2", "b1 b3 2,2 - white", "b2", "b1 b2"),
        ("quoridor:3x3:2", "b2 b3 2,2 - black", "b1", "b3 b1"),
        ("quoridor:3x3:2", "b1 b3 2,2 - white", "a2h", "- -; fence a2h a2 level"),
        ("quoridor:3x3:2", "b1 b3 2,2 - white", "b1v", "- -; fence b1v b1 upright"),
        (onitama, "rRr/3/3/bBb ox,boar horse,(0,0)(1,1) boar red", "b4b3:ox", "b4 b3; card ox"),
        (
            onitama,
            "r1r/1R1/1b1/b1B ox,boar horse,(0,0)(1,1) boar red",
            "b3b2:ox",
            "b3 b2; card ox; removed b2",
        ),
        (
            onitama,
            "rRr/3/3/bBb ox,boar horse,(0,0)(1,1) boar blue",
            "b1b1:(0,0)(1,1)",
            "b1 b1; card (0,0)(1,1)",
        ),
        ("onitama:3x4:()", "rRr/3/3/bBb (),() (),() () red", "pass:()", "- -; card ()"),
    ] {
        let game = by_name(spec, &Setup::default()).expect("a game");
        assert_eq!(drawn_words(&game, position, mv), expected, "{spec} {position} {mv}");
    }
}
