//! Games by name.

use std::fmt;
use std::sync::{Arc, OnceLock};

use hindsight_core::{
    Drawing, DrawnMove, Game, Notation, Packed, PackedGame, ParseError, Random, Symmetry, Wdl,
    drawing_of,
};
use hindsight_rules::{Setup, by_name, in_published_order};

use super::deck::read_deck;
use super::own_games::{known_game, unknown_rules};
use crate::error::GamesError;
use crate::parts::game::NamedGame;
use crate::parts::structure::GameParts;
use crate::parts::table_ranks::TableRanks;
use crate::positions::any_value::{AnyMove, Position};

/// Any game: its rules, with positions and moves that are read and written as text.
///
/// A clone is the same game. Positions of a game [of the same rules](AnyGame::has_rules_of) are its
/// own; a position of another game is refused by [`Error::OtherGame`](crate::Error::OtherGame).
///
/// ```
/// let game = hindsight_games::game("onitama:3x4:boar")?;
/// let start = game.start();
/// let moves = game.moves(&start)?;
/// assert_eq!(game.format_move(&start, &moves[0])?, "b4b3:boar");
/// let next = game.play(&start, &moves[0])?;
/// assert_eq!(game.player_names()[game.player_to_move(&next)?], "Blue");
/// println!("{}", game.diagram(&next)?);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone)]
pub struct AnyGame(Arc<GameParts>, SymmetricGame);

/// The same game with all of its symmetries, once an analysis has needed it; `None` if the game has
/// them itself.
type SymmetricGame = Arc<OnceLock<Option<AnyGame>>>;

/// Returns the game that a spec names, such as `tic-tac-toe` or `onitama:5x5:boar`.
///
/// [`GAMES`](crate::GAMES) lists the games and their options. A deck file that the spec names is
/// read.
///
/// # Errors
/// [`Error::Spec`](crate::Error::Spec), which says what would be right.
///
/// ```
/// let game = hindsight_games::game("Quoridor:5x5:1")?;
/// assert_eq!(game.spec(), "quoridor:5x5:1");
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub fn game(spec: &str) -> Result<AnyGame, GamesError> {
    game_with_symmetry(spec, Symmetry::None)
}

/// Returns the game that a spec names. A solve counts positions that are equal by the symmetry as
/// one; their values are the same.
///
/// # Errors
/// As [`game`].
///
/// ```
/// use hindsight_games::{Method, Options, Symmetry, game_with_symmetry};
///
/// for (symmetry, positions) in [(Symmetry::None, 5_478), (Symmetry::All, 765)] {
///     let game = game_with_symmetry("tic-tac-toe", symmetry)?;
///     let solved = game.solve(Method::Auto, &Options::default())?;
///     assert_eq!(solved.summary().positions, positions);
/// }
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub fn game_with_symmetry(spec: &str, symmetry: Symmetry) -> Result<AnyGame, GamesError> {
    let setup = Setup { symmetry, read_file: &read_deck };
    AnyGame::by_setup(spec, &setup)
}

/// As [`game_with_symmetry`], but no file is read: for specs that come from strangers.
///
/// # Errors
/// As [`game`]; a spec with a deck file is refused.
///
/// ```
/// use hindsight_games::{Symmetry, game_without_files};
///
/// let spec = "onitama:3x4:boar:deck=/etc/hostname";
/// assert!(game_without_files(spec, Symmetry::None).is_err());
/// assert!(game_without_files("onitama:3x4:boar", Symmetry::None).is_ok());
/// ```
pub fn game_without_files(spec: &str, symmetry: Symmetry) -> Result<AnyGame, GamesError> {
    let setup = Setup { symmetry, ..Setup::default() };
    AnyGame::by_setup(spec, &setup)
}

/// As [`game_with_symmetry`], but [`Method::Forward`](crate::Method::Forward) takes moves in the
/// order of the program that was published with the game: for Onitama that of the retrograde
/// thesis.
///
/// Onitama in this order has no tables. Other games are as by [`game_with_symmetry`].
///
/// # Errors
/// As [`game`].
pub fn game_in_published_order(spec: &str, symmetry: Symmetry) -> Result<AnyGame, GamesError> {
    let setup = Setup { symmetry, read_file: &read_deck };
    let parts = by_name(spec, &setup).and_then(|rules| {
        // A spec in its normal form needs no files.
        Ok(match in_published_order(&rules.spec(), &setup)? {
            None => GameParts::new(rules, symmetry),
            Some(ordered) => GameParts::in_order_of(ordered, &rules, symmetry),
        })
    });
    AnyGame::of_spec(spec, parts)
}

/// Game by rules of your own, with the symmetries of its
/// [`canonical`](hindsight_core::Game::canonical).
///
/// No spec names it, so a table of it cannot be opened again. Its rules spec must name these rules
/// alone: positions and kept analyses of games with one rules spec are taken for those of one game.
impl From<PackedGame> for AnyGame {
    fn from(rules: PackedGame) -> Self {
        let parts = GameParts::new(rules, Symmetry::All);
        Self(Arc::new(parts), Arc::new(OnceLock::from(None)))
    }
}

impl AnyGame {
    pub(crate) fn by_setup(spec: &str, setup: &Setup<'_>) -> Result<Self, GamesError> {
        let rules = match (known_game(spec, setup.symmetry), unknown_rules(spec)) {
            (Some(own), _) => Ok(own),
            (None, Some(reason)) => Err(ParseError::new(0, reason)),
            (None, None) => by_name(spec, setup),
        };
        let parts = rules.map(|rules| GameParts::new(rules, setup.symmetry));
        let game = Self::of_spec(spec, parts)?;
        Ok(match setup.symmetry {
            Symmetry::All => Self(game.0, Arc::new(OnceLock::from(None))),
            _ => game,
        })
    }

    fn of_spec(spec: &str, game: Result<GameParts, ParseError>) -> Result<Self, GamesError> {
        let named = game.map(|game| Self(Arc::new(game), Arc::default()));
        named.map_err(|fault| GamesError::Spec { spec: spec.to_string(), fault })
    }

    pub(crate) fn parts(&self) -> &Arc<GameParts> {
        &self.0
    }

    pub(crate) fn named(&self) -> &NamedGame {
        &self.0.named
    }

    /// Returns the same game with all of its symmetries, if it takes the positions of this one.
    pub(crate) fn with_symmetry(&self) -> &Self {
        let symmetric = self.1.get_or_init(|| {
            let symmetric = game_without_files(self.spec(), Symmetry::All).ok();
            symmetric.filter(|game| game.format(&self.start()).is_ok())
        });
        symmetric.as_ref().unwrap_or(self)
    }

    /// Returns the numbering of the positions.
    ///
    /// # Errors
    /// [`GamesError::Unranked`] if the game has none.
    pub(crate) fn ranks(&self) -> Result<&dyn TableRanks, GamesError> {
        let unranked = || GamesError::Unranked(self.spec().to_string());
        self.0.ranks().ok_or_else(unranked)
    }

    /// Returns the spec in its normal form.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.named().spec
    }

    /// Returns the spec without names that change no rule, such as those of own cards; the same as
    /// [`AnyGame::spec`] if there are none.
    #[must_use]
    pub fn rules_spec(&self) -> &str {
        &self.named().rules_spec
    }

    /// Returns true if another game has the same start and the same rules, whatever the names of
    /// its cards. Values, positions and moves of one are then those of the other.
    ///
    /// ```
    /// let named = hindsight_games::game("onitama:3x3:wolf=(0,1)(1,0)")?;
    /// let nameless = hindsight_games::game("onitama:3x3:(0,1)(1,0)")?;
    /// assert!(named.has_rules_of(&nameless));
    /// assert_eq!(named.start(), nameless.start());
    /// let mv = &named.moves(&named.start())?[0];
    /// assert_eq!(named.format_move(&named.start(), mv)?, "b3b2:wolf");
    /// assert_eq!(nameless.format_move(&named.start(), mv)?, "b3b2:(0,1)(1,0)");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn has_rules_of(&self, other: &Self) -> bool {
        self.rules_spec() == other.rules_spec()
    }

    /// Returns the names of players 0 and 1.
    #[must_use]
    pub fn player_names(&self) -> [&'static str; 2] {
        self.rules().player_names()
    }

    /// Returns the first position of the game.
    #[must_use]
    pub fn start(&self) -> Position {
        self.named().wrap(self.rules().start())
    }

    /// Reads a position as [`AnyGame::format`] writes it.
    ///
    /// # Errors
    /// [`Error::Position`](crate::Error::Position), which says what would be right.
    pub fn parse(&self, text: &str) -> Result<Position, GamesError> {
        let position = self.rules().parse(text);
        let position = position.map(|position| self.named().wrap(position));
        position.map_err(|fault| GamesError::Position { text: text.to_string(), fault })
    }

    /// Returns the rules, over positions in words.
    #[must_use]
    pub fn rules(&self) -> &PackedGame {
        &self.named().game
    }

    /// Returns a position of the packed rules, such as an agent sees it, as a [`Position`].
    #[must_use]
    pub fn position_of(&self, position: Packed) -> Position {
        self.named().wrap(position)
    }

    /// Returns a position as the packed rules see it.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn packed(&self, position: &Position) -> Result<Packed, GamesError> {
        self.named().unwrap(position)
    }

    /// Writes a position in one line.
    ///
    /// # Errors
    /// As all methods with a position: [`Error::OtherGame`](crate::Error::OtherGame) if it belongs
    /// to another game.
    pub fn format(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.rules().format(self.named().unwrap(position)?))
    }

    /// Draws a position in several lines of text, without a final line break.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn diagram(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.rules().diagram(self.named().unwrap(position)?))
    }

    /// Returns the picture of a position as data, with the player to move.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn drawing(&self, position: &Position) -> Result<Drawing, GamesError> {
        Ok(drawing_of(self.rules(), self.named().unwrap(position)?))
    }

    /// Returns the player to move, 0 or 1.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn player_to_move(&self, position: &Position) -> Result<usize, GamesError> {
        Ok(self.rules().player_to_move(self.named().unwrap(position)?))
    }

    /// Returns the result for the side to move if the game is over; `None` if it goes on.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn outcome(&self, position: &Position) -> Result<Option<Wdl>, GamesError> {
        Ok(self.rules().terminal(self.named().unwrap(position)?))
    }

    /// Returns the name of the condition by which a finished game was won, such as `stone`.
    ///
    /// `None` if nobody has won, or if the game has only one such condition.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn win_condition(&self, position: &Position) -> Result<Option<&'static str>, GamesError> {
        let position = self.named().unwrap(position)?;
        let is_won = self.rules().terminal(position).is_some_and(|wdl| wdl != Wdl::Draw);
        Ok(self.rules().win_condition(position).filter(|_| is_won))
    }

    /// Returns the legal moves; none if and only if the game is over.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn moves(&self, position: &Position) -> Result<Vec<AnyMove>, GamesError> {
        let position = self.named().unwrap(position)?;
        let moves = self.named().legal_moves(position).into_iter();
        Ok(moves.map(|mv| self.named().wrap_move(position, mv)).collect())
    }

    /// Reads a legal move, ignoring ASCII case.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::MoveText`](crate::Error::MoveText), which lists the legal
    /// moves.
    pub fn parse_move(&self, position: &Position, text: &str) -> Result<AnyMove, GamesError> {
        let position = self.named().unwrap(position)?;
        let mv = self.rules().parse_move(position, text);
        mv.map(|mv| self.named().wrap_move(position, mv)).map_err(GamesError::MoveText)
    }

    /// Writes a move in one word.
    ///
    /// # Errors
    /// As [`AnyGame::play`].
    pub fn format_move(&self, position: &Position, mv: &AnyMove) -> Result<String, GamesError> {
        let position = self.named().unwrap(position)?;
        Ok(self.rules().format_move(position, self.named().unwrap_move(position, mv)?))
    }

    /// Returns a move as a change of the picture; `None` if the game has only its text.
    ///
    /// # Errors
    /// As [`AnyGame::play`].
    ///
    /// ```
    /// let game = hindsight_games::game("dodgem:3x3")?;
    /// let position = game.parse("..R/.../.U. right")?;
    /// let mv = game.parse_move(&position, "c3off")?;
    /// let drawn = game.drawn_move(&position, &mv)?.expect("Dodgem has pictures");
    /// assert_eq!(drawn.leaves, Some((1, 0)));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn drawn_move(
        &self,
        position: &Position,
        mv: &AnyMove,
    ) -> Result<Option<DrawnMove>, GamesError> {
        let position = self.named().unwrap(position)?;
        let mv = self.named().unwrap_move(position, mv)?;
        Ok(self.rules().drawn_move(position, mv))
    }

    /// Returns the position after a move.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::IllegalMove`](crate::Error::IllegalMove) if the move is not
    /// legal in the position.
    pub fn play(&self, position: &Position, mv: &AnyMove) -> Result<Position, GamesError> {
        let position = self.named().unwrap(position)?;
        let mv = self.named().unwrap_move(position, mv)?;
        Ok(self.named().wrap(self.rules().play(position, mv)))
    }

    /// Returns the position after a number of random moves from the start, or before the one that
    /// would end the game.
    #[must_use]
    pub fn random_position(&self, plies: u32, random: &mut dyn Random) -> Position {
        let mut position = self.rules().start();
        for _ in 0..plies {
            let moves = self.named().legal_moves(position);
            if moves.is_empty() {
                break;
            }
            let next =
                self.rules().play(position, moves[random.below(moves.len() as u32) as usize]);
            if self.rules().terminal(next).is_some() {
                break;
            }
            position = next;
        }
        self.named().wrap(position)
    }

    /// Returns the successor by every legal move, in the order of [`AnyGame::moves`].
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn successors(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let mut successors = Vec::new();
        self.rules().successors(self.named().unwrap(position)?, &mut successors);
        Ok(successors.into_iter().map(|to| self.named().wrap(to)).collect())
    }

    /// Returns the member of the position's symmetry class that stands for the class. Without a
    /// symmetry, each position stands for itself.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn canonical(&self, position: &Position) -> Result<Position, GamesError> {
        Ok(self.named().wrap(self.rules().canonical(self.named().unwrap(position)?)))
    }

    /// Returns the images of a position by the symmetries of the game, which have the same value;
    /// the position itself is not among them. None if the game has no symmetry, or none was asked
    /// for.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    ///
    /// ```
    /// use hindsight_games::{Symmetry, game_with_symmetry};
    ///
    /// let game = game_with_symmetry("tic-tac-toe", Symmetry::All)?;
    /// let corner = game.parse("x../.../...")?;
    /// assert_eq!(game.images(&corner)?.len(), 3);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn images(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let position = self.named().unwrap(position)?;
        let mut images = Vec::new();
        self.rules().images(position, &mut images);
        images.sort_unstable();
        images.dedup();
        images.retain(|&image| image != position);
        Ok(images.into_iter().map(|image| self.named().wrap(image)).collect())
    }

    /// Returns the member of the position's symmetry class that tables keep, as their
    /// [rows](crate::Tablebase::rows) have it. `None` if tables do not keep the class: of some
    /// games they omit finished positions.
    ///
    /// The member need not be [`AnyGame::canonical`]: of Onitama it has Red to move. In a game in
    /// which a move may be forbidden, the member has the image of the forbidden move. There is a
    /// row of such a member only where forbidding the move changes the value.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::Unranked`](crate::Error::Unranked) if the game has no
    /// tables.
    ///
    /// ```
    /// let game = hindsight_games::game("onitama:3x3:boar")?;
    /// let blue = game.parse("rRr/3/bBb boar,boar boar,boar boar blue")?;
    /// let member = game.ranked_member(&blue)?.expect("the game goes on");
    /// assert_eq!(game.format(&member)?, "rRr/3/bBb boar,boar boar,boar boar red");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn ranked_member(&self, position: &Position) -> Result<Option<Position>, GamesError> {
        self.ranks()?.ranked_member(position)
    }

    /// Returns true if no move leads to the position.
    ///
    /// Always false for the start, and for games in which no move is ever forbidden.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn is_unreached(&self, position: &Position) -> Result<bool, GamesError> {
        Ok(self.0.structure.is_unreached(self.named().unwrap(position)?))
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyGame").field(&self.spec()).finish()
    }
}
