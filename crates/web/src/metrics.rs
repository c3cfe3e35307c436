//! Counters of the server, as text for Prometheus.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hindsight_games::memory::resident_bytes;

use crate::WorkPools;

/// Route of the requests that match none.
pub(crate) const NO_ROUTE: &str = "none";

/// Upper bounds of the histogram of times, in seconds.
const SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Counters of one server.
#[derive(Debug)]
pub(crate) struct Metrics {
    start: Instant,
    connections: AtomicUsize,
    routes: Mutex<BTreeMap<String, RouteCounts>>,
}

/// Requests of a route.
#[derive(Default, Debug)]
struct RouteCounts {
    by_status: BTreeMap<u16, u64>,
    /// Requests up to each bound of [`SECONDS`] and above the one before; the last ones are longer.
    by_seconds: [u64; SECONDS.len() + 1],
    seconds: f64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), connections: AtomicUsize::new(0), routes: Mutex::default() }
    }

    /// Counts a request from its head to the head of its answer.
    pub(crate) fn count(&self, route: &str, status: u16, time: Duration) {
        let mut routes = self.routes.lock().expect("no panic while it is locked");
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), RouteCounts::default());
        }
        let Some(counts) = routes.get_mut(route) else {
            return;
        };
        *counts.by_status.entry(status).or_default() += 1;
        let seconds = time.as_secs_f64();
        counts.by_seconds[SECONDS.partition_point(|bound| *bound < seconds)] += 1;
        counts.seconds += seconds;
    }

    /// Counts a connection for as long as the result lives.
    pub(crate) fn open_connection(&self) -> OpenConnection<'_> {
        self.connections.fetch_add(1, Ordering::Relaxed);
        OpenConnection(&self.connections)
    }

    pub(crate) fn text(&self, pools: &WorkPools) -> String {
        let mut text = String::new();
        let written = self.write(&mut text, pools);
        debug_assert!(written.is_ok(), "a string takes every text");
        text
    }

    fn write(&self, text: &mut String, pools: &WorkPools) -> fmt::Result {
        self.write_requests(text)?;
        let connections = self.connections.load(Ordering::Relaxed);
        let name = "hindsight_connections";
        write_head(text, name, "Open connections", "gauge")?;
        writeln!(text, "{name} {connections}")?;
        let (quick, long) = (&pools.quick, &pools.long);
        let running = [quick.running(), long.running()];
        let waiting = [quick.waiting(), long.waiting()];
        write_pools(text, "hindsight_work_running", "Work that runs", running)?;
        write_pools(text, "hindsight_work_waiting", "Work that waits", waiting)?;
        let name = "process_resident_memory_bytes";
        write_head(text, name, "Resident memory", "gauge")?;
        writeln!(text, "{name} {}", resident_bytes())?;
        let name = "hindsight_uptime_seconds";
        write_head(text, name, "Time since the start", "gauge")?;
        writeln!(text, "{name} {:.3}", self.start.elapsed().as_secs_f64())
    }

    fn write_requests(&self, text: &mut String) -> fmt::Result {
        let routes = self.routes.lock().expect("no panic while it is locked");
        let name = "hindsight_requests_total";
        write_head(text, name, "Requests by route and status", "counter")?;
        for (route, counts) in &*routes {
            for (status, number) in &counts.by_status {
                writeln!(text, "{name}{{route=\"{route}\",status=\"{status}\"}} {number}")?;
            }
        }
        let name = "hindsight_request_seconds";
        let help = "Time from the head of a request to the head of its answer";
        write_head(text, name, help, "histogram")?;
        for (route, counts) in &*routes {
            counts.write_histogram(text, name, route)?;
        }
        Ok(())
    }
}

impl RouteCounts {
    fn write_histogram(&self, text: &mut String, name: &str, route: &str) -> fmt::Result {
        let mut requests = 0;
        for (number, bound) in self.by_seconds.iter().zip(SECONDS) {
            requests += number;
            writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {requests}")?;
        }
        let requests: u64 = self.by_seconds.iter().sum();
        writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {requests}")?;
        writeln!(text, "{name}_sum{{route=\"{route}\"}} {:.6}", self.seconds)?;
        writeln!(text, "{name}_count{{route=\"{route}\"}} {requests}")
    }
}

/// Writes a number of the pool for work of milliseconds, and one of the pool for work of seconds.
fn write_pools(text: &mut String, name: &str, help: &str, numbers: [usize; 2]) -> fmt::Result {
    write_head(text, name, help, "gauge")?;
    for (pool, number) in ["quick", "long"].iter().zip(numbers) {
        writeln!(text, "{name}{{pool=\"{pool}\"}} {number}")?;
    }
    Ok(())
}

fn write_head(text: &mut String, name: &str, help: &str, kind: &str) -> fmt::Result {
    writeln!(text, "# HELP {name} {help}.\n# TYPE {name} {kind}")
}

/// Connection that is counted until this value is dropped.
pub(crate) struct OpenConnection<'a>(&'a AtomicUsize);

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
