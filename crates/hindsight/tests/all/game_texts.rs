//! Played games as people write them.

use hindsight_games::{AnyGame, Error, GameText, game};
use proptest::prelude::*;

const FIVE_CARDS: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";

/// Texts of a game with its moves as `hindsight` prints them.
struct TextsOfMoves {
    spec: &'static str,
    moves: &'static str,
    texts: &'static [&'static str],
}

const GAMES: [TextsOfMoves; 7] = [
    TextsOfMoves {
        spec: "quoridor:9x9:10",
        moves: "e2 e8 e3 e7",
        texts: &[
            "1.e2 e8 2.e3 e7",
            "1. e2 e8 2. e3 e7 *",
            "1. e2 ... 1... e8\n2. e3 2\u{2026} e7 1/2-1/2",
            "e2\ne8\ne3\ne7\n",
            "e2,e8, e3 ,e7,",
            "1. e2! e8?! $6 2. e3 {to the goal; (soon} e7 ; that is all 1-0\n 0-1",
            "1. e2{!}e8;1-0\n2. E3 (2. e3h {) (no} (2. d2) e7) E7 1-0 {resigns} ; at once",
            "[Event \"Club\"]\n[Result \"1-0\"]\n\n1. e2 e8 2. e3 e7 1-0\n",
        ],
    },
    TextsOfMoves {
        spec: FIVE_CARDS,
        moves: "c1c2:crane c5c4:crab b1d2:dragon",
        texts: &[
            "c1-c2 crane, c5-c4 crab, b1-d2 dragon",
            "c1c2 crane c5c4 Crab b1d2 DRAGON",
            "1. c1c2:crane! c5-c4:crab 2. b1d2 dragon!? *",
            "c1c2 (0,1)(-1,-1)(1,-1) c5c4:(0,1)(-2,0)(2,0),b1d2",
        ],
    },
    TextsOfMoves {
        spec: "four:7x6",
        moves: "d1 d2 e1 c1",
        texts: &["4453", "44 53", "1. 4 4 2. 5 3", "1.4 4 2.5 c1 *", "d d e c"],
    },
    TextsOfMoves {
        spec: "dobutsu",
        moves: "b2b3 b4b3 b2:chick",
        texts: &[
            "2c2b 2a2b C*2c",
            "2C2B 2A2B c*2c",
            "position startpos moves 2c2b 2a2b C*2c",
            "[FEN \"g1e/1l1/3/ELG w Cc 7\"] startpos moves 2c2b 2a2b C*2c",
            "position sfen gle/1c1/1C1/ELG b - 1 moves 2c2b 2a2b C*2c",
            "[SFEN \"gle/1c1/1C1/ELG b - 1\"]\n1. b2xb3 b4xb3 2. b2 chick",
        ],
    },
    TextsOfMoves {
        spec: "tic-tac-toe",
        moves: "b2 a1",
        texts: &[
            "B2 a1",
            "\u{feff}[Game \"Tic-tac-toe\"]\n1. b2 a1",
            "{\"sharp\" move} b2 {} a1",
            "{} b2 a1",
        ],
    },
    TextsOfMoves { spec: "dodgem:3x3", moves: "a3b3 c1c2", texts: &["1. a3-b3 c1-c2"] },
    TextsOfMoves { spec: "ostle", moves: "a1U a5D", texts: &["1. a1U a5D", "a1u,a5d"] },
];

fn read(game: &AnyGame, text: &str) -> Result<(Vec<String>, Option<String>), Error> {
    let text = GameText::read(text)?;
    let start = text.start.map_or_else(|| Ok(game.start()), |start| game.parse(&start))?;
    let read = game.read_moves(&start, &text.moves, 1000)?;
    let plies = read.positions.iter().zip(&read.moves);
    let moves = plies.map(|(position, mv)| game.format_move(position, mv));
    Ok((moves.collect::<Result<_, _>>()?, read.result))
}

#[test]
fn games_are_read_as_people_write_them() {
    for TextsOfMoves { spec, moves, texts } in GAMES {
        let game = game(spec).expect(spec);
        for text in texts.iter().chain([&moves]) {
            let (read, _) = read(&game, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read.join(" "), moves, "{text}");
        }
    }
}

#[test]
fn the_head_of_a_text_names_game_position_and_players() {
    let text = GameText::read(
        "[Variant \"Dobutsu\"]\n[White \"Ada \\\"A\\\"\"] [Black \"\u{1b}B\"]\n\
         [FEN \"g1e/1l1/3/ELG w Cc 7\"]\n1... 2b2c 1-0",
    );
    let text = text.expect("a game");
    assert_eq!(text.game.as_deref(), Some("Dobutsu"));
    assert_eq!(text.players, [Some("Ada \"A\"".to_string()), Some("\u{fffd}B".to_string())]);
    let game = game("dobutsu").expect("a game");
    let start = game.parse(text.start.as_deref().expect("a position")).expect("a position");
    assert_eq!(game.format(&start).expect("a text"), "g.e/.l./.../ELG C c north");
    let read = game.read_moves(&start, &text.moves, 1).expect("a move");
    assert_eq!(read.result.as_deref(), Some("1-0"));
    for (text, moves) in
        [("position startpos", ""), ("startpos moves", ""), ("startpos 2c2b", "2c2b")]
    {
        let text = GameText::read(&format!("[FEN \"none\"]{text}")).expect("a game");
        assert_eq!(text.moves, moves);
        let start = game.parse(text.start.as_deref().expect("a position")).expect("a position");
        assert_eq!(start, game.start());
    }
    let both = GameText::read("[Game \"four:7x6\"][Variant \"x\"] 4").expect("a game");
    assert_eq!(both.game.as_deref(), Some("four:7x6"));
}

#[test]
fn squares_and_hens_of_sfen_are_ours() {
    let game = game("dobutsu").expect("a game");
    let position = game.parse("1+C1/l2/2c/EL1 b EG2g 3");
    assert!(position.is_err_and(|error| error.to_string().contains("giraffe")));
    let position = game.parse("1+C1/l2/2c/EL1 b EGg 3").expect("a position");
    assert_eq!(game.format(&position).expect("a text"), ".H./l../..c/EL. GE g south");
    for [usi, shown] in [["3d2c", "a1b2"], ["2d1c", "b1c2"], ["G*1d", "c1:giraffe"]] {
        let mv = game.parse_move(&position, usi).expect(usi);
        assert_eq!(game.format_move(&position, &mv).expect("a text"), shown);
    }
}

#[test]
fn faults_name_the_move_and_the_side() {
    for (spec, text, message) in [
        (
            FIVE_CARDS,
            "1. c1c2 crane c5c4 crab 2. c1-c9 crane",
            "move 3 (Blue): 'c1-c9 crane' is no",
        ),
        ("four:7x6", "44444443", "move 7 (X): '4' is no legal move here; legal are:"),
        ("tic-tac-toe", "b2 b2", "move 2 (O): 'b2' is no legal move here; legal are: a3 b3"),
        ("tic-tac-toe", "a1 a2 b1 b2 c1 c2", "move 6 (O): 'c2' is no move: the game is over"),
        ("tic-tac-toe", "b2 {the end", "a comment begins with { and has no }"),
        ("tic-tac-toe", "b2 (a1 (a2)", "a variation begins with ( and has no )"),
        ("tic-tac-toe", "b2 * {} 1. b2", "'1.' stands behind the result *: one game is read"),
        ("tic-tac-toe", "{\"game\":", "this is a record of games: give"),
        ("tic-tac-toe", " [ { \"event\" :", "this is a record of games: give"),
        ("dobutsu", "L*2b", "move 1 (South): 'L*2b' is no legal move here"),
    ] {
        let game = game(spec).expect(spec);
        let error = read(&game, text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    let game = game("tic-tac-toe").expect("a game");
    let long = game.read_moves(&game.start(), "b2 a1 a2", 2).expect_err("too long");
    assert_eq!(long.to_string(), "a game has at most 2 moves here");
    let Err(Error::PlayedMove { fault, .. }) = game.read_moves(&game.start(), "1. b2 z9", 9) else {
        panic!("z9 is no square");
    };
    assert_eq!((fault.offset, fault.length), (6, 2));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256, failure_persistence: None, ..Default::default()
    })]

    #[test]
    fn any_text_gives_a_game_or_one_sentence(
        text in "([a-e][1-5]([-x:]?)|[1-9.]|[a-eA-Z*+!?,;:{}()$\n -]|\\[|\\]|\"|\\PC| moves |sfen ){0,40}",
    ) {
        for TextsOfMoves { spec, .. } in GAMES {
            let game = game(spec).expect(spec);
            for text in [text.clone(), format!("[FEN \"{text}\"]"), format!("{{\"game\":{text}")] {
                if let Err(error) = read(&game, &text) {
                    let error = error.to_string();
                    prop_assert!(!error.is_empty() && error.lines().count() == 1, "{error}");
                }
            }
        }
    }

    /// Any moves are read with anything between them that people write there.
    #[test]
    fn moves_are_read_between_whatever_stands_there(
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0..7_usize), 0..12),
    ) {
        for TextsOfMoves { spec, .. } in GAMES {
            let game = game(spec).expect(spec);
            let (mut position, mut text, mut expected) = (game.start(), String::new(), Vec::new());
            for (choice, between) in &choices {
                let moves = game.moves(&position).expect("moves");
                if moves.is_empty() {
                    break;
                }
                let mv = choice.get(&moves);
                expected.push(game.format_move(&position, mv).expect("a text"));
                let between = [" ", ",", "\n", " {a1 b2} ", " 7. ", " (a1 (b2)) ", " ; a1\n"][*between];
                text += &format!("{}{between}", expected[expected.len() - 1]);
                position = game.play(&position, mv).expect("legal");
            }
            let (moves, result) = read(&game, &format!("{text}*")).expect(&text);
            prop_assert_eq!(&moves, &expected);
            prop_assert_eq!(result.as_deref(), Some("*"));
        }
    }
}
