//! Headers whose values are lists: several lines of one name are one list.

use axum::http::header::{ACCEPT_ENCODING, AsHeaderName, HeaderName};
use axum::http::{HeaderMap, HeaderValue};

/// Preference of an item that tells none, in thousandths.
const FULL: u16 = 1000;

/// Returns the items of a list, without spaces around them. Bytes that are no text are replaced.
pub(crate) fn items(headers: &HeaderMap, name: impl AsHeaderName) -> Vec<String> {
    let lines = headers.get_all(name).iter();
    let lines = lines.map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned());
    let all = lines.collect::<Vec<_>>().join(",");
    let items = all.split(',').map(str::trim);
    let items = items.filter(|item| !item.is_empty());
    items.map(String::from).collect()
}

/// Item of a list of preferences, such as `text/html;level=1;q=0.5`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Preference {
    /// Name without parameters, in small letters.
    pub(crate) name: String,
    /// Weight in thousandths; 0 refuses.
    pub(crate) weight: u16,
}

/// Returns the items of a list with their weights.
pub(crate) fn preferences(headers: &HeaderMap, name: HeaderName) -> Vec<Preference> {
    let preference = |item: String| {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| {
            let (key, weight) = part.split_once('=')?;
            key.trim_end().eq_ignore_ascii_case("q").then_some(weight)
        });
        Preference { name, weight: weight.map_or(FULL, |weight| thousandths(weight.trim())) }
    };
    items(headers, name).into_iter().map(preference).collect()
}

/// Returns a weight such as `0.5` in thousandths. A text that is no weight has the full one.
fn thousandths(weight: &str) -> u16 {
    let number = weight.parse::<f32>().ok();
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.map_or(FULL, |number| (number * f32::from(FULL)).round() as u16)
}

/// Leaves `gzip` in `Accept-Encoding` if that is what the client likes best, else nothing. A client
/// that accepts no coding of ours, not even none, gets the plain answer (RFC 9110, 12.5.3).
pub(crate) fn choose_coding(headers: &mut HeaderMap) {
    let listed = preferences(headers, ACCEPT_ENCODING);
    let weight = |names: &[&str]| {
        let named = listed.iter().find(|item| names.contains(&&*item.name));
        named.map(|item| item.weight)
    };
    let gzip = weight(&["gzip", "x-gzip"]).or_else(|| weight(&["*"]));
    let plain = weight(&["identity"]).unwrap_or(0);
    headers.remove(ACCEPT_ENCODING);
    if gzip.is_some_and(|gzip| gzip > 0 && gzip >= plain) {
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&'static str]) -> HeaderMap {
        let lines = lines.iter().map(|line| HeaderValue::from_static(line));
        lines.map(|line| (ACCEPT_ENCODING, line)).collect()
    }

    #[test]
    fn several_lines_are_one_list() {
        let listed = items(&of(&["a , b;q=0", "", ",c"]), ACCEPT_ENCODING);
        assert_eq!(listed, ["a", "b;q=0", "c"]);
        let listed = preferences(&of(&["A/B; x=1 ;Q=0.25, c;q=0.0", "d;q=x"]), ACCEPT_ENCODING);
        let weights = listed.iter().map(|item| (&*item.name, item.weight));
        let expected = [("a/b", 250), ("c", 0), ("d", 1000)];
        assert_eq!(weights.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn gzip_is_left_only_to_those_who_like_it() {
        let cases: [(&[&str], bool); 12] = [
            (&[], false),
            (&["gzip"], true),
            (&["deflate", "X-GZIP;q=0.1"], true),
            (&["*"], true),
            (&["identity;q=0"], false),
            (&["*;q=0"], false),
            (&["gzip;q=0, identity;q=0"], false),
            (&["gzip;q=0, *"], false),
            (&["identity;q=0, gzip;q=0.001"], true),
            (&["gzip;q=0.5, identity"], false),
            (&["gzip;q=0.5, identity;q=0.5"], true),
            (&["identity, *;q=0.1"], false),
        ];
        for (lines, is_left) in cases {
            let mut headers = of(lines);
            choose_coding(&mut headers);
            assert_eq!(headers.contains_key(ACCEPT_ENCODING), is_left, "{lines:?}");
        }
    }
}
