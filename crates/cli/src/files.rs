//! The files that a solve of every position writes.

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

/// The time between two states of a checkpoint.
pub(crate) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(240);

/// Bytes a rank that a table may take, as far as one can tell before: the largest seen, with a margin.
const TABLE_BYTES_PER_RANK: f64 = 0.25;

/// The same of a table of states, on boards of more than some thousand positions.
const STATES_TABLE_BYTES_PER_RANK: f64 = 1.25;

/// Bytes a rank of an unfinished layer of states in a checkpoint, about.
const CHECKPOINT_BYTES_PER_RANK: f64 = 2.0;

/// Opens the file of the table, before anything else is done.
///
/// # Errors
/// When it cannot be written, or when the checkpoint would write to it too.
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
    let folder = |path: &Path| path.canonicalize().ok();
    let beside = out.parent().filter(|parent| *parent != Path::new(""));
    let is_inside = args
        .checkpoint
        .as_deref()
        .and_then(folder)
        .is_some_and(|own| folder(beside.unwrap_or(Path::new("."))) == Some(own));
    if is_inside && name.is_some_and(CheckpointDir::is_file_name) {
        bail!(
            "'{}' is a file of the checkpoint; choose another name",
            out.display()
        );
    }
    Output::file(out, "a table", force).map(Some)
}

/// A folder of layers; one that is passing is removed when it is dropped.
pub(crate) struct LayerFolder {
    pub(crate) path: PathBuf,
    _temporary: Option<(TempDir, TemporaryPath)>,
}

/// Where finished layers go: the checkpoint, or a folder beside the table that goes away.
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
    let beside = out.parent().filter(|folder| *folder != Path::new(""));
    let beside = beside.unwrap_or(Path::new("."));
    let passing = Builder::new()
        .prefix(".hindsight-")
        .suffix(".layers")
        .tempdir_in(beside)
        .with_context(|| format!("cannot make a folder in '{}'", beside.display()))?;
    let path = passing.path().to_owned();
    let swept = TemporaryPath::new(&path);
    Ok(Some(LayerFolder {
        path,
        _temporary: Some((passing, swept)),
    }))
}

/// Files of layers that are not made yet: they tell what memory the writing of them will take.
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

/// Bytes of disk that a solve takes, as far as one can tell before, and where.
#[derive(Default)]
pub(crate) struct DiskNeeds<'a>(Vec<(&'a Path, u64)>);

impl<'a> DiskNeeds<'a> {
    /// A table of so many bytes and finished layers of as many, each where the options ask for it.
    fn for_table(args: &'a FileArgs, bytes: u64) -> Self {
        let layers = args.checkpoint.as_ref().or(args.out.as_ref());
        let places = [args.out.as_ref(), layers].into_iter().flatten();
        Self(places.map(|path| (&**path, bytes)).collect())
    }

    /// A table of the values of so many ranks, and its finished layers.
    pub(crate) fn for_values(args: &'a FileArgs, ranks: u64) -> Self {
        Self::for_table(
            args,
            (ranks as f64 * TABLE_BYTES_PER_RANK) as u64 + (1 << 20),
        )
    }

    /// A table of states or of distances, its finished layers, and the last two checkpoints of as many ranks
    /// as the largest part that is kept unfinished.
    pub(crate) fn for_states(args: &'a FileArgs, ranks: u64, largest: u64) -> Self {
        let bytes = (ranks as f64 * STATES_TABLE_BYTES_PER_RANK) as u64 + (1 << 20);
        let kept = (2.0 * CHECKPOINT_BYTES_PER_RANK * largest as f64) as u64;
        Self::for_table(args, bytes).plus_checkpoint(args, kept)
    }

    /// The same, and so many bytes of unfinished work in a checkpoint.
    pub(crate) fn plus_checkpoint(mut self, args: &'a FileArgs, bytes: u64) -> Self {
        self.0
            .extend(args.checkpoint.as_ref().map(|path| (&**path, bytes)));
        self
    }

    /// Says what some work takes in memory and on the disk, before it starts, and `more` behind that.
    pub(crate) fn report(&self, work: &str, memory: u64, more: &str, context: &Context) {
        if context.quiet {
            return;
        }
        let memory = format_needed(memory.saturating_add(program_bytes()));
        let disk = match self.0.iter().map(|need| need.1).sum() {
            0 => String::new(),
            bytes => format!(", at most {} of disk", format_needed(bytes)),
        };
        print_message(&format!("{work}, {memory} of memory{disk}{more}"));
    }

    /// As [`DiskNeeds::tell`], and refuses what does not fit on the disk.
    pub(crate) fn report_and_check(
        &self,
        work: &str,
        memory: u64,
        more: &str,
        context: &Context,
    ) -> Result<()> {
        self.report(work, memory, more, context);
        self.check()
    }

    /// Refuses what does not fit.
    pub(crate) fn check(&self) -> Result<()> {
        memory::check_disk(&self.0)
    }
}

/// Said before a solve: values that are too long for it are met at its end.
pub(crate) fn remoteness_limit_text(longest: u16) -> String {
    format!("; wins and losses in more than {longest} plies cannot be kept")
}

/// A table that was written.
#[derive(Clone, Serialize)]
pub(crate) struct TableFileSummary {
    pub(crate) file: String,
    pub(crate) layout: String,
    pub(crate) bytes: u64,
    /// Spent on writing, beside the solve.
    pub(crate) seconds: f64,
}

/// Writes the table of all layers, if one is asked for. `spent` was taken by the layers.
pub(crate) fn write_table(
    work: Option<&CheckpointDir>,
    out: Option<Output>,
    layout: Layout,
    spent: Duration,
) -> Result<Option<TableFileSummary>> {
    let (Some(work), Some(mut out)) = (work, out) else {
        return Ok(None);
    };
    if stopped() {
        return Err(Error::Stopped.into());
    }
    let begin = Instant::now();
    let name = out.name().canonicalize();
    let file = name.unwrap_or_else(|_| out.name().to_owned());
    let written = work.finish(&mut out);
    let bytes = written.map_err(|error| match error {
        // The error of the file names it.
        hindsight_tablebase::TableError::Io { source, .. } => source.into(),
        error => anyhow::Error::from(error),
    })?;
    out.finish()?;
    Ok(Some(TableFileSummary {
        file: file.display().to_string(),
        layout: layout.to_string(),
        bytes,
        seconds: (spent + begin.elapsed()).as_secs_f64(),
    }))
}
