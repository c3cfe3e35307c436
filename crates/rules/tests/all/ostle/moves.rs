//! Moves and their effects.

use hindsight_core::{Game, Notation, Wdl};
use hindsight_rules::ostle::OstleMove;

use super::positions::{all_bases, moves_of, ostle, random_bases, unrestricted};

/// A drawn board, file by file: 'x' for the mover's pieces, 'o' for the other's, '#' for the hole.
type Drawing = Vec<Vec<char>>;

fn drawn(size: u8, own: u32, other: u32, hole: u8) -> Drawing {
    let letter = |square: u8| match () {
        () if own >> square & 1 == 1 => 'x',
        () if other >> square & 1 == 1 => 'o',
        () if hole == square => '#',
        () => ' ',
    };
    let file = |file: u8| (0..size).map(|rank| letter(file * size + rank)).collect();
    (0..size).map(file).collect()
}

/// Puts a piece on a square `[file, rank]`. A piece that stands there is pushed one step on.
fn put(board: &mut Drawing, square: [i32; 2], step: [i32; 2], piece: char) {
    let on_board = 0..board.len() as i32;
    if !square.iter().all(|index| on_board.contains(index)) {
        return;
    }
    let [file, rank] = square.map(|index| index as usize);
    let pushed = board[file][rank];
    if pushed == '#' {
        return;
    }
    if pushed != ' ' {
        put(board, [square[0] + step[0], square[1] + step[1]], step, pushed);
    }
    board[file][rank] = piece;
}

/// Every move in the order of Algorithm 1, as `(move, board after it)`.
fn naive_moves(board: &Drawing) -> Vec<(OstleMove, Drawing)> {
    let size = board.len();
    let mut found = Vec::new();
    for file in 0..size {
        for rank in 0..size {
            let piece = board[file][rank];
            for (direction, step) in [[0, 1], [0, -1], [-1, 0], [1, 0]].into_iter().enumerate() {
                let to = [file as i32 + step[0], rank as i32 + step[1]];
                let beside = board.get(to[0] as usize).and_then(|file| file.get(to[1] as usize));
                if piece != 'x' && (piece != '#' || beside != Some(&' ')) {
                    continue;
                }
                let mut after = board.clone();
                after[file][rank] = ' ';
                put(&mut after, to, step, piece);
                found.push((OstleMove::new((file * size + rank) as u8, direction as u8), after));
            }
        }
    }
    found
}

#[test]
fn moves_are_those_of_a_naive_program() {
    let small = unrestricted("ostle:3x3:3:1");
    let official = unrestricted("ostle");
    let bases = [all_bases(&small), random_bases(&official, 100_000)];
    for (game, bases) in [small, official].into_iter().zip(bases) {
        let size = game.setup().size;
        for base in bases {
            let naive = naive_moves(&drawn(size, base.own, base.other, base.hole));
            if game.terminal(base).is_none() {
                let moves: Vec<OstleMove> = naive.iter().map(|&(mv, _)| mv).collect();
                assert_eq!(moves_of(&game, base), moves, "{base:?}");
            }
            for (mv, after) in naive {
                let (own, other, hole) = game.slide(base.own, base.other, base.hole, mv);
                assert_eq!(drawn(size, own, other, hole), after, "{base:?} {mv:?}");
                let pieces = (own | other).count_ones();
                assert_eq!(game.removes(base, mv), pieces < base.pieces().count_ones());
            }
        }
    }
}

/// The start as in Figure 1 of the paper. Its text says that a1D, a1L and a1R have the same effect.
#[test]
fn the_start_has_24_moves() {
    let game = ostle("ostle");
    assert_eq!(game.format(game.start()), "WWWWW/...../..O../...../BBBBB black -");
    let moves = moves_of(&game, game.start());
    let texts: Vec<String> = moves.iter().map(|&mv| game.format_move(game.start(), mv)).collect();
    assert_eq!(
        texts.join(" "),
        "a1U a1D a1L a1R b1U b1D b1L b1R c1U c1D c1L c1R c3U c3D c3L c3R d1U d1D d1L d1R e1U e1D \
         e1L e1R"
    );
    let played = |text: &str| {
        let mv = game.parse_move(game.start(), text).unwrap();
        game.format(game.play(game.start(), mv))
    };
    assert_eq!(played("a1L"), "WWWWW/...../..O../...../.BBBB white -");
    assert_eq!(played("a1D"), played("a1L"));
    // Pushed by a1, the piece on e1 falls.
    assert_eq!(played("a1R"), played("a1L"));
    assert_eq!(played("c3U"), "WWWWW/..O../...../...../BBBBB white c4D");
    let start = |spec| ostle(spec).format(ostle(spec).start());
    assert_eq!(start("ostle:4x4:3:1"), "WWW./..../.O../BBB. black -");
    assert_eq!(start("ostle:3x3:1:0"), "W../.O./B.. black -");
}

/// Rule 7 and rule 8 as in Figures 2B, 2C and 2D of the paper. Its text gives the moves of the hole
/// and the pieces in its way; the other squares are our choice.
///
/// The move of Figure 2B is printed as a3U, but a4 is occupied: it is a3D.
#[test]
fn the_hole_may_not_go_back() {
    let game = ostle("ostle");
    let before = game.parse(".W.../WW.W./OB.B./...../..BBB white -").unwrap();
    let of_hole = |position| -> Vec<String> {
        let moves = moves_of(&game, position).into_iter();
        let of_hole = moves.filter(|mv| mv.square() == position.base.hole);
        of_hole.map(|mv| game.format_move(position, mv)).collect()
    };
    assert_eq!(of_hole(before), ["a3D"]);
    let down = game.parse_move(before, "a3d").unwrap();
    let after = game.play(before, down);
    assert_eq!(game.format(after), ".W.../WW.W./.B.B./O..../..BBB black a2U");
    assert_eq!(of_hole(after), ["a2D", "a2R"]);
    assert!(game.parse_move(after, "a2U").is_err());
    let win = game.parse_move(after, "b3U").unwrap();
    let won = game.play(after, win);
    assert_eq!(game.terminal(won), Some(Wdl::Loss));
    assert_eq!(game.format(won), ".W.../WB.W./...B./O..../..BBB white -");
}

#[test]
fn a_player_may_push_the_own_last_piece_out() {
    let game = ostle("ostle:3x3:1:0");
    let left = game.parse_move(game.start(), "a1L").unwrap();
    let over = game.play(game.start(), left);
    assert_eq!(game.format(over), "W../.O./... white -");
    assert_eq!(game.terminal(over), Some(Wdl::Win));
    assert!(moves_of(&game, over).is_empty());
}
