//! Blobs as files of a folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::checkpoint::blobs::{Blob, Blobs, WriteBlob, assert_key, is_key};
use crate::checkpoint::bytes::has_control;
use crate::checkpoint::error::CheckpointError;
use crate::checkpoint::file_system::make_folder;
use crate::checkpoint::folder_lock::FolderLock;
use crate::checkpoint::new_file::{finished_name, write_atomically};

/// Format of the checkpoints that this program makes and resumes. Raised with any change of a
/// blob's bytes or key.
pub(crate) const CHECKPOINT_FORMAT: u32 = 5;

/// Name of the manifest: the file that names format, layout and game.
const MANIFEST_NAME: &str = "checkpoint";

/// End of the name of a blob's file, after the key.
const BLOB_SUFFIX: &str = ".part";

/// Blobs as files of a folder. A blob with key `k` is the file `k.part`.
///
/// Each file is written under a temporary name, synced and renamed, so a process that is killed
/// leaves complete files only. The folder is locked ([`FolderLock`]) as long as the value lives.
#[derive(Debug)]
pub struct BlobFolder {
    folder: PathBuf,
    /// `None` only for a temporary folder that cannot be locked.
    _lock: Option<FolderLock>,
}

impl BlobFolder {
    /// Starts a checkpoint in a folder. Creates the folder if needed.
    ///
    /// # Errors
    /// - [`CheckpointError::InUse`] if the folder is in use, by this process or another.
    /// - [`CheckpointError::Exists`] if the folder already contains a checkpoint.
    /// - [`CheckpointError::Foreign`] if the folder contains a file of another program under a name
    ///   that checkpoints use.
    /// - [`CheckpointError::File`] if the folder cannot be read or written.
    pub fn create(folder: &Path, spec: &str, layout: &str) -> Result<Self, CheckpointError> {
        make_folder(folder).map_err(CheckpointError::file("create", folder))?;
        let lock = FolderLock::take(folder)?;
        Self::begin(folder, Some(lock), spec, layout)
    }

    /// As [`BlobFolder::create`], in a new folder whose name no other process knows. Its lock is of
    /// use only after a kill, to see that nobody is at work there, so it may fail.
    ///
    /// # Errors
    /// As [`BlobFolder::create`].
    pub fn create_temporary(
        folder: &Path,
        spec: &str,
        layout: &str,
    ) -> Result<Self, CheckpointError> {
        fs::create_dir_all(folder).map_err(CheckpointError::file("create", folder))?;
        let lock = match FolderLock::take(folder) {
            Err(error @ CheckpointError::InUse { .. }) => return Err(error),
            taken => taken.ok(),
        };
        Self::begin(folder, lock, spec, layout)
    }

    /// Writes the manifest of a checkpoint.
    fn begin(
        folder: &Path,
        lock: Option<FolderLock>,
        spec: &str,
        layout: &str,
    ) -> Result<Self, CheckpointError> {
        let blobs = Self { folder: folder.to_path_buf(), _lock: lock };
        let manifest = folder.join(MANIFEST_NAME);
        if manifest.symlink_metadata().is_ok() {
            return Err(CheckpointError::Exists(blobs.folder));
        }
        if let Some(key) = blobs.keys()?.first() {
            return Err(CheckpointError::Foreign(blobs.path(key)));
        }
        blobs.remove_incomplete()?;
        let text = format!(
            "hindsight checkpoint\nformat {CHECKPOINT_FORMAT}\nlayout {layout}\nspec {spec}\n"
        );
        write_atomically(&manifest, &mut |out| out.write_all(text.as_bytes()))?;
        Ok(blobs)
    }

    /// Resumes a checkpoint. Removes the incomplete files of a killed process, and no others.
    ///
    /// # Errors
    /// - [`CheckpointError::InUse`] if the folder is in use, by this process or another.
    /// - [`CheckpointError::NotACheckpoint`] if the folder contains no checkpoint.
    /// - [`CheckpointError::Format`], [`CheckpointError::OtherSpec`] or
    ///   [`CheckpointError::OtherLayout`] if the checkpoint has another format, game or layout.
    /// - [`CheckpointError::Damaged`] or [`CheckpointError::File`] if the manifest is damaged or
    ///   unreadable.
    pub fn resume(folder: &Path, spec: &str, layout: &str) -> Result<Self, CheckpointError> {
        if !Self::is_checkpoint(folder) {
            return Err(CheckpointError::NotACheckpoint(folder.to_path_buf()));
        }
        let blobs = Self { folder: folder.to_path_buf(), _lock: Some(FolderLock::take(folder)?) };
        Self::check(folder, spec, layout)?;
        blobs.remove_incomplete()?;
        Ok(blobs)
    }

    /// Checks that a folder, locked or not, contains a checkpoint that may be resumed.
    ///
    /// # Errors
    /// As [`BlobFolder::resume`], but for [`CheckpointError::InUse`].
    pub fn check(folder: &Path, spec: &str, layout: &str) -> Result<(), CheckpointError> {
        let manifest = folder.join(MANIFEST_NAME);
        if !manifest.exists() {
            return Err(CheckpointError::NotACheckpoint(folder.to_path_buf()));
        }
        let text =
            fs::read_to_string(&manifest).map_err(CheckpointError::file("read", &manifest))?;
        let found = read_manifest(&text).ok_or_else(|| {
            CheckpointError::damaged(&manifest.display().to_string(), "not a manifest")
        })?;
        if found.format != u64::from(CHECKPOINT_FORMAT) {
            return Err(CheckpointError::Format {
                folder: folder.to_path_buf(),
                found: found.format,
                known: CHECKPOINT_FORMAT,
            });
        }
        if found.spec != spec {
            return Err(CheckpointError::OtherSpec {
                wanted: spec.into(),
                found: found.spec.into(),
            });
        }
        if found.layout != layout {
            return Err(CheckpointError::OtherLayout {
                wanted: layout.into(),
                found: found.layout.into(),
            });
        }
        Ok(())
    }

    /// Returns true if a folder, locked or not, contains a checkpoint.
    #[must_use]
    pub fn is_checkpoint(folder: &Path) -> bool {
        folder.join(MANIFEST_NAME).exists()
    }

    /// Returns true if a folder, locked or not, contains a blob.
    #[must_use]
    pub fn contains(folder: &Path, key: &str) -> bool {
        folder.join(file_name(key)).exists()
    }

    /// Returns true if a file of a checkpoint, complete or not, may have this name.
    #[must_use]
    pub fn is_file_name(name: &str) -> bool {
        let name = finished_name(name).unwrap_or(name);
        name == MANIFEST_NAME || key_of(name).is_some()
    }

    /// Path of the file of a blob.
    #[must_use]
    pub fn path(&self, key: &str) -> PathBuf {
        self.folder.join(file_name(key))
    }

    /// Opens the file of a blob; `None` if there is none.
    ///
    /// # Errors
    /// [`CheckpointError::File`] if it cannot be opened.
    pub fn file(&self, key: &str) -> Result<Option<File>, CheckpointError> {
        let path = self.path(key);
        match File::open(&path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CheckpointError::file("open", &path)(error)),
        }
    }

    /// Names of everything in the folder that are UTF-8.
    fn names(&self) -> Result<Vec<String>, CheckpointError> {
        let failed = || CheckpointError::file("read", &self.folder);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed())? {
            let entry = entry.map_err(failed())?;
            names.extend(entry.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Removes incomplete files of a checkpoint.
    fn remove_incomplete(&self) -> Result<(), CheckpointError> {
        for name in self.names()? {
            let path = self.folder.join(&name);
            let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
            if is_file && finished_name(&name).is_some_and(Self::is_file_name) {
                fs::remove_file(&path).map_err(CheckpointError::file("remove", &path))?;
            }
        }
        Ok(())
    }
}

impl Blobs for BlobFolder {
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
        write_atomically(&self.path(key), write)
    }

    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError> {
        let file = self.file(key)?;
        Ok(file.map(|file| Box::new(file) as Box<dyn Blob>))
    }

    fn keys(&self) -> Result<Vec<String>, CheckpointError> {
        let names = self.names()?;
        let keys = names.iter().filter_map(|name| key_of(name));
        Ok(keys.map(String::from).collect())
    }

    fn remove(&self, key: &str) -> Result<(), CheckpointError> {
        let path = self.path(key);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(CheckpointError::file("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    fn name(&self, key: &str) -> String {
        self.path(key).display().to_string()
    }
}

/// Name of the file of a blob.
fn file_name(key: &str) -> String {
    assert_key(key);
    format!("{key}{BLOB_SUFFIX}")
}

/// Key of the blob whose file has this name, if it is the name of one.
fn key_of(name: &str) -> Option<&str> {
    name.strip_suffix(BLOB_SUFFIX).filter(|key| is_key(key))
}

/// Contents of the file [`MANIFEST_NAME`].
struct CheckpointManifest<'a> {
    format: u64,
    layout: &'a str,
    spec: &'a str,
}

fn read_manifest(text: &str) -> Option<CheckpointManifest<'_>> {
    let text = text.strip_prefix("hindsight checkpoint\nformat ")?;
    let (format, text) = text.split_once("\nlayout ")?;
    let (layout, text) = text.split_once("\nspec ")?;
    let spec = text.strip_suffix('\n')?;
    let manifest = CheckpointManifest { format: format.parse().ok()?, layout, spec };
    Some(manifest).filter(|_| !has_control(layout) && !has_control(spec))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{BlobFolder, CHECKPOINT_FORMAT};
    use crate::checkpoint::blobs::Blobs;
    use crate::checkpoint::blobs::tests::{check_blobs, check_keys};
    use crate::checkpoint::error::CheckpointError;

    fn create(folder: &Path) -> Result<BlobFolder, CheckpointError> {
        BlobFolder::create(folder, "maze", "full")
    }

    fn resume(folder: &Path) -> Result<BlobFolder, CheckpointError> {
        BlobFolder::resume(folder, "maze", "full")
    }

    #[test]
    fn blobs_in_files_are_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        check_blobs(&create(folder.path()).expect("a checkpoint"));
        assert!(BlobFolder::contains(folder.path(), "b-2"));
        assert!(!BlobFolder::contains(folder.path(), "a"));
        let blobs = resume(folder.path()).expect("the checkpoint");
        assert_eq!(blobs.keys().expect("keys"), ["b-2"]);
        assert!(blobs.name("b-2").ends_with("b-2.part"));
    }

    #[test]
    fn no_key_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        check_keys(&create(&folder.path().join("checkpoint")).expect("a checkpoint"));
        let beside = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(beside.count(), 1);
    }

    #[test]
    fn incomplete_files_are_removed_and_files_of_others_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let kept = ["b.tmp", "B.part.hindsight.tmp", "b.hindsight.tmp", "Notes.part"];
        let removed = ["b.part.hindsight.tmp", "checkpoint.hindsight.tmp"];
        for name in kept.into_iter().chain(removed) {
            fs::write(path(name), "half").expect("a file");
        }
        drop(create(folder.path()).expect("a checkpoint"));
        assert!(kept.iter().all(|name| path(name).exists()));
        assert!(removed.iter().all(|name| !path(name).exists()));
        fs::write(path(removed[0]), "half").expect("a file");
        let blobs = resume(folder.path()).expect("the checkpoint");
        assert!(!path(removed[0]).exists());
        assert_eq!(blobs.keys().expect("keys"), [""; 0]);
    }

    #[test]
    fn a_file_in_the_way_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = folder.path().join("mine.part");
        fs::write(&mine, "mine").expect("a file");
        let refused = create(folder.path());
        assert!(matches!(refused, Err(CheckpointError::Foreign(path)) if path == mine));
        assert_eq!(fs::read(&mine).expect("the file"), b"mine");
    }

    #[test]
    fn a_checkpoint_of_another_format_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(create(folder.path()).expect("a checkpoint"));
        let manifest = folder.path().join("checkpoint");
        let text = fs::read_to_string(&manifest).expect("a text");
        let own = format!("format {CHECKPOINT_FORMAT}\n");
        assert!(text.contains(&own));
        fs::write(&manifest, text.replace(&own, "format 2\n")).expect("a file");
        let refused = resume(folder.path()).expect_err("an older checkpoint");
        assert!(matches!(refused, CheckpointError::Format { found: 2, .. }));
        let message = refused.to_string();
        assert!(message.contains("format 2") && message.contains("format 5"), "{message}");
        for damaged in [&text[..20], &text.replace("full", "fu\u{1b}ll"), ""] {
            fs::write(&manifest, damaged).expect("a file");
            let refused = resume(folder.path());
            assert!(matches!(refused, Err(CheckpointError::Damaged(_))));
        }
    }
}
