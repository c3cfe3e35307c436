//! The command `study merge`: parts of a study, put together.

use anyhow::{Result, bail};

use super::answer::StudyOutcome;
use super::parts::StudyParts;
use super::{Papers, deals, merged_folder};
use crate::args::MergeArgs;
use crate::context::Context;

/// Name of the study of sets of cards, which also has parts.
const ATLAS: &str = "onitama-atlas";

/// Puts the folders of parts together in a new folder, as the study without `--part` makes it.
pub(super) fn run(args: &MergeArgs, context: &Context, papers: Papers<'_>) -> Result<StudyOutcome> {
    merged_folder::check_free(&args.out)?;
    let parts = StudyParts::open(&args.parts)?;
    match &*parts.whole.study {
        ATLAS => papers.studies(ATLAS)?.merge(&parts, &args.out, context),
        deals::NAME => deals::merge(&parts, &args.out, context),
        name => bail!("{name} is no study of parts"),
    }
}
