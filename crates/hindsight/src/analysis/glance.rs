//! Analyses at a glance.

use hindsight_analysis::EstimateLimits;

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_value::Position;
use crate::tasks::analysis::AnyAnalysis;

impl AnyGame {
    /// Returns what the rules alone tell of a position: games that are over, wins in one ply,
    /// losses in two. Its moves are estimated within `estimate` if the value is not proved by then.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::Solve`](crate::Error::Solve) if no thread can be started.
    ///
    /// ```
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let position = game.parse("xx./oo./...")?;
    /// let analysis = game.glance(&position, None)?;
    /// assert_eq!(analysis.answer.to_string(), "win in 1 ply");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn glance(
        &self,
        position: &Position,
        estimate: Option<EstimateLimits>,
    ) -> Result<AnyAnalysis, GamesError> {
        self.with_symmetry().parts().glance(position, estimate)
    }
}
