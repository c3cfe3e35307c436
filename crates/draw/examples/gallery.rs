//! Draws positions: `gallery FOLDER SPEC POSITION LAST ..`, each with three arguments, where `-`
//! stands for the start or for no last move.

use std::error::Error;
use std::path::Path;

use hindsight_core::{Drawing, Game, Notation, PackedGame, drawing_of};
use hindsight_rules::{Setup, by_name};

/// Draws a position of a game; the start for `-`.
fn draw(game: &PackedGame, arg: &str) -> Result<Drawing, hindsight_core::ParseError> {
    let position = match arg {
        "-" => game.start(),
        text => game.parse(text)?,
    };
    Ok(drawing_of(game, position))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, pictures) = args.split_first().ok_or("a folder")?;
    for (number, picture) in pictures.chunks_exact(3).enumerate() {
        let [spec, position, last] = picture else {
            continue;
        };
        let drawing = by_name(spec, &Setup::default()).map(|game| draw(&game, position))??;
        let last = if last == "-" { "" } else { last };
        let picture = hindsight_draw::picture(&drawing, spec, last);
        let file = |ending: &str| Path::new(folder).join(format!("{number}.{ending}"));
        std::fs::write(file("svg"), picture.svg())?;
        std::fs::write(file("png"), picture.png(2.0)?)?;
    }
    Ok(())
}
