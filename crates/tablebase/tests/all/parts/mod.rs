//! Layers written piece by piece.

mod damaged;
mod refused;
mod same_bytes;

use hindsight_core::PackedGame;
use hindsight_engine::Layer;
use hindsight_tablebase::{LayerEncoding, LayerPiece, LayerShape, LayerTally, Layout};

use crate::table::graph::Graph;

/// Codes of a run.
fn run<'a>(shape: &LayerShape<'_>, layer: &'a Layer, run: u64) -> LayerPiece<'a> {
    let ordinals = shape.run(run);
    LayerPiece {
        first: ordinals.start,
        codes: &layer.codes[ordinals.start as usize..ordinals.end as usize],
        palette: &layer.palette,
    }
}

fn tally(shape: &LayerShape<'_>, layer: &Layer) -> LayerTally {
    let mut sum = LayerTally::default();
    for number in 0..shape.runs() {
        sum.merge(&LayerTally::count(shape, run(shape, layer, number)).expect("counts"));
    }
    sum
}

fn encoding<'a>(game: &'a PackedGame, layer: &'a Layer) -> LayerEncoding<'a> {
    let shape = LayerShape::new(game, layer).expect("a layer of the game");
    LayerEncoding::new(shape, Layout::Full, &tally(&shape, layer)).expect("an encoding")
}

fn samples(encoding: &LayerEncoding<'_>, game: &PackedGame, layer: &Layer) -> Vec<Vec<u16>> {
    let shape = LayerShape::new(game, layer).expect("a layer of the game");
    let sample = |number| encoding.sample(run(&shape, layer, number)).expect("symbols");
    encoding.sampled_runs().map(sample).collect()
}

/// A layer of three runs, two of them in one tier.
fn game() -> (PackedGame, Layer) {
    let game = Graph::random(&[vec![20, 33_000, 0, 5]], 4);
    let mut layers = game.layers_of(&game.solve(), 1);
    (game.packed(), layers.remove(0))
}
