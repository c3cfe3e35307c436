//! Lists the files of the page, without what only their readers need, so that they are compiled
//! into the program.

#[path = "src/page/folder.rs"]
mod folder;
#[path = "src/page/lean.rs"]
mod lean;

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let output = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    let output = Path::new(&output);
    let mut list = String::from("[\n");
    for name in folder::file_names(&page)? {
        let content = lean::lean(&fs::read_to_string(page.join(&name))?);
        let path = output.join(name.replace('/', "-"));
        fs::write(&path, &content)?;
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let line = format!("({name:?}, {tag:?}, include_bytes!({path:?})),");
        writeln!(list, "{line}").map_err(io::Error::other)?;
    }
    list.push(']');
    fs::write(output.join("page_files.rs"), list)?;
    for root in folder::ROOTS {
        println!("cargo::rerun-if-changed=page/{root}");
    }
    for module in ["folder", "lean"] {
        println!("cargo::rerun-if-changed=src/page/{module}.rs");
    }
    Ok(())
}
