//! Answer of `cluster solve`, as JSON and as text.

use anyhow::Result;
use hindsight_answers::report::{TextTable, histogram_rows};
use hindsight_answers::{ClusterAnswer, StartAnswer, ThreadWork};
use hindsight_games::{Answer, AnyGame, Cluster, ClusterOutcome, WorkCounts};

use crate::context::Context;
use crate::files::{table_file, table_file_text};
use crate::output::{Output, fitted};
use crate::shown::sizes::{counted, format_size, with_commas};
use crate::shown::text::{histogram_text, outcome_text};
use crate::solve::heading_text;

/// Returns the result as an answer; `out` is the file of the table.
pub(super) fn answer(
    game: &AnyGame,
    cluster: &Cluster<'_>,
    outcome: &ClusterOutcome,
    out: Option<&Output>,
) -> Result<ClusterAnswer> {
    let solved = &outcome.solved;
    let (summary, histogram) = (solved.solution.summary, &solved.solution.histogram);
    let time = solved.time.saturating_sub(solved.table_time);
    Ok(ClusterAnswer {
        game: game.spec().to_string(),
        scope: "all",
        solver: "tiered",
        processes: cluster.hosts.processes(),
        threads: cluster.threads,
        start: StartAnswer::new(game, &game.start(), Answer::Exact(solved.solution.start))?,
        positions: summary.positions,
        wins: summary.wins,
        losses: summary.losses,
        draws: summary.draws,
        histogram: histogram_rows(histogram),
        seconds: time.as_secs_f64(),
        table_seconds: solved.table_time.as_secs_f64(),
        peak_memory_bytes: hindsight_games::memory::peak_bytes(),
        work: solved.work.iter().map(thread_work).collect(),
        sent_bytes: solved.traffic.sent,
        received_bytes: solved.traffic.received,
        signature: summary.signature(Some(histogram)),
        table: outcome.table.zip(out).map(|(table, out)| table_file(table, out)),
    })
}

fn thread_work(work: &WorkCounts) -> ThreadWork {
    ThreadWork { ranks: work.ranks, edges: work.edges, edges_away: work.edges_away }
}

pub(super) fn text(
    answer: &ClusterAnswer,
    game: &AnyGame,
    outcome: &ClusterOutcome,
    context: &Context,
) -> Result<String> {
    let (names, mover) = (game.player_names(), game.player_to_move(&game.start())?);
    let names = [names[mover], names[1 - mover]];
    let solution = &outcome.solved.solution;
    let heading = heading_text(game, &game.start(), context)?;
    Ok(format!(
        "{heading}{}.\n\nPositions by value for the side to move\n{}\n{}",
        outcome_text(names, solution.start),
        histogram_text(&solution.histogram),
        counts_text(answer)
    ))
}

/// Returns a table of the counts, and of the work of the processes.
fn counts_text(answer: &ClusterAnswer) -> String {
    let sum = |field: fn(&ThreadWork) -> u64| answer.work.iter().map(field).sum::<u64>();
    let (edges, away) = (sum(|work| work.edges), sum(|work| work.edges_away));
    let away = 100.0 * away as f64 / edges.max(1) as f64;
    let ranks = || answer.work.iter().map(|work| work.ranks);
    let shares = [ranks().min(), ranks().max()].map(|ranks| with_commas(ranks.unwrap_or(0)));
    let network = [answer.sent_bytes, answer.received_bytes].map(format_size);
    let mut rows = vec![
        ("positions", with_commas(answer.positions)),
        ("won", with_commas(answer.wins)),
        ("lost", with_commas(answer.losses)),
        ("drawn", with_commas(answer.draws)),
        (
            "solver",
            format!(
                "tiered, {}, {} each",
                counted(answer.processes as u64, "process"),
                counted(answer.threads as u64, "thread")
            ),
        ),
        ("moves", format!("{}, {away:.0}% of them to other threads", with_commas(edges))),
        ("shares", format!("{} to {} ranks a thread", shares[0], shares[1])),
        ("network", format!("process 0 sent {} and received {}", network[0], network[1])),
        ("seconds", format!("{:.3}", answer.seconds)),
        (
            "peak memory",
            match answer.peak_memory_bytes {
                Some(bytes) => format!("{} in process 0", format_size(bytes)),
                None => String::from("unknown"),
            },
        ),
        ("signature", answer.signature.clone()),
    ];
    if let Some(table) = &answer.table {
        rows.push(("table", table_file_text(table, answer.positions)));
    }
    fitted(&TextTable::of_pairs(rows))
}
