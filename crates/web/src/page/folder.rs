//! The files of the page in their folder. The build script has this module too.

use std::path::Path;
use std::{fs, io};

/// Files and folders that are served, besides `index.html`.
pub(crate) const ROOTS: [&str; 3] = ["icon.svg", "js", "style"];

/// Returns the names of the files that are served, in ascending order. A name is a path with `/`.
pub(crate) fn file_names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let mut waiting: Vec<String> = ROOTS.map(String::from).into();
    while let Some(name) = waiting.pop() {
        let path = folder.join(&name);
        if path.is_dir() {
            for entry in fs::read_dir(path)? {
                let part = entry?.file_name();
                waiting.push(format!("{name}/{}", part.to_string_lossy()));
            }
        } else if content_type(&name).is_some() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the media type of a file; `None` if it is not served.
pub(crate) fn content_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    match ending {
        "css" => Some("text/css; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
