//! Pictures of all games, as SVG and PNG and in a terminal.

mod pictures;
mod sheets;
mod terminal;

use hindsight_core::{Drawing, Notation, drawing_of};
use hindsight_rules::{Setup, Visitor, by_name};

/// Draws a position of a game; the start for `None`.
struct Draw<'a>(Option<&'a str>);

impl Visitor for Draw<'_> {
    type Output = Drawing;

    fn visit<G: Notation>(self, game: G) -> Drawing {
        let position = self.0.map_or(game.start(), |text| {
            game.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        drawing_of(&game, position)
    }
}

fn drawing(spec: &str, position: Option<&str>) -> Drawing {
    by_name(spec, &Setup::default(), Draw(position)).expect("a spec")
}
