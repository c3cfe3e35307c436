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

/// Runs the program beside this one, else the one on the path, in place of this process.
fn run_program(line: &[OsString], study: &str) -> Result<Infallible> {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    let program = beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(PROGRAM));
    let error = Command::new(&program).args(line.iter().skip(1)).exec();
    if error.kind() == ErrorKind::NotFound {
        bail!(
            "{study} is a study of the program {PROGRAM}, which is neither beside hindsight nor on \
             the path; `cargo build --release --package {PROGRAM}` makes it"
        );
    }
    Err(error).with_context(|| format!("cannot run '{}'", program.display()))
}
