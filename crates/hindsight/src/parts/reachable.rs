//! Values of a solved graph as the layer of a table.

use hindsight_core::{PackedGame, Value};
use hindsight_engine::keys::CodedPositions;
use hindsight_engine::{Error, Histogram};
use hindsight_solve::plan::Solved;
use hindsight_tablebase::ReachableLayer;

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
    // Codes by value, for a look at each position.
    let place = |value: Value| match value {
        Value::Draw => 0,
        Value::Loss(plies) => 1 + 2 * usize::from(plies),
        Value::Win(plies) => 2 + 2 * usize::from(plies),
    };
    let places = values.iter().map(|&value| place(value)).max().unwrap_or(0) + 1;
    let mut codes = vec![0; places];
    (0..).zip(&values).for_each(|(code, &value)| codes[place(value)] = code);
    let get = |number: usize| {
        let (position, value) = solved.reached_as(number).expect("a number of a position");
        (position, codes[place(value)])
    };
    let positions = CodedPositions { len: solved.places() as usize, get: &get };
    let palette = values.iter().copied().map(Some).collect();
    Ok(ReachableLayer::new(game, &positions, palette))
}
