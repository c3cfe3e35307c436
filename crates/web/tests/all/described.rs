//! A server with the description of its API.

use hindsight_web::{ApiLimits, ServerOptions, Shelf};
use serde_json::Value;

use crate::api::{get, table};
use crate::harness::{Response, TestServer};
use crate::schema::Schemas;

/// Path below which an operation is about a table or a game.
pub(crate) const TABLE: &str = "/api/v1/tables/{id}";

/// Server of all games and a table with states, with the description of its API.
pub(crate) struct Described {
    pub(crate) server: TestServer,
    pub(crate) schemas: Schemas,
}

impl Described {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut shelf = Shelf::default();
        let table = table("ostle:3x3:2:1", folder.path());
        shelf.add_table(String::from("o"), table).expect("a table");
        shelf.add_game("quoridor:9x9:10").expect("a game");
        let limits = ApiLimits { seconds: 1.0, ..ApiLimits::default() };
        let server = TestServer::serving(ServerOptions::default(), shelf, limits);
        let schemas = Schemas(get(&server, "/api/v1/openapi.json"));
        Self { server, schemas }
    }

    pub(crate) fn operation(&self, path: &str, method: &str) -> &Value {
        &self.schemas.0["paths"][path][method]
    }

    /// Checks a value against the schema of an answer.
    #[track_caller]
    pub(crate) fn check(&self, operation: &Value, status: u16, form: &str, value: &Value) {
        let response = self.schemas.resolved(&operation["responses"][status.to_string()]);
        let schema = &response["content"][form]["schema"];
        assert!(schema.is_object(), "{status} {form} is not described: {operation}");
        if let Err(fault) = self.schemas.check(schema, value) {
            panic!("{fault}\n{value}");
        }
    }

    /// Checks an answer, whatever its status and form.
    #[track_caller]
    pub(crate) fn check_response(&self, operation: &Value, response: &Response) {
        let form = response.header("content-type").expect("a form");
        self.check(operation, response.status, form, &response.json());
    }
}

/// Returns the path of the description that an address belongs to.
pub(crate) fn described_path(address: &str) -> String {
    let path = address.split('?').next().unwrap_or_default();
    let mut parts = path.split('/');
    let of_table = parts.by_ref().nth(3) == Some("tables") && parts.next().is_some();
    if of_table {
        parts.fold(String::from(TABLE), |path, part| path + "/" + part)
    } else if path.starts_with("/problems/") {
        String::from("/problems/{kind}")
    } else {
        String::from(path)
    }
}

/// Returns each operation with its path and method.
pub(crate) fn operations(description: &Value) -> impl Iterator<Item = (&String, &String, &Value)> {
    let paths = description["paths"].as_object().expect("paths");
    paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().expect("operations");
        operations.iter().map(move |(method, operation)| (path, method, operation))
    })
}
