//! The server with the files of the page as they are on the disk, for those who change the page.
//!
//! ```text
//! cargo run --release -p hindsight-web --example page_from_disk -- --port 8020
//! cargo run --release -p hindsight-web --example page_from_disk -- --port 8020 q.table
//! ```
//!
//! The arguments after the port are tables, each served by the name of its file, and specs.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::path::Path;
use std::sync::Arc;

use hindsight_web::{
    ApiLimits, ApiState, PageFiles, Server, ServerOptions, Shelf, router_with_page,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut options = ServerOptions::default();
    if arguments.first().is_some_and(|first| first == "--port") {
        let port = arguments.get(1).ok_or("--port needs a number")?;
        options.port = port.parse()?;
        arguments.drain(..2);
    }
    let mut shelf = Shelf::default();
    for argument in &arguments {
        let path = Path::new(argument);
        match path.file_stem().filter(|_| path.is_file()) {
            Some(name) => {
                let table = hindsight_games::open(path)?;
                shelf.add_table(name.to_string_lossy().into_owned(), table)?;
            }
            None => shelf.add_game(argument)?,
        }
    }
    let server = Server::bind(&options)?;
    let state = ApiState::new(shelf, ApiLimits::default(), server.pools())?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let router = router_with_page(Arc::new(state), PageFiles::of_folder(folder));
    println!("http://{}/", server.address());
    server.run(router, std::future::pending())?;
    Ok(())
}
