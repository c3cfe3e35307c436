//! Puzzles agree with a slow, obvious reference search that uses only rules, values and notation.

use std::fs::File;
use std::ops::Range;

use hindsight_core::{
    ForbiddenMove, Game, Notation, Packed, PackedGame, PackedMove, Probe, Ranked, States, Tiers,
    Value, Wdl,
};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_puzzles::{
    PuzzleCounts, PuzzleCriteria, PuzzleTheme, SacrificeCounts, SacrificeLayers, Uniqueness,
    find_puzzles, find_sacrifices, tally_puzzles,
};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::{forbidden_move, graph};
use hindsight_tablebase::{CheckpointDir, Layout, Table};

use crate::symmetric;

const THEMES: [Option<PuzzleTheme>; 5] = [
    None,
    Some(PuzzleTheme::Sacrifice),
    Some(PuzzleTheme::Quiet),
    Some(PuzzleTheme::OnlyMove),
    Some(PuzzleTheme::Swindle),
];
const UNIQUE: [Uniqueness; 3] =
    [Uniqueness::Line, Uniqueness::FastestMove, Uniqueness::WinningMove];

/// Reference search on a game with its solution.
struct ReferenceSearch<'a, S> {
    game: &'a PackedGame,
    solution: S,
}

impl<S: Probe> ReferenceSearch<'_, S> {
    fn value(&self, position: Packed) -> Value {
        let answer = self.solution.probe(position).expect("a value");
        answer.exact().expect("a solved game")
    }

    /// Returns every move, its value for the side that makes it, and its successor.
    fn moves(&self, position: Packed) -> Vec<(PackedMove, Value, Packed)> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let moves = moves.into_iter().map(|mv| {
            let next = self.game.play(position, mv);
            (mv, self.value(next).before(), next)
        });
        moves.collect()
    }

    /// Returns the successors by moves of the best value.
    fn best_successors(&self, position: Packed) -> Vec<Packed> {
        let value = self.value(position);
        let best = self.moves(position).into_iter();
        let best = best.filter(|&(_, other, _)| other == value);
        best.map(|(_, _, next)| next).collect()
    }

    fn only_line(&self, position: Packed) -> bool {
        if self.game.terminal(position).is_some() {
            return true;
        }
        let best = self.best_successors(position);
        best.len() == 1
            && (self.game.terminal(best[0]).is_some()
                || self.best_successors(best[0]).into_iter().all(|p| self.only_line(p)))
    }

    /// Returns the number of pieces of each player on the board, read from the notation.
    fn pieces(&self, position: Packed) -> [usize; 2] {
        let text = self.game.format(position);
        let board = text.split(' ').next().unwrap().to_lowercase();
        let letters = if board.contains('r') { "rb" } else { "bw" };
        let count = |letter| board.matches(letter).count();
        let mut letters = letters.chars();
        [(); 2].map(|()| count(letters.next().unwrap()))
    }

    /// Returns the number of pieces that `player` loses by a move.
    fn lost(&self, player: usize, position: Packed, next: Packed) -> usize {
        self.pieces(position)[player] - self.pieces(next)[player]
    }

    fn gives_up(&self, position: Packed, next: Packed) -> bool {
        let player = self.game.player_to_move(position);
        if self.game.spec().starts_with("ostle") {
            return self.lost(player, position, next) > 0;
        }
        let takes = |&(_, _, after): &(PackedMove, Value, Packed)| {
            self.game.terminal(after).is_none() && self.lost(player, next, after) > 0
        };
        self.game.terminal(next).is_none()
            && self.lost(1 - player, position, next) == 0
            && self.moves(next).iter().any(takes)
    }

    fn has_theme(&self, position: Packed, theme: Option<PuzzleTheme>) -> bool {
        if self.game.terminal(position).is_some() {
            return false;
        }
        let wdl = self.value(position).wdl();
        let moves = self.moves(position);
        let keeping: Vec<_> = moves.iter().filter(|(_, value, _)| value.wdl() == wdl).collect();
        let lost = moves.iter().filter(|(_, value, _)| value.wdl() == Wdl::Loss).count();
        let player = self.game.player_to_move(position);
        match theme {
            Some(PuzzleTheme::Swindle) => wdl == Wdl::Draw && lost + 1 == moves.len(),
            _ if wdl != Wdl::Win => false,
            None => true,
            Some(PuzzleTheme::Sacrifice) => {
                keeping.iter().all(|&&(_, _, next)| self.gives_up(position, next))
            }
            Some(PuzzleTheme::Quiet) => {
                keeping.len() == 1 && self.lost(1 - player, position, keeping[0].2) == 0
            }
            Some(PuzzleTheme::OnlyMove) => lost + 1 == moves.len(),
        }
    }

    fn is_only(&self, position: Packed, unique: Uniqueness) -> bool {
        let wdl = self.value(position).wdl();
        let moves = self.moves(position);
        match unique {
            Uniqueness::WinningMove => {
                moves.iter().filter(|(_, value, _)| value.wdl() == wdl).count() == 1
            }
            Uniqueness::FastestMove => self.best_successors(position).len() == 1,
            Uniqueness::Line if wdl == Wdl::Draw => self.best_successors(position).len() == 1,
            Uniqueness::Line => self.only_line(position),
        }
    }
}

fn criteria(theme: Option<PuzzleTheme>, unique: Uniqueness) -> PuzzleCriteria {
    PuzzleCriteria { unique, theme, plies: 1..=u16::MAX }
}

/// Compares every reachable position with the reference.
///
/// Returns for each theme the number of puzzles with a unique line.
fn check_puzzles(game: &PackedGame, themes: &[Option<PuzzleTheme>]) -> Vec<usize> {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("a small game");
    let reference = ReferenceSearch { game, solution: solved.reader(game) };
    let mut lines = Vec::new();
    for &theme in themes {
        let all: Vec<Packed> = solved.positions().collect();
        let themed: Vec<Packed> =
            all.iter().copied().filter(|&p| reference.has_theme(p, theme)).collect();
        let mut counts = vec![themed.len()];
        for unique in [Uniqueness::WinningMove, Uniqueness::FastestMove, Uniqueness::Line] {
            let only = themed.iter().filter(|&&p| reference.is_only(p, unique));
            let only: Vec<Packed> = only.copied().collect();
            let found = find_puzzles(game, || solved.reader(game), &all, &criteria(theme, unique))
                .expect("a solved game");
            let positions: Vec<Packed> = found.iter().map(|found| found.position).collect();
            assert_eq!(positions, only, "{} {theme:?} {unique:?}", game.spec());
            for puzzle in &found {
                let plies = puzzle.value.remoteness().map_or(1, usize::from);
                assert_eq!(puzzle.line.len(), plies);
                assert_eq!(puzzle.grade.plies, puzzle.value.remoteness());
                assert!(puzzle.grade.tempting_moves <= puzzle.grade.wrong_moves);
            }
            counts.push(only.len());
        }
        let counted =
            tally_puzzles(game, || solved.reader(game), &all, &criteria(theme, UNIQUE[0]));
        let total = counted.expect("a solved game").total();
        let PuzzleCounts { positions, only_move, only_first, only_line } = total;
        let found = [positions, only_move, only_first, only_line];
        assert_eq!(found.map(|n| n as usize).to_vec(), counts, "{theme:?}");
        lines.push(counts[3]);
    }
    lines
}

#[test]
fn tic_tac_toe() {
    let game = symmetric("tic-tac-toe");
    let themes = [None, Some(PuzzleTheme::OnlyMove), Some(PuzzleTheme::Swindle)];
    let lines = check_puzzles(&game, &themes);
    assert!(lines.iter().all(|&n| n > 0), "{lines:?}");
    for theme in [PuzzleTheme::Sacrifice, PuzzleTheme::Quiet] {
        assert!(theme.check(&game).is_err());
    }
    assert_eq!(PuzzleTheme::Swindle.check(&game), Ok(()));
}

#[test]
fn onitama() {
    let lines = check_puzzles(&symmetric("onitama:3x3:boar"), &THEMES);
    assert!(lines[..4].iter().all(|&n| n > 0), "{lines:?}");
}

#[test]
fn ostle() {
    let lines = check_puzzles(&symmetric("ostle:3x3:2:1"), &THEMES);
    assert!(lines[0] > 0, "{lines:?}");
    assert!(check_puzzles(&symmetric("ostle:3x3:3:1"), &THEMES[1..3])[1] > 0);
}

/// Counts the sacrifices of some ranks with the reference search.
fn reference_counts(
    game: &PackedGame,
    table: &Table<File>,
    tier: u64,
    ranks: Range<u64>,
) -> SacrificeCounts {
    let reference = ReferenceSearch { game, solution: table.with_states(game) };
    let base = game.base();
    let mut counts = SacrificeCounts::default();
    for rank in ranks {
        let position = base.unrank(tier, rank).expect("no holes");
        let unrestricted = game.encode(position, None);
        counts.positions +=
            u64::from(reference.has_theme(unrestricted, Some(PuzzleTheme::Sacrifice)));
        let mut forbidden_ids = Vec::new();
        hindsight_core::forbiddable_ids_by_moves(game, tier, rank, &mut forbidden_ids);
        let mut moves = Vec::new();
        base.moves(position, &mut moves);
        let forbidden = forbidden_ids.iter().map(|&id| {
            let mv = moves.iter().find(|&&mv| game.move_id(position, mv) == id);
            game.encode(position, mv.copied())
        });
        let mut before = Vec::new();
        game.predecessor_moves(position, &mut before);
        let is_reached = before.iter().any(|&(base, mv)| game.forbidden_after(base, mv).is_none());
        let reached = is_reached.then_some(unrestricted);
        for state in reached.into_iter().chain(forbidden) {
            if reference.value(state).wdl() != Wdl::Win {
                continue;
            }
            let mut quickest = reference.best_successors(state).into_iter();
            counts.quickest += u64::from(quickest.all(|next| reference.gives_up(state, next)));
            if reference.has_theme(state, Some(PuzzleTheme::Sacrifice)) {
                assert_ne!(reference.value(state), Value::Win(1));
                counts.states += 1;
                counts.only_move += u64::from(reference.is_only(state, Uniqueness::WinningMove));
                counts.only_first += u64::from(reference.is_only(state, Uniqueness::FastestMove));
                counts.only_line += u64::from(reference.is_only(state, Uniqueness::Line));
            }
        }
    }
    counts
}

/// Solves a game and returns its table of states.
fn solved_table(game: &PackedGame) -> Table<File> {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    let work = CheckpointDir::create(&work, &game.spec(), Layout::States).expect("a folder");
    forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut |tier| {
        work.put_states(game, &tier, u64::MAX).expect("a tier is kept");
    })
    .expect("a small game");
    let file = folder.path().join("table");
    work.finish_to(&file).expect("a table");
    Table::open(File::open(&file).expect("a file")).expect("a table")
}

/// Compares counts with the reference on the first `max_ranks` ranks of each layer.
///
/// Returns the sum of the counts.
fn check_counts(spec: &str, max_ranks: u64) -> SacrificeCounts {
    let game = by_name(spec, &Setup::default()).expect("a spec");
    let table = solved_table(&game);
    let mut sum = SacrificeCounts::default();
    for layer in 0..game.base().layers() {
        let states = table.decode_states(&game, layer).expect("a layer");
        let successors = game.base().layer_successors(layer).into_iter();
        let successors: Vec<_> = successors
            .map(|layer| table.decode_unrestricted(&game, layer).expect("a layer"))
            .collect();
        let layers = SacrificeLayers { layer: &states, successor_layers: &successors };
        let end = states.ranks().min(max_ranks);
        let (mut counts, mut found) = (SacrificeCounts::default(), 0);
        // The cut between the ranges lies inside a chunk, so that partial chunks are tested too.
        for ranks in [0..end / 2 + 1, end / 2 + 1..end] {
            let part = find_sacrifices(&game, layers, ranks, || table.with_states(&game));
            let part = part.expect("a sound table");
            part.counts.values().for_each(|more| counts.add(more));
            let reference = ReferenceSearch { game: &game, solution: table.with_states(&game) };
            let sacrifice = Some(PuzzleTheme::Sacrifice);
            assert!(part.states.iter().all(|&state| reference.has_theme(state, sacrifice)));
            found += part.states.len() as u64;
        }
        let expected = reference_counts(&game, &table, states.tier(), 0..end);
        assert_eq!(counts, expected, "{} layer {layer}", game.spec());
        assert_eq!(found, counts.states);
        sum.add(&counts);
    }
    sum
}

#[test]
fn all_states_of_ostle() {
    for spec in ["ostle:3x3:3:1", "ostle:3x3:3:1:rule8=paper", "ostle:3x3:3:0"] {
        let counts = check_counts(spec, u64::MAX);
        assert!(counts.states > 0, "{counts:?}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn many_states_of_ostle() {
    let counts = check_counts("ostle:4x4:3:1", 3_000);
    assert!(counts.quickest > 0, "{counts:?}");
}

/// Onitama's definition of a sacrifice, in a constructed position.
#[test]
fn a_student_left_to_be_taken_is_given_up() {
    let game = by_name("onitama:3x3:boar", &Setup::default()).expect("a spec");
    let position = game.parse("1R1/2r/bB1 boar,boar boar,boar boar red").expect("a position");
    let given_up = ["c2b2:boar", "c2c1:boar", "b3a3:boar"].map(|mv| {
        let mv = game.parse_move(position, mv).expect("a move");
        let material = game.material().expect("students can be lost");
        material.gives_up_piece(position, mv)
    });
    // The opposing master captures the student on b2 and c1; it does not reach c2.
    assert_eq!(given_up, [true, true, false]);
}
