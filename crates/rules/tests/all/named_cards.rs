//! Onitama: own cards with names, in specs, decks, positions, moves and pictures.

use hindsight_core::{DrawnCard, Game, Notation, PackedGame, ParseError, Random, Symmetry};
use hindsight_rules::onitama::{Card, Onitama, OnitamaPlayer, OnitamaSetup};
use hindsight_rules::{Setup, by_name, deal, deck_file, in_published_order};
use proptest::prelude::*;

/// A deck of two cards of the user's own, one of which has the offsets of the boar, and one more
/// name for the first.
const DECK: &str = "
[[card]]
name = 'Wolf'
stamp = 'blue'
offsets = [[-1, 2], [1, 2], [0, -1]]

[[card]]
name = 'piglet'
offsets = [[-1, 0], [0, 1], [1, 0]]

[[card]]
name = 'hound'
offsets = [[0, -1], [1, 2], [-1, 2]]
";

const SETUP: Setup<'_> = Setup {
    symmetry: Symmetry::None,
    read_file: &|name| match name {
        "d.toml" => Ok(DECK.to_string()),
        _ => Err(format!("there is no '{name}'")),
    },
};

/// Returns the two normal forms of a game: with names and without.
fn specs(spec: &str) -> Result<[String; 2], ParseError> {
    by_name(spec, &SETUP).map(|game| [game.spec(), game.rules_spec()])
}

#[test]
fn normal_forms_have_names_and_rules_have_none() {
    for (spec, normal, rules) in [
        (
            "onitama:3x4:Wolf:deck=d.toml",
            "onitama:3x4:wolf=(-1,2)(0,-1)(1,2)@blue",
            "onitama:3x4:(-1,2)(0,-1)(1,2)@blue",
        ),
        (
            "onitama:3x4:wolf:deck=d.toml:first=red",
            "onitama:3x4:wolf=(-1,2)(0,-1)(1,2)",
            "onitama:3x4:(-1,2)(0,-1)(1,2)",
        ),
        (
            "onitama:3x4:ox,wolf,wolf,ox,boar:deck=d.toml",
            "onitama:3x4:ox,wolf=(-1,2)(0,-1)(1,2),wolf,ox,boar",
            "onitama:3x4:ox,(-1,2)(0,-1)(1,2),(-1,2)(0,-1)(1,2),ox,boar",
        ),
        (
            "onitama:3x4:piglet@blue:deck=d.toml",
            "onitama:3x4:piglet=(-1,0)(0,1)(1,0)@blue",
            "onitama:3x4:boar:first=blue",
        ),
        // A name counts from the first card on, whichever card explains it.
        (
            "onitama:3x4:fang,ox,fang=(0,2),fang,(0,2)",
            "onitama:3x4:fang=(0,2),ox,fang,fang,fang",
            "onitama:3x4:(0,2),ox,(0,2),(0,2),(0,2)",
        ),
        // Cards without a name take that of the game, then of the deck.
        (
            "onitama:3x4:(0,-1)(-1,2)(1,2),hound,ox,ox,(1,0)(-1,0)(0,1):deck=d.toml",
            "onitama:3x4:hound=(-1,2)(0,-1)(1,2),hound,ox,ox,piglet=(-1,0)(0,1)(1,0)",
            "onitama:3x4:(-1,2)(0,-1)(1,2),(-1,2)(0,-1)(1,2),ox,ox,boar",
        ),
        // Several names of one card stay.
        (
            "onitama:3x4:wolf,hound,wolf,hound,boar:deck=d.toml",
            "onitama:3x4:wolf=(-1,2)(0,-1)(1,2)@blue,hound=(-1,2)(0,-1)(1,2),wolf,hound,boar",
            "onitama:3x4:(-1,2)(0,-1)(1,2)@blue,(-1,2)(0,-1)(1,2),(-1,2)(0,-1)(1,2),\
             (-1,2)(0,-1)(1,2),boar",
        ),
        // Offsets behind the name of a built-in card change nothing.
        ("onitama:3x4:crab=(2,0)(0,1)(-2,0)", "onitama:3x4:crab", "onitama:3x4:crab"),
        ("onitama:3x4:stone=():hand=1", "onitama:3x4:stone=():hand=1", "onitama:3x4:():hand=1"),
        ("onitama:3x4:deck=(0,1)", "onitama:3x4:deck=(0,1)", "onitama:3x4:(0,1)"),
    ] {
        let [found, found_rules] = specs(spec).unwrap();
        assert_eq!(found, normal, "{spec}");
        assert_eq!(specs(&found).unwrap()[0], normal, "{spec}");
        assert_eq!(found_rules, rules, "{spec}");
        assert_eq!(specs(&found_rules).unwrap()[0], found_rules, "{spec}");
        let published = in_published_order(spec, &SETUP).unwrap().expect("an order");
        assert_eq!([published.spec(), published.rules_spec()], [found, found_rules], "{spec}");
    }
}

#[test]
fn faults_of_names_say_what_would_be_right() {
    let long = format!("onitama:3x4:{}=(0,1)", "w".repeat(2_000));
    for (spec, at, expected) in [
        ("onitama:3x4:boar=(0,1)", 12, "'boar' is a built-in card"),
        ("onitama:3x4:w=(0,1),w=(0,2)", 20, "(0,1) already"),
        ("onitama:3x4:wolf=(0,1):deck=d.toml", 12, "'wolf' is the card"),
        ("onitama:3x4:=(0,1)", 12, "'' is no name for a card"),
        ("onitama:3x4:12=(0,1)", 12, "'12' is no name"),
        ("onitama:3x4:a b=(0,1)", 12, "'a b' is no name"),
        ("onitama:3x4:a/b=(0,1)", 12, "'a/b' is no name"),
        ("onitama:3x4:a(b=(0,1)", 12, "'a(b' is no name"),
        ("onitama:3x4:a@b=(0,1)", 14, "red or blue"),
        ("onitama:3x4:a,b=(0,1)", 12, "no card 'a'"),
        ("onitama:3x4:a:b=(0,1)", 14, "no option 'b'"),
        ("onitama:3x4:random=(0,1)", 12, "not random"),
        ("onitama:3x4:a=", 14, "offsets (right,forward)"),
        ("onitama:3x4:a=boar", 14, "offsets (right,forward)"),
        ("onitama:3x4:a=(0,3)", 14, "outside [-2..2]"),
        ("onitama:3x4:a=(0,1)@green", 20, "red or blue"),
        ("onitama:3x4:a=(0,1),a,a,a", 12, "only 4 cards"),
        ("onitama:3x4:wolv:deck=d.toml", 12, "did you mean 'wolf'"),
        (&long, 12, "at most 32"),
    ] {
        let error = specs(spec).unwrap_err();
        assert!(error.message.contains(expected), "{spec}: {error}");
        assert!(!error.message.contains('\n') && error.message.len() < 200);
        assert_eq!(error.offset, at, "{spec}: {error}");
    }
}

#[test]
fn a_card_named_deck_is_no_deck_file() {
    assert_eq!(deck_file("onitama:3x4:deck=(0,1)"), None);
    assert_eq!(deck_file("onitama:3x4:deck=(0,1):stay=no:deck=D.toml"), Some("D.toml"));
    for spec in ["", "onitama", "onitama:3x4", "ostle:4x4:4:deck=x"] {
        assert_eq!(deck_file(spec), None, "{spec}");
    }
}

fn own(name: &str, offsets: &[(i8, i8)]) -> Card {
    let card = Card::new(offsets.to_vec(), OnitamaPlayer::Red).unwrap();
    card.named(name).unwrap()
}

#[test]
fn a_setup_of_two_cards_with_one_name_is_refused() {
    let [a, b] = [own("wolf", &[(0, 1)]), own("wolf", &[(0, 2)])];
    let setup = OnitamaSetup::new(3, 4, vec![a.clone(), b, a.clone(), a.clone(), a]);
    let fault = setup.check().unwrap_err();
    assert!(fault.contains("'wolf' stands for two cards"), "{fault}");
}

/// A position as the game reads and writes it, and its moves.
fn texts(game: &PackedGame, position: &str) -> Result<(String, Vec<String>), ParseError> {
    let position = game.parse(position)?;
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let moves = moves.into_iter().map(|mv| game.format_move(position, mv));
    Ok((game.format(position), moves.collect()))
}

#[test]
fn positions_and_moves_show_and_read_names() {
    let spec = "onitama:3x4:wolf,hound,piglet,ox,ox:deck=d.toml";
    let shown = "rRr/3/3/bBb wolf,piglet ox,ox wolf red";
    for text in [
        shown,
        "rRr/3/3/bBb WOLF,Piglet ox,ox hound red",
        "rRr/3/3/bBb hound,boar ox,ox hound red",
        "rRr/3/3/bBb (-1,2)(0,-1)(1,2),(-1,0)(0,1)(1,0) ox,ox wolf@red red",
        "rRr/3/3/bBb wolf=(-1,2)(0,-1)(1,2),piglet ox,ox wolf red",
    ] {
        let (format, moves) =
            by_name(spec, &SETUP).map(|game| texts(&game, text)).unwrap().unwrap();
        assert_eq!(format, shown, "{text}");
        assert!(moves.contains(&"b4a2:wolf".to_string()), "{moves:?}");
        assert!(moves.contains(&"a4a3:piglet".to_string()), "{moves:?}");
    }
    for (text, at, expected) in [
        ("rRr/3/3/bBb wolv,ox ox,piglet hound red", 12, "'wolf'"),
        (
            "rRr/3/3/bBb crab,ox ox,piglet hound red",
            12,
            "not in this game, which has wolf, piglet, ox",
        ),
        (
            "rRr/3/3/bBb wolf,wolf wolf,piglet ox red",
            12,
            "not the cards of this game: wolf, hound, piglet, ox, ox",
        ),
        (
            "rRr/3/3/bBb wolf=(0,1),ox ox,piglet hound red",
            12,
            "'wolf' is the card (-1,2)(0,-1)(1,2) already",
        ),
    ] {
        let error = by_name(spec, &SETUP).map(|game| texts(&game, text)).unwrap().unwrap_err();
        assert!(error.message.contains(expected), "{text}: {error}");
        assert_eq!(error.offset, at, "{text}: {error}");
    }
}

#[test]
fn the_card_of_a_move_has_any_of_its_texts() {
    let cards = [own("hound", &[(0, 1), (1, 1)]), own("wolf", &[(1, 1), (0, 1)])];
    let five = [0, 0, 1, 0, 1].map(|i: usize| cards[i].clone()).to_vec();
    let game = Onitama::<u16>::new(OnitamaSetup::new(3, 4, five), Symmetry::None);
    let start = game.start();
    let texts = ["b4b3:hound", "B4B3:Hound", " b4b3:wolf ", "b4b3:(1,1)(0,1)", "b4b3"];
    let read = texts.map(|text| game.parse_move(start, text).unwrap());
    assert!(read.iter().all(|mv| *mv == read[0]));
    assert_eq!(game.format_move(start, read[0]), "b4b3:hound");
    for text in ["b4b3:boar", "b4b3:cat", "b4b1:wolf", "b4b3:", ":"] {
        let error = game.parse_move(start, text).unwrap_err();
        let quoted = format!("'{text}' is no legal move");
        assert!(error.message.contains(&quoted), "{error}");
    }
}

/// Names of the cards of a picture: Red's, Blue's, aside.
fn picture_names(game: &PackedGame) -> (Vec<String>, String) {
    let drawing = game.drawing(game.start());
    let name = |card: &DrawnCard| card.name.clone();
    let hands = drawing.seats.iter().flat_map(|seat| &seat.cards);
    let names = hands.chain(&drawing.cards_aside).map(name).collect();
    (names, game.diagram(game.start()))
}

#[test]
fn pictures_and_diagrams_have_names() {
    let spec = "onitama:3x4:wolf,hound,piglet,ox,ox:deck=d.toml";
    let (names, diagram) = by_name(spec, &SETUP).map(|game| picture_names(&game)).unwrap();
    assert_eq!(names, ["wolf", "piglet", "ox", "ox", "wolf"]);
    assert!(diagram.contains("Red    wolf  piglet"), "{diagram}");
    assert!(diagram.contains("aside  wolf"), "{diagram}");
}

struct Seeded(u64);

impl Random for Seeded {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 33 ^ self.0
    }
}

#[test]
fn random_deals_draw_a_card_of_several_names_once() {
    for seed in 0..200 {
        let spec = "onitama:3x4:random,random,ox:hand=1:deck=d.toml";
        let dealt = deal(spec, &SETUP, &mut Seeded(seed)).unwrap().unwrap();
        let cards = dealt.split(':').nth(2).unwrap();
        assert!(!(cards.contains("wolf") && cards.contains("hound")), "{dealt}");
        specs(&dealt).unwrap();

        let spec = "onitama:3x4:random,(0,-1)(1,2)(-1,2),ox:hand=1:deck=d.toml";
        let dealt = deal(spec, &SETUP, &mut Seeded(seed)).unwrap().unwrap();
        assert!(dealt.starts_with("onitama:3x4:piglet,"), "{dealt}");
    }
    for spec in
        ["onitama:3x4:random:deck=d.toml", "onitama:3x4:random,random,random:hand=1:deck=d.toml"]
    {
        let error = deal(spec, &SETUP, &mut Seeded(1)).unwrap_err();
        assert!(error.message.contains("2 can be drawn"), "{error}");
    }
}

/// Reads positions and moves back that a game writes in a few random plies.
fn read_back(game: &PackedGame, seed: u64) -> [String; 2] {
    let mut random = Seeded(seed);
    let (mut position, mut moves) = (game.start(), Vec::new());
    for _ in 0..6 {
        assert_eq!(game.parse(&game.format(position)), Ok(position));
        moves.clear();
        game.moves(position, &mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len() as u32) as usize];
        let text = game.format_move(position, mv);
        assert_eq!(game.parse_move(position, &text), Ok(mv), "{text}");
        position = game.play(position, mv);
    }
    [game.spec(), game.rules_spec()]
}

/// A card of a spec: built-in, of the deck, or inline, with and without a name.
fn card_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "(boar|ox|wolf|hound|piglet|a|b)(@red|@blue)?",
        "(a|b|wolf|boar|red|pass|x-1|1x)=(\\(\\)|(\\([0-2],-?[0-2]\\)){1,2})(@red|@blue)?",
        "(\\(\\)|(\\([0-2],-?[0-2]\\)){1,2})(@red|@blue)?",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn specs_with_names_are_read_back_or_errors(
        cards in prop_oneof![
            proptest::collection::vec(card_text(), 1),
            proptest::collection::vec(card_text(), 5),
        ],
        options in "(:first=(red|blue))?(:stay=yes)?(:deck=d.toml)?",
        seed in any::<u64>(),
    ) {
        let spec = format!("onitama:2x3:{}{options}", cards.join(","));
        match by_name(&spec, &SETUP).map(|game| read_back(&game, seed)) {
            Ok([normal, rules]) => {
                // Neither form needs the deck.
                let read = |spec: &str| {
                    by_name(spec, &Setup::default()).map(|game| read_back(&game, seed))
                };
                prop_assert_eq!(read(&normal), Ok([normal.clone(), rules.clone()]), "{}", spec);
                prop_assert_eq!(read(&rules), Ok([rules.clone(), rules.clone()]), "{}", spec);
            }
            Err(error) => {
                prop_assert!(error.offset <= spec.len() && !error.message.is_empty());
            }
        }
    }
}
