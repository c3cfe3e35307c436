//! A validator of JSON by the schemas of the API's description.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Description of the API, against whose schemas values are checked.
pub(crate) struct Schemas(pub(crate) Value);

/// Keys of an object that a schema describes, or the reason why the value does not fit.
type Fit = Result<BTreeSet<String>, String>;

impl Schemas {
    /// Checks a value, all of whose keys must be described.
    pub(crate) fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let known = self.fit(schema, value)?;
        let keys = value.as_object().into_iter().flat_map(|object| object.keys());
        let undescribed: Vec<&String> = keys.filter(|key| !known.contains(*key)).collect();
        if undescribed.is_empty() {
            Ok(())
        } else {
            Err(format!("the keys {undescribed:?} are not described"))
        }
    }

    /// Returns the schema or answer that a reference names.
    pub(crate) fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let Some(reference) = schema["$ref"].as_str() else {
            return schema;
        };
        let place = reference.trim_start_matches('#');
        self.0.pointer(place).unwrap_or_else(|| panic!("{reference} leads nowhere"))
    }

    fn fit(&self, schema: &Value, value: &Value) -> Fit {
        check_type(schema, value)?;
        check_bounds(schema, value)?;
        let mut known = BTreeSet::new();
        if schema.get("$ref").is_some() {
            known.extend(self.fit(self.resolved(schema), value)?);
        }
        for part in list(schema, "allOf") {
            known.extend(self.fit(part, value)?);
        }
        for word in ["anyOf", "oneOf"] {
            known.extend(self.fit_alternatives(schema, word, value)?);
        }
        self.check_items(schema, value)?;
        known.extend(self.fit_properties(schema, value)?);
        Ok(known)
    }

    fn fit_alternatives(&self, schema: &Value, word: &str, value: &Value) -> Fit {
        let alternatives = list(schema, word);
        let fits: Vec<Fit> = alternatives.iter().map(|one| self.fit(one, value)).collect();
        let good = fits.iter().flatten().count();
        if !alternatives.is_empty() && (good == 0 || (word == "oneOf" && good > 1)) {
            return Err(format!("{good} alternatives of {word} fit {value}: {fits:?}"));
        }
        Ok(fits.into_iter().flatten().flatten().collect())
    }

    fn check_items(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let Some(items) = value.as_array() else {
            return Ok(());
        };
        let first = list(schema, "prefixItems");
        for (index, item) in items.iter().enumerate() {
            let schema = first.get(index).or(schema.get("items"));
            match schema {
                Some(Value::Bool(false)) => return Err(format!("{value} has too many items")),
                Some(schema) => {
                    self.check(schema, item).map_err(|fault| format!("[{index}] {fault}"))?
                }
                None => (),
            }
        }
        Ok(())
    }

    fn fit_properties(&self, schema: &Value, value: &Value) -> Fit {
        let Some(object) = value.as_object() else {
            return Ok(BTreeSet::new());
        };
        for key in list(schema, "required") {
            let key = key.as_str().expect("a key");
            if !object.contains_key(key) {
                return Err(format!("the key {key} is missing in {value}"));
            }
        }
        let mut known = BTreeSet::new();
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(value) = object.get(key) {
                self.check(property, value).map_err(|fault| format!("{key}: {fault}"))?;
                known.insert(key.clone());
            }
        }
        Ok(known)
    }
}

fn list<'a>(schema: &'a Value, word: &str) -> &'a [Value] {
    schema[word].as_array().map_or(&[], Vec::as_slice)
}

fn check_type(schema: &Value, value: &Value) -> Result<(), String> {
    let types = match &schema["type"] {
        Value::Null => return Ok(()),
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let is_of = |name: &Value| match name.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    };
    if types.iter().any(is_of) { Ok(()) } else { Err(format!("{value} is none of {types:?}")) }
}

fn check_bounds(schema: &Value, value: &Value) -> Result<(), String> {
    let words = schema.get("enum").and_then(Value::as_array);
    if words.is_some_and(|words| !words.contains(value)) {
        return Err(format!("{value} is none of {words:?}"));
    }
    let number = |bound: &str| schema[bound].as_f64();
    let size = value.as_f64();
    let is_under = size.zip(number("minimum")).is_some_and(|(size, least)| size < least);
    let is_over = size.zip(number("maximum")).is_some_and(|(size, most)| size > most);
    let length = value.as_array().map(|items| items.len() as f64);
    let is_long = length.zip(number("maxItems")).is_some_and(|(length, most)| length > most);
    if is_under || is_over || is_long { Err(format!("{value} is out of bounds")) } else { Ok(()) }
}

#[test]
fn the_validator_refuses_what_does_not_fit() {
    let schemas = Schemas(json!({"A": {
        "type": "object", "required": ["a"],
        "properties": {"a": {"type": ["string", "null"], "enum": ["x", null]}},
    }}));
    let object = json!({"allOf": [{"$ref": "#/A"}, {
        "required": ["n"],
        "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9},
            "pair": {"prefixItems": [{"type": "integer"}], "items": false},
            "list": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        },
    }]});
    for good in
        [json!({"a": "x", "n": 1}), json!({"a": null, "n": 9, "pair": [1], "list": ["p", "q"]})]
    {
        assert_eq!(schemas.check(&object, &good), Ok(()));
    }
    for bad in [
        json!([]),
        json!({"n": 1}),
        json!({"a": "x"}),
        json!({"a": "y", "n": 1}),
        json!({"a": 1, "n": 1}),
        json!({"a": "x", "n": 0}),
        json!({"a": "x", "n": 10}),
        json!({"a": "x", "n": 1.5}),
        json!({"a": "x", "n": null}),
        json!({"a": "x", "n": 1, "other": 1}),
        json!({"a": "x", "n": 1, "pair": [1, 2]}),
        json!({"a": "x", "n": 1, "list": [1]}),
        json!({"a": "x", "n": 1, "list": ["p", "q", "r"]}),
    ] {
        assert!(schemas.check(&object, &bad).is_err(), "{bad}");
    }
    let number = [json!({"type": "integer"}), json!({"type": "number"})];
    assert!(schemas.check(&json!({"anyOf": number}), &json!(1)).is_ok());
    assert!(schemas.check(&json!({"oneOf": number}), &json!(1)).is_err());
    assert!(schemas.check(&json!({"oneOf": number}), &json!(1.5)).is_ok());
    assert!(schemas.check(&json!({"anyOf": number}), &json!("1")).is_err());
}
