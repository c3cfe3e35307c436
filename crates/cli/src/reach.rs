//! The command `reach`: distances of states from the start, in plies.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use hindsight_checkpoint::Checkpoint;
use hindsight_core::{ForbiddenMove, Game, Material, Notation, Ranked};
use hindsight_games::{CHECKPOINT_INTERVAL, DiskNeeds};
use hindsight_report::TextTable;
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
    TableFileSummary, disk_needs, layer_folder, open_table, report_and_check_needs, write_table,
};
use crate::game_with_values::note_unreachable;
use crate::output::{Output, print, print_json};
use crate::progress::ProgressDisplay;
use crate::sizes::{format_size, with_commas};
use crate::spec::{file_or_spec_error, parse_position, setup};
use crate::tables;
use crate::text::moves_table;

/// The JSON report of `reach` without a position.
#[derive(Serialize)]
struct DistancesReport {
    game: String,
    /// States that can be reached from the start.
    states: u64,
    distances: Vec<DistanceRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableFileSummary>,
}

/// Number of states at one distance.
#[derive(Serialize)]
struct DistanceRow {
    plies: usize,
    states: u64,
}

/// The JSON report of `reach` on a position.
#[derive(Serialize)]
struct ReachReport {
    game: String,
    position: String,
    /// Distance from the start; null if the position cannot be reached.
    plies: Option<usize>,
    /// A shortest line from the start.
    line: Vec<ReachPly>,
    /// Last position of the line: the one asked for, or a symmetric image of it.
    end: Option<String>,
}

/// One ply of the line.
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
            "'{}' keeps values, not distances from the start: \
             `hindsight reach SPEC --out FILE` writes those",
            args.spec
        );
    }
    let visitor = ReachInTable {
        path,
        opened: opened.table(),
        position: args.position.as_deref(),
        context,
    };
    tables::visit(&opened.info().spec, visitor)?
}

/// Returns the error of a game that never forbids a move.
fn no_distances_error<G: Notation>(game: &G) -> anyhow::Error {
    anyhow::anyhow!(
        "{}: distances are found for games in which a move may be forbidden, such as ostle",
        game.spec()
    )
}

/// Reads distances from a table.
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
        let result = print_distance(&game, &reader, position, self.context);
        result.map_err(
            |error| match error.downcast::<hindsight_tablebase::TableError>() {
                Ok(error) => tables::table_error(self.path, error),
                Err(error) => error,
            },
        )
    }
}

impl ReachInTable<'_> {
    /// Returns the number of states at each distance, from the header.
    fn states(&self) -> Vec<u64> {
        let counts = self.opened.info().states().unwrap_or_default();
        states_by_distance(&counts.all)
    }
}

/// Returns the number of states at each distance from 0, given the histogram of a table's header.
pub(crate) fn states_by_distance(counts: &Histogram) -> Vec<u64> {
    let mut states = Vec::new();
    for (value, n) in counts.rows() {
        let plies = usize::from(value.remoteness().unwrap_or(0));
        states.resize(states.len().max(plies + 1), 0);
        states[plies] += n;
    }
    states
}

/// Searches a game for the distances of all states.
struct ReachSearch<'a> {
    args: &'a ReachArgs,
    context: &'a Context,
    /// File of the table, if one is to be written.
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
            // A wrong position is refused before the search.
            parse_position(&game, Some(text))?;
        }
        self.announce(&game)?;
        let folder = layer_folder(files)?;
        let checkpoint = folder.as_ref().map(|folder| {
            let open = if files.resume {
                CheckpointDir::resume
            } else {
                CheckpointDir::create
            };
            open(&folder.path, &game.spec(), Layout::Distances)
        });
        let checkpoint = checkpoint.transpose()?;
        let begin = Instant::now();
        let distances = self.search(&game, checkpoint.as_ref())?;
        let seconds = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let free_memory = self
            .context
            .limits()
            .memory
            .saturating_sub(distance::peak(&game));
        if let Some(checkpoint) = checkpoint.as_ref().filter(|_| files.out.is_some()) {
            for layer in 0..game.base().layers() {
                checkpoint.put_distances_within(&game, layer, &distances, free_memory)?;
            }
        }
        let table = write_table(
            checkpoint.as_ref(),
            self.out.take(),
            Layout::Distances,
            begin.elapsed(),
        )?;
        if let Some(text) = &self.args.position {
            return print_distance(&game, &distances, text, self.context);
        }
        let report = DistancesReport {
            seconds: Some(seconds),
            table,
            ..DistancesReport::new(&game, &distances.states_by_distance())
        };
        report.print(self.context)
    }
}

impl ReachSearch<'_> {
    /// Prints the memory and disk that the search needs, and refuses one that does not fit.
    fn announce<G: ForbiddenMove + Notation>(&self, game: &G) -> Result<()> {
        let files = &self.args.files;
        let search_bytes = distance::peak(game);
        // The search takes 4 bytes a position.
        let positions = search_bytes / 4;
        let write_bytes = |layer: u32| {
            let ranks = game.base().estimated_ranks(layer);
            let threads = rayon::current_num_threads();
            hindsight_tablebase::write_layer_memory::<G>(ranks, 1, Layout::Distances, threads)
        };
        let layers = (0..game.base().layers()).filter(|_| files.out.is_some());
        let needed = search_bytes.saturating_add(layers.map(write_bytes).max().unwrap_or(0));
        let task = format!(
            "distances of {}: {} positions",
            game.spec(),
            with_commas(positions)
        );
        let disk = DiskNeeds::of_states(positions, positions, files.out.is_some());
        let limit_note = format!(
            "; distances of more than {} plies cannot be kept",
            distance::MAX_DISTANCE
        );
        report_and_check_needs(
            &task,
            needed,
            disk_needs(files, disk),
            &limit_note,
            self.context,
        )?;
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

    /// Searches the game, from its checkpoint if there is one, and saves progress there.
    fn search<G: ForbiddenMove>(
        &self,
        game: &G,
        checkpoint: Option<&CheckpointDir>,
    ) -> Result<Distances> {
        let files = &self.args.files;
        // Unfinished work is saved only to a folder that can be resumed.
        let saved = checkpoint.filter(|_| files.checkpoint.is_some());
        let saved = saved.map(|saved| Checkpoint::new(saved.blobs(), CHECKPOINT_INTERVAL));
        let (limits, next_states) = (self.context.limits(), NextStates::Allowed);
        let mut display = ProgressDisplay::new(self.context.quiet);
        let (saved, monitor) = (saved.as_ref(), &mut display);
        let distances = distance::solve_from(game, next_states, saved, limits, monitor);
        drop(display);
        distances.map_err(store_error)
    }
}

/// Prints the distance of a position and a shortest line to it.
fn print_distance<G: ForbiddenMove + Notation, N: DistanceProbe>(
    game: &G,
    probe: &N,
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
    let reached = DistanceReader::new(game, probe);
    let (plies, line) = (
        reached.distance(position)?,
        reached.shortest_line(position)?,
    );
    if plies.map(usize::from) != line.as_ref().map(|line| line.len() - 1) {
        bail!("the distances do not follow from each other; `hindsight verify` says where");
    }
    let report = ReachReport::new(game, position, line.as_ref());
    if context.json {
        return print_json(&report);
    }
    print(&report.text(game, position, line.as_ref()))
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
        let moves: Vec<String> = self.line.iter().map(|step| step.r#move.clone()).collect();
        text.push_str(&moves_table(&moves).to_string());
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
        let mut table = TextTable::new("rr");
        table.push(["plies", "states"]);
        for row in &self.distances {
            table.push([row.plies.to_string(), with_commas(row.states)]);
        }
        table.push(["all", &with_commas(self.states)]);
        let mut text = format!(
            "{}\n\nStates by the plies in which the start leads to them\n{table}",
            self.game
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
