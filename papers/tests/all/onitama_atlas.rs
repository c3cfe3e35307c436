//! Atlas of sets of cards, compared with games that are solved one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hindsight_core::{PackedGame, Value};
use hindsight_engine::{Limits, NoMonitor, Progress};
use hindsight_papers::onitama_atlas::{AtlasEntry, AtlasFindings, AtlasOptions, check_sets, run};
use hindsight_rules::onitama::BASE;
use hindsight_rules::{Setup, by_name};
use hindsight_study::{BoardSize, NullResultStore, ResultStore, StudyPart};

const SMALL: BoardSize = BoardSize::new(2, 3);
const ODD: BoardSize = BoardSize::new(3, 3);

/// Seed of the order of the sets.
const SEED: u64 = 3;

fn options(boards: &[BoardSize]) -> AtlasOptions {
    AtlasOptions { boards: boards.to_vec(), seed: SEED, limits: Limits::default(), part: None }
}

/// Store of entries in memory.
#[derive(Default)]
struct MemoryEntries(Mutex<BTreeMap<String, Vec<AtlasEntry>>>);

impl ResultStore<AtlasEntry> for MemoryEntries {
    fn read(&self, series: &str) -> Result<Vec<AtlasEntry>, String> {
        let stored = self.0.lock().unwrap();
        Ok(stored.get(series).cloned().unwrap_or_default())
    }

    fn add(&self, series: &str, entry: &AtlasEntry) -> Result<(), String> {
        let mut stored = self.0.lock().unwrap();
        stored.entry(series.into()).or_default().push(entry.clone());
        Ok(())
    }
}

/// Returns the findings of at least the first `sets` sets of a board, solved or from the store.
fn first_sets(size: BoardSize, sets: u64, store: &dyn ResultStore<AtlasEntry>) -> AtlasFindings {
    let go_on = |_, progress: Progress| progress.done < sets;
    let findings = run(&options(&[size]), store, &go_on);
    assert_eq!(findings.failure, None);
    findings
}

fn start_value(game: &PackedGame) -> Value {
    hindsight_solve::graph::solve(game, Limits::default(), &mut NoMonitor).unwrap().value(0)
}

#[test]
fn deals_have_the_values_of_their_games() {
    for (size, sets, step) in [(SMALL, 20, 1), (ODD, 2, 11)] {
        let findings = first_sets(size, sets, &NullResultStore);
        let survey = &findings.surveys[&size];
        assert!(survey.entries.len() as u64 >= sets);
        for entry in survey.entries.iter().take(sets as usize) {
            let deals = entry.deal_specs(size);
            assert_eq!((deals.len(), entry.starts.len()), (30, 30));
            for (spec, &start) in deals.iter().zip(&entry.starts).step_by(step) {
                let value =
                    by_name(spec, &Setup::default()).map(|game| start_value(&game)).unwrap();
                let plies = value.remoteness().map_or(0, |plies| plies as i16);
                let expected = if matches!(value, Value::Loss(_)) { -plies } else { plies };
                assert_eq!(start, expected, "{spec}");
            }
        }
    }
}

#[test]
fn mirrored_sets_are_alike_on_odd_widths() {
    let size = BoardSize::new(3, 2);
    let findings = first_sets(size, 400, &NullResultStore);
    let mirror = |name: &str| {
        let offsets = |name: &str| {
            let card = BASE.iter().find(|card| card.0 == name).unwrap();
            card.2.iter().copied().collect::<BTreeSet<_>>()
        };
        let mirrored: BTreeSet<_> = offsets(name).iter().map(|&(x, y)| (-x, y)).collect();
        let same = BASE.iter().find(|other| offsets(other.0) == mirrored);
        same.unwrap().0.to_string()
    };
    let entries = &findings.surveys[&size].entries;
    let cards = |entry: &AtlasEntry| entry.cards.clone();
    let by_cards: BTreeMap<_, _> = entries.iter().map(|entry| (cards(entry), entry)).collect();
    let mut pairs = 0;
    for entry in entries {
        let mut cards = entry.cards.each_ref().map(|name| mirror(name));
        cards.sort_unstable();
        let Some(other) = by_cards.get(&cards) else {
            continue;
        };
        pairs += usize::from(cards != entry.cards);
        assert_eq!(other.start_outcomes(), entry.start_outcomes(), "{cards:?}");
        let positions = |entry: &AtlasEntry| (entry.wins, entry.losses, entry.draws, entry.longest);
        assert_eq!(positions(other), positions(entry), "{cards:?}");
    }
    assert!(pairs > 10, "{pairs} pairs");
}

#[test]
fn a_board_is_every_set_once() {
    let size = BoardSize::new(1, 3);
    let findings = run(&options(&[size, size]), &NullResultStore, &|_, _| true);
    let survey = &findings.surveys[&size];
    let sets: BTreeSet<_> = survey.entries.iter().map(|entry| &entry.cards).collect();
    assert_eq!((sets.len(), survey.entries.len()), (4368, 4368));
    let fairest = survey.fairest();
    let unfairness = |entry: &AtlasEntry| (entry.first_player_share() - 0.5).abs();
    assert!(fairest.windows(2).all(|two| unfairness(two[0]) <= unfairness(two[1])));
    assert_eq!(survey.sets_csv().lines().count(), 4369);
    assert_eq!(survey.deals_csv().lines().count(), 30 * 4368 + 1);
    let sets = |chart: &hindsight_study::Chart| -> f64 {
        let points = &chart.curves[0].points;
        points.iter().map(|point| point.y).sum()
    };
    let page = findings.charts(size);
    assert_eq!(page.len(), 4);
    assert!(page[..3].iter().all(|chart| sets(chart) == 4368.0));
    assert_eq!(page[3].curves[0].points.len(), 16);
    assert!(findings.report.text(80).contains("1x3: the least fair sets"));
}

#[test]
fn a_study_goes_on_where_it_was_stopped() {
    let store = MemoryEntries::default();
    let some = first_sets(SMALL, 5, &store);
    let some = &some.surveys[&SMALL].entries;
    let solved = AtomicUsize::new(usize::MAX);
    let more = run(&options(&[SMALL]), &store, &|_, progress| {
        solved.fetch_min(progress.done as usize, Ordering::Relaxed);
        progress.done < 40
    });
    assert!(solved.into_inner() >= some.len());
    let more = &more.surveys[&SMALL].entries;
    assert!(more.len() >= 40 && some.iter().all(|entry| more.contains(entry)));
    let numbers: Vec<usize> = more.iter().map(|entry| entry.number).collect();
    assert!(numbers.is_sorted());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(|| first_sets(SMALL, 40, &NullResultStore));
    let alone = &alone.surveys[&SMALL].entries;
    assert!(alone.iter().zip(0..).all(|(entry, i)| entry.number == i));
    assert!(
        more.iter()
            .filter_map(|entry| alone.iter().find(|other| other.number == entry.number))
            .count()
            > 30
    );
    for entry in more {
        let same = alone.iter().find(|other| other.number == entry.number);
        assert!(same.is_none_or(|other| other == entry));
    }
}

#[test]
fn parts_have_every_set_once() {
    let size = BoardSize::new(1, 3);
    let whole = run(&options(&[size]), &NullResultStore, &|_, _| true);
    let part = |number| AtlasOptions { part: StudyPart::new(number, 5), ..options(&[size]) };
    let mut entries = Vec::new();
    for number in 1..=5 {
        let options = part(number);
        let totals = Mutex::new(BTreeSet::new());
        let findings = run(&options, &NullResultStore, &|_, progress| {
            totals.lock().unwrap().insert(progress.total);
            true
        });
        let own = &findings.surveys[&size].entries;
        assert_eq!(own.len() as u64, options.sets());
        assert_eq!(totals.into_inner().unwrap(), BTreeSet::from([Some(options.sets())]));
        let other = check_sets(size, &part(number % 5 + 1), own.clone());
        assert!(other.unwrap_err().contains("is of another part"));
        entries.extend(own.iter().cloned());
    }
    entries.sort_by_key(|entry| entry.number);
    assert_eq!(entries, whole.surveys[&size].entries);
}

#[test]
fn sets_that_do_not_fit_are_refused() {
    type Change = (&'static str, fn(&mut Vec<AtlasEntry>));
    let changes: [Change; 5] = [
        ("not of this study", |stored| stored[0].number = 4368),
        ("not of this study", |stored| stored[1].cards.swap(0, 1)),
        ("not of this study", |stored| stored[0].wins += 1),
        ("not of this study", |stored| stored[0].starts.truncate(29)),
        ("there twice, with other values", |stored| {
            stored.push(AtlasEntry { longest: 99, ..stored[0].clone() });
        }),
    ];
    for (expected, change) in changes {
        let store = MemoryEntries::default();
        first_sets(SMALL, 2, &store);
        change(store.0.lock().unwrap().get_mut("2x3").unwrap());
        let findings = run(&options(&[SMALL]), &store, &|_, _| false);
        let message = findings.failure.unwrap_or_default();
        assert!(message.contains(expected), "{message}");
    }
    let mut tight = options(&[ODD]);
    tight.limits.memory = 1000;
    let message = run(&tight, &NullResultStore, &|_, _| true).failure.unwrap();
    assert!(message.contains("1000 are allowed"), "{message}");
    // A time limit of a millisecond leaves a sample.
    let mut short = options(&[SMALL]);
    short.limits.time = Some(Duration::from_millis(1));
    let findings = run(&short, &NullResultStore, &|_, _| true);
    let sets = findings.surveys[&SMALL].entries.len();
    assert!((1..4368).contains(&sets), "{sets} sets");
    for text in ["3", "3x", "0x4", "3x1", "6x6", "3x4x5", "-3x4", ""] {
        assert!(text.parse::<BoardSize>().unwrap_err().contains("such as 3x4"), "{text}");
    }
}
