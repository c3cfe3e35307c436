//! Blocking work of requests: a bounded number at once, a bounded number waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::{Problem, ProblemKind};

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
    /// Seconds after which a client may ask again when too much work waits.
    retry_seconds: u32,
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
            retry_seconds: 1,
            free: Arc::new(Semaphore::new(threads)),
            waiting: Arc::new(AtomicUsize::new(0)),
        }
    }

    /// Tells clients to ask again after some seconds when too much work waits. Without it, that is
    /// one second.
    #[must_use]
    pub fn retried_after(self, seconds: u32) -> Self {
        Self {
            retry_seconds: seconds.max(1),
            ..self
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
        self.enqueue()?.begin(work).await
    }

    /// Takes a free thread, or a place in the queue.
    ///
    /// # Errors
    /// A problem if too much work waits already.
    pub(crate) fn enqueue(&self) -> Result<Turn, Problem> {
        if let Ok(permit) = self.free.clone().try_acquire_owned() {
            return Ok(Turn::Now(permit));
        }
        let place = WaitingPlace::take(self).ok_or_else(|| {
            let detail = format!("{} requests wait already; ask again later", self.queue);
            Problem::new(ProblemKind::Busy, detail).retry_after(self.retry_seconds)
        })?;
        Ok(Turn::Later {
            free: self.free.clone(),
            place,
        })
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
}

/// Turn of a piece of work: a thread, or a place in the queue.
#[derive(Debug)]
pub(crate) enum Turn {
    Now(OwnedSemaphorePermit),
    Later {
        free: Arc<Semaphore>,
        place: WaitingPlace,
    },
}

impl Turn {
    /// Waits for the thread, and begins the work.
    pub(crate) async fn begin<T: Send + 'static>(
        self,
        work: impl FnOnce(StopFlag) -> T + Send + 'static,
    ) -> Result<RunningWork<T>, Problem> {
        let permit = match self {
            Self::Now(permit) => permit,
            Self::Later { free, place } => {
                let permit = free.acquire_owned().await;
                drop(place);
                permit.map_err(|_| Problem::fault())?
            }
        };
        let stop = StopFlag::default();
        let flag = stop.clone();
        let handle = spawn_blocking(move || {
            // The permit outlives a client that leaves: the thread is busy until the work ends.
            let _permit = permit;
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

/// Place in the queue of a pool, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct WaitingPlace(Arc<AtomicUsize>);

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
