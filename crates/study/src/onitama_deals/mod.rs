//! Random deals of Onitama on a board that is too large to solve: winners, and the share of deals
//! that are decided within a time.
//!
//! No such numbers were published. Each deal is searched for a forced win of either player
//! ([`hindsight_solve::proof`]) until it is decided or its time is over. Positions with few
//! students are looked up in tables.

mod options;
mod report;
mod result;
mod search;

use crate::report::StudyReport;
use crate::result_store::ResultStore;
pub use options::DealsOptions;
use report::report;
pub use result::{DealResult, proved_deals};
use search::search_deal;
pub use search::{DealProgressFn, prove_again};

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
    let stored = store.read(&series);
    let mut deals = match stored.and_then(|stored| check_deals(options, stored)) {
        Ok(deals) => deals,
        Err(message) => return failed_findings(message),
    };
    let done = options.done_deals(&deals);
    let mut failure = None;
    for number in options.numbers().filter(|number| !done.contains(number)) {
        let deal = match search_deal(options, number, on_progress) {
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
    DealsFindings { report: report(&deals), failure }
}

/// Returns stored deals as they are.
///
/// # Errors
/// A sentence, if a deal is not that of its number and the seed, or is of another part.
pub fn check_deals(
    options: &DealsOptions,
    stored: Vec<DealResult>,
) -> Result<Vec<DealResult>, String> {
    for deal in &stored {
        if deal.spec != options.spec(deal.number) {
            return Err(format!("deal {} is not {}", deal.number, deal.spec));
        }
        if options.part.is_some_and(|part| !part.contains(deal.number)) {
            return Err(format!("deal {} is of another part", deal.number));
        }
    }
    Ok(stored)
}

fn failed_findings(message: String) -> DealsFindings {
    DealsFindings { failure: Some(message), ..DealsFindings::default() }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{DealResult, DealsOptions, check_deals, run};
    use crate::board_size::BoardSize;
    use crate::result_store::ResultStore;
    use crate::rules::game_of;
    use crate::study_part::StudyPart;
    use hindsight_core::Wdl;
    use hindsight_engine::{Limits, NoMonitor};
    use hindsight_solve::graph;

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

    fn start_value(spec: &str) -> Wdl {
        let solved = graph::solve(&game_of(spec), Limits::default(), &mut NoMonitor);
        solved.expect("no limits").value(0).wdl()
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
            part: None,
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
        assert_eq!(deals.iter().map(|deal| deal.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        for deal in &deals {
            let expected = start_value(&deal.spec);
            assert_eq!(deal.value(), Some(expected), "{}", deal.spec);
            assert_eq!(deal.best_move.is_some(), expected != Wdl::Loss, "{}", deal.spec);
        }
        let is_deal_count = |cell: &&crate::Cell| cell.table == "time" && cell.column == "deals";
        let cell = second.report.cells.iter().find(is_deal_count);
        assert_eq!(cell.and_then(|cell| cell.ours.as_deref()), Some("5"));
    }

    #[test]
    fn parts_have_every_deal_once() {
        let options = |number| DealsOptions {
            board: BoardSize::new(2, 3),
            deals: 7,
            seed: 5,
            seconds: 60.0,
            memory: 1 << 24,
            part: StudyPart::new(number, 3),
        };
        let mut numbers = Vec::new();
        for number in 1..=3 {
            let store = MemoryDeals::default();
            let part = options(number);
            assert_eq!(run(&part, &store, &mut |_, _| true).failure, None);
            let deals = store.0.into_inner().expect("no panic");
            assert_eq!(deals.len() as u64, part.wanted_deals());
            assert_eq!(part.done_deals(&deals).len(), deals.len());
            numbers.extend(deals.iter().map(|deal| deal.number));
            let refused = check_deals(&options(number % 3 + 1), deals).expect_err("a part");
            assert!(refused.contains("is of another part"), "{refused}");
        }
        assert_eq!(numbers, [0, 3, 6, 1, 4, 2, 5]);
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
            part: None,
        };
        assert_eq!(run(&options(1), &store, &mut |_, _| true).failure, None);
        let message = run(&options(2), &store, &mut |_, _| true).failure;
        assert!(message.expect("a sentence").starts_with("deal 0 is not "));
    }
}
