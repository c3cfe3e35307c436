//! The server with the files of the page as they are on the disk, for those who change the page.
//!
//! ```text
//! cargo run --release -p hindsight-web --example page_from_disk -- --port 8020
//! cargo run --release -p hindsight-web --example page_from_disk -- --port 8020 q.table
//! ```
//!
//! The arguments are some of `hindsight serve`: `--port`, `--only`, tables by their files, specs.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::path::Path;
use std::sync::Arc;

use hindsight_web::{
    ApiLimits, ApiState, PageFiles, Server, ServerOptions, Shelf, router_with_page,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut options, mut shelf) = (ServerOptions::default(), Shelf::default());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let path = Path::new(&argument);
        match (&*argument, path.file_stem().filter(|_| path.is_file())) {
            ("serve", _) => {}
            ("--port", _) => options.port = arguments.next().ok_or("--port N")?.parse()?,
            ("--only", _) => shelf.close(),
            (_, Some(name)) => {
                let name = name.to_string_lossy().into_owned();
                shelf.add_table(name, hindsight_games::open(path)?)?;
            }
            (spec, None) => shelf.add_game(spec)?,
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
