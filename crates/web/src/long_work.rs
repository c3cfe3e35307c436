//! Work that takes seconds: solves, analyses, agents.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::work_pool::WorkTurn;
use crate::{Problem, RunningWork, StopFlag, WorkPool};

/// Work that takes seconds. Each piece has threads of its own, so that none waits for another, and
/// probes wait for none.
#[derive(Debug)]
pub(crate) struct LongWork {
    pool: WorkPool,
    /// Threads that no piece of work has, one pool for each that may run.
    free: Arc<Mutex<Vec<ThreadPool>>>,
}

impl LongWork {
    /// Returns a pool in which each piece of work has some threads.
    pub(crate) fn new(pool: WorkPool, threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let pools = (0..pool.threads()).map(|_| {
            let threads = ThreadPoolBuilder::new().num_threads(threads);
            threads.build()
        });
        let free = Arc::new(Mutex::new(pools.collect::<Result<_, _>>()?));
        Ok(Self { pool, free })
    }

    /// Returns the most pieces of work at once.
    pub(crate) fn pieces(&self) -> usize {
        self.pool.threads()
    }

    /// Runs work to its end; as [`WorkPool::run_stoppable`].
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.enqueue()?.begin(work).await?.finish().await
    }

    /// Takes a turn; as [`WorkPool::enqueue`].
    pub(crate) fn enqueue(&self) -> Result<LongTurn, Problem> {
        Ok(LongTurn { turn: self.pool.enqueue()?, free: self.free.clone() })
    }
}

/// Turn of a piece of work.
pub(crate) struct LongTurn {
    turn: WorkTurn,
    free: Arc<Mutex<Vec<ThreadPool>>>,
}

impl LongTurn {
    /// Waits for the turn, and begins the work.
    pub(crate) async fn begin<T: Send + 'static>(
        self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<RunningWork<T>, Problem> {
        let Self { turn, free } = self;
        let work = move |stop| {
            let threads = TakenThreads::take(&free);
            match &threads.taken {
                Some(pool) => pool.install(|| work(stop)),
                None => work(stop),
            }
        };
        turn.begin(work).await
    }
}

/// Threads of a piece of work, given back when it ends, even by a panic.
struct TakenThreads<'a> {
    free: &'a Mutex<Vec<ThreadPool>>,
    taken: Option<ThreadPool>,
}

impl<'a> TakenThreads<'a> {
    fn take(free: &'a Mutex<Vec<ThreadPool>>) -> Self {
        let taken = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { free, taken }
    }
}

impl Drop for TakenThreads<'_> {
    fn drop(&mut self) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(self.taken.take());
    }
}
