//! Pictures of all games: well formed, of the right size, with all that lies on the board.

use hindsight_core::Drawing;
use hindsight_rules::GAMES;

use crate::drawing;

/// Width and height of a PNG picture.
pub(crate) fn size_of_png(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes")))
}

#[test]
fn every_game_has_a_picture() {
    for game in GAMES {
        let drawing = drawing(game.example, None);
        let begins_empty = ["four", "quixo", "tic-tac-toe"].contains(&game.name);
        assert_eq!(drawing.pieces.is_empty(), begins_empty, "{}", game.name);
        let picture = hindsight_draw::picture(&drawing, game.example, "");
        let svg = picture.svg();
        for seat in &drawing.seats {
            assert!(svg.contains(&seat.name), "{}", game.example);
        }
        let [width, height] = size_of_png(&picture.png(1.0).expect("a picture of any game"));
        assert!((200..2000).contains(&width), "{}: {width}", game.example);
        assert!((150..2000).contains(&height), "{}: {height}", game.example);
    }
}

#[test]
fn every_card_is_there_by_name() {
    let drawing = drawing("onitama:5x5:tiger,crab,monkey,crane,dragon", None);
    let cards = drawing.seats.iter().flat_map(|seat| &seat.cards);
    let names: Vec<&str> = cards.map(|card| card.name.as_str()).collect();
    assert_eq!(names.len(), 4);
    assert_eq!(drawing.cards_aside.len(), 1);
    let svg = hindsight_draw::picture(&drawing, "", "").svg();
    for name in names {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}");
    }
}

#[test]
fn long_names_of_cards_have_small_letters_and_then_two_lines() {
    let [wide, uneven] = ["m".repeat(32), format!("a-{}", "w".repeat(18))];
    let words = "the-old-turtle-of-the-north-sea";
    let spec =
        format!("onitama:3x3:{wide}=(0,1),{words}=(1,1),wolf=(1,0),sea-snake,{uneven}=(-1,1)");
    let svg = hindsight_draw::picture(&drawing(&spec, None), "", "").svg();
    let size = |name: &str| {
        let text = &svg[..svg.find(&format!(">{name}</text>")).expect("the name")];
        let size = text.rsplit("font-size=\"").next().expect("a size");
        let size = size.split('"').next().expect("a number");
        size.parse::<f64>().expect("a number")
    };
    assert_eq!([size("wolf"), size("sea-snake")], [12.0, 12.0]);
    assert_eq!([size("the-old-turtle-"), size("of-the-north-sea")], [7.2; 2]);
    // A hyphen at the wrong place is none.
    assert_eq!(size("a-wwwwwwww"), 7.2);
    // A card is 65 wide, and the next one begins at 79.
    let half = size(&wide[..16]);
    assert!(half > 4.5 && half * 0.98 * 16.0 < 79.0, "{half}");
}

#[test]
fn last_moves_are_marked() {
    let drawing = drawing("quoridor:5x5:2", Some("c1 c5 1,1 b2h,c3v white"));
    assert_eq!(drawing.fences.len(), 2);
    let plain = hindsight_draw::picture(&drawing, "", "").svg();
    for last in ["b2h", "c1", "C3V"] {
        assert!(hindsight_draw::names_a_place(&drawing, last), "{last}");
        assert_ne!(hindsight_draw::picture(&drawing, "", last).svg(), plain, "{last}");
    }
    assert!(!hindsight_draw::names_a_place(&drawing, "z9"));
}

#[test]
fn a_turned_board_keeps_the_names_of_its_cells() {
    let drawing = drawing("quoridor:3x3:1", Some("a1 b3 0,1 a1h white"));
    let svg = hindsight_draw::picture(&drawing, "", "").svg();
    let turned = hindsight_draw::picture(&drawing.turned(), "", "").svg();
    // Place of a thing on the board, then on the turned board.
    let places = [
        [r#"x="28" y="187"#, r#"x="140" y="187"#, ">a<"],
        [r#"x="-9" y="145"#, r#"x="-9" y="33"#, ">1<"],
        ["translate(28 140)", "translate(140 28)", r##"fill="#ffffff" stroke="#333333""##],
        [
            r#"<rect x="4" y="108" width="104" height="8""#,
            r#"<rect x="60" y="52" width="104" height="8""#,
            "",
        ],
    ];
    for [place, turned_place, rest] in places {
        for (svg, place) in [(&svg, place), (&turned, turned_place)] {
            let (_, found) = svg.split_once(place).unwrap_or_else(|| panic!("{place}: {svg}"));
            let near = &found[..found.len().min(160)];
            assert!(near.contains(rest), "{place}: {near}");
        }
    }
}

#[test]
fn titles_are_escaped() {
    let drawing = Drawing::of_signs("x../.o./...", ["X", "O"]);
    let svg = hindsight_draw::picture(&drawing, "a < b & \"c\"\u{1b}", "").svg();
    assert!(svg.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
}
