//! A small web server on this machine, for tests of programs that read files from servers.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Request that a [`FileServer`] was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileRequest {
    /// Number of the request, from 0.
    pub number: usize,
    /// Number of its connection, from 0.
    pub connection: usize,
    /// Path with its query.
    pub path: String,
    /// Bytes that are asked for.
    pub range: Option<RangeInclusive<u64>>,
}

/// Answer of a [`FileServer`].
#[derive(Clone, Debug)]
pub struct FileReply {
    /// Status of the answer.
    pub status: u16,
    /// Headers besides the length of the body.
    pub headers: Vec<(&'static str, String)>,
    /// Body of the answer.
    pub body: Vec<u8>,
    /// Time before the answer is sent.
    pub pause: Duration,
    /// Bytes of the whole answer after which the connection is closed.
    pub cut: Option<usize>,
}

impl FileReply {
    /// Returns an answer without a body.
    #[must_use]
    pub fn of_status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), pause: Duration::ZERO, cut: None }
    }

    /// Returns the bytes that a request asks for, with status 206 and an `ETag`; the whole file,
    /// with status 200, if it asks for no range.
    ///
    /// # Panics
    /// If the file does not fit in memory and is asked for as a whole.
    #[must_use]
    pub fn of_file(request: &FileRequest, file: &dyn ServedFile) -> Self {
        let length = file.len();
        let (status, range) = match &request.range {
            Some(range) if *range.start() >= length => {
                let mut reply = Self::of_status(416);
                let header = ("Content-Range", format!("bytes */{length}"));
                reply.headers.push(header);
                return reply;
            }
            Some(range) => (206, *range.start()..length.min(range.end().saturating_add(1))),
            None => (200, 0..length),
        };
        let bytes = usize::try_from(range.end - range.start).expect("a file that fits in memory");
        let mut reply = Self::of_status(status);
        reply.headers.push(("ETag", String::from("\"first\"")));
        if status == 206 {
            let (begin, last) = (range.start, range.end - 1);
            let header = ("Content-Range", format!("bytes {begin}-{last}/{length}"));
            reply.headers.push(header);
        }
        reply.body = vec![0; bytes];
        file.read(range.start, &mut reply.body);
        reply
    }

    /// Sets a header in place of one of the same name.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|header| header.0 != name);
        self.headers.push((name, value.to_string()));
        self
    }

    /// Text and body of the answer.
    fn bytes(&self) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {} Status\r\n", self.status);
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.headers.iter().any(|header| header.0 == "Content-Length") {
            text.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        text.push_str("\r\n");
        [text.as_bytes(), &self.body].concat()
    }
}

/// Bytes that a server hands out; they need not be in memory.
pub trait ServedFile: Send + Sync {
    /// Returns the number of bytes.
    fn len(&self) -> u64;

    /// Returns true if there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills the buffer with the bytes from `offset` on, which exist.
    fn read(&self, offset: u64, out: &mut [u8]);
}

impl ServedFile for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read(&self, offset: u64, out: &mut [u8]) {
        let begin = usize::try_from(offset).expect("an offset in memory");
        out.copy_from_slice(&self[begin..begin + out.len()]);
    }
}

/// Function that answers the requests of a server.
type Respond = dyn Fn(&FileRequest) -> FileReply + Send + Sync;

/// A web server on this machine, each connection of which has a thread. It ends when it is dropped.
///
/// ```
/// use hindsight_testkit::{FileReply, FileServer};
///
/// let file = b"a table".to_vec();
/// let server = FileServer::start(move |request| FileReply::of_file(request, &file));
/// assert!(server.address("q.table").ends_with("/q.table"));
/// assert_eq!(server.requests().len(), 0);
/// ```
pub struct FileServer {
    socket: SocketAddr,
    shared: Arc<SharedServer>,
}

struct SharedServer {
    respond: Box<Respond>,
    requests: Mutex<Vec<FileRequest>>,
    has_ended: AtomicBool,
}

impl FileServer {
    /// Starts a server at a free port.
    ///
    /// # Panics
    /// If there is no free port.
    pub fn start(respond: impl Fn(&FileRequest) -> FileReply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let socket = listener.local_addr().expect("an address");
        let shared = Arc::new(SharedServer {
            respond: Box::new(respond),
            requests: Mutex::default(),
            has_ended: AtomicBool::new(false),
        });
        let server = Arc::clone(&shared);
        thread::spawn(move || server.accept_all(&listener));
        Self { socket, shared }
    }

    /// Returns the address of a file.
    #[must_use]
    pub fn address(&self, name: &str) -> String {
        format!("http://{}/{name}", self.socket)
    }

    /// Returns the requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<FileRequest> {
        self.shared.lock().clone()
    }
}

impl Drop for FileServer {
    fn drop(&mut self) {
        self.shared.has_ended.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts connections.
        drop(TcpStream::connect(self.socket));
    }
}

impl SharedServer {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<FileRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept_all(self: Arc<Self>, listener: &TcpListener) {
        for (connection, stream) in listener.incoming().enumerate() {
            let Ok(stream) = stream else { return };
            if self.has_ended.load(Ordering::Relaxed) {
                return;
            }
            let server = Arc::clone(&self);
            thread::spawn(move || {
                // Ignored: a client may leave at any moment.
                drop(server.serve(connection, &stream));
            });
        }
    }

    /// Answers the requests of a connection until it ends.
    fn serve(&self, connection: usize, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        while let Some((path, range)) = read_request(&mut reader)? {
            let request = {
                let mut requests = self.lock();
                let number = requests.len();
                let request = FileRequest { number, connection, path, range };
                requests.push(request.clone());
                request
            };
            let reply = (self.respond)(&request);
            thread::sleep(reply.pause);
            let bytes = reply.bytes();
            let sent = reply.cut.unwrap_or(bytes.len()).min(bytes.len());
            let mut writer = stream;
            writer.write_all(&bytes[..sent])?;
            if reply.cut.is_some() || self.has_ended.load(Ordering::Relaxed) {
                break;
            }
        }
        stream.shutdown(std::net::Shutdown::Both)
    }
}

/// Path and range of a request.
type RequestedPart = (String, Option<RangeInclusive<u64>>);

/// Reads a request; `None` at the end of the connection.
fn read_request(reader: &mut impl BufRead) -> io::Result<Option<RequestedPart>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or("/").to_string();
    let mut range = None;
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            return Ok(Some((path, range)));
        }
        let header = line.trim_end().to_ascii_lowercase();
        if let Some(bytes) = header.strip_prefix("range: bytes=") {
            range = bytes
                .split_once('-')
                .and_then(|(begin, last)| Some(begin.parse().ok()?..=last.parse().ok()?));
        }
    }
}
