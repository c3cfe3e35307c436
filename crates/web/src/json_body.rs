//! Bodies of requests as JSON, with errors in words of JSON.

use std::fmt;

use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, Visitor,
};

use crate::caching::JSON;
use crate::header_lists::items;
use crate::{Problem, ProblemKind};

/// Most characters of a text that an error repeats.
const SHOWN_CHARACTERS: usize = 40;

/// Reads the body of a request.
pub(crate) fn read_json<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: &[u8],
) -> Result<T, Problem> {
    let is_json = |form: &String| {
        let form = form.split(';').next().unwrap_or_default();
        form.trim().eq_ignore_ascii_case(JSON)
    };
    let forms = items(headers, CONTENT_TYPE);
    if forms.is_empty() || !forms.iter().all(is_json) {
        let detail = "the body is JSON: send it with Content-Type: application/json";
        return Err(Problem::new(ProblemKind::MediaType, detail));
    }
    let codings = items(headers, CONTENT_ENCODING);
    if codings.iter().any(|coding| !coding.eq_ignore_ascii_case("identity")) {
        let detail = "the body may not be compressed: send it without Content-Encoding";
        return Err(Problem::new(ProblemKind::MediaType, detail));
    }
    let wrong = |detail: String| Problem::new(ProblemKind::Body, detail);
    // A mark that some editors write before UTF-8.
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let body: JsonValue = serde_json::from_slice(body)
        .map_err(|error| wrong(format!("the body is no JSON: {error}")))?;
    T::deserialize(body).map_err(|fault| wrong(fault.to_string()))
}

/// JSON as it was sent, whose objects keep the order and repetition of their keys.
enum JsonValue {
    Null,
    Truth(bool),
    Whole(u64),
    Negative(i64),
    Broken(f64),
    Text(String),
    List(Vec<JsonValue>),
    Object(Vec<(String, JsonValue)>),
}

impl<'de> Deserialize<'de> for JsonValue {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = JsonValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<JsonValue, E> {
        Ok(JsonValue::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<JsonValue, E> {
        Ok(JsonValue::Truth(truth))
    }

    fn visit_u64<E>(self, number: u64) -> Result<JsonValue, E> {
        Ok(JsonValue::Whole(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<JsonValue, E> {
        Ok(JsonValue::Negative(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<JsonValue, E> {
        Ok(JsonValue::Broken(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(text.to_string()))
    }

    fn visit_string<E>(self, text: String) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(JsonValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<JsonValue, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = object.next_entry()? {
            pairs.push(pair);
        }
        Ok(JsonValue::Object(pairs))
    }
}

/// Fault of a value, with the way to it.
#[derive(Debug)]
struct BodyFault {
    /// Keys and numbers that lead to the value, such as `pieces[0].cell`.
    place: String,
    what: String,
}

impl BodyFault {
    fn at_key(mut self, key: &str) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("{}{dot}{}", shown(key), self.place);
        self
    }

    fn at_item(mut self, number: usize) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("[{number}]{dot}{}", self.place);
        self
    }
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "the body: {}", self.what),
            place => write!(f, "{place}: {}", self.what),
        }
    }
}

impl std::error::Error for BodyFault {}

impl de::Error for BodyFault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self { place: String::new(), what: what.to_string() }
    }

    fn invalid_type(found: Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        let (wanted, found) = (wanted_words(&wanted.to_string()), found_words(found));
        Self::custom(format!("it should be {wanted}, not {found}"))
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        Self::invalid_type(found, wanted)
    }

    fn invalid_length(length: usize, wanted: &dyn de::Expected) -> Self {
        let wanted = wanted_words(&wanted.to_string());
        Self::custom(format!("it should be {wanted}, not of {length}"))
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        let (key, known) = (shown(key), known.join(", "));
        Self::custom(format!("there is no key '{key}' here; there are {known}"))
    }

    fn missing_field(key: &'static str) -> Self {
        Self::custom(format!("the key '{key}' is missing"))
    }

    fn duplicate_field(key: &'static str) -> Self {
        Self::custom(format!("the key '{key}' is there twice"))
    }
}

/// Returns the first characters of a text.
fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(SHOWN_CHARACTERS).collect();
    if characters.next().is_some() {
        shown.push_str("..");
    }
    shown
}

/// Returns words for a type that the library of JSON names as Rust does.
fn wanted_words(wanted: &str) -> String {
    let whole = |least: &str, most: &str| format!("a whole number from {least} to {most}");
    let words = match wanted {
        "u8" => return whole("0", "255"),
        "i8" => return whole("-128", "127"),
        "u64" | "usize" => return whole("0", &u64::MAX.to_string()),
        "a sequence" => "a list",
        "an array of length 2" | "a tuple of size 2" => "a list of 2 items",
        "a string" => "text",
        "a boolean" => "true or false",
        "a character" => "one character",
        _ => "an object",
    };
    String::from(words)
}

fn found_words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(truth) => truth.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) => format!("\"{}\"", shown(text)),
        Unexpected::Seq => String::from("a list"),
        Unexpected::Map => String::from("an object"),
        _ => String::from("null"),
    }
}

impl<'de> Deserializer<'de> for JsonValue {
    type Error = BodyFault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyFault> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Truth(truth) => visitor.visit_bool(truth),
            Self::Whole(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Broken(number) => visitor.visit_f64(number),
            Self::Text(text) => visitor.visit_string(text),
            Self::List(items) => {
                let length = items.len();
                let mut list = ListReader { items: items.into_iter(), number: 0 };
                let value = visitor.visit_seq(&mut list)?;
                match list.items.len() {
                    0 => Ok(value),
                    rest => {
                        let what =
                            format!("it has {length} items, and should have {}", length - rest);
                        Err(de::Error::custom(what))
                    }
                }
            }
            Self::Object(pairs) => {
                visitor.visit_map(ObjectReader { pairs: pairs.into_iter(), next: None })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyFault> {
        match self {
            Self::Null => visitor.visit_none(),
            some => visitor.visit_some(some),
        }
    }

    /// A list of the values of an object is no object.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BodyFault> {
        match self {
            Self::List(_) => Err(de::Error::invalid_type(Unexpected::Seq, &"an object")),
            other => other.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct ListReader {
    items: std::vec::IntoIter<JsonValue>,
    number: usize,
}

impl<'de> SeqAccess<'de> for ListReader {
    type Error = BodyFault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, BodyFault> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let number = self.number;
        self.number += 1;
        let value = seed.deserialize(item).map_err(|fault| fault.at_item(number));
        value.map(Some)
    }
}

struct ObjectReader {
    pairs: std::vec::IntoIter<(String, JsonValue)>,
    /// Value whose key was read.
    next: Option<(String, JsonValue)>,
}

impl<'de> MapAccess<'de> for ObjectReader {
    type Error = BodyFault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, BodyFault> {
        self.next = self.pairs.next();
        let key = self.next.as_ref().map(|(key, _)| key.as_str());
        let key = key.map(|key| seed.deserialize(key.into_deserializer()));
        key.transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, BodyFault> {
        let (key, value) = self.next.take().unwrap_or((String::new(), JsonValue::Null));
        seed.deserialize(value).map_err(|fault| fault.at_key(&key))
    }
}
