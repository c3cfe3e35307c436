//! The files of the page: those of the program, or of a folder for those who change them.

use std::path::PathBuf;

use axum::body::Bytes;

use super::folder;
use super::imports::first_modules;
use crate::caching::Caching;

const INDEX: &str = include_str!("../../page/index.html");

/// Files in the program: name, tag of the content, content.
const FILES: &[(&str, &str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Files of the page that the server shows to browsers.
#[derive(Clone, Debug)]
pub struct PageFiles {
    /// Folder to read; `None` for the files in the program.
    folder: Option<PathBuf>,
}

/// File of the page.
pub(super) struct PageFile {
    pub(super) content_type: &'static str,
    pub(super) content: Bytes,
    pub(super) caching: Caching,
}

impl PageFiles {
    /// Returns the files that were compiled into the program.
    #[must_use]
    pub(crate) const fn of_program() -> Self {
        Self { folder: None }
    }

    /// Returns the files of a folder. They are read for each request, so that a change is seen at
    /// once.
    #[must_use]
    pub const fn of_folder(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// Returns the first file, in which places are still to be filled; `None` if it cannot be
    /// read.
    pub(super) fn index(&self) -> Option<String> {
        match &self.folder {
            None => Some(String::from(INDEX)),
            Some(folder) => std::fs::read_to_string(folder.join("index.html")).ok(),
        }
    }

    /// Returns the names of the JavaScript modules that the page needs at once.
    pub(super) fn first_modules(&self) -> Vec<String> {
        first_modules(|name| {
            let content = self.file(name)?.content;
            String::from_utf8(content.to_vec()).ok()
        })
    }

    fn names(&self) -> Vec<String> {
        match &self.folder {
            None => FILES.iter().map(|(name, ..)| name.to_string()).collect(),
            Some(folder) => folder::file_names(folder).unwrap_or_default(),
        }
    }

    pub(super) fn file(&self, name: &str) -> Option<PageFile> {
        let content_type = folder::content_type(name)?;
        let Some(folder) = &self.folder else {
            let (_, tag, content) = FILES.iter().find(|(other, ..)| *other == name)?;
            return Some(PageFile {
                content_type,
                content: Bytes::from_static(content),
                caching: Caching::Checked { tag },
            });
        };
        // A name of the list leads to no other folder.
        let name = self.names().into_iter().find(|other| other == name)?;
        let content = std::fs::read(folder.join(name)).ok()?;
        Some(PageFile { content_type, content: content.into(), caching: Caching::Never })
    }
}
