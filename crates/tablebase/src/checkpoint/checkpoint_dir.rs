//! Folders with the finished layers of a solve, and the table made of them.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hindsight_core::Symmetry;
use hindsight_engine::checkpoint::{
    BlobFolder, Blobs, CheckpointError, WriteBlob, write_atomically,
};
use hindsight_engine::keys::KeySet;

use super::checkpoint_layer::{self, LayerTrailer};
use crate::error::TableError;
use crate::format::info::{FORMAT_VERSION, REACHABLE_FORMAT_VERSION, Reachable, TableInfo};
use crate::keys::reachable_layer::ReachableLayer;
use crate::layout::Layout;

/// Beginning of the key of a layer.
const LAYER_PREFIX: &str = "layer-";

/// A folder with the finished layers of a solve, a file each, and the progress of an unfinished
/// one.
///
/// The folder is the checkpoint of a solve while it runs, and the source of the table at its end.
/// Layers are blobs beside those of the solver ([`CheckpointDir::blobs`]). Their bytes depend on
/// game, layout and format version alone.
#[derive(Debug)]
pub struct CheckpointDir {
    blobs: BlobFolder,
    spec: String,
    layout: Layout,
}

impl CheckpointDir {
    /// Starts a checkpoint in a folder. Creates the folder if needed.
    ///
    /// # Errors
    /// As [`BlobFolder::create`].
    pub fn create(dir: &Path, spec: &str, layout: Layout) -> Result<Self, TableError> {
        Ok(Self {
            blobs: BlobFolder::create(dir, spec, &layout.to_string())?,
            spec: String::from(spec),
            layout,
        })
    }

    /// As [`CheckpointDir::create`], in a new folder whose name no other process knows.
    ///
    /// # Errors
    /// As [`BlobFolder::create_temporary`].
    pub fn create_temporary(dir: &Path, spec: &str, layout: Layout) -> Result<Self, TableError> {
        Ok(Self {
            blobs: BlobFolder::create_temporary(dir, spec, &layout.to_string())?,
            spec: String::from(spec),
            layout,
        })
    }

    /// Resumes a checkpoint. Removes the incomplete files of a killed solve, and no others.
    ///
    /// # Errors
    /// As [`BlobFolder::resume`].
    pub fn resume(dir: &Path, spec: &str, layout: Layout) -> Result<Self, TableError> {
        Ok(Self {
            blobs: BlobFolder::resume(dir, spec, &layout.to_string())?,
            spec: String::from(spec),
            layout,
        })
    }

    /// The blobs of the folder, in which a solver keeps its progress.
    #[must_use]
    pub fn blobs(&self) -> &BlobFolder {
        &self.blobs
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Path of a finished layer.
    pub(super) fn layer_path(&self, layer: u32) -> PathBuf {
        self.blobs.path(&layer_key(layer))
    }

    /// Stores a finished layer, whose bytes `write` writes.
    pub(crate) fn put_layer(
        &self,
        layer: u32,
        write: impl FnOnce(&mut dyn Write) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let key = layer_key(layer);
        write_table(|write| self.blobs.put(&key, write), write)
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

    /// Returns true if the file of any layer exists. Damage is not looked for.
    ///
    /// # Errors
    /// [`TableError::File`] if the folder cannot be listed.
    pub fn has_layers(&self) -> Result<bool, TableError> {
        let keys = self.blobs.keys()?;
        Ok(keys.iter().any(|key| key.starts_with(LAYER_PREFIX)))
    }

    /// Writes the table of all layers to a file, and returns its length in bytes. The file gets its
    /// name when it is complete. Needs as much free disk space as the checkpoint takes.
    ///
    /// # Errors
    /// [`TableError::MissingLayer`] or [`TableError::Damaged`] if a layer is missing or damaged;
    /// [`TableError::File`] if the table cannot be written.
    pub fn finish_to(&self, path: &Path) -> Result<u64, TableError> {
        let mut bytes = 0;
        let put = |write: &mut WriteBlob<'_>| write_atomically(path, write);
        write_table(put, |mut out| {
            bytes = self.finish(&mut out)?;
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Writes the table of all layers, and returns its length in bytes.
    ///
    /// # Errors
    /// As [`CheckpointDir::finish_to`].
    pub fn finish(&self, out: &mut impl Write) -> Result<u64, TableError> {
        self.finish_with(out, None)
    }

    /// As [`CheckpointDir::finish`], for the values of reachable positions, which are merged by a
    /// symmetry.
    ///
    /// # Errors
    /// As [`CheckpointDir::finish`].
    pub fn finish_reachable(
        &self,
        out: &mut impl Write,
        positions: &ReachableLayer,
        symmetry: Symmetry,
    ) -> Result<u64, TableError> {
        self.finish_with(out, Some((&positions.keys, symmetry)))
    }

    fn finish_with(
        &self,
        out: &mut impl Write,
        keys: Option<(&KeySet, Symmetry)>,
    ) -> Result<u64, TableError> {
        let first = self.layer_trailer(0)?.0;
        let mut trailers = vec![first];
        for layer in 1..trailers[0].layers {
            trailers.push(self.layer_trailer(layer)?.0);
        }
        let start = trailers.iter().find_map(|trailer| trailer.start);
        let reachable = keys.map(|(keys, symmetry)| Reachable { symmetry, keys: keys.sections() });
        let info = TableInfo {
            format_version: match reachable {
                None => FORMAT_VERSION,
                Some(_) => REACHABLE_FORMAT_VERSION,
            },
            reachable,
            spec: self.spec.clone(),
            layout: self.layout,
            start: start.ok_or_else(|| TableError::damaged("no layer has the start"))?,
            layers: trailers.iter().map(|trailer| trailer.info.clone()).collect(),
        };
        let header = info.encode();
        out.write_all(&header).map_err(TableError::io("write"))?;
        let mut bytes = header.len() as u64;
        for trailer in &trailers {
            checkpoint_layer::copy_layer(trailer, &self.layer_path(trailer.layer), out)?;
            bytes += trailer.info.bytes();
        }
        if let Some((keys, _)) = keys {
            for part in [&keys.top()[..], keys.pages()] {
                out.write_all(part).map_err(TableError::io("write"))?;
                bytes += part.len() as u64;
            }
        }
        out.flush().map_err(TableError::io("write"))?;
        Ok(bytes)
    }

    /// Opens the file of a layer, and reads its trailer.
    pub(crate) fn layer_trailer(&self, layer: u32) -> Result<(LayerTrailer, File), TableError> {
        let path = self.layer_path(layer);
        let file = self.blobs.file(&layer_key(layer))?;
        let mut file = file.ok_or(TableError::MissingLayer(layer))?;
        let trailer = LayerTrailer::read(&path, &mut file, self.layout)?;
        if trailer.layer == layer && layer < trailer.layers {
            Ok((trailer, file))
        } else {
            let path = path.display();
            Err(TableError::damaged(format!("{path}: it is of another layer")))
        }
    }
}

/// Key of the blob of a finished layer.
fn layer_key(layer: u32) -> String {
    format!("{LAYER_PREFIX}{layer:06}")
}

/// Lets `put` store what `write` writes, and returns the error of either.
fn write_table(
    put: impl FnOnce(&mut WriteBlob<'_>) -> Result<(), CheckpointError>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let (mut write, mut refused) = (Some(write), None);
    let stored = put(&mut |out| {
        let written = write.take().map_or(Ok(()), |write| write(out));
        written.map_err(|error| match error {
            TableError::Io { source, .. } => source,
            error => {
                refused = Some(error);
                io::Error::other("the layer cannot be stored")
            }
        })
    });
    match refused {
        Some(error) => Err(error),
        None => Ok(stored?),
    }
}
