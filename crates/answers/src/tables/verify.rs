use std::path::Path;

use hindsight_games::{TableFault, TableVerdict, Tablebase};
use serde::Serialize;

/// Result of the verification of a table.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyAnswer {
    /// Name of the file.
    pub file: String,
    /// Name of the game in the header; null if the file cannot be opened.
    pub game: Option<String>,
    /// Positions whose value was compared with those of their successors.
    pub positions_checked: u64,
    /// The first faults.
    pub faults: Vec<FaultAnswer>,
    /// Time of the verification in seconds.
    pub seconds: f64,
}

/// A fault of a table, located as far as it can be.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FaultAnswer {
    /// Number of the layer.
    pub layer: Option<u32>,
    /// Name of the layer.
    pub layer_name: Option<String>,
    /// The tier.
    pub tier: Option<u64>,
    /// The rank in the tier.
    pub rank: Option<u64>,
    /// The position.
    pub position: Option<String>,
    /// The fault in words.
    pub what: String,
}

impl VerifyAnswer {
    /// Returns the verdict on a table as an answer.
    #[must_use]
    pub fn new(table: &Tablebase, verdict: TableVerdict, seconds: f64) -> Self {
        let faults = verdict.faults.into_iter();
        Self {
            file: table.path().display().to_string(),
            game: Some(table.info().spec.clone()),
            positions_checked: verdict.positions_checked,
            faults: faults.map(|fault| FaultAnswer::new(table, fault)).collect(),
            seconds,
        }
    }

    /// Returns the answer on a file that cannot be opened as a table.
    #[must_use]
    pub fn unreadable(file: &Path, what: String, seconds: f64) -> Self {
        Self {
            file: file.display().to_string(),
            game: None,
            positions_checked: 0,
            faults: vec![FaultAnswer { what, ..FaultAnswer::default() }],
            seconds,
        }
    }
}

impl FaultAnswer {
    fn new(table: &Tablebase, fault: TableFault) -> Self {
        let position = fault.address.and_then(|(tier, rank)| table.position_at(tier, rank));
        Self {
            layer: fault.layer,
            layer_name: fault.layer.and_then(|layer| table.layer_name(layer)),
            tier: fault.address.map(|(tier, _)| tier),
            rank: fault.address.map(|(_, rank)| rank),
            position: position.and_then(|position| table.game().format(&position).ok()),
            what: fault.description,
        }
    }
}
