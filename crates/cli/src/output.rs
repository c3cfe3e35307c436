use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Fails if a file exists, unless it may be overwritten.
pub(crate) fn refuse_existing(path: &Path, force: bool) -> Result<()> {
    let Ok(own) = path.symlink_metadata() else {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!(
                "cannot write '{}': there is no folder '{}'",
                path.display(),
                folder.display()
            );
        }
        return Ok(());
    };
    if path.is_dir() {
        bail!("'{}' is a folder; name a file", path.display());
    }
    if !path.is_file() {
        let what = if own.is_symlink() {
            "a link to nothing"
        } else {
            "no ordinary file"
        };
        bail!("'{}' is {what}; choose another name", path.display());
    }
    if !force {
        bail!(
            "'{}' exists; choose another name or add --force",
            path.display()
        );
    }
    Ok(())
}

/// One path for all that lead to a file, be it there or not.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .ok()
}

/// A file that appears under its name only when it is complete. Until then it has another name beside
/// it; dropped before [`Output::finish`], it leaves nothing.
pub(crate) struct Output {
    writer: Option<BufWriter<File>>,
    partial: PathBuf,
    path: PathBuf,
}

impl Output {
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self> {
        refuse_existing(path, force)?;
        // Through a link, so that it stays one.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut name = path
            .file_name()
            .with_context(|| format!("'{}' is no file name", path.display()))?
            .to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        let file =
            File::create(&partial).with_context(|| format!("cannot write '{}'", path.display()))?;
        Ok(Self {
            writer: Some(BufWriter::with_capacity(1 << 18, file)),
            partial,
            path: path.to_owned(),
        })
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        let written = self
            .writer
            .take()
            .expect("not finished before")
            .into_inner()
            .map_err(io::Error::from);
        let renamed = written
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.partial, &self.path));
        renamed.with_context(|| format!("cannot write '{}'", self.path.display()))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().expect("not finished").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().expect("not finished").flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // After a rename there is nothing to remove.
        let _ = fs::remove_file(&self.partial);
    }
}

/// Prints a JSON value and a line break.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Prints text on standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Columns with two spaces between them; the first letter of `align` tells for each column: l or r.
pub(crate) fn table(rows: &[Vec<String>], align: &str) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, width), align) in row
            .iter()
            .zip(&widths)
            .zip(align.chars().chain(std::iter::repeat('l')))
        {
            let cell = if align == 'r' {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            };
            line.push_str(&cell);
            line.push_str("  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number with commas between groups of three digits.
pub(crate) fn with_commas(n: u64) -> String {
    indicatif::HumanCount(n).to_string()
}
