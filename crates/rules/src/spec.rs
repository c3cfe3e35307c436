use alloc::format;
use alloc::vec::Vec;

use hindsight_core::{ParseError, TextToken};

use crate::dobutsu::Dobutsu;
use crate::dodgem::Dodgem;
use crate::four::Four;
use crate::game_info::GameInfo;
use crate::grammar;
use crate::l_game::LGame;
use crate::onitama::spec::{RegisteredOnitama, parse_onitama};
use crate::onitama::{Onitama, ThesisMoveOrder};
use crate::ostle::Ostle;
use crate::quixo::Quixo;
use crate::quoridor::Quoridor;
use crate::registered::{Registered, Setup};
use crate::tic_tac_toe::TicTacToe;
use crate::visitor::Visitor;

mod deal;

pub use crate::onitama::spec::deck_file;
pub use deal::deal;

/// Makes the list of games and the choice among them. The first game, Onitama, is visited by the
/// callers, because it also has a published order of moves.
macro_rules! registry {
    ($first:ty, $($game:ty),+) => {
        /// The games, in the order of lists.
        pub const GAMES: &[GameInfo] = &[<$first>::INFO, $(<$game>::INFO),+];

        /// Visits a game other than the first.
        fn visit_other<V: Visitor>(
            spec: TextToken<'_>,
            setup: &Setup<'_>,
            visitor: V,
        ) -> Result<V::Output, ParseError> {
            let name = grammar::game_name(spec);
            $(if name.eq_ignore_ascii_case(<$game>::INFO.name) {
                return visit::<$game, V>(spec, setup, visitor);
            })+
            reject_unknown(spec)
        }
    };
}

registry!(
    RegisteredOnitama,
    Ostle,
    Quoridor,
    TicTacToe,
    Dodgem,
    LGame,
    Four,
    Quixo,
    Dobutsu
);

/// Reads the spec of a game and hands it to the visitor.
fn visit<G: Registered, V: Visitor>(
    spec: TextToken<'_>,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    let GameInfo { name, form, .. } = G::INFO;
    if form == name && spec.text.len() > name.len() {
        let message = format!("{name} stands alone: it has no size and no options");
        return Err(ParseError::new(spec.at + name.len(), message));
    }
    Ok(G::from_spec(spec, setup)?.accept(visitor))
}

/// Returns an error that lists the forms of all specs.
fn reject_unknown<T>(spec: TextToken<'_>) -> Result<T, ParseError> {
    let name = grammar::game_name(spec).to_ascii_lowercase();
    let forms: Vec<&str> = GAMES.iter().map(|game| game.form).collect();
    let forms = forms.join(" or ");
    spec.reject(format!(
        "there is no game '{name}'; a spec is {forms} (`hindsight games` says more)"
    ))
}

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
        SpecName::Onitama(spec) => visit::<RegisteredOnitama, V>(spec, setup, visitor),
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
    visit::<RegisteredOnitama, V>(SpecName::parse(spec).onitama()?, setup, visitor)
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
