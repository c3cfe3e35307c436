use std::fs::File;
use std::io::Read;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use game::{Game, Notation, Value, Wdl};
use games::{Setup, Visitor};
use serde::Serialize;
use solve::forward::{self, Order};
use solve::{Histogram, Limits, Line, Summary, best_line, graph};

use crate::args::{Common, SolveArgs, Solver, Symmetry, Way};
use crate::memory::{self, format_size};
use crate::output::{print, print_json, table, with_commas};
use crate::progress::Display;

/// What `solve --json` prints.
#[derive(Serialize)]
struct Report {
    game: String,
    scope: &'static str,
    solver: &'static str,
    symmetry: &'static str,
    start: Start,
    positions: u64,
    edges: Option<u64>,
    wins: u64,
    losses: u64,
    draws: u64,
    histogram: Option<Vec<Row>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    signature: String,
}

#[derive(Serialize)]
struct Start {
    value: String,
    remoteness: Option<u16>,
    position: String,
}

#[derive(Serialize)]
struct Row {
    value: String,
    remoteness: Option<u16>,
    positions: u64,
}

/// Reads a deck file for a spec.
pub(crate) fn read_file(name: &str) -> Result<String, String> {
    /// No deck is larger.
    const MOST: u64 = 1 << 20;
    let mut text = String::new();
    let read = File::open(name).and_then(|file| file.take(MOST + 1).read_to_string(&mut text));
    match read {
        Ok(bytes) if bytes as u64 > MOST => {
            Err(format!("'{name}' is no deck: it is larger than a megabyte"))
        }
        Ok(_) => Ok(text),
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

pub(crate) fn limits(common: &Common) -> Limits {
    Limits {
        memory: common.memory.unwrap_or_else(memory::available),
        time: None,
    }
}

/// A solver's error with its numbers for people.
pub(crate) fn explain(error: solve::Error) -> anyhow::Error {
    match error {
        solve::Error::Memory {
            positions,
            edges,
            needed,
            limit,
        } => anyhow!(
            "the graph does not fit in memory: {} positions and {} moves were reached, which need at least {}, and {} are allowed (--memory)",
            with_commas(positions),
            with_commas(edges),
            format_size(needed),
            format_size(limit)
        ),
        other => other.into(),
    }
}

pub(crate) fn run(args: &SolveArgs, common: &Common) -> Result<()> {
    if args.way.is_some() && args.solver != Solver::Forward {
        bail!("--way is for --solver forward; the graph solver has one way only");
    }
    let visitor = Solve { args, common };
    let setup = setup(args.symmetry);
    let visited = match args.way {
        None | Some(Way::Best) => games::by_name(&args.spec, &setup, visitor),
        Some(Way::Program | Way::Printed) => {
            games::by_name_as_published(&args.spec, &setup, visitor)
        }
    };
    visited.map_err(|error| in_spec(&args.spec, &error))?
}

struct Solve<'a> {
    args: &'a SolveArgs,
    common: &'a Common,
}

impl Visitor for Solve<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        match self.args.solver {
            Solver::Graph => self.graph(&game),
            Solver::Forward => self.forward(&game),
        }
    }
}

impl Solve<'_> {
    fn graph<G: Game + Notation>(&self, game: &G) -> Result<()> {
        let begin = Instant::now();
        let mut display = Display::new(self.common.quiet);
        let solved = graph::solve(game, limits(self.common), &mut display).map_err(explain)?;
        drop(display);
        let seconds = begin.elapsed().as_secs_f64();
        let histogram = solved.histogram();
        let value = solved.value(0);
        let report = self.report(
            game,
            value.wdl(),
            value.remoteness(),
            solved.summary(),
            Some(&histogram),
            seconds,
        );
        if self.common.json {
            return print_json(&report);
        }
        let mut text = heading(game);
        text.push_str(&format!("{}.\n\n", outcome(game, value)));
        text.push_str(&line_text(game, &best_line(game, &solved)));
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
        let seconds = begin.elapsed().as_secs_f64();
        let report = self.report(game, solved.start(), None, solved.summary(), None, seconds);
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
            let target = game.canonical(solved.positions()[next]);
            let mut moves = Vec::new();
            game.moves(game.start(), &mut moves);
            let mv = moves
                .into_iter()
                .find(|&mv| game.canonical(game.play(game.start(), mv)) == target);
            let mv = mv.context("a strategy of legal moves")?;
            text.push_str(&format!(" with {}", game.format_move(game.start(), mv)));
        }
        text.push_str(".\nThe forward solver finds who wins, not in how many plies.\n\n");
        text.push_str(&counted(&report));
        print(&text)
    }

    fn report<G: Notation>(
        &self,
        game: &G,
        wdl: Wdl,
        remoteness: Option<u16>,
        summary: Summary,
        histogram: Option<&Histogram>,
        seconds: f64,
    ) -> Report {
        Report {
            game: game.spec(),
            scope: "reachable",
            solver: match self.args.solver {
                Solver::Graph => "graph",
                Solver::Forward => "forward",
            },
            symmetry: match self.args.symmetry {
                Symmetry::None => "none",
                Symmetry::Swap => "swap",
                Symmetry::All => "all",
            },
            start: Start {
                value: wdl.to_string(),
                remoteness,
                position: game.format(game.start()),
            },
            positions: summary.positions,
            edges: Some(summary.edges),
            wins: summary.wins,
            losses: summary.losses,
            draws: summary.draws,
            histogram: histogram.map(|histogram| histogram.rows().into_iter().map(row).collect()),
            seconds,
            peak_memory_bytes: memory::peak(),
            signature: summary.signature(histogram),
        }
    }
}

fn row((value, positions): (Value, u64)) -> Row {
    Row {
        value: value.wdl().to_string(),
        remoteness: value.remoteness(),
        positions,
    }
}

/// The names of the side to move and of the other.
fn sides<G: Notation>(game: &G, position: G::Position) -> [&'static str; 2] {
    let mover = game.player_to_move(position);
    [game.players()[mover], game.players()[1 - mover]]
}

fn heading<G: Notation>(game: &G) -> String {
    format!("{}\n\n{}\n\n", game.spec(), game.diagram(game.start()))
}

/// The value of the start in a sentence without its full stop.
fn outcome<G: Notation>(game: &G, value: Value) -> String {
    let [mover, other] = sides(game, game.start());
    match value {
        Value::Win(n) => format!("{mover}, to move, wins in {n} plies"),
        Value::Loss(n) => format!("{other} wins in {n} plies; {mover} is to move"),
        Value::Draw => format!("Neither side can win: a draw; {mover} is to move"),
    }
}

/// Two plies in a row of text, numbered, and where a drawn line repeats.
fn line_text<G: Notation>(game: &G, line: &Line<G::Position, G::Move>) -> String {
    let mut rows = Vec::new();
    for (i, pair) in line.plies.chunks(2).enumerate() {
        let mut row = vec![format!("{}.", 2 * i + 1)];
        row.extend(
            pair.iter()
                .map(|&(position, mv)| game.format_move(position, mv)),
        );
        rows.push(row);
    }
    let plies = line.plies.len();
    let mut text = match line.repeats {
        None => format!("A best line of {plies} plies\n"),
        Some(ply) => {
            format!(
                "A drawn line: after {plies} plies the position before ply {} stands again\n",
                ply + 1
            )
        }
    };
    text.push_str(&table(&rows, "rll"));
    text
}

fn histogram_text(histogram: &Histogram) -> String {
    let mut rows = vec![["plies", "wins", "losses"].map(String::from).to_vec()];
    let mut draws = 0;
    for (value, positions) in histogram.rows() {
        let Some(plies) = value.remoteness() else {
            draws = positions;
            continue;
        };
        if rows.last().is_none_or(|row| row[0] != plies.to_string()) {
            rows.push(vec![
                plies.to_string(),
                String::from("-"),
                String::from("-"),
            ]);
        }
        let column = if value.wdl() == Wdl::Win { 1 } else { 2 };
        rows.last_mut().expect("a row was pushed")[column] = with_commas(positions);
    }
    rows.push(vec![String::from("draws"), with_commas(draws)]);
    table(&rows, "rrr")
}

/// What was counted, in how long and in how much memory.
fn counted(report: &Report) -> String {
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
    let rows: Vec<Vec<String>> = counts
        .into_iter()
        .map(|(name, value)| vec![name.to_string(), value])
        .collect();
    table(&rows, "ll")
}
