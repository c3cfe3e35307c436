//! A game with its specs: its positions and moves, and those of the library.

use std::sync::Arc;

use hindsight_core::{Game, Notation, Packed, PackedGame, PackedMove};

use crate::error::GamesError;
use crate::positions::any_value::{AnyMove, Position, RulesNumber};

/// Game with its specs.
pub(crate) struct NamedGame {
    /// Spec in normal form.
    pub(crate) spec: Arc<str>,
    /// [`Notation::rules_spec`].
    pub(crate) rules_spec: Arc<str>,
    /// [`Notation::table_spec`].
    pub(crate) table_spec: Arc<str>,
    /// Number of the rules, shared by all positions and moves.
    number: RulesNumber,
    pub(crate) game: PackedGame,
}

impl NamedGame {
    pub(crate) fn new(game: PackedGame) -> Self {
        let (spec, rules): (Arc<str>, Arc<str>) = (game.spec().into(), game.rules_spec().into());
        let table_spec = match game.table_spec() {
            own if *own == *spec => Arc::clone(&spec),
            other => other.into(),
        };
        Self {
            table_spec,
            number: RulesNumber::of(&rules),
            rules_spec: if rules == spec { Arc::clone(&spec) } else { rules },
            spec,
            game,
        }
    }

    pub(crate) fn wrap(&self, position: Packed) -> Position {
        Position::new(self.number, position)
    }

    /// Returns a move that is legal in a position.
    pub(crate) fn wrap_move(&self, from: Packed, mv: PackedMove) -> AnyMove {
        AnyMove::new(self.wrap(from), mv)
    }

    /// Returns a position of this game.
    ///
    /// # Errors
    /// [`GamesError::OtherGame`] for a position of another game.
    pub(crate) fn unwrap(&self, position: &Position) -> Result<Packed, GamesError> {
        let own = position.get(self.number);
        own.ok_or_else(|| GamesError::OtherGame { game: self.spec.to_string() })
    }

    pub(crate) fn legal_moves(&self, position: Packed) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves
    }

    /// Returns a legal move of this game. A move that was listed in the position is legal there;
    /// the moves are listed again only for one of another position.
    ///
    /// # Errors
    /// [`GamesError::IllegalMove`] for a move of another game, or one that is not legal here.
    pub(crate) fn unwrap_move(
        &self,
        position: Packed,
        mv: &AnyMove,
    ) -> Result<PackedMove, GamesError> {
        let is_legal = |own: &PackedMove| {
            mv.from() == self.wrap(position) || self.legal_moves(position).contains(own)
        };
        let legal = mv.get(self.number).filter(is_legal);
        legal.ok_or_else(|| GamesError::IllegalMove { position: self.game.format(position) })
    }
}
