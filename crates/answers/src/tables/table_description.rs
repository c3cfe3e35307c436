use hindsight_games::{Error, Summary, Tablebase};
use serde::Serialize;

use crate::valued_position::ValuedPosition;

/// Description of a table of distances by its header.
#[derive(Clone, Debug, Serialize)]
pub struct DistanceDescription {
    /// Name of the table.
    pub file: String,
    /// Name of the game in the header: its spec, or `rules:` with name and version.
    pub game: String,
    /// Version of the format.
    pub format_version: u32,
    /// Layout of the distances.
    pub layout: String,
    /// Positions.
    pub positions: u64,
    /// Positions that the start leads to.
    pub reached_positions: u64,
    /// States that the start leads to.
    pub reached_states: u64,
    /// First of the positions that are farthest from the start.
    pub farthest: Option<DistantPosition>,
    /// Layers.
    pub layers: usize,
    /// Ranks of all tiers, holes included.
    pub ranks: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Length of the file divided by the positions.
    pub bytes_per_position: f64,
}

/// A position with its distance from the start.
#[derive(Clone, Debug, Serialize)]
pub struct DistantPosition {
    /// The distance in plies.
    pub plies: u16,
    /// The position.
    pub position: String,
}

/// Description of a table of values by its header.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableDescription {
    /// Name of the table.
    pub file: String,
    /// Name of the game in the header: its spec, or `rules:` with name and version.
    pub game: String,
    /// Version of the format.
    pub format_version: u32,
    /// Layout of the values.
    pub layout: String,
    /// The start.
    pub start: ValuedPosition,
    /// Positions.
    pub positions: u64,
    /// States, without those of positions that are won at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// All states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_states: Option<u64>,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// First of the wins that take the most plies.
    pub longest_win: Option<ValuedPosition>,
    /// First of the losses that take the most plies.
    pub longest_loss: Option<ValuedPosition>,
    /// Layers.
    pub layers: usize,
    /// Tiers of all layers.
    pub tiers: u64,
    /// Ranks of all tiers, holes included.
    pub ranks: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Length of the file divided by the positions.
    pub bytes_per_position: f64,
    /// Counts and hash by which solves of the same set are compared.
    pub signature: String,
}

impl TableDescription {
    /// Describes a table whose file has a name and a length in bytes.
    ///
    /// # Errors
    /// As [`hindsight_games::AnyGame::format`].
    pub fn new(file: String, bytes: u64, table: &Tablebase) -> Result<Self, Error> {
        let (info, game) = (table.info(), table.game());
        let histogram = info.histogram();
        let counts = Summary::of(&histogram);
        let states = info.states();
        let example = |example| ValuedPosition::example(table, example);
        Ok(Self {
            file,
            game: info.spec.clone(),
            format_version: info.format_version,
            layout: info.layout.to_string(),
            start: ValuedPosition::new(game.format(&game.start())?, info.start.value),
            positions: counts.positions,
            states: states.as_ref().map(|counts| counts.nontrivial.positions()),
            all_states: states.as_ref().map(|counts| counts.all.positions()),
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws,
            longest_win: info.longest_win().map(example),
            longest_loss: info.longest_loss().map(example),
            layers: info.layers.len(),
            tiers: info.tiers(),
            ranks: info.ranks(),
            bytes,
            bytes_per_position: bytes as f64 / counts.positions.max(1) as f64,
            signature: counts.signature(Some(&histogram)),
        })
    }
}

impl DistanceDescription {
    /// Describes a table of distances whose file has a name and a length in bytes.
    #[must_use]
    pub fn new(file: String, bytes: u64, table: &Tablebase) -> Self {
        let info = table.info();
        let histogram = info.histogram();
        let positions = histogram.positions();
        let farthest = info.longest_loss().map(|example| {
            let valued = ValuedPosition::example(table, example);
            DistantPosition { plies: valued.remoteness.unwrap_or(0), position: valued.position }
        });
        Self {
            file,
            game: info.spec.clone(),
            format_version: info.format_version,
            layout: info.layout.to_string(),
            positions,
            reached_positions: Summary::of(&histogram).losses,
            reached_states: info.states().map_or(0, |states| states.all.positions()),
            farthest,
            layers: info.layers.len(),
            ranks: info.ranks(),
            bytes,
            bytes_per_position: bytes as f64 / positions.max(1) as f64,
        }
    }
}
