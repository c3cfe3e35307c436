//! Positions and moves of any game, without their types.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Value of any type that a game uses for its positions or moves.
trait AnyValue: Any + fmt::Debug + Send + Sync {
    fn equals(&self, other: &dyn AnyValue) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

impl<T: Any + Eq + Hash + fmt::Debug + Send + Sync> AnyValue for T {
    fn equals(&self, other: &dyn AnyValue) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

/// Value with the spec of the rules of its game.
#[derive(Clone)]
struct OfGame {
    rules: Arc<str>,
    value: Arc<dyn AnyValue>,
}

impl OfGame {
    fn new<T: Any + Eq + Hash + fmt::Debug + Send + Sync>(rules: &Arc<str>, value: T) -> Self {
        Self { rules: Arc::clone(rules), value: Arc::new(value) }
    }

    /// Returns the value; `None` if it belongs to another game.
    fn get<T: Any + Copy>(&self, rules: &Arc<str>) -> Option<T> {
        let same_game = Arc::ptr_eq(&self.rules, rules) || self.rules == *rules;
        let value: &dyn Any = &*self.value;
        value.downcast_ref().copied().filter(|_| same_game)
    }
}

impl PartialEq for OfGame {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules && self.value.equals(&*other.value)
    }
}

impl Eq for OfGame {}

impl Hash for OfGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash_into(state);
    }
}

impl fmt::Debug for OfGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.rules, self.value)
    }
}

/// Position of any game.
///
/// Positions are equal if their games [have the same rules](crate::AnyGame::has_rules_of) and the
/// positions are the same. Their text is [`AnyGame::format`](crate::AnyGame::format). A game
/// refuses the positions of other games.
///
/// ```
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let position = game.parse("x../.o./...")?;
/// assert_eq!(position, game.parse("X../.O./...")?);
/// assert_eq!(game.format(&position)?, "x../.o./...");
///
/// let other = hindsight_games::game("quoridor:3x3:1")?;
/// assert!(other.format(&position).is_err());
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position(OfGame);

impl Position {
    pub(crate) fn new<T: Any + Eq + Hash + fmt::Debug + Send + Sync>(
        rules: &Arc<str>,
        position: T,
    ) -> Self {
        Self(OfGame::new(rules, position))
    }

    pub(crate) fn get<T: Any + Copy>(&self, rules: &Arc<str>) -> Option<T> {
        self.0.get(rules)
    }
}

/// Move of any game. Its text is [`AnyGame::format_move`](crate::AnyGame::format_move).
///
/// ```
/// let game = hindsight_games::game("tic-tac-toe")?;
/// let moves = game.moves(&game.start())?;
/// assert_eq!(moves[4], game.parse_move(&game.start(), "b2")?);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AnyMove(OfGame);

impl AnyMove {
    pub(crate) fn new<T: Any + Eq + Hash + fmt::Debug + Send + Sync>(
        rules: &Arc<str>,
        mv: T,
    ) -> Self {
        Self(OfGame::new(rules, mv))
    }

    pub(crate) fn get<T: Any + Copy>(&self, rules: &Arc<str>) -> Option<T> {
        self.0.get(rules)
    }
}
