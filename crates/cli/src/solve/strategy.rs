//! `solve --weak --strategy`: a search that keeps the strategies that it finds, and their CSV file
//! with a line for each position in which the side of the strategy is to move.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use hindsight_answers::StrategyFileAnswer;
use hindsight_answers::report::CsvLine;
use hindsight_core::{Notation, PackedGame, Symmetry, Wdl};
use hindsight_games::{AnyGame, Limits, Position, SolverError};
use hindsight_solve::proof::{
    ProofProblem, ProofSolution, ProofTables, Strategies, solve_with_strategies,
};

use super::search_memory::check_proof_memory;
use super::winner::{FoundByThen, WinnerSearch, more_options};
use crate::args::SolveArgs;
use crate::context::Context;
use crate::output::{NamedFile, Output, check_distinct, refuse_stdout};
use crate::shown::progress::ProgressDisplay;

/// Searches for the winner of a game, and writes the strategy to a file.
pub(super) fn run(
    game: &AnyGame,
    position: &Position,
    path: &Path,
    args: &SolveArgs,
    context: &Context,
) -> Result<()> {
    check_proof_memory(context)?;
    let out = open_strategy(path, args, context)?;
    let rules = game.rules();
    let begin = Instant::now();
    let start = game.packed(position)?;
    let problem = ProofProblem { start, ..ProofProblem::of_start(rules) };
    let limits = Limits { time: args.seconds.map(Duration::from_secs_f64), ..context.limits() };
    let mut display = ProgressDisplay::new(context.quiet);
    let solved = solve_with_strategies(problem, limits, &mut display);
    drop(display);
    let (solution, strategies) = solved?;
    let strategy = write_strategies(rules, &solution, &strategies, out)?;
    if solution.stopped && strategy.is_none() {
        return Err(SolverError::Stopped.into());
    }
    let best_move = solution.best_move(rules);
    let search = WinnerSearch {
        game,
        start: position,
        solver: "proof",
        scope: "reachable",
        chosen: None,
        symmetry: Symmetry::from(args.symmetry).name(),
        found: FoundByThen {
            value: solution.value(),
            wins: solution.wins(),
            best_move: best_move.map(|best| rules.format_move(start, best)),
            bounds: None,
            expansions: Some(solution.expansions),
            tables: ProofTables::default(),
        },
        lacks_strategy: strategy.is_none(),
        strategy,
        seconds: begin.elapsed().as_secs_f64(),
        more: more_options(args.seconds.is_some(), context),
    };
    search.print(context)
}

/// Opens the file of the strategy, so that a bad name is refused before the search.
fn open_strategy(path: &Path, args: &SolveArgs, context: &Context) -> Result<Output> {
    let deck = hindsight_rules::deck_file(&args.spec).map(PathBuf::from);
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref()).into_iter().collect();
    check_distinct(&inputs, &[NamedFile::new("--strategy", path)])?;
    refuse_stdout("--strategy", Some(path))?;
    Output::file_or_stream(path, context.force)
}

/// Writes the strategy of the winner, or in a draw the strategy of each side.
/// Returns `None` and writes no file if a strategy is missing.
fn write_strategies(
    game: &PackedGame,
    solution: &ProofSolution,
    strategies: &Strategies,
    mut out: Output,
) -> Result<Option<StrategyFileAnswer>> {
    let needed = match solution.value() {
        Some(Wdl::Draw) => 2,
        Some(_) => 1,
        None => return Ok(None),
    };
    let strategies: Vec<_> = strategies.iter().flatten().collect();
    if strategies.len() < needed {
        return Ok(None);
    }
    let mut positions = 0;
    writeln!(out, "position,move,value,plies")?;
    for strategy in strategies {
        strategy.visit(game, solution.start, |position, mv, plies| -> Result<()> {
            positions += 1;
            let (position, mv) = (game.format(position), game.format_move(position, mv));
            let line = CsvLine::default().quoted(&position).quoted(&mv);
            let line = line.field(if plies.is_some() { "win" } else { "draw" });
            Ok(out.write_all(line.optional(plies).end().as_bytes())?)
        })?;
    }
    let file = out.name().display().to_string();
    out.finish()?;
    Ok(Some(StrategyFileAnswer { file, positions }))
}
