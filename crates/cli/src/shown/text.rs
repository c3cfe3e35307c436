//! Values, lines and histograms as text.

use std::collections::BTreeMap;

use hindsight_answers::report::{TextTable, unbroken};
use hindsight_core::{Value, Wdl};
use hindsight_games::Histogram;

use crate::output::fitted;
use crate::shown::sizes::{counted, with_commas};

/// Returns a spec or a position, and its board, as the first lines of a report.
pub(crate) fn above_board(text: &str, board: &str) -> String {
    unbroken(&format!("{text}\n\n{board}\n\n"))
}

/// Returns a value as a sentence without its full stop; `names` begins with the side to move.
pub(crate) fn outcome_text(names: [&str; 2], value: Value) -> String {
    if value.remoteness() == Some(0) {
        return end_text(names, value.wdl());
    }
    let [mover, other] = names;
    match value {
        Value::Win(n) => format!("{mover}, to move, wins in {}", counted(n, "ply")),
        Value::Loss(n) => format!("{other} wins in {}; {mover} is to move", counted(n, "ply")),
        Value::Draw => format!("Neither side can win: a draw; {mover} is to move"),
    }
}

/// Returns the result of a finished game as a sentence without its full stop; `names` begins with
/// the side to move, and `wdl` is for it.
pub(crate) fn end_text([mover, other]: [&str; 2], wdl: Wdl) -> String {
    match wdl {
        Wdl::Win => format!("The game is over: {mover} has won"),
        Wdl::Draw => String::from("The game is over: a draw"),
        Wdl::Loss => format!("The game is over: {other} has won"),
    }
}

/// Move of a line as text, with the number of moves that are as good.
pub(crate) struct PlyText {
    pub(crate) mv: String,
    pub(crate) equal: usize,
}

/// Returns a table of moves, two plies in a row behind the number of the first.
pub(crate) fn moves_table(moves: &[String]) -> TextTable {
    let mut table = TextTable::new("rll");
    for (i, pair) in moves.chunks(2).enumerate() {
        let number = format!("{}.", 2 * i + 1);
        table.push([&number].into_iter().chain(pair));
    }
    table
}

/// Formats the moves of a line. A drawn line names the ply where it repeats.
pub(crate) fn plies_text(moves: &[PlyText], repeats: Option<usize>) -> String {
    let plies = counted(moves.len() as u64, "ply");
    let moves = moves.iter().map(|PlyText { mv, equal }| match equal {
        1 => mv.clone(),
        equal => format!("{mv} ({equal})"),
    });
    let table = moves_table(&moves.collect::<Vec<_>>());
    let heading = match repeats {
        None => format!("A best line of {plies} (in brackets how many moves are as good)\n"),
        Some(ply) => {
            format!(
                "A drawn line: after {plies} the position before ply {} stands again\n",
                ply + 1
            )
        }
    };
    format!("{heading}{}", fitted(&table))
}

/// Formats a histogram: wins and losses by plies, then draws.
pub(crate) fn histogram_text(histogram: &Histogram) -> String {
    let mut draws = 0;
    let mut decided: BTreeMap<u16, [Option<u64>; 2]> = BTreeMap::new();
    for (value, positions) in histogram.rows() {
        match value {
            Value::Win(plies) => decided.entry(plies).or_default()[0] = Some(positions),
            Value::Loss(plies) => decided.entry(plies).or_default()[1] = Some(positions),
            Value::Draw => draws = positions,
        }
    }
    let mut table = TextTable::new("rrr");
    table.push(["plies", "wins", "losses"]);
    for (plies, counts) in decided {
        let counts = counts.map(|n| n.map_or(String::from("-"), with_commas));
        table.push([plies.to_string()].into_iter().chain(counts));
    }
    table.push(["draws", &with_commas(draws)]);
    fitted(&table)
}
