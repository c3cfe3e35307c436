//! Texts that users type.

use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

/// Text of Python. What UTF-8 cannot hold is replaced, so that it is refused as any wrong text is.
pub(crate) enum TypedText {
    Utf8(PyBackedStr),
    Replaced(String),
}

impl Deref for TypedText {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Utf8(text) => text,
            Self::Replaced(text) => text,
        }
    }
}

impl FromPyObject<'_, '_> for TypedText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let text = object.cast::<PyString>()?;
        Ok(match text.extract::<PyBackedStr>() {
            Ok(text) => Self::Utf8(text),
            Err(_) => Self::Replaced(text.to_string_lossy().into_owned()),
        })
    }
}
