//! Who wins from the start, and nothing else: `solve --weak`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hindsight_core::{Game, Material, Notation, Ranked, Retro, TwoSided, Wdl};
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
use crate::memory::{self, program_bytes};
use crate::output::{
    NamedFile, Output, align_columns, check_distinct, print, print_json, refuse_stdout, with_commas,
};
use crate::progress::ProgressDisplay;
use crate::sizes::{format_needed, format_size};
use crate::spec::{setup, spec_error};
use crate::text::{heading, side_names};

/// What `solve --weak --json` prints; null where nothing is known.
#[derive(Serialize)]
struct WeakSolve {
    game: String,
    scope: &'static str,
    solver: &'static str,
    symmetry: &'static str,
    start: WeakStartReport,
    /// Positions whose moves were looked at.
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
    /// Whether the side to move wins, and whether the other does.
    mover_wins: Option<bool>,
    other_wins: Option<bool>,
    best_move: Option<String>,
    position: String,
}

/// Tables of few men that the search ended in.
#[derive(Serialize)]
struct SmallTablesReport {
    followers: u32,
    positions: u64,
    seconds: f64,
}

pub(crate) fn run(args: &SolveArgs, context: &Context) -> Result<()> {
    let others = [
        ("--solver", args.solver.is_some()),
        ("--way", args.way.is_some()),
        ("--layout", args.layout.is_some()),
        ("--check", args.check.is_some()),
        ("--out", args.files.out.is_some()),
        ("--checkpoint", args.files.checkpoint.is_some()),
    ];
    if let Some((option, _)) = others.iter().find(|other| other.1) {
        bail!(
            "--weak finds who wins from the start, in a search of its own that keeps no table: leave out {option}"
        );
    }
    check_proof_memory(context.limits().memory)?;
    let weak = Weak {
        args,
        context,
        strategy: open_strategy(args, context)?,
    };
    let visited = hindsight_rules::by_name(&args.spec, &setup(args.symmetry), weak);
    visited.map_err(|error| spec_error(&args.spec, &error))?
}

/// Refuses less memory than a search is of any use with.
pub(crate) fn check_proof_memory(memory: u64) -> Result<()> {
    const LEAST: u64 = 1 << 20;
    if memory < LEAST {
        bail!(
            "a search for who wins needs at least {} (--memory)",
            format_needed(LEAST + program_bytes())
        );
    }
    Ok(())
}

/// The file of the strategy, before the search begins.
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

struct Weak<'a> {
    args: &'a SolveArgs,
    context: &'a Context,
    strategy: Option<Output>,
}

impl Visitor for Weak<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        self.search(&game, &|_| None)
    }

    fn ranked<G: Retro + Notation + Material>(self, game: G) -> Result<()> {
        self.search(&game, &|position| implied(&game, position))
    }

    fn two_sided<G: TwoSided + Retro + Notation + Material>(self, game: G) -> Result<()> {
        if self.args.strategy.is_some() {
            return self.search(&game, &|_| None);
        }
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let staged = proof::solve_staged(&game, self.limits(), &mut display);
        drop(display);
        match staged {
            Ok(StagedProof { solution, tables }) => {
                self.print_report(&game, &solution, (tables, None), begin)
            }
            Err(error) => Err(solver_error(error)),
        }
    }
}

/// The value by a rule, where one gives it.
fn implied<G: Ranked>(game: &G, position: G::Position) -> Option<Wdl> {
    Some(game.implied_value(position)?.wdl())
}

impl Weak<'_> {
    fn limits(&self) -> Limits {
        Limits {
            time: self.args.seconds.map(Duration::from_secs_f64),
            ..self.context.limits()
        }
    }

    fn search<G: Game + Notation>(
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
            return self.print_report(game, &solution, (ProofTables::default(), None), begin);
        };
        let found = solve_with_strategies(game, self.limits(), &mut display);
        drop(display);
        let (solution, found) = found.map_err(solver_error)?;
        let written = strategy::write_strategies(game, &solution, &found, out)?;
        self.print_report(game, &solution, (ProofTables::default(), written), begin)
    }

    fn print_report<G: Game + Notation>(
        &self,
        game: &G,
        solution: &ProofSolution<G::Position>,
        (tables, strategy): (ProofTables, Option<StrategyFileSummary>),
        begin: Instant,
    ) -> Result<()> {
        let without = self.args.strategy.is_some() && strategy.is_none();
        if solution.stopped && (without || solution.value().is_none()) {
            return Err(solver_error(Error::Stopped));
        }
        let [mover_wins, other_wins] = solution.wins();
        let best = solution.best_move(game);
        let report = WeakSolve {
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
            peak_memory_bytes: memory::peak_bytes(),
            signature: "-",
        };
        if self.context.json {
            return print_json(&report);
        }
        let outcome = outcome_text(side_names(game, game.start()), solution.wins());
        let best = report.start.best_move.as_ref();
        let best = best.map_or(String::new(), |best| format!(", with {best}"));
        let without = match (without, solution.value()) {
            (true, Some(_)) => "No strategy was written: more --seconds or --memory may do it.\n",
            (true, None) => "No strategy was written.\n",
            _ => "",
        };
        let (heading, counted) = (heading(game), weak_counts_text(&report));
        let text = format!("{heading}{outcome}{best}.\n{without}\n{counted}");
        print(&text)
    }
}

/// What is known of the start, in words.
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

fn weak_counts_text(report: &WeakSolve) -> String {
    let mut rows = vec![
        ["positions looked at", &with_commas(report.positions)].map(String::from),
        ["solver", &format!("proof, symmetry {}", report.symmetry)].map(String::from),
        ["seconds", &format!("{:.3}", report.seconds)].map(String::from),
    ];
    if let Some(tables) = &report.tables {
        let of = format!(
            "up to {} students a side, {} positions, {:.3} s",
            tables.followers,
            with_commas(tables.positions),
            tables.seconds
        );
        rows.insert(1, [String::from("tables"), of]);
    }
    if let Some(strategy) = &report.strategy {
        let of = format!("{} positions", with_commas(strategy.positions));
        rows.push([String::from("strategy"), of]);
    }
    let peak = report.peak_memory_bytes;
    let peak = peak.map_or(String::from("unknown"), format_size);
    rows.push([String::from("peak memory"), peak]);
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    align_columns(&rows, "ll")
}
