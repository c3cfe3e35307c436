//! Pieces, values and tallies that belong to no layer of the game are refused.

use hindsight_core::Value;
use hindsight_engine::Layer;
use hindsight_tablebase::{
    CheckpointDir, LayerEncoding, LayerPiece, LayerShape, LayerTally, Layout, RUN_RANKS, TableError,
};

use super::{encoding, game, run, samples, tally};
use crate::table::graph::Graph;

fn assert_unfit<T>(result: Result<T, TableError>, words: &str) {
    match result {
        Err(TableError::Unfit { reason, .. }) => assert_eq!(reason, words),
        Err(error) => panic!("{words}: {error}"),
        Ok(_) => panic!("not refused: {words}"),
    }
}

#[test]
fn pieces_that_are_no_runs_are_refused() {
    let (game, layer) = game();
    let shape = LayerShape::new(&game, &layer).expect("a layer of the game");
    let encoding = encoding(&game, &layer);
    let whole = LayerPiece { first: 0, codes: &layer.codes, palette: &layer.palette };
    let not_one = "a piece to be encoded is not one run";
    let too_many = "it has too few codes, or too many";
    let first = run(&shape, &layer, 0);
    let cut = &first.codes[1..];
    assert_eq!(shape.runs(), 3);
    assert_unfit(encoding.sample(whole), not_one);
    assert_unfit(encoding.sample(LayerPiece { codes: cut, ..first }), not_one);
    assert_unfit(encoding.sample(LayerPiece { codes: &[], ..first }), not_one);
    assert_unfit(encoding.sample(LayerPiece { first: 1, ..first }), not_one);
    for first in [3 * RUN_RANKS, u64::MAX - 3, u64::MAX] {
        assert_unfit(LayerTally::count(&shape, LayerPiece { first, ..whole }), too_many);
        assert_unfit(encoding.sample(LayerPiece { first, ..whole }), too_many);
    }
    let palette = &[None; 257];
    let piece = LayerPiece { palette, ..first };
    assert_unfit(LayerTally::count(&shape, piece), "it has more than 256 codes");
    let palette = &[Some(Value::Win(u16::MAX))];
    let piece = LayerPiece { palette, ..first };
    let too_long = "it has a value of more than 65,534 plies";
    assert_unfit(LayerTally::count(&shape, piece), too_long);
}

#[test]
fn wrong_values_are_found_by_the_process_that_holds_them() {
    let (game, layer) = game();
    let shape = LayerShape::new(&game, &layer).expect("a layer of the game");
    let encoding = encoding(&game, &layer);
    let coder = encoding.choose_coder(samples(&encoding, &game, &layer), 0).expect("a coder");
    let encoder = encoding.encoder(&coder).expect("an encoder");
    let refuse = |from: Option<Value>, to: Option<Value>| {
        let mut wrong = layer.clone();
        let code = |value| wrong.palette.iter().position(|&known| known == value);
        let from = code(from).expect("a code") as u8;
        let to = code(to).unwrap_or_else(|| {
            wrong.palette.push(to);
            wrong.palette.len() - 1
        });
        let codes = wrong.codes[..RUN_RANKS as usize].iter();
        let at = codes.clone().position(|&code| code == from).expect("a rank");
        wrong.codes[at] = to as u8;
        let piece = run(&shape, &wrong, 0);
        encoder.encode_run(piece).expect_err("a wrong value")
    };
    let reason = |error| match error {
        TableError::Unfit { reason, .. } => reason,
        error => panic!("{error}"),
    };
    let win = Some(Value::Win(1));
    assert_eq!(reason(refuse(None, win)), "a hole has a value");
    assert_eq!(reason(refuse(win, None)), "a position has no value");
    let uncounted = Some(Value::Win(999));
    assert_eq!(reason(refuse(win, uncounted)), "a value was not counted");
    let error = refuse(Some(Value::Loss(0)), win);
    assert!(matches!(error, TableError::Contradiction { .. }), "{error}");
}

#[test]
fn a_tally_counts_each_rank_once() {
    let (game, layer) = game();
    let shape = LayerShape::new(&game, &layer).expect("a layer of the game");
    let all = tally(&shape, &layer);
    let one = LayerTally::count(&shape, run(&shape, &layer, 1)).expect("counts");
    let mut twice = all.clone();
    twice.merge(&one);
    let new = |tally: &LayerTally| LayerEncoding::new(shape, Layout::Full, tally);
    assert!(new(&all).is_ok());
    for tally in [&one, &twice, &LayerTally::default()] {
        assert_unfit(new(tally), "it has too few codes, or too many");
    }
    let other = LayerEncoding::new(shape, Layout::States, &all);
    assert!(matches!(other, Err(TableError::OtherContent { .. })));
    // Pieces of up to 256 values each can have more together.
    let game = Graph::chain(1, 300).packed();
    let layer = Layer {
        codes: (0..300).map(|n| (n % 150) as u8).collect(),
        palette: (0..150).map(|n| Some(Value::Loss(n))).collect(),
        ..Layer::without_codes(&game, 0, &[0])
    };
    let shape = LayerShape::new(&game, &layer).expect("a layer of the game");
    let mut sum = LayerTally::default();
    for (first, palette) in [(0, 0..150), (150, 150..300)] {
        let palette: Vec<_> = palette.map(|n| Some(Value::Loss(n))).collect();
        let piece = LayerPiece { first, codes: &layer.codes[..150], palette: &palette };
        sum.merge(&LayerTally::count(&shape, piece).expect("counts"));
    }
    let error = LayerEncoding::new(shape, Layout::Full, &sum).err().expect("too many");
    assert!(matches!(error, TableError::TooManySymbols { symbols: 300, .. }), "{error}");
}

#[test]
fn foreign_samples_are_refused() {
    let (game, layer) = game();
    let encoding = encoding(&game, &layer);
    let samples = samples(&encoding, &game, &layer);
    assert!(encoding.choose_coder(samples.clone(), 0).is_ok());
    let mut wrong = vec![samples.clone(); 4];
    wrong[0].pop();
    wrong[1][1].pop();
    wrong[2].swap(0, 2);
    wrong[3][2][4] = 257;
    for samples in wrong {
        let error = encoding.choose_coder(samples, 0).expect_err("another sample");
        assert!(error.is_damage(), "{error}");
    }
}

#[test]
fn the_error_of_the_one_who_gives_runs_comes_back() {
    #[derive(Debug)]
    enum PeerError {
        Lost(u64),
        Table(TableError),
    }
    impl From<TableError> for PeerError {
        fn from(error: TableError) -> Self {
            Self::Table(error)
        }
    }
    let (game, layer) = game();
    let encoding = encoding(&game, &layer);
    let coder = encoding.choose_coder(samples(&encoding, &game, &layer), 0).expect("a coder");
    let put = |layout: Layout| {
        let dir = tempfile::tempdir().expect("a folder");
        let checkpoint = CheckpointDir::create(dir.path(), "x", layout).expect("a checkpoint");
        let mut lose = |run| Err(PeerError::Lost(run));
        let error = checkpoint.put_layer_parts(&encoding, &coder, &mut lose);
        assert!(!checkpoint.has_layer(0).expect("an answer"));
        error.expect_err("no runs")
    };
    assert!(matches!(put(Layout::Full), PeerError::Lost(0)));
    let PeerError::Table(error) = put(Layout::Compact) else {
        panic!("another layout");
    };
    assert_unfit::<()>(Err(error), "it is encoded in another layout");
}
