//! Values of a solved graph as the layer of a table.

use std::sync::Arc;

use hindsight_core::PackedGame;
use hindsight_engine::keys::CodedPositions;
use hindsight_engine::{Error, Histogram, Layer, ValueCodes};
use hindsight_solve::plan::Solved;
use hindsight_tablebase::ReachableLayer;

/// Sorts the positions of a solved graph, with their values.
///
/// # Errors
/// [`Error::TooLong`] if there are more values than codes of a byte.
pub(super) fn sorted_layer(game: &PackedGame, solved: &Solved) -> Result<ReachableLayer, Error> {
    let codes = ValueCodes::new(solved.histogram.as_ref().unwrap_or(&Histogram::default()))?;
    if let Some(sorted) = solved.sorted() {
        let keys = Arc::clone(&sorted.keys);
        let layer = Layer {
            layer: 0,
            tiers: vec![0],
            starts: vec![0, keys.len()],
            codes: (0..keys.len()).map(|number| codes.of(sorted.value_of(number))).collect(),
            palette: codes.palette,
        };
        return Ok(ReachableLayer::of_sorted(game, keys, Arc::new(layer)));
    }
    let get = |number: usize| {
        let (position, value) = solved.reached_as(number).expect("a number of a position");
        (position, codes.of(value))
    };
    let positions = CodedPositions { len: solved.places() as usize, get: &get };
    Ok(ReachableLayer::new(game, &positions, codes.palette.clone()))
}
