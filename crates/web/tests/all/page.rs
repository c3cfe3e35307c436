//! The page for browsers: its files, and the data that it begins with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use hindsight_web::{
    ApiLimits, ApiState, PageFiles, ServerOptions, Shelf, WorkPool, WorkPools, router_with_page,
};
use serde_json::{Value, json};
use tower::util::ServiceExt;

use crate::api::{get, table};
use crate::harness::{Response, TestServer};

/// Most bytes of the page and the files that it names, as they are sent.
const MOST_FIRST_BYTES: usize = 60_000;
/// Most bytes of the page and all its files, as they are sent.
const MOST_BYTES: usize = 91_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("page")
}

/// Paths of the files of the page, by a look at the disk.
fn paths() -> Vec<String> {
    let mut paths = vec![String::from("/page/icon.svg")];
    let mut folders = vec![folder().join("js"), folder().join("style")];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder()).expect("a file of the page");
            paths.push(format!("/page/{}", name.to_str().expect("a name")));
        }
    }
    paths
}

/// Returns a line of a file as it is sent: without indentation and types.
fn without_types(line: &str) -> String {
    let mut parts = line.trim().split("/** @type ");
    let first = parts.next().unwrap_or_default().to_string();
    let code = parts.map(|part| part.split_once("*/").map_or("", |(_, code)| code.trim_start()));
    first + &code.collect::<String>()
}

/// Returns the data of the page at an address, which stand in it once.
#[track_caller]
fn data(page: &Response) -> Value {
    assert_eq!(page.status, 200);
    let parts: Vec<&str> = page.text().split("<script").collect();
    let begin = " type=\"application/json\" id=\"server\">";
    let mut blocks = parts.iter().filter_map(|part| part.strip_prefix(begin));
    let block = blocks.next().expect("the data");
    assert!(blocks.next().is_none());
    let (json, _) = block.split_once("</script>").expect("an end");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn every_file_has_its_type_and_is_sent_again_only_if_it_has_changed() {
    let server = TestServer::start();
    let paths = paths();
    assert!(paths.len() > 3, "{paths:?}");
    for path in paths {
        let mut client = server.connect();
        let response = client.get(&path);
        assert_eq!(response.status, 200, "{path}");
        let on_disk = folder().join(path.trim_start_matches("/page/"));
        let on_disk = std::fs::read_to_string(on_disk).expect("a file");
        let mut lines = on_disk.lines().map(without_types);
        for line in response.text().lines() {
            assert!(lines.any(|other| other == line), "{path}: {line}");
        }
        assert!(response.body.len() > on_disk.len() / 3, "{path}");
        let form = match path.rsplit_once('.').expect("an ending").1 {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            _ => "image/svg+xml",
        };
        assert_eq!(response.header("content-type"), Some(form), "{path}");
        assert_eq!(response.header("cache-control"), Some("no-cache"));
        let tag = response.header("etag").expect("a tag");
        assert!(tag.starts_with('"') && tag.len() > 16, "{tag}");
        let again = client.request("GET", &path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!((again.status, again.header("etag")), (304, Some(tag)));
        let other = client.request("GET", &path, "If-None-Match: \"0\"\r\n");
        assert_eq!(other.status, 200);
    }
}

#[test]
fn other_paths_of_the_page_are_problems() {
    let server = TestServer::start();
    for path in [
        "/page",
        "/page/",
        "/page/js",
        "/page/index.html",
        "/page/package.json",
        "/page/js/nothing.js",
        "/page/../Cargo.toml",
        "/page/js/..%2findex.html",
        "/page/js/%ff.js",
        "/style.css",
    ] {
        server.get(path).problem(404, "path");
    }
}

#[test]
fn the_page_names_its_modules_and_says_what_it_may_load() {
    let page = TestServer::start().get("/");
    let headers = ["content-type", "cache-control"].map(|name| page.header(name));
    let html = Some("text/html; charset=utf-8");
    assert_eq!(headers, [html, Some("no-cache")]);
    let policy = page.header("content-security-policy").expect("a policy");
    for part in [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.split("; ").any(|other| other == part), "{part}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    let is_named = |path: &str| {
        let link = format!("<link rel=\"modulepreload\" href=\"{path}\">");
        page.text().contains(&link)
    };
    for path in paths().iter().filter(|path| !path.ends_with(".js")) {
        assert!(!is_named(path), "{path}");
    }
    for path in ["main", "views/moves", "board/board"] {
        assert!(is_named(&format!("/page/js/{path}.js")), "{path}");
    }
    for path in ["views/play", "views/setup", "views/table", "views/puzzles"] {
        assert!(!is_named(&format!("/page/js/{path}.js")), "{path}");
    }
    for part in ["<noscript>", "\"/api/v1\"", "\"/api/v1/openapi.json\""] {
        assert!(page.text().contains(part), "{part}");
    }
    assert!(!page.text().contains("<!--"), "every place is filled");
}

#[test]
fn files_of_the_page_are_no_requests_that_a_client_has_too_many_of() {
    let server =
        TestServer::with(ServerOptions { requests_a_second: Some(2), ..ServerOptions::default() });
    let mut client = server.connect();
    for path in paths().iter().cycle().take(100) {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    let pages = (0..10).map(|_| client.get("/").status);
    assert!(pages.collect::<Vec<_>>().contains(&429));
}

#[test]
fn the_page_is_light() {
    let server = TestServer::start();
    let mut client = server.connect();
    let page = client.get("/");
    let is_first = |path: &String| page.text().contains(&format!("\"{path}\""));
    let mut sizes = [0, 0];
    for path in paths().into_iter().chain([String::from("/")]) {
        let response = client.request("GET", &path, "Accept-Encoding: gzip\r\n");
        sizes[1] += response.body.len();
        if is_first(&path) {
            sizes[0] += response.body.len();
        }
    }
    let [first, all] = sizes;
    assert!(first < MOST_FIRST_BYTES, "{first} bytes for the first paint");
    assert!(all < MOST_BYTES, "{all} bytes");
}

#[test]
fn the_page_begins_with_the_answers_of_the_api() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut shelf = Shelf::default();
    let table = table("onitama:3x3:boar", folder.path());
    shelf.add_table(String::from("o"), table).expect("a table");
    shelf.add_game("quoridor:3x3:1").expect("a game");
    let server = TestServer::serving(ServerOptions::default(), shelf, ApiLimits::default());
    let api = get(&server, "/api/v1");
    let begin = data(&server.get("/"));
    for key in ["version", "all_games", "limits"] {
        assert_eq!(begin[key], api[key], "{key}");
    }
    assert_eq!(begin["tables"], get(&server, "/api/v1/tables"));
    assert_eq!(begin["games"], get(&server, "/api/v1/games"));
    assert_eq!(begin["first"], Value::Null);
    let of_table = data(&server.get("/?view=x&g=o&v=1"));
    let first = json!({
        "id": "o",
        "table": get(&server, "/api/v1/tables/o"),
        "position": get(&server, "/api/v1/tables/o/position"),
    });
    assert_eq!(of_table["first"], first);
}

#[test]
fn a_game_is_described_on_the_page_once_it_is_solved_and_never_solved_for_it() {
    let server = TestServer::start();
    let address = "/?g=Quoridor%3A3X3%3A1&p=a1_c3_1_1_-_-";
    let texts = get(&server, "/api/v1/tables/quoridor:3x3:1/position");
    let text = texts["moves"][0]["to"].as_str().expect("a position");
    let text = text.replace(' ', "_");
    let address = address.replace("a1_c3_1_1_-_-", &text);
    let first = &data(&server.get(&address))["first"];
    assert_eq!(first["id"], "quoridor:3x3:1");
    assert_eq!(first["table"], Value::Null);
    let path = "/api/v1/tables/quoridor:3x3:1";
    let position = get(&server, &format!("{path}/position?p={text}"));
    assert_eq!(first["position"], position);
    assert_eq!(get(&server, "/api/v1/tables"), json!([]));
    let description = get(&server, path);
    let first = &data(&server.get(&address))["first"];
    assert_eq!(first["table"], description);
}

#[test]
fn a_board_that_is_named_wrongly_is_none() {
    let server = TestServer::start();
    for query in [
        "g=",
        "g=nothing",
        "g=%ff",
        "g=%00",
        "g=../../etc/passwd",
        "g=tic-tac-toe&p=q",
        "g=tic-tac-toe&p=",
        "g=tic-tac-toe&p=%ff",
        "g=tic-tac-toe&p=xx./oo./...&p=xx./oo./...",
        "g=tic-tac-toe&p=%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "g=%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "g=onitama:3x3:deck.toml:deck=/etc/passwd",
        "p=xx./oo./...",
        "&&=&g",
    ] {
        let page = server.get(&format!("/?{query}"));
        assert_eq!(data(&page)["first"], Value::Null, "{query}");
        assert!(!page.text().contains("alert"), "{query}");
    }
}

#[test]
fn only_games_that_are_served_are_shown() {
    let mut shelf = Shelf::default();
    shelf.add_game("quoridor:3x3:1").expect("a game");
    shelf.close();
    let server = TestServer::serving(ServerOptions::default(), shelf, ApiLimits::default());
    let page = data(&server.get("/?g=tic-tac-toe"));
    assert_eq!((&page["all_games"], &page["first"]), (&json!(false), &Value::Null));
    let page = data(&server.get("/?g=quoridor:3x3:1"));
    assert_eq!(page["first"]["id"], "quoridor:3x3:1");
}

#[tokio::test]
async fn files_of_a_folder_are_read_for_each_request() {
    let page = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(page.path().join(name), text).expect("a file");
    };
    std::fs::create_dir(page.path().join("js")).expect("a folder");
    write("index.html", "<!--modules--> <!--data-->");
    write("js/one.js", "1");
    write("secret.js", "0");
    let pools = WorkPools { quick: WorkPool::new(1, 1), long: WorkPool::new(1, 1) };
    let state = ApiState::new(Shelf::default(), ApiLimits::default(), pools);
    let files = PageFiles::of_folder(page.path().to_path_buf());
    let router = router_with_page(Arc::new(state.expect("threads")), files);
    let ask = async |path: &str| {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let response = router.clone().oneshot(request).await.expect("an answer");
        let is_kept = response.headers()["cache-control"] != "no-store";
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await;
        let text = String::from_utf8(body.expect("a body").into()).expect("UTF-8");
        (text, is_kept)
    };
    assert_eq!(ask("/page/js/one.js").await, (String::from("1"), false));
    write("js/one.js", "11");
    write("js/main.js", "import { two } from './one.js';");
    assert_eq!(ask("/page/js/one.js").await.0, "11");
    assert!(ask("/").await.0.contains("href=\"/page/js/one.js\""));
    for path in ["/page/secret.js", "/page/js/../secret.js"] {
        assert!(ask(path).await.0.contains("/problems/path"), "{path}");
    }
}
