//! Answer of a search for the winner, or of a solve that ran out of time.

use anyhow::Result;
use hindsight_games::memory::machine_bytes;
use hindsight_games::{AnyGame, Position, Value, Wdl};
use hindsight_report::TextTable;
use hindsight_solve::proof::ProofTables;
use serde::Serialize;

use super::report::{ChosenReport, heading_text};
use super::strategy::StrategyFileSummary;
use crate::context::Context;
use crate::output::{fitted, print_json, print_text};
use crate::sizes::{counted, format_size, with_commas};
use crate::text;

/// The JSON report of a search for the winner; unknown values are null.
#[derive(Serialize)]
pub(super) struct WinnerReport {
    game: String,
    scope: &'static str,
    solver: &'static str,
    chosen: Option<ChosenReport>,
    symmetry: &'static str,
    start: WinnerStartReport,
    /// Number of expanded positions; `None` if a solve by another method ran out of time.
    positions: Option<u64>,
    edges: Option<u64>,
    wins: Option<u64>,
    losses: Option<u64>,
    draws: Option<u64>,
    histogram: Option<()>,
    tables: Option<SmallTablesReport>,
    strategy: Option<StrategyFileSummary>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    signature: &'static str,
    /// True if a strategy was requested and none was found.
    #[serde(skip)]
    lacks_strategy: bool,
    /// See [`WinnerSearch::more`].
    #[serde(skip)]
    more: Option<&'static str>,
}

#[derive(Serialize)]
struct WinnerStartReport {
    value: Option<String>,
    remoteness: Option<u16>,
    /// True if the side to move can force a win.
    mover_wins: Option<bool>,
    /// True if the other side can force a win.
    other_wins: Option<bool>,
    best_move: Option<String>,
    /// Worst and best value that the position may have, from a null-window search.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[BoundReport; 2]>,
    position: String,
    /// The same bounds, not as texts.
    #[serde(skip)]
    values: Option<[Value; 2]>,
}

#[derive(Serialize)]
struct BoundReport {
    value: String,
    remoteness: Option<u16>,
}

impl From<Value> for BoundReport {
    fn from(value: Value) -> Self {
        Self { value: value.wdl().to_string(), remoteness: value.remoteness() }
    }
}

/// Tables of positions with few students, in which lines of the search ended.
#[derive(Serialize)]
struct SmallTablesReport {
    followers: u32,
    positions: u64,
    seconds: f64,
}

/// Result of a search, with the solve that it was a part of.
pub(super) struct WinnerSearch<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) start: &'a Position,
    pub(super) solver: &'static str,
    /// Set of positions that the solver counts.
    pub(super) scope: &'static str,
    pub(super) chosen: Option<ChosenReport>,
    pub(super) symmetry: &'static str,
    pub(super) found: FoundByThen,
    pub(super) strategy: Option<StrategyFileSummary>,
    /// True if a strategy was requested and none was found.
    pub(super) lacks_strategy: bool,
    pub(super) seconds: f64,
    /// Options of which more may help; `None` if nothing is limited that can be more.
    pub(super) more: Option<&'static str>,
}

/// Returns the options of which more may help a search: of time if it has a limit, of memory if
/// the machine has more.
pub(super) fn more_options(has_time_limit: bool, context: &Context) -> Option<&'static str> {
    match (has_time_limit, context.memory < machine_bytes()) {
        (true, true) => Some("--seconds or --memory"),
        (true, false) => Some("--seconds"),
        (false, true) => Some("--memory"),
        (false, false) => None,
    }
}

/// Knowledge at the end of a search.
#[derive(Default)]
pub(super) struct FoundByThen {
    pub(super) value: Option<Wdl>,
    /// For the side to move and for the other, true if it can force a win.
    pub(super) wins: [Option<bool>; 2],
    pub(super) best_move: Option<String>,
    /// Worst and best value that the position may have, from a null-window search.
    pub(super) bounds: Option<[Value; 2]>,
    pub(super) expansions: Option<u64>,
    pub(super) tables: ProofTables,
}

impl WinnerSearch<'_> {
    /// Prints the answer.
    pub(super) fn print(self, context: &Context) -> Result<()> {
        let (game, start) = (self.game, self.start);
        let report = self.report()?;
        if context.json {
            return print_json(&report);
        }
        let mover = game.player_to_move(start)?;
        let names = game.player_names();
        let heading = heading_text(game, start, context)?;
        print_text(&(heading + &report.text([names[mover], names[1 - mover]])))
    }

    fn report(self) -> Result<WinnerReport> {
        let FoundByThen {
            value,
            wins: [mover_wins, other_wins],
            best_move,
            bounds,
            expansions,
            tables,
        } = self.found;
        Ok(WinnerReport {
            game: self.game.spec().to_string(),
            scope: self.scope,
            solver: self.solver,
            chosen: self.chosen,
            symmetry: self.symmetry,
            start: WinnerStartReport {
                value: value.map(|value| value.to_string()),
                remoteness: known_value(bounds).and_then(Value::remoteness),
                mover_wins,
                other_wins,
                best_move,
                bounds: bounds.map(|bounds| bounds.map(BoundReport::from)),
                values: bounds,
                position: self.game.format(self.start)?,
            },
            positions: expansions,
            edges: None,
            wins: None,
            losses: None,
            draws: None,
            histogram: None,
            tables: (tables.followers > 0).then_some(SmallTablesReport {
                followers: tables.followers,
                positions: tables.positions,
                seconds: tables.spent.as_secs_f64(),
            }),
            strategy: self.strategy,
            seconds: self.seconds,
            peak_memory_bytes: hindsight_games::memory::peak_bytes(),
            signature: "-",
            lacks_strategy: self.lacks_strategy,
            more: self.more,
        })
    }
}

impl WinnerReport {
    /// Returns the answer without its heading. `names` begins with the side to move.
    fn text(&self, names: [&str; 2]) -> String {
        let start = &self.start;
        let outcome = match (known_value(start.values), start.values) {
            (Some(value), _) => text::outcome_text(names, value),
            (None, bounds) => {
                let outcome = match [start.mover_wins, start.other_wins] {
                    [None, None] => {
                        format!("Not decided in this time and memory{}", self.more_text())
                    }
                    wins => outcome_text(names, wins),
                };
                outcome + &plies_between(bounds)
            }
        };
        let best = start.best_move.as_ref();
        let best = best.map_or(String::new(), |best| best_text(start.values, best));
        let strategy_note = match (self.lacks_strategy, &start.value) {
            (true, Some(_)) => format!("No strategy was written{}.\n", self.more_text()),
            (true, None) => String::from("No strategy was written.\n"),
            _ => String::new(),
        };
        format!("{outcome}{best}.\n{strategy_note}\n{}", self.counts_text())
    }

    /// Returns what may help, as the end of a sentence.
    fn more_text(&self) -> String {
        self.more.map_or(String::new(), |more| format!(": more {more} may do it"))
    }

    fn counts_text(&self) -> String {
        let positions = self.positions.map(|n| ("positions looked at", with_commas(n)));
        let mut rows: Vec<_> = positions.into_iter().collect();
        if let Some(tables) = &self.tables {
            let extent = format!(
                "up to {} a side, {}, {:.3} s",
                counted(tables.followers, "student"),
                counted(tables.positions, "position"),
                tables.seconds
            );
            rows.push(("tables", extent));
        }
        let solver = format!("{}, symmetry {}", self.solver, self.symmetry);
        rows.push(("solver", solver));
        rows.push(("seconds", format!("{:.3}", self.seconds)));
        if let Some(strategy) = &self.strategy {
            let extent = counted(strategy.positions, "position");
            rows.push(("strategy", extent));
        }
        let peak = self.peak_memory_bytes;
        let peak = peak.map_or(String::from("unknown"), format_size);
        rows.push(("peak memory", peak));
        fitted(&TextTable::of_pairs(rows))
    }
}

/// Value by its bounds, if these are equal.
fn known_value(bounds: Option<[Value; 2]>) -> Option<Value> {
    let [worst, best] = bounds?;
    (worst == best).then_some(best)
}

/// Returns the end of the sentence on the value, with the best move.
fn best_text(bounds: Option<[Value; 2]>, best: &str) -> String {
    match known_value(bounds) {
        None | Some(Value::Win(_)) => format!(", with {best}"),
        Some(Value::Draw) => format!(". {best} keeps the draw"),
        Some(Value::Loss(_)) => format!(". No move lasts longer than {best}"),
    }
}

/// Returns the plies that a win or loss may take, as the end of a sentence; empty text unless it is
/// known who wins.
fn plies_between(bounds: Option<[Value; 2]>) -> String {
    match bounds {
        Some([Value::Win(most), Value::Win(least)] | [Value::Loss(least), Value::Loss(most)]) => {
            format!(", in {least} to {most} plies")
        }
        _ => String::new(),
    }
}

/// Returns a sentence, without its full stop, on the wins that the side to move and the other side
/// can force.
fn outcome_text([mover, other]: [&str; 2], wins: [Option<bool>; 2]) -> String {
    match wins {
        [Some(true), _] => format!("{mover}, to move, wins"),
        [_, Some(true)] => format!("{other} wins, whatever {mover} plays"),
        [Some(false), Some(false)] => String::from("Neither side can win: a draw"),
        [Some(false), None] => {
            format!("{mover}, to move, cannot win; whether {other} can is not known")
        }
        [None, Some(false)] => {
            format!("{other} cannot win; whether {mover}, to move, can is not known")
        }
        [None, None] => String::from("Not decided"),
    }
}
