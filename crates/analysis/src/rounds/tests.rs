//! Tests of long jobs by some that only note that they ran, and of what a listener hears.

use std::cell::RefCell;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use hindsight_core::{Game, Packed, PackedGame, Packing, Value, Wdl};
use hindsight_engine::{Limits, Progress};
use hindsight_solve::proof::ProofProblem;
use hindsight_testkit::pack_numbers;

use super::AnalysisRun;
use crate::analyse::{AnalysisListener, AnalysisTask};
use crate::analysis::{Analysis, AnalysisSource};
use crate::decide::{Decide, Decision, LongJob};
use crate::kept::{KeptFindings, KeptMove};
use crate::known::Known;

/// Moves of each position.
const WIDTH: u64 = 16;
/// Number of the first positions that are over.
const END: u64 = 1 << 60;
const ALWAYS: u32 = LongJob::ALWAYS_USEFUL;

/// Tree of 15 plies, more than can be searched. Its ends are won or lost as if by chance.
struct DeepTree;

impl Game for DeepTree {
    type Position = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        1
    }

    fn player_to_move(&self, position: u64) -> usize {
        (position.ilog2() / WIDTH.ilog2() % 2) as usize
    }

    fn terminal(&self, position: u64) -> Option<Wdl> {
        let is_won = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1;
        (position >= END).then_some(if is_won { Wdl::Win } else { Wdl::Loss })
    }

    fn moves(&self, position: u64, out: &mut Vec<u64>) {
        out.extend((0..WIDTH).filter(|_| position < END));
    }

    fn play(&self, position: u64, mv: u64) -> u64 {
        position * WIDTH + mv
    }
}

pack_numbers!(DeepTree, u64, "deep-tree");

static DEEP_TREE: LazyLock<PackedGame> = LazyLock::new(|| PackedGame::new(DeepTree));

/// Returns the position after a first move.
fn after(mv: u64) -> Packed {
    Packed::new(DeepTree.pack(DeepTree.play(DeepTree.start(), mv)))
}

/// Name of a job that ran, with the time that it was allowed.
type JobRun = (&'static str, Option<Duration>);

thread_local! {
    static RAN: RefCell<Vec<JobRun>> = const { RefCell::new(Vec::new()) };
}

/// Returns a job with an estimate in milliseconds, which notes its name.
fn job<'a>(
    name: &'static str,
    estimate: u64,
    useless_with: u32,
    result: impl FnOnce() -> Option<Decision<'a>> + 'a,
) -> LongJob<'a> {
    LongJob {
        useless_with,
        ..LongJob::new(Duration::from_millis(estimate), move |limits, _| {
            RAN.with_borrow_mut(|ran| ran.push((name, limits.time)));
            Ok(result())
        })
    }
}

/// Returns planes that tell nothing, after some work or by reading.
fn planes<'a>(followers: u32, work: u64) -> Option<Decision<'a>> {
    Some(Decision {
        values: Vec::new(),
        line: Vec::new(),
        known: Some(Box::new(|_| Known::NOTHING)),
        source: AnalysisSource::Planes { followers, positions: work, were_kept: work == 0 },
        work,
        bytes: 0,
        followers,
    })
}

/// Listener that counts what it hears.
#[derive(Default)]
struct Heard {
    reports: u32,
    improvements: u32,
    /// Positions of the search in its last report.
    proving: u64,
    /// Searches that were begun anew.
    begun_anew: u32,
}

impl AnalysisListener for Heard {
    fn report(&mut self, progress: Progress) -> bool {
        self.reports += 1;
        if progress.phase == "proving" {
            self.begun_anew += u32::from(progress.done < self.proving);
            self.proving = progress.done;
        }
        true
    }

    fn improved(&mut self, _: &Analysis) -> bool {
        self.improvements += 1;
        false
    }
}

fn task<'a>(
    milliseconds: Option<u64>,
    kept: Option<&'a KeptFindings>,
    decide: Decide,
) -> AnalysisTask<'a> {
    AnalysisTask {
        game: &DEEP_TREE,
        position: DEEP_TREE.start(),
        limits: Limits { memory: 1 << 26, time: milliseconds.map(Duration::from_millis) },
        cache: None,
        kept,
        graph_time: None,
        decide,
    }
}

/// Analyses the start. Returns the jobs that ran, and what was heard.
fn analysed(task: AnalysisTask<'_>) -> (Vec<JobRun>, Heard) {
    RAN.take();
    let mut heard = Heard::default();
    let mut run = AnalysisRun::new(task, &mut heard);
    run.run().expect("threads");
    (RAN.take(), heard)
}

fn names(ran: &[JobRun]) -> Vec<&'static str> {
    ran.iter().map(|(name, _)| *name).collect()
}

/// Findings of a win in at most 25 plies, by the first move; the others lose.
fn proved_win() -> KeptFindings {
    let win = Known::of_wdl(Wdl::Win, Some(25));
    let moves = (0..WIDTH).map(|mv| KeptMove {
        to: after(mv),
        known: match mv {
            0 => win,
            _ => Known::of_wdl(Wdl::Loss, Some(24)),
        },
        line: Vec::new(),
    });
    KeptFindings {
        position: DEEP_TREE.start(),
        root: win,
        moves: moves.collect(),
        source: AnalysisSource::Kept,
    }
}

#[test]
fn planes_make_way_only_for_what_tells_more() {
    let after_a_read = Decide {
        jobs: |_| {
            vec![
                job("read 2", 1, 2, || planes(2, 0)),
                job("solve 1", 2, 1, || planes(1, 9)),
                job("solve 2", 3, 2, || planes(2, 9)),
                job("solve 3", 4, 3, || None),
                job("solve 4", 5, ALWAYS, || None),
            ]
        },
        ..Decide::BY_RULES
    };
    let (ran, _) = analysed(task(Some(300), None, after_a_read));
    assert_eq!(names(&ran), ["read 2", "solve 3", "solve 4"]);
    let after_a_failure = Decide {
        jobs: |_| {
            vec![
                job("read 2", 1, 2, || None),
                job("solve 1", 2, 1, || planes(1, 9)),
                job("solve 2", 3, 2, || planes(2, 9)),
            ]
        },
        ..Decide::BY_RULES
    };
    let (ran, _) = analysed(task(Some(300), None, after_a_failure));
    assert_eq!(names(&ran), ["read 2", "solve 1", "solve 2"]);
}

#[test]
fn jobs_that_do_not_suit_the_position_interrupt_nothing() {
    let decide = Decide {
        jobs: |_| {
            let unsuitable = |milliseconds| LongJob {
                plan: Box::new(|| None),
                ..job("unsuitable", milliseconds, ALWAYS, || None)
            };
            vec![unsuitable(100), unsuitable(200), unsuitable(300)]
        },
        ..Decide::BY_RULES
    };
    let (ran, heard) = analysed(task(Some(400), None, decide));
    assert_eq!((names(&ran).len(), heard.begun_anew), (0, 0));
    assert!(heard.proving > 0);
}

#[test]
fn a_slow_read_postpones_no_solve() {
    let decide = Decide {
        jobs: |_| {
            let read = || {
                sleep(Duration::from_millis(150));
                planes(1, 0)
            };
            vec![job("read", 4, 1, read), job("solve", 200, ALWAYS, || planes(2, 9))]
        },
        ..Decide::BY_RULES
    };
    let (ran, _) = analysed(task(Some(600), None, decide));
    assert_eq!(names(&ran), ["read", "solve"]);
}

#[test]
fn a_job_has_the_time_that_is_left_for_the_plies_of_a_win() {
    let decide = Decide {
        jobs: |_| {
            let exact = || {
                let values = vec![Some(Value::Win(15))];
                planes(2, 9).map(|planes| Decision { values, ..planes })
            };
            vec![job("solve", 1, ALWAYS, exact)]
        },
        ..Decide::BY_RULES
    };
    let kept = proved_win();
    let (ran, _) = analysed(task(None, Some(&kept), decide));
    let [("solve", Some(time))] = ran[..] else {
        panic!("{ran:?}");
    };
    assert!(time <= Duration::from_secs(5), "{time:?}");
}

#[test]
fn a_stop_is_heard_while_the_plies_of_a_move_are_sought() {
    let mut heard = Heard::default();
    let mut run = AnalysisRun::new(task(Some(60_000), None, Decide::BY_RULES), &mut heard);
    let problem = ProofProblem { start: after(0), ..ProofProblem::of_start(&DEEP_TREE) };
    let sought = run.plies_of_move(Duration::from_millis(200), problem, Wdl::Win);
    sought.expect("threads");
    assert!(heard.reports > 1, "{} reports", heard.reports);
}

#[test]
fn settled_moves_are_reported_together() {
    let (mut heard, kept) = (Heard::default(), proved_win());
    let mut run = AnalysisRun::new(task(Some(60_000), Some(&kept), Decide::BY_RULES), &mut heard);
    let settled = run.settle_moves(Duration::from_millis(16), ProofProblem::of_start(&DEEP_TREE));
    settled.expect("threads");
    let improvements = heard.improvements;
    assert!((1..8).contains(&improvements), "{improvements} reports");
}
