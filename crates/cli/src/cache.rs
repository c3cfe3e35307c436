//! The cache of endgames, and the command `cache`.

use anyhow::{Result, anyhow, bail};
use hindsight_answers::CacheAnswer;
use hindsight_answers::report::TextTable;
use hindsight_games::AnalysisCache;

use crate::args::{CacheAction, CacheArgs};
use crate::context::Context;
use crate::output::{fitted, print_json, print_message, print_text};
use crate::shown::sizes::{counted, format_size};

pub(crate) fn run(args: &CacheArgs, context: &Context) -> Result<()> {
    let cache = match &args.cache {
        Some(folder) => AnalysisCache::at(folder),
        None => AnalysisCache::at(AnalysisCache::default_folder().ok_or_else(no_folder_error)?),
    };
    match (args.action, &args.table) {
        (Some(CacheAction::Add), Some(table)) => {
            let cache = AnalysisCache::open(cache.folder())?;
            let table = hindsight_games::open(table)?;
            cache.add_table(&table)?;
        }
        (_, Some(table)) => {
            bail!("'{}' is no action: `hindsight cache add FILE` takes a file", table.display())
        }
        (Some(CacheAction::Clear), None) => cache.clear()?,
        (_, None) => {}
    }
    let answer = CacheAnswer::new(&cache)?;
    if context.json { print_json(&answer) } else { print_text(&text(&answer)) }
}

fn no_folder_error() -> anyhow::Error {
    anyhow!("neither XDG_CACHE_HOME nor HOME names a folder: name one with --cache DIR")
}

/// Opens the cache that an option names, or the default one. `none` is no cache.
///
/// A default folder that cannot be used is no failure: a message says so.
///
/// # Errors
/// An error if a folder that is named cannot be used.
pub(crate) fn open_cache(named: Option<&str>, context: &Context) -> Result<Option<AnalysisCache>> {
    match named {
        Some("none") => return Ok(None),
        Some(folder) => {
            let cache = AnalysisCache::open(folder).map_err(|error| {
                let error = anyhow::Error::from(error);
                anyhow!("{error:#}; --cache names a folder that can be written, or none")
            });
            return cache.map(Some);
        }
        None => {}
    }
    let opened = match AnalysisCache::default_folder() {
        Some(folder) => AnalysisCache::open(folder).map_err(Into::into),
        None => Err(no_folder_error()),
    };
    let note = |error: &anyhow::Error| {
        if !context.quiet {
            print_message(&format!("note: nothing is kept for later: {error:#}"));
        }
    };
    Ok(opened.inspect_err(note).ok())
}

fn text(cache: &CacheAnswer) -> String {
    let mut table = TextTable::new("rl");
    for file in &cache.files {
        table.push([&format_size(file.bytes), &file.name]);
    }
    let files = counted(cache.files.len() as u64, "file");
    let total = format_size(cache.bytes);
    format!("{}\n{files}, {total}\n{}", cache.folder, fitted(&table))
}
