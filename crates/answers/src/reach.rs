use hindsight_games::{AnyGame, AnyMove, Error, Position, StartDistances};
use serde::Serialize;

use crate::solve::TableFileAnswer;

/// Number of states by their distance from the start.
#[derive(Clone, Debug, Serialize)]
pub struct DistancesAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// States that the start leads to.
    pub states: u64,
    /// States at each distance, from 0.
    pub distances: Vec<DistanceRow>,
    /// Time of the search in seconds, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The table that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFileAnswer>,
}

/// Number of states at one distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DistanceRow {
    /// The distance in plies.
    pub plies: usize,
    /// The states.
    pub states: u64,
}

/// Shortest line from the start to a position.
#[derive(Clone, Debug, Serialize)]
pub struct ReachAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// The position.
    pub position: String,
    /// Distance from the start; null if the start does not lead to the position.
    pub plies: Option<usize>,
    /// A shortest line from the start.
    pub line: Vec<ReachPly>,
    /// Last position of the line: the one asked for, or a symmetric image of it.
    pub end: Option<String>,
}

/// One ply of a shortest line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReachPly {
    /// Position before the move.
    pub position: String,
    /// The move.
    pub r#move: String,
}

impl DistancesAnswer {
    /// Counts the states of a table or of a search.
    #[must_use]
    pub fn new(distances: &StartDistances) -> Self {
        let states = distances.states();
        let rows = states.iter().enumerate();
        Self {
            game: distances.game().spec().to_string(),
            states: states.iter().sum(),
            distances: rows.map(|(plies, &states)| DistanceRow { plies, states }).collect(),
            seconds: None,
            table: None,
        }
    }
}

impl ReachAnswer {
    /// Returns a line to a position, as [`StartDistances::shortest_line`] has it, as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(
        game: &AnyGame,
        position: &Position,
        line: Option<&[(Position, Option<AnyMove>)]>,
    ) -> Result<Self, Error> {
        let steps = line.unwrap_or_default();
        let mut plies = Vec::new();
        for pair in steps.windows(2) {
            if let [(before, _), (_, Some(mv))] = pair {
                plies.push(ReachPly {
                    position: game.format(before)?,
                    r#move: game.format_move(before, mv)?,
                });
            }
        }
        let end = steps.last().map(|(end, _)| game.format(end));
        Ok(Self {
            game: game.spec().to_string(),
            position: game.format(position)?,
            plies: line.map(|line| line.len() - 1),
            line: plies,
            end: end.transpose()?,
        })
    }
}
