//! Solves whose values go into a log.

use std::time::Duration;

use hindsight_bitplanes::{BitplanePlan, Instructions, solve_and_store};
use hindsight_core::PackedGame;
use hindsight_engine::checkpoint::{Blobs as _, Checkpoint, MemoryBlobs};
use hindsight_engine::{
    Error, Layer, LayerCodes, Limits, MemoryStore, Monitor, NoMonitor, NullStore, Poll, Progress,
    Store, StoreError,
};
use hindsight_rules::{Setup, by_name};
use hindsight_testkit::damaged;

use crate::in_memory::options;
use crate::stopped::{StopsWhenWriting, WRITING};

/// Stops a solve that keeps its values in a log, and damages or removes each blob of the log.
#[test]
fn damaged_logs_are_refused() {
    let game = &by_name("onitama:2x3:boar", &Setup::default()).expect("a spec");
    let blobs = MemoryBlobs::default();
    let least = BitplanePlan::new(game).peak_with_store(game, &NullStore, 0, true);
    let solve = |blobs: &MemoryBlobs, monitor: &mut dyn Monitor| {
        let checkpoint = Checkpoint::new(blobs, Duration::MAX);
        let limits = Limits { memory: least, ..Limits::default() };
        let options = options(Instructions::detect(), limits, monitor, Some(&checkpoint));
        let mut store = MemoryStore::default();
        let solved = solve_and_store(game, BitplanePlan::new(game), options, &mut store);
        solved.map(|_| store.0)
    };
    assert!(matches!(solve(&blobs, &mut StopsWhenWriting), Err(Error::Stopped)));
    let keys = blobs.keys().expect("keys");
    let logged = keys.iter().filter(|key| key.starts_with("decided-"));
    let logged: Vec<&String> = logged.collect();
    assert!(!logged.is_empty());
    for key in logged {
        for bytes in damaged(&blobs.bytes(key).expect("a blob")) {
            let blobs = blobs.clone();
            blobs.set(key, &bytes);
            assert!(matches!(solve(&blobs, &mut NoMonitor), Err(Error::Store(_))));
        }
        let blobs = blobs.clone();
        blobs.remove(key).expect("room");
        assert!(matches!(solve(&blobs, &mut NoMonitor), Err(Error::Store(_))), "without {key}");
    }
    solve(&blobs, &mut NoMonitor).expect("a whole log");
}

/// Solves with a log and so little memory that the layers come in pieces.
fn assert_comes_in_pieces(game: &PackedGame) {
    let least = BitplanePlan::new(game).peak_with_store(game, &NullStore, 0, true);
    let solve = |memory: u64, checkpoint: Option<&Checkpoint<'_>>| {
        let limits = Limits { memory, ..Limits::default() };
        let mut monitor = SeesWritingAdvance::default();
        let options = options(Instructions::detect(), limits, &mut monitor, checkpoint);
        let mut pieces = CountedPieces { checkpoint, ..CountedPieces::default() };
        solve_and_store(game, BitplanePlan::new(game), options, &mut pieces)
            .expect("enough memory");
        assert!(monitor.reports >= 2, "{} reports", monitor.reports);
        (pieces.codes, pieces.most)
    };
    let blobs = MemoryBlobs::default();
    let checkpoint = Checkpoint::new(&blobs, Duration::MAX);
    let (whole, pieces_of_whole) = solve(u64::MAX, None);
    let (cut, pieces) = solve(least, Some(&checkpoint));
    assert!(pieces > pieces_of_whole, "{pieces} pieces");
    assert!(cut == whole, "other values in pieces");
}

/// Monitor that expects every report on writing to be further on than the one before.
#[derive(Default)]
struct SeesWritingAdvance {
    reports: u64,
    last: u64,
}

impl Monitor for SeesWritingAdvance {
    fn report(&mut self, progress: Progress) -> bool {
        if progress.phase == WRITING {
            let Progress { done, total, .. } = progress;
            assert!(done > self.last || self.reports == 0, "{done} of {total:?}");
            assert!(Some(done) < total, "{done} of {total:?}");
            self.reports += 1;
            self.last = done;
        }
        true
    }
}

/// Store that goes twice through the codes of all layers, keeps them, and counts their pieces.
#[derive(Default)]
struct CountedPieces<'a> {
    checkpoint: Option<&'a Checkpoint<'a>>,
    codes: Vec<Vec<u8>>,
    /// Most pieces of a layer.
    most: usize,
}

impl Store for CountedPieces<'_> {
    fn takes(&self, _: u32, _: u64, _: u64) -> u64 {
        0
    }

    fn rounds(&self) -> u64 {
        2
    }

    fn put(&mut self, layer: &Layer, _: &mut Poll<'_>) -> Result<(), Error> {
        self.codes.push(layer.codes.clone());
        Ok(())
    }

    fn put_pieces(&mut self, _: &Layer, codes: &mut dyn LayerCodes) -> Result<(), Error> {
        let (mut all, mut pieces) = (Vec::new(), 0);
        let spent = || self.checkpoint.map(Checkpoint::spent);
        let spent_before = spent();
        codes.for_each_piece(&mut |first, piece| {
            assert_eq!(first, all.len() as u64);
            all.extend_from_slice(piece);
            pieces += 1;
            Ok(())
        })?;
        codes.for_each_piece(&mut |first, piece| {
            assert!(all[first as usize..].starts_with(piece), "another round");
            Ok(())
        })?;
        assert_eq!(spent(), spent_before, "time that the store spends, too");
        self.codes.push(all);
        self.most = self.most.max(pieces);
        Ok(())
    }

    fn has(&mut self, _: u32) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }
}

#[test]
fn layers_in_pieces_have_the_same_values() {
    for spec in [
        "onitama:5x4:boar,ox,elephant,horse,crab:students=1",
        "onitama:4x4:tiger,crab,monkey,crane,dragon:students=1",
    ] {
        assert_comes_in_pieces(&by_name(spec, &Setup::default()).expect("a spec"));
    }
}
