//! The states of a table in which the player to move wins only by a sacrifice.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use anyhow::Result;
use game::{Material, Notation, Ranked, Restricting, Wdl};
use puzzles::{Layers, SacrificeCounts};
use serde::Serialize;
use solve::{Histogram, Monitor, Progress};
use table::{Info, Table};

use super::Call;
use super::scan::{Scanned, check_layers};
use crate::output::{print, print_json, table, with_commas};
use crate::progress::Display;
use crate::tables::{check_memory, decode_states, in_file, states_bytes};

/// Ranks between two reports.
const CHUNK: u64 = 1 << 20;

/// What `puzzles --theme sacrifice --tally --json` prints of a table of states.
#[derive(Serialize)]
struct Report {
    game: String,
    theme: &'static str,
    scanned: Scanned,
    /// All states, those that win, and those of them that do not win at once.
    states: u64,
    won: u64,
    won_not_at_once: u64,
    rows: Vec<Row>,
    total: Row,
}

#[derive(Serialize)]
struct Row {
    /// Null in the total.
    remoteness: Option<u16>,
    puzzles: u64,
    only_move: u64,
    only_first: u64,
    only_line: u64,
    positions: u64,
    quickest: u64,
}

impl Row {
    fn new(remoteness: Option<u16>, counts: &SacrificeCounts) -> Self {
        Self {
            remoteness,
            puzzles: counts.states,
            only_move: counts.only_move,
            only_first: counts.only_first,
            only_line: counts.only_line,
            positions: counts.positions,
            quickest: counts.quickest,
        }
    }

    fn cells(&self) -> Vec<String> {
        let plies = self.remoteness.map(|plies| plies.to_string());
        let counts = [
            self.puzzles,
            self.only_move,
            self.only_first,
            self.only_line,
            self.positions,
            self.quickest,
        ];
        let plies = plies.unwrap_or(String::from("all"));
        [plies].into_iter().chain(counts.map(with_commas)).collect()
    }
}

pub(super) fn run<G: Restricting<Base: Material> + Notation + Material>(
    call: &Call<'_>,
    game: &G,
    opened: &Table<File>,
    path: &Path,
) -> Result<()> {
    call.check(game)?;
    let (info, base) = (opened.info(), game.base());
    check_layers(path, opened, base)?;
    check_memory(
        (0..base.layers()).map(|layer| needed(info, base, layer)),
        call.common,
    )?;
    let mut display = Display::new(call.common.quiet);
    let mut sum: BTreeMap<u16, SacrificeCounts> = BTreeMap::new();
    let total = info.layers.iter().map(|layer| layer.ranks).sum();
    let mut done = 0;
    for layer in 0..base.layers() {
        let states = decode_states(path, opened, game, layer)?;
        let before = base.layer_successors(layer).into_iter();
        let before = before.map(|layer| opened.decode_free(game, layer));
        let before: Vec<_> = before
            .collect::<Result<_, _>>()
            .map_err(|error| in_file(path, error))?;
        let layers = Layers {
            layer: &states,
            before: &before,
        };
        for first in (0..states.ranks()).step_by(CHUNK as usize) {
            let ranks = first..states.ranks().min(first + CHUNK);
            done += ranks.end - ranks.start;
            let open = || opened.with_states(game);
            for (plies, counts) in puzzles::sacrifices(game, layers, ranks, open)? {
                sum.entry(plies).or_default().add(&counts);
            }
            let progress = Progress {
                phase: "sacrifices",
                done,
                total: Some(total),
            };
            if !display.report(progress) {
                return Err(solve::Error::Stopped.into());
            }
        }
    }
    drop(display);
    sum.retain(|plies, _| call.wanted.plies.contains(plies));
    show(call, game, info, &sum)
}

/// Bytes of memory for a layer and those it leads to.
fn needed<B: Ranked>(info: &Info, base: &B, layer: u32) -> u64 {
    let before = base.layer_successors(layer).into_iter();
    let before = before.filter_map(|layer| info.layers.get(layer as usize));
    before.fold(states_bytes(info, layer), |sum, layer| {
        sum.saturating_add(layer.ranks)
    })
}

/// How many states of a table win, by one of its histograms.
fn won(info: &Info, part: impl Fn(&table::StateCounts) -> &Histogram) -> u64 {
    let layers = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    let rows = layers.flat_map(|states| part(states).rows());
    rows.filter(|(value, _)| value.wdl() == Wdl::Win)
        .map(|(_, states)| states)
        .sum()
}

fn show<G: Restricting + Material + Notation>(
    call: &Call<'_>,
    game: &G,
    info: &Info,
    sum: &BTreeMap<u16, SacrificeCounts>,
) -> Result<()> {
    let mut total = SacrificeCounts::default();
    sum.values().for_each(|counts| total.add(counts));
    let states = info.layers.iter().filter_map(|layer| layer.states.as_ref());
    let positions = info.layers.iter().map(|layer| layer.histogram.positions());
    let report = Report {
        game: game.spec(),
        theme: "sacrifice",
        scanned: Scanned::all(positions.sum()),
        states: states.map(|states| states.all.positions()).sum(),
        won: won(info, |states| &states.all),
        won_not_at_once: won(info, |states| &states.nontrivial),
        rows: sum
            .iter()
            .map(|(&plies, counts)| Row::new(Some(plies), counts))
            .collect(),
        total: Row::new(None, &total),
    };
    if call.common.json {
        return print_json(&report);
    }
    print(&report.text(game.sacrifice().unwrap_or("")))
}

impl Report {
    fn text(&self, sacrifice: &str) -> String {
        let head = [
            "plies",
            "states",
            "only move",
            "only first",
            "only line",
            "positions",
            "quickest",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(self.rows.iter().map(Row::cells));
        rows.push(self.total.cells());
        format!(
            "{}: states in which the player to move wins only by a sacrifice, {sacrifice}\n\n{}\n\
             states      every winning move is a sacrifice; a move leads to the state\n\
             only move   of these, those with one winning move\n\
             only first  those with one quickest winning move\n\
             only line   those with one quickest move at each of the winner's plies, whatever the slowest replies\n\
             positions   as states, with nothing forbidden, whether or not a move leads there\n\
             quickest    every quickest winning move is a sacrifice, others may win more slowly\n\n\
             Of {} states {} win, {} of them not at once. Those that win at once are none of these:\n\
             the move that ends the game is no sacrifice.\n",
            self.game,
            table(&rows, "rrrrrrr"),
            with_commas(self.states),
            with_commas(self.won),
            with_commas(self.won_not_at_once),
        )
    }
}
