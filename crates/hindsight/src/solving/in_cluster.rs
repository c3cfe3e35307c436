//! Solves of a game by several processes.

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::tasks::cluster::{ClusterOutcome, ClusterSolveTask};

impl AnyGame {
    /// Solves every position together with other processes that do the same.
    ///
    /// # Errors
    /// [`Error::Cluster`](crate::Error::Cluster) if the processes do not fit together, if one is
    /// lost, or if the solve fails in any of them;
    /// [`Error::NoParts`](crate::Error::NoParts) for games that are solved by one process only.
    pub fn solve_in_cluster(
        &self,
        task: ClusterSolveTask<'_>,
    ) -> Result<ClusterOutcome, GamesError> {
        self.parts().run_in_cluster(task)
    }
}
