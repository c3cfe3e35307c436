//! Study of agents for Onitama: properties that do not depend on the play of the agents.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindsight_papers::onitama_agents::{AgentsFigure, AgentsFindings, AgentsOptions, run};
use hindsight_play::GameRecord;
use hindsight_study::{CellVerdict, ChartKind, NullResultStore, ResultStore};

use crate::memory_games::MemoryGames;

fn options(figures: &[AgentsFigure], scale: f64, playouts: u64) -> AgentsOptions {
    AgentsOptions { figures: figures.to_vec(), scale, playouts, seed: 5 }
}

fn run_study(options: &AgentsOptions, store: &dyn ResultStore<GameRecord>) -> AgentsFindings {
    let findings = run(options, store, &|_, _| true);
    assert_eq!(findings.failure, None);
    findings
}

/// Part of the expected error, and the change of stored games that causes it.
type Change = (&'static str, fn(&mut Vec<GameRecord>));

#[test]
fn every_figure_is_drawn() {
    let findings = run_study(&options(&[], 0.004, 10), &NullResultStore);
    let figures: Vec<&str> = findings.charts.iter().map(|chart| &*chart.figure).collect();
    let all = ["8", "9", "10", "11", "12", "13", "14", "15a", "15b", "16", "17", "18", "19"];
    assert_eq!(figures, all);
    for chart in &findings.charts {
        let points = chart.curves.iter().flat_map(|curve| &curve.points);
        for point in points {
            assert!(point.y.is_finite() && point.y >= 0.0, "{chart:?}");
            let [low, high] = point.bounds.unwrap_or([point.y; 2]);
            assert!(low <= point.y + 1e-9 && point.y <= high + 1e-9, "{point:?}");
        }
        let lines = chart.csv().lines().count();
        let points: usize = chart.curves.iter().map(|curve| curve.points.len()).sum();
        assert_eq!(lines, points + 1);
    }
    let chart_of =
        |figure: &str| findings.charts.iter().find(|chart| chart.figure == figure).unwrap();
    assert_eq!(chart_of("8").curves.len(), 2);
    assert_eq!(chart_of("8").curves[0].points.len(), 2, "1 and 10 playouts");
    assert_eq!(chart_of("18").curves[0].points.len(), 18);
    assert_eq!((chart_of("15a").kind, chart_of("15a").curves.len()), (ChartKind::Map, 5));
    let lengths = &chart_of("16").curves[0].points;
    let all: f64 = lengths.iter().map(|point| point.y).sum();
    assert!((all - 100.0).abs() < 1e-9);
    // Claims at 100,000 playouts have no number of ours. Claims at one playout have one.
    let claims: Vec<_> =
        findings.report.cells.iter().filter(|cell| cell.table == "thesis").collect();
    assert_eq!(claims.len(), 17);
    let count = |verdict| claims.iter().filter(|cell| cell.verdict == verdict).count();
    assert_eq!(count(CellVerdict::NotComputed), 10);
    assert_eq!(count(CellVerdict::Equal) + count(CellVerdict::Different), 3);
    assert_eq!(count(CellVerdict::New), 4, "times, and what other playouts give");
}

#[test]
fn stored_games_are_not_played_again() {
    let figures = [AgentsFigure::Agents, AgentsFigure::Lengths];
    let memory = MemoryGames::default();
    let few = run_study(&options(&figures, 0.004, 100), &memory);
    let more = options(&figures, 0.008, 100);
    let continued = run_study(&more, &memory);
    assert_eq!(continued, run_study(&more, &NullResultStore));
    assert_ne!(continued.charts, few.charts);
    // With all games in the store, no game is played or added.
    let before = memory.0.lock().unwrap().clone();
    assert_eq!(run_study(&more, &memory), continued);
    assert_eq!(*memory.0.lock().unwrap(), before);
    // Stored games of another seed are refused.
    let other = AgentsOptions { seed: 6, ..more.clone() };
    let refused = |options: &AgentsOptions, memory: &MemoryGames| {
        let findings = run(options, memory, &|_, _| true);
        assert!(findings.charts.is_empty());
        findings.failure.unwrap()
    };
    let error = refused(&other, &memory);
    assert!(error.contains("another seed"), "{error}");
    // Stored games with inconsistent records are refused.
    let changes: [Change; 5] = [
        ("did not end as it says", |games| {
            games[0].winner = games[0].winner.map(|winner| winner ^ 1)
        }),
        ("did not end as it says", |games| games[0].ending = "nonsense".into()),
        ("other agents", |games| games[0].agents[0] = "random".into()),
        ("other agents or seats", |games| games[0].first ^= 1),
        ("twice", |games| {
            games[1] = games[0].clone();
            games[1].moves.pop();
        }),
    ];
    for (part, change) in changes {
        let mut games = before.clone();
        let series = "mcts-playouts=100-against-mc-playouts=100";
        change(games.get_mut(series).unwrap());
        let error = refused(&more, &MemoryGames(Mutex::new(games)));
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn threads_do_not_matter() {
    let options =
        options(&[AgentsFigure::Cycles, AgentsFigure::Squares, AgentsFigure::Hands], 0.006, 100);
    let findings_with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| run_study(&options, &NullResultStore))
    };
    assert_eq!(findings_with(1), findings_with(3));
}

#[test]
fn a_stopped_study_tells_what_is_whole() {
    let series = AtomicUsize::new(0);
    let last = Mutex::new(String::new());
    let on_progress = |name: &str, progress: hindsight_engine::Progress| {
        assert!(progress.done <= progress.total.unwrap());
        let mut last = last.lock().unwrap();
        if *last != name {
            *last = name.into();
            series.fetch_add(1, Ordering::Relaxed);
        }
        series.load(Ordering::Relaxed) <= 4
    };
    // Figures 8 and 9 share four series. Figure 10 has others.
    let options =
        options(&[AgentsFigure::Random, AgentsFigure::Time, AgentsFigure::Agents], 0.004, 10);
    let findings = run(&options, &NullResultStore, &on_progress);
    let figures: Vec<&str> = findings.charts.iter().map(|chart| &*chart.figure).collect();
    assert_eq!(figures, ["8", "9"]);
}

#[test]
fn strength_grows_with_playouts() {
    let findings = run_study(&options(&[AgentsFigure::Random], 0.1, 100), &NullResultStore);
    for curve in &findings.charts[0].curves {
        let first = curve.points[0].y;
        let last = curve.points[2].y;
        assert!(last > 85.0 && last > first + 20.0, "{curve:?}");
    }
}
