//! A game of a known type, whose positions and moves can be erased and taken back.

use std::sync::Arc;

use hindsight_core::Notation;

use super::structure::TypedStructure;
use crate::error::GamesError;
use crate::positions::any_value::{AnyMove, Position};
use crate::tasks::kept_findings::KeptPositions;

/// Game of type `G` with its specs.
pub(super) struct NamedGame<G> {
    /// Spec in normal form.
    pub(super) spec: Arc<str>,
    /// [`Notation::rules_spec`], shared with all positions and moves.
    pub(super) rules: Arc<str>,
    pub(super) game: G,
}

/// Game of type `G` with what its structure allows.
pub(super) struct TypedGame<G: Notation> {
    pub(super) named: Arc<NamedGame<G>>,
    /// Proofs of the last analyses.
    pub(super) kept: KeptPositions,
    pub(super) structure: Box<dyn TypedStructure<G>>,
}

impl<G: Notation + Send + 'static> NamedGame<G> {
    pub(super) fn new(game: G) -> Self {
        let (spec, rules): (Arc<str>, Arc<str>) = (game.spec().into(), game.rules_spec().into());
        Self { rules: if rules == spec { Arc::clone(&spec) } else { rules }, spec, game }
    }

    pub(super) fn wrap(&self, position: G::Position) -> Position {
        Position::new(&self.rules, position)
    }

    pub(super) fn wrap_move(&self, mv: G::Move) -> AnyMove {
        AnyMove::new(&self.rules, mv)
    }

    /// Returns a position of this game.
    ///
    /// # Errors
    /// [`GamesError::OtherGame`] for a position of another game.
    pub(super) fn unwrap(&self, position: &Position) -> Result<G::Position, GamesError> {
        position
            .get(&self.rules)
            .ok_or_else(|| GamesError::OtherGame { game: self.spec.to_string() })
    }

    pub(super) fn legal_moves(&self, position: G::Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves
    }

    /// Returns a legal move of this game.
    ///
    /// # Errors
    /// [`GamesError::IllegalMove`] for a move of another game, or one that is not legal here.
    pub(super) fn unwrap_move(
        &self,
        position: G::Position,
        mv: &AnyMove,
    ) -> Result<G::Move, GamesError> {
        let own: Option<G::Move> = mv.get(&self.rules);
        let legal = own.filter(|mv| self.legal_moves(position).contains(mv));
        legal.ok_or_else(|| GamesError::IllegalMove { position: self.game.format(position) })
    }
}
