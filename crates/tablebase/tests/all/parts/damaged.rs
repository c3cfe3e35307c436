//! Bytes that no process makes are refused.

use hindsight_core::{PackedGame, Value};
use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint};
use hindsight_engine::{Layer, Limits, MemoryStore, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{
    CheckpointDir, LayerEncoding, LayerShape, LayerTally, Layout, TableError,
};

use super::{encoding, game, run, samples, tally};
use crate::table::graph::Random;

/// Cuts, flips and garbage of some bytes.
fn damaged(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut random = Random(9);
    let mut all: Vec<Vec<u8>> = (0..bytes.len().min(400)).map(|n| bytes[..n].to_vec()).collect();
    for _ in 0..400 {
        let mut flipped = bytes.to_vec();
        let at = random.below(bytes.len() as u64) as usize;
        flipped[at] ^= 1 << random.below(8);
        all.push(flipped);
        let length = random.below(200);
        all.push((0..length).map(|_| random.next() as u8).collect());
    }
    all
}

/// Gives some bytes the checksum that they should end with.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    push_checksum(&mut bytes, 0);
    bytes
}

/// As [`damaged`], each with a right checksum, which leaves the damage to other checks.
fn forged(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    damaged(&bytes[..bytes.len() - 4]).into_iter().map(with_checksum)
}

#[test]
fn damaged_tallies_are_refused() {
    let (game, layer) = game();
    let shape = LayerShape::new(&game, &layer).expect("a layer of the game");
    let all = tally(&shape, &layer);
    let bytes = all.to_bytes();
    assert_eq!(LayerTally::from_bytes(&bytes).expect("a tally"), all);
    for bytes in damaged(&bytes) {
        let error = LayerTally::from_bytes(&bytes).expect_err("damage");
        assert!(error.is_damage(), "{error}");
    }
    let mut sum = all.clone();
    for bytes in forged(&bytes) {
        if let Ok(tally) = LayerTally::from_bytes(&bytes) {
            sum.merge(&tally);
            for tally in [&tally, &sum] {
                let _ = LayerEncoding::new(shape, Layout::Full, tally);
            }
        }
    }
}

/// Puts a layer whose run 1 has been exchanged. Returns the error, and whether a file exists.
fn put_with_run(game: &PackedGame, layer: &Layer, exchanged: &[u8]) -> (Option<TableError>, bool) {
    let shape = LayerShape::new(game, layer).expect("a layer of the game");
    let encoding = encoding(game, layer);
    let coder = encoding.choose_coder(samples(&encoding, game, layer), 0).expect("a coder");
    let encoder = encoding.encoder(&coder).expect("an encoder");
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), "x", Layout::Full).expect("a checkpoint");
    let put = checkpoint.put_layer_parts(&encoding, &coder, &mut |number| match number {
        1 => Ok(exchanged.to_vec()),
        number => encoder.encode_run(run(&shape, layer, number)),
    });
    (put.err(), checkpoint.has_layer(0).expect("an answer"))
}

#[test]
fn damaged_runs_are_refused() {
    let (game, layer) = game();
    let shape = LayerShape::new(&game, &layer).expect("a layer of the game");
    let encoding = encoding(&game, &layer);
    let coder = encoding.choose_coder(samples(&encoding, &game, &layer), 0).expect("a coder");
    let encoder = encoding.encoder(&coder).expect("an encoder");
    let encode = |number| encoder.encode_run(run(&shape, &layer, number)).expect("blocks");
    let bytes = encode(1);
    let (error, exists) = put_with_run(&game, &layer, &bytes);
    assert!(error.is_none() && exists);
    let another = [encode(0), encode(2)];
    for bytes in damaged(&bytes).iter().step_by(20).chain(&another) {
        let (error, exists) = put_with_run(&game, &layer, bytes);
        let error = error.expect("an error");
        assert!(error.is_damage() && !exists, "{error}");
    }
    for bytes in forged(&bytes).step_by(20) {
        let (error, exists) = put_with_run(&game, &layer, &bytes);
        assert!(error.is_some() != exists);
    }
}

/// Hands forged coders to the last layer of a game, which a model encodes.
#[test]
fn damaged_coders_are_refused() {
    let spec = "onitama:4x4:tiger,tiger,crab,crab,monkey:students=1";
    let game = &by_name(spec, &Setup::default()).expect("a spec");
    let mut kept = MemoryStore::default();
    let (plan, limits) = (TierPlan::new(game), Limits::default());
    tiered::solve(game, &plan, &mut kept, limits, &mut NoMonitor).expect("a solution");
    let layer = kept.0.last().expect("a layer");
    let shape = LayerShape::new(game, layer).expect("a layer of the game");
    let encoding = encoding(game, layer);
    let samples = samples(&encoding, game, layer);
    let coder = encoding.choose_coder(samples, u64::MAX).expect("a coder");
    assert_eq!(coder[0], 1, "a model");
    for bytes in damaged(&coder) {
        let error = encoding.encoder(&bytes).err().expect("damage");
        assert!(error.is_damage(), "{error}");
    }
    // The model itself is compressed, so its bytes are changed before that.
    let mut cursor = Cursor::new(&coder[1..coder.len() - 4], "a coder");
    let length = cursor.varint().expect("a length") as usize;
    let plain = zstd::bulk::decompress(cursor.rest(), length).expect("a model");
    let mut accepted = 0;
    for plain in damaged(&plain) {
        let mut bytes = vec![1];
        put_varint(&mut bytes, plain.len() as u64);
        bytes.extend(zstd::bulk::compress(&plain, 1).expect("a frame"));
        if let Ok(encoder) = encoding.encoder(&with_checksum(bytes)) {
            encoder.encode_run(run(&shape, layer, 3)).expect("blocks");
            accepted += 1;
        }
    }
    assert!(accepted > 0, "no forged frequency was tried");
    // Models of another layer have another number of symbols.
    let mut fewer = layer.clone();
    let loss = fewer.palette.iter().position(|&value| value == Some(Value::Loss(2)));
    fewer.palette[loss.expect("a loss")] = Some(Value::Win(1));
    let other = LayerEncoding::new(shape, Layout::Full, &tally(&shape, &fewer));
    let error = other.expect("an encoding").encoder(&coder).err();
    assert!(error.expect("another layer").is_damage());
}
