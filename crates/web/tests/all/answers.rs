//! Headers of every answer, and the forms of errors.

use crate::harness::TestServer;

#[test]
fn an_answer_cannot_be_taken_for_another_type_and_any_page_may_read_it() {
    let response = TestServer::start().get("/healthz");
    assert_eq!((response.status, response.text()), (200, "ok\n"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    let policy = response.header("content-security-policy");
    assert_eq!(policy, Some("default-src 'self'"));
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
    assert_eq!(response.header("access-control-allow-credentials"), None);
}

#[test]
fn the_root_of_the_api_describes_the_server() {
    let response = TestServer::start().get("/api/v1");
    let json: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
    assert_eq!((&json["name"], &json["api"]), (&"hindsight".into(), &1.into()));
    assert_eq!(json["limits"]["body_bytes"], 1 << 20);
}

#[test]
fn a_browser_may_ask_before_it_posts() {
    let server = TestServer::start();
    let headers = "Origin: https://example.org\r\nAccess-Control-Request-Method: POST\r\n";
    let response = server.connect().request("OPTIONS", "/test/json", headers);
    assert_eq!(response.status, 200);
    let methods = response.header("access-control-allow-methods");
    assert_eq!(methods, Some("GET,POST,HEAD,OPTIONS"));
    let headers = response.header("access-control-allow-headers");
    assert!(headers.is_some_and(|headers| headers.contains("content-type")));
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let server = TestServer::start();
    let mut client = server.connect();
    let head = client.request("HEAD", "/test/text", "");
    assert_eq!(head.header("content-length"), Some("9000"));
    // The next answer on the connection would begin with the body if there were one.
    assert_eq!(client.get("/healthz").text(), "ok\n");
}

#[test]
fn long_answers_are_compressed_for_those_who_accept_it() {
    let server = TestServer::start();
    let mut client = server.connect();
    let gzip = "Accept-Encoding: gzip\r\n";
    let response = client.request("GET", "/test/text", gzip);
    assert_eq!(response.header("content-encoding"), Some("gzip"));
    assert_eq!(response.body[..2], [0x1f, 0x8b]);
    assert!(response.body.len() < 1000, "{}", response.body.len());
    let short = client.request("GET", "/healthz", gzip);
    assert_eq!(short.header("content-encoding"), None);
    assert_eq!(client.get("/test/text").body.len(), 9000);
}

#[test]
fn unknown_paths_are_problems_and_no_path_leads_to_a_file() {
    let server = TestServer::start();
    let paths = [
        "/api/v2",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/v1/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/%00",
        "/%ff%fe",
        "/api/v1/",
        "/\\..\\..",
    ];
    for path in paths {
        let detail = server.get(path).problem(404, "path");
        assert!(detail.contains("/api/v1"), "{detail}");
    }
}

#[test]
fn other_methods_are_refused_with_those_that_there_are() {
    let server = TestServer::start();
    for method in ["DELETE", "PUT", "PATCH", "POST", "BREW"] {
        let response = server.connect().request(method, "/api/v1", "");
        response.problem(405, "method");
        assert_eq!(response.header("allow"), Some("GET,HEAD"));
    }
    let response = server.get("/test/json");
    response.problem(405, "method");
    assert_eq!(response.header("allow"), Some("POST"));
}

#[test]
fn errors_of_libraries_are_problems() {
    let server = TestServer::start();
    let mut client = server.connect();
    let json = "application/json";
    client.post("/test/json", "text/plain", b"{}").problem(415, "media-type");
    client.post("/test/json", json, b"{\"a\":").problem(400, "body");
    client.post("/test/json", json, b"\xff\xfe").problem(400, "body");
    let nested = "[".repeat(100_000);
    client.post("/test/json", json, nested.as_bytes()).problem(400, "body");
    client.post("/test/bytes", "text/plain", b"\xff").problem(400, "body");
    assert_eq!(client.post("/test/json", json, b"[1]").text(), "[1]");
}

#[test]
fn a_panic_of_a_handler_or_of_its_work_is_one_failed_request() {
    let server = TestServer::start();
    let mut client = server.connect();
    for path in ["/test/panic", "/test/failing-work"] {
        let detail = client.get(path).problem(500, "fault");
        assert!(!detail.contains("as it should"), "{detail}");
    }
    assert_eq!(client.get("/healthz").status, 200);
}
