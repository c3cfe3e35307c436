//! Faults of every kind are found once, and described alike for every content of a table.

use std::collections::BTreeSet;
use std::time::Duration;

use hindsight_core::{Notation, PackedGame, Symmetry, Value};
use hindsight_engine::{Limits, MemoryStore, Monitor, NoMonitor, Progress, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::distance::{self, NextStates};
use hindsight_solve::forbidden_move::{self, SolvedStateTier};
use hindsight_solve::tiered::{self, TierPlan};

use crate::format::info::TableInfo;
use crate::verdict::MAX_REPORTED;
use crate::{
    CheckpointDir, DistanceSearch, Layout, Recompute, Symbol, Table, TableError, TableFault,
    TableVerdict, verify, verify_memory,
};
use hindsight_engine::StateSource;

/// One content of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Positions(Layout),
    States,
    Distances,
}

const CONTENTS: [Content; 5] = [
    Content::Positions(Layout::Full),
    Content::Positions(Layout::Compact),
    Content::Positions(Layout::Wdl),
    Content::States,
    Content::Distances,
];

impl Content {
    fn game(self) -> PackedGame {
        let spec = match self {
            Self::Positions(_) => "tic-tac-toe",
            Self::States | Self::Distances => "ostle:3x3:3:1",
        };
        let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
        by_name(spec, &setup).expect("a spec")
    }

    /// A sound table; with `is_wrong`, one with wrong values and a header that fits them.
    fn table(self, is_wrong: bool) -> Vec<u8> {
        let dir = tempfile::tempdir().expect("a folder");
        let layout = match self {
            Self::Positions(layout) => layout,
            Self::States => Layout::States,
            Self::Distances => Layout::Distances,
        };
        let game = self.game();
        let checkpoint = CheckpointDir::create(dir.path(), &game.spec(), layout);
        let checkpoint = checkpoint.expect("a checkpoint");
        match self {
            Self::Positions(_) => put_positions(&checkpoint, &game, is_wrong),
            Self::States => put_states(&checkpoint, &game, is_wrong),
            Self::Distances => put_distances(&checkpoint, &game, is_wrong),
        }
        let mut bytes = Vec::new();
        checkpoint.finish(&mut bytes).expect("a table");
        bytes
    }

    fn check(
        self,
        bytes: &[u8],
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<TableVerdict, TableError> {
        let (table, game) = (Table::open(bytes)?, self.game());
        let recompute = match self {
            Self::Positions(_) | Self::States => Recompute::Successors,
            Self::Distances => Recompute::Search(DistanceSearch {
                bytes: distance::peak(&game),
                run: &|limits, monitor| distance::solve_layers(&game, limits, monitor),
            }),
        };
        verify(&table, &game, recompute, limits, monitor)
    }

    fn verdict(self, bytes: &[u8]) -> TableVerdict {
        let verdict = self.check(bytes, Limits::default(), &mut NoMonitor);
        verdict.expect("a verdict")
    }

    fn memory(self, bytes: &[u8]) -> u64 {
        let (table, game) = (Table::open(bytes).expect("a table"), self.game());
        let search = match self {
            Self::Positions(_) | Self::States => 0,
            Self::Distances => distance::peak(&game),
        };
        verify_memory(&table, &game).expect("bytes in memory") + search
    }
}

/// Puts a solved game; if it shall be wrong, each draw of the last layer is a loss.
fn put_positions(checkpoint: &CheckpointDir, game: &PackedGame, is_wrong: bool) {
    let mut kept = MemoryStore::default();
    let plan = TierPlan::new(game);
    let limits = Limits::default();
    tiered::solve(game, &plan, &mut kept, limits, &mut NoMonitor).expect("a game");
    let last = kept.0.last_mut().expect("a layer");
    for value in last.palette.iter_mut().filter(|_| is_wrong) {
        *value = value.map(|value| match value {
            Value::Draw => Value::Loss(4),
            other => other,
        });
    }
    for layer in &kept.0 {
        let put = checkpoint.layer_store(game).put(layer, &mut || Ok(()));
        put.expect("a layer is kept");
    }
}

/// States of a solver without their exceptions.
struct WithoutExceptions<'a>(&'a SolvedStateTier);

impl StateSource for WithoutExceptions<'_> {
    fn layer(&self) -> u32 {
        self.0.layer
    }

    fn tier(&self) -> u64 {
        self.0.tier
    }

    fn ranks(&self) -> u64 {
        self.0.ranks()
    }

    fn value(&self, rank: u64) -> Option<Value> {
        self.0.value(rank)
    }

    fn exception(&self, _: u64) -> Option<(u8, Value)> {
        None
    }
}

/// Puts a solved game; if it shall be wrong, without exceptions.
fn put_states(checkpoint: &CheckpointDir, game: &PackedGame, is_wrong: bool) {
    let mut take = |solved: SolvedStateTier| {
        let put = if is_wrong {
            checkpoint.put_states(game, &WithoutExceptions(&solved), u64::MAX)
        } else {
            checkpoint.put_states(game, &solved, u64::MAX)
        };
        put.expect("a layer is kept");
    };
    forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut take).expect("a game");
}

fn put_distances(checkpoint: &CheckpointDir, game: &PackedGame, is_wrong: bool) {
    let next_states = if is_wrong { NextStates::All } else { NextStates::Allowed };
    let found = distance::solve(game, next_states, Limits::default(), &mut NoMonitor);
    let found = found.expect("a game");
    for layer in found.layers(game) {
        checkpoint.put_distances(game, &layer, u64::MAX).expect("a layer is kept");
    }
}

/// Header of a table, and its length in bytes.
fn header(bytes: &[u8]) -> (TableInfo, usize) {
    let table = Table::open(bytes).expect("a table");
    let info = table.info().clone();
    let length = info.encode().len();
    (info, length)
}

/// A table with another header, whose checksum is right.
fn with_header(bytes: &[u8], edit: impl FnOnce(&mut TableInfo)) -> Vec<u8> {
    let (mut info, length) = header(bytes);
    edit(&mut info);
    [&info.encode(), &bytes[length..]].concat()
}

/// Number of the layer with the most ranks.
fn largest_layer(info: &TableInfo) -> usize {
    let layers = 0..info.layers.len();
    let largest = layers.max_by_key(|&layer| info.layers[layer].ranks);
    largest.expect("a layer")
}

fn fault(layer: usize, description: &str) -> TableFault {
    TableFault { layer: Some(layer as u32), address: None, description: description.to_owned() }
}

/// Edit of a layer's header, and the field that it concerns.
type HeaderEdit = (&'static str, fn(&mut crate::LayerInfo));

const HEADER_EDITS: [HeaderEdit; 6] = [
    ("name", |layer| layer.name.push('?')),
    ("number of ranks", |layer| layer.ranks -= 1),
    ("first tier", |layer| {
        layer.first_tier = layer.first_tier.map(|tier| tier + 1);
    }),
    ("histogram", |layer| {
        let mut rows = layer.histogram.rows();
        rows.sort_by_key(|row| row.1);
        rows[0].1 += 1;
        layer.histogram = rows.into_iter().collect();
    }),
    ("longest loss", |layer| {
        let longest = layer.longest_loss.as_mut().expect("a loss");
        longest.rank ^= 1;
    }),
    ("list of symbols", |layer| {
        layer.symbols.push(Symbol::BestMove(100));
    }),
];

#[test]
fn sound_tables_have_no_fault() {
    for content in CONTENTS {
        let verdict = content.verdict(&content.table(false));
        assert_eq!(verdict.faults, [], "{content:?}");
        assert!(verdict.positions_checked > 0, "{content:?}");
    }
}

#[test]
fn a_wrong_field_of_a_header_is_one_fault() {
    for content in CONTENTS {
        let bytes = content.table(false);
        let layer = largest_layer(&header(&bytes).0);
        for (field, edit) in HEADER_EDITS {
            let edited = with_header(&bytes, |info| edit(&mut info.layers[layer]));
            let expected = fault(layer, &format!("the header has another {field}"));
            assert_eq!(content.verdict(&edited).faults, [expected], "{content:?}");
        }
    }
}

#[test]
fn a_wrong_count_of_states_is_one_fault() {
    for content in [Content::States, Content::Distances] {
        let bytes = content.table(false);
        let layer = largest_layer(&header(&bytes).0);
        let edited = with_header(&bytes, |info| {
            let states = info.layers[layer].states.as_mut().expect("states");
            let (value, _) = states.all.rows()[0];
            states.all.add(value, 1);
        });
        let expected = fault(layer, "the header has another count of states");
        assert_eq!(content.verdict(&edited).faults, [expected], "{content:?}");
    }
}

#[test]
fn a_wrong_start_is_one_fault() {
    for content in CONTENTS {
        let bytes = content.table(false);
        let (info, _) = header(&bytes);
        let start = info.start;
        let layer = info.layers.iter().position(|layer| layer.first_tier == Some(start.tier));
        let layer = layer.expect("a layer of one tier");
        let other_value = with_header(&bytes, |info| info.start.value = Value::Win(77));
        let expected = fault(layer, "the header has another value of the start");
        assert_eq!(content.verdict(&other_value).faults, [expected]);
        let other_rank = with_header(&bytes, |info| info.start.rank += 1);
        let expected = TableFault {
            layer: None,
            address: Some((start.tier, start.rank + 1)),
            description: String::from("the header has another start than the game"),
        };
        assert_eq!(content.verdict(&other_rank).faults, [expected]);
    }
}

#[test]
fn a_flipped_bit_is_one_fault() {
    for content in CONTENTS {
        let mut bytes = content.table(false);
        let (info, length) = header(&bytes);
        let layer = largest_layer(&info);
        let earlier = info.layers[..layer].iter().map(|layer| layer.bytes());
        let begin = length + earlier.sum::<u64>() as usize;
        bytes[begin] ^= 1;
        let tier = info.layers[layer].first_tier.expect("a tier");
        let differs = format!("damaged: the checksum of the block from tier {tier} rank 0 differs");
        let verdict = content.verdict(&bytes);
        assert_eq!(verdict.faults, [fault(layer, &differs)], "{content:?}");
    }
}

#[test]
fn wrong_values_are_found_at_their_addresses_once() {
    for content in CONTENTS {
        let faults = content.verdict(&content.table(true)).faults;
        assert!((1..=MAX_REPORTED).contains(&faults.len()), "{content:?}");
        let addresses: BTreeSet<_> = faults.iter().filter_map(|fault| fault.address).collect();
        let wrong = faults.iter().filter(|fault| fault.address.is_some());
        let mut count = 0;
        for fault in wrong {
            let text = &fault.description;
            assert!(text.starts_with("the table says "), "{content:?}: {text}");
            count += 1;
        }
        assert!(count > 0 && count == addresses.len(), "{content:?}");
    }
}

/// Stops after a number of reports, and counts them.
struct StopAfter {
    reports: u32,
    allowed: u32,
}

impl Monitor for StopAfter {
    fn report(&mut self, progress: Progress) -> bool {
        assert!(progress.total.is_none_or(|total| progress.done <= total));
        self.reports += 1;
        self.reports <= self.allowed
    }
}

#[test]
fn a_check_can_be_stopped_at_every_report() {
    for content in CONTENTS {
        let bytes = content.table(false);
        let stop_after = |allowed| {
            let mut stop = StopAfter { reports: 0, allowed };
            let checked = content.check(&bytes, Limits::default(), &mut stop);
            (checked, stop.reports)
        };
        let (checked, reports) = stop_after(u32::MAX);
        assert!(checked.is_ok() && reports > 3, "{content:?}");
        for allowed in 0..reports {
            let (stopped, _) = stop_after(allowed);
            assert!(matches!(stopped, Err(TableError::Stopped)), "{content:?}");
        }
    }
}

#[test]
fn limits_of_a_check_are_kept() {
    for content in CONTENTS {
        let bytes = content.table(false);
        let check = |limits| content.check(&bytes, limits, &mut NoMonitor);
        let memory = content.memory(&bytes);
        let with_memory = |memory| Limits { memory, time: None };
        assert!(check(with_memory(memory)).is_ok(), "{content:?}");
        let refused = check(with_memory(memory - 1));
        assert!(
            matches!(refused, Err(TableError::Memory { needed, .. }) if needed == memory),
            "{content:?}: {refused:?}"
        );
        let late = check(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert!(matches!(late, Err(TableError::Time { .. })), "{content:?}");
    }
}
