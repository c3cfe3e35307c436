//! Numbers of the server for Prometheus.

use crate::harness::TestServer;

#[test]
fn requests_are_counted_by_route_and_status() {
    let server = TestServer::start();
    let mut client = server.connect();
    for path in ["/healthz", "/healthz", "/a", "/b", "/c", "/test/panic"] {
        client.get(path);
    }
    let metrics = client.get("/metrics");
    let form = metrics.header("content-type");
    assert!(form.is_some_and(|form| form.starts_with("text/plain; version=0.0.4")));
    let text = metrics.text();
    let lines = [
        "hindsight_requests_total{route=\"/healthz\",status=\"200\"} 2",
        "hindsight_requests_total{route=\"none\",status=\"404\"} 3",
        "hindsight_requests_total{route=\"/test/panic\",status=\"500\"} 1",
        "hindsight_request_seconds_bucket{route=\"/healthz\",le=\"+Inf\"} 2",
        "hindsight_request_seconds_count{route=\"none\"} 3",
        "hindsight_connections 1",
        "hindsight_work_running{pool=\"quick\"} 0",
        "hindsight_work_waiting{pool=\"long\"} 0",
    ];
    for line in lines {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    let memory = text.lines().find(|l| l.starts_with("process_resident_memory_bytes "));
    let memory = memory.and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok());
    assert!(memory.is_some_and(|bytes| bytes > 1 << 20), "{text}");
    let buckets = text.lines().filter(|l| l.contains("bucket{route=\"/healthz\""));
    let counts = buckets.map(|line| line.rsplit(' ').next().and_then(|n| n.parse().ok()));
    let counts: Vec<u64> = counts.map(|count| count.expect("a number")).collect();
    assert!(counts.is_sorted(), "{counts:?}");
}
