//! Errors of positions drawn at random.

/// Reason why no position can be drawn.
///
/// ```
/// use hindsight_games::{Error, DrawError, Method, Options, PositionFilter};
///
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let solved = game.solve(Method::Auto, &Options::default())?;
/// let in_layer = PositionFilter {
///     layer: Some(2),
///     ..PositionFilter::default()
/// };
/// let error = solved.values().draw(&in_layer, 1).unwrap_err();
/// assert!(matches!(error, Error::Draw(DrawError::NoLayers)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The table has no such layer.
    #[error("there is no layer {layer}; the table has layers 0 to {last}")]
    NoLayer {
        /// The layer that was named.
        layer: u32,
        /// The last layer.
        last: u32,
    },
    /// A layer is named, but the values are not of a table.
    #[error("only tables have layers; name none")]
    NoLayers,
    /// There are such positions, but so few that none was found.
    #[error("positions of this value are too rare in this table to be drawn at random")]
    TooRare,
}
