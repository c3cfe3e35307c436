//! Quoridor: specs, laws, ranks, notation, jumps, and the numbers of the paper.

use std::collections::HashSet;

use hindsight_core::{
    Game, Notation, PackedGame, ParseError, Ranked, Structure, Subgames, Symmetry, Tiers, Value,
    Wdl,
};
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_rules::{Setup, by_name};
use hindsight_testkit::{check_laws, check_notation, check_ranks, check_retro, reference};
use proptest::prelude::*;

const SPECS: [&str; 24] = [
    "quoridor:2x2:0",
    "quoridor:2x2:1",
    "quoridor:2x3:1:edge=open",
    "quoridor:2x4:2,1:start=point",
    "quoridor:2x5:3:edge=open:start=point",
    "quoridor:2x9:1",
    "quoridor:2x9:0,20",
    "quoridor:3x2:0",
    "quoridor:3x2:1",
    "quoridor:3x2:20",
    "quoridor:3x3:1",
    "quoridor:3x3:2,0",
    "quoridor:3x3:2:edge=open",
    "quoridor:4x2:1",
    "quoridor:4x2:3",
    "quoridor:4x2:0,2:edge=open",
    "quoridor:4x3:1:start=point",
    "quoridor:4x3:3,1",
    "quoridor:4x4:2",
    "quoridor:5x5:1",
    "quoridor:5x5:0,1",
    "quoridor:9x2:1",
    "quoridor:3x9:1",
    "quoridor:9x9:1",
];

fn normal_form(spec: &str) -> Result<String, ParseError> {
    by_name(spec, &Setup::default()).map(|game| game.spec())
}

fn quoridor(width: u8, height: u8, fences: u8) -> Quoridor {
    Quoridor::new(QuoridorSetup::new(width, height, fences), Symmetry::None)
}

#[test]
fn laws_hold_on_every_kind_of_board() {
    fn laws(game: &PackedGame) {
        check_laws(game, 600, 7);
        check_notation(game, 300, 7);
    }
    for spec in SPECS.into_iter().chain(["quoridor:9x9:10", "quoridor:8x7:5,20"]) {
        for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
            let setup = Setup { symmetry, ..Setup::default() };
            by_name(spec, &setup).map(|game| laws(&game)).unwrap();
        }
    }
}

#[test]
fn ranks_hold_on_every_kind_of_board() {
    for spec in SPECS {
        let game = by_name(spec, &Setup::default()).unwrap();
        check_ranks(&game, 7);
        check_retro(&game, 7);
    }
}

#[test]
fn ranks_hold_in_subgames_of_every_symmetry() {
    for (spec, position) in [
        ("quoridor:3x3:2", "b1 b3 2,2 - white"),
        ("quoridor:3x3:2", "b1 b3 2,1 a1h white"),
        ("quoridor:3x3:2", "b1 b3 1,1 a1v,b2v white"),
        ("quoridor:3x3:3,1", "b1 b3 1,1 a2v,b2v white"),
        ("quoridor:3x3:3,1", "b1 b3 2,0 a2v,b2v black"),
        ("quoridor:5x5:2", "c1 c4 1,1 a1v,d1v black"),
        ("quoridor:5x5:3", "c1 c4 1,1 a1h,d1h,a4h,d4h black"),
        ("quoridor:5x5:3", "c1 c4 1,1 a1h,d1h,a4h,c4v white"),
        (
            "quoridor:9x9:10",
            "e1 e9 0,1 a1h,c1h,e1h,g1h,a3h,c3h,e3h,g3h,a5h,c5h,e5h,g5h,a7h,c7h,e7h,g7h,b8h,d8h,f8h \
             white",
        ),
    ] {
        let setup = spec.parse().expect("a spec");
        let game = Quoridor::new(setup, Symmetry::None);
        let position = game.parse(position).expect("a position");
        let subgame = game.subgame(position).expect("few fences in hand");
        assert_eq!(subgame.start(), position);
        assert_eq!(subgame.spec(), spec);
        check_ranks(&subgame, 7);
        check_retro(&subgame, 7);
    }
}

#[test]
fn ranks_fit_or_not() {
    assert!(quoridor(5, 5, 20).ranks_fit());
    assert!(quoridor(9, 9, 6).ranks_fit());
    assert!(!quoridor(9, 9, 10).ranks_fit());
}

#[test]
fn subgames_are_offered_on_every_board() {
    let structure = |spec| by_name(spec, &Setup::default()).map(|game| game.structure());
    assert_eq!(structure("quoridor:5x5:6"), Ok(Structure::PawnPairs));
    assert_eq!(structure("quoridor:9x9:10"), Ok(Structure::Subgames));
    assert_eq!(structure("tic-tac-toe"), Ok(Structure::Ranked));
}

#[test]
fn normal_forms_are_stable() {
    for spec in SPECS {
        assert_eq!(normal_form(spec).as_deref(), Ok(spec));
        assert_eq!(normal_form(&spec.to_uppercase()).as_deref(), Ok(spec));
    }
    for (spec, normal) in [
        ("quoridor:5x5:2,2", "quoridor:5x5:2"),
        ("quoridor:5x5:02", "quoridor:5x5:2"),
        ("quoridor:5x5:2:start=point", "quoridor:5x5:2"),
        ("quoridor:4x4:3,1:start=point:edge=open", "quoridor:4x4:3,1:edge=open:start=point"),
    ] {
        assert_eq!(normal_form(spec).as_deref(), Ok(normal));
    }
}

#[test]
fn bad_specs_say_what_would_be_right() {
    for (spec, at, message) in [
        ("quoridor:5x5", 12, "needs a size and fences"),
        ("quoridor:5:2", 9, "WIDTHxHEIGHT"),
        ("quoridor:1x5:2", 9, "2 to 9 wide and 2 to 9 high"),
        ("quoridor:9x10:2", 9, "2 to 9 wide and 2 to 9 high"),
        ("quoridor:99999999999x3:2", 9, "2 to 9 wide"),
        ("quoridor:5x5:21", 13, "0 to 20"),
        ("quoridor:5x5:3,x", 15, "not 'x'"),
        ("quoridor:5x5:1,2,3", 15, "not '2,3'"),
        ("quoridor:5x5:1:edge=closed", 15, "no option 'edge=closed'"),
        ("quoridor:5x5:1:edge=open:edge=open", 25, "given twice"),
        ("quoridor:5x5:1:edge=open:Edge=shut", 25, "option edge is"),
        ("quoridor:5x5:1:edge=open:edge", 25, "no option 'edge'"),
        ("quoridor:5x5:1:start=point:", 27, "no option ''"),
        ("  quoridor:5x5:1:fast ", 17, "edge=open and start=point"),
        (" quoridor:5x5 ", 13, "needs a size and fences"),
    ] {
        let error = normal_form(spec).unwrap_err();
        assert!(error.message.contains(message), "{spec}: {error}");
        assert_eq!(error.offset, at, "{spec}: {error}");
    }
}

#[test]
fn bad_positions_say_what_would_be_right() {
    let game = quoridor(5, 5, 2);
    for (text, at, message) in [
        ("c1 c5 2,2 white", 0, "five parts"),
        ("c0 c5 2,2 - white", 0, "'c0' is no square of this board, a1 to e5"),
        ("c1 f5 2,2 - white", 3, "'f5' is no square"),
        ("c1 c1 2,2 - white", 3, "both pawns"),
        ("c1 c5 2 - white", 6, "such as 2,1"),
        ("c1 c5 3,1 - white", 6, "white has at most 2 fences, not 3"),
        ("c1 c5 2,1 - white", 6, "0 fences on the board and 3 in hand are not the 4"),
        ("c1 c5 1,2 e1h white", 10, "'e1h' is no fence"),
        ("c1 c5 1,2 a1 white", 10, "'a1' is no fence"),
        ("c1 c5 1,1 a1h,b1h white", 14, "b1h overlaps or crosses"),
        ("c1 c5 1,1 a2v,a1v white", 14, "a1v overlaps or crosses"),
        ("c1 c5 1,1 a1h,A1V white", 14, "A1V overlaps or crosses"),
        ("c1 c5 1,2 a1h red", 14, "white or black, not 'red'"),
        ("c5 c3 2,2 - white", 12, "white cannot be to move"),
        ("c3 c1 2,2 - black", 12, "black cannot be to move"),
        ("a1 c5 0,2 a1h,b1v white", 0, "white has no path"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.offset, at, "{text}: {error}");
    }
    let error = quoridor(5, 5, 1).parse("c1 c5 2,1 - white").unwrap_err();
    assert!(error.message.contains("at most 1 fence, not 2"), "{error}");
    // With the other pawn on its goal row, the game is over.
    let over = game.parse("c5 c3 1,2 A1H black").unwrap();
    assert!(game.terminal(over).is_some());
    assert_eq!(game.format(over), "c5 c3 1,2 a1h black");
}

proptest! {
    #[test]
    fn almost_positions_are_read_back_or_errors(
        pawns in "[a-f][0-6] [a-fé][0-6]",
        hands in "[0-3],[0-3]",
        fences in "-|([a-e][0-5][hvx],){0,2}[a-e][1-4][hv]",
        turn in "white|black",
    ) {
        let game = quoridor(5, 5, 2);
        let text = format!("{pawns} {hands} {fences} {turn}");
        match game.parse(&text) {
            Ok(position) => prop_assert_eq!(game.parse(&game.format(position)), Ok(position)),
            Err(error) => prop_assert!(error.offset <= text.len()),
        }
    }
}

/// Texts of the pawn moves in a position, in the order of the rules, with spaces between them.
fn pawn_moves(game: &Quoridor, text: &str) -> String {
    let position = game.parse(text).unwrap();
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let texts = moves.into_iter().map(|mv| game.format_move(position, mv));
    let pawn: Vec<String> = texts.filter(|text| text.len() == 2).collect();
    pawn.join(" ")
}

#[test]
fn a_pawn_jumps_straight_or_else_sideways() {
    let game = quoridor(5, 5, 2);
    let open = Quoridor::new(QuoridorSetup { edge_open: true, ..*game.setup() }, Symmetry::None);
    for (text, moves) in [
        ("c1 c5 2,2 - white", "b1 d1 c2"),
        ("c3 c4 2,2 - white", "c2 b3 d3 c5"),
        ("c3 c4 1,2 c4h white", "c2 b3 d3 b4 d4"),
        ("c3 c4 1,2 b4h white", "c2 b3 d3 b4 d4"),
        ("c3 c4 1,1 b4h,b3v white", "c2 d3 d4"),
        ("c3 c4 1,2 c3h white", "c2 b3 d3"),
        ("c3 c4 2,2 - black", "b4 d4 c5 c2"),
        ("d3 e3 2,2 - black", "e2 c3 e4"),
    ] {
        assert_eq!(pawn_moves(&game, text), sorted(moves), "{text}");
        assert_eq!(pawn_moves(&open, text), sorted(moves), "{text}");
    }
    for (text, with_edge, without) in [
        ("d3 e3 2,2 - white", "d2 c3 e2 d4 e4", "d2 c3 d4"),
        ("c4 c5 2,2 - white", "c3 b4 d4 b5 d5", "c3 b4 d4"),
        ("b2 a2 2,2 - white", "b1 c2 a1 a3 b3", "b1 c2 b3"),
        ("b2 a2 1,2 a2h white", "b1 c2 a1", "b1 c2"),
        ("b4 b5 1,2 a4v white", "b3 c4 c5", "b3 c4"),
    ] {
        assert_eq!(pawn_moves(&game, text), sorted(with_edge), "{text}");
        assert_eq!(pawn_moves(&open, text), sorted(without), "{text}");
    }
}

/// Sorts squares row by row from the bottom left, the order of the rules.
fn sorted(squares: &str) -> String {
    let mut squares: Vec<&str> = squares.split(' ').collect();
    squares.sort_by_key(|square| square.chars().rev().collect::<String>());
    squares.join(" ")
}

#[test]
fn a_diagram_shows_fences() {
    let game = quoridor(4, 3, 2);
    let position = game.parse("b1 c3 1,1 a1h,c2v white").unwrap();
    let drawn = "
 3  .   .   B | .   Black  1 in hand
              |
 2  .   .   . | .
    -----
 1  .   W   .   .   White  1 in hand
    a   b   c   d";
    assert_eq!(format!("\n{}", game.diagram(position)), drawn);
}

/// Counts positions, each image under symmetry for itself. Returns the number of each layer, and
/// the number of all positions without a legal move in which the opponent's pawn has not arrived.
fn counts(game: &Quoridor) -> (Vec<u64>, u64) {
    let mut stuck = 0;
    let mut by_layer = Vec::new();
    for layer in 0..game.layers() {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let mut positions = 0;
        for tier in tiers {
            let copies = game.tier_orbit_size(tier);
            let mut positions_of_tier = Vec::new();
            game.unrank_range(tier, 0..game.tier_len(tier), &mut positions_of_tier);
            for (_, position) in positions_of_tier {
                positions += copies;
                stuck += copies * u64::from(is_stuck(game, position));
            }
        }
        by_layer.push(positions);
    }
    (by_layer, stuck)
}

fn is_stuck(game: &Quoridor, position: hindsight_rules::quoridor::QuoridorPosition) -> bool {
    let other = position.pawn(position.player().opponent());
    let row = other / game.setup().width;
    let goal = [game.setup().height - 1, 0][position.player().opponent() as usize];
    row != goal && game.terminal(position).is_some()
}

/// Source: S. Ikeda et al., "An analysis of Quoridor by reusing results from the reduced version"
/// (2024), Table 1.
#[test]
fn the_paper_counts_the_same_positions() {
    assert_eq!(counts(&quoridor(5, 5, 1)), (vec![436_364, 61_440, 960], 0));
}

/// Numbers of positions, and of positions in which the side to move has no legal move. Source: a
/// second program.
#[test]
fn a_side_without_a_move_has_lost() {
    for (spec, positions, stuck) in [
        ("quoridor:2x2:1", 36, 8),
        ("quoridor:2x2:1:edge=open", 36, 8),
        ("quoridor:2x4:2", 1_168, 0),
        ("quoridor:2x4:2:edge=open", 1_168, 0),
        ("quoridor:2x5:2:start=point", 4_072, 0),
        ("quoridor:3x2:1", 312, 14),
        ("quoridor:4x2:1", 1_160, 24),
        ("quoridor:3x3:2", 7_156, 0),
        ("quoridor:3x3:1:edge=open", 3_116, 0),
        ("quoridor:3x3:2:edge=open", 7_156, 8),
    ] {
        let game = Quoridor::new(spec.parse().expect("a spec"), Symmetry::None);
        let (by_layer, found) = counts(&game);
        let found = (by_layer.iter().sum::<u64>(), found);
        assert_eq!(found, (positions, stuck), "{spec}");
    }
    // The pawn on b2 has fences to the left, to the right and below, and a pawn on the edge above.
    let game = Quoridor::new("quoridor:3x3:2:edge=open".parse().expect("a spec"), Symmetry::None);
    let shut_in = game.parse("b2 b3 0,1 a1h,a2v,b1v white");
    let shut_in = shut_in.expect("a position");
    assert_eq!(game.terminal(shut_in), Some(Wdl::Loss));
}

/// Number from a second program.
#[test]
#[ignore = "slow: 3 s, and the quick tests are many"]
fn two_fences_each_on_five_by_five() {
    let (by_layer, _) = counts(&quoridor(5, 5, 2));
    assert_eq!(by_layer.iter().sum::<u64>(), 28_049_976);
}

/// Every reachable position of a small game has the rank of a member of its class. All ranks
/// together stand for at least as many positions.
#[test]
fn every_class_has_one_tier() {
    for setup in [
        QuoridorSetup::new(3, 3, 1),
        QuoridorSetup::new(4, 2, 2),
        QuoridorSetup::new(2, 2, 1),
        QuoridorSetup::new(2, 5, 2),
        QuoridorSetup { stock: [2, 1], ..QuoridorSetup::new(3, 3, 0) },
    ] {
        let game = Quoridor::new(setup, Symmetry::None);
        let mut seen = HashSet::from([game.start()]);
        let mut todo = vec![game.start()];
        while let Some(position) = todo.pop() {
            let (tier, rank) = game.rank(position).unwrap();
            let ranked = game.unrank(tier, rank).unwrap();
            let all = Quoridor::new(setup, Symmetry::All);
            assert_eq!(all.canonical(ranked), all.canonical(position));
            let mut next = Vec::new();
            game.successors(position, &mut next);
            todo.extend(next.into_iter().filter(|&next| seen.insert(next)));
        }
        let (by_layer, _) = counts(&game);
        assert!(by_layer.iter().sum::<u64>() >= seen.len() as u64);
    }
}

/// Number of texts that `parse` accepts, among all combinations of squares, hands, fences and turn.
fn positions_by_text(game: &Quoridor) -> u64 {
    let QuoridorSetup { width, height, stock, .. } = *game.setup();
    let names = |width: u8, height: u8| -> Vec<String> {
        (0..width * height)
            .map(|s| format!("{}{}", char::from(b'a' + s % width), s / width + 1))
            .collect()
    };
    let squares = names(width, height);
    let fences: Vec<String> = names(width - 1, height - 1)
        .iter()
        .flat_map(|corner| [format!("{corner}h"), format!("{corner}v")])
        .collect();
    let mut count = 0;
    for set in 0_u32..1 << fences.len() {
        let chosen: Vec<&str> =
            (0..fences.len()).filter(|i| set >> i & 1 == 1).map(|i| fences[i].as_str()).collect();
        let Some(in_hand) = (stock[0] + stock[1]).checked_sub(set.count_ones() as u8) else {
            continue;
        };
        let chosen = if set == 0 { "-".to_string() } else { chosen.join(",") };
        for first in 0..=in_hand {
            for white in &squares {
                for black in &squares {
                    for turn in ["white", "black"] {
                        let hands = format!("{first},{}", in_hand - first);
                        let text = format!("{white} {black} {hands} {chosen} {turn}");
                        count += u64::from(game.parse(&text).is_ok());
                    }
                }
            }
        }
    }
    count
}

#[test]
fn tiers_hold_every_position_once() {
    for (width, height, stock) in [
        (2, 2, [1, 1]),
        (2, 3, [2, 1]),
        (2, 4, [3, 3]),
        (2, 5, [0, 2]),
        (3, 2, [2, 2]),
        (3, 3, [1, 1]),
        (3, 3, [3, 3]),
        (3, 3, [0, 2]),
        (4, 2, [1, 1]),
        (4, 2, [2, 2]),
        (4, 2, [3, 0]),
        (3, 4, [2, 2]),
    ] {
        let setup = QuoridorSetup { stock, ..QuoridorSetup::new(width, height, 0) };
        let game = Quoridor::new(setup, Symmetry::None);
        let (by_layer, _) = counts(&game);
        let sum: u64 = by_layer.iter().sum();
        assert_eq!(sum, positions_by_text(&game), "{}", game.spec());
    }
}

fn value_of_start(edge_open: bool) -> Value {
    let setup = QuoridorSetup { edge_open, ..QuoridorSetup::new(5, 5, 1) };
    let game = Quoridor::new(setup, Symmetry::All);
    let values = reference(&game, 600_000).unwrap();
    values[&game.canonical(game.start())]
}

/// Value from the paper; the number of plies is from a second program.
#[test]
fn the_second_player_wins_with_one_fence_each() {
    assert_eq!(value_of_start(false), Value::Loss(12));
}

#[test]
fn with_the_papers_words_nobody_wins() {
    assert_eq!(value_of_start(true), Value::Draw);
}
