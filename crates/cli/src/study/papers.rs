//! The studies of papers, which are in the program `hindsight-papers`.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::answer::StudyOutcome;
use super::parts::StudyParts;
use crate::args::{StudyArgs, StudyName};
use crate::context::Context;

/// Studies of papers, which `hindsight-papers` has.
pub trait PaperStudies: Sync {
    /// Runs a study. Options of other studies are refused already.
    ///
    /// # Errors
    /// If an option is wrong, or a file cannot be read.
    fn run(&self, name: StudyName, args: &StudyArgs, context: &Context) -> Result<StudyOutcome>;

    /// Puts the parts of the atlas together in a new folder.
    ///
    /// # Errors
    /// If the parts are not whole, or a file cannot be read or written.
    fn merge(&self, parts: &StudyParts, out: &Path, context: &Context) -> Result<StudyOutcome>;
}

/// Where the studies of papers are.
#[derive(Clone, Copy)]
pub(crate) enum Papers<'a> {
    /// In this program.
    Here(&'a dyn PaperStudies),
    /// In the other program, which gets this command line.
    There(&'a [OsString]),
}

/// Name of the other program.
const PROGRAM: &str = "hindsight-papers";

impl<'a> Papers<'a> {
    /// Returns the studies, if they are here. Otherwise this process becomes the other program.
    ///
    /// # Errors
    /// If there is no other program.
    pub(super) fn studies(self, study: &str) -> Result<&'a dyn PaperStudies> {
        match self {
            Self::Here(studies) => Ok(studies),
            Self::There(line) => match run_program(line, study)? {},
        }
    }
}

/// Puts the other program in place of this process.
fn run_program(line: &[OsString], study: &str) -> Result<Infallible> {
    let beside = beside(line);
    let program = beside.as_deref().unwrap_or(Path::new(PROGRAM));
    let error = Command::new(program).args(line.iter().skip(1)).exec();
    if error.kind() == ErrorKind::NotFound && beside.is_none() {
        bail!(
            "{study} is a study of the program {PROGRAM}, which is neither beside hindsight nor on \
             the path; `cargo build --release --package {PROGRAM}` makes it beside, `cargo install \
             --path papers` puts it on the path"
        );
    }
    Err(error).with_context(|| format!("cannot run '{}'", program.display()))
}

/// Returns the program in the folder from which this one was started, or in which it lies.
///
/// The first may be a folder of links, or a process of Python; the second is not known without
/// `/proc`.
fn beside(line: &[OsString]) -> Option<PathBuf> {
    let started = line.first().map(PathBuf::from).filter(|path| path.components().count() > 1);
    let own = std::env::current_exe().ok();
    let programs = started.into_iter().chain(own).map(|path| path.with_file_name(PROGRAM));
    programs.into_iter().find(|path| path.is_file())
}
