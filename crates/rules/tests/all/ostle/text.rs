//! The texts of Ostle: specs, positions and diagrams.

use hindsight_core::{Notation, ParseError};
use hindsight_rules::ostle::OstleSetup;
use hindsight_rules::{Setup, by_name};
use proptest::prelude::*;

use super::positions::{SPECS, ostle};

fn normal_form(spec: &str) -> Result<String, ParseError> {
    by_name(spec, &Setup::default()).map(|game| game.spec())
}

#[test]
fn normal_forms_are_stable() {
    for spec in SPECS {
        assert_eq!(normal_form(spec).as_deref(), Ok(spec));
        assert_eq!(normal_form(&spec.to_uppercase()).as_deref(), Ok(spec));
    }
    for (spec, normal) in [
        ("ostle:5x5:5:3", "ostle"),
        ("ostle:05x5:5:3:rule8=paper", "ostle:rule8=paper"),
        ("ostle:rule8=exact", "ostle"),
        ("ostle:4x4:4:2:rule8=exact", "ostle:4x4:4:2"),
    ] {
        assert_eq!(normal_form(spec).as_deref(), Ok(normal));
    }
}

#[test]
fn bad_specs_say_what_would_be_right() {
    for (spec, at, message) in [
        ("ostle:5x5", 9, "ostle:SIZExSIZE:PIECES:LOST_AT"),
        ("ostle:5x5:5", 11, "the number at which one has lost"),
        ("ostle:", 6, "ostle:SIZExSIZE:PIECES:LOST_AT"),
        ("ostle:5x5:rule8=paper", 21, "the pieces of each player"),
        ("ostle:5:5:3", 6, "WIDTHxHEIGHT"),
        ("ostle:5x4:4:2", 6, "it is square"),
        ("ostle:2x2:2:1", 6, "3x3, 4x4 or 5x5"),
        ("ostle:6x6:5:3", 6, "3x3, 4x4 or 5x5"),
        ("ostle:99999999999x3:2:1", 6, "3x3, 4x4 or 5x5"),
        ("ostle:4x4:5:3", 10, "from 1 to 4, not '5'"),
        ("ostle:4x4:0:0", 10, "from 1 to 4, not '0'"),
        ("ostle:4x4:4:4", 12, "from 0 to 3, not '4'"),
        ("ostle:4x4:4:-1", 12, "not '-1'"),
        ("ostle:rule8=loose", 6, "no option 'rule8=loose'"),
        ("ostle:4x4:4:2:fast", 14, "no option 'fast'"),
        ("ostle:rule8=paper:rule8=exact", 18, "given twice"),
        ("ostle:rule8=paper:RULE8=loose", 18, "option rule8 is"),
        ("ostle:rule8=paper:rule8", 18, "no option 'rule8'"),
        ("  ostle:4x4:4:2:fast ", 16, "ostle has rule8=paper"),
        (" ostle: ", 7, "ostle:SIZExSIZE:PIECES:LOST_AT"),
    ] {
        let error = normal_form(spec).unwrap_err();
        assert!(error.message.contains(message), "{spec}: {error}");
        assert_eq!(error.offset, at, "{spec}: {error}");
    }
    let error = "quoridor:5x5:1".parse::<OstleSetup>().unwrap_err();
    assert!(error.message.contains("a game of ostle"), "{error}");
}

#[test]
fn bad_positions_say_what_would_be_right() {
    let game = ostle("ostle");
    let start = "WWWWW/...../..O../...../BBBBB";
    for (text, at, message) in [
        (start.to_string(), 0, "three parts"),
        (format!("{start} black"), 0, "this has 2"),
        (format!("{start} - black"), 30, "black or white, not '-'"),
        ("WWWWW/..O../...../BBBBB black -".into(), 0, "has 4 rows; this board has 5"),
        ("WWWWW black -".into(), 0, "has 1 row; this board has 5"),
        ("WWWWW/...../O/...../BBBBB black -".into(), 12, "'O' has 1 square; a row has 5"),
        ("WWWWW/...../..O./...../BBBBB black -".into(), 12, "'..O.' has 4 squares; a row has 5"),
        (" WWWWW/...../..O../...../BBBXB black -".into(), 28, "'X' is nothing on a square"),
        ("WWWWW/...../.é..O/...../BBBBB black -".into(), 13, "'é' is nothing on a square"),
        ("WWWWW/...../...../...../BBBBB black -".into(), 0, "one hole O on the board, not 0"),
        ("WWWWW/...../O.O../...../BBBBB black -".into(), 0, "one hole O on the board, not 2"),
        ("WWWWW/W..../..O../...../BBBBB black -".into(), 0, "White has 3 to 5 pieces, not 6"),
        ("WWWWW/...../..O../...../BB... black -".into(), 0, "Black has 3 to 5 pieces, not 2"),
        ("WWW../...../..O../...../BBB.. black -".into(), 0, "only one side can have 3 pieces"),
        (format!("{start} black c3"), 36, "'c3' is no move"),
        (format!("{start} black f1L"), 36, "'f1L' is no move"),
        (format!("{start} black c3X"), 36, "such as c3L, or - if there is none"),
        (format!("{start} black a5D"), 36, "a5D is no move here"),
        ("WWWWW/..O../...../...../BBBBB black c4u".into(), 36, "c4U is no move here"),
        (format!("{start} black a1L"), 36, "a1L removes a piece"),
        (
            format!("{start} black a1U"),
            36,
            "a1U cannot be forbidden here, for it takes back no move that leads here; only these \
             can: c3U c3D c3L c3R",
        ),
        ("WWW../...../..O../...../BBBBB black c3U".into(), 36, "the game is over"),
    ] {
        let error = game.parse(&text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.offset, at, "{text}: {error}");
    }
    let position = game.parse("wwwww/...../..o../...../bbbbb BLACK C3l").unwrap();
    assert_eq!(game.format(position), format!("{start} black c3L"));
    assert!(game.parse("WWW../...../..O../...../BBBBB black -").is_ok());
}

#[test]
fn a_forbidden_move_is_said_to_be_that() {
    let said = |spec: &str, position: &str, mv: &str| {
        let game = ostle(spec);
        let position = game.parse(position).expect("a position");
        game.parse_move(position, mv).unwrap_err().message
    };
    let start = "WWWWW/...../..O../...../BBBBB black c3L";
    let message = said("ostle", start, " c3l ");
    assert_eq!(
        message,
        "'c3l' is forbidden by rule 8: it would bring back the position of two plies before; \
         legal are: \
         a1U a1D a1L a1R b1U b1D b1L b1R c1U c1D c1L c1R c3U c3D c3R \
         d1U d1D d1L d1R e1U e1D e1L e1R"
    );
    let start = start.replace("c3L", "c3U");
    let images = said("ostle:rule8=paper", &start, "c3U");
    assert!(images.contains("two plies before or an image of it; legal"), "{images}");
    assert!(said("ostle", &start, "c4L").contains("'c4L' is no legal move here"));
    let free = "WWWWW/...../..O../...../BBBBB black -";
    assert!(
        ostle("ostle")
            .parse(free)
            .is_ok_and(|position| ostle("ostle").parse_move(position, "c3L").is_ok())
    );
}

#[test]
fn a_diagram_shows_ranks_files_and_the_forbidden_move() {
    let game = ostle("ostle:4x4:4:2");
    let position = game.parse("WW.W/..W./BO../.BBB black b2R").unwrap();
    let drawn = "
 4  W W . W
 3  . . W .
 2  B O . .
 1  . B B B
    a b c d
    forbidden: b2R";
    assert_eq!(format!("\n{}", game.diagram(position)), drawn);
}

proptest! {
    #[test]
    fn almost_positions_are_read_back_or_errors(
        board in "([BW.O.é]{3}/){2}[BW.o.]{2,4}",
        turn in "white|black",
        forbidden in "-|[a-d][0-4][UDLRx]",
    ) {
        let game = ostle("ostle:3x3:3:0");
        let text = format!("{board} {turn} {forbidden}");
        match game.parse(&text) {
            Ok(position) => prop_assert_eq!(game.parse(&game.format(position)), Ok(position)),
            Err(error) => prop_assert!(error.offset <= text.len()),
        }
    }
}
