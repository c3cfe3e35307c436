//! Files of a strong solve: the table, the folder of finished layers, and the disk space for both.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use hindsight_core::Game;
use hindsight_solve::{Error, Layer, NullStore, Store, StoreError};
use hindsight_tablebase::{CheckpointDir, Layout, write_layer_memory};
use serde::Serialize;
use tempfile::{Builder, TempDir};

use crate::args::FileArgs;
use crate::context::Context;
use crate::memory::{self, program_bytes};
use crate::output::{NamedFile, Output, check_distinct, print_message};
use crate::signals::stopped;
use crate::sizes::format_needed;
use crate::temporary::TemporaryPath;

/// Time between two saves of unfinished work.
pub(crate) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(240);

/// Estimate of a table's bytes per rank: the largest measured, with a margin.
const TABLE_BYTES_PER_RANK: f64 = 0.25;

/// As [`TABLE_BYTES_PER_RANK`], for a table of states with more than some thousand positions.
const STATES_TABLE_BYTES_PER_RANK: f64 = 1.25;

/// Estimate of the bytes per rank of an unfinished layer of states in a checkpoint.
const CHECKPOINT_BYTES_PER_RANK: f64 = 2.0;

/// Opens the file of the table, before any other work.
///
/// # Errors
/// An error if the file cannot be written, or if its name is that of a checkpoint's file.
pub(crate) fn open_table(args: &FileArgs, spec: &str, force: bool) -> Result<Option<Output>> {
    let Some(out) = &args.out else {
        return Ok(None);
    };
    let deck = hindsight_rules::deck_file(spec).map(PathBuf::from);
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref())
        .into_iter()
        .collect();
    check_distinct(&inputs, &[NamedFile::new("--out", out)])?;
    let name = out.file_name().and_then(|name| name.to_str());
    let canonical = |path: &Path| path.canonicalize().ok();
    let is_in_checkpoint = args
        .checkpoint
        .as_deref()
        .and_then(canonical)
        .is_some_and(|checkpoint| canonical(parent_folder(out)) == Some(checkpoint));
    if is_in_checkpoint && name.is_some_and(CheckpointDir::is_file_name) {
        bail!(
            "'{}' is a file of the checkpoint; choose another name",
            out.display()
        );
    }
    Output::file(out, "a table", force).map(Some)
}

/// Folder that a path is in; `.` for a bare file name.
fn parent_folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Folder of finished layers. A temporary one is removed when this value is dropped.
pub(crate) struct LayerFolder {
    pub(crate) path: PathBuf,
    _temporary: Option<(TempDir, TemporaryPath)>,
}

/// Folder of finished layers: that of `--checkpoint`, or a temporary one beside the table.
pub(crate) fn layer_folder(args: &FileArgs) -> Result<Option<LayerFolder>> {
    if let Some(path) = &args.checkpoint {
        return Ok(Some(LayerFolder {
            path: path.clone(),
            _temporary: None,
        }));
    }
    let Some(out) = &args.out else {
        return Ok(None);
    };
    let parent = parent_folder(out);
    let temporary = Builder::new()
        .prefix(".hindsight-")
        .suffix(".layers")
        .tempdir_in(parent)
        .with_context(|| format!("cannot make a folder in '{}'", parent.display()))?;
    let path = temporary.path().to_owned();
    let removed_at_exit = TemporaryPath::new(&path);
    Ok(Some(LayerFolder {
        path,
        _temporary: Some((temporary, removed_at_exit)),
    }))
}

/// Stand-in for a store of files that does not exist yet: it knows the memory that writing takes.
pub(crate) struct PlannedStore<G> {
    layout: Layout,
    game: PhantomData<fn(G)>,
}

impl<G> PlannedStore<G> {
    pub(crate) fn new(layout: Layout) -> Self {
        let game = PhantomData;
        Self { layout, game }
    }
}

impl<G: Game> Store for PlannedStore<G> {
    fn takes(&self, _: u32, ranks: u64, tiers: u64) -> u64 {
        let threads = rayon::current_num_threads();
        write_layer_memory::<G>(ranks, tiers, self.layout, threads)
    }

    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        NullStore.put(layer)
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        NullStore.has(layer)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        NullStore.get(layer)
    }
}

/// Estimated disk needs of a solve: pairs of path and bytes.
#[derive(Default)]
pub(crate) struct DiskNeeds<'a>(Vec<(&'a Path, u64)>);

impl<'a> DiskNeeds<'a> {
    /// Returns the needs of a table of `bytes` bytes, and of finished layers of the same size.
    fn for_table(args: &'a FileArgs, bytes: u64) -> Self {
        let layers = args.checkpoint.as_ref().or(args.out.as_ref());
        let paths = [args.out.as_ref(), layers].into_iter().flatten();
        Self(paths.map(|path| (&**path, bytes)).collect())
    }

    /// Needs of a table of values of `ranks` ranks, with its finished layers.
    pub(crate) fn for_values(args: &'a FileArgs, ranks: u64) -> Self {
        Self::for_table(
            args,
            (ranks as f64 * TABLE_BYTES_PER_RANK) as u64 + (1 << 20),
        )
    }

    /// Needs of a table of states or of distances of `ranks` ranks, with its finished layers.
    /// The last two saves of the largest unfinished part, of `largest` ranks, are included.
    pub(crate) fn for_states(args: &'a FileArgs, ranks: u64, largest: u64) -> Self {
        let bytes = (ranks as f64 * STATES_TABLE_BYTES_PER_RANK) as u64 + (1 << 20);
        let checkpoint_bytes = (2.0 * CHECKPOINT_BYTES_PER_RANK * largest as f64) as u64;
        Self::for_table(args, bytes).plus_checkpoint(args, checkpoint_bytes)
    }

    /// Adds `bytes` bytes of unfinished work in the checkpoint, if there is one.
    pub(crate) fn plus_checkpoint(mut self, args: &'a FileArgs, bytes: u64) -> Self {
        self.0
            .extend(args.checkpoint.as_ref().map(|path| (&**path, bytes)));
        self
    }

    /// Prints the needs of memory and disk of `work`, followed by `note`, on standard error.
    /// `memory` is bytes of the solver, without [`program_bytes`].
    pub(crate) fn report(&self, work: &str, memory: u64, note: &str, context: &Context) {
        if context.quiet {
            return;
        }
        let memory = format_needed(memory.saturating_add(program_bytes()));
        let disk = match self.0.iter().map(|need| need.1).sum() {
            0 => String::new(),
            bytes => format!(", at most {} of disk", format_needed(bytes)),
        };
        print_message(&format!("{work}, {memory} of memory{disk}{note}"));
    }

    /// As [`DiskNeeds::report`], then [`DiskNeeds::check`].
    pub(crate) fn report_and_check(
        &self,
        work: &str,
        memory: u64,
        note: &str,
        context: &Context,
    ) -> Result<()> {
        self.report(work, memory, note, context);
        self.check()
    }

    /// Refuses needs that exceed the free space of a disk.
    pub(crate) fn check(&self) -> Result<()> {
        memory::check_disk(&self.0)
    }
}

/// Returns a note on the largest storable remoteness. The note is printed before the solve, since
/// the solve meets longer wins only at its end.
pub(crate) fn remoteness_limit_text(max_remoteness: u16) -> String {
    format!("; wins and losses in more than {max_remoteness} plies cannot be kept")
}

/// Table file that was written.
#[derive(Clone, Serialize)]
pub(crate) struct TableFileSummary {
    pub(crate) file: String,
    pub(crate) layout: String,
    pub(crate) bytes: u64,
    /// Time of writing, layers included; not a part of the time of the solve.
    pub(crate) seconds: f64,
}

/// Writes the table of all finished layers, if one is requested.
/// `layer_time` is the time that writing the layers took.
pub(crate) fn write_table(
    layers: Option<&CheckpointDir>,
    out: Option<Output>,
    layout: Layout,
    layer_time: Duration,
) -> Result<Option<TableFileSummary>> {
    let (Some(layers), Some(mut out)) = (layers, out) else {
        return Ok(None);
    };
    if stopped() {
        return Err(Error::Stopped.into());
    }
    let begin = Instant::now();
    let name = out.name().canonicalize();
    let file = name.unwrap_or_else(|_| out.name().to_owned());
    let finished = layers.finish(&mut out);
    let bytes = finished.map_err(|error| match error {
        // The source names the file itself.
        hindsight_tablebase::TableError::Io { source, .. } => source.into(),
        error => anyhow::Error::from(error),
    })?;
    out.finish()?;
    Ok(Some(TableFileSummary {
        file: file.display().to_string(),
        layout: layout.to_string(),
        bytes,
        seconds: (layer_time + begin.elapsed()).as_secs_f64(),
    }))
}
