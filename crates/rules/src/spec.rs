use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::{
    ForbiddenMove, Notation, ParseError, PawnPairs, Retro, Symmetry, TextToken, TwoSided,
};

use crate::game_info::GameInfo;
use crate::grammar;
use crate::onitama::spec::parse_onitama;
use crate::onitama::{Onitama, ThesisMoveOrder};
use crate::ostle::Ostle;
use crate::ostle::spec::parse_ostle;
use crate::quoridor::Quoridor;
use crate::quoridor::spec::parse_quoridor;
use crate::tic_tac_toe::TicTacToe;

mod deal;

pub use crate::onitama::spec::deck_file;
pub use deal::deal;

/// Receives the concrete game that a spec names.
///
/// [`by_name`] calls the most specific method that the game supports. The default of a specific
/// method calls a more general one.
pub trait Visitor {
    /// Result of the visit.
    type Output;

    /// Receives any game.
    fn visit<G: Notation + Send + 'static>(self, game: G) -> Self::Output;

    /// Receives a game whose tiers consist of pairs of pawn squares. Calls [`Visitor::ranked`]
    /// unless overridden.
    fn pawn_pairs<G: PawnPairs + Retro + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.ranked(game)
    }

    /// Receives a game with a leader and followers on each side. Calls [`Visitor::ranked`] unless
    /// overridden.
    fn two_sided<G: TwoSided + Retro + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.ranked(game)
    }

    /// Receives a game in which a move may be forbidden and whose base game is ranked. Calls
    /// [`Visitor::visit`] unless overridden.
    fn forbidden_move<G: ForbiddenMove + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(game)
    }

    /// Receives a game that ranks every position and can take moves back. Calls [`Visitor::visit`]
    /// unless overridden.
    fn ranked<G: Retro + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(game)
    }
}

/// Arguments of [`by_name`] beside the spec.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Symmetries that `canonical` uses.
    pub symmetry: Symmetry,
    /// Reads a deck file by its name; the error is a sentence. The rules do not open files.
    pub read_file: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Default for Setup<'_> {
    /// No symmetry, and an error for every file.
    fn default() -> Self {
        Self {
            symmetry: Symmetry::None,
            read_file: &|name| Err(format!("cannot read '{name}' here")),
        }
    }
}

/// The games, in the order of lists.
pub const GAMES: &[GameInfo] = &[
    crate::onitama::spec::INFO,
    crate::ostle::spec::INFO,
    crate::quoridor::spec::INFO,
    crate::tic_tac_toe::INFO,
];

/// Reads a spec and hands its game to the visitor. Case is ignored, except in file names.
///
/// # Errors
/// If the spec is malformed, names no game, or names a deck file that cannot be read. The message
/// describes the right form.
pub fn by_name<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    match SpecName::parse(spec) {
        SpecName::Onitama(spec) => visit_onitama(spec, setup, visitor),
        SpecName::Other(spec) => visit_other(spec, setup, visitor),
    }
}

/// As [`by_name`], but with the move order of the program that was published with a game:
/// [`ThesisMoveOrder`] for Onitama.
///
/// Onitama in this order has no ranks and is handed to [`Visitor::visit`].
///
/// # Errors
/// As [`by_name`].
pub fn by_name_in_published_order<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    match SpecName::parse(spec) {
        SpecName::Onitama(spec) => visit_in_published_order(spec, setup, visitor),
        SpecName::Other(spec) => visit_other(spec, setup, visitor),
    }
}

/// As [`by_name`], for Onitama only: fewer games are compiled for the visitor.
///
/// # Errors
/// If the spec is malformed or names another game.
pub fn onitama_by_name<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    visit_onitama(SpecName::parse(spec).onitama()?, setup, visitor)
}

/// As [`by_name_in_published_order`], for Onitama only.
///
/// # Errors
/// As [`onitama_by_name`].
pub fn onitama_in_published_order<V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    visit_in_published_order(SpecName::parse(spec).onitama()?, setup, visitor)
}

/// A trimmed spec, by the game that it names.
enum SpecName<'a> {
    Onitama(TextToken<'a>),
    Other(TextToken<'a>),
}

impl<'a> SpecName<'a> {
    fn parse(spec: &'a str) -> Self {
        let spec = TextToken::trimmed(spec);
        match grammar::game_name(spec).eq_ignore_ascii_case("onitama") {
            true => Self::Onitama(spec),
            false => Self::Other(spec),
        }
    }

    fn onitama(self) -> Result<TextToken<'a>, ParseError> {
        match self {
            Self::Onitama(spec) => Ok(spec),
            Self::Other(spec) => spec.reject(format!("'{}' is not onitama", spec.text)),
        }
    }
}

/// Visits a game other than Onitama.
fn visit_other<V: Visitor>(
    spec: TextToken<'_>,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    let name = grammar::game_name(spec);
    match name.to_ascii_lowercase().as_str() {
        "tic-tac-toe" if spec.text == name => Ok(visitor.ranked(TicTacToe {
            symmetry: setup.symmetry,
        })),
        "tic-tac-toe" => Err(ParseError::new(
            spec.at + name.len(),
            "tic-tac-toe stands alone: it has no size and no options",
        )),
        "ostle" => {
            let ostle = parse_ostle(spec)?;
            Ok(visitor.forbidden_move(Ostle::new(ostle, setup.symmetry)))
        }
        "quoridor" => {
            let game = Quoridor::new(parse_quoridor(spec)?, setup.symmetry);
            if game.ranks_fit() {
                Ok(visitor.pawn_pairs(game))
            } else {
                Ok(visitor.visit(game))
            }
        }
        other => {
            let forms: Vec<&str> = GAMES.iter().map(|game| game.form).collect();
            let forms = forms.join(" or ");
            spec.reject(format!(
                "there is no game '{other}'; a spec is {forms} (`hindsight games` says more)"
            ))
        }
    }
}

fn visit_in_published_order<V: Visitor>(
    spec: TextToken<'_>,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    let onitama = parse_onitama(spec, setup.read_file)?;
    Ok(match onitama.board().squares() {
        0..=32 => visitor.visit(ThesisMoveOrder(Onitama::<u32>::new(
            onitama,
            setup.symmetry,
        ))),
        _ => visitor.visit(ThesisMoveOrder(Onitama::<u64>::new(
            onitama,
            setup.symmetry,
        ))),
    })
}

/// Visits Onitama with the smallest bitboard for its squares, which makes positions smaller. Each
/// arm is compiled for every visitor, so the number of arms is kept small.
fn visit_onitama<V: Visitor>(
    spec: TextToken<'_>,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    let onitama = parse_onitama(spec, setup.read_file)?;
    let symmetry = setup.symmetry;
    Ok(match onitama.board().squares() {
        // Invariant: with up to 16 squares, 64 bits number all positions.
        0..=16 => visitor.two_sided(Onitama::<u16>::new(onitama, symmetry)),
        17..=32 => {
            let game = Onitama::<u32>::new(onitama, symmetry);
            match game.ranks_fit() {
                true => visitor.two_sided(game),
                false => visitor.visit(game),
            }
        }
        _ => {
            let game = Onitama::<u64>::new(onitama, symmetry);
            match game.ranks_fit() {
                true => visitor.ranked(game),
                false => visitor.visit(game),
            }
        }
    })
}

impl core::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup")
            .field("symmetry", &self.symmetry)
            .finish_non_exhaustive()
    }
}
