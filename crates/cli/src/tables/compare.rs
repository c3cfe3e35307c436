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

/// Differences that are told; more are counted.
const MAX_REPORTED: usize = 10;

/// Ranks that a thread compares at a time.
const TASK_RANKS: usize = 1 << 16;

/// What `compare --json` prints.
#[derive(Serialize)]
struct CompareReport {
    game: String,
    files: [String; 2],
    positions_compared: u64,
    different: u64,
    /// The first of them, with both values.
    differences: Vec<Difference>,
    same_bytes: bool,
}

#[derive(Serialize)]
struct Difference {
    layer: u32,
    tier: u64,
    rank: u64,
    position: Option<String>,
    /// What each file says; null where it has no position.
    values: [Option<TableValue>; 2],
}

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

/// Whether the tables have the same values.
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
        self.compare_layers((game.spec(), game.layers()), needed, |layer, report| {
            let decode = |i: usize| decode_layer(self.paths[i], &self.tables[i], &game, layer);
            report.add_layer(&game, &[decode(0)?, decode(1)?]);
            Ok(())
        })
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<CompareReport> {
        let base = game.base();
        check_game_size(base, self.context)?;
        self.compare_layers(
            (game.spec(), base.layers()),
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
    /// Compares layer by layer. `needed` are the bytes of a layer in memory.
    fn compare_layers(
        &self,
        (game, layers): (String, u32),
        needed: impl Fn(&Table<File>, u32) -> u64,
        add: impl Fn(u32, &mut CompareReport) -> Result<()>,
    ) -> Result<CompareReport> {
        let infos = self.tables.each_ref().map(|table| table.info());
        let needed = |layer| {
            let both = self.tables.iter().map(|opened| needed(opened, layer));
            both.fold(0, u64::saturating_add)
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

/// How many positions two runs of codes have, how many differ, and the first ordinals that do.
type Found = (u64, u64, Vec<usize>);

impl CompareReport {
    /// Compares two decoded layers, which have the same tiers.
    fn add_layer<G: Retro + Notation>(&mut self, game: &G, layers: &[Layer; 2]) {
        let [first, second] = layers;
        let ranks = first.codes.len().min(second.codes.len());
        let found: Vec<Found> = parallel::map(0..ranks.div_ceil(TASK_RANKS) as u64, &|run| {
            let begin = run as usize * TASK_RANKS;
            let run = begin..ranks.min(begin + TASK_RANKS);
            compare_codes(layers, begin, &first.codes[run.clone()], &second.codes[run])
        });
        for (positions, different, ordinals) in found {
            self.positions_compared += positions;
            self.different += different;
            let room = MAX_REPORTED - self.differences.len();
            let told = ordinals.into_iter().take(room);
            self.differences
                .extend(told.map(|ordinal| difference(game, layers, ordinal)));
        }
    }

    /// Compares two decoded layers of states.
    fn add_state_layer<G: ForbiddenMove + Notation>(&mut self, game: &G, layers: &[StateLayer; 2]) {
        let ranks = layers[0].ranks();
        let run = |run| run * TASK_RANKS as u64..ranks.min((run + 1) * TASK_RANKS as u64);
        let found = parallel::map(0..ranks.div_ceil(TASK_RANKS as u64), &|number| {
            compare_states(layers, run(number))
        });
        for (positions, different, ranks) in found {
            self.positions_compared += positions;
            self.different += different;
            let room = MAX_REPORTED - self.differences.len();
            let told = ranks.into_iter().take(room);
            self.differences
                .extend(told.map(|rank| state_difference(game, layers, rank)));
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
                "{first} and {second} ({}): all {compared} positions have the same value; {bytes}\n",
                self.game
            );
        }
        let mut text = format!(
            "{first} and {second} ({}): {} of {compared} positions differ\n",
            self.game,
            with_commas(self.different)
        );
        for told in &self.differences {
            let say = |said: &Option<TableValue>| {
                said.as_ref()
                    .map_or(String::from("no position"), |said| said.text.clone())
            };
            let [a, b] = [say(&told.values[0]), say(&told.values[1])];
            let position = told.position.as_deref().unwrap_or("a hole");
            text.push_str(&format!(
                "  layer {}, tier {}, rank {}, '{position}': {a} and {b}\n",
                told.layer, told.tier, told.rank
            ));
        }
        text
    }
}

/// Compares runs of codes that begin at an ordinal.
fn compare_codes(layers: &[Layer; 2], begin: usize, first: &[u8], second: &[u8]) -> Found {
    let [a, b] = layers;
    let (mut positions, mut different, mut ordinals) = (0, 0, Vec::new());
    for (i, codes) in first.iter().zip(second).enumerate() {
        let values = (value_of_code(a, *codes.0), value_of_code(b, *codes.1));
        positions += u64::from(values != (None, None));
        if values.0 != values.1 {
            different += 1;
            if ordinals.len() < MAX_REPORTED {
                ordinals.push(begin + i);
            }
        }
    }
    (positions, different, ordinals)
}

/// The value that a code stands for; `None` for a hole.
fn value_of_code(layer: &Layer, code: u8) -> Option<Value> {
    layer.palette.get(usize::from(code)).copied().flatten()
}

/// Compares some ranks of two layers of states.
fn compare_states(layers: &[StateLayer; 2], ranks: Range<u64>) -> (u64, u64, Vec<u64>) {
    let (mut positions, mut different, mut told) = (0, 0, Vec::new());
    for rank in ranks {
        let of = |layer: &StateLayer| (layer.value(rank), layer.exception(rank));
        let [first, second] = layers.each_ref().map(of);
        positions += u64::from(first.0.is_some() || second.0.is_some());
        if first != second {
            different += 1;
            if told.len() < MAX_REPORTED {
                told.push(rank);
            }
        }
    }
    (positions, different, told)
}

/// A state at a rank that has two values: with nothing forbidden if that is one.
fn state_difference<G: ForbiddenMove + Notation>(
    game: &G,
    layers: &[StateLayer; 2],
    rank: u64,
) -> Difference {
    let [first, second] = layers;
    let place = (first.tier(), rank);
    let differ = |way: u8| layers[0].state(rank, way) != layers[1].state(rank, way);
    let ways = layers.each_ref().map(|layer| layer.exception(rank));
    let way = ways.into_iter().flatten().map(|(way, _)| way);
    let way = std::iter::once(0).chain(way).find(|&way| differ(way));
    let way = way.unwrap_or(0);
    let said = |layer: &StateLayer| layer.state(rank, way).map(TableValue::new);
    Difference {
        layer: first.layer(),
        tier: place.0,
        rank,
        position: state_at(game, place, way).map(|state| game.format(state)),
        values: [said(first), said(second)],
    }
}

fn difference<G: Retro + Notation>(game: &G, layers: &[Layer; 2], ordinal: usize) -> Difference {
    let layer = &layers[0];
    let tier = layer
        .starts
        .partition_point(|&start| start <= ordinal as u64)
        - 1;
    let rank = ordinal as u64 - layer.starts[tier];
    let tier = layer.tiers[tier];
    let said = |layer: &Layer| value_of_code(layer, layer.codes[ordinal]).map(TableValue::new);
    Difference {
        layer: layer.layer,
        tier,
        rank,
        position: game
            .unrank(tier, rank)
            .map(|position| game.format(position)),
        values: [said(&layers[0]), said(&layers[1])],
    }
}

/// Bytes that are compared at a time.
const CHUNK_BYTES: u64 = 1 << 16;

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
