//! Pictures in a terminal: exact texts of small boards, widths and colours.

use hindsight_core::{
    BoardCell, Drawing, DrawnCard, DrawnFence, DrawnMark, DrawnPiece, MarkKind, PieceShape,
};
use hindsight_draw::{TerminalStyle, terminal};
use hindsight_rules::GAMES;
use unicode_width::UnicodeWidthChar;

use crate::drawing;

const DEAL: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";

fn style(columns: usize) -> TerminalStyle {
    TerminalStyle { has_colors: false, columns }
}

fn text(drawing: &Drawing, last_move: &str, columns: usize) -> String {
    terminal(drawing, last_move, style(columns)).expect("a board that fits")
}

#[track_caller]
fn assert_lines(text: &str, lines: &[&str]) {
    assert_eq!(text, lines.join("\n"), "\n{text}");
}

#[test]
fn tic_tac_toe_has_crosses_and_rings() {
    let drawing = drawing("tic-tac-toe", Some("xo./.x./..."));
    assert_lines(
        &text(&drawing, "b2", 80),
        &[
            "   ┌───┬───┬───┐",
            " 3 │ × │ ○ │   │  ► ○ O to move",
            "   ├───┼───┼───┤",
            " 2 │   │[×]│   │",
            "   ├───┼───┼───┤",
            " 1 │   │   │   │    × X",
            "   └───┴───┴───┘",
            "     a   b   c",
        ],
    );
}

#[test]
fn dodgem_has_arrows_that_turn_with_the_board() {
    let drawing = drawing("dodgem:3x3", None);
    assert_lines(
        &text(&drawing, "", 80),
        &[
            "   ┌───┬───┬───┐",
            " 3 │ ▻ │   │   │    ▲ Up",
            "   ├───┼───┼───┤",
            " 2 │ ▻ │   │   │",
            "   ├───┼───┼───┤",
            " 1 │   │ ▲ │ ▲ │  ► ▻ Right to move",
            "   └───┴───┴───┘",
            "     a   b   c",
        ],
    );
    assert_lines(
        &text(&drawing.turned(), "", 80),
        &[
            "   ┌───┬───┬───┐",
            " 1 │ ▼ │ ▼ │   │  ► ◅ Right to move",
            "   ├───┼───┼───┤",
            " 2 │   │   │ ◅ │",
            "   ├───┼───┼───┤",
            " 3 │   │   │ ◅ │    ▼ Up",
            "   └───┴───┴───┘",
            "     c   b   a",
        ],
    );
}

#[test]
fn quoridor_has_fences_between_cells() {
    let drawing = drawing("quoridor:5x5:3", Some("c1 c5 1,2 b2h,c3v,a4h white"));
    assert_lines(
        &text(&drawing, "b2h", 80),
        &[
            "   ┌───┬───┬───┬───┬───┐",
            " 5 │         ●         │    ● Black, 2 fences",
            "   ├━━━━━━━┼   ┼   ┼   ┤",
            " 4 │           ┃       │",
            "   ├   ┼   ┼   ┃   ┼   ┤",
            " 3 │           ┃       │",
            "   ├   ┼═══════┼   ┼   ┤",
            " 2 │                   │",
            "   ├   ┼   ┼   ┼   ┼   ┤",
            " 1 │         ○         │  ► ○ White to move, 1 fence",
            "   └───┴───┴───┴───┴───┘",
            "     a   b   c   d   e",
        ],
    );
    assert_lines(
        &text(&drawing.turned(), "c3v", 40),
        &[
            "► ○ White to move, 1 fence",
            "   ┌───┬───┬───┬───┬───┐",
            " 1 │         ○         │",
            "   ├   ┼   ┼   ┼   ┼   ┤",
            " 2 │                   │",
            "   ├   ┼   ┼━━━━━━━┼   ┤",
            " 3 │       ║           │",
            "   ├   ┼   ║   ┼   ┼   ┤",
            " 4 │       ║           │",
            "   ├   ┼   ┼   ┼━━━━━━━┤",
            " 5 │         ●         │",
            "   └───┴───┴───┴───┴───┘",
            "     e   d   c   b   a",
            "  ● Black, 2 fences",
        ],
    );
}

#[test]
fn ostle_has_blocks_a_hole_and_a_note() {
    let drawing = drawing("ostle:3x3:3:1", Some("W.W/.O./B.B black b2U"));
    assert_lines(
        &text(&drawing, "b2U", 80),
        &[
            "   ┌───┬───┬───┐",
            " 3 │ □ │   │ □ │    □ White",
            "   ├───┼───┼───┤",
            " 2 │   │[▒]│   │",
            "   ├───┼───┼───┤",
            " 1 │ ■ │   │ ■ │  ► ■ Black to move",
            "   └───┴───┴───┘",
            "     a   b   c",
            "   forbidden: b2U",
        ],
    );
    assert!(text(&drawing, "", 80).contains(" 2 │   │▒▒▒│   │"));
}

#[test]
fn onitama_has_cards_beside_the_board() {
    let drawing = drawing(DEAL, None);
    assert_lines(
        &text(&drawing, "b1b2:crane", 80),
        &[
            "                            ● Red",
            "   ┌───┬───┬═══┬───┬───┐    crab        monkey",
            " 5 │ ● │ ● │ ♚ │ ● │ ● │    · · · · ·   · · · · ·",
            "   ├───┼───┼───┼───┼───┤    · · · · ·   · ■ · ■ ·",
            " 4 │   │   │   │   │   │    ■ · ○ · ■   · · ○ · ·   aside",
            "   ├───┼───┼───┼───┼───┤    · · ■ · ·   · ■ · ■ ·   tiger",
            " 3 │   │   │   │   │   │    · · · · ·   · · · · ·   · · ■ · ·",
            "   ├───┼───┼───┼───┼───┤                            · · · · ·",
            " 2 │   │[ ]│   │   │   │    crane       dragon      · · ○ · ·",
            "   ├───┼───┼───┼───┼───┤    · · · · ·   · · · · ·   · · ■ · ·",
            " 1 │ ○ │[○]│ ♔ │ ○ │ ○ │    · · ■ · ·   ■ · · · ■   · · · · ·",
            "   └───┴───┴═══┴───┴───┘    · · ○ · ·   · · ○ · ·",
            "     a   b   c   d   e      · ■ · ■ ·   · ■ · ■ ·",
            "                            · · · · ·   · · · · ·",
            "                          ► ○ Blue to move",
        ],
    );
}

#[test]
fn cards_turn_with_the_board() {
    let turned = text(&drawing(DEAL, None).turned(), "b1b2:crane", 80);
    for line in [
        "                          ► ○ Blue to move",
        "   ┌───┬───┬═══┬───┬───┐    crane       dragon",
        " 1 │ ○ │ ○ │ ♔ │[○]│ ○ │    · · · · ·   · · · · ·",
        " 2 │   │   │   │[ ]│   │    · · ○ · ·   · · ○ · ·   aside",
        " 5 │ ● │ ● │ ♚ │ ● │ ● │    · · ■ · ·   · ■ · ■ ·   · · ■ · ·",
        "     e   d   c   b   a      · · · · ·   · ■ · ■ ·",
    ] {
        assert!(turned.lines().any(|found| found == line), "{line}\n{turned}");
    }
}

#[test]
fn cards_have_names_where_grids_have_no_room() {
    let drawing = drawing(
        "onitama:3x3:crab,tiger,dragon,boar,ox",
        Some("rR1/3/1bB tiger,dragon boar,ox crab blue"),
    );
    assert_lines(
        &text(&drawing, "", 44),
        &[
            "   ┌───┬═══┬───┐",
            " 3 │ ● │ ♚ │   │    ● Red: tiger, dragon",
            "   ├───┼───┼───┤",
            " 2 │   │   │   │      aside: crab",
            "   ├───┼───┼───┤",
            " 1 │   │ ○ │ ♔ │  ► ○ Blue to move: boar, ox",
            "   └───┴═══┴───┘",
            "     a   b   c",
        ],
    );
    let narrow = text(&drawing, "", 20);
    for line in ["  ● Red: tiger,", "    dragon", "    aside: crab", "    boar, ox"] {
        assert!(narrow.lines().any(|found| found == line), "{line}\n{narrow}");
    }
}

/// Returns a drawing with every sign that there is, and words that are long.
fn all_signs() -> Drawing {
    let mut drawing = Drawing::empty(20, 3, ["Red", "Blue"]);
    let steps = [-1, 0, 1].map(|right| [-1, 0, 1].map(|up| PieceShape::Arrow(right, up)));
    let shapes = [
        PieceShape::Pawn,
        PieceShape::Leader,
        PieceShape::Block,
        PieceShape::Cross,
        PieceShape::Ring,
        PieceShape::Sign('K'),
        PieceShape::Sign('\u{1f600}'),
    ];
    for (shape, column) in steps.into_iter().flatten().chain(shapes).zip(0..) {
        for (row, player) in [(0, Some(0)), (1, Some(1)), (2, None)] {
            drawing.pieces.push(DrawnPiece { cell: BoardCell { column, row }, player, shape });
        }
    }
    for (column, kind) in [(18, MarkKind::Hole), (19, MarkKind::Home(1))] {
        let cell = BoardCell { column, row: 1 };
        drawing.marks.push(DrawnMark { cell, kind });
    }
    for (is_vertical, name) in [(true, "a1v"), (false, "a1h")] {
        drawing.fences.push(DrawnFence {
            name: name.into(),
            cell: BoardCell { column: 0, row: 0 },
            is_vertical,
        });
    }
    let card = DrawnCard { name: "a card with a long name".into(), steps: vec![(0, 0), (1, 2)] };
    drawing.seats[0].cards = vec![card.clone(); 3];
    drawing.cards_aside = vec![card];
    drawing.note = "a note of so many words that they can hardly stand in a line ".repeat(3);
    drawing.player_to_move = Some(0);
    drawing
}

#[test]
fn every_line_fits_and_every_character_is_one_column_wide() {
    let games = GAMES.iter().map(|game| drawing(game.example, None));
    let drawings = games.chain([drawing(DEAL, None), all_signs()]);
    for drawing in drawings.flat_map(|drawing| [drawing.clone(), drawing.turned()]) {
        for columns in [40, 60, 80, 84, 100, 140] {
            for last in ["a1b2", "a1h", "a1v"] {
                let Some(text) = terminal(&drawing, last, style(columns)) else {
                    assert!(columns < 84);
                    continue;
                };
                assert_eq!(text.trim_end(), text);
                for line in text.lines() {
                    assert!(line.chars().count() <= columns, "{columns}: {line}");
                    let wide = line.chars().find(|sign| sign.width() != Some(1));
                    assert_eq!(wide, None, "{line}");
                }
            }
        }
    }
}

#[test]
fn no_sign_may_be_shown_as_an_emoji() {
    // Characters with the property Emoji in the blocks of lines, forms and symbols.
    let emoji = "▪▫▶◀◻◼◽◾☀☁☂☃☄☎☑☔☕☺♀♂♈♓♟♠♣♥♦♨♻♾⚫⚪✔✖✳✴❌⬛⬜⭐⭕";
    for columns in [84, 140] {
        let text = text(&all_signs(), "", columns);
        assert_eq!(text.chars().find(|sign| emoji.contains(*sign)), None);
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    for drawing in [drawing(DEAL, None), all_signs()] {
        let plain = text(&drawing, "a1b2", 140);
        assert!(!plain.contains('\u{1b}'));
        let colored = TerminalStyle { has_colors: true, columns: 140 };
        let colored = terminal(&drawing, "a1b2", colored).expect("a board that fits");
        let parts = colored.split('\u{1b}').enumerate();
        let without: String = parts
            .map(|(number, part)| match number {
                0 => part,
                _ => part.split_once('m').expect("the end of a sequence").1,
            })
            .collect();
        assert_eq!(without, plain);
    }
}

#[test]
fn turning_twice_changes_nothing() {
    for game in GAMES {
        let drawing = drawing(game.example, None);
        let turned = drawing.clone().turned();
        let svg = |drawing: &Drawing| hindsight_draw::picture(drawing, "", "a1").svg();
        assert_ne!(text(&turned, "a1", 80), text(&drawing, "a1", 80));
        assert_ne!(svg(&turned), svg(&drawing));
        let again = turned.turned();
        assert_eq!(text(&again, "a1", 80), text(&drawing, "a1", 80));
        assert_eq!(svg(&again), svg(&drawing));
    }
}
