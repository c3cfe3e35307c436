//! Answer of `solve`, as JSON and as text.

use anyhow::Result;
use hindsight_answers::report::TextTable;
use hindsight_answers::{SampleAnswer, SolveAnswer};
use hindsight_games::{Answer, AnyGame, Position, SolveOutcome, Wdl};

use crate::context::Context;
use crate::files::{table_file, table_file_text};
use crate::output::{Output, fitted};
use crate::shown::board_text::board_text;
use crate::shown::sizes::{counted, format_size, with_commas};
use crate::shown::text::{PlyText, above_board, histogram_text, outcome_text, plies_text};

/// Result of a solve, with the position that it began from.
pub(super) struct SolvedGameFacts<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) start: &'a Position,
    pub(super) symmetry: &'static str,
    pub(super) outcome: &'a SolveOutcome,
}

/// Returns the result as an answer; `out` is the file of the table.
pub(super) fn answer(facts: &SolvedGameFacts<'_>, out: Option<&Output>) -> Result<SolveAnswer> {
    let SolvedGameFacts { game, start, symmetry, outcome } = *facts;
    let table = outcome.table.zip(out).map(|(table, out)| table_file(table, out));
    Ok(SolveAnswer::new(game, start, symmetry, outcome, table)?)
}

/// Returns the answer as text: the start, its value, a best line, and all counts.
pub(super) fn text(
    answer: &SolveAnswer,
    facts: &SolvedGameFacts<'_>,
    context: &Context,
) -> Result<String> {
    let SolvedGameFacts { game, start, outcome, .. } = *facts;
    let heading = heading_text(game, start, context)?;
    let counts = counts_text(answer, outcome);
    let solved = &outcome.solved;
    let (names, mover) = (game.player_names(), game.player_to_move(start)?);
    let names = [names[mover], names[1 - mover]];
    let Answer::Exact(value) = solved.start_value() else {
        let sentence = winner_text(game, names, outcome)?;
        return Ok(format!(
            "{heading}{sentence}.\n\
             The forward solver finds who wins, not in how many plies.\n\n{counts}"
        ));
    };
    let outcome_sentence = outcome_text(names, value);
    let mut text = format!("{heading}{outcome_sentence}.\n\n");
    if let Some(states) = solved.states() {
        text.push_str(&format!(
            "States by value for the side to move, without those of positions that win at \
             once\n{}\n{counts}all states   {}, those that win at once included\n",
            histogram_text(&states.nontrivial),
            with_commas(states.states.positions())
        ));
        return Ok(text);
    }
    if solved.has_values() {
        text.push_str(&best_line_text(facts)?);
        text.push('\n');
    }
    let histogram = solved.histogram().unwrap_or_default();
    text.push_str(&format!(
        "Positions by value for the side to move\n{}\n{counts}",
        histogram_text(&histogram)
    ));
    Ok(text)
}

/// Returns who wins as a sentence without its full stop, with the first move of a strategy.
fn winner_text(
    game: &AnyGame,
    [mover, other]: [&str; 2],
    outcome: &SolveOutcome,
) -> Result<String> {
    let winner = match outcome.solved.start_value().wdl() {
        Some(Wdl::Win) => format!("{mover}, to move, wins"),
        Some(Wdl::Loss) => format!("{other} wins, whatever {mover} plays"),
        Some(Wdl::Draw) | None => String::from("Neither side can win: a draw"),
    };
    Ok(match outcome.solved.strategy_move() {
        Some(mv) => format!("{winner} with {}", game.format_move(&game.start(), &mv)?),
        None => winner,
    })
}

/// Returns a table of the counts, and of the time and the memory of the solve.
fn counts_text(answer: &SolveAnswer, outcome: &SolveOutcome) -> String {
    let summary = outcome.solved.summary();
    let not_counted = || String::from("not counted");
    let mut rows = vec![
        ("positions", with_commas(summary.positions)),
        ("moves", answer.edges.map_or_else(not_counted, with_commas)),
        ("won", with_commas(summary.wins)),
        ("lost", with_commas(summary.losses)),
        ("drawn", with_commas(summary.draws)),
        ("solver", format!("{}, symmetry {}", answer.solver, answer.symmetry)),
        ("seconds", format!("{:.3}", answer.seconds)),
        ("peak memory", answer.peak_memory_bytes.map_or(String::from("unknown"), format_size)),
        ("signature", answer.signature.clone()),
    ];
    if let Some(states) = answer.states {
        rows.insert(1, ("states", with_commas(states)));
    }
    if let Some(sample) = &answer.checked {
        rows.push(("checked", sample_text(sample)));
    }
    if let Some(table) = &answer.table {
        rows.push(("table", table_file_text(table, summary.positions)));
    }
    fitted(&TextTable::of_pairs(rows))
}

fn sample_text(sample: &SampleAnswer) -> String {
    format!(
        "{} drawn at random, by {}: no fault",
        counted(sample.positions, "position"),
        counted(sample.successors, "successor")
    )
}

/// Returns the first lines of the answer: the game, the position unless it is the start, and its
/// board.
pub(crate) fn heading_text(game: &AnyGame, start: &Position, context: &Context) -> Result<String> {
    let spec = game.spec();
    let named = if *start == game.start() {
        spec.to_string()
    } else {
        format!("{spec}\n{}", game.format(start)?)
    };
    let board = board_text(game, start, "", context)?;
    Ok(above_board(&named, &board))
}

fn best_line_text(facts: &SolvedGameFacts<'_>) -> Result<String> {
    let game = facts.game;
    let line = facts.outcome.solved.line(facts.start)?;
    let moves = line.plies.iter().map(|ply| {
        let mv = game.format_move(&ply.position, &ply.mv)?;
        Ok(PlyText { mv, equal: ply.equal })
    });
    let moves: Result<Vec<_>> = moves.collect();
    Ok(plies_text(&moves?, line.repeats))
}
