//! Work that takes seconds: solves, analyses, agents.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::{Problem, RunningWork, StopFlag, WorkPool};

/// Threads of work that takes seconds. They are its own, so that it does not keep probes waiting.
#[derive(Debug)]
pub(crate) struct LongWork {
    pool: WorkPool,
    threads: Arc<ThreadPool>,
}

impl LongWork {
    /// Returns a pool with as many threads as it has pieces of work at once.
    pub(crate) fn new(pool: WorkPool) -> Result<Self, ThreadPoolBuildError> {
        let threads = ThreadPoolBuilder::new().num_threads(pool.threads());
        let threads = threads.build()?;
        Ok(Self {
            pool,
            threads: Arc::new(threads),
        })
    }

    pub(crate) fn pool(&self) -> &WorkPool {
        &self.pool
    }

    /// Runs work to its end; as [`WorkPool::run_stoppable`].
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.begin(work).await?.finish().await
    }

    /// Begins work; as [`WorkPool::begin`].
    pub(crate) async fn begin<T: Send + 'static>(
        &self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<RunningWork<T>, Problem> {
        let threads = self.threads.clone();
        let work = move |stop| threads.install(|| work(stop));
        self.pool.begin(work).await
    }
}
