//! Files of a strong solve: the table, the folder of finished layers, and the disk space for both.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_answers::TableFileAnswer;
use hindsight_games::files::BlobFolder;
use hindsight_games::{DiskNeeds, SolveFolder, WrittenTable};
use tempfile::{Builder, TempDir};

use crate::args::FileArgs;
use crate::context::Context;
use crate::output::{
    LAYERS_PREFIX, LAYERS_SUFFIX, NamedFile, Output, check_distinct, name_leftover_layers,
    parent_folder, print_message,
};
use crate::process::memory;
use crate::process::temporary::{MadePath, TemporaryPath};
use crate::shown::sizes::{format_needed, format_size};

/// Opens the file of the table, before any other work.
///
/// # Errors
/// An error if the file cannot be written, or if its name is that of a checkpoint's file.
pub(crate) fn open_table(args: &FileArgs, spec: &str, force: bool) -> Result<Option<Output>> {
    let Some(out) = &args.out else {
        return Ok(None);
    };
    let deck = hindsight_rules::deck_file(spec).map(PathBuf::from);
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref()).into_iter().collect();
    check_distinct(&inputs, &[NamedFile::new("--out", out)])?;
    let name = out.file_name().and_then(|name| name.to_str());
    let canonical = |path: &Path| path.canonicalize().ok();
    let is_in_checkpoint = args
        .checkpoint
        .as_deref()
        .and_then(canonical)
        .is_some_and(|checkpoint| canonical(parent_folder(out)) == Some(checkpoint));
    if is_in_checkpoint && name.is_some_and(BlobFolder::is_file_name) {
        bail!("'{}' is a file of the checkpoint; choose another name", out.display());
    }
    Output::file(out, "a table", force).map(Some)
}

/// Folder of finished layers. A temporary one is removed when this value is dropped.
pub(crate) struct LayerFolder {
    path: PathBuf,
    temporary: Option<(TempDir, TemporaryPath)>,
}

impl LayerFolder {
    #[cfg(feature = "cluster")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an error with the name of the table in place of that of a temporary folder.
    pub(crate) fn name_table(&self, error: anyhow::Error, args: &FileArgs) -> anyhow::Error {
        let text = format!("{error:#}");
        match self.naming_table(args)(text.clone()) {
            named if named == text => error,
            named => anyhow!(named),
        }
    }

    /// Returns what puts the name of the table in place of that of a temporary folder in a text.
    pub(crate) fn naming_table(
        &self,
        args: &FileArgs,
    ) -> impl Fn(String) -> String + Send + Sync + use<> {
        let out = args.out.as_ref().filter(|_| self.temporary.is_some());
        let names = out.map(|out| [&self.path, out].map(|path| path.display().to_string()));
        move |text| {
            let names = names.as_ref();
            let parts = names.and_then(|[folder, _]| text.split_once(folder));
            let (Some((before, after)), Some([_, out])) = (parts, names) else {
                return text;
            };
            let after = after.trim_start_matches(|c: char| !matches!(c, '\'' | ':' | ' '));
            format!(
                "{}the layers of '{out}'{}",
                before.trim_end_matches('\''),
                after.trim_start_matches('\'')
            )
        }
    }

    pub(crate) fn of_task(&self, args: &FileArgs, context: &Context) -> SolveFolder<'_> {
        SolveFolder {
            path: &self.path,
            resume: args.resume,
            is_checkpoint: args.checkpoint.is_some(),
            limit_as_begun: !context.memory_is_given,
        }
    }
}

/// Folder of finished layers: that of `--checkpoint`, or a temporary one beside the table.
pub(crate) fn layer_folder(args: &FileArgs) -> Result<Option<LayerFolder>> {
    if let Some(path) = &args.checkpoint {
        return Ok(Some(LayerFolder { path: path.clone(), temporary: None }));
    }
    let Some(out) = &args.out else {
        return Ok(None);
    };
    let parent = parent_folder(out);
    name_leftover_layers(out);
    let mut builder = Builder::new();
    builder.prefix(LAYERS_PREFIX).suffix(LAYERS_SUFFIX);
    let made =
        TemporaryPath::make(|| builder.tempdir_in(parent), |folder| folder.path().to_owned());
    let MadePath { made, temporary } =
        made.with_context(|| format!("cannot make a folder in '{}'", parent.display()))?;
    Ok(Some(LayerFolder { path: made.path().to_owned(), temporary: Some((made, temporary)) }))
}

/// Prints the needs of memory and disk of `work`, followed by `note`, on standard error, and
/// refuses needs that exceed the free space of a disk. `memory` is bytes of the solver, without
/// [`Context::program_bytes`].
pub(crate) fn report_and_check_needs(
    work: &str,
    memory: u64,
    disk: Vec<(&Path, u64)>,
    note: &str,
    context: &Context,
) -> Result<()> {
    if !context.quiet {
        let memory = context.format_needed(memory);
        let disk = match disk.iter().map(|need| need.1).sum() {
            0 => String::new(),
            bytes => format!(", at most {} of disk", format_needed(bytes)),
        };
        print_message(&format!("{work}, {memory} of memory{disk}{note}"));
    }
    memory::check_disk(&disk)
}

/// Returns the needs of a solve by the path that each is for, less the bytes of a checkpoint that
/// exists.
pub(crate) fn disk_needs(args: &FileArgs, needs: DiskNeeds) -> Vec<(&Path, u64)> {
    let out = args.out.as_deref();
    let work = match args.checkpoint.as_deref() {
        Some(folder) => {
            let bytes = needs.layers.saturating_add(needs.unfinished);
            (Some(folder), bytes.saturating_sub(folder_bytes(folder)))
        }
        None => (out, needs.layers),
    };
    let by_path = [(out, needs.table), work].into_iter();
    by_path.filter_map(|(path, bytes)| Some((path?, bytes))).filter(|need| need.1 > 0).collect()
}

/// Bytes of the files in a folder; 0 if it cannot be read.
fn folder_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: DirEntry| Some(entry.metadata().ok()?.len());
    entries.filter_map(bytes).sum()
}

/// Returns a note on the largest storable remoteness. The note is printed before the solve, since
/// the solve meets longer wins only at its end.
pub(crate) fn remoteness_limit_text(max_remoteness: u16) -> String {
    format!("; wins and losses in more than {max_remoteness} plies cannot be kept")
}

/// Describes a table that was written to `out`.
pub(crate) fn table_file(table: WrittenTable, out: &Output) -> TableFileAnswer {
    let name = out.name().canonicalize();
    let file = name.unwrap_or_else(|_| out.name().to_owned());
    TableFileAnswer::new(file.display().to_string(), table)
}

/// Returns the description of a table in a line; `positions` are those of the table.
pub(crate) fn table_file_text(table: &TableFileAnswer, positions: u64) -> String {
    format!(
        "{}, layout {}, {} ({:.4} bytes a position), {:.3} s to write",
        table.file,
        table.layout,
        format_size(table.bytes),
        table.bytes as f64 / positions.max(1) as f64,
        table.seconds
    )
}

/// Gives the table its name, and describes it.
pub(crate) fn table_summary(
    table: Option<WrittenTable>,
    out: Option<Output>,
) -> Result<Option<TableFileAnswer>> {
    let (Some(table), Some(out)) = (table, out) else {
        return Ok(None);
    };
    let summary = table_file(table, &out);
    out.finish()?;
    Ok(Some(summary))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hindsight_games::DiskNeeds;

    use super::{disk_needs, layer_folder};
    use crate::args::FileArgs;

    #[test]
    fn an_error_names_the_table_and_no_temporary_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let args = FileArgs { out: Some(folder.path().join("t")), checkpoint: None, resume: false };
        let layers = layer_folder(&args).expect("room").expect("a folder");
        let file = layers.path.join("layer-000001.part");
        let expected = format!("cannot write the layers of '{}/t': full", folder.path().display());
        for text in [
            format!("cannot write '{}': full", file.display()),
            format!("cannot write {}: full", file.display()),
        ] {
            let named = layers.name_table(anyhow::anyhow!(text), &args);
            assert_eq!(named.to_string(), expected);
        }
        let other = layers.name_table(anyhow::anyhow!("another fault"), &args);
        assert_eq!(other.to_string(), "another fault");
    }

    #[test]
    fn files_of_a_checkpoint_need_no_more_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let checkpoint = folder.path().join("work");
        let out = folder.path().join("table");
        let needs = DiskNeeds { table: 7, layers: 20, unfinished: 300 };
        let args =
            FileArgs { out: Some(out.clone()), checkpoint: Some(checkpoint.clone()), resume: true };
        let expected = |bytes| vec![(&*out, 7), (&*checkpoint, bytes)];
        assert_eq!(disk_needs(&args, needs), expected(320));
        fs::create_dir(&checkpoint).expect("a folder");
        fs::write(checkpoint.join("layer-000000.part"), [0; 100]).expect("room");
        assert_eq!(disk_needs(&args, needs), expected(220));
        fs::write(checkpoint.join("planes.part"), [0; 1000]).expect("room");
        assert_eq!(disk_needs(&args, needs), vec![(&*out, 7)]);
        let without = FileArgs { checkpoint: None, ..args };
        let own = vec![(&*out, 7), (&*out, 20)];
        assert_eq!(disk_needs(&without, needs), own);
    }
}
