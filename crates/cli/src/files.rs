//! The files that a solve of every position writes.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use game::Game;
use solve::{Error, Layer, Nowhere, Store, StoreError};
use table::{Layout, Work, writing_memory};
use tempfile::{Builder, TempDir};

use crate::args::FileArgs;
use crate::memory::{self, format_needed};
use crate::output::{Named, Output, check_distinct};
use crate::signals::stopped;
use crate::solve::{Written, explain};
use crate::temporary::Temporary;

/// Opens the file of the table, before anything else is done.
///
/// # Errors
/// When it cannot be written, or when the checkpoint would write to it too.
pub(crate) fn open_table(args: &FileArgs, spec: &str, force: bool) -> Result<Option<Output>> {
    let Some(out) = &args.out else {
        return Ok(None);
    };
    let deck = games::deck_file(spec).map(PathBuf::from);
    let inputs: Vec<_> = Named::perhaps("the deck", deck.as_ref())
        .into_iter()
        .collect();
    check_distinct(&inputs, &[Named::new("--out", out)])?;
    let name = out.file_name().and_then(|name| name.to_str());
    let folder = |path: &Path| path.canonicalize().ok();
    let beside = out.parent().filter(|parent| *parent != Path::new(""));
    let is_inside = args
        .checkpoint
        .as_deref()
        .and_then(folder)
        .is_some_and(|own| folder(beside.unwrap_or(Path::new("."))) == Some(own));
    if is_inside && name.is_some_and(Work::is_own_name) {
        bail!(
            "'{}' is a file of the checkpoint; choose another name",
            out.display()
        );
    }
    Output::file(out, "a table", force).map(Some)
}

/// A folder of layers; one that is passing is removed when it is dropped.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    _passing: Option<(TempDir, Temporary)>,
}

/// Where finished layers go: the checkpoint, or a folder beside the table that goes away.
pub(crate) fn folder(args: &FileArgs) -> Result<Option<Folder>> {
    if let Some(path) = &args.checkpoint {
        return Ok(Some(Folder {
            path: path.clone(),
            _passing: None,
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
    let swept = Temporary::new(&path);
    Ok(Some(Folder {
        path,
        _passing: Some((passing, swept)),
    }))
}

/// Files of layers that are not made yet: they tell what memory the writing of them will take.
pub(crate) struct FilesToBe<G> {
    layout: Layout,
    game: PhantomData<fn(G)>,
}

impl<G> FilesToBe<G> {
    pub(crate) fn new(layout: Layout) -> Self {
        let game = PhantomData;
        Self { layout, game }
    }
}

impl<G: Game> Store for FilesToBe<G> {
    fn takes(&self, _: u32, ranks: u64, tiers: u64) -> u64 {
        let threads = rayon::current_num_threads();
        writing_memory::<G>(ranks, tiers, self.layout, threads)
    }

    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        Nowhere.put(layer)
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        Nowhere.has(layer)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Nowhere.get(layer)
    }
}

/// Bytes of disk that a solve takes, as far as one can tell before, and where.
#[derive(Default)]
pub(crate) struct DiskNeeds<'a>(Vec<(&'a Path, u64)>);

impl<'a> DiskNeeds<'a> {
    /// A table of so many bytes and finished layers of as many, each where the options ask for it.
    pub(crate) fn of_table(args: &'a FileArgs, bytes: u64) -> Self {
        let layers = args.checkpoint.as_ref().or(args.out.as_ref());
        let places = [args.out.as_ref(), layers].into_iter().flatten();
        Self(places.map(|path| (&**path, bytes)).collect())
    }

    /// The same, and so many bytes of unfinished work in a checkpoint.
    pub(crate) fn and_kept(mut self, args: &'a FileArgs, bytes: u64) -> Self {
        self.0
            .extend(args.checkpoint.as_ref().map(|path| (&**path, bytes)));
        self
    }

    /// Said behind the memory that a solve takes.
    pub(crate) fn text(&self) -> String {
        match self.0.iter().map(|need| need.1).sum() {
            0 => String::new(),
            bytes => format!(", at most {} of disk", format_needed(bytes)),
        }
    }

    /// Refuses what does not fit.
    pub(crate) fn check(&self) -> Result<()> {
        memory::check_disk(&self.0)
    }
}

/// Writes the table of all layers, if one is asked for. `spent` was taken by the layers.
pub(crate) fn write(
    work: Option<&Work>,
    out: Option<Output>,
    layout: Layout,
    spent: Duration,
) -> Result<Option<Written>> {
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
        table::Error::Io { reason, .. } => reason.into(),
        error => anyhow::Error::from(error),
    })?;
    out.finish()?;
    Ok(Some(Written {
        file: file.display().to_string(),
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
