//! A [`ClusterSolveTask`] on a packed game.

use hindsight_cluster::{ClusterError, ClusterSolution, PlanEnds};
use hindsight_engine::{Monitor, NoMonitor};

use super::structure::GameParts;
use crate::error::GamesError;
use crate::tasks::cluster::{ClusterFiles, ClusterOutcome, ClusterSolveTask};

impl GameParts {
    /// Solves every position together with other processes.
    pub(crate) fn run_in_cluster(
        &self,
        task: ClusterSolveTask<'_>,
    ) -> Result<ClusterOutcome, GamesError> {
        if !self.structure.has_parts() {
            return Err(GamesError::NoParts(self.named.spec.to_string()));
        }
        let layout = self.structure.layout(task.layout)?;
        let files = ClusterFiles::open(&task, &self.named.spec, layout);
        let plan = self
            .structure
            .cluster_plan(task.cluster, files.task(&task, &self.named.spec, layout))?;
        let needs = plan.needs();
        let mut refusal = files.refusal.clone();
        let begun = match &refusal {
            None => (task.begin)(&needs),
            Some(_) => Ok(Box::new(NoMonitor) as Box<dyn Monitor>),
        };
        let mut monitor = begun.unwrap_or_else(|error| {
            refusal = Some(error.to_string());
            Box::new(NoMonitor)
        });
        let (mut table, mut target, mut failed) = (None, task.table, None);
        let mut last = |solved: &ClusterSolution| {
            match files.write_table(target.take(), layout, solved.table_time) {
                Ok(written) => table = written,
                Err(error) => {
                    let sentence = match std::error::Error::source(&error) {
                        Some(cause) => format!("{error}: {cause}"),
                        None => error.to_string(),
                    };
                    failed = Some(error);
                    return Err(ClusterError::Failed(sentence));
                }
            }
            Ok(())
        };
        let mut has_begun = false;
        let ends =
            PlanEnds { refusal, last: &mut last, has_begun: &mut has_begun, reword: task.reword };
        let solved = plan.run(&mut *monitor, ends);
        drop(plan);
        drop(monitor);
        if let Some(error) = failed {
            return Err(error);
        }
        if !has_begun || matches!(solved, Err(ClusterError::Refused(_))) {
            files.discard();
        }
        Ok(ClusterOutcome { solved: solved?, needs, table })
    }
}
