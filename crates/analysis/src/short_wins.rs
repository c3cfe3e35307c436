//! Search for a short win of either side, on two threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindsight_core::{Game, Value, Wdl};
use hindsight_run::{Error, Monitor, Progress};
use hindsight_solve::move_between;
use hindsight_solve::proof::{Oracle, ProofProblem};
use hindsight_solve::shortest_win::ShortestWin;

use crate::analysis::AnalysisSource;
use crate::findings::Findings;
use crate::known::Known;
use crate::watched_jobs::{is_parallel, run_jobs};

/// Longest win that is looked for, in plies.
const MAX_PLIES: u16 = 200;

/// Limits of a search for short wins.
#[derive(Clone, Copy)]
pub(crate) struct ShortWinLimits {
    /// Time for the search.
    pub(crate) time: Duration,
    /// Bytes for its tables.
    pub(crate) memory: u64,
}

/// Result of the search for one side.
struct SideWins<P> {
    /// Fewest plies of a forced win.
    plies: Option<u16>,
    /// Plies within which there is no forced win.
    none_within: u16,
    /// Positions of the shortest win.
    line: Vec<P>,
    nodes: u64,
}

/// Looks for the shortest win of either side, deeper and deeper. If the winner is known already,
/// only that side is searched.
///
/// Returns true if the monitor stopped the search.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub(crate) fn find_short_wins<G: Game>(
    findings: &mut Findings<'_, G>,
    oracle: Oracle<'_, G::Position>,
    limits: ShortWinLimits,
    monitor: &mut dyn Monitor,
) -> Result<bool, Error> {
    let problem = ProofProblem {
        game: findings.game(),
        start: findings.position(),
        oracle,
    };
    // True for the side to move, false for the other.
    let sides: &[bool] = match findings.root().answer.wdl() {
        Some(Wdl::Win) => &[true],
        Some(Wdl::Loss) => &[false],
        Some(Wdl::Draw) => return Ok(false),
        None => &[true, false],
    };
    let turns = if is_parallel() { 1 } else { sides.len() as u32 };
    let (stop, mut stopped) = (AtomicBool::new(false), false);
    let search = |index: usize| {
        let mut search = ShortestWin::new(problem, sides[index], limits.memory / 2, &stop);
        let plies = search.deepen(MAX_PLIES, Some(Instant::now() + limits.time / turns));
        if plies.is_some() {
            // Only one side can have a forced win.
            stop.store(true, Ordering::Relaxed);
        }
        SideWins {
            plies,
            none_within: search.none_within(),
            nodes: search.nodes(),
            line: search.line(),
        }
    };
    let found = run_jobs(sides.len(), &search, &mut || {
        stopped |= !monitor.report(Progress {
            phase: "short wins",
            done: 0,
            total: None,
        });
        if stopped {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    for (&mover_attacks, side) in sides.iter().zip(&found) {
        note_side(findings, mover_attacks, side);
    }
    let complete = found
        .iter()
        .map(|side| side.plies.unwrap_or(side.none_within));
    let plies = complete.min().unwrap_or(0);
    findings.add_source(AnalysisSource::ShortWins { plies });
    Ok(stopped)
}

/// Notes the win of one side, with its line.
fn note_side<G: Game>(
    findings: &mut Findings<'_, G>,
    mover_attacks: bool,
    side: &SideWins<G::Position>,
) {
    findings.work += side.nodes;
    let Some(plies) = side.plies else {
        return;
    };
    let value = if mover_attacks {
        Value::Win(plies)
    } else {
        Value::Loss(plies)
    };
    findings.note_root(Known::exact(value));
    if let Some(&first) = side.line.first() {
        let exact = value.after().map_or(Known::NOTHING, Known::exact);
        findings.note_successors(|to| match to == first {
            true => exact,
            false => Known::NOTHING,
        });
        let pairs = side.line.windows(2);
        let moves = pairs.map_while(|pair| move_between(findings.game(), pair[0], pair[1]));
        let moves = moves.collect();
        findings.set_line(first, moves);
    }
}
