//! Workers of a process: threads that run steps with those of all other processes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::mem::{self, ManuallyDrop};
use std::net::SocketAddr;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use hindsight_engine::Monitor;
use timely::WorkerConfig;
use timely::communication::allocator::thread::Thread;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::initialize::Hooks;
use timely::worker::Worker;

use crate::engine::Steps;
use crate::error::{ClusterError, Reword};
use crate::hosts::Hosts;
use crate::net::{
    ControlLink, DataSocket, Hello, Link, Meeting, Patience, Role, Voice, Watch, WireBytes,
    check_threads, meet, no_thread, spawn,
};
use crate::report::{SolveReport, check_stop};

/// The processes of a solve, and this one among them.
pub struct Cluster<'a> {
    /// Address of every process.
    pub hosts: &'a Hosts,
    /// Number of this process, below [`Hosts::processes`].
    pub process: usize,
    /// Threads of each process, at least 1.
    pub threads: usize,
    /// Address to listen on; `None` for the one in the hosts file.
    pub listen: Option<SocketAddr>,
    /// Time in which all processes must be there.
    pub wait: Duration,
    /// Time, in whole seconds, for which another process may be silent before it is given up.
    pub silence: Duration,
    /// Version of the program, which must be the same everywhere.
    pub version: &'a str,
    /// Hears, from any thread, of processes that are waited for.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}

/// Bytes that went over the network from and to one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
}

/// Work of each worker.
pub(crate) type WorkerTask<'t, T> = dyn Fn(&mut Steps<'_>) -> Result<T, ClusterError> + Sync + 't;

/// Facts on which processes must agree, besides the hosts.
pub(crate) struct Agreement<'a> {
    pub(crate) spec: &'a str,
    /// Everything else, in words.
    pub(crate) settings: String,
    /// Refusal of this process, if it cannot begin.
    pub(crate) own: Result<(), ClusterError>,
    /// See [`PlanEnds::has_begun`](crate::PlanEnds::has_begun).
    pub(crate) has_begun: &'a mut bool,
    pub(crate) reword: Reword,
}

/// Results of the workers of a process.
pub(crate) struct Outcome<T> {
    pub(crate) results: Vec<T>,
    pub(crate) traffic: Traffic,
    pub(crate) time: Duration,
    watch: Arc<Watch>,
}

impl<T> Outcome<T> {
    /// Ends the run in all processes; `last` is the result of the last work of this one.
    ///
    /// # Errors
    /// The error of `last`, of which the others are told; [`ClusterError::Lost`] if another process
    /// has failed.
    pub(crate) fn finish(
        &self,
        last: Result<(), ClusterError>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), ClusterError> {
        if let Err(error) = &last {
            self.watch.fail(error);
        }
        last?;
        self.watch.finish(monitor)
    }
}

/// Longest wait of a process that cannot begin, to tell the others why.
const WAIT_TO_REFUSE: Duration = Duration::from_secs(10);

/// Connections of a process, and the other processes.
struct Connected {
    data: Vec<Option<DataLink>>,
    watch: Arc<Watch>,
    /// First difference between this process and another.
    refusal: Result<(), ClusterError>,
}

/// Data connection with a process, before the engine has it.
struct DataLink {
    link: Link,
    bytes: Arc<WireBytes>,
}

impl Cluster<'_> {
    /// Number of all workers.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.hosts.processes() * self.threads
    }

    pub(crate) fn processes(&self) -> u64 {
        self.hosts.processes() as u64
    }

    /// Runs the workers of this process together with those of all others.
    pub(crate) fn run<T: Send>(
        &self,
        agreement: Agreement<'_>,
        monitor: &mut dyn Monitor,
        task: &WorkerTask<'_, T>,
    ) -> Result<Outcome<T>, ClusterError> {
        let Agreement { spec, settings, own, has_begun, reword } = agreement;
        // A process that cannot begin stays only to tell those that come soon.
        let wait = match own {
            Ok(()) => self.wait,
            Err(_) => self.wait.min(WAIT_TO_REFUSE),
        };
        let meeting = self.meeting(spec, settings, wait);
        let connected = self.connect(&meeting, reword, monitor);
        let Connected { data, watch, refusal } = match connected {
            Ok(connected) => connected,
            // The own reason says more than that others stay away.
            Err(error) => return Err(own.err().unwrap_or(error)),
        };
        let own = own.and(refusal).and_then(|()| self.check_threads());
        watch.agree(own, monitor)?;
        *has_begun = true;
        let counts = data.iter().flatten().map(|data| data.bytes.clone());
        let counts: Vec<Arc<WireBytes>> = counts.collect();
        let begin = Instant::now();
        let sockets = data.into_iter().enumerate().map(|(process, data)| {
            let DataLink { link, bytes } = data?;
            Some(DataSocket::new(Arc::new(link), watch.clone(), process, bytes))
        });
        let (builders, guard) =
            self.builders(sockets.collect()).inspect_err(|error| watch.fail(error))?;
        // Its threads wait for ever after a failure, and dropping it would wait for them.
        let guard = ManuallyDrop::new(guard);
        let results = run_all(builders, &watch, monitor, task);
        if results.is_ok() {
            let ended = end_engine(ManuallyDrop::into_inner(guard), &watch, monitor);
            ended.inspect_err(|error| watch.fail(error))?;
        }
        let sum = |count: fn(&WireBytes) -> &AtomicU64| {
            let bytes = counts.iter().map(|bytes| count(bytes));
            bytes.map(|bytes| bytes.load(Ordering::Relaxed)).sum()
        };
        Ok(Outcome {
            results: results?,
            traffic: Traffic {
                sent: sum(|bytes| &bytes.sent),
                received: sum(|bytes| &bytes.received),
            },
            time: begin.elapsed(),
            watch,
        })
    }

    /// Checks that the system has threads for all workers, for two of the engine for each other
    /// process, and for the end.
    fn check_threads(&self) -> Result<(), ClusterError> {
        check_threads(self.threads + 2 * (self.hosts.processes() - 1))
    }

    /// Makes the description with which this process meets the others.
    fn meeting(&self, spec: &str, settings: String, wait: Duration) -> Meeting<'_> {
        Meeting {
            hosts: self.hosts,
            hello: Hello {
                version: self.version.into(),
                process: self.process,
                processes: self.hosts.processes(),
                threads: self.threads,
                spec: spec.into(),
                settings,
                role: Role::Control,
                run: RandomState::new().build_hasher().finish(),
                refusal: String::new(),
            },
            listen: self.listen,
            wait,
            tell: &*self.tell,
        }
    }

    /// Connects with all other processes.
    fn connect(
        &self,
        meeting: &Meeting<'_>,
        reword: Reword,
        monitor: &mut dyn Monitor,
    ) -> Result<Connected, ClusterError> {
        let (mut links, mut data) = (Vec::new(), Vec::new());
        let met = meet(meeting, monitor)?;
        for (process, peer) in met.peers.into_iter().enumerate() {
            data.push(peer.map(|peer| {
                let bytes = Arc::new(WireBytes::default());
                links.push(ControlLink {
                    process,
                    name: self.hosts.name(process),
                    link: peer.control,
                    data: bytes.clone(),
                });
                let link = peer.data;
                DataLink { link, bytes }
            }));
        }
        let patience = Patience { working: self.silence, beginning: self.silence + self.wait };
        let voice = Voice { name: self.hosts.name(self.process), reword, tell: self.tell.clone() };
        let watch = Watch::start(voice, links, patience)?;
        Ok(Connected { data, watch, refusal: met.refusal })
    }

    /// Makes the builder of each worker's end of the engine.
    fn builders(
        &self,
        sockets: Vec<Option<DataSocket>>,
    ) -> Result<(Vec<WorkerBuilder>, Option<CommsGuard>), ClusterError> {
        let hooks = Hooks::default();
        let within = || ProcessBuilder::new_typed_vector(self.threads, hooks.refill.clone(), None);
        if sockets.len() > 1 {
            let (own, threads) = (self.process, self.threads);
            let network = initialize_networking_from_sockets(
                within(),
                sockets,
                own,
                threads,
                Hooks::default(),
            );
            let (builders, guard) = network.map_err(no_thread)?;
            let builders = builders.into_iter().map(WorkerBuilder::Network);
            return Ok((builders.collect(), Some(guard)));
        }
        if self.threads > 1 {
            let builders = within().into_iter().map(WorkerBuilder::Process);
            return Ok((builders.collect(), None));
        }
        Ok((vec![WorkerBuilder::Alone], None))
    }
}

/// Maker of a worker's end of the engine, in the worker's thread.
enum WorkerBuilder {
    Alone,
    Process(ProcessBuilder),
    Network(TcpBuilder),
}

impl WorkerBuilder {
    fn build(self) -> Worker {
        let allocator = match self {
            Self::Alone => Allocator::Thread(Thread::default()),
            Self::Process(builder) => Allocator::Process(builder.build()),
            Self::Network(builder) => Allocator::Tcp(builder.build()),
        };
        // A worker without a clock never sleeps.
        Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()))
    }
}

/// Waits for the threads of the engine, which wait for those of the other processes.
fn end_engine(
    guard: Option<CommsGuard>,
    watch: &Watch,
    monitor: &mut dyn Monitor,
) -> Result<(), ClusterError> {
    /// Time between two looks at the watch.
    const LOOK: Duration = Duration::from_millis(50);
    let (ended, end) = channel();
    spawn("end", move || {
        drop(guard);
        let _ = ended.send(());
    })?;
    while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(LOOK) {
        watch.check()?;
        check_stop(monitor)?;
    }
    Ok(())
}

/// Runs all workers, the first on this thread. Ends with the first error.
fn run_all<T: Send>(
    builders: Vec<WorkerBuilder>,
    watch: &Arc<Watch>,
    monitor: &mut dyn Monitor,
    task: &WorkerTask<'_, T>,
) -> Result<Vec<T>, ClusterError> {
    thread::scope(|scope| {
        // The engine's threads panic if one is dropped, as it is when there is no thread for it.
        let mut builders = builders.into_iter().map(ManuallyDrop::new);
        let first = builders.next().expect("at least one worker");
        let mut others = Vec::new();
        for (i, builder) in (1..).zip(builders) {
            let thread = thread::Builder::new().name(format!("worker-{i}"));
            let spawned = thread.spawn_scoped(scope, move || run_one(builder, watch, None, task));
            match spawned {
                Ok(thread) => others.push(thread),
                Err(error) => {
                    let error = no_thread(error);
                    watch.fail(&error);
                    return Err(error);
                }
            }
        }
        let first = run_one(first, watch, Some(monitor), task);
        let mut results = vec![first];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        // A worker that was only told of the failure of another comes last.
        let is_told =
            |result: &Result<T, ClusterError>| matches!(result, Err(ClusterError::Lost(_)));
        if let Some(i) = results.iter().position(|result| result.is_err() && !is_told(result)) {
            results.swap(0, i);
        }
        results.into_iter().collect()
    })
}

fn run_one<T>(
    builder: ManuallyDrop<WorkerBuilder>,
    watch: &Arc<Watch>,
    monitor: Option<&mut dyn Monitor>,
    task: &WorkerTask<'_, T>,
) -> Result<T, ClusterError> {
    let _alarm = Alarm(watch);
    let mut worker = ManuallyDrop::into_inner(builder).build();
    // A monitor as long as the worker.
    let monitor = monitor.map(|monitor| -> &mut dyn Monitor { monitor });
    let mut steps = Steps::new(&mut worker, watch.clone(), SolveReport::new(monitor));
    let result = task(&mut steps).and_then(|result| {
        steps.close()?;
        Ok(result)
    });
    result.inspect_err(|error| {
        watch.fail(error);
        mem::forget(worker);
    })
}

/// Tells all processes when the thread panics.
struct Alarm<'a>(&'a Watch);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let error = ClusterError::Failed("a fault in the program".into());
            self.0.fail(&error);
        }
    }
}
