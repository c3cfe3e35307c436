//! Games with faults planted in their pictures.

use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Notation, Packed, PackedGame, PackedMove, ParseError,
    PlacedText, SetupKinds, Wdl,
};
use hindsight_rules::{Setup, by_name};
use hindsight_testkit::check_notation;

/// Change of a right drawn move into a wrong one, or into itself where that cannot be.
pub(crate) type MoveFault = fn(DrawnMove) -> DrawnMove;

/// Change of a picture before its text is written.
pub(crate) type DrawingFault = fn(&mut Drawing);

/// Change of the kinds of what can be put into a picture.
pub(crate) type KindsFault = fn(&mut SetupKinds);

/// Fault that is planted in a game.
#[derive(Clone, Copy)]
pub(crate) enum Fault {
    /// Drawn moves are changed.
    Moves(MoveFault),
    /// Pictures are changed before their texts are written.
    Pictures(DrawingFault),
    /// Kinds of what can be put into a picture are changed.
    Kinds(KindsFault),
}

/// Game with a fault in its pictures.
struct Misdrawn {
    game: PackedGame,
    fault: Fault,
}

impl Game for Misdrawn {
    type Position = Packed;
    type Move = PackedMove;

    fn start(&self) -> Packed {
        self.game.start()
    }
    fn player_to_move(&self, position: Packed) -> usize {
        self.game.player_to_move(position)
    }
    fn terminal(&self, position: Packed) -> Option<Wdl> {
        self.game.terminal(position)
    }
    fn moves(&self, position: Packed, out: &mut Vec<PackedMove>) {
        self.game.moves(position, out);
    }
    fn play(&self, position: Packed, mv: PackedMove) -> Packed {
        self.game.play(position, mv)
    }
}

impl Notation for Misdrawn {
    fn spec(&self) -> String {
        self.game.spec()
    }
    fn player_names(&self) -> [&'static str; 2] {
        self.game.player_names()
    }
    fn format(&self, position: Packed) -> String {
        self.game.format(position)
    }
    fn parse(&self, text: &str) -> Result<Packed, ParseError> {
        self.game.parse(text)
    }
    fn format_move(&self, position: Packed, mv: PackedMove) -> String {
        self.game.format_move(position, mv)
    }
    fn parse_move(&self, position: Packed, text: &str) -> Result<PackedMove, ParseError> {
        self.game.parse_move(position, text)
    }
    fn drawing(&self, position: Packed) -> Drawing {
        self.game.drawing(position)
    }
    fn drawn_move(&self, position: Packed, mv: PackedMove) -> Option<DrawnMove> {
        let drawn = self.game.drawn_move(position, mv)?;
        Some(match self.fault {
            Fault::Moves(change) => change(drawn),
            _ => drawn,
        })
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        self.game.drawn_setup().map(|_| self as &dyn DrawnSetup)
    }
}

impl DrawnSetup for Misdrawn {
    fn kinds(&self) -> SetupKinds {
        let mut kinds = self.game.drawn_setup().expect("a setup").kinds();
        if let Fault::Kinds(change) = self.fault {
            change(&mut kinds);
        }
        kinds
    }
    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        let mut drawing = drawing.clone();
        if let Fault::Pictures(change) = self.fault {
            change(&mut drawing);
        }
        self.game.drawn_setup().expect("a setup").text_of(&drawing)
    }
}

/// Checks the notation of a game whose pictures have a fault; returns the message of the law
/// that is broken.
pub(crate) fn broken_law(spec: &str, fault: Fault) -> Option<String> {
    let game = by_name(spec, &Setup::default()).expect("a game");
    let misdrawn = Misdrawn { game, fault };
    let check = std::panic::AssertUnwindSafe(|| check_notation(&misdrawn, 100, 3));
    let caught = std::panic::catch_unwind(check).err()?;
    Some(caught.downcast_ref::<String>().cloned().unwrap_or_default())
}

pub(crate) const GAMES: [&str; 5] = [
    "tic-tac-toe",
    "dodgem:3x3",
    "ostle:4x4:4:2",
    "quoridor:3x3:2",
    "onitama:3x4:boar,ox,boar,horse,crab",
];
