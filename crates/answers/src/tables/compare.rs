use hindsight_games::{AnyGame, Error, TableComparison, Tablebase, ValueDifference};
use serde::Serialize;

use crate::known_value::ValueAnswer;

/// Comparison of two tables of one game.
#[derive(Clone, Debug, Serialize)]
pub struct CompareAnswer {
    /// Name of the game in the header: its spec, or `rules:` with name and version.
    pub game: String,
    /// Names of the files.
    pub files: [String; 2],
    /// Ranks that have a position in one of the tables.
    pub positions_compared: u64,
    /// Ranks that have different values.
    pub different: u64,
    /// The first differences.
    pub differences: Vec<DifferenceAnswer>,
    /// True if the files have the same bytes.
    pub same_bytes: bool,
}

/// A position to which the tables give different values.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceAnswer {
    /// Number of the layer.
    pub layer: u32,
    /// The tier.
    pub tier: u64,
    /// The rank in the tier.
    pub rank: u64,
    /// The position; null if the game has a hole there.
    pub position: Option<String>,
    /// Value in each file; null where the file has a hole.
    pub values: [Option<ValueAnswer>; 2],
}

impl CompareAnswer {
    /// Returns the comparison of two tables as an answer.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn new(tables: [&Tablebase; 2], comparison: &TableComparison) -> Result<Self, Error> {
        let [first, second] = tables;
        let game = first.game();
        let differences = comparison.differences.iter();
        Ok(Self {
            game: first.info().spec.clone(),
            files: tables.map(|table| table.path().display().to_string()),
            positions_compared: comparison.positions,
            different: comparison.different,
            differences: differences.map(|entry| DifferenceAnswer::new(game, entry)).collect(),
            same_bytes: first.has_same_bytes(second)?,
        })
    }
}

impl DifferenceAnswer {
    fn new(game: &AnyGame, difference: &ValueDifference) -> Self {
        let position = difference.position.as_ref();
        Self {
            layer: difference.layer,
            tier: difference.tier,
            rank: difference.rank,
            position: position.and_then(|position| game.format(position).ok()),
            values: difference.values.map(|value| value.map(ValueAnswer::from)),
        }
    }
}
