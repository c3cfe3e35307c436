//! A spec is looked up in the list of games that it is given.

use hindsight_core::{Game, Notation, ParseError, TextToken, Wdl};
use hindsight_rules::dobutsu::Dobutsu;
use hindsight_rules::dodgem::Dodgem;
use hindsight_rules::four::Four;
use hindsight_rules::l_game::LGame;
use hindsight_rules::onitama::{AnyOnitama, SmallOnitama};
use hindsight_rules::ostle::Ostle;
use hindsight_rules::quixo::Quixo;
use hindsight_rules::quoridor::Quoridor;
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_rules::{
    GAMES, GameInfo, GameList, Registered, Setup, Visitor, by_name, by_name_among,
};
use hindsight_testkit::{check_laws, check_notation};

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
    for (spec, expected) in
        [(" OSTLE:4x4:4:2 ", "ostle:4x4:4:2"), ("quoridor:3x3:1", "quoridor:3x3:1")]
    {
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
    assert_eq!(spec_among::<SmallOnitama>(wide), spec_among::<AnyOnitama>(wide));
    let error = spec_among::<SmallOnitama>("onitama:4x5:boar").unwrap_err();
    assert!(error.message.contains("20 squares"), "{error}");
    assert!(spec_among::<AnyOnitama>("onitama:4x5:boar").is_ok());
}

/// A heap of which a player takes one stone or two. The last stone wins.
struct Heap(u8);

impl Registered for Heap {
    const INFO: GameInfo = GameInfo {
        name: "heap",
        form: "heap:STONES",
        about: "stones that are taken by one or two",
        example: "heap:5",
        options: &[],
    };

    fn from_spec(spec: TextToken<'_>, _: &Setup<'_>) -> Result<Self, ParseError> {
        let stones = spec.text.strip_prefix("heap:").and_then(|stones| stones.parse().ok());
        stones.map(Self).ok_or_else(|| ParseError::new(spec.at, "from 0 to 255 stones"))
    }

    fn accept<V: Visitor>(self, visitor: V) -> V::Output {
        visitor.visit(self)
    }
}

impl Game for Heap {
    /// Stones, and the number of the player to move.
    type Position = [u8; 2];
    type Move = u8;

    fn start(&self) -> [u8; 2] {
        [self.0, 0]
    }

    fn player_to_move(&self, position: [u8; 2]) -> usize {
        position[1].into()
    }

    fn terminal(&self, position: [u8; 2]) -> Option<Wdl> {
        (position[0] == 0).then_some(Wdl::Loss)
    }

    fn moves(&self, position: [u8; 2], out: &mut Vec<u8>) {
        out.extend(1..=position[0].min(2));
    }

    fn play(&self, position: [u8; 2], taken: u8) -> [u8; 2] {
        [position[0] - taken, 1 - position[1]]
    }
}

impl Notation for Heap {
    fn spec(&self) -> String {
        format!("heap:{}", self.0)
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["First", "Second"]
    }

    fn format(&self, position: [u8; 2]) -> String {
        let player = self.player_names()[self.player_to_move(position)];
        format!("{} {player}", position[0])
    }

    fn parse(&self, text: &str) -> Result<[u8; 2], ParseError> {
        let of_player = |player: u8| {
            let name = self.player_names()[usize::from(player)];
            let stones = text.strip_suffix(name)?.trim().parse().ok()?;
            Some([stones, player])
        };
        let position = of_player(0).or_else(|| of_player(1));
        position.ok_or_else(|| ParseError::new(0, "stones, then First or Second"))
    }

    fn format_move(&self, _: [u8; 2], taken: u8) -> String {
        taken.to_string()
    }
}

#[test]
fn a_tenth_game_is_one_more_in_the_list() {
    type Ten = (AnyOnitama, Ostle, Quoridor, TicTacToe, Dodgem, LGame, Four, Quixo, Dobutsu, Heap);
    assert_eq!(<Ten as GameList>::GAMES.len(), GAMES.len() + 1);
    check_laws(&Heap(7), 10, 1);
    check_notation(&Heap(7), 10, 1);
    for game in <Ten as GameList>::GAMES {
        assert!(spec_among::<Ten>(game.example).is_ok(), "{}", game.example);
    }
}
