//! The command `compare`: compares two tables of one game, value by value.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Ranked, Retro, Value};
use hindsight_rules::Visitor;
use hindsight_solve::{Layer, Monitor, Progress, parallel};
use hindsight_tablebase::{StateLayer, Table};
use serde::Serialize;

use super::{
    check_game_size, check_memory, decode_layer, decode_state_layer, layer_bytes, open, open_file,
    state_at, state_layer_bytes, unranked_error, visit,
};
use crate::args::CompareArgs;
use crate::context::Context;
use crate::output::{print, print_json, with_commas};
use crate::progress::ProgressDisplay;

/// Differences listed in the report; the others are only counted.
const MAX_REPORTED: usize = 10;

/// Ranks of a parallel task.
const TASK_RANKS: usize = 1 << 16;

/// The JSON report of `compare`.
#[derive(Serialize)]
struct CompareReport {
    game: String,
    files: [String; 2],
    positions_compared: u64,
    different: u64,
    /// The first differences, with both values.
    differences: Vec<Difference>,
    same_bytes: bool,
}

/// A position to which the tables give different values.
#[derive(Serialize)]
struct Difference {
    layer: u32,
    tier: u64,
    rank: u64,
    position: Option<String>,
    /// Value in each file; null where the file has a hole.
    values: [Option<TableValue>; 2],
}

/// A value as the report prints it.
#[derive(Serialize)]
struct TableValue {
    value: String,
    remoteness: Option<u16>,
    #[serde(skip)]
    text: String,
}

impl TableValue {
    fn new(value: Value) -> Self {
        Self {
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            text: value.to_string(),
        }
    }
}

/// Compares two tables. Returns true if they have the same values.
pub(crate) fn run(args: &CompareArgs, context: &Context) -> Result<bool> {
    let paths = [args.first.as_path(), args.second.as_path()];
    let tables = [open(paths[0])?, open(paths[1])?];
    let [first, second] = [&tables[0], &tables[1]].map(|table| table.info());
    if first.spec != second.spec {
        bail!(
            "tables of different games cannot be compared: '{}' is of {}, '{}' of {}",
            paths[0].display(),
            first.spec,
            paths[1].display(),
            second.spec
        );
    }
    let compare = CompareVisitor {
        paths,
        tables: &tables,
        context,
    };
    let report = visit(&first.spec, compare)??;
    if context.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(report.different == 0)
}

/// Compares two tables by the numbering of their game.
struct CompareVisitor<'a> {
    paths: [&'a Path; 2],
    tables: &'a [Table<File>; 2],
    context: &'a Context,
}

impl Visitor for CompareVisitor<'_> {
    type Output = Result<CompareReport>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<CompareReport> {
        Err(unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<CompareReport> {
        check_game_size(&game, self.context)?;
        let needed = |opened: &Table<File>, layer| layer_bytes(opened, &game, layer);
        self.compare_layers(game.spec(), game.layers(), needed, |layer, report| {
            let decode = |i: usize| decode_layer(self.paths[i], &self.tables[i], &game, layer);
            report.add_layer(&game, &[decode(0)?, decode(1)?]);
            Ok(())
        })
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<CompareReport> {
        let base = game.base();
        check_game_size(base, self.context)?;
        self.compare_layers(
            game.spec(),
            base.layers(),
            |opened, layer| state_layer_bytes(opened, &game, layer),
            |layer, report| {
                let decode =
                    |i: usize| decode_state_layer(self.paths[i], &self.tables[i], &game, layer);
                report.add_state_layer(&game, &[decode(0)?, decode(1)?]);
                Ok(())
            },
        )
    }
}

impl CompareVisitor<'_> {
    /// Compares the tables layer by layer.
    ///
    /// `needed` returns the bytes of memory for a layer; `add` compares one and adds it to the
    /// report.
    fn compare_layers(
        &self,
        game: String,
        layers: u32,
        needed: impl Fn(&Table<File>, u32) -> u64,
        add: impl Fn(u32, &mut CompareReport) -> Result<()>,
    ) -> Result<CompareReport> {
        let infos = self.tables.each_ref().map(|table| table.info());
        let needed = |layer| {
            let bytes = self.tables.iter().map(|opened| needed(opened, layer));
            bytes.fold(0, u64::saturating_add)
        };
        check_memory((0..layers).map(needed), self.context)?;
        let mut report = CompareReport {
            game,
            files: self.paths.map(|path| path.display().to_string()),
            positions_compared: 0,
            different: 0,
            differences: Vec::new(),
            same_bytes: same_bytes(self.paths)?,
        };
        let mut display = ProgressDisplay::new(self.context.quiet);
        let mut done = 0;
        for layer in 0..layers {
            let progress = Progress {
                phase: "compare",
                done,
                total: Some(infos[0].ranks()),
            };
            if !display.report(progress) {
                return Err(hindsight_solve::Error::Stopped.into());
            }
            add(layer, &mut report)?;
            done += infos[0].layers[layer as usize].ranks;
        }
        Ok(report)
    }
}

/// The comparison of a range of two layers. `T` is the place of a difference: an ordinal in a layer
/// of values, a rank in a layer of states.
struct RangeComparison<T> {
    positions: u64,
    different: u64,
    /// The first differences, at most [`MAX_REPORTED`].
    first_differences: Vec<T>,
}

impl<T> RangeComparison<T> {
    fn new() -> Self {
        Self {
            positions: 0,
            different: 0,
            first_differences: Vec::new(),
        }
    }

    fn add_difference(&mut self, at: T) {
        self.different += 1;
        if self.first_differences.len() < MAX_REPORTED {
            self.first_differences.push(at);
        }
    }
}

impl CompareReport {
    /// Compares two decoded layers, which have the same tiers.
    fn add_layer<G: Retro + Notation>(&mut self, game: &G, layers: &[Layer; 2]) {
        let [first, second] = layers;
        let ranks = first.codes.len().min(second.codes.len());
        let compared = parallel::map(0..ranks.div_ceil(TASK_RANKS) as u64, &|task| {
            let begin = task as usize * TASK_RANKS;
            let range = begin..ranks.min(begin + TASK_RANKS);
            let codes = [&first.codes[range.clone()], &second.codes[range]];
            compare_codes(layers, begin, codes)
        });
        self.add_ranges(compared, |ordinal| difference(game, layers, ordinal));
    }

    /// Compares two decoded layers of states.
    fn add_state_layer<G: ForbiddenMove + Notation>(&mut self, game: &G, layers: &[StateLayer; 2]) {
        let ranks = layers[0].ranks();
        let range = |task| task * TASK_RANKS as u64..ranks.min((task + 1) * TASK_RANKS as u64);
        let compared = parallel::map(0..ranks.div_ceil(TASK_RANKS as u64), &|task| {
            compare_states(layers, range(task))
        });
        self.add_ranges(compared, |rank| state_difference(game, layers, rank));
    }

    /// Adds comparisons in their order; `describe` makes the entry of a difference.
    fn add_ranges<T>(
        &mut self,
        compared: Vec<RangeComparison<T>>,
        describe: impl Fn(T) -> Difference,
    ) {
        for range in compared {
            self.positions_compared += range.positions;
            self.different += range.different;
            let room = MAX_REPORTED - self.differences.len();
            let listed = range.first_differences.into_iter().take(room);
            self.differences.extend(listed.map(&describe));
        }
    }

    fn text(&self) -> String {
        let [first, second] = &self.files;
        let bytes = if self.same_bytes {
            "the bytes are the same"
        } else {
            "the bytes differ"
        };
        let compared = with_commas(self.positions_compared);
        if self.different == 0 {
            return format!(
                "{first} and {second} ({}): \
                 all {compared} positions have the same value; {bytes}\n",
                self.game
            );
        }
        let mut text = format!(
            "{first} and {second} ({}): {} of {compared} positions differ\n",
            self.game,
            with_commas(self.different)
        );
        for difference in &self.differences {
            let value_text = |value: &Option<TableValue>| {
                value
                    .as_ref()
                    .map_or(String::from("no position"), |value| value.text.clone())
            };
            let [a, b] = difference.values.each_ref().map(value_text);
            let position = difference.position.as_deref().unwrap_or("a hole");
            text.push_str(&format!(
                "  layer {}, tier {}, rank {}, '{position}': {a} and {b}\n",
                difference.layer, difference.tier, difference.rank
            ));
        }
        text
    }
}

/// Compares a range of the codes of two layers; `begin` is the ordinal of the first code.
fn compare_codes(layers: &[Layer; 2], begin: usize, codes: [&[u8]; 2]) -> RangeComparison<usize> {
    let [a, b] = layers;
    let mut compared = RangeComparison::new();
    for (i, codes) in codes[0].iter().zip(codes[1]).enumerate() {
        let values = (value_of_code(a, *codes.0), value_of_code(b, *codes.1));
        compared.positions += u64::from(values != (None, None));
        if values.0 != values.1 {
            compared.add_difference(begin + i);
        }
    }
    compared
}

/// Returns the value that a code stands for; `None` for a hole.
fn value_of_code(layer: &Layer, code: u8) -> Option<Value> {
    layer.palette.get(usize::from(code)).copied().flatten()
}

/// Compares a range of ranks of two layers of states.
fn compare_states(layers: &[StateLayer; 2], ranks: Range<u64>) -> RangeComparison<u64> {
    let mut compared = RangeComparison::new();
    for rank in ranks {
        let values = |layer: &StateLayer| (layer.value(rank), layer.exception(rank));
        let [first, second] = layers.each_ref().map(values);
        compared.positions += u64::from(first.0.is_some() || second.0.is_some());
        if first != second {
            compared.add_difference(rank);
        }
    }
    compared
}

/// Describes the difference at a rank: of the unrestricted state, or else of one with a forbidden
/// move.
fn state_difference<G: ForbiddenMove + Notation>(
    game: &G,
    layers: &[StateLayer; 2],
    rank: u64,
) -> Difference {
    let [first, second] = layers;
    let tier = first.tier();
    let differs = |id: u8| layers[0].state(rank, id) != layers[1].state(rank, id);
    let exceptions = layers.each_ref().map(|layer| layer.exception(rank));
    let forbidden_ids = exceptions.into_iter().flatten().map(|(id, _)| id);
    let mut candidates = std::iter::once(0).chain(forbidden_ids);
    let forbidden = candidates.find(|&id| differs(id)).unwrap_or(0);
    let value = |layer: &StateLayer| layer.state(rank, forbidden).map(TableValue::new);
    Difference {
        layer: first.layer(),
        tier,
        rank,
        position: state_at(game, tier, rank, forbidden).map(|state| game.format(state)),
        values: [value(first), value(second)],
    }
}

/// Describes the difference at an ordinal.
fn difference<G: Retro + Notation>(game: &G, layers: &[Layer; 2], ordinal: usize) -> Difference {
    let layer = &layers[0];
    let tier = layer
        .starts
        .partition_point(|&start| start <= ordinal as u64)
        - 1;
    let rank = ordinal as u64 - layer.starts[tier];
    let tier = layer.tiers[tier];
    let value = |layer: &Layer| value_of_code(layer, layer.codes[ordinal]).map(TableValue::new);
    Difference {
        layer: layer.layer,
        tier,
        rank,
        position: game
            .unrank(tier, rank)
            .map(|position| game.format(position)),
        values: [value(&layers[0]), value(&layers[1])],
    }
}

/// Bytes of the files compared at a time.
const CHUNK_BYTES: u64 = 1 << 16;

/// Returns true if the files are equal byte by byte.
fn same_bytes(paths: [&Path; 2]) -> Result<bool> {
    let mut files = [open_file(paths[0])?, open_file(paths[1])?];
    loop {
        let mut chunks = [Vec::new(), Vec::new()];
        for ((file, chunk), path) in files.iter_mut().zip(&mut chunks).zip(paths) {
            let read = file.take(CHUNK_BYTES).read_to_end(chunk);
            read.with_context(|| format!("cannot read '{}'", path.display()))?;
        }
        let [first, second] = &chunks;
        if first != second || first.is_empty() {
            return Ok(first == second);
        }
    }
}
