//! The command `solve`.

mod errors;
mod needs;
mod report;
mod strategy;
mod weak;

use anyhow::{Result, bail};
use hindsight_bitplanes::OutOfCoreStage;
use hindsight_checkpoint::BlobFolder;
use hindsight_games::{
    AnyGame, KeptValues, Method, SampleTask, Scope, SolveNeeds, SolveOutcome, SolveTask, Symmetry,
    game_in_published_order, game_with_symmetry,
};
use hindsight_play::SeededRandom;
use hindsight_solve::Monitor;
use hindsight_solve::forward::{ForwardVariant, MoveOrder};

use crate::args::{ForwardWay, SolveArgs, Solver, SymmetryArg};
use crate::context::Context;
use crate::errors::game_error;
use crate::files::{LayerFolder, layer_folder, open_table};
use crate::output::{Output, print_json, print_text};
use crate::progress::ProgressDisplay;
use crate::signals::StopListener;
use needs::SolveNeedsCheck;
use report::SolveReport;

pub(crate) use weak::check_proof_memory;

/// Seed of the positions that `--check` draws.
const SAMPLE_SEED: u64 = 1;

pub(crate) fn run(args: &SolveArgs, context: &Context) -> Result<()> {
    if args.weak {
        return weak::run(args, context);
    }
    check_options(args)?;
    let out = open_table(&args.files, &args.spec, context.force)?;
    let game = named_game(args)?;
    let command = SolveCommand {
        game: &game,
        args,
        context,
    };
    command.run(out)
}

/// Game of the spec; with the move order of the published program for its ways.
fn named_game(args: &SolveArgs) -> Result<AnyGame> {
    let symmetry = Symmetry::from(args.symmetry);
    let game = match args.way {
        None | Some(ForwardWay::Best) => game_with_symmetry(&args.spec, symmetry),
        Some(ForwardWay::Program | ForwardWay::Printed) => {
            game_in_published_order(&args.spec, symmetry)
        }
    };
    game.map_err(game_error)
}

/// Returns the solver that the options name or imply; `None` for the default of the game.
fn requested_solver(args: &SolveArgs) -> Option<Solver> {
    match (args.solver, implied_scope(args)) {
        (Some(solver), _) => Some(solver),
        (None, Some(Scope::All)) => Some(Solver::Tiered),
        (None, Some(Scope::Reachable)) => Some(Solver::Graph),
        (None, None) => None,
    }
}

/// Set of positions that the options imply; `None` for the default of the game.
fn implied_scope(args: &SolveArgs) -> Option<Scope> {
    let for_tables = [
        args.files.out.is_some(),
        args.files.checkpoint.is_some(),
        args.layout.is_some(),
    ];
    if for_tables.contains(&true) {
        Some(Scope::All)
    } else if args.symmetry != SymmetryArg::None {
        Some(Scope::Reachable)
    } else {
        None
    }
}

/// Refuses options that do not go together.
fn check_options(args: &SolveArgs) -> Result<()> {
    let solver = requested_solver(args);
    if args.way.is_some() && solver != Some(Solver::Forward) {
        bail!("--way is for --solver forward; other solvers have one way only");
    }
    let table_options = [
        ("--out", args.files.out.is_some()),
        ("--layout", args.layout.is_some()),
        ("--checkpoint", args.files.checkpoint.is_some()),
    ];
    if let (Some(solver @ (Solver::Graph | Solver::Forward)), Some((option, _))) =
        (solver, table_options.iter().find(|option| option.1))
    {
        let name = Method::from(solver).name();
        bail!("{option} is for --solver tiered or planes; {name} writes no table");
    }
    if solver == Some(Solver::Planes) && args.layout.is_some() && args.files.out.is_none() {
        bail!("--layout is for tables, and planes writes one with --out only");
    }
    check_sample_option(args, solver)
}

/// Refuses `--check` with options under which no position would be checked.
fn check_sample_option(args: &SolveArgs, solver: Option<Solver>) -> Result<()> {
    if args.check.is_none() {
        return Ok(());
    }
    if solver != Some(Solver::Planes) {
        bail!("--check is for --solver planes");
    }
    if args.files.out.is_some() {
        bail!("--check is for solves without a table: `hindsight verify FILE` checks all of one");
    }
    let checkpoint = args.files.checkpoint.as_ref();
    if args.files.resume
        && !checkpoint.is_some_and(|dir| BlobFolder::contains(dir, OutOfCoreStage::KEY))
    {
        bail!("--check watches a solve from its beginning: --resume has no place beside it");
    }
    Ok(())
}

/// A solve of a game, with its options.
struct SolveCommand<'a> {
    game: &'a AnyGame,
    args: &'a SolveArgs,
    context: &'a Context,
}

impl SolveCommand<'_> {
    /// Solves the game, writes the table to `out`, and prints the answer.
    fn run(&self, mut out: Option<Output>) -> Result<()> {
        let folder = layer_folder(&self.args.files)?;
        let outcome = self.solve(folder.as_ref(), out.as_mut())?;
        self.check_sample(&outcome)?;
        let report = SolveReport::new(self.game, self.args, &outcome, out.as_ref())?;
        // A table that has its name is not stopped any more.
        let _listener = StopListener::new();
        out.map_or(Ok(()), Output::finish)?;
        if self.context.json {
            print_json(&report)?;
        } else {
            print_text(&report.text(self.game, &outcome)?)?;
        }
        outcome.forget_progress().map_err(game_error)
    }

    fn solve(
        &self,
        folder: Option<&LayerFolder>,
        out: Option<&mut Output>,
    ) -> Result<SolveOutcome> {
        let (args, context) = (self.args, self.context);
        let mut random = SeededRandom::new(&[SAMPLE_SEED]);
        let mut begin = |needs: &SolveNeeds| {
            let check = SolveNeedsCheck {
                spec: self.game.spec(),
                files: &args.files,
                context,
            };
            check.report_and_check(needs)?;
            Ok(Box::new(ProgressDisplay::new(context.quiet)) as Box<dyn Monitor>)
        };
        let task = SolveTask {
            method: args.solver.map_or(Method::Auto, Method::from),
            scope: implied_scope(args),
            limits: context.limits(),
            kept_values: KeptValues::OfSmallGames,
            forward_variant: forward_variant(args.way),
            sample: args.check.map(|positions| SampleTask {
                positions,
                random: &mut random,
            }),
            layout: args.layout.map(Into::into),
            folder: folder.map(|folder| folder.of_task(&args.files)),
            table: out.map(|out| out as _),
            ..SolveTask::new(&mut begin)
        };
        self.game.run(task).map_err(|error| self.explain(error))
    }

    /// Refuses a solve in which the value of a position contradicts those of its successors.
    fn check_sample(&self, outcome: &SolveOutcome) -> Result<()> {
        let sample = outcome.solved.sample();
        if let Some(fault) = sample.and_then(|sample| sample.fault) {
            bail!(
                "the solve is wrong, and nothing of it can be trusted: {} is a {}, \
                 and by its successors a {}",
                fault.position,
                fault.value,
                fault.by_successors
            );
        }
        Ok(())
    }
}

fn forward_variant(way: Option<ForwardWay>) -> ForwardVariant {
    match way {
        None | Some(ForwardWay::Best) => ForwardVariant::Best(MoveOrder::FewestReplies),
        Some(ForwardWay::Program) => ForwardVariant::ThesisProgram,
        Some(ForwardWay::Printed) => ForwardVariant::ThesisAlgorithm,
    }
}
