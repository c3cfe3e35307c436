//! A packed game, whose positions and moves can be erased and taken back.

use std::sync::Arc;

use hindsight_core::{Game, Notation, Packed, PackedGame, PackedMove};

use crate::error::GamesError;
use crate::positions::any_value::{AnyMove, Position, RulesNumber};

/// Game with its specs.
pub(super) struct NamedGame<const W: usize> {
    /// Spec in normal form.
    pub(super) spec: Arc<str>,
    /// [`Notation::rules_spec`].
    pub(super) rules: Arc<str>,
    /// Number of the rules, shared by all positions and moves.
    number: RulesNumber,
    pub(super) game: PackedGame<W>,
}

impl<const W: usize> NamedGame<W> {
    pub(super) fn new(game: PackedGame<W>) -> Self {
        let (spec, rules): (Arc<str>, Arc<str>) = (game.spec().into(), game.rules_spec().into());
        Self {
            number: RulesNumber::of(&rules),
            rules: if rules == spec { Arc::clone(&spec) } else { rules },
            spec,
            game,
        }
    }

    pub(super) fn wrap(&self, position: Packed<W>) -> Position {
        Position::new(self.number, position)
    }

    /// Returns a move that is legal in a position.
    pub(super) fn wrap_move(&self, from: Packed<W>, mv: PackedMove) -> AnyMove {
        AnyMove::new(self.wrap(from), mv)
    }

    /// Returns a position of this game.
    ///
    /// # Errors
    /// [`GamesError::OtherGame`] for a position of another game.
    pub(super) fn unwrap(&self, position: &Position) -> Result<Packed<W>, GamesError> {
        let own = position.get(self.number);
        own.ok_or_else(|| GamesError::OtherGame { game: self.spec.to_string() })
    }

    pub(super) fn legal_moves(&self, position: Packed<W>) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves
    }

    /// Returns a legal move of this game. A move that was listed in the position is legal there;
    /// the moves are listed again only for one of another position.
    ///
    /// # Errors
    /// [`GamesError::IllegalMove`] for a move of another game, or one that is not legal here.
    pub(super) fn unwrap_move(
        &self,
        position: Packed<W>,
        mv: &AnyMove,
    ) -> Result<PackedMove, GamesError> {
        let is_legal = |own: &PackedMove| {
            mv.from() == self.wrap(position) || self.legal_moves(position).contains(own)
        };
        let legal = mv.get(self.number).filter(is_legal);
        legal.ok_or_else(|| GamesError::IllegalMove { position: self.game.format(position) })
    }
}
