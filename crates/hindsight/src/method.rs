//! Methods of solving.

/// Method by which a game is solved.
///
/// ```
/// use hindsight_games::Method;
///
/// assert_eq!(Method::default(), Method::Auto);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Method {
    /// The method that fits the game best.
    #[default]
    Auto,
    /// Every position that can be reached from the start, with its remoteness.
    Reachable,
}
