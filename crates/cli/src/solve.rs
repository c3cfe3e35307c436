//! The command `solve`: the choice of a solver, and the solvers of reachable positions.

mod forbidden;
mod planes;
mod report;
mod strategy;
mod strong;
mod weak;

use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_bitplanes::BitplanePlan;
use hindsight_core::{ForbiddenMove, Game, Material, Notation, PawnPairs, Retro, TwoSided, Wdl};
use hindsight_rules::Visitor;
use hindsight_solve::forward::{self, MoveOrder};
use hindsight_solve::{best_line, graph, move_between, pawn_pairs, tiered};
use hindsight_tablebase::CheckpointDir;

use crate::args::{ForwardWay, SolveArgs, Solver, SymmetryArg};
use crate::context::Context;
use crate::errors::{DoesNotFit, solver_error};
use crate::files::open_table;
use crate::memory::program_bytes;
use crate::output::{Output, print, print_json};
use crate::progress::ProgressDisplay;
use crate::sizes::format_needed;
use crate::spec::{setup, spec_error};
use crate::text::{heading, histogram_text, line_text, side_names, start_outcome};
use forbidden::solve_states;
use report::{SolveSummary, counts_text, solve_report};
use strong::StrongSolve;

pub(crate) use weak::check_proof_memory;

pub(crate) fn run(args: &SolveArgs, context: &Context) -> Result<()> {
    if args.weak {
        return weak::run(args, context);
    }
    let mut visitor = SolveVisitor {
        args,
        context,
        out: None,
    };
    let solver = visitor.requested_solver();
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
        let name = solver.name();
        bail!("{option} is for --solver tiered or planes; {name} writes no table");
    }
    if solver == Some(Solver::Planes) && args.layout.is_some() && args.files.out.is_none() {
        bail!("--layout is for tables, and planes writes one with --out only");
    }
    validate_check_option(args, solver)?;
    visitor.out = open_table(&args.files, &args.spec, context.force)?;
    let setup = setup(args.symmetry);
    let visited = match args.way {
        None | Some(ForwardWay::Best) => hindsight_rules::by_name(&args.spec, &setup, visitor),
        Some(ForwardWay::Program | ForwardWay::Printed) => {
            hindsight_rules::by_name_in_published_order(
                &args.spec,
                &setup,
                PublishedOrderVisitor(visitor),
            )
        }
    };
    visited.map_err(|error| spec_error(&args.spec, &error))?
}

/// Refuses `--check` with options under which no position would be checked.
fn validate_check_option(args: &SolveArgs, solver: Option<Solver>) -> Result<()> {
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
    if args.files.resume && !checkpoint.is_some_and(|dir| CheckpointDir::has_slices(dir)) {
        bail!("--check watches a solve from its beginning: --resume has no place beside it");
    }
    Ok(())
}

struct SolveVisitor<'a> {
    args: &'a SolveArgs,
    context: &'a Context,
    /// File of the table, if one is requested.
    out: Option<Output>,
}

/// Solves with the forward solver, on a game with the move order of the published program.
struct PublishedOrderVisitor<'a>(SolveVisitor<'a>);

impl Visitor for PublishedOrderVisitor<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        self.0.solve_forward(&game)
    }
}

impl Visitor for SolveVisitor<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        self.solve_reachable(&game)
    }

    fn ranked<G: Retro + Notation + Material>(mut self, game: G) -> Result<()> {
        self.solve_tiered_or_reachable(&game)
    }

    fn two_sided<G: TwoSided + Retro + Notation + Material>(mut self, game: G) -> Result<()> {
        if self.requested_solver() == Some(Solver::Planes) {
            return StrongSolve::new(&game, self.args, self.context).run_planes(self.out);
        }
        let solved = self.solve_tiered_or_reachable(&game);
        solved.map_err(|error| {
            if error.is::<DoesNotFit>() {
                self.suggest_planes(&game, error)
            } else {
                error
            }
        })
    }

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material + Send + 'static>(
        self,
        game: G,
    ) -> Result<()> {
        match self.requested_solver() {
            None | Some(Solver::Tiered) => solve_states(&game, self.args, self.context, self.out),
            _ => self.visit(game),
        }
    }

    fn pawn_pairs<G: PawnPairs + Retro + Notation + Material + Send + 'static>(
        self,
        game: G,
    ) -> Result<()> {
        match self.requested_solver() {
            None | Some(Solver::Tiered) => StrongSolve::new(&game, self.args, self.context).run(
                self.out,
                true,
                pawn_pairs::MAX_REMOTENESS,
                pawn_pairs::solve,
            ),
            _ => self.visit(game),
        }
    }
}

impl SolveVisitor<'_> {
    /// Returns the solver that the options name or imply; `None` for the default of the game.
    fn requested_solver(&self) -> Option<Solver> {
        let for_tables = [
            self.args.files.out.is_some(),
            self.args.files.checkpoint.is_some(),
            self.args.layout.is_some(),
        ];
        match self.args.solver {
            Some(solver) => Some(solver),
            None if for_tables.contains(&true) => Some(Solver::Tiered),
            None if self.args.symmetry != SymmetryArg::None => Some(Solver::Graph),
            None => None,
        }
    }

    fn solve_reachable<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let spec = game.spec();
        match self.requested_solver() {
            Some(Solver::Graph) => self.solve_graph(game),
            Some(Solver::Forward) => self.solve_forward(game),
            // In Quoridor nearly every position is reachable: too long a solve to be a default.
            None if !spec.starts_with("quoridor:") => self.solve_graph(game),
            Some(Solver::Planes) => bail!(
                "--solver planes is for Onitama on boards of at most 32 squares, not for {spec}"
            ),
            None | Some(Solver::Tiered) => bail!(
                "{spec} has no numbering of all positions that fits 64 bits; \
                 --solver graph or forward looks at what is reachable"
            ),
        }
    }

    fn solve_tiered_or_reachable<G: Retro + Notation + Material>(
        &mut self,
        game: &G,
    ) -> Result<()> {
        let strong = StrongSolve::new(game, self.args, self.context);
        match self.requested_solver() {
            Some(Solver::Tiered) => strong.run(
                self.out.take(),
                false,
                tiered::MAX_REMOTENESS,
                tiered::solve,
            ),
            // A limit on students asks for the endgame, whose positions need not be reachable.
            None if game.spec().contains(":students=") => {
                strong.run(None, false, tiered::MAX_REMOTENESS, tiered::solve)
            }
            _ => self.solve_reachable(game),
        }
    }

    /// Appends the memory that planes need to `error`, the error of a solve that does not fit.
    fn suggest_planes<G: TwoSided + Retro>(&self, game: &G, error: anyhow::Error) -> anyhow::Error {
        // With a table, planes take a byte a position too.
        let writes_table = self.args.files.out.is_some();
        if writes_table || BitplanePlan::check_roughly(game, self.context.limits()).is_err() {
            return error;
        }
        let min_bytes = BitplanePlan::new(game).peak(0);
        anyhow!(
            "{error}; with --solver planes every position, reachable or not, takes at least {}",
            format_needed(min_bytes.saturating_add(program_bytes()))
        )
    }

    fn solve_graph<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved =
            graph::solve(game, self.context.limits(), &mut display).map_err(solver_error)?;
        drop(display);
        let histogram = solved.histogram();
        let value = solved.value(0);
        let report = solve_report(
            game,
            self.args,
            SolveSummary {
                solver: Solver::Graph,
                wdl: value.wdl(),
                remoteness: value.remoteness(),
                summary: solved.summary(),
                histogram: Some(&histogram),
                seconds: begin.elapsed().as_secs_f64(),
                table: None,
            },
        );
        if self.context.json {
            return print_json(&report);
        }
        let line = best_line(game, &solved.reader(game), game.start())?;
        let mut text = heading(game);
        text.push_str(&format!("{}.\n\n", start_outcome(game, value)));
        text.push_str(&line_text(game, &line));
        text.push_str(&format!(
            "\nPositions by value for the side to move\n{}",
            histogram_text(&histogram)
        ));
        text.push_str(&format!("\n{}", counts_text(&report)));
        print(&text)
    }

    fn solve_forward<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let variant = match self.args.way {
            None | Some(ForwardWay::Best) => {
                forward::ForwardVariant::Best(MoveOrder::FewestReplies)
            }
            Some(ForwardWay::Program) => forward::ForwardVariant::ThesisProgram,
            Some(ForwardWay::Printed) => forward::ForwardVariant::ThesisAlgorithm,
        };
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved = forward::solve(game, variant, self.context.limits(), &mut display)
            .map_err(solver_error)?;
        drop(display);
        let report = solve_report(
            game,
            self.args,
            SolveSummary {
                solver: Solver::Forward,
                wdl: solved.start(),
                remoteness: None,
                summary: solved.summary(),
                histogram: None,
                seconds: begin.elapsed().as_secs_f64(),
                table: None,
            },
        );
        if self.context.json {
            return print_json(&report);
        }
        let mut text = heading(game);
        let [mover, other] = side_names(game, game.start());
        text.push_str(&match solved.start() {
            Wdl::Win => format!("{mover}, to move, wins"),
            Wdl::Loss => format!("{other} wins, whatever {mover} plays"),
            Wdl::Draw => String::from("Neither side can win: a draw"),
        });
        if let Some(next) = solved
            .best_successor(0)
            .filter(|_| solved.start() != Wdl::Loss)
        {
            let mv = move_between(game, game.start(), solved.positions()[next]);
            let mv = mv.context("a strategy of legal moves")?;
            text.push_str(&format!(" with {}", game.format_move(game.start(), mv)));
        }
        text.push_str(".\nThe forward solver finds who wins, not in how many plies.\n\n");
        text.push_str(&counts_text(&report));
        print(&text)
    }
}
