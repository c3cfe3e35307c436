//! Weak solves by proof-number search (`solve --weak`): the value of the start, without its plies.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hindsight_core::{Notation, Ranked, Retro, TwoSided, Wdl};
use hindsight_report::TextTable;
use hindsight_rules::Visitor;
use hindsight_solve::proof::{
    self, ProofSolution, ProofTables, StagedProof, solve_with_strategies,
};
use hindsight_solve::{Error, Limits};
use serde::Serialize;

use super::strategy::{self, StrategyFileSummary};
use crate::args::SolveArgs;
use crate::context::Context;
use crate::errors::solver_error;
use crate::memory::program_bytes;
use crate::output::{
    NamedFile, Output, check_distinct, fitted, print_json, print_text, refuse_stdout,
};
use crate::progress::ProgressDisplay;
use crate::sizes::{counted, format_needed, format_size, with_commas};
use crate::spec::{setup, spec_error};
use crate::text::{heading, side_names};

/// The JSON report of `solve --weak`; unknown values are null.
#[derive(Serialize)]
struct WeakReport {
    game: String,
    scope: &'static str,
    solver: &'static str,
    symmetry: &'static str,
    start: WeakStartReport,
    /// Number of expanded positions.
    positions: u64,
    wins: Option<u64>,
    losses: Option<u64>,
    draws: Option<u64>,
    histogram: Option<()>,
    tables: Option<SmallTablesReport>,
    strategy: Option<StrategyFileSummary>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    signature: &'static str,
}

#[derive(Serialize)]
struct WeakStartReport {
    value: Option<String>,
    remoteness: Option<u16>,
    /// True if the side to move can force a win.
    mover_wins: Option<bool>,
    /// True if the other side can force a win.
    other_wins: Option<bool>,
    best_move: Option<String>,
    position: String,
}

/// Tables of positions with few students, in which lines of the search ended.
#[derive(Serialize)]
struct SmallTablesReport {
    followers: u32,
    positions: u64,
    seconds: f64,
}

pub(crate) fn run(args: &SolveArgs, context: &Context) -> Result<()> {
    let incompatible = [
        ("--solver", args.solver.is_some()),
        ("--way", args.way.is_some()),
        ("--layout", args.layout.is_some()),
        ("--check", args.check.is_some()),
        ("--out", args.files.out.is_some()),
        ("--checkpoint", args.files.checkpoint.is_some()),
    ];
    if let Some((option, _)) = incompatible.iter().find(|option| option.1) {
        bail!(
            "--weak finds who wins from the start, in a search of its own that keeps no table: \
             leave out {option}"
        );
    }
    check_proof_memory(context.limits().memory)?;
    let weak = WeakSolve {
        args,
        context,
        strategy: open_strategy(args, context)?,
    };
    let visited = hindsight_rules::by_name(&args.spec, &setup(args.symmetry), weak);
    visited.map_err(|error| spec_error(&args.spec, &error))?
}

/// Refuses a limit of fewer bytes than proof-number search needs.
pub(crate) fn check_proof_memory(memory: u64) -> Result<()> {
    const MIN_BYTES: u64 = 1 << 20;
    if memory < MIN_BYTES {
        bail!(
            "a search for who wins needs at least {} (--memory)",
            format_needed(MIN_BYTES + program_bytes())
        );
    }
    Ok(())
}

/// Opens the file of the strategy, so that a bad name is refused before the search.
fn open_strategy(args: &SolveArgs, context: &Context) -> Result<Option<Output>> {
    let Some(path) = &args.strategy else {
        return Ok(None);
    };
    let deck = hindsight_rules::deck_file(&args.spec).map(PathBuf::from);
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref())
        .into_iter()
        .collect();
    check_distinct(&inputs, &[NamedFile::new("--strategy", path)])?;
    refuse_stdout("--strategy", Some(path))?;
    Output::file_or_stream(path, context.force).map(Some)
}

/// Weak solve of a game, with its options.
struct WeakSolve<'a> {
    args: &'a SolveArgs,
    context: &'a Context,
    /// File of the strategy, if one is requested.
    strategy: Option<Output>,
}

impl Visitor for WeakSolve<'_> {
    type Output = Result<()>;

    fn visit<G: Notation>(self, game: G) -> Result<()> {
        self.search(&game, &|_| None)
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<()> {
        self.search(&game, &|position| implied(&game, position))
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> Result<()> {
        if self.args.strategy.is_some() {
            return self.search(&game, &|_| None);
        }
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let staged = proof::solve_staged(&game, self.limits(), &mut display);
        drop(display);
        match staged {
            Ok(StagedProof { solution, tables }) => {
                self.print_report(&game, &solution, tables, None, begin)
            }
            Err(error) => Err(solver_error(error)),
        }
    }
}

/// Returns the result that [`Ranked::implied_value`] gives, if any.
fn implied<G: Ranked>(game: &G, position: G::Position) -> Option<Wdl> {
    Some(game.implied_value(position)?.wdl())
}

impl WeakSolve<'_> {
    fn limits(&self) -> Limits {
        Limits {
            time: self.args.seconds.map(Duration::from_secs_f64),
            ..self.context.limits()
        }
    }

    fn search<G: Notation>(
        mut self,
        game: &G,
        known: proof::Oracle<'_, G::Position>,
    ) -> Result<()> {
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let Some(out) = self.strategy.take() else {
            let solution = proof::solve(game, known, self.limits(), &mut display);
            drop(display);
            let solution = solution.map_err(solver_error)?;
            return self.print_report(game, &solution, ProofTables::default(), None, begin);
        };
        let solved = solve_with_strategies(game, self.limits(), &mut display);
        drop(display);
        let (solution, strategies) = solved.map_err(solver_error)?;
        let written = strategy::write_strategies(game, &solution, &strategies, out)?;
        self.print_report(game, &solution, ProofTables::default(), written, begin)
    }

    fn print_report<G: Notation>(
        &self,
        game: &G,
        solution: &ProofSolution<G::Position>,
        tables: ProofTables,
        strategy: Option<StrategyFileSummary>,
        begin: Instant,
    ) -> Result<()> {
        let lacks_strategy = self.args.strategy.is_some() && strategy.is_none();
        if solution.stopped && (lacks_strategy || solution.value().is_none()) {
            return Err(solver_error(Error::Stopped));
        }
        let [mover_wins, other_wins] = solution.wins();
        let best = solution.best_move(game);
        let report = WeakReport {
            game: game.spec(),
            scope: "reachable",
            solver: "proof",
            symmetry: self.args.symmetry.name(),
            start: WeakStartReport {
                value: solution.value().map(|value| value.to_string()),
                remoteness: None,
                mover_wins,
                other_wins,
                best_move: best.map(|best| game.format_move(game.start(), best)),
                position: game.format(game.start()),
            },
            positions: solution.expansions,
            wins: None,
            losses: None,
            draws: None,
            histogram: None,
            tables: (tables.followers > 0).then_some(SmallTablesReport {
                followers: tables.followers,
                positions: tables.positions,
                seconds: tables.spent.as_secs_f64(),
            }),
            strategy,
            seconds: begin.elapsed().as_secs_f64(),
            peak_memory_bytes: hindsight_games::memory::peak_bytes(),
            signature: "-",
        };
        if self.context.json {
            return print_json(&report);
        }
        let outcome = outcome_text(side_names(game, game.start()), solution.wins());
        let best = report.start.best_move.as_ref();
        let best = best.map_or(String::new(), |best| format!(", with {best}"));
        let strategy_note = match (lacks_strategy, solution.value()) {
            (true, Some(_)) => "No strategy was written: more --seconds or --memory may do it.\n",
            (true, None) => "No strategy was written.\n",
            _ => "",
        };
        let (heading, counts) = (heading(game), weak_counts_text(&report));
        let text = format!("{heading}{outcome}{best}.\n{strategy_note}\n{counts}");
        print_text(&text)
    }
}

/// Returns a sentence, without its full stop, on the wins that the side to move and the other side
/// can force from the start.
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
        [None, None] => String::from(
            "Not decided in this time and memory: more --seconds or --memory may do it",
        ),
    }
}

fn weak_counts_text(report: &WeakReport) -> String {
    let mut rows = vec![
        ("positions looked at", with_commas(report.positions)),
        ("solver", format!("proof, symmetry {}", report.symmetry)),
        ("seconds", format!("{:.3}", report.seconds)),
    ];
    if let Some(tables) = &report.tables {
        let extent = format!(
            "up to {} a side, {}, {:.3} s",
            counted(tables.followers, "student"),
            counted(tables.positions, "position"),
            tables.seconds
        );
        rows.insert(1, ("tables", extent));
    }
    if let Some(strategy) = &report.strategy {
        let extent = counted(strategy.positions, "position");
        rows.push(("strategy", extent));
    }
    let peak = report.peak_memory_bytes;
    let peak = peak.map_or(String::from("unknown"), format_size);
    rows.push(("peak memory", peak));
    fitted(&TextTable::of_pairs(rows))
}
