//! What is found is what a slow obvious search finds, which knows the rules, the values and the texts.

use std::fs::File;
use std::ops::Range;

use hindsight_core::{
    ForbiddenMove, Game, Material, Notation, Probe, Ranked, Symmetry, Value, Wdl,
};
use hindsight_puzzles::{
    Counts, Hardest, Layers, SacrificeCounts, Tally, Theme, Unique, Wanted, puzzles, sacrifices,
    tally,
};
use hindsight_rules::ostle::{Ostle, OstleSetup, Rule8};
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_solve::{Limits, NoMonitor, graph, restricted};
use hindsight_tablebase::{Layout, Table, Work};

const THEMES: [Option<Theme>; 5] = [
    None,
    Some(Theme::Sacrifice),
    Some(Theme::Quiet),
    Some(Theme::Only),
    Some(Theme::Swindle),
];
const UNIQUE: [Unique; 3] = [Unique::Line, Unique::First, Unique::Win];

/// A game with its solution.
struct Slow<'a, G, S>(&'a G, S);

impl<G: Game + Notation, S: Probe<G>> Slow<'_, G, S> {
    fn value(&self, position: G::Position) -> Value {
        let answer = self.1.probe(position).expect("a value");
        answer.exact().expect("a solved game")
    }

    /// Every move, its value for the one who makes it, and the position after it.
    fn moves(&self, position: G::Position) -> Vec<(G::Move, Value, G::Position)> {
        let mut moves = Vec::new();
        self.0.moves(position, &mut moves);
        let moves = moves.into_iter().map(|mv| {
            let next = self.0.play(position, mv);
            (mv, self.value(next).before(), next)
        });
        moves.collect()
    }

    /// The moves as good as the position.
    fn best(&self, position: G::Position) -> Vec<G::Position> {
        let value = self.value(position);
        let best = self.moves(position).into_iter();
        let best = best.filter(|&(_, other, _)| other == value);
        best.map(|(_, _, next)| next).collect()
    }

    fn only_line(&self, position: G::Position) -> bool {
        if self.0.terminal(position).is_some() {
            return true;
        }
        let best = self.best(position);
        best.len() == 1
            && (self.0.terminal(best[0]).is_some()
                || self.best(best[0]).into_iter().all(|p| self.only_line(p)))
    }

    /// The letters of each player on the board.
    fn pieces(&self, position: G::Position) -> [usize; 2] {
        let text = self.0.format(position);
        let board = text.split(' ').next().unwrap().to_lowercase();
        let letters = if board.contains('r') { "rb" } else { "bw" };
        let count = |letter| board.matches(letter).count();
        let mut letters = letters.chars();
        [(); 2].map(|()| count(letters.next().unwrap()))
    }

    /// Pieces that a player has lost by a move.
    fn lost(&self, player: usize, position: G::Position, next: G::Position) -> usize {
        self.pieces(position)[player] - self.pieces(next)[player]
    }

    fn gives_up(&self, position: G::Position, next: G::Position) -> bool {
        let player = self.0.player_to_move(position);
        if self.0.spec().starts_with("ostle") {
            return self.lost(player, position, next) > 0;
        }
        let takes = |&(_, _, after): &(G::Move, Value, G::Position)| {
            self.0.terminal(after).is_none() && self.lost(player, next, after) > 0
        };
        self.0.terminal(next).is_none()
            && self.lost(1 - player, position, next) == 0
            && self.moves(next).iter().any(takes)
    }

    fn has(&self, position: G::Position, theme: Option<Theme>) -> bool {
        if self.0.terminal(position).is_some() {
            return false;
        }
        let wdl = self.value(position).wdl();
        let moves = self.moves(position);
        let keeping: Vec<_> = moves.iter().filter(|of| of.1.wdl() == wdl).collect();
        let lost = moves.iter().filter(|of| of.1.wdl() == Wdl::Loss).count();
        let player = self.0.player_to_move(position);
        match theme {
            Some(Theme::Swindle) => wdl == Wdl::Draw && lost + 1 == moves.len(),
            _ if wdl != Wdl::Win => false,
            None => true,
            Some(Theme::Sacrifice) => keeping.iter().all(|of| self.gives_up(position, of.2)),
            Some(Theme::Quiet) => {
                keeping.len() == 1 && self.lost(1 - player, position, keeping[0].2) == 0
            }
            Some(Theme::Only) => lost + 1 == moves.len(),
        }
    }

    fn is_only(&self, position: G::Position, unique: Unique) -> bool {
        let wdl = self.value(position).wdl();
        let moves = self.moves(position);
        match unique {
            Unique::Win => moves.iter().filter(|of| of.1.wdl() == wdl).count() == 1,
            Unique::First => self.best(position).len() == 1,
            Unique::Line if wdl == Wdl::Draw => self.best(position).len() == 1,
            Unique::Line => self.only_line(position),
        }
    }
}

fn wanted(theme: Option<Theme>, unique: Unique) -> Wanted {
    Wanted {
        unique,
        theme,
        plies: 1..=u16::MAX,
    }
}

/// Compares every reachable position; how many puzzles there are by theme, with the line the only one.
fn agrees<G: Game + Notation + Material>(game: &G, themes: &[Option<Theme>]) -> Vec<usize> {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("a small game");
    let slow = Slow(game, solved.reader(game));
    let mut lines = Vec::new();
    for &theme in themes {
        let all: Vec<G::Position> = solved.positions().to_vec();
        let themed: Vec<G::Position> = all
            .iter()
            .copied()
            .filter(|&p| slow.has(p, theme))
            .collect();
        let mut counts = vec![themed.len()];
        for unique in [Unique::Win, Unique::First, Unique::Line] {
            let only = themed.iter().filter(|&&p| slow.is_only(p, unique));
            let only: Vec<G::Position> = only.copied().collect();
            let found = puzzles(game, || solved.reader(game), &all, &wanted(theme, unique))
                .expect("a solved game");
            let positions: Vec<G::Position> = found.iter().map(|found| found.position).collect();
            assert_eq!(positions, only, "{} {theme:?} {unique:?}", game.spec());
            for puzzle in &found {
                let plies = puzzle.value.remoteness().map_or(1, usize::from);
                assert_eq!(puzzle.line.len(), plies);
                assert_eq!(puzzle.grade.plies, puzzle.value.remoteness());
                assert!(puzzle.grade.tempting <= puzzle.grade.wrong);
            }
            counts.push(only.len());
        }
        let counted = tally(
            game,
            || solved.reader(game),
            &all,
            &wanted(theme, UNIQUE[0]),
        );
        let total = counted.expect("a solved game").total();
        let Counts {
            positions,
            only_move,
            only_first,
            only_line,
        } = total;
        let ours = [positions, only_move, only_first, only_line];
        assert_eq!(ours.map(|n| n as usize).to_vec(), counts, "{theme:?}");
        lines.push(counts[3]);
    }
    lines
}

#[test]
fn tic_tac_toe() {
    let game = TicTacToe {
        symmetry: Symmetry::All,
    };
    let themes = [None, Some(Theme::Only), Some(Theme::Swindle)];
    let lines = agrees(&game, &themes);
    assert!(lines.iter().all(|&n| n > 0), "{lines:?}");
    for theme in [Theme::Sacrifice, Theme::Quiet] {
        assert!(theme.check(&game).is_err());
    }
    assert_eq!(Theme::Swindle.check(&game), Ok(()));
}

struct Agree;

impl Visitor for Agree {
    type Output = Vec<usize>;

    fn visit<G: Game + Notation + Material>(self, game: G) -> Vec<usize> {
        agrees(&game, &THEMES)
    }
}

fn lines(spec: &str) -> Vec<usize> {
    let setup = Setup {
        symmetry: Symmetry::All,
        ..Setup::default()
    };
    by_name(spec, &setup, Agree).expect("a spec")
}

#[test]
fn onitama() {
    let lines = lines("onitama:3x3:boar");
    assert!(lines[..4].iter().all(|&n| n > 0), "{lines:?}");
}

#[test]
fn ostle() {
    let lines = lines("ostle:3x3:2:1");
    assert!(lines[0] > 0, "{lines:?}");
    let game = Ostle::new(OstleSetup::new(3, 3, 1), Symmetry::All);
    assert!(agrees(&game, &THEMES[1..3])[1] > 0);
}

/// The states of some ranks of a table in which the player wins only by a sacrifice, by the rules.
fn slow_counts(game: &Ostle, table: &Table<File>, tier: u64, ranks: Range<u64>) -> SacrificeCounts {
    let slow = Slow(game, table.with_states(game));
    let base = game.base();
    let mut counts = SacrificeCounts::default();
    for rank in ranks {
        let position = base.unrank(tier, rank).expect("no holes");
        let free = game.encode(position, None);
        counts.positions += u64::from(slow.has(free, Some(Theme::Sacrifice)));
        let mut ways = Vec::new();
        hindsight_core::forbidden_ids_by_moves(game, tier, rank, &mut ways);
        let mut moves = Vec::new();
        base.moves(position, &mut moves);
        let forbidden = ways.iter().map(|&way| {
            let mv = moves.iter().find(|&&mv| game.move_id(position, mv) == way);
            game.encode(position, mv.copied())
        });
        let reached = game.reachable_in_one(free).then_some(free);
        for state in reached.into_iter().chain(forbidden) {
            if slow.value(state).wdl() != Wdl::Win {
                continue;
            }
            let mut quickest = slow.best(state).into_iter();
            counts.quickest += u64::from(quickest.all(|next| slow.gives_up(state, next)));
            if slow.has(state, Some(Theme::Sacrifice)) {
                assert_ne!(slow.value(state), Value::Win(1));
                counts.states += 1;
                counts.only_move += u64::from(slow.is_only(state, Unique::Win));
                counts.only_first += u64::from(slow.is_only(state, Unique::First));
                counts.only_line += u64::from(slow.is_only(state, Unique::Line));
            }
        }
    }
    counts
}

/// A table of a game.
fn states(game: &Ostle) -> Table<File> {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    let work = Work::create(&work, &game.spec(), Layout::States).expect("a folder");
    restricted::solve(game, Limits::default(), &mut NoMonitor, &mut |tier| {
        work.put_states(game, &tier).expect("a tier is kept");
        Ok(())
    })
    .expect("a small game");
    let file = folder.path().join("table");
    work.finish_to(&file).expect("a table");
    Table::open(File::open(&file).expect("a file")).expect("a table")
}

/// Compares counts on at most so many ranks of each layer.
fn counts_agree(setup: OstleSetup, most: u64) -> SacrificeCounts {
    let game = Ostle::new(setup, Symmetry::None);
    let table = states(&game);
    let mut sum = SacrificeCounts::default();
    for layer in 0..game.base().layers() {
        let states = table.decode_states(&game, layer).expect("a layer");
        let before = game.base().layer_successors(layer).into_iter();
        let before: Vec<_> = before
            .map(|layer| table.decode_free(&game, layer).expect("a layer"))
            .collect();
        let layers = Layers {
            layer: &states,
            before: &before,
        };
        let end = states.ranks().min(most);
        let (mut counts, mut found) = (SacrificeCounts::default(), 0);
        // In two parts, neither of whole chunks.
        for ranks in [0..end / 2 + 1, end / 2 + 1..end] {
            let some = sacrifices(&game, layers, ranks, || table.with_states(&game));
            let some = some.expect("a sound table");
            some.counts.values().for_each(|part| counts.add(part));
            let slow = Slow(&game, table.with_states(&game));
            let sacrifice = Some(Theme::Sacrifice);
            assert!(some.states.iter().all(|&state| slow.has(state, sacrifice)));
            found += some.states.len() as u64;
        }
        let slow = slow_counts(&game, &table, states.tier(), 0..end);
        assert_eq!(counts, slow, "{} layer {layer}", game.spec());
        assert_eq!(found, counts.states);
        sum.add(&counts);
    }
    sum
}

#[test]
fn all_states_of_ostle() {
    let paper = |setup| OstleSetup {
        rule8: Rule8::Paper,
        ..setup
    };
    let [one, none] = [1, 0].map(|lost_at| OstleSetup::new(3, 3, lost_at));
    for setup in [one, paper(one), none] {
        let counts = counts_agree(setup, u64::MAX);
        assert!(counts.states > 0, "{counts:?}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn many_states_of_ostle() {
    let counts = counts_agree(OstleSetup::new(4, 3, 1), 3_000);
    assert!(counts.quickest > 0, "{counts:?}");
}

#[test]
fn the_hardest_are_kept_in_order() {
    let game = TicTacToe {
        symmetry: Symmetry::All,
    };
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("a small game");
    let wanted = wanted(None, Unique::First);
    let open = || solved.reader(&game);
    let all = puzzles(&game, open, solved.positions(), &wanted).expect("a solved game");
    let mut sorted = all.clone();
    sorted.sort_by_key(|puzzle| std::cmp::Reverse(puzzle.grade));
    let mut hardest = Hardest::new(3);
    for puzzle in &all {
        hardest.add(vec![puzzle.clone()]);
    }
    assert_eq!(hardest.found(), all.len() as u64);
    assert_eq!(hardest.finish(), sorted[..3]);
    let none: Tally = Tally::default();
    assert_eq!(none.total(), Counts::default());
}

/// Onitama's own word for a sacrifice, in a position made for it.
#[test]
fn a_student_left_to_be_taken_is_given_up() {
    struct Look;
    impl Visitor for Look {
        type Output = [bool; 3];
        fn visit<G: Game + Notation + Material>(self, game: G) -> [bool; 3] {
            let text = "1R1/2r/bB1 boar,boar boar,boar boar red";
            let position = game.parse(text).expect("a position");
            ["c2b2:boar", "c2c1:boar", "b3a3:boar"].map(|mv| {
                let mv = game.parse_move(position, mv).expect("a move");
                game.gives_up(position, mv)
            })
        }
    }
    let looked = by_name("onitama:3x3:boar", &Setup::default(), Look).expect("a spec");
    // The master takes it on b2 and c1, and does not reach c2.
    assert_eq!(looked, [true, true, false]);
}
