//! Answer of `solve`, as JSON and as text.

use anyhow::{Context as _, Result};
use hindsight_games::{Answer, AnyGame, Choice, Method, Position, SampleCounts, SolveOutcome, Wdl};
use hindsight_report::{HistogramRow, TextTable, histogram_rows};
use serde::Serialize;

use crate::board_text::board_text;
use crate::context::Context;
use crate::files::TableFileSummary;
use crate::output::{Output, fitted};
use crate::sizes::{counted, format_size, with_commas};
use crate::text::{PlyText, above_board, histogram_text, outcome_text, plies_text};

/// Result of a solve, with the position that it began from.
pub(super) struct SolvedGameFacts<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) start: &'a Position,
    /// Name of the symmetry.
    pub(super) symmetry: &'static str,
    pub(super) outcome: &'a SolveOutcome,
}

/// Name of the set of positions that a method counts.
pub(super) fn scope_name(method: Method) -> &'static str {
    match method {
        Method::Tiered | Method::Planes => "all",
        _ => "reachable",
    }
}

/// The JSON report of `solve`.
#[derive(Serialize)]
pub(crate) struct SolveReport {
    game: String,
    scope: &'static str,
    solver: &'static str,
    chosen: Option<ChosenReport>,
    symmetry: &'static str,
    start: StartReport,
    positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    edges: Option<u64>,
    wins: u64,
    losses: u64,
    draws: u64,
    histogram: Option<Vec<HistogramRow>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableFileSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<SampleReport>,
}

/// Solver that was chosen, and the reason.
#[derive(Serialize)]
pub(super) struct ChosenReport {
    solver: &'static str,
    because: String,
}

impl From<Choice> for ChosenReport {
    fn from(choice: Choice) -> Self {
        Self { solver: choice.method.name(), because: choice.reason.to_string() }
    }
}

/// Counts of `--check`: positions drawn at random, and their successors. Made only if all values
/// agree.
#[derive(Serialize)]
struct SampleReport {
    positions: u64,
    successors: u64,
}

#[derive(Serialize)]
struct StartReport {
    value: String,
    remoteness: Option<u16>,
    position: String,
}

impl SolveReport {
    /// Makes the report; `out` is the file of the table.
    pub(super) fn new(facts: &SolvedGameFacts<'_>, out: Option<&Output>) -> Result<Self> {
        let (game, outcome) = (facts.game, facts.outcome);
        let method = outcome.needs.method;
        let solved = &outcome.solved;
        let (summary, start) = (solved.summary(), solved.start_value());
        let is_strong = matches!(method, Method::Tiered | Method::Planes);
        let states = solved.states();
        let histogram = solved.histogram();
        let shown = states.map_or(histogram.as_ref(), |states| Some(&states.nontrivial));
        let wdl = start.wdl().context("the start has a value")?;
        Ok(Self {
            game: game.spec().to_string(),
            scope: scope_name(method),
            solver: method.name(),
            chosen: outcome.needs.choice.map(ChosenReport::from),
            symmetry: facts.symmetry,
            start: StartReport {
                value: wdl.to_string(),
                remoteness: start.exact().and_then(|value| value.remoteness()),
                position: game.format(facts.start)?,
            },
            positions: summary.positions,
            states: states.map(|states| states.nontrivial.positions()),
            edges: (!is_strong).then_some(summary.edges),
            wins: summary.wins,
            losses: summary.losses,
            draws: summary.draws,
            histogram: shown.map(histogram_rows),
            seconds: outcome.times.solving.as_secs_f64(),
            peak_memory_bytes: hindsight_games::memory::peak_bytes(),
            signature: solved.signature(),
            table: outcome.table.zip(out).map(|(table, out)| TableFileSummary::new(table, out)),
            checked: solved.sample().map(SampleReport::from),
        })
    }

    /// Returns the answer as text: the start, its value, a best line, and all counts.
    pub(super) fn text(&self, facts: &SolvedGameFacts<'_>, context: &Context) -> Result<String> {
        let SolvedGameFacts { game, start, outcome, .. } = *facts;
        let heading = heading_text(game, start, context)?;
        let counts = self.counts_text();
        let solved = &outcome.solved;
        let (names, mover) = (game.player_names(), game.player_to_move(start)?);
        let names = [names[mover], names[1 - mover]];
        let Answer::Exact(value) = solved.start_value() else {
            let sentence = self.winner_text(game, names, outcome)?;
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
        &self,
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
    fn counts_text(&self) -> String {
        let not_counted = || String::from("not counted");
        let mut rows = vec![
            ("positions", with_commas(self.positions)),
            ("moves", self.edges.map_or_else(not_counted, with_commas)),
            ("won", with_commas(self.wins)),
            ("lost", with_commas(self.losses)),
            ("drawn", with_commas(self.draws)),
            ("solver", format!("{}, symmetry {}", self.solver, self.symmetry)),
            ("seconds", format!("{:.3}", self.seconds)),
            ("peak memory", self.peak_memory_bytes.map_or(String::from("unknown"), format_size)),
            ("signature", self.signature.clone()),
        ];
        if let Some(states) = self.states {
            rows.insert(1, ("states", with_commas(states)));
        }
        if let Some(sample) = &self.checked {
            rows.push(("checked", sample.text()));
        }
        if let Some(table) = &self.table {
            rows.push(("table", table.text(self.positions)));
        }
        fitted(&TextTable::of_pairs(rows))
    }
}

impl From<SampleCounts> for SampleReport {
    fn from(sample: SampleCounts) -> Self {
        Self { positions: sample.positions, successors: sample.successors }
    }
}

impl SampleReport {
    fn text(&self) -> String {
        format!(
            "{} drawn at random, by {}: no fault",
            counted(self.positions, "position"),
            counted(self.successors, "successor")
        )
    }
}

/// Returns the first lines of the answer: the game, the position unless it is the start, and its
/// board.
pub(crate) fn heading_text(game: &AnyGame, start: &Position, context: &Context) -> Result<String> {
    let spec = game.spec();
    let named = match *start == game.start() {
        true => spec.to_string(),
        false => format!("{spec}\n{}", game.format(start)?),
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
