//! The command `info`: describes a table by its header.

use anyhow::Result;
use hindsight_core::Value;
use hindsight_games::{Layout, PositionValue, Summary, Tablebase};
use hindsight_report::{TextTable, unbroken};
use hindsight_tablebase::FORMAT_VERSION;
use serde::Serialize;

use super::{open_any, position_text};
use crate::args::InfoArgs;
use crate::context::Context;
use crate::output::{fitted, print_json, print_text};
use crate::sizes::{counted, format_size, with_commas};

/// The JSON report of `info` on a table of values.
#[derive(Serialize)]
struct InfoReport {
    file: String,
    game: String,
    format_version: u32,
    layout: String,
    start: ValuedPosition,
    positions: u64,
    /// States, without those of positions that are won at once, as `solve` counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_states: Option<u64>,
    wins: u64,
    losses: u64,
    draws: u64,
    longest_win: Option<ValuedPosition>,
    longest_loss: Option<ValuedPosition>,
    layers: usize,
    tiers: u64,
    ranks: u64,
    bytes: u64,
    bytes_per_position: f64,
    signature: String,
}

/// A position with its value.
#[derive(Clone, Serialize)]
pub(crate) struct ValuedPosition {
    value: String,
    pub(crate) remoteness: Option<u16>,
    pub(crate) position: String,
}

impl ValuedPosition {
    pub(crate) fn new(position: String, value: Value) -> Self {
        Self {
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            position,
        }
    }

    /// Formats an example of a table; by tier and rank if the game has no position there.
    pub(crate) fn example(table: &Tablebase, example: PositionValue) -> Self {
        let PositionValue { tier, rank, value } = example;
        let text = position_text(table, tier, rank)
            .unwrap_or_else(|| format!("(no position: tier {tier}, rank {rank})"));
        Self::new(text, value)
    }

    fn text(&self) -> String {
        let position = unbroken(&self.position);
        match self.remoteness {
            Some(plies) => format!("{} in {plies}: {position}", self.value),
            None => format!("{}: {position}", self.value),
        }
    }
}

pub(crate) fn run(args: &InfoArgs, context: &Context) -> Result<()> {
    let table = open_any(&args.file)?;
    let file = TableFile {
        name: args.file.display().to_string(),
        bytes: args.file.metadata()?.len(),
    };
    if table.info().layout == Layout::Distances {
        let report = DistanceInfoReport::new(file, &table);
        return match context.json {
            true => print_json(&report),
            false => print_text(&report.text()),
        };
    }
    let report = InfoReport::new(file, &table)?;
    match context.json {
        true => print_json(&report),
        false => print_text(&report.text()),
    }
}

/// Name and size of the file of a table.
struct TableFile {
    name: String,
    bytes: u64,
}

/// The JSON report of `info` on a table of distances.
#[derive(Serialize)]
struct DistanceInfoReport {
    file: String,
    game: String,
    format_version: u32,
    layout: String,
    positions: u64,
    /// Positions that can be reached from the start.
    reached_positions: u64,
    reached_states: u64,
    /// First of the positions that are farthest from the start.
    farthest: Option<FarthestPosition>,
    layers: usize,
    ranks: u64,
    bytes: u64,
    bytes_per_position: f64,
}

/// A position with its distance from the start.
#[derive(Serialize)]
struct FarthestPosition {
    plies: u16,
    position: String,
}

impl DistanceInfoReport {
    fn new(file: TableFile, table: &Tablebase) -> Self {
        let info = table.info();
        let histogram = info.histogram();
        let positions = histogram.positions();
        let farthest = info.longest_loss().map(|example| {
            let valued = ValuedPosition::example(table, example);
            FarthestPosition {
                plies: valued.remoteness.unwrap_or(0),
                position: valued.position,
            }
        });
        Self {
            file: file.name,
            game: info.spec.clone(),
            format_version: FORMAT_VERSION,
            layout: info.layout.to_string(),
            positions,
            reached_positions: Summary::of(&histogram).losses,
            reached_states: info.states().map_or(0, |states| states.all.positions()),
            farthest,
            layers: info.layers.len(),
            ranks: info.ranks(),
            bytes: file.bytes,
            bytes_per_position: file.bytes as f64 / positions.max(1) as f64,
        }
    }

    fn text(&self) -> String {
        let farthest = self.farthest.as_ref();
        let farthest = farthest
            .map(|far| format!("{}: {}", counted(far.plies, "ply"), unbroken(&far.position)));
        let (size, each) = (format_size(self.bytes), self.bytes_per_position);
        let rows = [
            ("game", self.game.clone()),
            ("positions", with_commas(self.positions)),
            ("reached", with_commas(self.reached_positions)),
            ("states reached", with_commas(self.reached_states)),
            ("farthest", farthest.unwrap_or_else(|| String::from("-"))),
            ("layers", with_commas(self.layers as u64)),
            ("ranks", with_commas(self.ranks)),
            ("layout", self.layout.clone()),
            ("format", format!("version {}", self.format_version)),
            ("size", format!("{size}, {each:.4} bytes a position")),
        ];
        fitted(&TextTable::of_pairs(rows))
    }
}

impl InfoReport {
    fn new(file: TableFile, table: &Tablebase) -> Result<Self> {
        let (info, game) = (table.info(), table.game());
        let histogram = info.histogram();
        let counts = Summary::of(&histogram);
        let states = info.states();
        let example = |example| ValuedPosition::example(table, example);
        Ok(Self {
            file: file.name,
            game: info.spec.clone(),
            format_version: FORMAT_VERSION,
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
            bytes: file.bytes,
            bytes_per_position: file.bytes as f64 / counts.positions.max(1) as f64,
            signature: counts.signature(Some(&histogram)),
        })
    }

    fn text(&self) -> String {
        let text_of = |valued: &Option<ValuedPosition>| {
            valued
                .as_ref()
                .map_or(String::from("-"), ValuedPosition::text)
        };
        let (size, each) = (format_size(self.bytes), self.bytes_per_position);
        let mut rows = vec![
            ("game", self.game.clone()),
            ("start", self.start.text()),
            ("positions", with_commas(self.positions)),
            ("won", with_commas(self.wins)),
            ("lost", with_commas(self.losses)),
            ("drawn", with_commas(self.draws)),
            ("longest win", text_of(&self.longest_win)),
            ("longest loss", text_of(&self.longest_loss)),
            ("layers", with_commas(self.layers as u64)),
            ("tiers", with_commas(self.tiers)),
            ("ranks", with_commas(self.ranks)),
            ("layout", self.layout.clone()),
            ("format", format!("version {}", self.format_version)),
            ("size", format!("{size}, {each:.4} bytes a position")),
            ("signature", self.signature.clone()),
        ];
        if let (Some(states), Some(all)) = (self.states, self.all_states) {
            let text = format!(
                "{}; {} with those that win at once",
                with_commas(states),
                with_commas(all)
            );
            rows.insert(3, ("states", text));
        }
        fitted(&TextTable::of_pairs(rows))
    }
}
