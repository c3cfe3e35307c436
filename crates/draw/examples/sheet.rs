//! Writes a sheet of the starts of all games to a folder: `cargo run --example sheet -- FOLDER`.

use std::path::PathBuf;

use hindsight_core::{Drawing, Game, Notation, PackedGame, drawing_of};
use hindsight_draw::{Paper, Picture, Sheet, SheetPuzzle};
use hindsight_rules::{GAMES, Setup, by_name};

/// Takes the picture of the start, and the first legal move over and over.
fn start_picture(game: &PackedGame) -> (Drawing, String) {
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(start, &mut moves);
    (drawing_of(game, start), game.format_move(start, moves[0]))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let others = [
        "quoridor:9x9:10",
        "onitama:5x5:tiger,crab,monkey,crane,dragon:hand=2",
        "onitama:2x9:boar",
        "quoridor:7x3:2",
    ];
    let specs = GAMES.iter().map(|game| game.example).chain(others);
    let mut puzzles = Vec::new();
    for spec in specs {
        let picture = by_name(spec, &Setup::default()).map(|game| start_picture(&game));
        let (drawing, mv) = picture.map_err(|error| error.message)?;
        puzzles.push(SheetPuzzle {
            task: format!("{spec}: the start"),
            stars: (puzzles.len() % 6) as u8,
            drawing,
            moves: vec![mv; 7 * puzzles.len() + 1],
            note: String::from("the first move again and again"),
        });
    }
    let sheet = Sheet {
        title: String::from("All games"),
        footer: String::from("starts"),
        most_stars: 5,
        paper: Paper::Letter,
        puzzles,
    };
    let pages = sheet.pages();
    let all: Vec<&Picture> = pages.puzzles.iter().chain(&pages.solutions).collect();
    for (i, page) in all.iter().enumerate() {
        std::fs::write(folder.join(format!("page-{}.svg", i + 1)), page.svg())?;
    }
    #[cfg(feature = "pdf")]
    std::fs::write(folder.join("sheet.pdf"), hindsight_draw::pdf(&all, &sheet.title)?)?;
    Ok(())
}
