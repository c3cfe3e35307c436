//! Who wins from random deals of Onitama on a board that is too large to solve: how many are decided in how long.
//!
//! Nothing of this was published. Each deal is searched for a forced win of either player
//! ([`hindsight_solve::proof`]), with tables of few students as leaves, until it is decided or its time is over.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, Retro, TwoSided, Wdl};
use hindsight_play::SeededRandom;
use hindsight_rules::{Setup, Visitor, onitama_by_name};
use hindsight_solve::proof::{self, StagedProof};
use hindsight_solve::{Error, Limits, Monitor, Progress};

use crate::keep::Keep;
use crate::onitama_atlas::Size;
use crate::report::{Caption, Cell, Report};

/// What to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// The board.
    pub board: Size,
    /// How many deals.
    pub deals: u64,
    /// Decides the deals.
    pub seed: u64,
    /// Seconds for each deal.
    pub seconds: f64,
    /// Bytes for each deal.
    pub memory: u64,
}

impl Options {
    /// The board of the game.
    pub const BOARD: Size = Size::new(5, 5);
    /// Deals if no number is given.
    pub const DEALS: u64 = 100;
}

/// What was found of a deal in a time.
#[derive(Clone, PartialEq, Debug)]
pub struct Deal {
    /// Its number, from 0.
    pub number: u64,
    /// Its game.
    pub spec: String,
    /// Seconds it had.
    pub allowed: f64,
    /// Whether the player who moves first can force a win, and whether the other can, as far as that was found.
    pub wins: [Option<bool>; 2],
    /// A first move that wins, or holds the draw.
    pub best: Option<String>,
    /// Positions whose moves were looked at.
    pub positions: u64,
    /// The most students a side in the tables used, 0 for none.
    pub students: u32,
    /// Seconds it took.
    pub seconds: f64,
}

impl Deal {
    /// The value for the player who moves first.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        match self.wins {
            [Some(true), _] => Some(Wdl::Win),
            [_, Some(true)] => Some(Wdl::Loss),
            [Some(false), Some(false)] => Some(Wdl::Draw),
            _ => None,
        }
    }
}

/// Is told which deal it is, and how far it is; `false` stops the study.
pub type Watch<'a> = &'a mut dyn FnMut(&str, Progress) -> bool;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How many were decided, and each deal that was.
    pub report: Report,
    /// Why some are missing: a sentence.
    pub failed: Option<String>,
}

/// Searches deal after deal, each on all threads. Deals that were decided before, or had as much time, are not
/// searched again; those kept beyond `deals` are in the report too.
///
/// # Panics
/// When the board is no board of Onitama.
pub fn run(options: &Options, keep: &dyn Keep<Deal>, watch: Watch<'_>) -> Found {
    let series = options.board.to_string();
    let mut deals = match keep.read(&series) {
        Ok(deals) => deals,
        Err(message) => return failed(message),
    };
    if let Some(other) = deals
        .iter()
        .find(|deal| deal.spec != options.spec(deal.number))
    {
        return failed(format!("deal {} is not {}", other.number, other.spec));
    }
    let allowed = options.seconds;
    let mut message = None;
    for number in 0..options.deals {
        let is_done = |deal: &Deal| deal.allowed >= allowed || deal.value().is_some();
        if deals
            .iter()
            .any(|deal| deal.number == number && is_done(deal))
        {
            continue;
        }
        let deal = match search(options, number, allowed, watch) {
            Ok(Some(deal)) => deal,
            Ok(None) => break,
            Err(error) => {
                message = Some(error);
                break;
            }
        };
        let kept = keep.add(&series, &deal);
        deals.push(deal);
        if let Err(error) = kept {
            message = Some(error);
            break;
        }
    }
    Found {
        report: report(&deals),
        failed: message,
    }
}

fn failed(message: String) -> Found {
    Found {
        failed: Some(message),
        ..Found::default()
    }
}

impl Options {
    /// The game of a deal.
    fn spec(&self, number: u64) -> String {
        let spec = format!("onitama:{}:random", self.board);
        let mut random = SeededRandom::new(&[self.seed, number]);
        let dealt = hindsight_rules::deal(&spec, &Setup::default(), &mut random);
        let dealt = dealt.expect("enough cards");
        dealt.expect("cards are left to chance")
    }
}

/// Searches a deal; `None` if the study was stopped.
fn search(
    options: &Options,
    number: u64,
    allowed: f64,
    watch: Watch<'_>,
) -> Result<Option<Deal>, String> {
    let spec = options.spec(number);
    let search = Search {
        limits: Limits {
            memory: options.memory,
            time: Some(Duration::from_secs_f64(allowed)),
        },
        told: Told { spec: &spec, watch },
    };
    let begin = Instant::now();
    let found = onitama_by_name(&spec, &Setup::default(), search).expect("a board and five cards");
    let seconds = begin.elapsed().as_secs_f64();
    let deal = |found: Searched| Deal {
        number,
        allowed,
        wins: found.wins,
        best: found.best,
        positions: found.positions,
        students: found.students,
        seconds,
        spec: spec.clone(),
    };
    match found {
        Ok(found) => Ok(found.map(deal)),
        Err(Error::Stopped) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

struct Searched {
    wins: [Option<bool>; 2],
    best: Option<String>,
    positions: u64,
    students: u32,
}

/// Tells of a deal.
struct Told<'a, 'b> {
    spec: &'a str,
    watch: Watch<'b>,
}

impl Monitor for Told<'_, '_> {
    fn report(&mut self, progress: Progress) -> bool {
        (self.watch)(self.spec, progress)
    }
}

struct Search<'a, 'b> {
    limits: Limits,
    told: Told<'a, 'b>,
}

impl Visitor for Search<'_, '_> {
    type Output = Result<Option<Searched>, Error>;

    fn visit<G: Game + Notation>(self, game: G) -> Self::Output {
        unreachable!("{} has at most 32 squares", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(mut self, game: G) -> Self::Output {
        let found = proof::solve_staged(&game, self.limits, &mut self.told)?;
        let StagedProof { solution, tables } = found;
        if solution.stopped && solution.value().is_none() {
            return Ok(None);
        }
        let best = solution.best_move(&game);
        Ok(Some(Searched {
            wins: solution.wins(),
            best: best.map(|best| game.format_move(game.start(), best)),
            positions: solution.expansions,
            students: tables.followers,
        }))
    }
}

fn report(deals: &[Deal]) -> Report {
    let mut report = Report::default();
    let mut times: Vec<f64> = deals.iter().map(|deal| deal.allowed).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    for &time in &times {
        // The best that is known of each deal after this time, if it had as much or needed less.
        let mut known: BTreeMap<u64, Option<Wdl>> = BTreeMap::new();
        for deal in deals {
            let value = deal.value().filter(|_| deal.seconds <= time);
            if deal.allowed >= time || value.is_some() {
                let known = known.entry(deal.number).or_default();
                *known = known.or(value);
            }
        }
        let count = |value| known.values().filter(|&&known| known == value).count();
        let columns = [
            ("deals", known.len()),
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
    let decided: BTreeMap<u64, &Deal> = deals
        .iter()
        .filter(|deal| deal.value().is_some())
        .map(|deal| (deal.number, deal))
        .collect();
    for deal in decided.values() {
        let value = deal.value().map(|value| value.to_string());
        let columns = [
            ("value", value),
            ("best move", deal.best.clone()),
            ("students", Some(deal.students.to_string())),
            ("positions", Some(deal.positions.to_string())),
            ("seconds", Some(format!("{:.1}", deal.seconds))),
        ];
        for (column, found) in columns {
            let row = deal.spec.clone();
            report
                .cells
                .push(Cell::new("decided", row, column.into(), None, found));
        }
    }
    let captions = [
        (
            "time",
            "Deals by what is known of them after a time",
            "first is the player who moves first; a deal that was decided sooner counts in every longer time",
        ),
        (
            "decided",
            "Deals that were decided",
            "the value is for the player who moves first; students: the most a side in the tables used",
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

    use super::{Deal, Options, run};
    use crate::keep::Keep;
    use crate::onitama_atlas::Size;
    use hindsight_core::{Game, Notation, Wdl};
    use hindsight_rules::{Setup, Visitor, by_name};
    use hindsight_solve::{Limits, NoMonitor, graph};

    #[derive(Default)]
    struct Kept(Mutex<Vec<Deal>>);

    impl Keep<Deal> for Kept {
        fn read(&self, _: &str) -> Result<Vec<Deal>, String> {
            Ok(self.0.lock().expect("no panic").clone())
        }
        fn add(&self, _: &str, deal: &Deal) -> Result<(), String> {
            self.0.lock().expect("no panic").push(deal.clone());
            Ok(())
        }
    }

    struct Start;
    impl Visitor for Start {
        type Output = Wdl;
        fn visit<G: Game + Notation>(self, game: G) -> Wdl {
            let solved = graph::solve(&game, Limits::default(), &mut NoMonitor);
            solved.expect("no limits").value(0).wdl()
        }
    }

    #[test]
    fn deals_are_decided_as_the_graph_says_and_go_on() {
        let kept = Kept::default();
        let options = |deals| Options {
            board: Size::new(3, 3),
            deals,
            seed: 7,
            seconds: 60.0,
            memory: 1 << 26,
        };
        let mut told = 0;
        let first = run(&options(3), &kept, &mut |_, _| true);
        assert_eq!(first.failed, None);
        let second = run(&options(5), &kept, &mut |_, _| {
            told += 1;
            true
        });
        assert_eq!(second.failed, None);
        let deals = kept.0.into_inner().expect("no panic");
        assert_eq!(
            deals.iter().map(|deal| deal.number).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4]
        );
        for deal in &deals {
            let expected = by_name(&deal.spec, &Setup::default(), Start).expect("a spec");
            assert_eq!(deal.value(), Some(expected), "{}", deal.spec);
            assert_eq!(deal.best.is_some(), expected != Wdl::Loss, "{}", deal.spec);
        }
        let of_deals = |cell: &&crate::Cell| cell.table == "time" && cell.column == "deals";
        let cell = second.report.cells.iter().find(of_deals);
        assert_eq!(cell.and_then(|cell| cell.ours.as_deref()), Some("5"));
    }

    #[test]
    fn a_deal_of_another_seed_is_refused() {
        let kept = Kept::default();
        let options = |seed| Options {
            board: Size::new(2, 3),
            deals: 1,
            seed,
            seconds: 60.0,
            memory: 1 << 24,
        };
        assert_eq!(run(&options(1), &kept, &mut |_, _| true).failed, None);
        let message = run(&options(2), &kept, &mut |_, _| true).failed;
        assert!(message.expect("a sentence").starts_with("deal 0 is not "));
    }
}
