//! Blocking work of requests: a bounded number at once, a bounded number waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::{JoinHandle, spawn_blocking};

use crate::clients::Client;
use crate::work_queue::{Turn, WorkQueue};
use crate::{Problem, ProblemKind};

/// Pool of threads for work that blocks. Clones are the same pool. Clients have equal shares of it.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let pool = hindsight_web::WorkPool::new(2, 64);
/// let sum = pool.run(|| (1..=100).sum::<u32>()).await;
/// assert_eq!(sum.ok(), Some(5050));
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct WorkPool {
    /// Seconds after which a client may ask again when too much work waits.
    retry_seconds: u32,
    queue: Arc<WorkQueue>,
}

impl WorkPool {
    /// Returns a pool for at most `threads` pieces of work at once, and `queue` waiting ones.
    ///
    /// # Panics
    /// If there are no threads.
    #[must_use]
    pub fn new(threads: usize, queue: usize) -> Self {
        assert!(threads > 0, "work needs a thread");
        Self { retry_seconds: 1, queue: Arc::new(WorkQueue::new(threads, queue)) }
    }

    /// Tells clients to ask again after some seconds when too much work waits. Without it, that is
    /// one second.
    #[must_use]
    pub(crate) fn retried_after(self, seconds: u32) -> Self {
        Self { retry_seconds: seconds.max(1), ..self }
    }

    /// Runs work to its end.
    ///
    /// # Errors
    /// A problem if too much work waits already, or if the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.run_stoppable(move |_| work()).await
    }

    /// As [`WorkPool::run`], for work that looks at its [`StopFlag`] now and then.
    ///
    /// # Errors
    /// As [`WorkPool::run`].
    pub async fn run_stoppable<T: Send + 'static>(
        &self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.begin(work).await?.finish().await
    }

    /// Begins work as soon as a thread is free, for an answer that is sent while the work goes on.
    ///
    /// # Errors
    /// A problem if too much work waits already.
    pub async fn begin<T: Send + 'static>(
        &self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<RunningWork<T>, Problem> {
        self.enqueue()?.begin(work).await
    }

    /// Takes a free thread, or a place in the queue.
    ///
    /// # Errors
    /// A problem if too much work waits already.
    pub(crate) fn enqueue(&self) -> Result<WorkTurn, Problem> {
        let turn = self.queue.enqueue(Client::current()).ok_or_else(|| {
            let waiting = self.queue.most_waiting();
            self.busy(format!("{waiting} requests wait already; ask again later"))
        })?;
        Ok(WorkTurn { turn, pool: self.clone() })
    }

    fn busy(&self, detail: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Busy, detail).retry_after(self.retry_seconds)
    }

    /// Returns the number of pieces of work that run now.
    #[must_use]
    pub fn running(&self) -> usize {
        self.queue.running()
    }

    /// Returns the number of pieces of work that wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }

    /// Returns the most pieces of work at once.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.queue.threads()
    }
}

/// Turn of a piece of work in a pool.
#[derive(Debug)]
pub(crate) struct WorkTurn {
    turn: Turn,
    pool: WorkPool,
}

impl WorkTurn {
    /// Waits for the thread, and begins the work.
    pub(crate) async fn begin<T: Send + 'static>(
        self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<RunningWork<T>, Problem> {
        let thread = self.turn.thread().await.ok_or_else(|| {
            let detail = "requests of other addresses go before those of this one, which are many; \
                          ask again later";
            self.pool.busy(detail)
        })?;
        let stop = StopFlag::default();
        let flag = stop.clone();
        let handle = spawn_blocking(move || {
            // The count outlives a client that leaves: the thread is busy until the work ends.
            let _thread = thread;
            work(flag)
        });
        Ok(RunningWork { handle, stop })
    }
}

/// The pools of a server.
#[derive(Clone, Debug)]
pub struct WorkPools {
    /// Pool for work of milliseconds: probes, lines, counts.
    pub quick: WorkPool,
    /// Pool for work of seconds: solves, analyses, agents, puzzles.
    pub long: WorkPool,
}

/// Flag that tells work that nobody waits for its result any more.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Returns true if the work should end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Work that has begun. If it is dropped, its [`StopFlag`] is set.
#[derive(Debug)]
pub struct RunningWork<T> {
    handle: JoinHandle<T>,
    stop: StopFlag,
}

impl<T> RunningWork<T> {
    /// Waits for the result.
    ///
    /// # Errors
    /// A problem if the work panics, or meets a fault of foreign rules.
    pub async fn finish(mut self) -> Result<T, Problem> {
        let result = (&mut self.handle).await;
        result.map_err(|error| match error.try_into_panic() {
            Ok(cause) => Problem::of_unwound(cause),
            Err(_) => Problem::fault(),
        })
    }
}

impl<T> Drop for RunningWork<T> {
    fn drop(&mut self) {
        self.stop.set();
    }
}
