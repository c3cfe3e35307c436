//! Study of lures: the games are kept, continued and checked.

use std::collections::BTreeSet;
use std::sync::Mutex;

use hindsight_games::{Method, Options};
use hindsight_papers::lure::{LureFindings, LureOptions, run};
use hindsight_play::GameRecord;
use hindsight_study::{NullResultStore, ResultStore};

use crate::memory_games::MemoryGames;

fn options(spec: &str, opponents: &[&str], games: u64) -> LureOptions {
    let game = hindsight_games::game(spec).unwrap();
    let solved = game.solve(Method::Auto, &Options::default()).unwrap();
    LureOptions {
        values: solved.values().clone(),
        opponents: opponents.iter().map(|text| text.parse().unwrap()).collect(),
        games,
        seed: 4,
        memory_bytes: 1 << 24,
    }
}

fn run_study(options: &LureOptions, store: &dyn ResultStore<GameRecord>) -> LureFindings {
    let findings = run(options, store, &|_, _| true);
    assert_eq!(findings.failure, None);
    findings
}

/// Returns the cell of a row and a column.
fn cell<'a>(findings: &'a LureFindings, row: &str, column: &str) -> &'a str {
    let mut cells = findings.report.cells.iter();
    let cell = cells.find(|cell| cell.row == row && cell.column == column);
    cell.and_then(|cell| cell.ours.as_deref()).unwrap()
}

#[test]
fn neither_agent_loses_and_a_lure_wins_more() {
    let study = options("dodgem:4x4", &["random", "alphabeta:depth=2"], 60);
    let findings = run_study(&study, &NullResultStore);
    assert_eq!(findings.report.cells.len(), 8);
    for row in ["random", "alphabeta:depth=2"] {
        assert_eq!(cell(&findings, row, "lost"), "0");
        let share = |column| {
            let text = cell(&findings, row, column);
            text.split(' ').next().unwrap().parse::<f64>().unwrap()
        };
        assert!(share("lure") >= share("perfect"), "{row}");
        assert!((share("lure") - share("perfect") - share("gain")).abs() < 0.11);
    }
}

#[test]
fn stored_games_are_not_played_again() {
    let memory = MemoryGames::default();
    let few = options("tic-tac-toe", &["random"], 6);
    run_study(&few, &memory);
    let more = options("tic-tac-toe", &["random", "mc:playouts=20"], 11);
    let continued = run_study(&more, &memory);
    assert_eq!(continued, run_study(&more, &NullResultStore));
    let before = memory.0.lock().unwrap().clone();
    assert_eq!(before.len(), 4);
    for (series, games) in &before {
        assert_eq!(games.len(), 11, "{series}");
        // Both games of a pair begin in one position, which the record names.
        let start = |number| {
            let game = games.iter().find(|game| game.number == number).unwrap();
            game.start.clone().unwrap()
        };
        assert_eq!(start(0), start(1));
        let starts: BTreeSet<String> = (0..11).map(start).collect();
        assert!(starts.len() > 3, "{starts:?}");
    }
    assert_eq!(run_study(&more, &memory), continued);
    assert_eq!(*memory.0.lock().unwrap(), before, "no game is played");
}

#[test]
fn stored_games_of_another_study_are_refused() {
    let study = options("tic-tac-toe", &["random"], 4);
    let memory = MemoryGames::default();
    run_study(&study, &memory);
    let stored = memory.0.into_inner().unwrap();
    let changes: [fn(&mut GameRecord); 3] =
        [|game| game.agents[1] = "mc".into(), |game| game.first ^= 1, |game| game.start = None];
    for change in changes {
        let mut changed = stored.clone();
        let games = changed.get_mut("lure-random").unwrap();
        change(&mut games[2]);
        let findings = run(&study, &MemoryGames(Mutex::new(changed)), &|_, _| true);
        let failure = findings.failure.unwrap();
        assert!(failure.starts_with("lure-random: game"), "{failure}");
        assert_eq!(findings.report.cells, [], "the row is left out");
    }
}

#[test]
fn a_study_that_is_stopped_keeps_whole_rows_only() {
    let study = options("tic-tac-toe", &["random", "mc:playouts=20"], 8);
    let findings = run(&study, &NullResultStore, &|_, progress| progress.done < 20);
    assert_eq!(findings.failure, None);
    assert_eq!(findings.report.cells.len(), 4);
    assert!(findings.report.cells.iter().all(|cell| cell.row == "random"));
}

#[test]
fn a_game_that_somebody_wins_is_of_no_use() {
    let won = options("dodgem:3x3", &["random"], 4);
    let fault = LureOptions::fault_of(&won.values).unwrap().unwrap();
    assert!(fault.contains("that of dodgem:3x3 is a win in"), "{fault}");
    let drawn = options("tic-tac-toe", &["random"], 4);
    assert_eq!(LureOptions::fault_of(&drawn.values).unwrap(), None);
}
