//! Positions and moves of any game.

use std::hash::{DefaultHasher, Hash, Hasher};

use hindsight_core::{Packed, PackedMove};

/// Number of the rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RulesNumber(u64);

impl RulesNumber {
    /// Returns the number of the rules with a spec in normal form. Different rules have different
    /// numbers, but for chance: one in 2^64.
    pub(crate) fn of(rules_spec: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        rules_spec.hash(&mut hasher);
        Self(hasher.finish())
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    rules: RulesNumber,
    packed: Packed,
}

impl Position {
    pub(crate) fn new(rules: RulesNumber, packed: Packed) -> Self {
        Self { rules, packed }
    }

    /// Returns the position; `None` if it belongs to other rules.
    pub(crate) fn get(&self, rules: RulesNumber) -> Option<Packed> {
        Some(self.packed).filter(|_| self.rules == rules)
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
#[derive(Clone, Copy, Debug)]
pub struct AnyMove {
    mv: PackedMove,
    /// The position in which the move was listed.
    from: Position,
}

impl AnyMove {
    pub(crate) fn new(from: Position, mv: PackedMove) -> Self {
        Self { mv, from }
    }

    /// Returns the move; `None` if it belongs to other rules.
    pub(crate) fn get(&self, rules: RulesNumber) -> Option<PackedMove> {
        Some(self.mv).filter(|_| self.from.rules == rules)
    }

    /// Returns the position in which the move was listed.
    pub(crate) fn from(&self) -> Position {
        self.from
    }
}

/// Moves of the same rules are equal if they have the same number, whatever their positions.
impl PartialEq for AnyMove {
    fn eq(&self, other: &Self) -> bool {
        self.mv == other.mv && self.from.rules == other.from.rules
    }
}

impl Eq for AnyMove {}

impl Hash for AnyMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.mv.hash(state);
    }
}
