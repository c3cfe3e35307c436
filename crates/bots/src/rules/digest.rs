//! Digest of a program, which tells it from another of the same name.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// FNV-1a of 64 bits: parameters of G. Fowler, L. C. Noll and K.-P. Vo.
const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

/// Returns a digest of the files that the words of a command name. A program that is found in the
/// search path counts only if no other word names a file: it may be an interpreter.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn digest_of(words: &[String]) -> io::Result<String> {
    let mut files: Vec<PathBuf> =
        words.iter().map(PathBuf::from).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        files.extend(found_in_path(&words[0]));
    }
    let mut hash = BASIS;
    for path in files {
        let mut file = File::open(path)?;
        let mut chunk = vec![0; 1 << 16];
        loop {
            let read = match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash = chunk[..read]
                .iter()
                .fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
        }
    }
    Ok(format!("{hash:016x}"))
}

fn found_in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(Path::new(program))).find(|at| at.is_file())
}
