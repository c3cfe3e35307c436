//! A server with routes for tests, and a client of bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::{get, post};
use hindsight_web::{ApiLimits, ApiState, Server, ServerOptions, Shelf, WorkPool, router};
use rustix::net::{AddressFamily, SocketType};
use serde_json::Value;
use tokio::sync::oneshot;

/// Time after which a client of a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Server that ends when it is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) pool: WorkPool,
    pub(crate) long: WorkPool,
    /// Work that was begun and then told to stop.
    pub(crate) stopped_work: Arc<AtomicUsize>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with(ServerOptions::default())
    }

    /// Starts a server with some limits, at a free port.
    pub(crate) fn with(options: ServerOptions) -> Self {
        Self::serving(options, Shelf::default(), ApiLimits::default())
    }

    /// Starts a server of some tables and games, at a free port.
    pub(crate) fn serving(options: ServerOptions, shelf: Shelf, limits: ApiLimits) -> Self {
        let options = ServerOptions { port: 0, ..options };
        let server = Server::bind(&options).expect("a free port");
        let (address, pools) = (server.address(), server.pools());
        let (pool, long) = (pools.quick.clone(), pools.long.clone());
        let limits = ApiLimits {
            body_bytes: options.body_bytes,
            requests_a_second: options.requests_a_second,
            ..limits
        };
        let state = Arc::new(ApiState::new(shelf, limits, pools).expect("threads"));
        let stopped_work = Arc::new(AtomicUsize::new(0));
        let routes = router(state).merge(test_routes(&pool, &stopped_work));
        let (end, ended) = oneshot::channel::<()>();
        let stop = async {
            let _ = ended.await;
        };
        let thread = std::thread::spawn(move || server.run(routes, stop).expect("it runs"));
        Self { address, pool, long, stopped_work, end: Some(end), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> Client {
        Self::client(TcpStream::connect(self.address).expect("it listens"))
    }

    /// Connects from another address of this machine.
    pub(crate) fn connect_from(&self, address: &str) -> Client {
        let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None);
        let socket = socket.expect("a socket");
        let from = SocketAddr::new(address.parse().expect("an address"), 0);
        rustix::net::bind(&socket, &from).expect("an address of this machine");
        rustix::net::connect(&socket, &self.address).expect("it listens");
        Self::client(TcpStream::from(socket))
    }

    fn client(stream: TcpStream) -> Client {
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        stream.set_nodelay(true).expect("an option");
        Client(BufReader::new(stream))
    }

    /// Returns the answer to one request, over a connection of its own.
    pub(crate) fn get(&self, path: &str) -> Response {
        self.connect().get(path)
    }

    /// Asks the server to end.
    pub(crate) fn begin_to_end(&mut self) {
        self.end = None;
    }

    /// Waits for the end; returns the time it took.
    pub(crate) fn end(&mut self) -> Duration {
        let begin = Instant::now();
        self.begin_to_end();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic");
        }
        begin.elapsed()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.begin_to_end();
    }
}

/// Routes that do what handlers may do.
fn test_routes(pool: &WorkPool, stopped: &Arc<AtomicUsize>) -> Router {
    let (slow, stopped) = (pool.clone(), stopped.clone());
    let work = move || {
        let (pool, stopped) = (slow.clone(), stopped.clone());
        async move { pool.run_stoppable(move |stop| wait(&stop, &stopped)).await }
    };
    let failing = pool.clone();
    let fail = move || {
        let pool = failing.clone();
        async move { pool.run(|| -> String { panic!("work fails, as it should") }).await }
    };
    Router::new()
        .route("/test/work", get(work))
        .route("/test/failing-work", get(fail))
        .route("/test/panic", get(panics))
        .route("/test/text", get(async || "position\n".repeat(1000)))
        .route("/test/large", get(async || "x".repeat(16 << 20)))
        .route("/test/json", post(async |json: axum::Json<Value>| json))
        .route("/test/bytes", post(async |text: String| text.len().to_string()))
}

async fn panics() -> &'static str {
    panic!("a handler fails, as it should")
}

/// Works for two seconds, or until it is stopped.
fn wait(stop: &hindsight_web::StopFlag, stopped: &AtomicUsize) -> &'static str {
    for _ in 0..200 {
        if stop.is_set() {
            stopped.fetch_add(1, Ordering::SeqCst);
            return "stopped";
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    "done"
}

/// Connection that sends and reads bytes.
pub(crate) struct Client(BufReader<TcpStream>);

/// Answer as it came.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        // A server that has refused may have closed; its answer can still be read.
        let _ = self.0.get_mut().write_all(bytes.as_ref());
        self
    }

    /// Sends no more, but goes on reading.
    pub(crate) fn close_half(&mut self) -> &mut Self {
        self.0.get_mut().shutdown(Shutdown::Write).expect("a connection");
        self
    }

    /// Returns true if the server has sent anything that was not read.
    pub(crate) fn has_bytes(&self) -> bool {
        let stream = self.0.get_ref();
        stream.set_nonblocking(true).expect("an option");
        let bytes = stream.peek(&mut [0]);
        stream.set_nonblocking(false).expect("an option");
        bytes.is_ok()
    }

    /// Reads all that the server sends until it closes the connection.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).expect("an end");
        rest
    }

    pub(crate) fn get(&mut self, path: &str) -> Response {
        self.request("GET", path, "")
    }

    /// Sends a request without a body; `headers` are lines that end in CR LF.
    pub(crate) fn request(&mut self, method: &str, path: &str, headers: &str) -> Response {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        let response = self.send(head).head().expect("an answer");
        let has_body = method != "HEAD" && response.status != 304;
        if has_body { self.body(response) } else { response }
    }

    pub(crate) fn post(&mut self, path: &str, form: &str, body: &[u8]) -> Response {
        let (host, length) = ("Host: localhost", body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\n{host}\r\nContent-Type: {form}\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        self.send(head).send(body).answer()
    }

    pub(crate) fn answer(&mut self) -> Response {
        let response = self.head().expect("an answer");
        self.body(response)
    }

    /// Reads the head of an answer; `None` if the server has closed the connection.
    pub(crate) fn head(&mut self) -> Option<Response> {
        let status = self.line()?;
        let status = status.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        while let Some(line) = self.line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').expect("a header");
            headers.push((name.to_lowercase(), value.trim().to_string()));
        }
        Some(Response { status, headers, body: Vec::new() })
    }

    fn body(&mut self, mut response: Response) -> Response {
        if let Some(length) = response.header("content-length") {
            response.body = vec![0; length.parse().expect("a length")];
            self.0.read_exact(&mut response.body).expect("a body");
            return response;
        }
        while response.header("transfer-encoding").is_some() {
            let length = self.line().expect("the length of a chunk");
            let length = usize::from_str_radix(&length, 16).expect("a length");
            let mut chunk = vec![0; length];
            self.0.read_exact(&mut chunk).expect("a chunk");
            self.line();
            if length == 0 {
                break;
            }
            response.body.extend(chunk);
        }
        response
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.0.read_line(&mut line).unwrap_or(0);
        (length > 0).then(|| line.trim_end().to_string())
    }

    /// Reads to the end; returns true if the server closes the connection.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        let read = self.0.read_to_end(&mut rest);
        read.map_or_else(|error| error.kind() == std::io::ErrorKind::ConnectionReset, |_| true)
    }
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|header| header.0 == name);
        found.map(|header| header.1.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    /// Asserts that the answer is a problem of this kind, and returns its detail.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, name: &str) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let form = self.header("content-type");
        assert_eq!(form, Some("application/problem+json"), "{self:?}");
        let json: Value = serde_json::from_slice(&self.body).expect("JSON");
        assert_eq!(json["status"], status);
        assert_eq!(json["type"], format!("/problems/{name}"));
        json["detail"].as_str().expect("a detail").to_string()
    }
}
