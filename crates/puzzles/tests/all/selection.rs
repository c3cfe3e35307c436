//! Chosen puzzles differ by a slow, obvious comparison, and no harder one is passed over.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use hindsight_core::{Game, Notation, Packed, PackedGame};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_puzzles::{
    MAX_DIFFERENT_PLACES, Puzzle, PuzzleChoice, PuzzleCriteria, PuzzleGrade, PuzzleProfile,
    PuzzleSelection, PuzzleTheme, Uniqueness, find_puzzles,
};
use hindsight_solve::graph;

use crate::symmetric;

/// Returns a position and its images.
fn images(game: &PackedGame, position: Packed) -> Vec<Packed> {
    let mut images = vec![position];
    game.images(position, &mut images);
    images
}

/// Returns the contents of all places of a board, by their names.
fn board(game: &PackedGame, position: Packed) -> BTreeMap<String, String> {
    let drawing = game.drawing(position);
    let pieces = drawing.pieces.iter();
    let pieces = pieces.map(|piece| (piece.cell.name(), format!("{:?}", piece.kind())));
    let marks = drawing.marks.iter();
    let marks = marks.map(|mark| (format!("mark {}", mark.cell.name()), format!("{mark:?}")));
    let fences = drawing.fences.iter();
    let fences = fences.map(|fence| (format!("fence {}", fence.name), String::new()));
    pieces.chain(marks).chain(fences).collect()
}

/// Returns the number of places of which the contents differ.
fn differences(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> usize {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let names = names.into_iter();
    names.filter(|&name| one.get(name) != other.get(name)).count()
}

/// Returns true if the boards of two positions differ in few places, up to symmetry.
fn have_like_boards(game: &PackedGame, one: Packed, other: Packed) -> bool {
    let one = board(game, one);
    let images = images(game, other).into_iter();
    let mut images = images.map(|image| board(game, image));
    images.any(|image| differences(&one, &image) <= MAX_DIFFERENT_PLACES)
}

/// Returns true if two puzzles are alike, by comparing everything with everything.
fn are_alike(game: &PackedGame, one: &Puzzle, other: &Puzzle) -> bool {
    let classes = |puzzle: &Puzzle| {
        let positions = puzzle.line.iter();
        let classes = positions.map(|&(position, _)| images(game, position).into_iter().min());
        classes.collect::<BTreeSet<_>>()
    };
    let start = |puzzle: &Puzzle| images(game, puzzle.position).into_iter().min();
    let (lines, starts) = ([one, other].map(classes), [one, other].map(start));
    let shorter = one.line.len().min(other.line.len());
    let mut ends = 0;
    for from_end in 1..=shorter {
        let [one, other] = [one, other].map(|puzzle| puzzle.line[puzzle.line.len() - from_end].0);
        ends += usize::from(have_like_boards(game, one, other));
    }
    lines[0].contains(&starts[1])
        || lines[1].contains(&starts[0])
        || 2 * ends >= shorter
        || have_like_boards(game, one.position, other.position)
}

fn select(game: &PackedGame, all: &[Puzzle], choice: PuzzleChoice, count: usize) -> Vec<Puzzle> {
    let profile = |puzzle: &Puzzle| {
        let positions: Vec<Packed> = puzzle.line.iter().map(|&(position, _)| position).collect();
        PuzzleProfile::new(game, &positions)
    };
    let at_once = {
        let mut selection = PuzzleSelection::new(choice, count, &profile);
        selection.add(all.to_vec());
        assert_eq!(selection.found(), all.len() as u64);
        selection.finish()
    };
    let mut one_by_one = PuzzleSelection::new(choice, count, &profile);
    for puzzle in all {
        one_by_one.add(vec![puzzle.clone()]);
    }
    assert!(one_by_one.finish() == at_once, "{choice:?}");
    at_once
}

/// Chooses without a limit of memory.
fn greedy(game: &PackedGame, hardest_first: &[Puzzle], count: usize) -> Vec<Puzzle> {
    let mut chosen: Vec<Puzzle> = Vec::new();
    for puzzle in hardest_first {
        let is_new = |other: &Puzzle| !are_alike(game, other, puzzle);
        if chosen.len() < count && chosen.iter().all(is_new) {
            chosen.push(puzzle.clone());
        }
    }
    chosen
}

fn assert_differ(game: &PackedGame, puzzles: &[Puzzle]) {
    for (i, one) in puzzles.iter().enumerate() {
        for other in &puzzles[..i] {
            assert!(
                !are_alike(game, one, other),
                "{}: {} and {}",
                game.spec(),
                game.format(one.position),
                game.format(other.position)
            );
        }
    }
}

/// Checks what is chosen of a game, and returns how many different puzzles that are.
fn check(spec: &str, theme: Option<PuzzleTheme>) -> usize {
    let game = symmetric(spec);
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("a small game");
    let criteria = PuzzleCriteria { unique: Uniqueness::Line, theme, plies: 1..=u16::MAX };
    let positions: Vec<Packed> = solved.positions().collect();
    let open = || solved.reader(&game);
    let all = find_puzzles(&game, open, &positions, &criteria).expect("values");
    let mut hardest_first = all.clone();
    hardest_first.sort_by_key(|puzzle| Reverse(puzzle.grade));

    let hardest = select(&game, &all, PuzzleChoice::Hardest, 10);
    assert!(hardest == hardest_first[..hardest_first.len().min(10)]);

    let different = select(&game, &all, PuzzleChoice::Different, 10);
    assert_differ(&game, &different);
    assert!(different[0] == hardest_first[0], "{}", game.spec());
    assert!(different.is_sorted_by(|one, next| one.grade >= next.grade));

    let mix = select(&game, &all, PuzzleChoice::Mixed, 6);
    assert_differ(&game, &mix);
    assert!(mix.is_sorted_by(|one, next| one.grade.points() <= next.grade.points()));
    let points = all.iter().map(|puzzle| puzzle.grade.points());
    assert_eq!(points.max(), mix.last().map(|puzzle| puzzle.grade.points()));

    // No length has more puzzles than stay, so that nothing is lost.
    let mut few = hardest_first;
    few.truncate(1000);
    let chosen = select(&game, &few, PuzzleChoice::Different, 500);
    assert!(chosen == greedy(&game, &few, 500), "{}", game.spec());
    different.len()
}

#[test]
fn no_two_chosen_puzzles_are_alike() {
    assert_eq!(check("onitama:3x4:boar", None), 10);
    assert_eq!(check("onitama:3x3:tiger,crab,ox,horse,boar", None), 10);
    assert!(check("quoridor:3x3:1", None) > 1);
    assert!(check("dodgem:3x3", None) > 3);
    assert!(check("ostle:3x3:3:1", None) > 3);
    assert!(check("tic-tac-toe", None) > 1);
    assert!(check("tic-tac-toe", Some(PuzzleTheme::Swindle)) > 1);
}

#[test]
fn a_mix_has_many_degrees_of_difficulty() {
    let game = symmetric("onitama:3x4:boar");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("a small game");
    let criteria = PuzzleCriteria { unique: Uniqueness::Line, theme: None, plies: 1..=u16::MAX };
    let positions: Vec<Packed> = solved.positions().collect();
    let open = || solved.reader(&game);
    let all = find_puzzles(&game, open, &positions, &criteria).expect("values");
    let mix = select(&game, &all, PuzzleChoice::Mixed, 10);
    let stars: Vec<u8> = mix.iter().map(|puzzle| puzzle.grade.stars()).collect();
    assert_eq!(stars.len(), 10);
    assert!(stars.is_sorted(), "{stars:?}");
    assert_eq!([stars[0], stars[9]], [1, 4], "{stars:?}");
    assert!([2, 3].iter().all(|star| stars.contains(star)), "{stars:?}");
}

#[test]
fn stars_rise_with_the_points() {
    let grade = |plies, tempting_moves, wrong_moves| PuzzleGrade {
        plies,
        tempting_moves,
        quiet_start: false,
        wrong_moves,
    };
    let points = |grade: PuzzleGrade| (grade.points(), grade.stars());
    assert_eq!(points(grade(Some(1), 0, 7)), (2, 1));
    assert_eq!(points(grade(Some(3), 0, 0)), (4, 2));
    assert_eq!(points(grade(Some(5), 1, 8)), (8, 3));
    assert_eq!(points(grade(Some(5), 9, 8)), (10, 3));
    assert_eq!(points(grade(Some(15), 0, 7)), (16, 4));
    assert_eq!(points(grade(Some(29), 2, 0)), (32, 5));
    assert_eq!(points(grade(None, 0, 16)), (4, 2));
}
