//! Hosts file: the address of each process, a line each.

use std::net::{SocketAddr, ToSocketAddrs};

use crate::error::ClusterError;

/// Port of a line that names none.
pub const DEFAULT_PORT: u16 = 17_017;

/// Addresses of the processes, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<Host>);

/// Address of one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Host {
    /// Name and port, as the file has them.
    pub(crate) name: String,
    pub(crate) address: SocketAddr,
}

impl Hosts {
    /// Reads a hosts file: a line for each process, `name`, `name:port` or `[address]:port`. The
    /// port of a line without one is [`DEFAULT_PORT`]. Empty lines, and whatever follows a `#`,
    /// are skipped. Looks up each name.
    ///
    /// # Errors
    /// [`ClusterError::Refused`] with the number of the line that is wrong.
    pub fn parse(text: &str) -> Result<Self, ClusterError> {
        let mut hosts: Vec<Host> = Vec::new();
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let refuse = |fault: String| ClusterError::Refused(format!("line {number}: {fault}"));
            let host = Host::parse(line).map_err(refuse)?;
            if let Some(i) = hosts.iter().position(|other| other.address == host.address) {
                let (name, other) = (&host.name, lines[i]);
                return Err(refuse(format!(
                    "{name} is the process of line {other} too; \
                     each process needs a port of its own"
                )));
            }
            hosts.push(host);
            lines.push(number);
        }
        if hosts.is_empty() {
            let message = "it names no host; a line for each process is needed";
            return Err(ClusterError::Refused(message.into()));
        }
        Ok(Self(hosts))
    }

    /// Number of processes, at least 1.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.0.len()
    }

    /// Port of a process.
    #[must_use]
    pub fn port(&self, process: usize) -> u16 {
        self.0[process].address.port()
    }

    pub(crate) fn host(&self, process: usize) -> &Host {
        &self.0[process]
    }

    /// Names a process in a sentence.
    #[must_use]
    pub fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.0[process].name)
    }
}

impl Host {
    fn parse(line: &str) -> Result<Self, String> {
        if line.contains(char::is_whitespace) || line.contains(char::is_control) {
            return Err(format!(
                "{line:?} is no host; a line is a name, or a name and a port, such as node7:17017"
            ));
        }
        let has_port = match line.rsplit_once(':') {
            // Every colon of an address of 128 bits lies in brackets, but for that of the port.
            Some((name, _)) => !name.contains(':') || name.ends_with(']'),
            None => false,
        };
        let name = if has_port {
            line.to_owned()
        } else if line.contains(':') && !line.starts_with('[') {
            format!("[{line}]:{DEFAULT_PORT}")
        } else {
            format!("{line}:{DEFAULT_PORT}")
        };
        let port = name.rsplit_once(':').map_or("", |(_, port)| port);
        if port.parse::<u16>().is_ok_and(|port| port > 0) {
            let found = name.to_socket_addrs();
            let address = found
                .map_err(|error| format!("there is no host {name}: {error}"))?
                .next()
                .ok_or_else(|| format!("there is no host {name}"))?;
            return Ok(Self { name, address });
        }
        Err(format!("{port:?} is no port; it is a number from 1 to 65535"))
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_PORT, Hosts};

    #[test]
    fn lines_name_processes_in_order() {
        let hosts = Hosts::parse("# two\n127.0.0.1:9001\n\n 127.0.0.1 # the other\n[::1]:9\n::1\n");
        let hosts = hosts.expect("four lines");
        let ports: Vec<u16> = (0..4).map(|i| hosts.host(i).address.port()).collect();
        assert_eq!(ports, [9001, DEFAULT_PORT, 9, DEFAULT_PORT]);
        assert_eq!(hosts.name(1), "process 1 (127.0.0.1:17017)");
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, fault) in [
            ("", "names no host"),
            ("#\n \n", "names no host"),
            ("127.0.0.1\n127.0.0.1:17017", "line 2: 127.0.0.1:17017 is the process of line 1 too"),
            ("localhost:5\n127.0.0.1:5", "line 2"),
            ("127.0.0.1:0", "line 1: \"0\" is no port"),
            ("127.0.0.1:x", "line 1: \"x\" is no port"),
            ("127.0.0.1:70000", "\"70000\" is no port"),
            ("a b", "\"a b\" is no host"),
            (
                "127.0.0.1\nno-such-host.invalid:4",
                "line 2: there is no host no-such-host.invalid:4",
            ),
        ] {
            let error = Hosts::parse(text).expect_err(text).to_string();
            assert!(error.contains(fault), "{text:?}: {error}");
        }
    }
}
