//! Work that takes seconds: solves, analyses, agents.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::{Problem, RunningWork, StopFlag, WorkPool};

/// Pieces of work that wait.
const WAITING_WORK: usize = 16;

/// Threads of work that takes seconds. They are its own, so that it does not keep probes waiting.
#[derive(Debug)]
pub(crate) struct LongWork {
    pool: WorkPool,
    threads: Arc<ThreadPool>,
}

impl LongWork {
    /// Returns a pool of some threads, for as many pieces of work at once.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = WorkPool::new(threads, WAITING_WORK);
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
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
