use hindsight_core::{Answer, Value};
use hindsight_games::{AnyGame, AnyMove, AnyRatedMove, Error, Position};
use serde::Serialize;

use crate::known_value::{BoundAnswer, wdl_word};

/// Value of a position, and of its moves if they are asked for. `M` is the form of a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProbeAnswer<M = ProbedMove> {
    /// The position in its normal form.
    pub position: String,
    /// Value for the side to move; null if it is not known.
    pub value: Option<&'static str>,
    /// Plies to the end; null for draws, and if it is not known.
    pub remoteness: Option<u16>,
    /// Most plies of a win or loss whose plies are not known, if there is such a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundAnswer>,
    /// Member of the position's class in a table, if it is asked for; null if tables omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<Option<String>>,
    /// Moves, best first, if they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<M>>,
}

/// A move with the value of the position for the player who makes it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProbedMove {
    /// The move.
    pub r#move: String,
    /// Value for the player who makes the move; null if it is not known.
    pub value: Option<&'static str>,
    /// Plies to the end, the move itself included; null for draws, and if it is not known.
    pub remoteness: Option<u16>,
    /// Most plies of a win or loss whose plies are not known, if there is such a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundAnswer>,
}

impl<M> ProbeAnswer<M> {
    /// Returns the answer on a position with its bound, without its moves.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(
        game: &AnyGame,
        position: &Position,
        answer: Answer,
        bound: Option<u16>,
    ) -> Result<Self, Error> {
        Ok(Self {
            position: game.format(position)?,
            value: answer.wdl().map(wdl_word),
            remoteness: answer.exact().and_then(Value::remoteness),
            bound: BoundAnswer::new(answer, bound),
            canonical: None,
            moves: None,
        })
    }

    /// Adds the member of the position's class that tables keep.
    ///
    /// # Errors
    /// If the game has no tables.
    pub fn add_canonical(&mut self, game: &AnyGame, position: &Position) -> Result<(), Error> {
        let member = game.ranked_member(position)?;
        self.canonical = Some(member.map(|member| game.format(&member)).transpose()?);
        Ok(())
    }
}

impl ProbeAnswer {
    /// Adds moves in their order.
    ///
    /// # Errors
    /// As [`AnyGame::format_move`].
    pub fn add_moves(
        &mut self,
        game: &AnyGame,
        position: &Position,
        rated: &[AnyRatedMove],
    ) -> Result<(), Error> {
        let row =
            |rated: &AnyRatedMove| ProbedMove::new(game, position, &rated.mv, rated.value, None);
        self.moves = Some(rated.iter().map(row).collect::<Result<_, _>>()?);
        Ok(())
    }
}

impl ProbedMove {
    /// Returns a move with its value and its bound.
    ///
    /// # Errors
    /// As [`AnyGame::format_move`].
    pub fn new(
        game: &AnyGame,
        position: &Position,
        mv: &AnyMove,
        answer: Answer,
        bound: Option<u16>,
    ) -> Result<Self, Error> {
        Ok(Self {
            r#move: game.format_move(position, mv)?,
            value: answer.wdl().map(wdl_word),
            remoteness: answer.exact().and_then(Value::remoteness),
            bound: BoundAnswer::new(answer, bound),
        })
    }
}

#[cfg(test)]
mod tests {
    use hindsight_core::{Answer, Value, Wdl};

    use super::{ProbeAnswer, ProbedMove};

    #[test]
    fn a_win_of_unknown_plies_has_its_bound() -> Result<(), hindsight_games::Error> {
        let game = hindsight_games::game("tic-tac-toe")?;
        let start = game.start();
        let mv = game.moves(&start)?.swap_remove(0);
        let bounded = Answer::Wdl(Wdl::Win);
        let mut answer: ProbeAnswer = ProbeAnswer::new(&game, &start, bounded, Some(25))?;
        answer.moves = Some(vec![
            ProbedMove::new(&game, &start, &mv, bounded, Some(25))?,
            ProbedMove::new(&game, &start, &mv, Answer::Exact(Value::Win(3)), None)?,
        ]);
        assert_eq!(
            serde_json::to_string(&answer).expect("JSON"),
            concat!(
                r#"{"position":".../.../...","value":"win","remoteness":null,"#,
                r#""bound":{"value":"win","plies":25},"moves":["#,
                r#"{"move":"a3","value":"win","remoteness":null,"#,
                r#""bound":{"value":"win","plies":25}},"#,
                r#"{"move":"a3","value":"win","remoteness":3}]}"#,
            )
        );
        Ok(())
    }
}
