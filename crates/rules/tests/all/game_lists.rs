//! A spec is looked up in the list of games that it is given.

use hindsight_core::{Game, Notation, PackedGame, Packing, ParseError, Wdl};
use hindsight_rules::{GAMES, GameEntry, Setup, rules_among};
use hindsight_testkit::{check_laws, check_notation, check_packing};

fn spec_among(games: &[GameEntry], spec: &str) -> Result<String, ParseError> {
    Ok(rules_among(games, spec, &Setup::default())?.spec())
}

#[test]
fn a_list_has_its_games_alone() {
    let pair = &GAMES[1..3];
    assert_eq!([pair[0].name, pair[1].name], ["ostle", "quoridor"]);
    for (spec, expected) in
        [(" OSTLE:4x4:4:2 ", "ostle:4x4:4:2"), ("quoridor:3x3:1", "quoridor:3x3:1")]
    {
        assert_eq!(spec_among(pair, spec).as_deref(), Ok(expected));
    }
    let error = spec_among(pair, "dodgem:3x3").unwrap_err();
    assert!(error.message.contains("no game 'dodgem'"), "{error}");
    assert!(error.message.contains("quoridor:WIDTHxHEIGHT"), "{error}");
    assert!(!error.message.contains("onitama"), "{error}");
    let error = spec_among(&pair[..1], "quoridor:3x3:1").unwrap_err();
    assert!(error.message.contains("no game 'quoridor'"), "{error}");
}

#[test]
fn every_example_is_a_spec() {
    for game in GAMES {
        let spec = spec_among(GAMES, game.example);
        assert!(spec.is_ok(), "{}: {spec:?}", game.example);
    }
}

/// A heap of which a player takes one stone or two. The last stone wins.
struct Heap(u8);

const HEAP: GameEntry = GameEntry {
    name: "heap",
    form: "heap:STONES",
    about: "stones that are taken by one or two",
    example: "heap:5",
    options: &[],
    rules: |spec, _| {
        let stones = spec.text.strip_prefix("heap:").and_then(|stones| stones.parse().ok());
        let heap = stones.map(Heap);
        let heap = heap.ok_or_else(|| ParseError::new(spec.at, "from 0 to 255 stones"))?;
        Ok(PackedGame::new(heap))
    },
};

impl Packing<2> for Heap {
    fn pack(&self, position: [u8; 2]) -> [u32; 2] {
        position.map(u32::from)
    }

    fn unpack(&self, words: [u32; 2]) -> [u8; 2] {
        words.map(|word| word as u8)
    }

    fn pack_move(&self, taken: u8) -> u64 {
        taken.into()
    }

    fn unpack_move(&self, number: u64) -> u8 {
        number as u8
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
    check_laws(&Heap(7), 10, 1);
    check_notation(&Heap(7), 10, 1);
    check_packing(&Heap(7), Heap(7), 10, 1);
    let ten = [GAMES, &[HEAP]].concat();
    for game in &ten {
        assert!(spec_among(&ten, game.example).is_ok(), "{}", game.example);
    }
    let error = spec_among(&ten, "heap:many").unwrap_err();
    assert_eq!(error.message, "from 0 to 255 stones");
}
