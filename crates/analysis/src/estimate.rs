//! Estimates of all moves by two searches at the same time.

use std::time::Duration;

use hindsight_core::Game;
use hindsight_engine::Error;
use hindsight_play::{AgentResources, SeededRandom, estimate_by_playouts, estimate_by_search};

use crate::analysis::AnalysisSource;
use crate::findings::Findings;
use crate::watched_jobs::{is_parallel, run_jobs};

/// Estimates every move: the mean of alpha-beta and of playouts, or playouts alone where the game
/// has no evaluation. Symmetric positions have the same searches and random numbers.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub(crate) fn estimate_moves(
    findings: &mut Findings<'_>,
    time: Duration,
    memory: u64,
) -> Result<(), Error> {
    let game = findings.game();
    let position = game.canonical(findings.position());
    let mut successors = Vec::new();
    game.successors(position, &mut successors);
    let resources = AgentResources { memory_bytes: memory / 2, ..AgentResources::default() };
    let each = if is_parallel() { time } else { time / 2 };
    let estimate = |job: usize| match job {
        0 => {
            let mut random = SeededRandom::new(&[1]);
            estimate_by_playouts(game, position, each, resources, &mut random).ok()
        }
        _ => estimate_by_search(game, position, each, resources),
    };
    let mut both = run_jobs(2, &estimate, &mut || {})?.into_iter();
    let (playouts, search) = (both.next().flatten(), both.next().flatten());
    let estimates: Vec<f64> = match (&playouts, &search) {
        (Some(playouts), Some(search)) => {
            let pairs = playouts.moves.iter().zip(&search.moves);
            pairs.map(|(a, b)| (a + b) / 2.0).collect()
        }
        (Some(only), None) | (None, Some(only)) => only.moves.clone(),
        (None, None) => return Ok(()),
    };
    findings.set_estimates(&successors, &estimates);
    if let Some(search) = search {
        findings.work += search.work;
        findings.add_source(AnalysisSource::AlphaBeta { positions: search.work });
    }
    if let Some(playouts) = playouts {
        findings.work += playouts.work;
        findings.add_source(AnalysisSource::Playouts { playouts: playouts.work });
    }
    Ok(())
}
