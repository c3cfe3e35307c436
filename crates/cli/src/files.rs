//! The files that a solve of every position writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use solve::Error;
use table::{Layout, Work};

use crate::args::FileArgs;
use crate::memory::{format_size, free_disk};
use crate::solve::{Written, explain};

/// A folder of layers; one that is passing is removed when it is dropped.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    passing: bool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.passing {
            // What cannot be removed harms nobody.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Where finished layers go: the checkpoint, or a folder beside the table that goes away.
pub(crate) fn folder(args: &FileArgs) -> Result<Option<Folder>> {
    if let Some(path) = &args.checkpoint {
        return Ok(Some(Folder {
            path: path.clone(),
            passing: false,
        }));
    }
    let Some(out) = &args.out else {
        return Ok(None);
    };
    let mut name = out
        .file_name()
        .with_context(|| format!("'{}' is no file name", out.display()))?
        .to_owned();
    name.push(format!(".{}.layers", std::process::id()));
    Ok(Some(Folder {
        path: out.with_file_name(name),
        passing: true,
    }))
}

/// Refuses what does not fit on the disk, as far as that can be told before.
pub(crate) fn check_disk(args: &FileArgs, needed: u64) -> Result<()> {
    let mut paths = [&args.out, &args.checkpoint].into_iter().flatten();
    paths.try_for_each(|path| check_disk_at(path, needed))
}

/// Refuses what does not fit on the disk that a path is on.
pub(crate) fn check_disk_at(path: &Path, needed: u64) -> Result<()> {
    match free_disk(path) {
        Some(free) if free < needed => bail!(
            "not enough disk for '{}': up to {} may be needed, {} are free",
            path.display(),
            format_size(needed),
            format_size(free)
        ),
        _ => Ok(()),
    }
}

/// Writes the table of all layers, if one is asked for. `spent` was taken by the layers.
pub(crate) fn write(
    work: Option<&Work>,
    (args, layout): (&FileArgs, Layout),
    spent: Duration,
) -> Result<Option<Written>> {
    let (Some(work), Some(out)) = (work, &args.out) else {
        return Ok(None);
    };
    let begin = Instant::now();
    let out: &Path = &out.canonicalize().unwrap_or_else(|_| out.clone());
    let bytes = work.finish_to(out)?;
    Ok(Some(Written {
        file: out.display().to_string(),
        layout: layout.to_string(),
        bytes,
        seconds: (spent + begin.elapsed()).as_secs_f64(),
    }))
}

/// The error of a store as the table's own, so that it is told once.
pub(crate) fn explain_store(error: Error) -> anyhow::Error {
    match error {
        Error::Store(source) => match source.downcast::<table::Error>() {
            Ok(error) => (*error).into(),
            Err(other) => anyhow::anyhow!("{other}"),
        },
        other => explain(other),
    }
}
