//! Packed positions and moves of every game.

use hindsight_core::{Game, Notation, Packing, Symmetry};
use hindsight_rules::dobutsu::Dobutsu;
use hindsight_rules::dodgem::Dodgem;
use hindsight_rules::four::Four;
use hindsight_rules::l_game::LGame;
use hindsight_rules::onitama::{Bitboard, Onitama, OnitamaSetup, ThesisMoveOrder};
use hindsight_rules::ostle::{Ostle, OstleSetup};
use hindsight_rules::quixo::Quixo;
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_rules::{GAMES, Setup, by_name, in_published_order};
use hindsight_testkit::{check_forged, check_packing};

const SYMMETRIES: [Symmetry; 3] = [Symmetry::None, Symmetry::Swap, Symmetry::All];

/// Checks a game with each symmetry.
fn check<G, const W: usize>(make: impl Fn(Symmetry) -> G)
where
    G: Packing<W> + Notation + Send + 'static,
{
    for symmetry in SYMMETRIES {
        check_packing(&make(symmetry), make(symmetry), 300, 3);
    }
}

#[test]
fn small_games_are_packed() {
    check(TicTacToe);
    check(LGame);
    check(Dobutsu::new);
    for (size, line) in [([4, 3], 3), ([7, 6], 4), ([8, 7], 4)] {
        check(|symmetry| Four::new(size, line, symmetry));
    }
    for size in [2, 3, 5, 8] {
        check(|symmetry| Dodgem { size, symmetry });
    }
    for size in 3..=5 {
        check(|symmetry| Quixo::new(size, symmetry));
    }
}

#[test]
fn ostle_and_quoridor_are_packed() {
    for spec in ["ostle", "ostle:3x3:2:1", "ostle:4x4:3:1:rule8=paper"] {
        let setup: OstleSetup = spec.parse().unwrap();
        check(|symmetry| Ostle::new(setup, symmetry));
    }
    for spec in
        ["quoridor:9x9:10", "quoridor:3x3:1", "quoridor:4x5:3,1:edge=open", "quoridor:4x4:2"]
    {
        let setup: QuoridorSetup = spec.parse().unwrap();
        check(|symmetry| Quoridor::new(setup, symmetry));
    }
}

fn check_onitama<B: Bitboard, const W: usize>(specs: &[&str])
where
    Onitama<B>: Packing<W>,
{
    for spec in specs {
        let setup: OnitamaSetup = spec.parse().unwrap();
        check(|symmetry| Onitama::<B>::new(setup.clone(), symmetry));
    }
}

#[test]
fn onitama_is_packed_with_each_bitboard() {
    check_onitama::<u16, 2>(&[
        "onitama:2x2:boar",
        "onitama:3x3:(0,1)(1,0)",
        "onitama:4x4:boar,ox,horse,tiger,crab",
        "onitama:3x3:(0,1),(1,0),(0,0)(1,1),boar,ox:stay=yes",
        // The most deals: the words of masters and cards are nearly full.
        "onitama:4x4:tiger,crab,monkey,crane,dragon,boar,ox,horse,eel,frog,goose,rabbit,rooster:\
         hand=6",
    ]);
    check_onitama::<u32, 3>(&[
        "onitama:5x5:tiger,crab,monkey,crane,dragon",
        "onitama:5x5:boar,ox,elephant,horse,crab:students=2",
    ]);
    check_onitama::<u64, 6>(&["onitama:8x8:sable,otter,iguana,tanuki,viper", "onitama:32x2:boar"]);
}

/// Plays on, and unpacks each position: a text does not tell the order of the cards in a hand, so
/// that [`check_packing`] does not hold.
fn check_ordered<B: Bitboard, const W: usize>(specs: &[&str])
where
    ThesisMoveOrder<B>: Packing<W>,
{
    for spec in specs {
        let setup: OnitamaSetup = spec.parse().expect("a spec");
        let game = ThesisMoveOrder(Onitama::<B>::new(setup, Symmetry::All));
        let mut position = game.start();
        let (mut moves, mut played) = (Vec::new(), 0);
        for ply in 0..300_usize {
            assert_eq!(game.unpack(game.pack(position)), position, "{spec}");
            let canonical = game.canonical(position);
            assert_eq!(game.canonical(canonical), canonical, "{spec}");
            moves.clear();
            game.moves(position, &mut moves);
            position = match moves.len() {
                0 => game.start(),
                len => game.play(position, moves[ply * 7 % len]),
            };
            played += usize::from(!moves.is_empty());
        }
        assert!(played > 200, "{spec}: {played}");
    }
}

#[test]
fn positions_with_ordered_hands_are_packed() {
    let seven = "boar,crab,ox,horse,tiger,monkey,eel:hand=3";
    let spec = |board: &str| format!("onitama:{board}:{seven}");
    check_ordered::<u32, 5>(&[&spec("3x3"), "onitama:5x5:boar"]);
    check_ordered::<u64, 6>(&[&spec("6x6"), "onitama:7x5:boar"]);
}

#[test]
fn hands_that_fill_more_than_a_word_have_no_published_order() {
    let ordered = |spec: &str| in_published_order(spec, &Setup::default());
    let nine = "boar,crab,ox,horse,tiger,monkey,eel,dragon,frog:hand=4";
    assert!(matches!(ordered(&format!("onitama:5x5:{nine}")), Ok(Some(_))));
    let error = ordered(&format!("onitama:6x6:{nine}")).map(|_| ()).expect_err("too many");
    assert!(error.to_string().contains("at most 3 cards"), "{error}");
}

#[test]
fn forged_words_that_are_positions_are_played() {
    let others = [
        "onitama:5x5:crab,elephant,tiger,rabbit,ox",
        "onitama:3x3:boar:students=1",
        "onitama:6x8:boar,ox,horse,crab,tiger",
        "ostle:3x3:3:0:rule8=paper",
        "ostle:4x4:3:1",
        "quoridor:9x9:10",
        "quoridor:2x5:3,1:edge=open",
        "quoridor:4x3:2",
        "dodgem:2x2",
        "dodgem:8x8",
        "four:7x6",
        "four:21x2:2",
        "four:4x3:3",
        "quixo:4x4",
        "quixo:5x5",
    ];
    for spec in GAMES.iter().map(|game| game.example).chain(others) {
        for symmetry in SYMMETRIES {
            let game = by_name(spec, &Setup { symmetry, ..Setup::default() }).expect("a game");
            check_forged(&game, 300, 5);
        }
    }
}
