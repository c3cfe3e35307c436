//! Files over https, with certificates of one's own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use hindsight_http::{HttpFile, HttpOptions};
use hindsight_testkit::{FileReply, FileServer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::shared::{options, read};

/// Answer to every request.
const ANSWER: &[u8] =
    b"HTTP/1.1 206 Part\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\nbytes";

fn certificate(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "certificates", name].iter().collect()
}

/// Starts a server of `localhost`; returns the address of a file.
fn start_server() -> String {
    let chain = CertificateDer::from_pem_file(certificate("localhost.pem"));
    let key = PrivateKeyDer::from_pem_file(certificate("localhost-key.pem"));
    let config =
        ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![chain.expect("a certificate")], key.expect("a key"));
    let config = Arc::new(config.expect("a configuration"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream =
                BufReader::new(StreamOwned::new(connection, stream.expect("a stream")));
            let mut line = String::new();
            // Ignored: a client that trusts another certificate leaves.
            while stream.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
                line.clear();
            }
            drop(stream.get_mut().write_all(ANSWER));
        }
    });
    format!("https://localhost:{port}/q.table")
}

/// Server that sends some bytes on every connection, and closes it.
fn start_other_server(sent: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a stream");
            // Ignored: a client may leave at any moment.
            drop(stream.write_all(sent));
            drop(stream.read(&mut [0; 4096]));
        }
    });
    port
}

#[test]
fn a_server_without_encryption_and_one_with_it_are_told_apart() {
    let refusal = |address: &str| {
        let opened = HttpFile::open(address, &options());
        opened.expect_err("a refusal").to_string()
    };
    let without = "the server does not answer with encryption (TLS); an address without it begins \
                   with http://";
    for sent in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"220 mail\r\n"] {
        let port = start_other_server(sent);
        assert_eq!(refusal(&format!("https://127.0.0.1:{port}/q.table")), without);
    }
    let encrypted = start_server().replacen("https", "http", 1);
    let wants = "the server wants encryption: its address begins with https://";
    assert_eq!(refusal(&encrypted), wants);
    let port = start_other_server(b"220 mail\r\n");
    let other = refusal(&format!("http://127.0.0.1:{port}/q.table"));
    assert!(other.starts_with("the server sends no proper answer"), "{other}");
}

#[test]
fn a_server_is_trusted_by_its_certificate_only() {
    let address = start_server();
    let trusting = |name: &str| HttpOptions {
        certificates: Some(certificate(name)),
        ..HttpOptions::default()
    };
    let file = HttpFile::open(&address, &trusting("localhost.pem")).expect("a file");
    assert_eq!(read(&file, 0, 5), Ok(b"bytes".to_vec()));
    let target = address.clone();
    let redirect =
        FileServer::start(move |_| FileReply::of_status(302).with_header("Location", &target));
    let file = HttpFile::open(&redirect.address("q.table"), &trusting("localhost.pem"));
    assert_eq!(read(&file.expect("a file"), 0, 5), Ok(b"bytes".to_vec()));
    let error = HttpFile::open(&address, &HttpOptions::default()).expect_err("a stranger");
    assert!(error.to_string().starts_with("no secure connection to the server: "), "{error}");
    for wrong in ["localhost-key.pem", "missing.pem"] {
        let error = HttpFile::open(&address, &trusting(wrong)).expect_err("no certificate");
        let text = error.to_string();
        assert!(text.starts_with("the certificates of SSL_CERT_FILE cannot be read: "), "{text}");
    }
}
