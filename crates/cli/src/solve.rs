use std::fmt;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use game::{Arrangements, Game, Material, Notation, Pairs, Restricting, Retro, Value, Wdl};
use games::{Setup, Visitor};
use serde::Serialize;
use solve::arrangements::Plan;
use solve::forward::{self, Order};
use solve::{Histogram, Limits, Summary, best_line, graph, move_between, pairs, tiered};
use table::Work;

use crate::args::{Common, SolveArgs, Solver, Symmetry, Way};
use crate::every::Every;
use crate::every_state::every_state;
use crate::files::open_table;
use crate::input::read_text;
use crate::memory::{self, beside, format_needed, format_size};
use crate::output::{Output, print, print_json, table, with_commas};
use crate::progress::Display;
use crate::show::{heading, histogram_text, line_text, outcome, sides};
use crate::weak;

/// What `solve --json` prints.
#[derive(Serialize)]
pub(crate) struct Report {
    game: String,
    scope: &'static str,
    solver: &'static str,
    symmetry: &'static str,
    start: Start,
    pub(crate) positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<u64>,
    edges: Option<u64>,
    wins: u64,
    losses: u64,
    draws: u64,
    pub(crate) histogram: Option<Vec<Row>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checked: Option<Sampled>,
}

/// Positions drawn at random whose values agree with those of their successors.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Sampled {
    pub(crate) positions: u64,
    pub(crate) successors: u64,
}

/// A table that was written.
#[derive(Clone, Serialize)]
pub(crate) struct Written {
    pub(crate) file: String,
    pub(crate) layout: String,
    pub(crate) bytes: u64,
    /// Spent on writing, beside the solve.
    pub(crate) seconds: f64,
}

/// What a solver found out about a game.
pub(crate) struct Found<'a> {
    pub(crate) solver: Solver,
    pub(crate) wdl: Wdl,
    pub(crate) remoteness: Option<u16>,
    pub(crate) summary: Summary,
    pub(crate) histogram: Option<&'a Histogram>,
    pub(crate) seconds: f64,
    pub(crate) table: Option<Written>,
}

#[derive(Serialize)]
struct Start {
    value: String,
    remoteness: Option<u16>,
    position: String,
}

#[derive(Serialize)]
pub(crate) struct Row {
    value: String,
    remoteness: Option<u16>,
    positions: u64,
}

/// Reads a deck file for a spec.
pub(crate) fn read_file(name: &str) -> Result<String, String> {
    /// No deck is larger.
    const MOST: u64 = 1 << 20;
    match read_text(name.as_ref(), MOST) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(format!("'{name}' is no deck: it is larger than a megabyte")),
        Err(error) => Err(format!("cannot read '{name}': {error}")),
    }
}

/// The rules' side of a call.
pub(crate) fn setup(symmetry: Symmetry) -> Setup<'static> {
    Setup {
        symmetry: symmetry.into(),
        read_file: &read_file,
    }
}

/// The error of a spec with the spec before it.
pub(crate) fn in_spec(spec: &str, error: &game::ParseError) -> anyhow::Error {
    anyhow!("'{spec}': {}", error.message)
}

/// The error of what names neither a file nor a game.
pub(crate) fn in_file_or_spec(name: &str, error: &game::ParseError) -> anyhow::Error {
    // What ends as a file does was meant as one.
    match std::path::Path::new(name).extension() {
        Some(_) if !name.contains(':') => anyhow!("there is no file '{name}'"),
        _ => in_spec(name, error),
    }
}

/// The limits of a solver: the memory allowed, less what the program takes by itself.
pub(crate) fn limits(common: &Common) -> Limits {
    let allowed = common.memory.unwrap_or(u64::MAX);
    Limits {
        memory: allowed.saturating_sub(beside()),
        time: None,
    }
}

/// Memory that is needed and memory that is allowed, both of the whole program, by those of a solver.
pub(crate) fn needed_and_allowed(needed: u64, limit: u64) -> String {
    let needed = format_needed(needed.saturating_add(beside()));
    match limit {
        0 => format!("{needed}, and less is allowed (--memory)"),
        limit => {
            let limit = format_size(limit.saturating_add(beside()));
            format!("{needed}, and {limit} are allowed (--memory)")
        }
    }
}

/// What is said where a solver has too little memory.
#[derive(Debug)]
struct DoesNotFit(String);

impl std::error::Error for DoesNotFit {}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A solver's error with its numbers for people.
pub(crate) fn explain(error: solve::Error) -> anyhow::Error {
    let text = match error {
        solve::Error::Memory {
            positions,
            edges,
            needed,
            limit,
        } => format!(
            "the graph does not fit in memory: {} positions and {} moves were reached, which need at least {}",
            with_commas(positions),
            with_commas(edges),
            needed_and_allowed(needed, limit)
        ),
        solve::Error::TooLarge {
            ranks,
            needed,
            limit,
        } => format!(
            "every position does not fit in memory: {} ranks need {}",
            with_commas(ranks),
            needed_and_allowed(needed, limit)
        ),
        solve::Error::TooLong(_) => {
            let graph = format!("--solver graph keeps up to {} plies", graph::LONGEST);
            return anyhow!("{error}; {graph}, of what is reachable");
        }
        other => return other.into(),
    };
    DoesNotFit(text).into()
}

pub(crate) fn run(args: &SolveArgs, common: &Common) -> Result<()> {
    if args.weak {
        return weak::run(args, common);
    }
    let mut visitor = Solve {
        args,
        common,
        out: None,
    };
    let solver = visitor.asked_for();
    if args.way.is_some() && solver != Some(Solver::Forward) {
        bail!("--way is for --solver forward; other solvers have one way only");
    }
    let files = [
        ("--out", args.files.out.is_some()),
        ("--layout", args.layout.is_some()),
        ("--checkpoint", args.files.checkpoint.is_some()),
    ];
    if let (Some(solver @ (Solver::Graph | Solver::Forward)), Some((option, _))) =
        (solver, files.iter().find(|file| file.1))
    {
        let name = solver.name();
        bail!("{option} is for --solver tiered or planes; {name} writes no table");
    }
    if solver == Some(Solver::Planes) && args.layout.is_some() && args.files.out.is_none() {
        bail!("--layout is for tables, and planes writes one with --out only");
    }
    check_can_check(args, solver)?;
    visitor.out = open_table(&args.files, &args.spec, common.force)?;
    let setup = setup(args.symmetry);
    let visited = match args.way {
        None | Some(Way::Best) => games::by_name(&args.spec, &setup, visitor),
        Some(Way::Program | Way::Printed) => {
            games::by_name_as_published(&args.spec, &setup, visitor)
        }
    };
    visited.map_err(|error| in_spec(&args.spec, &error))?
}

/// Refuses `--check` where nothing would be checked.
fn check_can_check(args: &SolveArgs, solver: Option<Solver>) -> Result<()> {
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
    if args.files.resume && !checkpoint.is_some_and(|dir| Work::has_slices(dir)) {
        bail!("--check watches a solve from its beginning: --resume has no place beside it");
    }
    Ok(())
}

struct Solve<'a> {
    args: &'a SolveArgs,
    common: &'a Common,
    /// The file of the table, if there shall be one.
    out: Option<Output>,
}

impl Symmetry {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Swap => "swap",
            Self::All => "all",
        }
    }
}

impl Solver {
    fn name(self) -> &'static str {
        match self {
            Self::Tiered => "tiered",
            Self::Planes => "planes",
            Self::Graph => "graph",
            Self::Forward => "forward",
        }
    }
}

impl Visitor for Solve<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        self.reachable(&game)
    }

    fn ranked<G: Retro + Notation + Material>(mut self, game: G) -> Result<()> {
        self.tiered_or_reachable(&game)
    }

    fn arrangements<G: Arrangements + Retro + Notation + Material>(
        mut self,
        game: G,
    ) -> Result<()> {
        if self.asked_for() == Some(Solver::Planes) {
            return Every::new(&game, self.args, self.common).by_planes(self.out);
        }
        let solved = self.tiered_or_reachable(&game);
        solved.map_err(|error| match error.is::<DoesNotFit>() {
            true => self.or_by_planes(&game, error),
            false => error,
        })
    }

    fn restricting<G: Restricting<Base: Material> + Notation + Material>(
        self,
        game: G,
    ) -> Result<()> {
        match self.asked_for() {
            None | Some(Solver::Tiered) => every_state(&game, self.args, self.common, self.out),
            _ => self.visit(game),
        }
    }

    fn pairs<G: Pairs + Retro + Notation + Material>(self, game: G) -> Result<()> {
        match self.asked_for() {
            None | Some(Solver::Tiered) => Every::new(&game, self.args, self.common).run(
                self.out,
                true,
                pairs::LONGEST,
                pairs::solve,
            ),
            _ => self.visit(game),
        }
    }
}

impl Solve<'_> {
    /// The solver that the options ask for, if they do.
    fn asked_for(&self) -> Option<Solver> {
        let every = [
            self.args.files.out.is_some(),
            self.args.files.checkpoint.is_some(),
            self.args.layout.is_some(),
        ];
        match self.args.solver {
            Some(solver) => Some(solver),
            None if every.contains(&true) => Some(Solver::Tiered),
            None if self.args.symmetry != Symmetry::None => Some(Solver::Graph),
            None => None,
        }
    }

    fn reachable<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let spec = game.spec();
        match self.asked_for() {
            Some(Solver::Graph) => self.graph(game),
            Some(Solver::Forward) => self.forward(game),
            // What is reachable in Quoridor is nearly everything: nobody should wait for that unasked.
            None if !spec.starts_with("quoridor:") => self.graph(game),
            Some(Solver::Planes) => bail!(
                "--solver planes is for Onitama on boards of at most 32 squares, not for {spec}"
            ),
            None | Some(Solver::Tiered) => bail!(
                "{spec} has no numbering of all positions that fits 64 bits; --solver graph or forward looks at what is reachable"
            ),
        }
    }

    fn tiered_or_reachable<G: Retro + Notation + Material>(&mut self, game: &G) -> Result<()> {
        let every = Every::new(game, self.args, self.common);
        match self.asked_for() {
            Some(Solver::Tiered) => {
                every.run(self.out.take(), false, tiered::LONGEST, tiered::solve)
            }
            // Few students are asked for to see the end of the game, reachable or not.
            None if game.spec().contains(":students=") => {
                every.run(None, false, tiered::LONGEST, tiered::solve)
            }
            _ => self.reachable(game),
        }
    }

    /// What did not fit, and what planes need instead.
    fn or_by_planes<G: Arrangements + Retro>(
        &self,
        game: &G,
        error: anyhow::Error,
    ) -> anyhow::Error {
        // A table takes a byte a position by planes as well.
        let writes = self.args.files.out.is_some();
        if writes || Plan::check_roughly(game, limits(self.common)).is_err() {
            return error;
        }
        let least = Plan::new(game).peak(0);
        anyhow!(
            "{error}; with --solver planes every position, reachable or not, takes at least {}",
            format_needed(least.saturating_add(beside()))
        )
    }

    fn graph<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let begin = Instant::now();
        let mut display = Display::new(self.common.quiet);
        let solved = graph::solve(game, limits(self.common), &mut display).map_err(explain)?;
        drop(display);
        let histogram = solved.histogram();
        let value = solved.value(0);
        let report = report(
            game,
            self.args,
            Found {
                solver: Solver::Graph,
                wdl: value.wdl(),
                remoteness: value.remoteness(),
                summary: solved.summary(),
                histogram: Some(&histogram),
                seconds: begin.elapsed().as_secs_f64(),
                table: None,
            },
        );
        if self.common.json {
            return print_json(&report);
        }
        let line = best_line(game, &solved.reader(game), game.start())?;
        let mut text = heading(game);
        text.push_str(&format!("{}.\n\n", outcome(game, value)));
        text.push_str(&line_text(game, &line));
        text.push_str(&format!(
            "\nPositions by value for the side to move\n{}",
            histogram_text(&histogram)
        ));
        text.push_str(&format!("\n{}", counted(&report)));
        print(&text)
    }

    fn forward<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let way = match self.args.way {
            None | Some(Way::Best) => forward::Way::Best(Order::FewestReplies),
            Some(Way::Program) => forward::Way::Program,
            Some(Way::Printed) => forward::Way::Printed,
        };
        let begin = Instant::now();
        let mut display = Display::new(self.common.quiet);
        let solved =
            forward::solve(game, way, limits(self.common), &mut display).map_err(explain)?;
        drop(display);
        let report = report(
            game,
            self.args,
            Found {
                solver: Solver::Forward,
                wdl: solved.start(),
                remoteness: None,
                summary: solved.summary(),
                histogram: None,
                seconds: begin.elapsed().as_secs_f64(),
                table: None,
            },
        );
        if self.common.json {
            return print_json(&report);
        }
        let mut text = heading(game);
        let [mover, other] = sides(game, game.start());
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
        text.push_str(&counted(&report));
        print(&text)
    }
}

pub(crate) fn report<G: Notation>(game: &G, args: &SolveArgs, found: Found<'_>) -> Report {
    let summary = found.summary;
    let every = matches!(found.solver, Solver::Tiered | Solver::Planes);
    Report {
        game: game.spec(),
        scope: if every { "all" } else { "reachable" },
        solver: found.solver.name(),
        symmetry: args.symmetry.name(),
        start: Start {
            value: found.wdl.to_string(),
            remoteness: found.remoteness,
            position: game.format(game.start()),
        },
        positions: summary.positions,
        states: None,
        edges: (!every).then_some(summary.edges),
        wins: summary.wins,
        losses: summary.losses,
        draws: summary.draws,
        histogram: found.histogram.map(rows),
        seconds: found.seconds,
        peak_memory_bytes: memory::peak(),
        signature: summary.signature(found.histogram),
        table: found.table,
        checked: None,
    }
}

/// A histogram as JSON has it.
pub(crate) fn rows(histogram: &Histogram) -> Vec<Row> {
    let row = |(value, positions): (Value, u64)| Row {
        value: value.wdl().to_string(),
        remoteness: value.remoteness(),
        positions,
    };
    histogram.rows().into_iter().map(row).collect()
}

/// What was counted, in how long and in how much memory.
pub(crate) fn counted(report: &Report) -> String {
    let counts = [
        ("positions", with_commas(report.positions)),
        (
            "moves",
            report
                .edges
                .map_or(String::from("not counted"), with_commas),
        ),
        ("won", with_commas(report.wins)),
        ("lost", with_commas(report.losses)),
        ("drawn", with_commas(report.draws)),
        (
            "solver",
            format!("{}, symmetry {}", report.solver, report.symmetry),
        ),
        ("seconds", format!("{:.3}", report.seconds)),
        (
            "peak memory",
            report
                .peak_memory_bytes
                .map_or(String::from("unknown"), format_size),
        ),
        ("signature", report.signature.clone()),
    ];
    let mut rows: Vec<Vec<String>> = counts
        .into_iter()
        .map(|(name, value)| vec![name.to_string(), value])
        .collect();
    if let Some(states) = report.states {
        rows.insert(1, vec![String::from("states"), with_commas(states)]);
    }
    if let Some(checked) = &report.checked {
        rows.push(vec![
            String::from("checked"),
            format!(
                "{} positions drawn at random, by {} successors: no fault",
                with_commas(checked.positions),
                with_commas(checked.successors)
            ),
        ]);
    }
    if let Some(written) = &report.table {
        rows.push(vec![
            String::from("table"),
            format!(
                "{}, layout {}, {} ({:.4} bytes a position), {:.3} s to write",
                written.file,
                written.layout,
                format_size(written.bytes),
                written.bytes as f64 / report.positions.max(1) as f64,
                written.seconds
            ),
        ]);
    }
    table(&rows, "ll")
}
