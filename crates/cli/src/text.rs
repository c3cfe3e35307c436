//! Values, lines and histograms as text.

use hindsight_core::{Notation, Value, Wdl};
use hindsight_solve::Histogram;

use crate::output::{align_columns, with_commas};

/// Returns the names of the side to move and of its opponent.
pub(crate) fn side_names<G: Notation>(game: &G, position: G::Position) -> [&'static str; 2] {
    let mover = game.player_to_move(position);
    [game.player_names()[mover], game.player_names()[1 - mover]]
}

/// Returns the first lines of a report: the game and its start.
pub(crate) fn heading<G: Notation>(game: &G) -> String {
    format!("{}\n\n{}\n\n", game.spec(), game.diagram(game.start()))
}

/// Returns a value as a sentence without its full stop; `names` begins with the side to move.
pub(crate) fn outcome_text(names: [&str; 2], value: Value) -> String {
    let [mover, other] = names;
    if value.remoteness() == Some(0) {
        return format!("The game is over: a {} for {mover}", value.wdl());
    }
    match value {
        Value::Win(n) => format!("{mover}, to move, wins in {n} plies"),
        Value::Loss(n) => format!("{other} wins in {n} plies; {mover} is to move"),
        Value::Draw => format!("Neither side can win: a draw; {mover} is to move"),
    }
}

/// Move of a line as text, with the number of moves that are as good.
pub(crate) struct PlyText {
    pub(crate) mv: String,
    pub(crate) equal: usize,
}

/// Formats the moves of a line, two plies in a row. A drawn line names the ply where it repeats.
pub(crate) fn plies_text(moves: &[PlyText], repeats: Option<usize>) -> String {
    let mut rows = Vec::new();
    for (i, pair) in moves.chunks(2).enumerate() {
        let mut row = vec![format!("{}.", 2 * i + 1)];
        row.extend(pair.iter().map(|PlyText { mv, equal }| match equal {
            1 => mv.clone(),
            equal => format!("{mv} ({equal})"),
        }));
        rows.push(row);
    }
    let plies = moves.len();
    let mut text = match repeats {
        None => format!("A best line of {plies} plies (in brackets how many moves are as good)\n"),
        Some(ply) => {
            format!(
                "A drawn line: after {plies} plies the position before ply {} stands again\n",
                ply + 1
            )
        }
    };
    text.push_str(&align_columns(&rows, "rll"));
    text
}

/// Formats a histogram: wins and losses by plies, then draws.
pub(crate) fn histogram_text(histogram: &Histogram) -> String {
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
    align_columns(&rows, "rrr")
}
