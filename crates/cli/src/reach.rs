//! The command `reach`: distances of states from the start, in plies.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_answers::report::TextTable;
use hindsight_answers::{DistancesAnswer, ReachAnswer};
use hindsight_games::{
    AnyGame, AnyMove, DistanceNeeds, DistanceTask, Monitor, Position, StartDistances, Symmetry,
    game_with_symmetry,
};

use crate::args::{FileArgs, ReachArgs};
use crate::context::Context;
use crate::files::{disk_needs, layer_folder, open_table, report_and_check_needs, table_summary};
use crate::inputs::game_with_values::{file_or_game_error, note_unreachable};
use crate::output::{fitted, print_json, print_text};
use crate::process::signals::StopListener;
use crate::shown::board_text::board_text;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::{counted, format_size, with_commas};
use crate::shown::text::{above_board, moves_table};
use crate::tables;

pub(crate) fn run(args: &ReachArgs, context: &Context) -> Result<()> {
    let path = Path::new(&args.spec);
    if !hindsight_games::names_table(path) {
        return search(args, context);
    }
    if args.files.out.is_some() || args.files.checkpoint.is_some() {
        bail!("'{}' is a file; --out and --checkpoint go with a spec", args.spec);
    }
    let distances = tables::open_any(path)?.distances()?;
    match &args.position {
        Some(text) => print_distance(&distances, text, context),
        None => print_distances(&DistancesAnswer::new(&distances), context),
    }
}

/// Finds the distances of all states of a game, writes the table, and prints the answer.
fn search(args: &ReachArgs, context: &Context) -> Result<()> {
    let files = &args.files;
    let mut out = open_table(files, &args.spec, context.force)?;
    let game = game_with_symmetry(&args.spec, Symmetry::All).map_err(file_or_game_error)?;
    let context = &context.with_tables_of(game.rules());
    if let Some(text) = &args.position {
        // A wrong position is refused before the search.
        game.parse(text)?;
    }
    let folder = layer_folder(files)?;
    let mut begin = |needs: &DistanceNeeds| {
        report_needs(game.spec(), needs, files, context)?;
        let display = ProgressDisplay::new(context.quiet);
        Ok(Box::new(match files.checkpoint {
            Some(_) => display.saving_later(),
            None => display.saving_nothing(),
        }) as Box<dyn Monitor>)
    };
    let outcome = game.run_distances(DistanceTask {
        limits: context.limits(),
        folder: folder.as_ref().map(|folder| folder.of_task(files, context)),
        table: out.as_mut().map(|out| out as _),
        begin: &mut begin,
    });
    let outcome = outcome.map_err(|error| match &folder {
        Some(folder) => folder.name_table(context.game_error(error), files),
        None => context.game_error(error),
    })?;
    // A table that has its name is not stopped any more.
    let _listener = StopListener::new();
    let table = table_summary(outcome.table, out)?;
    if let Some(text) = &args.position {
        return print_distance(&outcome.distances, text, context);
    }
    let answer = DistancesAnswer {
        seconds: Some(outcome.times.solving.as_secs_f64()),
        table,
        ..DistancesAnswer::new(&outcome.distances)
    };
    print_distances(&answer, context)
}

/// Prints the memory and disk that a search needs, and refuses more disk than is free.
fn report_needs(
    spec: &str,
    needs: &DistanceNeeds,
    files: &FileArgs,
    context: &Context,
) -> Result<()> {
    let positions = counted(needs.positions, "position");
    let limit_note =
        format!("; distances of more than {} plies cannot be kept", needs.max_distance);
    report_and_check_needs(
        &format!("distances of {spec}: {positions}"),
        needs.memory,
        disk_needs(files, needs.disk),
        &limit_note,
        context,
    )
}

/// Prints the distance of a position and a shortest line to it.
fn print_distance(distances: &StartDistances, text: &str, context: &Context) -> Result<()> {
    let game = distances.game();
    let position = game.parse(text)?;
    if game.outcome(&position)?.is_some() {
        bail!("'{text}': the game is over there; distances are kept of positions that are not");
    }
    note_unreachable(game, &position, context)?;
    let line = distances.shortest_line(&position)?;
    let answer = ReachAnswer::new(game, &position, line.as_deref())?;
    if context.json {
        return print_json(&answer);
    }
    print_text(&reach_text(&answer, game, &position, line.as_deref(), context)?)
}

/// Line from the start to a position, as [`StartDistances::shortest_line`] returns it.
type Line<'a> = Option<&'a [(Position, Option<AnyMove>)]>;

fn reach_text(
    answer: &ReachAnswer,
    game: &AnyGame,
    position: &Position,
    line: Line<'_>,
    context: &Context,
) -> Result<String> {
    let board = board_text(game, position, "", context)?;
    let mut text = above_board(&answer.position, &board);
    let (Some(plies), Some((end, _))) = (answer.plies, line.and_then(|line| line.last())) else {
        text.push_str("It cannot be reached from the start.\n");
        return Ok(text);
    };
    text.push_str(&format!("{} from the start.\n\n", counted(plies as u64, "ply")));
    let moves: Vec<String> = answer.line.iter().map(|step| step.r#move.clone()).collect();
    text.push_str(&fitted(&moves_table(&moves)));
    if end != position {
        let last = moves.last().map_or("", String::as_str);
        let board = board_text(game, end, last, context)?;
        text.push_str(&format!(
            "\nThis leads to an image of it\n\n{}\n",
            above_board(&game.format(end)?, &board).trim_end()
        ));
    }
    Ok(text)
}

fn print_distances(answer: &DistancesAnswer, context: &Context) -> Result<()> {
    if context.json {
        return print_json(answer);
    }
    let mut table = TextTable::new("rr");
    table.push(["plies", "states"]);
    for row in &answer.distances {
        table.push([row.plies.to_string(), with_commas(row.states)]);
    }
    table.push(["all", &with_commas(answer.states)]);
    let mut text = format!(
        "{}\n\nStates by the plies in which the start leads to them\n{}",
        answer.game,
        fitted(&table)
    );
    if let Some(seconds) = answer.seconds {
        text.push_str(&format!("\n{seconds:.3} s\n"));
    }
    if let Some(written) = &answer.table {
        let size = format_size(written.bytes);
        let (file, seconds) = (&written.file, written.seconds);
        text.push_str(&format!("{file}: {size}, {seconds:.3} s to write\n"));
    }
    print_text(&text)
}
