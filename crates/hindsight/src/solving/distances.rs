//! Distances of the states of a game from its start.

use std::fmt;
use std::sync::Arc;

use hindsight_engine::Monitor;
use hindsight_solve::plan::SolveTimes;

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::parts::distances::DistanceSource;
use crate::positions::any_value::Position;
use crate::tasks::distances::{AnyShortestLine, DistanceNeeds, DistanceTask};
use crate::tasks::new_table::TaskFiles;
use crate::tasks::options::Options;
use crate::tasks::solve::WrittenTable;

/// Fewest plies from the start of a game to each of its states.
///
/// Distances are found for games in which a move may be forbidden, such as Ostle.
///
/// ```
/// use hindsight_games::Options;
///
/// let game = hindsight_games::game("ostle:3x3:2:1")?;
/// let distances = game.distances(&Options::default())?;
/// assert_eq!(distances.states()[..3], [1, 5, 22]);
/// let next = game.successors(&game.start())?.remove(0);
/// let line = distances.shortest_line(&next)?.expect("a move leads there");
/// assert_eq!(line.len(), 2);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone)]
pub struct StartDistances {
    game: AnyGame,
    source: Arc<dyn DistanceSource>,
}

impl StartDistances {
    pub(crate) fn new(game: AnyGame, source: Arc<dyn DistanceSource>) -> Self {
        Self { game, source }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Returns the number of states at each distance, from 0.
    #[must_use]
    pub fn states(&self) -> Vec<u64> {
        self.source.states()
    }

    /// Returns a shortest line from the start to a position, or else to its image under a symmetry.
    ///
    /// `None` if no line leads there, and for a finished game.
    ///
    /// # Errors
    /// [`Error::OtherGame`](crate::Error::OtherGame) for a position of another game;
    /// [`Error::InconsistentDistances`](crate::Error::InconsistentDistances), or an error of the
    /// table if it cannot be read.
    pub fn shortest_line(
        &self,
        position: &Position,
    ) -> Result<Option<AnyShortestLine>, GamesError> {
        self.source.line_to(position)
    }
}

impl fmt::Debug for StartDistances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StartDistances").field(&self.game.spec()).finish()
    }
}

/// Result of a [`DistanceTask`].
#[derive(Debug)]
pub struct DistanceOutcome {
    /// The distances.
    pub distances: StartDistances,
    /// Needs of the search, as they were known before.
    pub needs: DistanceNeeds,
    /// Time of the search.
    pub times: SolveTimes,
    /// Table that was written.
    pub table: Option<WrittenTable>,
}

impl AnyGame {
    /// Finds the distances of all states from the start.
    ///
    /// # Errors
    /// [`Error::NoDistances`](crate::Error::NoDistances) for a game that never forbids a move;
    /// otherwise as [`AnyGame::solve`].
    pub fn distances(&self, options: &Options) -> Result<StartDistances, GamesError> {
        let mut files = TaskFiles::create(options)?;
        let (folder, table) = files.parts();
        let mut begin = |_: &DistanceNeeds| Ok(Box::new(options.monitor()) as Box<dyn Monitor>);
        let task = DistanceTask { limits: options.limits(), folder, table, begin: &mut begin };
        let outcome = self.run_distances(task);
        let outcome = outcome.map_err(|error| files.explain(error))?;
        files.finish()?;
        Ok(outcome.distances)
    }

    /// Finds the distances of all states from the start with all options of a task.
    ///
    /// # Errors
    /// As [`AnyGame::distances`]; [`Error::Refused`](crate::Error::Refused) if the caller refuses
    /// the needs of the search.
    pub fn run_distances(&self, task: DistanceTask<'_>) -> Result<DistanceOutcome, GamesError> {
        let outcome = self.parts().structure.find_distances(task)?;
        Ok(DistanceOutcome {
            distances: StartDistances::new(self.clone(), outcome.distances),
            needs: outcome.needs,
            times: outcome.times,
            table: outcome.table,
        })
    }
}
