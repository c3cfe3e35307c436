//! Parameters in the address of a request.

use std::ops::RangeInclusive;

use axum::http::Uri;
use percent_encoding::percent_decode_str;

use crate::{Problem, ProblemKind};

/// Parameter that every address may have: the digest of the table that the client knows.
const VERSION: &str = "v";

/// Parameters of a request, decoded.
///
/// `%20` and `+` stand for a space, in positions `_` too.
#[derive(Debug)]
pub(crate) struct Query(Vec<(&'static str, String)>);

impl Query {
    /// Reads the parameters of an address, which are some of `allowed` or the version.
    pub(crate) fn read(uri: &Uri, allowed: &[&'static str]) -> Result<Self, Problem> {
        let mut pairs: Vec<(&'static str, String)> = Vec::new();
        let parts = uri.query().unwrap_or_default().split('&');
        for part in parts.filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let name = decode(name)?;
            let names = allowed.iter().copied().chain([VERSION]);
            let known = names.clone().find(|known| *known == name);
            let Some(known) = known else {
                let names = names.collect::<Vec<_>>().join(", ");
                let detail = format!("there is no parameter '{name}' here; there are {names}");
                return Err(Problem::new(ProblemKind::Parameter, detail));
            };
            if pairs.iter().any(|(other, _)| *other == known) {
                let detail = format!("'{known}' is given twice");
                return Err(Problem::new(ProblemKind::Parameter, detail).of_parameter(known));
            }
            let value = decode(value).map_err(|problem| problem.of_parameter(known))?;
            pairs.push((known, value));
        }
        Ok(Self(pairs))
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let pair = self.0.iter().find(|(other, _)| *other == name);
        pair.map(|(_, value)| value.as_str())
    }

    /// Returns the digest of the table that the client knows.
    pub(crate) fn version(&self) -> Option<&str> {
        self.text(VERSION)
    }

    /// Returns a parameter with `_` read as a space.
    pub(crate) fn spaced(&self, name: &str) -> Option<String> {
        self.text(name).map(|text| text.replace('_', " "))
    }

    /// Returns a whole number of a range.
    pub(crate) fn whole(
        &self,
        name: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            wrong(name, text, &format!("a whole number from {least} to {most}"))
        })
    }

    /// Returns a number of seconds of at most `most`.
    pub(crate) fn seconds(&self, most: f64) -> Result<Option<f64>, Problem> {
        let Some(text) = self.text("seconds") else {
            return Ok(None);
        };
        let seconds = text.parse::<f64>().ok();
        let seconds = seconds.filter(|seconds| (0.0..=most).contains(seconds));
        seconds
            .map(Some)
            .ok_or_else(|| wrong("seconds", text, &format!("a number from 0 to {most}")))
    }

    /// Returns the member of a list of words that a parameter names.
    pub(crate) fn word<T: Copy>(
        &self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let known = words.iter().find(|(word, _)| *word == text);
        known.map(|(_, meaning)| Some(*meaning)).ok_or_else(|| {
            let words = words.iter().map(|(word, _)| *word);
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            wrong(name, text, &format!("one of {}", words.join(", ")))
        })
    }

    /// Returns true if a parameter says so.
    pub(crate) fn is_set(&self, name: &'static str) -> Result<bool, Problem> {
        let words = [("true", true), ("false", false), ("1", true), ("0", false), ("", true)];
        Ok(self.word(name, &words)?.unwrap_or(false))
    }
}

fn wrong(name: &'static str, text: &str, right: &str) -> Problem {
    let detail = format!("{name} is {right}, not '{text}'");
    Problem::new(ProblemKind::Parameter, detail).of_parameter(name)
}

/// Decodes a name or a value as forms of web pages encode them: `+` is a space.
pub(crate) fn decode(text: &str) -> Result<String, Problem> {
    let text = text.replace('+', " ");
    let decoded = percent_decode_str(&text).decode_utf8();
    decoded
        .map(String::from)
        .map_err(|_| Problem::new(ProblemKind::Parameter, "a parameter is no text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::Query;
    use axum::http::Uri;

    fn read(query: &str) -> Result<Query, String> {
        let uri: Uri = format!("/x?{query}").parse().expect("an address");
        let problem = |problem| serde_json::to_string(&problem).expect("JSON");
        Query::read(&uri, &["p", "plies", "moves"]).map_err(problem)
    }

    #[test]
    fn texts_are_decoded_and_a_plus_is_a_space() {
        let query = read("p=a%2Fb_c+d%2B&&moves").expect("a query");
        assert_eq!(query.text("p"), Some("a/b_c d+"));
        assert_eq!(query.spaced("p").as_deref(), Some("a/b c d+"));
        assert_eq!(query.is_set("moves").ok(), Some(true));
        assert_eq!(query.text("plies"), None);
    }

    #[test]
    fn wrong_parameters_are_named() {
        for (query, words) in [
            ("q=1", "there is no parameter 'q' here; there are p, plies, moves, v"),
            ("p=1&p=2", "'p' is given twice"),
            ("p=%ff", "no text in UTF-8"),
        ] {
            let problem = read(query).expect_err("a wrong query");
            assert!(problem.contains(words), "{problem}");
        }
        let query = read("plies=-1&moves=perhaps").expect("a query");
        let problem = query.whole("plies", 1..=9).expect_err("a wrong number");
        let text = serde_json::to_string(&problem).expect("JSON");
        assert!(text.contains("plies is a whole number from 1 to 9, not '-1'"), "{text}");
        assert!(query.is_set("moves").is_err());
    }
}
