//! Parts that many operations of the description have in common: parameters, and errors.

use serde_json::{Map, Value, json};

use super::words::{VALUES, theme_names, uniqueness_names};
use crate::Problem;
use crate::api::puzzles::{MOST_PLACES, MOST_PUZZLES};
use crate::api::walk::MAX_PLIES;

/// Path below which an operation is about a table or a game.
const TABLE: &str = "/api/v1/tables/{id}";

/// Ends of the paths that need all values of a game.
const BY_VALUES: [&str; 5] = ["/stats", "/line", "/random", "/puzzles", "/choose"];

/// Paths whose answers have no tag.
const UNTAGGED: [&str; 3] = ["/api/v1", "/api/v1/tables", "/api/v1/tables/{id}/analyse"];

/// Errors by status, in words.
const ERRORS: [(u16, &str); 12] = [
    (400, "A parameter, a text or the body is wrong"),
    (404, "There is no such table, address or position"),
    (406, "The answer has none of the forms that are accepted"),
    (408, "The body did not come in time"),
    (409, "The values are not known, there is no move to choose, or positions are texts alone"),
    (413, "The request is too large"),
    (415, "The body is not JSON"),
    (421, "The name of the host is not one of this server"),
    (429, "Too many requests of one address"),
    (431, "The address and the headers are too long"),
    (500, "The server has failed"),
    (503, "Too much work waits, or the file of the table has changed"),
];

/// Completes the operations of a description.
pub(super) fn complete_operations(description: &mut Value) {
    let paths = description["paths"].as_object_mut().into_iter().flatten();
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let place = Place { path, is_post: method == "post" };
            place.complete_parameters(operation);
            place.complete_responses(operation);
        }
    }
    description["components"]["responses"] = errors();
}

/// Place of an operation.
struct Place<'a> {
    path: &'a str,
    is_post: bool,
}

impl Place<'_> {
    fn complete_parameters(&self, operation: &mut Value) {
        let mut parameters = Vec::new();
        if self.path.starts_with(TABLE) {
            let about = "Name of a table, or spec of a game";
            parameters.push(json!({"name": "id", "in": "path", "required": true,
                "description": about, "schema": {"type": "string"}}));
        }
        let own = operation.get_mut("parameters").and_then(Value::as_array_mut);
        parameters.append(own.unwrap_or(&mut Vec::new()));
        if self.path.starts_with(TABLE) && !self.is_post {
            let about =
                "Digest of the values that the client knows; such an answer is kept for ever";
            parameters.push(json!({"name": "v", "in": "query", "required": false,
                "description": about, "schema": {"type": "string"}}));
        }
        for parameter in &mut parameters {
            complete_parameter(parameter);
        }
        if !parameters.is_empty() {
            operation["parameters"] = json!(parameters);
        }
    }

    fn complete_responses(&self, operation: &mut Value) {
        let responses = &mut operation["responses"];
        responses["200"]["description"] = json!("The answer");
        if !self.is_post && !UNTAGGED.contains(&self.path) {
            let about = "The client has this very answer already, as If-None-Match says";
            responses["304"] = json!({"description": about});
        }
        for (status, _) in ERRORS {
            if self.can_fail_with(status) {
                let of_all = format!("#/components/responses/Problem{status}");
                responses[status.to_string()] = json!({"$ref": of_all});
            }
        }
    }

    fn can_fail_with(&self, status: u16) -> bool {
        match status {
            404 => self.path.contains('{'),
            408 | 413 | 415 => self.is_post,
            409 => self.is_post || BY_VALUES.iter().any(|end| self.path.ends_with(end)),
            _ => true,
        }
    }
}

/// Adds what a parameter of a name always has: its description, bounds, words.
fn complete_parameter(parameter: &mut Value) {
    let name = parameter["name"].as_str().unwrap_or_default();
    let schema = match name {
        "p" if parameter.get("description").is_none() => {
            parameter["description"] = json!("Position; `_` is a space; the start if left out");
            return;
        }
        "value" => json!({"type": "string", "enum": VALUES}),
        "theme" => json!({"type": "string", "enum": theme_names()}),
        "unique" => json!({"type": "string", "enum": uniqueness_names()}),
        "count" => whole(1, MOST_PUZZLES),
        "plies" => whole(1, MAX_PLIES),
        "sample" => whole(1, MOST_PLACES),
        "min_plies" | "max_plies" => whole(1, u16::MAX.into()),
        "remoteness" => whole(0, u16::MAX.into()),
        "layer" => whole(0, u32::MAX.into()),
        "seed" => json!({"type": "integer", "minimum": 0}),
        "seconds" => json!({"type": "number", "minimum": 0}),
        _ => return,
    };
    parameter["schema"] = schema;
}

fn whole(least: u64, most: u64) -> Value {
    json!({"type": "integer", "minimum": least, "maximum": most})
}

/// Returns the answers with an error, to which operations refer.
fn errors() -> Value {
    let error = |(status, about): (u16, &str)| {
        let schema = json!({"$ref": "#/components/schemas/Problem"});
        let mut error = json!({
            "description": about,
            "content": {Problem::CONTENT_TYPE: {"schema": schema}},
        });
        if [429, 503].contains(&status) {
            let about = "Seconds after which the request may be sent again";
            let header = json!({"description": about, "schema": whole(0, u32::MAX.into())});
            error["headers"]["Retry-After"] = header;
        }
        (format!("Problem{status}"), error)
    };
    Value::Object(ERRORS.map(error).into_iter().collect::<Map<_, _>>())
}
