//! Tables of reachable positions, and the bytes that are read of them.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use hindsight_core::{Answer, Game, Packed, Probe, Symmetry};
use hindsight_engine::keys::CodedPositions;
use hindsight_engine::{Limits, NoMonitor, Store, ValueCodes};
use hindsight_solve::graph;
use hindsight_tablebase::{CheckpointDir, Layout, ReachableLayer, ReadAt, Table};

/// Bytes that count those that are read.
struct CountedBytes {
    bytes: Vec<u8>,
    read: AtomicU64,
}

impl ReadAt for CountedBytes {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(buf.len() as u64, Ordering::Relaxed);
        self.bytes.read_at(offset, buf)
    }

    fn len(&self) -> io::Result<u64> {
        ReadAt::len(&self.bytes)
    }
}

#[test]
fn a_probe_reads_a_page_of_keys_and_a_block_of_values() {
    let game = hindsight_rules::by_name("four:4x4", &Default::default()).expect("a spec");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("a solution");
    let codes = ValueCodes::new(&solved.histogram()).expect("few values");
    let get = |number: usize| {
        let position = solved.position(number).expect("a position");
        (position, codes.of(solved.value(number)))
    };
    let positions = CodedPositions { len: solved.len(), get: &get };
    let layer = ReachableLayer::new(&game, &positions, codes.palette.clone());
    let folder = tempfile::tempdir().expect("a folder");
    let dir = CheckpointDir::create(folder.path(), "four:4x4", Layout::Full).expect("a folder");
    dir.layer_store(&layer.game).put(&layer.layer, &mut || Ok(())).expect("room");
    let mut bytes = Vec::new();
    dir.finish_reachable(&mut bytes, &layer, Symmetry::None).expect("a table");

    let length = bytes.len() as u64;
    let table = Table::open(CountedBytes { bytes, read: AtomicU64::new(0) }).expect("a table");
    let read = || table.reader().read.load(Ordering::Relaxed);
    let ranked = table.ranked_game(&game).expect("an index");
    table.fits(&ranked).expect("its own game");
    let opened = read();
    assert!(opened < length / 2, "{opened} of {length}");
    let reader = table.with(&ranked);
    let middle = solved.position(solved.len() / 2).expect("a position");
    let value = Answer::Exact(solved.value(solved.len() / 2));
    assert_eq!(reader.probe(middle).expect("a value"), value);
    let probed = read() - opened;
    assert!(probed < length / 4, "{probed} of {length}");
    assert_eq!(table.with(&ranked).probe(middle).expect("a value"), value);
    assert!(read() - opened < 2 * probed, "its page of keys is kept");

    let all: Vec<Packed> = solved.positions().collect();
    let values = (0..all.len()).map(|number| Answer::Exact(solved.value(number)));
    assert_eq!(reader.probe_many(&all).expect("values"), values.collect::<Vec<_>>());
    assert!(read() < 3 * length, "{} of {length}: keys are read once more, whole", read());
    assert_eq!(game.start(), ranked.start());
}
