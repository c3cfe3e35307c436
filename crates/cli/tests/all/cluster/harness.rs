//! Processes of a solve that are started one by one, in a folder with a hosts file.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::harness::TestFolder;

/// Longest time in which all processes end after a fault.
pub(crate) const END: Duration = Duration::from_secs(5);
/// Longest time of a solve.
pub(crate) const SOLVE: Duration = Duration::from_secs(120);

/// Folder with a hosts file, in which processes are started.
pub(crate) struct Site {
    pub(crate) folder: TestFolder,
    /// Port of each process of the hosts file.
    pub(crate) ports: Vec<u16>,
}

impl Site {
    /// Makes a hosts file of free ports.
    pub(crate) fn new(processes: usize) -> Self {
        let bind = |_| TcpListener::bind("127.0.0.1:0").expect("a free port");
        let listeners: Vec<TcpListener> = (0..processes).map(bind).collect();
        let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
        let site = Self { folder: TestFolder::new(), ports: listeners.iter().map(port).collect() };
        let lines = site.ports.iter().map(|port| format!("127.0.0.1:{port}\n"));
        site.write_hosts(&lines.collect::<String>());
        site
    }

    pub(crate) fn write_hosts(&self, text: &str) {
        self.write("hosts", text);
    }

    /// Writes a file in the folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path(name)
    }

    /// Name of a process in sentences.
    pub(crate) fn name(&self, process: usize) -> String {
        format!("process {process} (127.0.0.1:{})", self.ports[process])
    }

    /// Returns the table of the tiered solver in one process.
    pub(crate) fn table_of_one(&self, spec: &str) -> Vec<u8> {
        let (file, _) = self.folder.solve(spec, &["--solver", "tiered"]);
        fs::read(file).expect("the table")
    }

    /// Starts a process; `call` has the game and options, with spaces between them.
    pub(crate) fn start(&self, process: usize, call: &str) -> Process {
        self.start_with_hosts(process, "hosts", call)
    }

    /// As [`Site::start`], with a hosts file of its own.
    pub(crate) fn start_with_hosts(&self, process: usize, hosts: &str, call: &str) -> Process {
        let call = format!("cluster solve {call} --hosts {hosts} --process {process}");
        self.spawn(&format!("process {process}"), program(), &call)
    }

    /// As [`Site::start`]; no file can be longer than `bytes`, as on a full disk.
    pub(crate) fn start_with_room(&self, process: usize, bytes: u64, call: &str) -> Process {
        self.start_limited(process, &format!("-f {}", bytes / 512), call)
    }

    /// As [`Site::start`], with a limit of the shell's `ulimit`.
    pub(crate) fn start_limited(&self, process: usize, limit: &str, call: &str) -> Process {
        let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_hindsight")]);
        let call = format!("cluster solve {call} --hosts hosts --process {process}");
        self.spawn(&format!("process {process}"), shell, &call)
    }

    /// Starts all processes with the same call.
    pub(crate) fn start_all(&self, call: &str) -> Vec<Process> {
        let processes = 0..self.ports.len();
        processes.map(|process| self.start(process, call)).collect()
    }

    /// Starts `cluster local`.
    pub(crate) fn local(&self, processes: usize, call: &str) -> Process {
        let call = format!("cluster local -n {processes} solve {call}");
        self.spawn("local", program(), &call)
    }

    /// Starts a command in a process group of its own.
    fn spawn(&self, name: &str, mut command: Command, call: &str) -> Process {
        let stdout = self.path(&format!("{name}.stdout"));
        let stderr = self.path(&format!("{name}.stderr"));
        command
            .args(call.split_whitespace())
            .current_dir(self.folder.0.path())
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null())
            .stdout(File::create(&stdout).expect("a file"))
            .stderr(File::create(&stderr).expect("a file"))
            .process_group(0);
        Process {
            child: command.spawn().expect("it runs"),
            name: name.into(),
            stdout,
            stderr,
            has_ended: false,
        }
    }

    /// Identity of the last commit in the checkpoint `ck` of `processes` processes; `None` if
    /// there is none yet.
    pub(crate) fn commit(&self, processes: usize) -> Option<(u64, SystemTime)> {
        let file = self.path(&format!("ck/process-0-of-{processes}/commit.part"));
        let data = fs::metadata(file).ok()?;
        Some((data.ino(), data.modified().ok()?))
    }

    /// Checks that the table `t` was written.
    pub(crate) fn check_table(&self, table: &[u8], context: &str) {
        let written = fs::read(self.path("t"));
        assert!(written.is_ok_and(|written| written == table), "{context}");
    }

    pub(crate) fn has_table(&self) -> bool {
        Path::new(&self.path("t")).exists()
    }
}

/// Random numbers, the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Next number, from 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 24)
    }
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hindsight"))
}

/// Running call, killed with all that it has started when it is dropped.
pub(crate) struct Process {
    child: Child,
    name: String,
    stdout: String,
    stderr: String,
    has_ended: bool,
}

impl Process {
    /// Text on standard output until now.
    pub(crate) fn stdout(&self) -> String {
        fs::read_to_string(&self.stdout).expect("an answer is text")
    }

    /// Text on standard error until now.
    pub(crate) fn stderr(&self) -> String {
        fs::read_to_string(&self.stderr).expect("errors are text")
    }

    /// Sends a signal, such as `KILL`.
    pub(crate) fn signal(&self, signal: &str) {
        assert!(kill(&format!("-{signal} {}", self.child.id())));
    }

    /// Sends a signal to the process and to all that it has started, as a terminal does.
    pub(crate) fn signal_group(&self, signal: &str) {
        assert!(kill(&format!("-{signal} -{}", self.child.id())));
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.has_ended |= self.child.try_wait().expect("a child").is_some();
        self.has_ended
    }

    /// Waits for the end, which must come in time. Returns the exit code; `None` after a signal
    /// that was not caught.
    pub(crate) fn end(&mut self, within: Duration) -> Option<i32> {
        let begin = Instant::now();
        while !self.has_ended() {
            let (name, waited) = (&self.name, begin.elapsed());
            assert!(waited < within, "{name} goes on: {}", self.stderr());
            sleep(Duration::from_millis(5));
        }
        let stderr = self.stderr();
        assert!(!stderr.contains("panicked"), "{}: {stderr}", self.name);
        self.child.wait().expect("a child").code()
    }

    /// Checks that a solve ends well.
    pub(crate) fn check_done(&mut self) {
        let code = self.end(SOLVE);
        assert_eq!(code, Some(0), "{}: {}", self.name, self.stderr());
    }

    /// Checks that the process is refused in time; returns its error, of one line.
    pub(crate) fn refusal(&mut self, within: Duration) -> String {
        let code = self.end(within);
        let stderr = self.stderr();
        assert_eq!(code, Some(2), "{}: {stderr}", self.name);
        assert_eq!(self.stdout(), "", "{}", self.name);
        assert_eq!(stderr.lines().count(), 1, "{}: {stderr}", self.name);
        assert!(stderr.starts_with("hindsight: "), "{stderr}");
        stderr
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended {
            kill(&format!("-KILL -{}", self.child.id()));
            let _ = self.child.wait();
        }
    }
}

/// Calls `kill`. Returns false if it fails.
pub(crate) fn kill(args: &str) -> bool {
    let mut shell = Command::new("sh");
    let killed = shell.args(["-c", &format!("kill {args}")]).status();
    killed.expect("a shell").success()
}

/// Processes alive that a `cluster local` has started whose options have a text.
pub(crate) fn started_by_local(text: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("a list of processes");
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    // The line of a process that has ended is empty.
    let is_started = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        line.contains("--end-with-input") && line.contains(text)
    };
    numbers.filter(is_started).collect()
}
