//! Lists the files of the page, so that they are compiled into the program.

#[path = "src/page/folder.rs"]
mod folder;

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let mut list = String::from("[\n");
    for name in folder::file_names(&page)? {
        let path = page.join(&name);
        let mut hasher = DefaultHasher::new();
        fs::read(&path)?.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let line = format!("({name:?}, {tag:?}, include_bytes!({path:?})),");
        writeln!(list, "{line}").map_err(io::Error::other)?;
    }
    list.push(']');
    let output = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(Path::new(&output).join("page_files.rs"), list)?;
    for root in folder::ROOTS {
        println!("cargo::rerun-if-changed=page/{root}");
    }
    println!("cargo::rerun-if-changed=src/page/folder.rs");
    Ok(())
}
