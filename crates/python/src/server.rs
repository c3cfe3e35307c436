//! The server of `hindsight serve`, in threads beside Python.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hindsight_web::{ApiLimits, ApiState, ServerOptions, Shelf, router, until};
use pyo3::prelude::*;

use crate::errors::{OrRaise, exception};
use crate::exit::detached;
use crate::table::Table;
use crate::typed_text::TypedText;
use crate::wish::look;

/// Bytes for solves and analyses that the server is asked for.
const DEFAULT_MEMORY: u64 = 1 << 30;
/// Time between two looks at signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Running server. It ends by `stop`, and when it is dropped.
#[pyclass(frozen)]
pub(crate) struct Server {
    url: String,
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<std::io::Result<()>>>>,
}

#[pymethods]
impl Server {
    /// Starts a server for tables with their names and games by spec.
    #[new]
    fn new(
        py: Python<'_>,
        tables: Vec<(String, Bound<'_, Table>)>,
        specs: Vec<TypedText>,
        address: IpAddr,
        port: u16,
        memory: Option<u64>,
    ) -> PyResult<Self> {
        let mut shelf = Shelf::default();
        for (name, table) in tables {
            let table = table.get().table.clone();
            shelf.add_table(name, table).or_raise(py)?;
        }
        for spec in specs {
            shelf.add_game(&spec).or_raise(py)?;
        }
        let options = ServerOptions { port, ..ServerOptions::at(address, None) };
        let server = hindsight_web::Server::bind(&options);
        let server = server.map_err(|error| exception(py, "ServerError", &error.to_string()))?;
        let limits = ApiLimits {
            memory: memory.unwrap_or(DEFAULT_MEMORY),
            requests_a_second: options.requests_a_second,
            ..ApiLimits::default()
        };
        let state = ApiState::new(shelf, limits, server.pools())?;
        let url = format!("http://{}/", server.address());
        let stop = Arc::new(AtomicBool::new(false));
        let wish = stop.clone();
        let router = router(Arc::new(state));
        let run = move || server.run(router, until(move || wish.load(Ordering::Relaxed)));
        let thread = thread::Builder::new().name(String::from("hindsight server"));
        let thread = thread.spawn(run)?;
        Ok(Self { url, stop, thread: Mutex::new(Some(thread)) })
    }

    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Returns whether the server still answers.
    #[getter]
    fn is_running(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits until the server ends; a signal ends the waiting.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_running() {
            detached(py, || thread::sleep(SIGNAL_INTERVAL));
            look(py)?;
        }
        Ok(())
    }

    /// Ends the server, and waits until it has ended.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.stop.store(true, Ordering::Relaxed);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let ended = detached(py, || thread.map(JoinHandle::join));
        match ended {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(error))) => Err(error.into()),
            Some(Err(_)) => Err(exception(py, "SolveError", "the server has failed")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
