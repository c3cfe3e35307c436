//! Every text of the page on notation is read.

use hindsight_games::game;

const PAGE: &str = include_str!("../../../../docs/notation.md");

/// Section of the page, and a spec of its game.
struct SectionGame {
    title: &'static str,
    spec: &'static str,
    /// Moves of the section, each behind a position in which it is legal.
    moves: &'static [[&'static str; 2]],
}

const SECTIONS: [SectionGame; 10] = [
    SectionGame { title: "Onitama: positions", spec: "onitama:3x4:boar", moves: &[] },
    SectionGame {
        title: "Onitama: squares and moves",
        spec: "onitama:5x5:wolf=(0,2)(2,1)(0,-1),boar,ox,crab,horse:stay=yes",
        moves: &[
            ["2R2/5/5/5/1bB2 crab,horse wolf,boar ox blue", "b1b2:boar"],
            ["2R2/5/5/5/1bB2 crab,horse wolf,boar ox blue", "b1b3:wolf"],
            ["2R2/5/5/5/1bB2 crab,horse (0,2)(2,1)(0,-1),boar ox blue", "b1b3:(0,2)(2,1)(0,-1)"],
        ],
    },
    SectionGame {
        title: "Quoridor",
        spec: "quoridor:9x9:10",
        moves: &[["e1 e9 9,9 e3h,d4v white", "e2"], ["e1 e9 10,10 - white", "e3h"]],
    },
    SectionGame {
        title: "Ostle",
        spec: "ostle",
        moves: &[["WWWWW/...../..O../...../BBBBB black -", "c3L"]],
    },
    SectionGame { title: "Tic-tac-toe", spec: "tic-tac-toe", moves: &[[".../.../...", "b2"]] },
    SectionGame {
        title: "Dodgem",
        spec: "dodgem:3x3",
        moves: &[["R../R../.UU right", "a3b3"], ["..R/.../.UU right", "c3off"]],
    },
    SectionGame {
        title: "Four in a row",
        spec: "four:4x4:3",
        moves: &[["..../..../.o../oxx.", "b3"], ["..../..../..../....", "b"]],
    },
    SectionGame { title: "Quixo", spec: "quixo:3x3", moves: &[[".../.../... x", "a3c3"]] },
    SectionGame {
        title: "Dobutsu shogi",
        spec: "dobutsu",
        moves: &[
            ["g.e/.l./.../ELG C c south", "c1c2"],
            ["gle/.../.../ELG C c south", "b2:chick"],
            ["gle/.c./.C./ELG - - south", "b2b3"],
        ],
    },
    SectionGame {
        title: "L-game",
        spec: "l-game",
        moves: &[["NXX./.OX./.OX./.OON x", "d4d2c2:a4c4"]],
    },
];

/// Returns the text below a heading of the second level.
fn section(title: &str) -> &'static str {
    let heading = format!("\n## {title}\n");
    let (_, below) = PAGE.split_once(&heading).expect(title);
    below.split("\n## ").next().unwrap_or(below)
}

/// Returns the blocks of one line, which are positions.
fn positions(section: &str) -> impl Iterator<Item = &str> {
    let blocks = section.split("```").skip(1).step_by(2);
    let lines = blocks.filter_map(|block| block.strip_prefix('\n')?.strip_suffix('\n'));
    lines.filter(|line| !line.contains('\n'))
}

#[test]
fn positions_and_moves_of_the_page_are_read() {
    let mut read = 0;
    for SectionGame { title, spec, moves } in SECTIONS {
        let game = game(spec).expect(spec);
        for text in positions(section(title)) {
            let position = game.parse(text).unwrap_or_else(|error| panic!("{title}: {error}"));
            assert_eq!(game.format(&position).expect("a text"), text);
            read += 1;
        }
        for [position, text] in moves {
            let position = game.parse(position).unwrap_or_else(|error| panic!("{title}: {error}"));
            game.parse_move(&position, text).unwrap_or_else(|error| panic!("{title}: {error}"));
        }
    }
    assert_eq!(read, 7, "a block of one line is a position");
}

#[test]
fn specs_of_the_page_are_read() {
    let words = PAGE.split('`').skip(1).step_by(2);
    let is_spec = |word: &&str| word.contains(':') && word.starts_with(|c: char| c.is_alphabetic());
    let names = ["onitama:", "quoridor:", "ostle:", "four:", "quixo:", "dodgem:"];
    let specs =
        words.filter(is_spec).filter(|word| names.iter().any(|name| word.starts_with(name)));
    let mut read = 0;
    for spec in specs.filter(|spec| !spec.contains("deck=") && !spec.contains(char::is_whitespace))
    {
        game(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        read += 1;
    }
    assert!(read >= 5, "{read}");
}
