//! Folders with the finished layers of a solve, and the table made of them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use hindsight_bitplanes::Tile;

use crate::bytes::has_control;
use crate::checkpoint_files::{
    MANIFEST_NAME, PLANES_NAME, SLICES_NAME, STOPPED_NAME, is_checkpoint_name, layer_file_name,
    tile_file_name,
};
use crate::checkpoint_layer::{self, LayerTrailer};
use crate::error::TableError;
use crate::folder_lock::FolderLock;
use crate::info::{FORMAT_VERSION, TableInfo};
use crate::layout::Layout;
use crate::new_file::{self, NewFile, finished_name};

/// A folder with the finished layers of a solve, a file each, and the progress of an unfinished
/// one.
///
/// The folder is the checkpoint of a solve while it runs, and the source of the table at its end.
/// Each file is written under a temporary name, synced and renamed, so a solve that is killed
/// leaves complete files only. The bytes depend on game, layout and format version alone. The
/// folder is locked ([`FolderLock`]) as long as the value lives.
#[derive(Debug)]
pub struct CheckpointDir {
    dir: PathBuf,
    spec: String,
    layout: Layout,
    _lock: FolderLock,
}

impl CheckpointDir {
    /// Starts a checkpoint in a folder. Creates the folder if needed.
    ///
    /// # Errors
    /// - [`TableError::InUse`] if another process uses the folder.
    /// - [`TableError::CheckpointExists`] if the folder already contains a checkpoint.
    /// - [`TableError::Foreign`] if the folder contains a file of another program under a name that
    ///   checkpoints use.
    /// - [`TableError::File`] if the folder cannot be read or written.
    pub fn create(dir: &Path, spec: &str, layout: Layout) -> Result<Self, TableError> {
        fs::create_dir_all(dir).map_err(TableError::file("create", dir))?;
        let checkpoint = Self {
            dir: dir.to_path_buf(),
            spec: String::from(spec),
            layout,
            _lock: FolderLock::take(dir)?,
        };
        let manifest = dir.join(MANIFEST_NAME);
        if manifest.symlink_metadata().is_ok() {
            return Err(TableError::CheckpointExists(checkpoint.dir));
        }
        if let Some(path) = checkpoint
            .entries()?
            .into_iter()
            .find(|path| name_matches(path, is_checkpoint_name))
        {
            return Err(TableError::Foreign(path));
        }
        checkpoint.remove_unfinished()?;
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
        Ok(checkpoint)
    }

    /// Resumes a checkpoint. Removes the incomplete files of a killed solve, and no others.
    ///
    /// # Errors
    /// - [`TableError::InUse`] if another process uses the folder.
    /// - [`TableError::NotACheckpoint`] if the folder contains no checkpoint.
    /// - [`TableError::Version`], [`TableError::OtherSpec`] or [`TableError::OtherLayout`] if the
    ///   checkpoint has another format version, game or layout.
    /// - [`TableError::Damaged`] or [`TableError::File`] if the manifest is damaged or unreadable.
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
        let checkpoint = Self {
            dir: dir.to_path_buf(),
            spec: String::from(spec),
            layout,
            _lock: lock,
        };
        checkpoint.remove_unfinished()?;
        Ok(checkpoint)
    }

    pub(crate) fn spec(&self) -> &str {
        &self.spec
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns true if a folder contains unfinished bit planes.
    #[must_use]
    pub fn has_planes(dir: &Path) -> bool {
        dir.join(PLANES_NAME).exists()
    }

    /// Returns true if a folder contains an unfinished out-of-core solve.
    #[must_use]
    pub fn has_slices(dir: &Path) -> bool {
        dir.join(SLICES_NAME).exists()
    }

    /// Returns true if a file of a checkpoint, complete or not, may have this name.
    #[must_use]
    pub fn is_file_name(name: &str) -> bool {
        is_checkpoint_name(finished_name(name).unwrap_or(name))
    }

    /// Path of a finished layer.
    pub(crate) fn layer_path(&self, layer: u32) -> PathBuf {
        self.dir.join(layer_file_name(layer))
    }

    /// Path of a layer whose solve was stopped.
    pub(crate) fn stopped_path(&self) -> PathBuf {
        self.dir.join(STOPPED_NAME)
    }

    /// Path of unfinished bit planes.
    pub(crate) fn planes_path(&self) -> PathBuf {
        self.dir.join(PLANES_NAME)
    }

    /// Path of the progress of an out-of-core solve.
    pub(crate) fn slices_path(&self) -> PathBuf {
        self.dir.join(SLICES_NAME)
    }

    /// Path of a tile of an out-of-core solve.
    pub(crate) fn tile_path(&self, tile: Tile) -> PathBuf {
        self.dir.join(tile_file_name(tile))
    }

    /// Removes the file of a stopped layer, if there is one.
    pub(crate) fn remove_stopped(&self) -> Result<(), TableError> {
        remove_if_present(&self.stopped_path())
    }

    /// Returns true if the file of a layer exists.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::File`] if the file is damaged or unreadable.
    pub fn has_layer(&self, layer: u32) -> Result<bool, TableError> {
        match self.layer_trailer(layer) {
            Ok(_) => Ok(true),
            Err(TableError::MissingLayer(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes the table of all layers to a file, and returns its length in bytes. The file gets its
    /// name when it is complete. Needs as much free disk space as the checkpoint takes.
    ///
    /// # Errors
    /// [`TableError::MissingLayer`] or [`TableError::Damaged`] if a layer is missing or damaged;
    /// [`TableError::File`] if the table cannot be written.
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

    /// Writes the table of all layers, and returns its length in bytes.
    ///
    /// # Errors
    /// As [`CheckpointDir::finish_to`].
    pub fn finish(&self, out: &mut impl Write) -> Result<u64, TableError> {
        let first = self.layer_trailer(0)?.0;
        let mut trailers = vec![first];
        for layer in 1..trailers[0].layers {
            trailers.push(self.layer_trailer(layer)?.0);
        }
        let start = trailers.iter().find_map(|trailer| trailer.start);
        let info = TableInfo {
            spec: self.spec.clone(),
            layout: self.layout,
            start: start.ok_or_else(|| TableError::damaged("no layer has the start"))?,
            layers: trailers
                .iter()
                .map(|trailer| trailer.info.clone())
                .collect(),
        };
        let header = info.encode();
        out.write_all(&header).map_err(TableError::io("write"))?;
        let mut bytes = header.len() as u64;
        for trailer in &trailers {
            checkpoint_layer::copy_layer(trailer, &self.layer_path(trailer.layer), out)?;
            bytes += trailer.info.bytes();
        }
        out.flush().map_err(TableError::io("write"))?;
        Ok(bytes)
    }

    /// Opens the file of a layer, and reads its trailer.
    pub(crate) fn layer_trailer(&self, layer: u32) -> Result<(LayerTrailer, File), TableError> {
        let path = self.layer_path(layer);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(TableError::MissingLayer(layer));
            }
            Err(error) => return Err(TableError::file("open", &path)(error)),
        };
        let trailer = LayerTrailer::read(&path, &mut file, self.layout)?;
        if trailer.layer == layer && layer < trailer.layers {
            Ok((trailer, file))
        } else {
            let path = path.display();
            Err(TableError::damaged(format!(
                "{path}: it is of another layer"
            )))
        }
    }

    /// Paths of everything in the folder.
    fn entries(&self) -> Result<Vec<PathBuf>, TableError> {
        let failed = || TableError::file("read", &self.dir);
        let entries = fs::read_dir(&self.dir).map_err(failed())?;
        entries
            .map(|entry| entry.map(|entry| entry.path()).map_err(failed()))
            .collect()
    }

    /// Removes incomplete files of a checkpoint.
    fn remove_unfinished(&self) -> Result<(), TableError> {
        let is_ours = |name: &str| finished_name(name).is_some_and(is_checkpoint_name);
        for path in self.entries()? {
            let is_file = path
                .symlink_metadata()
                .is_ok_and(|metadata| metadata.is_file());
            if is_file && name_matches(&path, is_ours) {
                fs::remove_file(&path).map_err(TableError::file("remove", &path))?;
            }
        }
        Ok(())
    }
}

/// Removes a file. A missing file is no error.
pub(crate) fn remove_if_present(path: &Path) -> Result<(), TableError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::file("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Returns true if the name of a file is UTF-8 and fulfils `condition`.
fn name_matches(path: &Path, condition: impl Fn(&str) -> bool) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(condition)
}

/// Contents of the file [`MANIFEST_NAME`].
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
