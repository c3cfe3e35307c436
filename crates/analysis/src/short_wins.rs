//! Search for a short win of either side, on two threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindsight_core::{Packed, Wdl};
use hindsight_engine::{Error, Monitor, Progress};
use hindsight_solve::proof::ProofProblem;
use hindsight_solve::shortest_win::ShortestWin;

use crate::analysis::AnalysisSource;
use crate::findings::Findings;
use crate::known::Known;
use crate::watched_jobs::{is_parallel, run_jobs};

/// Longest win that is looked for, in plies.
const MAX_PLIES: u16 = 200;
/// Bytes that a search fills in a second, about.
const BYTES_PER_SECOND: f64 = 1e8;
/// Most bytes of the tables of a search.
const MAX_BYTES: u64 = 1 << 28;

/// Least time in which the line of a win is looked for once more. The tables know most of it.
const LEAST_LINE_TIME: Duration = Duration::from_millis(500);

/// Limits of a search for short wins.
#[derive(Clone, Copy)]
pub(crate) struct ShortWinLimits {
    pub(crate) time: Duration,
    /// Bytes for its tables.
    pub(crate) memory: u64,
}

impl ShortWinLimits {
    /// Returns the limits of a search of some time, with a part of the memory.
    pub(crate) fn of_time(time: Duration, memory: u64) -> Self {
        let useful = (time.as_secs_f64() * BYTES_PER_SECOND) as u64;
        Self { time, memory: (memory / 8).min(MAX_BYTES).min(useful) }
    }
}

/// Result of the search for one side.
pub(crate) struct SideWins {
    /// Fewest plies of a forced win.
    pub(crate) plies: Option<u16>,
    /// Plies within which there is no forced win.
    none_within: u16,
    /// Positions of the shortest win.
    pub(crate) line: Vec<Packed>,
    pub(crate) nodes: u64,
}

/// Looks for the shortest win of either side, deeper and deeper, until the monitor stops it. If the
/// winner is known already, only that side is searched.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub(crate) fn find_short_wins(
    findings: &mut Findings<'_>,
    problem: ProofProblem<'_>,
    limits: ShortWinLimits,
    monitor: &mut dyn Monitor,
) -> Result<(), Error> {
    // True for the side to move, false for the other.
    let sides: &[bool] = match findings.root().answer.wdl() {
        Some(Wdl::Win) => &[true],
        Some(Wdl::Loss) => &[false],
        Some(Wdl::Draw) => return Ok(()),
        None => &[true, false],
    };
    let found = search_sides(problem, sides, limits, LEAST_LINE_TIME, monitor)?;
    for (&mover_attacks, side) in sides.iter().zip(&found) {
        note_side(findings, mover_attacks, side);
    }
    let complete = found.iter().map(|side| side.plies.unwrap_or(side.none_within));
    let plies = complete.min().unwrap_or(0);
    findings.add_source(AnalysisSource::ShortWins { plies });
    Ok(())
}

/// Searches for the shortest win of some sides, true for the side to move, until the monitor stops
/// it. The sides share the limits. The line of a win has the time that is left, or
/// `least_line_time`.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub(crate) fn search_sides(
    problem: ProofProblem<'_>,
    sides: &[bool],
    limits: ShortWinLimits,
    least_line_time: Duration,
    monitor: &mut dyn Monitor,
) -> Result<Vec<SideWins>, Error> {
    let turns = if is_parallel() { 1 } else { sides.len() as u32 };
    let (time, memory) = (limits.time / turns, limits.memory / sides.len() as u64);
    let stop = AtomicBool::new(false);
    let search = |index: usize| {
        let mut search = ShortestWin::new(problem, sides[index], memory, &stop);
        let deadline = Instant::now() + time;
        let plies = search.deepen(MAX_PLIES, Some(deadline));
        if plies.is_some() {
            // Only one side can have a forced win.
            stop.store(true, Ordering::Relaxed);
        }
        SideWins {
            plies,
            none_within: search.none_within(),
            nodes: search.nodes(),
            line: search.line(Some(deadline.max(Instant::now() + least_line_time))),
        }
    };
    run_jobs(sides.len(), &search, &mut || {
        let goes_on = monitor.report(Progress { phase: "short wins", done: 0, total: None });
        if !goes_on {
            stop.store(true, Ordering::Relaxed);
        }
    })
}

/// Notes the win of one side, with its line.
fn note_side(findings: &mut Findings<'_>, mover_attacks: bool, side: &SideWins) {
    findings.work += side.nodes;
    let Some(plies) = side.plies else {
        return;
    };
    let known = Known::of_win(mover_attacks, plies);
    findings.note_root(known);
    if let Some((&first, rest)) = side.line.split_first() {
        findings.note_move(first, known.after(), rest.to_vec());
    }
}
