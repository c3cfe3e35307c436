//! The study of agents for Onitama: what does not depend on how the games are played.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindsight_play::GameRecord;
use hindsight_study::onitama_agents::{AgentsFigure, AgentsFindings, AgentsOptions, run};
use hindsight_study::{CellVerdict, ChartKind, NullResultStore, ResultStore};

fn options(figures: &[AgentsFigure], scale: f64, playouts: u64) -> AgentsOptions {
    AgentsOptions {
        figures: figures.to_vec(),
        scale,
        playouts,
        seed: 5,
    }
}

fn found(options: &AgentsOptions, keep: &dyn ResultStore<GameRecord>) -> AgentsFindings {
    let found = run(options, keep, &|_, _| true);
    assert_eq!(found.failure, None);
    found
}

/// What is said of games that were changed, and how they are.
type Change = (&'static str, fn(&mut Vec<GameRecord>));

/// Keeps games in memory.
#[derive(Default)]
struct Memory(Mutex<BTreeMap<String, Vec<GameRecord>>>);

impl ResultStore<GameRecord> for Memory {
    fn read(&self, series: &str) -> Result<Vec<GameRecord>, String> {
        Ok(self
            .0
            .lock()
            .unwrap()
            .get(series)
            .cloned()
            .unwrap_or_default())
    }

    fn add(&self, series: &str, game: &GameRecord) -> Result<(), String> {
        let mut kept = self.0.lock().unwrap();
        kept.entry(series.into()).or_default().push(game.clone());
        Ok(())
    }
}

#[test]
fn every_figure_is_drawn() {
    let found = found(&options(&[], 0.004, 10), &NullResultStore);
    let figures: Vec<&str> = found.charts.iter().map(|chart| &*chart.figure).collect();
    let all = [
        "8", "9", "10", "11", "12", "13", "14", "15a", "15b", "16", "17", "18", "19",
    ];
    assert_eq!(figures, all);
    for chart in &found.charts {
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
    let of = |figure: &str| {
        found
            .charts
            .iter()
            .find(|chart| chart.figure == figure)
            .unwrap()
    };
    assert_eq!(of("8").curves.len(), 2);
    assert_eq!(of("8").curves[0].points.len(), 2, "1 and 10 playouts");
    assert_eq!(of("18").curves[0].points.len(), 18);
    assert_eq!(
        (of("15a").kind, of("15a").curves.len()),
        (ChartKind::Map, 5)
    );
    let lengths = &of("16").curves[0].points;
    let all: f64 = lengths.iter().map(|point| point.y).sum();
    assert!((all - 100.0).abs() < 1e-9);
    // The thesis's numbers at 100,000 playouts are beside nothing, those at one playout beside ours.
    let claims: Vec<_> = found
        .report
        .cells
        .iter()
        .filter(|cell| cell.table == "thesis")
        .collect();
    assert_eq!(claims.len(), 17);
    let count = |verdict| claims.iter().filter(|cell| cell.verdict == verdict).count();
    assert_eq!(count(CellVerdict::NotComputed), 10);
    assert_eq!(count(CellVerdict::Equal) + count(CellVerdict::Different), 3);
    assert_eq!(
        count(CellVerdict::New),
        4,
        "times, and what other playouts give"
    );
}

#[test]
fn kept_games_are_not_played_again() {
    let figures = [AgentsFigure::Agents, AgentsFigure::Lengths];
    let memory = Memory::default();
    let few = found(&options(&figures, 0.004, 100), &memory);
    let more = options(&figures, 0.008, 100);
    let continued = found(&more, &memory);
    assert_eq!(continued, found(&more, &NullResultStore));
    assert_ne!(continued.charts, few.charts);
    // Everything is there: nothing is played, so nothing is added.
    let before = memory.0.lock().unwrap().clone();
    assert_eq!(found(&more, &memory), continued);
    assert_eq!(*memory.0.lock().unwrap(), before);
    // Games of another seed are refused.
    let other = AgentsOptions {
        seed: 6,
        ..more.clone()
    };
    let refused = |options: &AgentsOptions, memory: &Memory| {
        let found = run(options, memory, &|_, _| true);
        assert!(found.charts.is_empty());
        found.failure.unwrap()
    };
    let error = refused(&other, &memory);
    assert!(error.contains("another seed"), "{error}");
    // So are games that are not what they say.
    let changes: [Change; 5] = [
        ("did not end as it says", |games| {
            games[0].winner = games[0].winner.map(|winner| winner ^ 1)
        }),
        ("did not end as it says", |games| {
            games[0].ending = "nonsense".into()
        }),
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
        let error = refused(&more, &Memory(Mutex::new(games)));
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn threads_do_not_matter() {
    let options = options(
        &[
            AgentsFigure::Cycles,
            AgentsFigure::Squares,
            AgentsFigure::Hands,
        ],
        0.006,
        100,
    );
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| found(&options, &NullResultStore))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn a_stopped_study_tells_what_is_whole() {
    let series = AtomicUsize::new(0);
    let last = Mutex::new(String::new());
    let watch = |name: &str, progress: hindsight_solve::Progress| {
        assert!(progress.done <= progress.total.unwrap());
        let mut last = last.lock().unwrap();
        if *last != name {
            *last = name.into();
            series.fetch_add(1, Ordering::Relaxed);
        }
        series.load(Ordering::Relaxed) <= 4
    };
    // Figure 8 has four series, Figure 9 the same, Figure 10 others.
    let options = options(
        &[
            AgentsFigure::Random,
            AgentsFigure::Time,
            AgentsFigure::Agents,
        ],
        0.004,
        10,
    );
    let found = run(&options, &NullResultStore, &watch);
    let figures: Vec<&str> = found.charts.iter().map(|chart| &*chart.figure).collect();
    assert_eq!(figures, ["8", "9"]);
}

#[test]
fn strength_grows_with_playouts() {
    let found = found(
        &options(&[AgentsFigure::Random], 0.1, 100),
        &NullResultStore,
    );
    for curve in &found.charts[0].curves {
        let first = curve.points[0].y;
        let last = curve.points[2].y;
        assert!(last > 85.0 && last > first + 20.0, "{curve:?}");
    }
}
