//! Answers that clients may keep.

use axum::body::Bytes;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::header_lists::{Preference, items, preferences};
use crate::{Problem, ProblemKind};

/// Time for which clients may keep an answer.
#[derive(Clone, Debug)]
pub(crate) enum Caching {
    /// Not at all: the same request may have another answer.
    Never,
    /// As long as the server says that the content is the same, each time that it is asked.
    Checked {
        /// Tag of the content, in quotes.
        tag: &'static str,
    },
    /// A day; for ever if the client names the digest of the values in the address.
    ByDigest {
        /// Tag of the values and of the form of answers.
        tag: String,
        is_for_ever: bool,
    },
}

impl Caching {
    /// Returns the caching of an answer by values, or by rules, with a digest. It may be kept for
    /// ever if the client has named the values that it knows rightly.
    pub(crate) fn by_digest(digest: &str, is_for_ever: bool) -> Self {
        // Clients send tags with commas between them.
        let digest = digest.replace(',', ";");
        Self::ByDigest {
            tag: format!("W/\"{digest}-1-{}\"", env!("CARGO_PKG_VERSION")),
            is_for_ever,
        }
    }

    /// Returns the answer to a client that has this very answer already.
    pub(crate) fn not_modified(&self, headers: &HeaderMap) -> Option<Response> {
        let tag = match self {
            Self::Never => return None,
            Self::Checked { tag } => tag,
            Self::ByDigest { tag, .. } => tag.as_str(),
        };
        let strong = tag.trim_start_matches("W/");
        let known = items(headers, IF_NONE_MATCH);
        let mut known = known.iter().map(|tag| tag.trim_start_matches("W/"));
        known.any(|known| known == strong || known == "*").then(|| {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            self.add_headers(response.headers_mut());
            response
        })
    }

    /// Returns a body with the headers that say how long it may be kept.
    pub(crate) fn reply(&self, form: &'static str, body: Bytes) -> Response {
        let mut response = ([(CONTENT_TYPE, form)], body).into_response();
        self.add_headers(response.headers_mut());
        response
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        let control = match self {
            Self::Never => "no-store",
            Self::Checked { tag } => {
                headers.insert(ETAG, HeaderValue::from_static(tag));
                "no-cache"
            }
            Self::ByDigest { tag, is_for_ever } => {
                headers.append(VARY, HeaderValue::from_static("accept"));
                if let Ok(tag) = HeaderValue::from_str(tag) {
                    headers.insert(ETAG, tag);
                }
                if *is_for_ever {
                    "public, max-age=31536000, immutable"
                } else {
                    "public, max-age=86400"
                }
            }
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(control));
    }
}

/// The form of most answers.
pub(crate) const JSON: &str = "application/json";

/// Returns the form that a request likes best: of the greatest weight, named rather than by a range
/// such as `*/*`, then the first.
pub(crate) fn accepted(
    headers: &HeaderMap,
    forms: &[&'static str],
) -> Result<&'static str, Problem> {
    let ranges = preferences(headers, ACCEPT);
    if ranges.is_empty() {
        return Ok(forms[0]);
    }
    let liking = |form: &str| {
        let fitting = ranges.iter().filter_map(|range| Some((fit(range, form)?, range.weight)));
        fitting.max_by_key(|(fit, _)| *fit)
    };
    let mut best = None;
    for form in forms {
        let Some((fit, weight)) = liking(form).filter(|(_, weight)| *weight > 0) else {
            continue;
        };
        if best.is_none_or(|(_, liked)| (weight, fit) > liked) {
            best = Some((*form, (weight, fit)));
        }
    }
    let found = best.map(|(form, _)| form);
    found.ok_or_else(|| {
        let detail = format!("the answer is {}", forms.join(" or "));
        Problem::new(ProblemKind::Accept, detail)
    })
}

/// Returns the closeness of a range to a form, 0 to 2; `None` if the form is not in it.
fn fit(range: &Preference, form: &str) -> Option<u8> {
    let group = form.split('/').next().unwrap_or_default();
    match range.name.as_str() {
        name if name == form => Some(2),
        "*/*" | "*" => Some(0),
        name => (name.strip_suffix("/*")? == group).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Caching, JSON, accepted};
    use axum::http::header::{ACCEPT, IF_NONE_MATCH};
    use axum::http::{HeaderMap, HeaderValue};

    fn with(name: axum::http::HeaderName, text: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(text))])
    }

    #[test]
    fn forms_are_chosen_as_clients_ask() {
        let forms = [JSON, "application/x-ndjson"];
        for (accept, form) in [
            ("", JSON),
            ("*/*", JSON),
            ("text/html, application/*;q=0.8", JSON),
            ("application/x-ndjson", "application/x-ndjson"),
            ("application/x-ndjson, */*;q=0.1", "application/x-ndjson"),
            ("Application/JSON; q=0.5", JSON),
            ("application/json;q=0.1, application/x-ndjson;q=0.2", forms[1]),
            ("application/json;q=0, */*", forms[1]),
            ("application/*;q=0, application/json", JSON),
        ] {
            assert_eq!(accepted(&with(ACCEPT, accept), &forms).ok(), Some(form), "{accept}");
        }
        assert!(accepted(&HeaderMap::new(), &forms).is_ok());
        assert!(accepted(&with(ACCEPT, "text/html"), &forms).is_err());
        for refused in ["application/json;q=0", "application/json; Q=0.0, */*", "*/*;q=0"] {
            assert!(accepted(&with(ACCEPT, refused), &[JSON]).is_err(), "{refused}");
        }
        let mut lines = with(ACCEPT, "text/html");
        lines.append(ACCEPT, HeaderValue::from_static("application/json"));
        assert!(accepted(&lines, &[JSON]).is_ok());
    }

    #[test]
    fn a_tag_is_known_in_either_form() {
        let caching = Caching::by_digest("1-2", false);
        let tag = format!("\"1-2-1-{}\"", env!("CARGO_PKG_VERSION"));
        let known: &'static str = Box::leak(format!("\"x\", W/{tag}").into_boxed_str());
        assert!(caching.not_modified(&with(IF_NONE_MATCH, known)).is_some());
        assert!(caching.not_modified(&with(IF_NONE_MATCH, "*")).is_some());
        let mut lines = with(IF_NONE_MATCH, "\"x\"");
        lines.append(IF_NONE_MATCH, HeaderValue::from_static(known));
        assert!(caching.not_modified(&lines).is_some());
        assert!(caching.not_modified(&with(IF_NONE_MATCH, "\"1-2\"")).is_none());
        assert!(Caching::Never.not_modified(&with(IF_NONE_MATCH, "*")).is_none());
    }
}
