//! Onitama: cards and specs against golden files, laws, notation, and arbitrary texts.

use hindsight_core::{Game, Notation, PackedGame, ParseError, Random, Ranked, Symmetry, Tiers};
use hindsight_rules::onitama::{BASE, Card, Deck, Onitama, OnitamaSetup, SENSEIS_PATH};
use hindsight_rules::{Setup, by_name, deal, in_published_order};
use hindsight_testkit::golden;
use hindsight_testkit::{check_laws, check_notation, check_playouts};
use proptest::prelude::*;

/// Boards and deals with the special cases: widths 1 and even, duplicates, passes, the empty card,
/// own names, several names of one card, staying, hands of one and three, fewer students,
/// bitboards of 16, 32 and 64 bits.
const SPECS: [&str; 23] = [
    "onitama:1x2:boar",
    "onitama:1x5:crab",
    "onitama:2x3:boar",
    "onitama:3x3:tiger,crab,monkey,crane,dragon",
    "onitama:3x4:ox,horse,boar,crab,elephant",
    "onitama:4x3:eel,cobra,rabbit,frog,goose",
    "onitama:5x2:mantis,mantis,tiger,tiger,ox",
    "onitama:3x3:rooster,goose,rooster,goose,monkey",
    "onitama:3x5:fox,dog,bear,panda,kirin",
    "onitama:4x4:()",
    "onitama:3x3:(0,1)@blue,(0,0)(1,1),(),boar,(0,0)(1,1)",
    "onitama:3x3:(0,0)(1,1)(-1,1):stay=yes",
    "onitama:3x4:wolf=(0,2)(-1,0)(1,0)@blue",
    "onitama:3x3:wolf=(0,1)@blue,stone=(),hound=(0,1),boar,stone",
    "onitama:3x3:ox,wolf=(-1,0)(0,1)(1,0),boar,(-1,0)(0,1)(1,0),stay=(0,0)(1,1):stay=yes",
    "onitama:3x3:boar,crab,ox:hand=1",
    "onitama:3x3:boar,crab,ox,horse,tiger,monkey,eel:hand=3:first=blue",
    "onitama:5x5:tiger,crab,monkey,crane,dragon",
    "onitama:5x5:boar,ox,elephant,horse,crab:students=2",
    "onitama:8x4:phoenix,turtle,giraffe,mouse,rat",
    "onitama:8x8:sable,otter,iguana,tanuki,viper",
    "onitama:32x2:boar",
    "onitama:1x64:sea-snake,tiger,tiger,boar,fox",
];

fn laws(game: &PackedGame) {
    check_laws(game, 600, 11);
    check_notation(game, 300, 11);
}

/// Plays on, and compares texts with those of the game in its own order. A text does not tell the
/// order of the cards in a hand, so it is read back as a member of the same class.
fn check_texts_in_order(ordered: &PackedGame, plain: &PackedGame) {
    let mut position = ordered.start();
    for ply in 0..300 {
        let text = ordered.format(position);
        let same = plain.parse(&text).unwrap();
        assert_eq!(plain.format(same), text);
        assert_eq!(ordered.terminal(position), plain.terminal(same), "{text}");
        let read = ordered.parse(&text).unwrap();
        assert_eq!(ordered.canonical(read), ordered.canonical(position), "{text}");
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        ordered.moves(position, &mut moves);
        plain.moves(same, &mut others);
        let mut texts: Vec<_> = moves.iter().map(|&mv| ordered.format_move(position, mv)).collect();
        let mut expected: Vec<_> = others.iter().map(|&mv| plain.format_move(same, mv)).collect();
        for (&mv, text) in moves.iter().zip(&texts) {
            assert_eq!(ordered.parse_move(position, text), Ok(mv), "{text}");
        }
        texts.sort_unstable();
        expected.sort_unstable();
        assert_eq!(texts, expected, "{text}");
        position = match moves.len() {
            0 => ordered.start(),
            len => ordered.play(position, moves[ply * 7 % len]),
        };
    }
}

#[test]
fn laws_hold_on_every_kind_of_board() {
    for spec in SPECS {
        for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
            let setup = Setup { symmetry, ..Setup::default() };
            by_name(spec, &setup).map(|game| laws(&game)).unwrap();
            let ordered = in_published_order(spec, &setup).unwrap().expect("an order");
            check_laws(&ordered, 600, 11);
            let plain = by_name(spec, &setup).unwrap();
            check_texts_in_order(&ordered, &plain);
        }
    }
}

fn playouts(game: &PackedGame) {
    check_playouts(game, 12, 5);
}

#[test]
fn playouts_are_random_games() {
    for spec in SPECS {
        by_name(spec, &Setup::default()).map(|game| playouts(&game)).unwrap();
    }
}

fn normal_form(spec: &str) -> Result<String, ParseError> {
    by_name(spec, &Setup::default()).map(|game| game.spec())
}

#[test]
fn normal_forms_are_stable() {
    for spec in SPECS {
        let normal = normal_form(spec).unwrap();
        assert_eq!(normal_form(&normal), Ok(normal.clone()), "{spec}");
        assert_eq!(normal_form(&spec.to_uppercase()), Ok(normal), "{spec}");
    }
    for (spec, normal) in [
        ("onitama:3x4:boar,boar,boar,boar,boar", "onitama:3x4:boar"),
        ("onitama:3x4:(1,0)(0,1)(-1,0)@red", "onitama:3x4:boar"),
        ("onitama:3x4:(0,1)@blue", "onitama:3x4:(0,1)@blue"),
        ("onitama:3x4:(0,1)@red", "onitama:3x4:(0,1)"),
        ("onitama:3x4:(0,1):first=blue", "onitama:3x4:(0,1)@blue"),
        ("onitama:3x4:boar@blue", "onitama:3x4:boar:first=blue"),
        ("onitama:3x4:boar:first=red", "onitama:3x4:boar"),
        ("onitama:3x4:boar:stay=yes", "onitama:3x4:boar"),
        ("onitama:3x4:boar:students=2:hand=2", "onitama:3x4:boar"),
        ("onitama:5x5:boar:students=2:first=blue", "onitama:5x5:boar:first=blue:students=2"),
        (
            "onitama:5x5:tiger,crab,monkey,crane,dragon",
            "onitama:5x5:tiger,crab,monkey,crane,dragon",
        ),
        ("Tic-Tac-Toe", "tic-tac-toe"),
    ] {
        assert_eq!(normal_form(spec).as_deref(), Ok(normal), "{spec}");
    }
}

#[test]
fn faults_of_a_spec_say_what_would_be_right() {
    for (spec, expected) in [
        ("", "a spec is onitama:WIDTHxHEIGHT:CARDS or "),
        ("onitma:3x4:boar", "onitama:WIDTHxHEIGHT:CARDS"),
        ("onitama", "such as onitama:3x4:boar"),
        ("onitama:3x4", "such as onitama:3x4:boar"),
        ("onitama:34:boar", "WIDTHxHEIGHT"),
        ("onitama:3x:boar", "WIDTHxHEIGHT"),
        ("onitama:-3x4:boar", "WIDTHxHEIGHT"),
        ("onitama:0x4:boar", "at least 1 wide and 2 high"),
        ("onitama:4x1:boar", "at least 1 wide and 2 high"),
        ("onitama:9x8:boar", "at most 64 squares"),
        ("onitama:99999999999x99999999999:boar", "at most 64 squares"),
        ("onitama:3x4:", "no cards"),
        ("onitama:3x4:baor", "did you mean 'boar'"),
        ("onitama:3x4:boar,boar,boar,boar", "only 4 cards; 5"),
        ("onitama:3x4:boar,boar,boar,boar,boar,boar", "6 cards; 5"),
        ("onitama:3x4:boar,ox,crab:hand=3", "only 3 cards; 7"),
        ("onitama:3x4:(3,0)", "outside [-2..2]"),
        ("onitama:3x4:(0,1", "such as (-1,0)(0,1)"),
        ("onitama:3x4:boar@green", "red or blue"),
        ("onitama:3x4:boar:first=green", "red or blue"),
        ("onitama:3x4:boar:first=red:first=red", "twice"),
        ("onitama:3x4:boar:stay=maybe", "yes or no"),
        ("onitama:3x4:boar:hand=0", "from 1 to 6"),
        ("onitama:3x4:boar:students=-1", "from 0 to 63"),
        ("onitama:3x4:boar:colour=red", "deck, first, hand, stay, students"),
        ("onitama:3x4:boar:first", "key=value"),
        ("onitama:3x4:boar:", "key=value"),
        ("onitama:3x4:boar:deck=no.toml", "no.toml"),
        ("onitama:5x5:random", "random deals are for playing"),
        ("tic-tac-toe:3x3", "stands alone"),
    ] {
        let error = normal_form(spec).unwrap_err();
        assert!(error.message.contains(expected), "{spec}: {error}");
        assert!(error.offset <= spec.len(), "{spec}: {error:?}");
    }
}

#[test]
fn faults_of_options_have_their_offsets() {
    for (spec, at, message) in [
        ("onitama:3x4:boar:x=1", 17, "no option 'x'"),
        ("onitama:3x4:boar:x=1:x=2", 17, "no option 'x'"),
        ("onitama:3x4:boar:hand=7", 22, "from 1 to 6, not '7'"),
        ("onitama:3x4:boar:hand=", 22, "not ''"),
        ("onitama:3x4:boar:hand=3:HAND=x", 24, "option hand is given"),
        ("onitama:3x4:boar:hand=3:hand", 24, "'hand' is no option"),
        ("onitama:3x4:boar:hand=3:", 24, "'' is no option"),
        ("onitama:3x4:boar:first=Green", 23, "not 'Green'"),
        ("onitama:3x4:boar:stay=no:stay=x", 25, "given twice"),
        ("onitama:3x4:boar:stay=x=y", 22, "stay is yes or no"),
        ("onitama:3x4:boar:deck=no.toml", 22, "no.toml"),
        ("onitama:3x4:baor:stay=yes", 12, "no card 'baor'"),
        ("  onitama:3x4:boar:fast ", 19, "'fast' is no option"),
        ("  onitama:3x4 ", 13, "needs a size and cards"),
        (" chess:x=1", 1, "there is no game 'chess'"),
        (" tic-tac-toe:x=1", 12, "stands alone"),
    ] {
        let error = normal_form(spec).unwrap_err();
        assert!(error.message.contains(message), "{spec}: {error}");
        assert_eq!(error.offset, at, "{spec}: {error}");
    }
}

#[test]
fn built_in_cards_are_those_of_the_golden_files() {
    let files = [
        (include_str!("../../../../golden/onitama_cards.csv"), BASE),
        (include_str!("../../../../golden/onitama_senseis_path.csv"), SENSEIS_PATH),
    ];
    for (file, constants) in files {
        let rows = golden(file).unwrap();
        assert_eq!(rows.len(), constants.len());
        for (row, (name, stamp, offsets)) in rows.iter().zip(constants) {
            let text: Vec<String> =
                offsets.iter().map(|(right, forward)| format!("{right}:{forward}")).collect();
            assert_eq!((row[0], row[1], row[2]), (name, stamp.name(), text.join(" ").as_str()));
        }
    }
}

fn parse_in(game: &PackedGame, text: &str) -> Result<String, ParseError> {
    game.parse(text).map(|position| game.format(position))
}

fn parse(spec: &str, position: &str) -> Result<String, ParseError> {
    by_name(spec, &Setup::default()).map(|game| parse_in(&game, position)).unwrap()
}

#[test]
fn faults_of_a_position_are_found_where_they_are() {
    let spec = "onitama:3x4:boar,boar,ox,ox,crab";
    let right = "rRr/3/3/bBb boar,ox crab,ox boar blue";
    assert_eq!(parse(spec, right).as_deref(), Ok("rRr/3/3/bBb boar,ox ox,crab boar blue"));
    for (position, at, expected) in [
        ("", 0, "five parts"),
        ("rRr/3/3/bBb boar,ox crab,ox boar", 0, "five parts"),
        ("rRr/3/bBb boar,ox crab,ox boar blue", 0, "4 rows"),
        ("rRr/3/2/bBb boar,ox crab,ox boar blue", 6, "3 squares wide"),
        ("rRr/3/4/bBb boar,ox crab,ox boar blue", 6, "3 squares wide"),
        ("rRr/3/3/bBbb boar,ox crab,ox boar blue", 8, "3 squares wide"),
        ("rRr/3/99999999999999999999/bBb boar,ox crab,ox boar blue", 6, "3 squares wide"),
        ("rRr/2b1/3/bBb boar,ox crab,ox boar blue", 4, "3 squares wide"),
        ("rRr/3r/3/bBb boar,ox crab,ox boar blue", 4, "3 squares wide"),
        ("rRx/3/3/bBb boar,ox crab,ox boar blue", 2, "no piece"),
        ("rRR/3/3/bBb boar,ox crab,ox boar blue", 2, "one master"),
        ("rRr/r2/3/bBb boar,ox crab,ox boar blue", 0, "at most 2"),
        ("rRr/3/3/bBb boar,tiger crab,ox boar blue", 17, "not in this game"),
        ("rRr/3/3/bBb boar,bor crab,ox boar blue", 17, "'boar'"),
        ("rRr/3/3/bBb boar crab,ox boar blue", 12, "2 cards"),
        ("rRr/3/3/bBb boar,boar boar,ox crab blue", 12, "not the cards of this game"),
        ("rRr/3/3/bBb boar,ox crab,ox boar green", 33, "red or blue"),
        ("r1r/3/3/bBb boar,ox crab,ox boar blue", 33, "red had lost before"),
        ("rBr/3/3/b1b boar,ox crab,ox boar blue", 33, "red had lost before"),
    ] {
        let error = parse(spec, position).unwrap_err();
        assert!(error.message.contains(expected), "{position}: {error}");
        assert_eq!(error.offset, at, "{position}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_a_spec_or_an_error(text in "\\PC{0,40}") {
        let _ = normal_form(&text);
    }

    #[test]
    fn almost_specs_are_specs_or_errors(
        size in "[0-9x]{1,5}",
        cards in "(boar|ox|\\(-?[0-3],-?[0-3]\\)|\\(\\)|@red|@blue|,|\\(){1,7}",
        options in "(:(first|stay|hand|students|deck)=(red|blue|yes|[0-9]{1,3})?){0,3}",
    ) {
        if let Ok(normal) = normal_form(&format!("onitama:{size}:{cards}{options}")) {
            prop_assert_eq!(normal_form(&normal), Ok(normal.clone()));
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(text in "\\PC{0,60}") {
        let _ = parse("onitama:3x4:boar", &text);
    }

    #[test]
    fn almost_positions_are_read_back_or_errors(
        board in "([rRbB1-3]{1,3}/){2,4}[rRbB1-3]{1,3}",
        cards in "( (boar|ox|crab)(,(boar|ox|crab))?){3}",
        turn in " (red|blue|Red)",
    ) {
        let spec = "onitama:3x4:boar,boar,ox,ox,crab";
        if let Ok(text) = parse(spec, &format!("{board}{cards}{turn}")) {
            prop_assert_eq!(parse(spec, &text), Ok(text.clone()));
        }
    }

    #[test]
    fn any_text_is_a_deck_or_an_error(text in "\\PC{0,60}") {
        let _ = Deck::from_toml(&text);
    }

    #[test]
    fn almost_decks_are_decks_or_errors(
        name in "[a-zA-Z0-9-]{0,8}",
        offsets in "\\[(\\[-?[0-3], -?[0-3]\\],?){0,4}\\]",
        rest in "(stamp = \"(red|blue|green)\"|x = 1|)",
    ) {
        let text = format!("[[card]]\nname = \"{name}\"\noffsets = {offsets}\n{rest}\n");
        match Deck::from_toml(&text) {
            Ok(deck) => prop_assert_eq!(deck.own_cards().count(), 1),
            Err(error) => prop_assert!(error.message.starts_with("line "), "{}", error),
        }
    }
}

#[test]
fn ranks_and_predecessors() {
    for spec in [
        "onitama:1x2:boar",
        "onitama:2x4:boar",
        "onitama:3x3:tiger,crab,monkey,crane,dragon",
        "onitama:4x4:boar,ox,boar,horse,crab:students=2",
        "onitama:5x5:boar,ox,elephant,horse,crab",
        "onitama:3x4:(0,0)(1,0)(0,1):stay=yes",
        "onitama:4x3:(2,2)(-1,0),boar,(),tiger,crane",
        "onitama:6x6:rabbit,cobra,rooster,frog,goose,eel,ox:hand=3:students=1",
        "onitama:8x8:horse:students=3",
    ] {
        let game = by_name(spec, &Setup::default()).expect("a spec");
        hindsight_testkit::check_ranks(&game, 7);
        hindsight_testkit::check_retro(&game, 7);
    }
}

/// Expected number: positions that are not over, from the mover's seat. 553 pairs of masters: `24 *
/// 24` off the opponent's arch, less 23 on one square. Up to one student a side on the 23 free
/// squares. 30 deals.
#[test]
fn holes_are_the_finished_games() {
    let game = Onitama::<u32>::new(
        OnitamaSetup { students: Some(1), ..OnitamaSetup::new(5, 5, BASE_FIVE.map(card).to_vec()) },
        Symmetry::None,
    );
    let mut positions = 0;
    for layer in 0..game.layers() {
        let mut positions_of_tier = Vec::new();
        game.unrank_range(layer.into(), 0..game.tier_len(layer.into()), &mut positions_of_tier);
        positions += positions_of_tier.len();
    }
    assert_eq!(positions, 553 * (1 + 23 + 23 + 23 * 22) * 30);
}

const BASE_FIVE: [&str; 5] = ["boar", "ox", "elephant", "horse", "crab"];

fn card(name: &str) -> Card {
    Deck::default().card(name).expect("a built-in card")
}

/// Deals of a spec, one for each of `count` seeds.
fn deals(spec: &str, count: u64) -> Vec<String> {
    struct Congruential(u64);
    impl Random for Congruential {
        fn bits(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            self.0 >> 33 ^ self.0
        }
    }
    let setup = Setup::default();
    let deal = |seed| deal(spec, &setup, &mut Congruential(seed)).unwrap().expect("a deal");
    (0..count).map(deal).collect()
}

#[test]
fn random_deals_are_five_different_cards_and_a_player() {
    let mut seen = std::collections::BTreeMap::new();
    for dealt in deals("Onitama:5x5:random", 3_000) {
        by_name(&dealt, &Setup::default()).map(|game| game.spec()).unwrap();
        let parts: Vec<&str> = dealt.split(':').collect();
        let cards: std::collections::HashSet<&str> = parts[2].split(',').collect();
        assert_eq!(cards.len(), 5, "{dealt}");
        for card in cards {
            assert!(BASE.iter().any(|base| base.0 == card), "{dealt}");
            *seen.entry(card.to_string()).or_insert(0) += 1;
        }
        *seen.entry(parts[3].to_string()).or_insert(0) += 1;
    }
    // 3000 x 5/16 of each card, 3000 / 2 of each player: all within six standard deviations.
    assert_eq!(seen.len(), 18);
    for (word, times) in seen {
        let (mean, deviation) = if word.starts_with("first") { (1500, 27) } else { (937, 25) };
        assert!((mean - 6 * deviation..mean + 6 * deviation).contains(&times), "{word}: {times}");
    }
}

#[test]
fn part_of_a_deal_may_be_random() {
    for dealt in deals("onitama:4x5:boar,random,Crab,random,random:first=blue:students=2", 50) {
        let rest = dealt.strip_prefix("onitama:4x5:boar,").unwrap();
        assert!(rest.ends_with(":first=blue:students=2"), "{dealt}");
        let cards: Vec<&str> = rest.split(':').next().unwrap().split(',').collect();
        assert_eq!(cards[1], "crab");
        for i in [0, 2, 3] {
            assert!(!["boar", "crab", "random"].contains(&cards[i]), "{dealt}");
        }
    }
    for dealt in deals("onitama:5x5:boar@blue,random,random,random,random", 50) {
        assert_eq!(dealt.matches("boar").count(), 1, "{dealt}");
    }
    assert_eq!(deals("onitama:5x5:random:hand=3", 1)[0].split(',').count(), 7);
    let none = |spec| deal(spec, &Setup::default(), &mut NoBits).unwrap();
    for spec in ["onitama:5x5:boar", "ostle", "quoridor:5x5:random", "onitama:5x5", ""] {
        assert_eq!(none(spec), None, "{spec}");
    }
    let cards = vec!["random"; 17].join(",");
    let error = deal(&format!("onitama:5x5:{cards}"), &Setup::default(), &mut NoBits).unwrap_err();
    assert!(error.message.contains("so many different cards"), "{error}");
}

struct NoBits;

impl Random for NoBits {
    fn bits(&mut self) -> u64 {
        0
    }
}
