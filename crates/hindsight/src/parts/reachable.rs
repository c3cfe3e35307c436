//! Values of a solved graph as the layer of a table.

use hindsight_core::{PackedGame, Value};
use hindsight_engine::{Error, Histogram};
use hindsight_solve::plan::Solved;
use hindsight_tablebase::{CodedPositions, ReachableLayer};

/// Sorts the positions of a solved graph, with their values.
///
/// # Errors
/// [`Error::TooLong`] if there are more values than codes of a byte.
pub(super) fn sorted_layer(game: &PackedGame, solved: &Solved) -> Result<ReachableLayer, Error> {
    let values = solved.histogram.iter().flat_map(Histogram::rows).map(|(value, _)| value);
    let values: Vec<Value> = values.collect();
    if values.len() > usize::from(u8::MAX) {
        let longest = values.iter().filter_map(|value| value.remoteness()).max();
        return Err(Error::TooLong(longest.unwrap_or(0)));
    }
    let code = |value: Value| values.iter().position(|&known| known == value);
    let get = |number: usize| {
        let (position, value) = solved.reached_as(number).expect("a number of a position");
        (position, code(value).expect("the value was counted") as u8)
    };
    let positions = CodedPositions { len: solved.places() as usize, get: &get };
    let palette = values.iter().copied().map(Some).collect();
    Ok(ReachableLayer::new(game, &positions, palette))
}
