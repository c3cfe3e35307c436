//! Operations that some file systems lack: syncs, and names given only if they are free.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::checkpoint::system::{LACKING, NO_FILE_HANDLE, NO_LINKS, rename_to_free};

/// Writes a file to the disk, where the file system can.
///
/// # Errors
/// Any error but that the file system has no such operation.
pub fn sync_file(file: &File) -> io::Result<()> {
    ignore_lack(file.sync_all(), &[])
}

/// Writes the names in a folder to the disk, where the file system can. An empty path is the
/// working folder.
///
/// Folders of CIFS, of shared folders of virtual machines and of many FUSE file systems cannot be
/// synced, nor can one that may be written but not read.
///
/// # Errors
/// Any error but that the file system has no such operation.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let opened = match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => opened,
    };
    ignore_lack(opened.and_then(|folder| folder.sync_all()), NO_FILE_HANDLE)
}

/// Makes a folder and those above it that are missing, and writes their names to the disk.
///
/// # Errors
/// An error of making or syncing a folder.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|path| !path.exists());
    let missing: Vec<&Path> = missing.filter(|path| *path != Path::new("")).collect();
    fs::create_dir_all(folder)?;
    let parents = missing.iter().filter_map(|made| made.parent());
    parents.into_iter().try_for_each(sync_folder)
}

/// Gives a finished file a name that is free, and takes away its old one. No file of another
/// program is ever replaced.
///
/// A file system without a rename that spares the new name gets a second link. One without links,
/// such as FAT or an object store, gets an empty file of that name, which is then replaced.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if the name is not free, or any error of the system. The file
/// then has its old name.
pub fn name_new_file(file: &Path, name: &Path) -> io::Result<()> {
    SYSTEM.name_new_file(file, name)
}

/// An operation on a file and its new name.
type NameOperation = fn(&Path, &Path) -> io::Result<()>;

/// Ways to give a file a name.
struct NameOperations {
    /// Renames a file if the new name is free.
    rename_to_free: NameOperation,
    link: NameOperation,
    /// Renames a file, and replaces one that has the new name.
    rename: NameOperation,
}

const SYSTEM: NameOperations = NameOperations {
    rename_to_free,
    link: |file, name| fs::hard_link(file, name),
    rename: |file, name| fs::rename(file, name),
};

impl NameOperations {
    fn name_new_file(&self, file: &Path, name: &Path) -> io::Result<()> {
        match (self.rename_to_free)(file, name) {
            Err(error) if is_lacking(&error, &[]) => {}
            renamed => return renamed,
        }
        match (self.link)(file, name) {
            Err(error) if is_lacking(&error, NO_LINKS) => {}
            Err(error) => return Err(error),
            Ok(()) => {
                // A file that keeps its old name too has lost nothing.
                let _ = fs::remove_file(file);
                return Ok(());
            }
        }
        // From here on, no other program can take the name without seeing that it is in use.
        File::create_new(name)?;
        (self.rename)(file, name).inspect_err(|_| {
            let is_empty = name.metadata().is_ok_and(|found| found.len() == 0);
            if is_empty {
                let _ = fs::remove_file(name);
            }
        })
    }
}

/// Returns true if an error says that the file system lacks the operation, by [`LACKING`] or
/// `also`.
pub(crate) fn is_lacking(error: &io::Error, also: &[i32]) -> bool {
    let code = error.raw_os_error();
    code.is_some_and(|code| LACKING.contains(&code) || also.contains(&code))
        || error.kind() == io::ErrorKind::Unsupported
}

fn ignore_lack(done: io::Result<()>, also: &[i32]) -> io::Result<()> {
    match done {
        Err(error) if is_lacking(&error, also) => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::path::Path;

    use rustix::io::Errno;

    use super::{
        NO_FILE_HANDLE, NameOperation, NameOperations, SYSTEM, ignore_lack, make_folder,
        sync_folder,
    };

    const NO_FLAGS: NameOperation = |_, _| Err(Errno::INVAL.into());
    const NOT_PERMITTED: NameOperation = |_, _| Err(Errno::PERM.into());
    const FAULT: NameOperation = |_, _| Err(Errno::IO.into());

    /// Names a file by some operations; returns the result and the texts of the file and the name.
    fn named(
        operations: &NameOperations,
        taken: Option<&str>,
    ) -> (io::Result<()>, [Option<String>; 2]) {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, name] = ["table.partial", "table"].map(|name| folder.path().join(name));
        fs::write(&file, "work").expect("a file");
        if let Some(text) = taken {
            fs::write(&name, text).expect("a file");
        }
        let result = operations.name_new_file(&file, &name);
        (result, [&file, &name].map(|path| fs::read_to_string(path).ok()))
    }

    #[test]
    fn a_finished_file_gets_its_name_on_any_file_system() {
        let link = NameOperations { rename_to_free: NO_FLAGS, ..SYSTEM };
        let neither = NameOperations { link: NOT_PERMITTED, ..link };
        for operations in [&SYSTEM, &link, &neither] {
            let (result, texts) = named(operations, None);
            result.expect("a free name");
            assert_eq!(texts, [None, Some("work".into())]);
            let (result, texts) = named(operations, Some("mine"));
            let error = result.expect_err("a name in use");
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(texts, [Some("work".into()), Some("mine".into())]);
        }
    }

    #[test]
    fn a_file_that_gets_no_name_keeps_its_own() {
        let no_rename =
            NameOperations { rename_to_free: NO_FLAGS, link: NOT_PERMITTED, rename: FAULT };
        let fault = NameOperations { rename_to_free: FAULT, ..SYSTEM };
        for operations in [no_rename, fault] {
            let (result, texts) = named(&operations, None);
            let code = result.expect_err("a fault").raw_os_error();
            assert_eq!(code, Some(Errno::IO.raw_os_error()));
            assert_eq!(texts, [Some("work".into()), None]);
        }
    }

    #[test]
    fn only_a_sync_that_cannot_be_is_left_out() {
        for lack in [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP] {
            ignore_lack(Err(lack.into()), &[]).expect("no operation");
        }
        ignore_lack(Err(Errno::BADF.into()), NO_FILE_HANDLE).expect("no operation");
        for fault in [Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::BADF] {
            ignore_lack(Err(fault.into()), &[]).expect_err("a fault");
        }
        sync_folder(Path::new("")).expect("the working folder");
        sync_folder(Path::new("no such folder")).expect_err("no folder");
    }

    #[test]
    fn folders_are_made_with_those_above() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b/c");
        make_folder(&path).expect("a folder");
        make_folder(&path).expect("the folder is there");
        assert!(path.is_dir());
        fs::write(path.join("file"), "").expect("a file");
        make_folder(&path.join("file/d")).expect_err("a file in the way");
    }
}
