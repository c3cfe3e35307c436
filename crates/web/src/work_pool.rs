//! Blocking work of requests: a bounded number at once, a bounded number waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::{Problem, ProblemKind};

/// Seconds after which a client may ask again when too much work waits.
const BUSY_SECONDS: u32 = 1;

/// Pool of threads for work that blocks. Clones are the same pool.
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
    threads: usize,
    queue: usize,
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

impl WorkPool {
    /// Returns a pool for at most `threads` pieces of work at once, and `queue` waiting ones.
    ///
    /// # Panics
    /// If there are no threads.
    #[must_use]
    pub fn new(threads: usize, queue: usize) -> Self {
        assert!(threads > 0, "work needs a thread");
        Self {
            threads,
            queue,
            free: Arc::new(Semaphore::new(threads)),
            waiting: Arc::new(AtomicUsize::new(0)),
        }
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
        let permit = self.acquire().await?;
        let stop = StopFlag::default();
        let flag = stop.clone();
        let handle = spawn_blocking(move || {
            // The permit outlives a client that leaves: the thread is busy until the work ends.
            let _permit = permit;
            work(flag)
        });
        Ok(RunningWork { handle, stop })
    }

    /// Returns the number of pieces of work that run now.
    #[must_use]
    pub fn running(&self) -> usize {
        self.threads - self.free.available_permits()
    }

    /// Returns the number of pieces of work that wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Returns the most pieces of work at once.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    async fn acquire(&self) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = self.free.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let _place = WaitingPlace::take(self).ok_or_else(|| {
            let detail = format!("{} requests wait already; ask again later", self.queue);
            Problem::new(ProblemKind::Busy, detail).retry_after(BUSY_SECONDS)
        })?;
        let permit = self.free.clone().acquire_owned().await;
        permit.map_err(|_| Problem::new(ProblemKind::Fault, "the server ends"))
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

/// Place in the queue of a pool, given back when it is dropped.
struct WaitingPlace(Arc<AtomicUsize>);

impl WaitingPlace {
    fn take(pool: &WorkPool) -> Option<Self> {
        let next = |waiting| (waiting < pool.queue).then_some(waiting + 1);
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        let taken = pool.waiting.fetch_update(set, fetch, next);
        taken.is_ok().then(|| Self(pool.waiting.clone()))
    }
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
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
    /// A problem if the work panics.
    pub async fn finish(mut self) -> Result<T, Problem> {
        let result = (&mut self.handle).await;
        result.map_err(|_| Problem::fault())
    }
}

impl<T> Drop for RunningWork<T> {
    fn drop(&mut self) {
        self.stop.set();
    }
}
