use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hindsight_bitplanes::Tile;
use hindsight_core::{ForbiddenMove, Ranked};
use hindsight_solve::distance::Distances;
use hindsight_solve::forbidden_move::SolvedStateTier;
use hindsight_solve::{Layer, Store, StoreError, UnfinishedLayer};

use crate::bytes::has_control;
use crate::checkpoint_layer::{self, LayerTrailer};
use crate::decode::decode_layer;
use crate::folder_lock::FolderLock;
use crate::header_checks::check_trailer;
use crate::info::{FORMAT_VERSION, TableInfo};
use crate::layer_file::LayerFile;
use crate::new_file::{self, NewFile, finished_name};
use crate::planes_store::PlanesStore;
use crate::states::{self, DistancesStore, LayerDistances, StateSource, StateStore};
use crate::tiles_store::{self, TilesStore};
use crate::unfinished_layer;
use crate::write_memory::write_layer_memory;
use crate::{Layout, TableError};

/// The file that says of which game a checkpoint is.
const MANIFEST_NAME: &str = "checkpoint";

/// The file of a layer that was stopped in the middle.
const STOPPED_NAME: &str = "stopped.part";

/// The file of planes of bits that are not done.
const PLANES_NAME: &str = "planes.part";

/// The file that says how far a solve by slices has come.
const SLICES_NAME: &str = "slices.part";

/// Bytes of the coder and index of a layer that is read back, and of what a thread reads.
const READ_BYTES: u64 = 16 << 20;
const READ_BYTES_PER_THREAD: u64 = 1 << 20;

/// A folder with the finished layers of a solve, a file each, and what was done of an unfinished one: a
/// checkpoint while the solve goes on, and what the table is made of at its end.
///
/// A file is written under another name, brought to the disk and then renamed, so that a solve killed
/// at any moment leaves complete files only. The files depend on game, layout and format version, not
/// on the solver, its threads or the time. The folder is locked ([`FolderLock`]) as long as the value lives.
#[derive(Debug)]
pub struct CheckpointDir {
    dir: PathBuf,
    spec: String,
    layout: Layout,
    _lock: FolderLock,
}

impl CheckpointDir {
    /// Begins a checkpoint in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// When another process uses the folder, when it holds a checkpoint or a file that this one would
    /// overwrite, or when it cannot be written.
    pub fn create(dir: &Path, spec: &str, layout: Layout) -> Result<Self, TableError> {
        fs::create_dir_all(dir).map_err(TableError::file("create", dir))?;
        let work = Self {
            dir: dir.to_path_buf(),
            spec: String::from(spec),
            layout,
            _lock: FolderLock::take(dir)?,
        };
        let manifest = dir.join(MANIFEST_NAME);
        if manifest.symlink_metadata().is_ok() {
            return Err(TableError::CheckpointExists(work.dir));
        }
        if let Some(path) = work
            .entries()?
            .into_iter()
            .find(|path| name_matches(path, is_checkpoint_name))
        {
            return Err(TableError::Foreign(path));
        }
        work.remove_unfinished()?;
        let text = format!(
            "hindsight checkpoint\nformat {FORMAT_VERSION}\nlayout {layout}\nspec {spec}\n"
        );
        new_file::write_atomically(&manifest, |new| {
            let NewFile { path, mut file } = new;
            let written = file.write_all(text.as_bytes());
            written
                .and_then(|()| file.sync_all())
                .map_err(TableError::file("write", &path))
        })?;
        Ok(work)
    }

    /// Goes on with a checkpoint. Files that a killed solve left unfinished are removed, and no others.
    ///
    /// # Errors
    /// When another process uses the folder, when it is no checkpoint, or is one of another game, layout or
    /// format version, or when its manifest is damaged or cannot be read.
    pub fn resume(dir: &Path, spec: &str, layout: Layout) -> Result<Self, TableError> {
        let manifest = dir.join(MANIFEST_NAME);
        if !manifest.exists() {
            return Err(TableError::NotACheckpoint(dir.to_path_buf()));
        }
        let lock = FolderLock::take(dir)?;
        let text = fs::read_to_string(&manifest).map_err(TableError::file("read", &manifest))?;
        let found = read_manifest(&text).ok_or_else(|| {
            TableError::damaged(format!("{}: not a manifest", manifest.display()))
        })?;
        if found.format != u64::from(FORMAT_VERSION) {
            return Err(TableError::Version {
                found: found.format,
                known: FORMAT_VERSION,
            });
        }
        if found.spec != spec {
            return Err(TableError::OtherSpec {
                wanted: String::from(spec),
                found: String::from(found.spec),
            });
        }
        if found.layout != layout {
            return Err(TableError::OtherLayout {
                wanted: layout,
                found: found.layout,
            });
        }
        let work = Self {
            dir: dir.to_path_buf(),
            spec: String::from(spec),
            layout,
            _lock: lock,
        };
        work.remove_unfinished()?;
        Ok(work)
    }

    /// The place for a solver's layers.
    pub fn layer_store<'a, G: Ranked>(&'a self, game: &'a G) -> CheckpointLayerStore<'a, G> {
        CheckpointLayerStore {
            work: self,
            game,
            memory: u64::MAX,
        }
    }

    /// The place for a solver of states; an unfinished layer is kept as often as told.
    pub fn state_store<'a, G: ForbiddenMove>(
        &'a self,
        game: &'a G,
        every: Duration,
    ) -> StateStore<'a, G> {
        StateStore::new(self, game, every)
    }

    /// The file of a layer that was stopped in the middle.
    pub(crate) fn stopped_path(&self) -> PathBuf {
        self.dir.join(STOPPED_NAME)
    }

    pub(crate) fn spec(&self) -> &str {
        &self.spec
    }

    /// Whether a folder has planes of bits that are not done.
    #[must_use]
    pub fn has_planes(dir: &Path) -> bool {
        dir.join(PLANES_NAME).exists()
    }

    /// The file of planes of bits that are not done.
    pub(crate) fn planes_path(&self) -> PathBuf {
        self.dir.join(PLANES_NAME)
    }

    /// Whether a folder has a solve by slices that is not done.
    #[must_use]
    pub fn has_slices(dir: &Path) -> bool {
        dir.join(SLICES_NAME).exists()
    }

    /// The file that says how far a solve by slices has come.
    pub(crate) fn slices_path(&self) -> PathBuf {
        self.dir.join(SLICES_NAME)
    }

    /// The file of a tile of a solve by slices.
    pub(crate) fn tile_path(&self, tile: Tile) -> PathBuf {
        self.dir.join(tiles_store::tile_file_name(tile))
    }

    /// Removes the file of a layer that was stopped, if there is one.
    pub(crate) fn remove_stopped(&self) -> Result<(), TableError> {
        match fs::remove_file(self.stopped_path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(TableError::file("remove", &self.stopped_path())(error))
            }
            _ => Ok(()),
        }
    }

    /// Keeps the states of a finished layer, which has one tier, in a file of its own. The layout must be
    /// [`Layout::States`]. Beside what the solver holds no memory in proportion to the layer is needed.
    ///
    /// # Errors
    /// When the layout is another, the states are not those of a layer of the game, they have more different
    /// values and ways than a table can tell apart, or the file cannot be written.
    pub fn put_states<G: ForbiddenMove>(
        &self,
        game: &G,
        solved: &SolvedStateTier,
    ) -> Result<(), TableError> {
        self.put_states_within(game, solved, u64::MAX)
    }

    /// As [`Work::put_states`], in so many bytes of memory beside the states, if they are enough.
    pub(crate) fn put_states_within<G: ForbiddenMove>(
        &self,
        game: &G,
        states: &impl StateSource,
        memory: u64,
    ) -> Result<(), TableError> {
        self.layout.check_content(Layout::States)?;
        new_file::write_atomically(&self.layer_path(states.layer()), |new| {
            states::write_states(new, game, states, memory)
        })
    }

    /// Keeps the distances of a layer, which has one tier, in a file of its own. The layout must be
    /// [`Layout::Distances`].
    ///
    /// # Errors
    /// As [`Work::put_states`].
    pub fn put_distances<G: ForbiddenMove>(
        &self,
        game: &G,
        layer: u32,
        distances: &Distances,
    ) -> Result<(), TableError> {
        self.put_distances_within(game, layer, distances, u64::MAX)
    }

    /// As [`Work::put_distances`], in so many bytes of memory beside the distances, if these are at least what
    /// [`crate::writing_memory`] says. The file is the same.
    ///
    /// # Errors
    /// As [`Work::put_states`].
    pub fn put_distances_within<G: ForbiddenMove>(
        &self,
        game: &G,
        layer: u32,
        distances: &Distances,
        memory: u64,
    ) -> Result<(), TableError> {
        self.layout.check_content(Layout::Distances)?;
        let of_layer = LayerDistances::new(game, layer, distances)?;
        new_file::write_atomically(&self.layer_path(layer), |new| {
            states::write_states(new, game, &of_layer, memory)
        })
    }

    /// The place for a search for distances; what it has is kept as often as told.
    pub fn distances_store(&self, every: Duration) -> DistancesStore<'_> {
        DistancesStore::new(self, every)
    }

    /// The place for planes of bits that are not done; they are kept as often as told.
    pub fn planes_store(&self, every: Duration) -> PlanesStore<'_> {
        PlanesStore::new(self, every)
    }

    /// The place for the tiles of a solve by slices.
    pub fn tiles_store(&self) -> TilesStore<'_> {
        TilesStore::new(self)
    }

    /// Whether the file of a layer is there.
    ///
    /// # Errors
    /// When it is damaged or cannot be read.
    pub fn has_layer(&self, layer: u32) -> Result<bool, TableError> {
        match self.layer_trailer(layer) {
            Ok(_) => Ok(true),
            Err(TableError::MissingLayer(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes the table of all layers to a file: under another name first, so that there is never
    /// half a table. Takes as much room as the checkpoint, beside it. Returns its bytes.
    ///
    /// # Errors
    /// When a layer is missing or damaged, or the table cannot be written.
    pub fn finish_to(&self, path: &Path) -> Result<u64, TableError> {
        let mut bytes = 0;
        new_file::write_atomically(path, |new| {
            let mut out = BufWriter::with_capacity(1 << 20, new.file);
            bytes = self
                .finish(&mut out)
                .map_err(checkpoint_layer::with_file_name(path))?;
            let file = out.into_inner().map_err(|error| error.into_error());
            file.and_then(|file| file.sync_all())
                .map_err(TableError::file("write", path))
        })?;
        Ok(bytes)
    }

    /// Writes the table of all layers. Returns its bytes.
    ///
    /// # Errors
    /// As [`Work::finish_to`].
    pub fn finish(&self, out: &mut impl Write) -> Result<u64, TableError> {
        let first = self.layer_trailer(0)?.0;
        let mut segments = vec![first];
        for layer in 1..segments[0].layers {
            segments.push(self.layer_trailer(layer)?.0);
        }
        let start = segments.iter().find_map(|segment| segment.start);
        let info = TableInfo {
            spec: self.spec.clone(),
            layout: self.layout,
            start: start.ok_or_else(|| TableError::damaged("no layer has the start"))?,
            layers: segments
                .iter()
                .map(|segment| segment.info.clone())
                .collect(),
        };
        let header = info.encode();
        out.write_all(&header).map_err(TableError::io("write"))?;
        let mut bytes = header.len() as u64;
        for segment in &segments {
            checkpoint_layer::copy_layer(segment, &self.layer_path(segment.layer), out)?;
            bytes += segment.info.bytes();
        }
        out.flush().map_err(TableError::io("write"))?;
        Ok(bytes)
    }

    fn layer_path(&self, layer: u32) -> PathBuf {
        self.dir.join(format!("layer-{layer:06}.part"))
    }

    /// What the file of a layer says, and the file.
    pub(crate) fn layer_trailer(&self, layer: u32) -> Result<(LayerTrailer, File), TableError> {
        let path = self.layer_path(layer);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(TableError::MissingLayer(layer));
            }
            Err(error) => return Err(TableError::file("open", &path)(error)),
        };
        let segment = LayerTrailer::read(&path, &mut file, self.layout)?;
        if segment.layer == layer && layer < segment.layers {
            Ok((segment, file))
        } else {
            let path = path.display();
            Err(TableError::damaged(format!(
                "{path}: it is of another layer"
            )))
        }
    }

    /// The paths of all that is in the folder.
    fn entries(&self) -> Result<Vec<PathBuf>, TableError> {
        let failed = || TableError::file("read", &self.dir);
        let entries = fs::read_dir(&self.dir).map_err(failed())?;
        entries
            .map(|entry| entry.map(|entry| entry.path()).map_err(failed()))
            .collect()
    }

    /// Removes files that were made here and not completed.
    fn remove_unfinished(&self) -> Result<(), TableError> {
        let was_ours = |name: &str| finished_name(name).is_some_and(is_checkpoint_name);
        for path in self.entries()? {
            let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
            if is_file && name_matches(&path, was_ours) {
                fs::remove_file(&path).map_err(TableError::file("remove", &path))?;
            }
        }
        Ok(())
    }

    /// True if a checkpoint may have a file of this name.
    #[must_use]
    pub fn is_file_name(name: &str) -> bool {
        is_checkpoint_name(finished_name(name).unwrap_or(name))
    }
}

/// True if the name of a file is such a one; names that are no text never are.
fn name_matches(path: &Path, is_such: impl Fn(&str) -> bool) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(is_such)
}

/// True if a complete file of a checkpoint has this name.
fn is_checkpoint_name(name: &str) -> bool {
    let numbered = |begin, end| {
        let number: Option<&str> = name
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(end));
        number.is_some_and(|n| n.len() >= 6 && n.bytes().all(|b| b.is_ascii_digit()))
    };
    [MANIFEST_NAME, STOPPED_NAME, PLANES_NAME, SLICES_NAME].contains(&name)
        || numbered("layer-", ".part")
        || tiles_store::is_tile_file_name(name)
}

struct CheckpointManifest<'a> {
    format: u64,
    layout: Layout,
    spec: &'a str,
}

fn read_manifest(text: &str) -> Option<CheckpointManifest<'_>> {
    let text = text.strip_prefix("hindsight checkpoint\nformat ")?;
    let (format, text) = text.split_once("\nlayout ")?;
    let (layout, text) = text.split_once("\nspec ")?;
    let spec = text.strip_suffix('\n')?;
    Some(CheckpointManifest {
        format: format.parse().ok()?,
        layout: layout.parse().ok()?,
        spec: Some(spec).filter(|spec| !has_control(spec))?,
    })
}

/// Where a solver of a game puts its layers: files of a [`Work`].
#[derive(Debug)]
pub struct CheckpointLayerStore<'a, G> {
    work: &'a CheckpointDir,
    game: &'a G,
    /// Bytes beside a layer.
    memory: u64,
}

impl<G: Ranked> CheckpointLayerStore<'_, G> {
    /// Bytes of the layers that are read beside one that is read back.
    fn successor_layers_memory(&self, layer: u32) -> u64 {
        if self.work.layout != Layout::Compact {
            return 0;
        }
        let next = self.game.layer_successors(layer).into_iter();
        let sizes = next.map(|next| {
            let mut tiers = Vec::new();
            self.game.tiers(next, &mut tiers);
            let ranks = tiers.iter().map(|&tier| self.game.tier_len(tier));
            ranks.fold(16 * tiers.len() as u64, u64::saturating_add)
        });
        sizes.fold(0, u64::saturating_add)
    }
}

impl<G: Ranked> CheckpointLayerStore<'_, G> {
    /// The description of a layer's file, held against the game, and the file.
    fn segment(&self, layer: u32) -> Result<(LayerTrailer, File), TableError> {
        let (segment, file) = self.work.layer_trailer(layer)?;
        let start = self.game.rank(self.game.start());
        check_trailer(&segment, self.game, (start, self.work.layout))?;
        Ok((segment, file))
    }
}

impl<G: Ranked> Store for CheckpointLayerStore<'_, G> {
    fn takes(&self, layer: u32, ranks: u64, tiers: u64) -> u64 {
        let threads = rayon::current_num_threads();
        let writing = write_layer_memory::<G>(ranks, tiers, self.work.layout, threads);
        if matches!(self.work.has_layer(layer), Ok(true)) {
            // Models and blocks take no more than in writing, and there is no sample.
            let reading =
                writing.min(32 * tiers + READ_BYTES + threads as u64 * READ_BYTES_PER_THREAD);
            return reading + self.successor_layers_memory(layer);
        }
        writing
    }

    fn allow(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        let path = self.work.layer_path(layer.layer);
        new_file::write_atomically(&path, |new| {
            checkpoint_layer::write_positions(
                new,
                self.game,
                layer,
                (self.work.layout, self.memory),
            )
        })?;
        Ok(self.work.remove_stopped()?)
    }

    fn put_unfinished(&mut self, unfinished: &UnfinishedLayer) -> Result<(), StoreError> {
        let path = self.work.stopped_path();
        new_file::write_atomically(&path, |new| {
            unfinished_layer::write_unfinished(new, unfinished)
        })?;
        Ok(())
    }

    fn get_unfinished(&mut self, layer: u32) -> Result<Option<UnfinishedLayer>, StoreError> {
        let mut tiers = Vec::new();
        self.game.tiers(layer, &mut tiers);
        let ranks = tiers.iter().map(|&tier| self.game.tier_len(tier)).sum();
        let path = self.work.stopped_path();
        Ok(unfinished_layer::read_unfinished(&path, layer, ranks)?)
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        match self.segment(layer) {
            Ok(_) => Ok(true),
            Err(TableError::MissingLayer(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let layout = self.work.layout;
        let open = |layer| {
            let (segment, file) = self.segment(layer)?;
            Ok(LayerFile::new(file, 0, segment.info, layout))
        };
        Ok(decode_layer(self.game, layer, layout, &open)?)
    }
}
