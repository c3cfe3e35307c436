//! Whole random games of Onitama: drawn ones end as those by lists of moves do.

use std::collections::HashMap;

use hindsight_core::{Game, PackedGame, Random, Wdl, playout_by_moves};
use hindsight_rules::{Setup, by_name};

/// Boards with a loop for five pieces, for eight, and for any number; staying, passes, hands
/// of one to four cards, cards with many offsets, and a board of one column.
const SPECS: [&str; 15] = [
    "onitama:5x5:tiger,crab,monkey,crane,dragon",
    "onitama:5x5:boar,ox,elephant,horse,crab:students=2",
    "onitama:3x3:(0,1)@blue,(0,0)(1,1),(),boar,(0,0)(1,1)",
    "onitama:3x3:(0,0)(1,1)(-1,1):stay=yes",
    "onitama:4x4:(0,1),(),(0,1),(0,-1),(1,0)",
    "onitama:3x3:boar,crab,ox:hand=1",
    "onitama:4x3:boar,crab,ox,horse,tiger,monkey,eel,frog,goose:hand=4",
    "onitama:8x4:phoenix,turtle,giraffe,mouse,rat",
    "onitama:8x8:sable,otter,iguana,tanuki,viper",
    "onitama:9x3:boar,ox,elephant,horse,crab",
    "onitama:9x5:tiger,crab,monkey,crane,dragon",
    "onitama:9x3:(0,0)(1,1)(-1,1)(0,-1):stay=yes",
    "onitama:9x2:()",
    "onitama:1x64:sea-snake,tiger,tiger,boar,fox",
    "onitama:5x5:(1,1)(1,2)(2,1)(0,1)(1,0)(0,2)(2,0)(-1,1)(-1,2)(-2,1)(-1,0)(-2,0)(-1,-1)",
];

const GAMES: u32 = 20_000;

/// Plies after which a game is cut off.
const MAX_PLIES: u32 = 60;

/// A random number generator (SplitMix64).
struct SplitMix(u64);

impl Random for SplitMix {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

/// The end of a game: its result for the side to move, and its length.
#[derive(PartialEq, Eq, Hash)]
struct GameEnd {
    wdl: Option<Wdl>,
    plies: u32,
}

/// Plays drawn and listed games; returns chi squared and the number of different ends.
fn compare_games(game: &PackedGame) -> (f64, usize) {
    let mut random = SplitMix(11);
    let mut counts: HashMap<GameEnd, [u32; 2]> = HashMap::new();
    for _ in 0..GAMES {
        let start = game.start();
        let drawn = game.random_playout(start, MAX_PLIES, &mut random);
        let listed = playout_by_moves(game, start, MAX_PLIES, &mut random);
        for (way, (last, plies)) in [drawn, listed].into_iter().enumerate() {
            let wdl = game.terminal(last);
            counts.entry(GameEnd { wdl, plies }).or_default()[way] += 1;
        }
    }
    let part = |&[a, b]: &[u32; 2]| (f64::from(a) - f64::from(b)).powi(2) / f64::from(a + b);
    (counts.values().map(part).sum(), counts.len())
}

#[test]
fn whole_games_are_as_frequent_as_by_lists_of_moves() {
    for spec in SPECS {
        let (chi_squared, ends) =
            by_name(spec, &Setup::default()).map(|game| compare_games(&game)).unwrap();
        // The mean is `ends - 1`, the standard deviation `sqrt(2 * (ends - 1))`.
        let ends = ends as f64;
        let limit = ends + 4.0 * (2.0 * ends).sqrt() + 4.0;
        assert!(chi_squared < limit, "{spec}: {chi_squared:.1} of {limit:.1}");
    }
}
