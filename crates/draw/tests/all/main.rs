//! Pictures of all games, as SVG and PNG and in a terminal.

mod pictures;
mod sheets;
mod terminal;

use hindsight_core::{Drawing, Game, Notation, PackedGame, drawing_of};
use hindsight_rules::{Setup, by_name};

/// Draws a position of a game; the start for `None`.
fn draw(game: &PackedGame, arg: Option<&str>) -> Drawing {
    let position = arg.map_or(game.start(), |text| {
        game.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    });
    drawing_of(game, position)
}

fn drawing(spec: &str, position: Option<&str>) -> Drawing {
    by_name(spec, &Setup::default()).map(|game| draw(&game, position)).expect("a spec")
}
