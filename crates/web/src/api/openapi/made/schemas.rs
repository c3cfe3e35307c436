//! Parts of the schemas that the types do not tell: words, keys that are always there, bounds.

use serde_json::{Map, Value, json};

use super::words::{VALUES, theme_names, uniqueness_names};
use crate::limits::POSITIONS_A_REQUEST;

/// Keys of answers that may be absent.
const MAY_BE_ABSENT: [&str; 18] = [
    "all_state_histogram",
    "all_states",
    "at",
    "bound",
    "canonical",
    "card",
    "fence",
    "leaves",
    "moves",
    "parameter",
    "place",
    "played",
    "positions",
    "sign",
    "state_histogram",
    "states",
    "step",
    "text",
];

/// Completes the schemas of a description.
pub(super) fn complete_schemas(description: &mut Value) {
    let schemas = &mut description["components"]["schemas"];
    for (name, schema) in schemas.as_object_mut().into_iter().flatten() {
        complete(schema, name.ends_with("Request"));
    }
    // Lists of tables always have a key of this name.
    let position = schemas["PositionReply"]["required"].as_array_mut();
    position.into_iter().for_each(|keys| keys.retain(|key| key != "positions"));
    let batch = &mut schemas["BatchRequest"];
    batch["properties"]["positions"]["maxItems"] = json!(POSITIONS_A_REQUEST);
}

/// Completes a schema and those inside of it.
fn complete(schema: &mut Value, is_request: bool) {
    if let Value::Object(schema) = schema {
        allow_several(schema);
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for (key, property) in properties.iter_mut() {
                complete_property(key, property);
            }
            let keys = properties.keys().cloned().collect();
            if !is_request {
                require(schema, keys);
            }
        }
    }
    let inner: Vec<&mut Value> = match schema {
        Value::Object(schema) => schema.values_mut().collect(),
        Value::Array(schemas) => schemas.iter_mut().collect(),
        _ => return,
    };
    for schema in inner {
        complete(schema, is_request);
    }
}

/// Lets an answer be of several alternatives: one may have all keys of another.
fn allow_several(schema: &mut Map<String, Value>) {
    if let Some(alternatives) = schema.remove("oneOf") {
        schema.insert(String::from("anyOf"), alternatives);
    }
}

/// Requires the keys that are always there.
fn require(schema: &mut Map<String, Value>, keys: Vec<String>) {
    let required = schema.entry("required").or_insert(json!([]));
    let Value::Array(required) = required else {
        return;
    };
    for key in keys {
        if !MAY_BE_ABSENT.contains(&key.as_str()) && !required.contains(&json!(key)) {
            required.push(json!(key));
        }
    }
}

fn complete_property(key: &str, property: &mut Value) {
    if key == "seed" {
        // The number may be greater than the greatest of 64 bits with a sign.
        property.as_object_mut().map(|seed| seed.remove("format"));
    }
    if key == "themes" {
        property["items"]["enum"] = json!(theme_names());
    }
    if let Some(mut words) = words(key) {
        let form = &property["type"];
        if form.as_array().is_some_and(|forms| forms.contains(&json!("null"))) {
            words.push(Value::Null);
        }
        property["enum"] = Value::Array(words);
    }
}

/// Returns the words that a key of a name has.
fn words(key: &str) -> Option<Vec<Value>> {
    let words: &[&str] = match key {
        "value" | "result" => &VALUES,
        "gives" | "gave" => &["nothing", "plies", "draw", "win"],
        "scope" => &["all", "reachable", "sample"],
        "values" => &["table", "solve", "analysis"],
        "source" => &["values", "analyses"],
        "theme" => &theme_names(),
        "unique" => &uniqueness_names(),
        _ => return None,
    };
    Some(words.iter().map(|word| json!(word)).collect())
}
