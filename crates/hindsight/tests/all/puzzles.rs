//! Puzzles among positions drawn at random, from tables and solved games.

use std::collections::HashSet;
use std::sync::Arc;

use hindsight_core::{States, Structure};
use hindsight_games::{
    Error, Limits, Method, NoMonitor, Options, Progress, PuzzleChoice, PuzzleCriteria,
    PuzzleSearch, PuzzleTheme, Symmetry, Uniqueness, Value, Values, game_with_symmetry,
};

use hindsight_puzzles::{SacrificeCounts, find_puzzle};
use hindsight_solve::graph;

use crate::TestTable;

fn search(theme: Option<PuzzleTheme>, sample: usize) -> PuzzleSearch {
    PuzzleSearch {
        criteria: PuzzleCriteria { theme, ..PuzzleSearch::default().criteria },
        sample: Some(sample),
        choice: PuzzleChoice::Hardest,
        ..PuzzleSearch::default()
    }
}

#[test]
fn chosen_puzzles_differ_and_the_first_is_the_hardest() -> Result<(), Error> {
    let file = TestTable::of("ostle:4x4:3:1");
    let table = hindsight_games::open(&file.path)?;
    let of_choice = |choice, count| {
        let search = PuzzleSearch { choice, count, sample: Some(5000), ..PuzzleSearch::default() };
        table.values().puzzles(&search, &Options::default())
    };
    let all = of_choice(PuzzleChoice::Hardest, usize::MAX)?;
    let different = of_choice(PuzzleChoice::Different, 10)?;
    assert_eq!(different.found, all.found);
    assert_eq!(different.puzzles.first(), all.puzzles.first());
    let is_found = |puzzle| all.puzzles.contains(puzzle);
    assert!(different.puzzles.len() > 3 && different.puzzles.iter().all(is_found));
    assert!(different.puzzles[..] != all.puzzles[..different.puzzles.len()]);

    let mix = of_choice(PuzzleChoice::Mixed, 5)?.puzzles;
    assert!(mix.is_sorted_by(|a, b| a.grade.points() <= b.grade.points()));
    assert!(mix[0].grade.stars() < mix[mix.len() - 1].grade.stars());

    let error = of_choice(PuzzleChoice::Mixed, 101).unwrap_err();
    assert!(error.to_string().contains("at most 100"), "{error}");
    Ok(())
}

/// Checks puzzles by the values: lines are best play, and the first move is the only best one.
fn check_puzzles(values: &Values, search: &PuzzleSearch) -> Result<u64, Error> {
    let game = values.game();
    let found = values.puzzles(search, &Options::default())?;
    assert_eq!(found.puzzles.len() as u64, found.found.min(search.count as u64));
    assert!(found.puzzles.is_sorted_by(|a, b| a.grade >= b.grade));
    for puzzle in &found.puzzles {
        assert_eq!(values.probe(&puzzle.position)?.exact(), Some(puzzle.value));
        let moves = values.rated_moves(&puzzle.position)?;
        let best = moves.iter().filter(|rated| rated.value == moves[0].value);
        assert_eq!(best.count(), 1);
        let mut position = puzzle.position;
        for (at, mv) in &puzzle.line {
            assert_eq!(*at, position);
            position = game.play(&position, mv)?;
        }
        assert_eq!(position, puzzle.end);
        if let Value::Win(plies) = puzzle.value {
            assert_eq!(puzzle.line.len(), usize::from(plies));
            assert!(game.outcome(&puzzle.end)?.is_some());
        }
    }
    assert_eq!(found, values.puzzles(search, &Options::default())?);
    Ok(found.found)
}

#[test]
fn puzzles_of_tables_follow_from_the_values() -> Result<(), Error> {
    for spec in ["quoridor:3x3:1", "onitama:3x4:boar", "ostle:4x4:3:1"] {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        assert!(check_puzzles(table.values(), &search(None, 3000))? > 0, "{spec}");
    }
    Ok(())
}

#[test]
fn puzzles_of_solves_are_those_of_the_table() -> Result<(), Error> {
    for spec in ["dodgem:3x3", "onitama:3x3:boar", "ostle:3x3:2:1"] {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        let game = game_with_symmetry(spec, Symmetry::All)?;
        let everything = search(None, usize::MAX);
        let of_table = table.values().puzzles(&everything, &Options::default())?;
        let tiers = game.solve(Method::Tiered, &Options::default())?;
        assert_eq!(
            tiers.values().puzzles(&everything, &Options::default())?.found,
            of_table.found,
            "{spec}"
        );
        let graph = game.solve(Method::Reachable, &Options::default())?;
        let found = check_puzzles(graph.values(), &everything)?;
        assert!(found > 0, "{spec}");
    }
    Ok(())
}

/// All places are those of a sample that is large enough, without the holes.
#[test]
fn all_places_are_looked_at_or_counted() -> Result<(), Error> {
    for (spec, has_states) in
        [("quoridor:3x3:1", false), ("onitama:3x3:boar", false), ("ostle:3x3:2:1", true)]
    {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        let values = table.values();
        let drawn = search(None, usize::MAX);
        let all = PuzzleSearch { sample: None, ..drawn.clone() };
        let (of_all, of_drawn) = (
            values.puzzles(&all, &Options::default())?,
            values.puzzles(&drawn, &Options::default())?,
        );
        assert_eq!((&of_all.puzzles, of_all.found), (&of_drawn.puzzles, of_drawn.found), "{spec}");
        let positions = (0..table.info().layers.len())
            .map(|layer| {
                Ok(table
                    .scan(layer as u32, &Options::default())?
                    .map(|batch| batch.ranks.len())
                    .sum::<usize>())
            })
            .sum::<Result<usize, Error>>()?;
        assert_eq!(of_all.places, positions as u64, "{spec}");

        let counted = values.tally_puzzles(&all, &Options::default())?;
        assert_eq!((counted.places, counted.is_cut), (of_all.places, false));
        let lines = counted.tally.total().only_line;
        assert!(if has_states { lines >= of_all.found } else { lines == of_all.found }, "{spec}");

        if has_states {
            // One layer is looked at in one batch.
            continue;
        }
        let half = table.info().ranks() / 2;
        let progress = Arc::new(move |progress: Progress| progress.done < half);
        let options = Options { progress: Some(progress), ..Options::default() };
        let cut = values.puzzles(&all, &options)?;
        assert!(cut.is_cut && cut.found < of_all.found, "{spec}");
        assert!((1..of_all.places).contains(&cut.places), "{spec}: {} places", cut.places);
        assert!(values.tally_puzzles(&all, &options)?.is_cut, "{spec}");
    }
    Ok(())
}

/// Puzzles of all reachable positions are those that are found position by position, each position
/// once whatever is forbidden in it.
#[test]
fn puzzles_are_those_found_one_by_one() -> Result<(), Error> {
    for spec in ["quoridor:3x3:1", "onitama:3x3:boar", "ostle:3x3:2:1", "dodgem:3x3"] {
        let game = game_with_symmetry(spec, Symmetry::All)?;
        let rules = game.rules();
        let graph = graph::solve(rules, Limits::default(), &mut NoMonitor)?;
        let has_states = rules.structure() == Structure::ForbiddenMove;
        let plain = |position| if has_states { rules.decode(position).0 } else { position };
        for theme in [None, Some(PuzzleTheme::OnlyMove), Some(PuzzleTheme::Swindle)] {
            let all = PuzzleSearch { sample: None, ..search(theme, 0) };
            let mut boards = HashSet::new();
            for number in 0..graph.len() {
                let position = graph.position(number).expect("a position");
                let found = find_puzzle(rules, &graph.reader(rules), position, &all.criteria);
                if found.expect("values that agree").is_some() {
                    boards.insert(plain(position));
                }
            }
            let solved = game.solve(Method::Reachable, &Options::default())?;
            let found = solved.values().puzzles(&all, &Options::default())?;
            assert_eq!((found.found, found.places), (boards.len() as u64, graph.len() as u64));
        }
    }
    Ok(())
}

#[test]
fn sacrifices_are_counted_in_tables_of_states() -> Result<(), Error> {
    let file = TestTable::of("ostle:3x3:3:1");
    let table = hindsight_games::open(&file.path)?;
    let all = PuzzleSearch { sample: None, ..search(Some(PuzzleTheme::Sacrifice), 0) };
    let found = table.values().puzzles(&all, &Options::default())?;
    let sacrifices = table.values().tally_sacrifices(&Options::default())?.expect("states");
    assert_eq!((sacrifices.places, sacrifices.is_cut), (found.places, false));
    let sum =
        |count: fn(&SacrificeCounts) -> u64| sacrifices.tally.values().map(count).sum::<u64>();
    assert!(sum(|counts| counts.states) > 0);
    assert!(found.found <= sum(|counts| counts.only_line));
    // State by state, as in a sample, they are the same.
    let sample = PuzzleSearch { sample: Some(usize::MAX), ..all };
    let one_by_one = table.values().tally_puzzles(&sample, &Options::default())?;
    assert_eq!(one_by_one.tally.total().positions, sum(|counts| counts.states));
    assert_eq!(one_by_one.tally.total().only_move, sum(|counts| counts.only_move));

    let small = game_with_symmetry("ostle:3x3:2:1", Symmetry::All)?;
    let solved = small.solve(Method::Reachable, &Options::default())?;
    assert!(solved.values().tally_sacrifices(&Options::default())?.is_none());
    Ok(())
}

#[test]
fn a_position_gives_one_puzzle_whatever_is_forbidden() -> Result<(), Error> {
    let file = TestTable::of("ostle:4x4:3:1");
    let table = hindsight_games::open(&file.path)?;
    let mut all = search(None, 5000);
    all.count = usize::MAX;
    let found = table.values().puzzles(&all, &Options::default())?;
    let mut boards = HashSet::new();
    for puzzle in &found.puzzles {
        let text = table.game().format(&puzzle.position)?;
        let words: Vec<&str> = text.split(' ').take(2).collect();
        assert!(boards.insert(words.join(" ")), "{text} is there twice");
    }
    Ok(())
}

#[test]
fn a_search_that_is_cut_has_what_it_has_found() -> Result<(), Error> {
    let file = TestTable::of("onitama:3x4:boar");
    let table = hindsight_games::open(&file.path)?;
    let mut all = search(None, 5000);
    all.count = usize::MAX;
    let limited = |options: Options| table.values().puzzles(&all, &options);
    let whole = limited(Options::default())?;
    assert!(!whole.is_cut);
    assert_eq!(
        limited(Options {
            seconds: Some(3600.0),
            progress: Some(Arc::new(|_| true)),
            ..Options::default()
        })?,
        whole
    );

    let half = whole.places / 2;
    let cut = limited(Options {
        progress: Some(Arc::new(move |progress| progress.done < half)),
        ..Options::default()
    })?;
    assert!(cut.is_cut && (half..whole.places).contains(&cut.places));
    assert!(cut.found > 0 && cut.found < whole.found);
    let is_found = |puzzle| whole.puzzles.contains(puzzle);
    assert!(cut.puzzles.iter().all(is_found));

    let nothing = limited(Options { seconds: Some(0.0), ..Options::default() })?;
    assert_eq!((nothing.places, nothing.found), (0, 0));
    assert!(nothing.is_cut);
    Ok(())
}

#[test]
fn themes_are_those_of_the_game() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let solved = game.solve(Method::Auto, &Options::default())?;
    let error =
        solved.values().puzzles(&search(Some(PuzzleTheme::Sacrifice), 10), &Options::default());
    let error = error.unwrap_err();
    assert!(matches!(error, Error::Theme(_)));
    assert!(error.to_string().starts_with("tic-tac-toe has no pieces to lose"), "{error}");

    let swindles = search(Some(PuzzleTheme::Swindle), 10_000);
    let found = solved.values().puzzles(&swindles, &Options::default())?;
    assert!(found.found > 0);
    assert!(found.puzzles.iter().all(|puzzle| puzzle.value == Value::Draw));

    let mut first = search(None, 10_000);
    first.criteria.unique = Uniqueness::FastestMove;
    first.criteria.plies = 5..=5;
    let found = solved.values().puzzles(&first, &Options::default())?;
    assert!(found.puzzles.iter().all(|puzzle| puzzle.value == Value::Win(5)));
    assert!(found.found > 0);
    Ok(())
}
