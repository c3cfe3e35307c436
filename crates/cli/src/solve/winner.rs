//! Answer of a search for the winner, or of a solve that ran out of time.

use anyhow::Result;
use hindsight_answers::report::TextTable;
use hindsight_answers::{
    ChosenSolver, SearchFiles, SearchKnowledge, SmallTables, SolveAnswer, StartAnswer,
    StrategyFileAnswer, ValueAnswer, wdl_word,
};
use hindsight_games::{AnyGame, Position, Value, Wdl, memory::machine_bytes};
use hindsight_solve::proof::ProofTables;

use super::report::heading_text;
use crate::context::Context;
use crate::output::{fitted, print_json, print_text};
use crate::shown::sizes::{counted, format_size, with_commas};
use crate::shown::text;

/// Result of a search, with the solve that it was a part of.
pub(super) struct WinnerSearch<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) start: &'a Position,
    pub(super) solver: &'static str,
    /// Set of positions that the solver counts.
    pub(super) scope: &'static str,
    pub(super) chosen: Option<ChosenSolver>,
    pub(super) symmetry: &'static str,
    pub(super) found: FoundByThen,
    pub(super) strategy: Option<StrategyFileAnswer>,
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
    pub(super) fn print(self, context: &Context) -> Result<()> {
        let answer = self.answer()?;
        if context.json {
            return print_json(&answer);
        }
        let (game, start) = (self.game, self.start);
        let mover = game.player_to_move(start)?;
        let names = game.player_names();
        let heading = heading_text(game, start, context)?;
        print_text(&(heading + &self.text(&answer, [names[mover], names[1 - mover]])))
    }

    fn answer(&self) -> Result<SolveAnswer> {
        let FoundByThen { value, wins: [mover_wins, other_wins], bounds, .. } = self.found;
        let best_move = self.found.best_move.clone();
        let bounds_answer = bounds.map(|bounds| bounds.map(ValueAnswer::from));
        Ok(SolveAnswer {
            game: self.game.spec().to_string(),
            scope: self.scope,
            solver: self.solver,
            chosen: self.chosen.clone(),
            symmetry: self.symmetry,
            start: StartAnswer {
                value: value.map(wdl_word),
                remoteness: known_value(bounds).and_then(Value::remoteness),
                search: Some(SearchKnowledge {
                    mover_wins,
                    other_wins,
                    best_move,
                    bounds: bounds_answer,
                }),
                position: self.game.format(self.start)?,
            },
            positions: self.found.expansions,
            states: None,
            edges: None,
            wins: None,
            losses: None,
            draws: None,
            histogram: None,
            search: Some(SearchFiles {
                tables: small_tables(&self.found.tables),
                strategy: self.strategy.clone(),
            }),
            seconds: self.seconds,
            peak_memory_bytes: hindsight_games::memory::peak_bytes(),
            signature: String::from("-"),
            table: None,
            checked: None,
        })
    }

    /// Returns the answer without its heading. `names` begins with the side to move.
    fn text(&self, answer: &SolveAnswer, names: [&str; 2]) -> String {
        let FoundByThen { value, wins, bounds, best_move, .. } = &self.found;
        let outcome = match (known_value(*bounds), *wins) {
            (Some(value), _) => text::outcome_text(names, value),
            (None, [None, None]) => {
                let more = self.more_text();
                format!("Not decided in this time and memory{more}{}", plies_between(*bounds))
            }
            (None, wins) => outcome_text(names, wins) + &plies_between(*bounds),
        };
        let best = best_move.as_ref();
        let best = best.map_or(String::new(), |best| best_text(*bounds, best));
        let strategy_note = match (self.lacks_strategy, value) {
            (true, Some(_)) => format!("No strategy was written{}.\n", self.more_text()),
            (true, None) => String::from("No strategy was written.\n"),
            _ => String::new(),
        };
        format!("{outcome}{best}.\n{strategy_note}\n{}", counts_text(answer))
    }

    /// Returns what may help, as the end of a sentence.
    fn more_text(&self) -> String {
        self.more.map_or(String::new(), |more| format!(": more {more} may do it"))
    }
}

fn small_tables(tables: &ProofTables) -> Option<SmallTables> {
    (tables.followers > 0).then_some(SmallTables {
        followers: tables.followers,
        positions: tables.positions,
        seconds: tables.spent.as_secs_f64(),
    })
}

fn counts_text(answer: &SolveAnswer) -> String {
    let search = answer.search.as_ref();
    let positions = answer.positions.map(|n| ("positions looked at", with_commas(n)));
    let mut rows: Vec<_> = positions.into_iter().collect();
    if let Some(tables) = search.and_then(|search| search.tables.as_ref()) {
        let extent = format!(
            "up to {} a side, {}, {:.3} s",
            counted(tables.followers, "student"),
            counted(tables.positions, "position"),
            tables.seconds
        );
        rows.push(("tables", extent));
    }
    let solver = format!("{}, symmetry {}", answer.solver, answer.symmetry);
    rows.push(("solver", solver));
    rows.push(("seconds", format!("{:.3}", answer.seconds)));
    if let Some(strategy) = search.and_then(|search| search.strategy.as_ref()) {
        let extent = counted(strategy.positions, "position");
        rows.push(("strategy", extent));
    }
    let peak = answer.peak_memory_bytes;
    let peak = peak.map_or(String::from("unknown"), format_size);
    rows.push(("peak memory", peak));
    fitted(&TextTable::of_pairs(rows))
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
        // Of the fewest plies nothing is known.
        Some([Value::Win(most), Value::Win(1)] | [Value::Loss(2), Value::Loss(most)]) => {
            format!(", in at most {most} plies")
        }
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
