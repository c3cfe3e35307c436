//! Distances from the start.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Game, Material, Notation, Ranked};
use hindsight_rules::Visitor;
use hindsight_solve::distance::{
    self, DistanceProbe, DistanceReader, Distances, NextStates, ShortestLine,
};
use hindsight_solve::{Error, Histogram};
use hindsight_tablebase::{CheckpointDir, Layout, Table};
use serde::Serialize;

use crate::args::{ReachArgs, SymmetryArg};
use crate::context::Context;
use crate::errors::{solver_error, store_error};
use crate::files::{
    CHECKPOINT_INTERVAL, DiskNeeds, TableFileSummary, layer_folder, open_table, write_table,
};
use crate::output::{Output, align_columns, print, print_json, with_commas};
use crate::probe::{note_unreachable, parse_position};
use crate::progress::ProgressDisplay;
use crate::sizes::format_size;
use crate::spec::{file_or_spec_error, setup};
use crate::tables;

/// What `reach --json` prints without a position.
#[derive(Serialize)]
struct DistancesReport {
    game: String,
    /// Those that can be reached.
    states: u64,
    distances: Vec<DistanceRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableFileSummary>,
}

#[derive(Serialize)]
struct DistanceRow {
    plies: usize,
    states: u64,
}

/// What `reach --json` prints of a position.
#[derive(Serialize)]
struct ReachReport {
    game: String,
    position: String,
    /// Null if it cannot be reached.
    plies: Option<usize>,
    line: Vec<ReachPly>,
    end: Option<String>,
}

#[derive(Serialize)]
struct ReachPly {
    position: String,
    r#move: String,
}

pub(crate) fn run(args: &ReachArgs, context: &Context) -> Result<()> {
    let path = Path::new(&args.spec);
    if !path.exists() {
        let out = open_table(&args.files, &args.spec, context.force)?;
        let search = ReachSearch { args, context, out };
        return hindsight_rules::by_name(&args.spec, &setup(SymmetryArg::All), search)
            .map_err(|error| file_or_spec_error(&args.spec, &error))?;
    }
    if args.files.out.is_some() || args.files.checkpoint.is_some() {
        bail!(
            "'{}' is a file; --out and --checkpoint go with a spec",
            args.spec
        );
    }
    let opened = tables::open_any(path)?;
    if opened.info().layout != Layout::Distances {
        bail!(
            "'{}' keeps values, not distances from the start: `hindsight reach SPEC --out FILE` writes those",
            args.spec
        );
    }
    let asked = ReachInTable {
        path,
        opened: &opened,
        position: args.position.as_deref(),
        context,
    };
    tables::visit(&opened.info().spec, asked)?
}

/// The error of a game in which nothing is forbidden.
fn no_distances_error<G: Notation>(game: &G) -> anyhow::Error {
    anyhow::anyhow!(
        "{}: distances are found for games in which a move may be forbidden, such as ostle",
        game.spec()
    )
}

struct ReachInTable<'a> {
    path: &'a Path,
    opened: &'a Table<File>,
    position: Option<&'a str>,
    context: &'a Context,
}

impl Visitor for ReachInTable<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(no_distances_error(&game))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<()> {
        let Some(position) = self.position else {
            return DistancesReport::new(&game, &self.states()).print(self.context);
        };
        let reader = self.opened.with_distances(&game);
        let done = print_distance(&game, &reader, position, self.context);
        done.map_err(
            |error| match error.downcast::<hindsight_tablebase::TableError>() {
                Ok(error) => tables::table_error(self.path, error),
                Err(error) => error,
            },
        )
    }
}

impl ReachInTable<'_> {
    /// How many states have each distance, as the header says.
    fn states(&self) -> Vec<u64> {
        let counts = self.opened.info().states().unwrap_or_default();
        states_by_distance(&counts.all)
    }
}

/// How many states have each distance, from 0, as a table's header has them.
pub(crate) fn states_by_distance(counts: &Histogram) -> Vec<u64> {
    let mut states = Vec::new();
    for (value, n) in counts.rows() {
        let plies = usize::from(value.remoteness().unwrap_or(0));
        states.resize(states.len().max(plies + 1), 0);
        states[plies] += n;
    }
    states
}

struct ReachSearch<'a> {
    args: &'a ReachArgs,
    context: &'a Context,
    /// The file of the table, if there shall be one.
    out: Option<Output>,
}

impl Visitor for ReachSearch<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        Err(no_distances_error(&game))
    }

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material>(
        mut self,
        game: G,
    ) -> Result<()> {
        let files = &self.args.files;
        if let Some(text) = &self.args.position {
            // A wrong position is told before the work.
            parse_position(&game, Some(text))?;
        }
        self.announce(&game)?;
        let folder = layer_folder(files)?;
        let work = folder.as_ref().map(|folder| {
            let open = if files.resume {
                CheckpointDir::resume
            } else {
                CheckpointDir::create
            };
            open(&folder.path, &game.spec(), Layout::Distances)
        });
        let work = work.transpose()?;
        let begin = Instant::now();
        let found = self.search(&game, work.as_ref())?;
        let seconds = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let beside = self
            .context
            .limits()
            .memory
            .saturating_sub(distance::peak(&game));
        if let Some(work) = work.as_ref().filter(|_| files.out.is_some()) {
            for layer in 0..game.base().layers() {
                work.put_distances_within(&game, layer, &found, beside)?;
            }
        }
        let written = write_table(
            work.as_ref(),
            self.out.take(),
            Layout::Distances,
            begin.elapsed(),
        )?;
        if let Some(text) = &self.args.position {
            return print_distance(&game, &found, text, self.context);
        }
        let counted = DistancesReport {
            seconds: Some(seconds),
            table: written,
            ..DistancesReport::new(&game, &found.states_by_distance())
        };
        counted.print(self.context)
    }
}

impl ReachSearch<'_> {
    fn announce<G: ForbiddenMove + Notation>(&self, game: &G) -> Result<()> {
        let files = &self.args.files;
        let searched = distance::peak(game);
        let positions = searched / 4;
        let writing = |layer: u32| {
            let ranks = game.base().ranks_about(layer);
            let threads = rayon::current_num_threads();
            hindsight_tablebase::write_layer_memory::<G>(ranks, 1, Layout::Distances, threads)
        };
        let layers = (0..game.base().layers()).filter(|_| files.out.is_some());
        let needed = searched.saturating_add(layers.map(writing).max().unwrap_or(0));
        let work = format!(
            "distances of {}: {} positions",
            game.spec(),
            with_commas(positions)
        );
        let disk = DiskNeeds::for_states(files, positions, positions);
        let far = distance::MAX_DISTANCE;
        let far = format!("; distances of more than {far} plies cannot be kept");
        disk.report_and_check(&work, needed, &far, self.context)?;
        let limit = self.context.limits().memory;
        if needed > limit {
            return Err(solver_error(Error::TooLarge {
                ranks: positions,
                needed,
                limit,
            }));
        }
        Ok(())
    }

    fn search<G: ForbiddenMove>(
        &self,
        game: &G,
        work: Option<&CheckpointDir>,
    ) -> Result<Distances> {
        let files = &self.args.files;
        let every = files
            .checkpoint
            .as_ref()
            .map_or(Duration::MAX, |_| CHECKPOINT_INTERVAL);
        let (limits, following) = (self.context.limits(), NextStates::Allowed);
        let mut display = ProgressDisplay::new(self.context.quiet);
        let found = match work {
            Some(work) => {
                let mut store = work.distances_store(every);
                distance::solve_from(game, following, &mut store, limits, &mut display)
            }
            None => distance::solve(game, following, limits, &mut display),
        };
        drop(display);
        found.map_err(store_error)
    }
}

/// Tells how near a position is, and a shortest line.
fn print_distance<G: ForbiddenMove + Notation, N: DistanceProbe>(
    game: &G,
    near: &N,
    text: &str,
    context: &Context,
) -> Result<()>
where
    N::Error: Send + Sync + std::error::Error + 'static,
{
    let position = parse_position(game, Some(text))?;
    if game.terminal(position).is_some() {
        bail!("'{text}': the game is over there; distances are kept of positions that are not");
    }
    note_unreachable(game, position, context);
    let reached = DistanceReader::new(game, near);
    let (plies, line) = (
        reached.distance(position)?,
        reached.shortest_line(position)?,
    );
    if plies.map(usize::from) != line.as_ref().map(|line| line.len() - 1) {
        bail!("the distances do not follow from each other; `hindsight verify` says where");
    }
    let found = ReachReport::new(game, position, line.as_ref());
    if context.json {
        return print_json(&found);
    }
    print(&found.text(game, position, line.as_ref()))
}

impl ReachReport {
    fn new<G: Game + Notation>(
        game: &G,
        position: G::Position,
        line: Option<&ShortestLine<G>>,
    ) -> Self {
        let steps = line.map_or(&[][..], |line| line);
        let step = |pair: &[(G::Position, Option<G::Move>)]| {
            let (before, mv) = (pair[0].0, pair[1].1?);
            Some(ReachPly {
                position: game.format(before),
                r#move: game.format_move(before, mv),
            })
        };
        Self {
            game: game.spec(),
            position: game.format(position),
            plies: line.map(|line| line.len() - 1),
            line: steps.windows(2).filter_map(step).collect(),
            end: steps.last().map(|last| game.format(last.0)),
        }
    }

    fn text<G: Game + Notation>(
        &self,
        game: &G,
        position: G::Position,
        line: Option<&ShortestLine<G>>,
    ) -> String {
        let mut text = format!("{}\n\n{}\n\n", self.position, game.diagram(position));
        let (Some(plies), Some(end)) = (self.plies, line.and_then(|line| line.last())) else {
            text.push_str("It cannot be reached from the start.\n");
            return text;
        };
        text.push_str(&format!("{plies} plies from the start.\n\n"));
        let moves: Vec<&str> = self.line.iter().map(|step| step.r#move.as_str()).collect();
        let row = |(i, pair): (usize, &[&str])| {
            let mut row = vec![format!("{}.", 2 * i + 1)];
            row.extend(pair.iter().map(|mv| mv.to_string()));
            row
        };
        let rows: Vec<Vec<String>> = moves.chunks(2).enumerate().map(row).collect();
        text.push_str(&align_columns(&rows, "rll"));
        if end.0 != position {
            text.push_str(&format!(
                "\nThis leads to an image of it\n\n{}\n\n{}\n",
                game.format(end.0),
                game.diagram(end.0)
            ));
        }
        text
    }
}

impl DistancesReport {
    fn new<G: Notation>(game: &G, states: &[u64]) -> Self {
        let rows = states.iter().enumerate();
        Self {
            game: game.spec(),
            states: states.iter().sum(),
            distances: rows
                .map(|(plies, &states)| DistanceRow { plies, states })
                .collect(),
            seconds: None,
            table: None,
        }
    }

    fn print(&self, context: &Context) -> Result<()> {
        if context.json {
            return print_json(self);
        }
        let mut rows = vec![["plies", "states"].map(String::from).to_vec()];
        let row = |row: &DistanceRow| vec![row.plies.to_string(), with_commas(row.states)];
        rows.extend(self.distances.iter().map(row));
        rows.push(vec![String::from("all"), with_commas(self.states)]);
        let mut text = format!(
            "{}\n\nStates by the plies in which the start leads to them\n{}",
            self.game,
            align_columns(&rows, "rr")
        );
        if let Some(seconds) = self.seconds {
            text.push_str(&format!("\n{seconds:.3} s\n"));
        }
        if let Some(written) = &self.table {
            let size = format_size(written.bytes);
            let (file, seconds) = (&written.file, written.seconds);
            text.push_str(&format!("{file}: {size}, {seconds:.3} s to write\n"));
        }
        print(&text)
    }
}
