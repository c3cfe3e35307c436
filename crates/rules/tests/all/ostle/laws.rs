//! Laws of games, symmetries, and predecessors.

use std::collections::HashSet;

use hindsight_core::{Game, PackedGame, Symmetry};
use hindsight_rules::ostle::{
    Ostle, OstleBoard, OstleMove, OstlePosition, OstleSetup, Rule8, UnrestrictedOstle,
};
use hindsight_rules::{Setup, by_name};
use hindsight_testkit::{check_laws, check_notation};

use super::positions::{SPECS, all_bases, plies_by_successor, unrestricted};

#[test]
fn laws_hold_on_every_kind_of_board() {
    fn laws(game: &PackedGame) {
        check_laws(game, 600, 7);
        check_notation(game, 300, 7);
    }
    for spec in SPECS {
        for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
            let setup = Setup { symmetry, ..Setup::default() };
            by_name(spec, &setup).map(|game| laws(&game)).unwrap();
            check_laws(&UnrestrictedOstle::new(spec.parse().unwrap(), symmetry), 1_000, 7);
        }
    }
}

#[test]
fn symmetries_are_a_group_of_eight() {
    for size in 3..=5 {
        let board = OstleBoard::new(size);
        let all = (1 << board.squares()) - 1;
        for symmetry in 0..board.symmetries() {
            let back = OstleBoard::inverse(symmetry);
            assert_eq!(board.map_squares(symmetry, all), all);
            for square in 0..board.squares() {
                let image = board.map_square(symmetry, square);
                assert_eq!(board.map_square(back, image), square);
                assert_eq!(board.map_squares(symmetry, 1 << square), 1 << image);
                for direction in 0..4 {
                    let mv = board.map_move(symmetry, OstleMove::new(square, direction));
                    assert_eq!(mv.square(), image);
                    let step = board.step(square, direction);
                    let image_of_step = step.map(|to| board.map_square(symmetry, to));
                    assert_eq!(board.step(image, mv.direction()), image_of_step);
                }
            }
        }
        // An L of three squares has eight images.
        let l = 0b111 | 1 << size;
        let images: HashSet<u32> = (0..8).map(|s| board.map_squares(s, l)).collect();
        assert_eq!(images.len(), 8);
    }
    // Algorithm 2 of the paper: left and right, then up and down, then files and ranks exchanged.
    // Square a2.
    let images: Vec<u8> = (0..8).map(|s| OstleBoard::new(5).map_square(s, 1)).collect();
    assert_eq!(images, [1, 21, 3, 23, 5, 9, 15, 19]);
}

/// Entry `n`: number of classes of positions, forbidden moves included, that are not over and `n`
/// plies from the start, and no fewer.
fn classes_by_ply<G: Game>(
    game: &G,
    plies: usize,
    successors: impl Fn(G::Position, &mut Vec<G::Position>),
) -> Vec<usize> {
    let start = game.canonical(game.start());
    let mut seen = HashSet::from([start]);
    let mut layer = vec![start];
    let mut counts = vec![1];
    for _ in 0..plies {
        let mut next = Vec::new();
        for position in layer {
            successors(position, &mut next);
        }
        for position in &mut next {
            *position = game.canonical(*position);
        }
        next.retain(|&position| game.terminal(position).is_none() && seen.insert(position));
        counts.push(next.len());
        layer = next;
    }
    counts
}

/// Unrestricted numbers: Table 3 of H. Takizawa (2023), first rows. The search of the paper also
/// follows forbidden moves. Numbers with rule 8 obeyed are from a second program.
#[test]
fn positions_by_plies_from_the_start() {
    let game = |rule8| {
        let setup = OstleSetup { rule8, ..OstleSetup::OFFICIAL };
        Ostle::new(setup, Symmetry::All)
    };
    let paper = game(Rule8::Paper);
    let unrestricted = |position: OstlePosition, out: &mut Vec<OstlePosition>| {
        let free = OstlePosition { forbidden: None, ..position };
        paper.successors(free, out);
    };
    let published = [1, 9, 102, 954, 6_329, 33_052];
    assert_eq!(classes_by_ply(&paper, 5, unrestricted), published);
    let obeyed =
        |game: Ostle| classes_by_ply(&game, 3, |position, out| game.successors(position, out));
    assert_eq!(obeyed(paper), [1, 9, 99, 932]);
    assert_eq!(obeyed(game(Rule8::Exact)), [1, 9, 99, 924]);
}

#[test]
fn predecessors_are_all_plies_taken_back() {
    for spec in ["ostle:3x3:1:0", "ostle:3x3:2:0", "ostle:3x3:3:1"] {
        let game = unrestricted(spec);
        let plies = plies_by_successor(&game);
        for after in all_bases(&game) {
            let mut quiet = Vec::new();
            UnrestrictedOstle::predecessors(&game, after, &mut quiet);
            let mut removing = Vec::new();
            game.predecessors_by_removal(after, &mut removing);
            let (mut all_removing, mut all_quiet): (Vec<_>, Vec<_>) = plies
                .get(&after)
                .into_iter()
                .flatten()
                .copied()
                .partition(|&(before, mv)| game.removes(before, mv));
            for list in [&mut quiet, &mut removing, &mut all_quiet, &mut all_removing] {
                list.sort_unstable();
            }
            assert_eq!(quiet, all_quiet, "{after:?}");
            assert_eq!(removing, all_removing, "{after:?}");
        }
    }
}
