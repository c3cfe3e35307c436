//! Random deals of Onitama on a board that is too large to solve: winners, and the share of deals
//! that are decided within a time.
//!
//! No such numbers were published. Each deal is searched for a forced win of either player
//! ([`hindsight_solve::proof`]) until it is decided or its time is over. Positions with few
//! students are looked up in tables.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hindsight_core::{Notation, Retro, TwoSided, Wdl};
use hindsight_play::SeededRandom;
use hindsight_rules::{Setup, Visitor, onitama_by_name};
use hindsight_solve::proof::{self, StagedProof};
use hindsight_solve::{Error, Limits, Monitor, Progress};

use crate::board_size::BoardSize;
use crate::report::{Caption, Cell, StudyReport};
use crate::result_store::ResultStore;

/// Options of the study of deals.
#[derive(Clone, Debug)]
pub struct DealsOptions {
    /// Size of the board.
    pub board: BoardSize,
    /// Number of deals.
    pub deals: u64,
    /// Seed of the deals.
    pub seed: u64,
    /// Time limit of a deal, in seconds.
    pub seconds: f64,
    /// Memory limit of a deal, in bytes.
    pub memory: u64,
}

impl DealsOptions {
    /// Board of the game as it is sold.
    pub const BOARD: BoardSize = BoardSize::new(5, 5);
    /// Default number of deals.
    pub const DEALS: u64 = 100;
}

/// Result of the search of one deal within a time.
#[derive(Clone, PartialEq, Debug)]
pub struct DealResult {
    /// Number of the deal, from 0.
    pub number: u64,
    /// Spec of the game as it is dealt.
    pub spec: String,
    /// Time limit of the search, in seconds.
    pub allowed_seconds: f64,
    /// Answers to "can this player force a win?", for the player who moves first and for the
    /// other. `None` if the search did not decide.
    pub wins: [Option<bool>; 2],
    /// Move from the start that wins, or else holds the draw; `None` if no such move is known.
    pub best_move: Option<String>,
    /// Number of positions that were expanded.
    pub positions: u64,
    /// Largest number of students per side in the tables used; 0 if none were.
    pub students: u32,
    /// Run time of the search, in seconds.
    pub seconds: f64,
}

impl DealResult {
    /// Returns the value for the player who moves first, if it is known.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        proof::value_of_wins(self.wins)
    }
}

/// Callback that receives the spec of the current deal and the progress of its search. Returns
/// `false` to stop the study.
pub type DealProgressFn<'a> = &'a mut dyn FnMut(&str, Progress) -> bool;

/// Result of the study of deals.
#[derive(Clone, Debug, Default)]
pub struct DealsFindings {
    /// Counts of deals by value, and the deals that were decided.
    pub report: StudyReport,
    /// Reason why deals are missing, as a sentence, if something failed.
    pub failure: Option<String>,
}

/// Searches the deals one after the other, each on all threads.
///
/// A stored deal is not searched again if it was decided or had at least as much time. The report
/// also has the stored deals with numbers from `options.deals` up.
///
/// # Panics
/// If `options.board` is no board of Onitama.
pub fn run(
    options: &DealsOptions,
    store: &dyn ResultStore<DealResult>,
    on_progress: DealProgressFn<'_>,
) -> DealsFindings {
    let series = options.board.to_string();
    let mut deals = match store.read(&series) {
        Ok(deals) => deals,
        Err(message) => return failed_findings(message),
    };
    if let Some(foreign) = deals
        .iter()
        .find(|deal| deal.spec != options.spec(deal.number))
    {
        return failed_findings(format!("deal {} is not {}", foreign.number, foreign.spec));
    }
    let allowed = options.seconds;
    let mut failure = None;
    for number in 0..options.deals {
        let is_done = |deal: &DealResult| deal.allowed_seconds >= allowed || deal.value().is_some();
        if deals
            .iter()
            .any(|deal| deal.number == number && is_done(deal))
        {
            continue;
        }
        let deal = match search_deal(options, number, allowed, on_progress) {
            Ok(Some(deal)) => deal,
            Ok(None) => break,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        let stored = store.add(&series, &deal);
        deals.push(deal);
        if let Err(error) = stored {
            failure = Some(error);
            break;
        }
    }
    DealsFindings {
        report: report(&deals),
        failure,
    }
}

fn failed_findings(message: String) -> DealsFindings {
    DealsFindings {
        failure: Some(message),
        ..DealsFindings::default()
    }
}

impl DealsOptions {
    /// Returns the spec of a deal.
    fn spec(&self, number: u64) -> String {
        let spec = format!("onitama:{}:random", self.board);
        let mut random = SeededRandom::new(&[self.seed, number]);
        let dealt = hindsight_rules::deal(&spec, &Setup::default(), &mut random);
        let dealt = dealt.expect("enough cards");
        dealt.expect("cards are left to chance")
    }
}

/// Searches a deal. Returns `None` if the study was stopped.
fn search_deal(
    options: &DealsOptions,
    number: u64,
    allowed: f64,
    on_progress: DealProgressFn<'_>,
) -> Result<Option<DealResult>, String> {
    let spec = options.spec(number);
    let visitor = ProofVisitor {
        limits: Limits {
            memory: options.memory,
            time: Some(Duration::from_secs_f64(allowed)),
        },
        monitor: DealMonitor {
            spec: &spec,
            on_progress,
        },
    };
    let begin = Instant::now();
    let proof = onitama_by_name(&spec, &Setup::default(), visitor).expect("a board and five cards");
    let seconds = begin.elapsed().as_secs_f64();
    let result = |proof: DealProof| DealResult {
        number,
        allowed_seconds: allowed,
        wins: proof.wins,
        best_move: proof.best_move,
        positions: proof.positions,
        students: proof.students,
        seconds,
        spec: spec.clone(),
    };
    match proof {
        Ok(proof) => Ok(proof.map(result)),
        Err(Error::Stopped) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Result of the proof search of a deal. For the fields see [`DealResult`].
struct DealProof {
    wins: [Option<bool>; 2],
    best_move: Option<String>,
    positions: u64,
    students: u32,
}

/// Monitor that forwards the progress of one deal to the caller.
struct DealMonitor<'a, 'b> {
    spec: &'a str,
    on_progress: DealProgressFn<'b>,
}

impl Monitor for DealMonitor<'_, '_> {
    fn report(&mut self, progress: Progress) -> bool {
        (self.on_progress)(self.spec, progress)
    }
}

/// Visitor that proves the value of the start.
struct ProofVisitor<'a, 'b> {
    limits: Limits,
    monitor: DealMonitor<'a, 'b>,
}

impl Visitor for ProofVisitor<'_, '_> {
    type Output = Result<Option<DealProof>, Error>;

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        unreachable!("{} has at most 32 squares", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(mut self, game: G) -> Self::Output {
        let (start, limits) = (game.start(), self.limits);
        let staged = proof::solve_staged(&game, start, None, limits, &mut self.monitor)?;
        let StagedProof {
            solution, tables, ..
        } = staged;
        if solution.stopped && solution.value().is_none() {
            return Ok(None);
        }
        let best = solution.best_move(&game);
        Ok(Some(DealProof {
            wins: solution.wins(),
            best_move: best.map(|best| game.format_move(game.start(), best)),
            positions: solution.expansions,
            students: tables.followers,
        }))
    }
}

fn report(deals: &[DealResult]) -> StudyReport {
    let mut report = StudyReport::default();
    let mut times: Vec<f64> = deals.iter().map(|deal| deal.allowed_seconds).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    for &time in &times {
        // Value of each deal as far as it is known after `time`. Deals that had less time are left
        // out, unless they were decided.
        let mut values: BTreeMap<u64, Option<Wdl>> = BTreeMap::new();
        for deal in deals {
            let value = deal.value().filter(|_| deal.seconds <= time);
            if deal.allowed_seconds >= time || value.is_some() {
                let known = values.entry(deal.number).or_default();
                *known = known.or(value);
            }
        }
        let count = |value| values.values().filter(|&&known| known == value).count();
        let columns = [
            ("deals", values.len()),
            ("first wins", count(Some(Wdl::Win))),
            ("second wins", count(Some(Wdl::Loss))),
            ("neither", count(Some(Wdl::Draw))),
            ("not decided", count(None)),
        ];
        let row = format!("{time} s");
        for (column, n) in columns {
            let cell = Cell::new(
                "time",
                row.clone(),
                column.into(),
                None,
                Some(n.to_string()),
            );
            report.cells.push(cell);
        }
    }
    let decided: BTreeMap<u64, &DealResult> = deals
        .iter()
        .filter(|deal| deal.value().is_some())
        .map(|deal| (deal.number, deal))
        .collect();
    for deal in decided.values() {
        let value = deal.value().map(|value| value.to_string());
        let columns = [
            ("value", value),
            ("best move", deal.best_move.clone()),
            ("students", Some(deal.students.to_string())),
            ("positions", Some(deal.positions.to_string())),
            ("seconds", Some(format!("{:.1}", deal.seconds))),
        ];
        for (column, ours) in columns {
            let row = deal.spec.clone();
            report
                .cells
                .push(Cell::new("decided", row, column.into(), None, ours));
        }
    }
    let captions = [
        (
            "time",
            "Deals by what is known of them after a time",
            "first is the player who moves first; \
             a deal that was decided sooner counts in every longer time",
        ),
        (
            "decided",
            "Deals that were decided",
            "the value is for the player who moves first; \
             students: the most a side in the tables used",
        ),
    ];
    for (table, text, note) in captions {
        if report.cells.iter().any(|cell| cell.table == table) {
            report.captions.push(Caption {
                table: table.into(),
                text: text.into(),
                note: Some(note.into()),
            });
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{DealResult, DealsOptions, run};
    use crate::board_size::BoardSize;
    use crate::result_store::ResultStore;
    use hindsight_core::{Notation, Wdl};
    use hindsight_rules::{Setup, Visitor, by_name};
    use hindsight_solve::{Limits, NoMonitor, graph};

    #[derive(Default)]
    struct MemoryDeals(Mutex<Vec<DealResult>>);

    impl ResultStore<DealResult> for MemoryDeals {
        fn read(&self, _: &str) -> Result<Vec<DealResult>, String> {
            Ok(self.0.lock().expect("no panic").clone())
        }
        fn add(&self, _: &str, deal: &DealResult) -> Result<(), String> {
            self.0.lock().expect("no panic").push(deal.clone());
            Ok(())
        }
    }

    struct StartValue;
    impl Visitor for StartValue {
        type Output = Wdl;
        fn visit<G: Notation>(self, game: G) -> Wdl {
            let solved = graph::solve(&game, Limits::default(), &mut NoMonitor);
            solved.expect("no limits").value(0).wdl()
        }
    }

    #[test]
    fn deals_are_decided_as_the_graph_says_and_go_on() {
        let store = MemoryDeals::default();
        let options = |deals| DealsOptions {
            board: BoardSize::new(3, 3),
            deals,
            seed: 7,
            seconds: 60.0,
            memory: 1 << 26,
        };
        let mut calls = 0;
        let first = run(&options(3), &store, &mut |_, _| true);
        assert_eq!(first.failure, None);
        let second = run(&options(5), &store, &mut |_, _| {
            calls += 1;
            true
        });
        assert_eq!(second.failure, None);
        let deals = store.0.into_inner().expect("no panic");
        assert_eq!(
            deals.iter().map(|deal| deal.number).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4]
        );
        for deal in &deals {
            let expected = by_name(&deal.spec, &Setup::default(), StartValue).expect("a spec");
            assert_eq!(deal.value(), Some(expected), "{}", deal.spec);
            assert_eq!(
                deal.best_move.is_some(),
                expected != Wdl::Loss,
                "{}",
                deal.spec
            );
        }
        let is_deal_count = |cell: &&crate::Cell| cell.table == "time" && cell.column == "deals";
        let cell = second.report.cells.iter().find(is_deal_count);
        assert_eq!(cell.and_then(|cell| cell.ours.as_deref()), Some("5"));
    }

    #[test]
    fn a_deal_of_another_seed_is_refused() {
        let store = MemoryDeals::default();
        let options = |seed| DealsOptions {
            board: BoardSize::new(2, 3),
            deals: 1,
            seed,
            seconds: 60.0,
            memory: 1 << 24,
        };
        assert_eq!(run(&options(1), &store, &mut |_, _| true).failure, None);
        let message = run(&options(2), &store, &mut |_, _| true).failure;
        assert!(message.expect("a sentence").starts_with("deal 0 is not "));
    }
}
