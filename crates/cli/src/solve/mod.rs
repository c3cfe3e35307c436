//! The command `solve`.
//!
//! `hindsight solve quoridor:5x5:2 --out q.table` goes this way:
//!
//! 1. The output is opened under a temporary name, and the front door is asked for the game:
//!    `rules::by_name` reads the spec and returns the packed Quoridor, of which the front door
//!    makes an [`AnyGame`].
//! 2. [`AnyGame::run`] asks `solve::plan` for a plan. The command prints its needs; a plan that
//!    does not fit is refused.
//! 3. A folder for finished layers is made beside the table, or `--checkpoint` names one.
//! 4. `solve::pawn_pairs` solves the layers in order, from the most fences on the board down. The
//!    store of `tablebase` compresses each finished layer and writes it to the folder.
//! 5. The header and the layers are written to the output, which then gets its name.
//! 6. [`report`] prints the value of the start, a best line and the counts.

mod errors;
mod needs;
mod report;
mod search_memory;
mod strategy;
mod winner;

use std::time::Duration;

use anyhow::{Result, bail};
use hindsight_answers::{ChosenSolver, scope_name};
use hindsight_core::Structure;
use hindsight_games::{
    AnyGame, Error, Extent, ForwardVariant, FoundWinner, KeptValues, Limits, Method, Monitor,
    MoveOrder, Options, PlanError, Position, SampleTask, Scope, SolveNeeds, SolveOutcome,
    SolveTask, SolverError, StartedWork, Symmetry, Value, Wdl, game_in_published_order,
    game_with_symmetry,
};
use hindsight_play::SeededRandom;
use hindsight_rules::onitama::ProvedDeal;

use crate::args::{ForwardWay, SolveArgs, Solver, SymmetryArg};
use crate::context::Context;
use crate::files::{LayerFolder, layer_folder, open_table};
use crate::inputs::game_with_values::note_unreachable;
use crate::output::{Output, print_json, print_message, print_text};
use crate::process::signals::StopListener;
use crate::shown::progress::ProgressDisplay;
use needs::SolveNeedsCheck;
use report::SolvedGameFacts;
#[cfg(feature = "cluster")]
pub(crate) use report::heading_text;
pub(crate) use search_memory::check_proof_memory;
use winner::{FoundByThen, WinnerSearch, more_options};

/// Seed of the positions that `--check` draws.
const SAMPLE_SEED: u64 = 1;

pub(crate) fn run(args: &SolveArgs, context: &Context) -> Result<()> {
    check_options(args)?;
    let game = named_game(args)?;
    let context = &context.with_tables_of(game.rules());
    check_options_of_game(args, &game)?;
    let out = open_table(&args.files, &args.spec, context.force)?;
    let start = match &args.position {
        Some(text) => game.parse(text)?,
        None => game.start(),
    };
    if let Some(path) = &args.strategy {
        return strategy::run(&game, &start, path, args, context);
    }
    note_unreachable(&game, &start, context)?;
    let command = SolveCommand { game: &game, start: &start, args, context };
    command.run(out)
}

/// Game of the spec; with the move order of the published program for its ways.
fn named_game(args: &SolveArgs) -> Result<AnyGame> {
    let symmetry = Symmetry::from(args.symmetry);
    Ok(match args.way {
        None | Some(ForwardWay::Best) => game_with_symmetry(&args.spec, symmetry)?,
        Some(ForwardWay::Program | ForwardWay::Printed) => {
            game_in_published_order(&args.spec, symmetry)?
        }
    })
}

/// Returns the solver that the options name or imply; `None` if it is to be chosen.
fn requested_solver(args: &SolveArgs) -> Option<Solver> {
    // Planes keep no layers, which alone have a layout without a table.
    let is_layered = args.layout.is_some() && args.files.out.is_none();
    let implied = match (args.weak, is_layered) {
        (true, _) => Some(Solver::Proof),
        (false, true) => Some(Solver::Tiered),
        (false, false) => None,
    };
    args.solver.or(implied)
}

/// Set of positions that the options imply; `None` for the default of the game.
fn implied_scope(args: &SolveArgs) -> Option<Scope> {
    if args.files.checkpoint.is_some() {
        Some(Scope::All)
    } else if table_options(args).iter().any(|option| option.1) {
        None
    } else if args.symmetry != SymmetryArg::None {
        Some(Scope::Reachable)
    } else {
        None
    }
}

/// Options that ask for every position, each with true if it is there.
fn table_options(args: &SolveArgs) -> [(&'static str, bool); 3] {
    [
        ("--out", args.files.out.is_some()),
        ("--layout", args.layout.is_some()),
        ("--checkpoint", args.files.checkpoint.is_some()),
    ]
}

/// Refuses options that do not go together.
fn check_options(args: &SolveArgs) -> Result<()> {
    check_weak_options(args)?;
    let solver = requested_solver(args);
    if args.way.is_some() && solver != Some(Solver::Forward) {
        bail!("--way is for --solver forward; other solvers have one way only");
    }
    let stored = table_options(args).into_iter().find(|option| option.1);
    if let (Some((option, _)), Some(_)) = (stored, &args.position) {
        bail!("{option} is for every position of a game: leave out the position");
    }
    if solver == Some(Solver::Planes) && args.layout.is_some() && args.files.out.is_none() {
        bail!("--layout is for tables, and planes writes one with --out only");
    }
    check_sample_option(args)
}

/// Refuses options that the solver does not take; names one that does, if the game has it.
fn check_options_of_game(args: &SolveArgs, game: &AnyGame) -> Result<()> {
    let solver = requested_solver(args);
    let plan = |method| game.needs(method, &Options::default());
    // A graph has a table of positions alone.
    let has_states = game.rules().structure() == Structure::ForbiddenMove;
    let has_table = solver == Some(Solver::Graph) && !has_states;
    let stored = table_options(args).into_iter().find(|option| option.1 && !has_table);
    if let (Some(solver), Some((option, _))) = (solver.filter(|solver| !solver.stores()), stored) {
        let name = Method::from(solver).name();
        let what = if option == "--checkpoint" { "checkpoint" } else { "table" };
        let storing = match plan(Method::Planes) {
            Err(Error::Plan(PlanError::NotTwoSided)) => "tiered",
            _ => "tiered or planes",
        };
        match plan(Method::Tiered) {
            Err(Error::Plan(PlanError::Unranked)) => {
                bail!("{option} is for --solver graph; {name} has no {what}")
            }
            _ => bail!("{option} is for --solver {storing}; {name} has no {what}"),
        }
    }
    if args.check.is_some() && solver != Some(Solver::Planes) {
        let other = match plan(Method::Planes) {
            Err(Error::Plan(PlanError::NotTwoSided)) => {
                ", which is for Onitama on boards of at most 32 squares: leave out --check"
            }
            _ => "",
        };
        bail!("--check is for --solver planes{other}");
    }
    Ok(())
}

/// Refuses options that do not go together with `--weak`.
fn check_weak_options(args: &SolveArgs) -> Result<()> {
    if !args.weak {
        return Ok(());
    }
    let incompatible = [
        ("--solver", args.solver.is_some()),
        ("--way", args.way.is_some()),
        ("--check", args.check.is_some()),
    ];
    let options = incompatible.into_iter().chain(table_options(args));
    if let Some((option, _)) = options.into_iter().find(|option| option.1) {
        bail!(
            "--weak finds who wins, in a search of its own that keeps no table: leave out {option}"
        );
    }
    Ok(())
}

/// Refuses `--check` with options under which no position would be checked.
fn check_sample_option(args: &SolveArgs) -> Result<()> {
    if args.check.is_none() {
        return Ok(());
    }
    if args.files.out.is_some() {
        bail!("--check is for solves without a table: `hindsight verify FILE` checks all of one");
    }
    let checkpoint = args.files.checkpoint.as_ref();
    if args.files.resume && !checkpoint.is_some_and(|dir| StartedWork::has_slices(dir)) {
        bail!("--check watches a solve from its beginning: --resume has no place beside it");
    }
    Ok(())
}

/// A solve of a game, with its options.
struct SolveCommand<'a> {
    game: &'a AnyGame,
    /// Position from which the game is solved.
    start: &'a Position,
    args: &'a SolveArgs,
    context: &'a Context,
}

impl SolveCommand<'_> {
    /// Solves the game, writes the table to `out`, and prints the answer.
    fn run(&self, mut out: Option<Output>) -> Result<()> {
        if let Some(found) = self.proved_deal().filter(|_| self.wants_the_winner_alone()) {
            return self.print_proved_deal(found);
        }
        let folder = layer_folder(&self.args.files)?;
        let mut begun = None;
        let outcome = match self.solve(folder.as_ref(), out.as_mut(), &mut begun) {
            Ok(outcome) => outcome,
            Err(Error::Solve(SolverError::Time { seconds, .. })) if folder.is_none() => {
                let needs = begun.expect("a solve that runs out of time has begun");
                return self.print_undecided(&needs, seconds);
            }
            Err(error) => {
                let error = self.explain(error);
                let error = match &begun {
                    Some(needs) => self.with_lack_of_disk(error, needs),
                    None => error,
                };
                return Err(match &folder {
                    Some(folder) => folder.name_table(error, &self.args.files),
                    None => error,
                });
            }
        };
        if let Some(winner) = outcome.solved.winner() {
            return self.print_winner(&outcome, winner);
        }
        self.check_sample(&outcome)?;
        let facts = SolvedGameFacts {
            game: self.game,
            start: self.start,
            symmetry: Symmetry::from(self.args.symmetry).name(),
            outcome: &outcome,
        };
        let answer = report::answer(&facts, out.as_ref())?;
        // A table that has its name is not stopped any more.
        let _listener = StopListener::new();
        out.map_or(Ok(()), Output::finish)?;
        if self.context.json {
            print_json(&answer)?;
        } else {
            print_text(&report::text(&answer, &facts, self.context)?)?;
        }
        if let Err(error) = outcome.forget_progress() {
            let error = self.context.game_error(error);
            print_message(&format!(
                "hindsight: the solve is done, but its checkpoint cannot be tidied up: {error:#}"
            ));
        }
        Ok(())
    }

    /// True if no solver is named and nothing else is wanted than who wins from the start.
    fn wants_the_winner_alone(&self) -> bool {
        requested_solver(self.args).is_none()
            && implied_scope(self.args).is_none()
            && !table_options(self.args).iter().any(|option| option.1)
    }

    /// Returns what the list of proved deals has of the start.
    fn proved_deal(&self) -> Option<FoundByThen> {
        let is_start = *self.start == self.game.start();
        let deal = is_start.then(|| ProvedDeal::shipped(self.game.spec())).flatten()?;
        let plies = deal.plies;
        Some(FoundByThen {
            value: Some(deal.value),
            wins: [deal.value == Wdl::Win, deal.value == Wdl::Loss].map(Some),
            best_move: deal.best_move,
            bounds: match deal.value {
                Wdl::Win => plies.map(|plies| [Value::Win(plies), Value::Win(1)]),
                Wdl::Draw => Some([Value::Draw; 2]),
                Wdl::Loss => plies.map(|plies| [Value::Loss(2), Value::Loss(plies)]),
            },
            ..FoundByThen::default()
        })
    }

    /// Prints what the list of proved deals has, without a search.
    fn print_proved_deal(&self, found: FoundByThen) -> Result<()> {
        let because =
            "it is proved already (`hindsight deals` has by whom, --weak proves it again)";
        let chosen = ChosenSolver { solver: "deals", because: because.into() };
        if !self.context.quiet {
            print_message(&format!("note: who wins this deal is not searched: {because}"));
        }
        let search = WinnerSearch {
            game: self.game,
            start: self.start,
            solver: chosen.solver,
            scope: scope_name(Method::Proof),
            chosen: Some(chosen),
            symmetry: Symmetry::from(self.args.symmetry).name(),
            found,
            strategy: None,
            lacks_strategy: false,
            seconds: 0.0,
            more: None,
        };
        search.print(self.context)
    }

    /// Solves the game; notes the needs in `begun` when the solve begins.
    fn solve(
        &self,
        folder: Option<&LayerFolder>,
        out: Option<&mut Output>,
        begun: &mut Option<SolveNeeds>,
    ) -> Result<SolveOutcome, Error> {
        let (args, context) = (self.args, self.context);
        let mut random = SeededRandom::new(&[SAMPLE_SEED]);
        let mut begin = |needs: &SolveNeeds| {
            let check = SolveNeedsCheck { spec: self.game.spec(), files: &args.files, context };
            check.report_and_check(needs)?;
            *begun = Some(*needs);
            let display = ProgressDisplay::new(context.quiet);
            Ok(Box::new(match needs.extent {
                // A search tells what it knows when it is stopped.
                Extent::Search | Extent::BoundedSearch => display,
                _ if args.files.checkpoint.is_some() => display.saving_later(),
                _ => display.saving_nothing(),
            }) as Box<dyn Monitor>)
        };
        let limits = Limits { time: args.seconds.map(Duration::from_secs_f64), ..context.limits() };
        let task = SolveTask {
            method: requested_solver(args).map_or(Method::Auto, Method::from),
            start: Some(self.start),
            scope: implied_scope(args),
            limits,
            kept_values: KeptValues::OfSmallGames,
            forward_variant: forward_variant(args.way),
            sample: args.check.map(|positions| SampleTask { positions, random: &mut random }),
            layout: args.layout.map(Into::into),
            folder: folder.map(|folder| folder.of_task(&args.files, context)),
            table: out.map(|out| out as _),
            ..SolveTask::new(&mut begin)
        };
        self.game.run(task)
    }

    /// Prints the answer of a search for the winner.
    fn print_winner(&self, outcome: &SolveOutcome, winner: FoundWinner) -> Result<()> {
        let solved = &outcome.solved;
        let best_move = solved.strategy_move();
        let best_move = best_move.map(|mv| self.game.format_move(self.start, &mv));
        let found = FoundByThen {
            value: solved.start_value().wdl(),
            wins: winner.wins,
            best_move: best_move.transpose()?,
            bounds: winner.bounds,
            expansions: Some(solved.summary().positions),
            tables: winner.tables,
        };
        // A search that finds nothing takes nothing away from what was proved before.
        let known = self.proved_deal().filter(|_| found.value.is_none());
        let found = match known {
            Some(known) => {
                FoundByThen { expansions: found.expansions, tables: found.tables, ..known }
            }
            None => found,
        };
        let seconds = outcome.times.solving.as_secs_f64();
        self.winner_search(&outcome.needs, found, seconds).print(self.context)
    }

    /// Prints the answer of a solve that ran out of time.
    fn print_undecided(&self, needs: &SolveNeeds, seconds: f64) -> Result<()> {
        let found = self.proved_deal().unwrap_or_default();
        self.winner_search(needs, found, seconds).print(self.context)
    }

    fn winner_search(
        &self,
        needs: &SolveNeeds,
        found: FoundByThen,
        seconds: f64,
    ) -> WinnerSearch<'_> {
        WinnerSearch {
            game: self.game,
            start: self.start,
            solver: needs.method.name(),
            scope: scope_name(needs.method),
            chosen: needs.choice.map(ChosenSolver::from),
            symmetry: Symmetry::from(self.args.symmetry).name(),
            found,
            strategy: None,
            lacks_strategy: false,
            seconds,
            more: more_options(self.args.seconds.is_some(), self.context),
        }
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
