//! A [`ClusterSolveTask`] on a game of a known type.

use hindsight_core::Notation;

use crate::cluster::{ClusterFiles, ClusterOutcome, ClusterSolveTask};
use crate::error::GamesError;
use crate::structure::Structure;
use crate::typed_game::TypedGame;

impl<G, S> TypedGame<G, S>
where
    G: Notation + Send + 'static,
    S: Structure<G>,
{
    /// Solves every position together with other processes.
    pub(crate) fn run_in_cluster(
        &self,
        task: ClusterSolveTask<'_>,
    ) -> Result<ClusterOutcome, GamesError> {
        let layout = S::layout(&self.spec, task.layout)?;
        let files = ClusterFiles::open(&task, &self.spec, layout)?;
        let plan = S::cluster_plan(self, task.cluster, files.task(&task, &self.spec, layout))?;
        let needs = plan.needs();
        let mut monitor = (task.begin)(&needs).map_err(GamesError::Refused)?;
        let solved = plan.run(&mut *monitor)?;
        let table = files.write_table(task.table, layout, solved.table_time)?;
        Ok(ClusterOutcome {
            solved,
            needs,
            table,
        })
    }
}
