//! Calls and error codes of the operating system. Systems other than Unix, the web among them, have
//! none of the calls, and their files are told apart by name alone.

pub(crate) use platform::{
    LACKING, NO_FILE_HANDLE, NO_LINKS, NO_LOCKS, has_same_file, rename_to_free,
};

#[cfg(unix)]
mod platform {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    /// Errors by which a file system says that it has no such operation.
    pub(crate) const LACKING: &[i32] =
        &codes([Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP, Errno::NOTTY]);

    /// Errors of a sync by a handle of a folder that is good for nothing but listing it.
    pub(crate) const NO_FILE_HANDLE: &[i32] =
        &codes([Errno::BADF, Errno::ISDIR, Errno::ACCESS, Errno::PERM]);

    /// Errors of a second link on a file system without links.
    pub(crate) const NO_LINKS: &[i32] = &codes([Errno::PERM, Errno::MLINK, Errno::XDEV]);

    /// Errors of a lock on a file system whose server of locks does not run.
    pub(crate) const NO_LOCKS: &[i32] = &codes([Errno::NOLCK]);

    const fn codes<const N: usize>(errors: [Errno; N]) -> [i32; N] {
        let mut codes = [0; N];
        let mut i = 0;
        while i < N {
            codes[i] = errors[i].raw_os_error();
            i += 1;
        }
        codes
    }

    /// Renames a file if the new name is free.
    pub(crate) fn rename_to_free(file: &Path, name: &Path) -> io::Result<()> {
        Ok(renameat_with(CWD, file, CWD, name, RenameFlags::NOREPLACE)?)
    }

    /// Returns true if an open file is the one at `path`.
    pub(crate) fn has_same_file(file: &File, path: &Path) -> bool {
        let identity =
            |found: io::Result<Metadata>| found.ok().map(|file| (file.dev(), file.ino()));
        let own = identity(file.metadata());
        own.is_some() && own == identity(path.symlink_metadata())
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(crate) const LACKING: &[i32] = &[];
    pub(crate) const NO_FILE_HANDLE: &[i32] = &[];
    pub(crate) const NO_LINKS: &[i32] = &[];
    pub(crate) const NO_LOCKS: &[i32] = &[];

    pub(crate) fn rename_to_free(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn has_same_file(_: &File, path: &Path) -> bool {
        path.exists()
    }
}
