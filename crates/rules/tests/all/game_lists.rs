//! A spec is looked up in the list of games that it is given.

use hindsight_core::{Notation, ParseError};
use hindsight_rules::onitama::{AnyOnitama, SmallOnitama};
use hindsight_rules::ostle::Ostle;
use hindsight_rules::quoridor::Quoridor;
use hindsight_rules::{GAMES, GameList, Setup, Visitor, by_name, by_name_among};

struct Spec;

impl Visitor for Spec {
    type Output = String;
    fn visit<G: Notation>(self, game: G) -> String {
        game.spec()
    }
}

fn spec_among<L: GameList>(spec: &str) -> Result<String, ParseError> {
    by_name_among::<L, _>(spec, &Setup::default(), Spec)
}

#[test]
fn a_list_has_its_games_alone() {
    type Pair = (Ostle, Quoridor);
    let names = <Pair as GameList>::GAMES.iter().map(|game| game.name);
    assert_eq!(names.collect::<Vec<_>>(), ["ostle", "quoridor"]);
    for (spec, expected) in [
        (" OSTLE:4x4:4:2 ", "ostle:4x4:4:2"),
        ("quoridor:3x3:1", "quoridor:3x3:1"),
    ] {
        assert_eq!(spec_among::<Pair>(spec).as_deref(), Ok(expected));
    }
    let error = spec_among::<Pair>("dodgem:3x3").unwrap_err();
    assert!(error.message.contains("no game 'dodgem'"), "{error}");
    assert!(error.message.contains("quoridor:WIDTHxHEIGHT"), "{error}");
    assert!(!error.message.contains("onitama"), "{error}");
    let error = spec_among::<Ostle>("quoridor:3x3:1").unwrap_err();
    assert!(error.message.contains("no game 'quoridor'"), "{error}");
}

#[test]
fn every_game_is_in_the_list_of_all() {
    for game in GAMES {
        let spec = by_name(game.example, &Setup::default(), Spec);
        assert!(spec.is_ok(), "{}: {spec:?}", game.example);
    }
}

#[test]
fn large_boards_are_not_small() {
    let wide = "onitama:4x4:boar";
    assert_eq!(
        spec_among::<SmallOnitama>(wide),
        spec_among::<AnyOnitama>(wide)
    );
    let error = spec_among::<SmallOnitama>("onitama:4x5:boar").unwrap_err();
    assert!(error.message.contains("20 squares"), "{error}");
    assert!(spec_among::<AnyOnitama>("onitama:4x5:boar").is_ok());
}
