//! Answers that clients may keep.

use axum::body::Bytes;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

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
        let known = headers.get(IF_NONE_MATCH)?.to_str().ok()?;
        let strong = tag.trim_start_matches("W/");
        let mut known = known
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"));
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
                match is_for_ever {
                    true => "public, max-age=31536000, immutable",
                    false => "public, max-age=86400",
                }
            }
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(control));
    }
}

/// The form of most answers.
pub(crate) const JSON: &str = "application/json";

/// Returns the first of some forms that a request accepts.
pub(crate) fn accepted(
    headers: &HeaderMap,
    forms: &[&'static str],
) -> Result<&'static str, Problem> {
    let mut ranges = Vec::new();
    for header in headers.get_all(ACCEPT) {
        ranges.extend(header.to_str().unwrap_or_default().split(','));
    }
    if ranges.iter().all(|range| range.trim().is_empty()) {
        return Ok(forms[0]);
    }
    let admits = |form: &str, range: &str| {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let is_refused = parts.any(|part| ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains(&part));
        let group = form.split('/').next().unwrap_or_default();
        let fits = kind.eq_ignore_ascii_case(form)
            || kind == "*/*"
            || kind
                .strip_suffix("/*")
                .is_some_and(|kind| kind.eq_ignore_ascii_case(group));
        fits && !is_refused
    };
    // A form that is named comes before one that a range admits.
    let named = |form: &&&str| {
        ranges
            .iter()
            .any(|range| admits(form, range) && !range.contains('*'))
    };
    let ranged = |form: &&&str| ranges.iter().any(|range| admits(form, range));
    let found = forms
        .iter()
        .find(named)
        .or_else(|| forms.iter().find(ranged));
    found.copied().ok_or_else(|| {
        let detail = format!("the answer is {}", forms.join(" or "));
        Problem::new(ProblemKind::Accept, detail)
    })
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
        ] {
            assert_eq!(
                accepted(&with(ACCEPT, accept), &forms).ok(),
                Some(form),
                "{accept}"
            );
        }
        assert!(accepted(&HeaderMap::new(), &forms).is_ok());
        assert!(accepted(&with(ACCEPT, "text/html"), &forms).is_err());
        assert!(accepted(&with(ACCEPT, "application/json;q=0"), &[JSON]).is_err());
    }

    #[test]
    fn a_tag_is_known_in_either_form() {
        let caching = Caching::by_digest("1-2", false);
        let tag = format!("\"1-2-1-{}\"", env!("CARGO_PKG_VERSION"));
        let known: &'static str = Box::leak(format!("\"x\", W/{tag}").into_boxed_str());
        assert!(caching.not_modified(&with(IF_NONE_MATCH, known)).is_some());
        assert!(caching.not_modified(&with(IF_NONE_MATCH, "*")).is_some());
        assert!(
            caching
                .not_modified(&with(IF_NONE_MATCH, "\"1-2\""))
                .is_none()
        );
        assert!(
            Caching::Never
                .not_modified(&with(IF_NONE_MATCH, "*"))
                .is_none()
        );
    }
}
