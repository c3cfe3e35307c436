use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::{ParseError, TextToken, nearest_name};

use crate::game_info::GameInfo;
use crate::grammar::game_name;
use crate::registered::{Registered, Setup};
use crate::visitor::Visitor;

/// Games among which a spec chooses: one [`Registered`] game, or a tuple of at most
/// sixteen.
///
/// A visitor is compiled for every game of its list. A short list is compiled sooner.
pub trait GameList {
    /// The games, in the order of lists.
    const GAMES: &'static [GameInfo];

    /// Reads a spec and hands its game to the visitor.
    ///
    /// # Errors
    /// As [`by_name_among`].
    fn visit<V: Visitor>(
        spec: TextToken<'_>,
        setup: &Setup<'_>,
        visitor: V,
    ) -> Result<V::Output, ParseError>;
}

impl<G: Registered> GameList for G {
    const GAMES: &'static [GameInfo] = &[G::INFO];

    fn visit<V: Visitor>(
        spec: TextToken<'_>,
        setup: &Setup<'_>,
        visitor: V,
    ) -> Result<V::Output, ParseError> {
        match game_name(spec).eq_ignore_ascii_case(G::INFO.name) {
            true => visit_game::<G, V>(spec, setup, visitor),
            false => reject_unknown(spec, Self::GAMES),
        }
    }
}

/// Makes lists of the tuples of some games, and of fewer.
macro_rules! game_lists {
    ($last:ident) => {};
    ($first:ident $($game:ident)+) => {
        impl<$first: Registered, $($game: Registered),+> GameList for ($first, $($game),+) {
            const GAMES: &'static [GameInfo] = &[$first::INFO, $($game::INFO),+];

            fn visit<V: Visitor>(
                spec: TextToken<'_>,
                setup: &Setup<'_>,
                visitor: V,
            ) -> Result<V::Output, ParseError> {
                let name = game_name(spec);
                if name.eq_ignore_ascii_case($first::INFO.name) {
                    return visit_game::<$first, V>(spec, setup, visitor);
                }
                $(if name.eq_ignore_ascii_case($game::INFO.name) {
                    return visit_game::<$game, V>(spec, setup, visitor);
                })+
                reject_unknown(spec, Self::GAMES)
            }
        }

        game_lists!($($game)+);
    };
}

game_lists!(A B C D E F G H I J K L M N O P);

/// Reads a spec that names one of a few games and hands its game to the visitor. Case is ignored,
/// except in file names.
///
/// # Errors
/// If the spec is malformed, names no game of the list, or names a deck file that cannot be read.
/// The message describes the right form.
///
/// ```
/// use hindsight_core::Notation;
/// use hindsight_rules::{Setup, Visitor, by_name_among, ostle::Ostle, quoridor::Quoridor};
///
/// struct Start;
/// impl Visitor for Start {
///     type Output = String;
///     fn visit<G: Notation>(self, game: G) -> String {
///         game.format(game.start())
///     }
/// }
/// type Games = (Ostle, Quoridor);
/// let start = |spec| by_name_among::<Games, _>(spec, &Setup::default(), Start);
/// assert_eq!(start("quoridor:3x3:1").unwrap(), "b1 b3 1,1 - white");
/// assert!(start("tic-tac-toe").is_err());
/// ```
pub fn by_name_among<L: GameList, V: Visitor>(
    spec: &str,
    setup: &Setup<'_>,
    visitor: V,
) -> Result<V::Output, ParseError> {
    L::visit(TextToken::trimmed(spec), setup, visitor)
}

/// Reads the spec of a game and hands the game to the visitor.
fn visit_game<G: Registered, V: Visitor>(
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
fn reject_unknown<T>(spec: TextToken<'_>, games: &[GameInfo]) -> Result<T, ParseError> {
    let name = game_name(spec).to_ascii_lowercase();
    let forms: Vec<&str> = games.iter().map(|game| game.form).collect();
    let forms = forms.join(" or ");
    let nearest = nearest_name(&name, games.iter().map(|game| game.name));
    let hint = nearest.map_or(String::new(), |nearest| format!(" did you mean '{nearest}'?"));
    spec.reject(format!(
        "there is no game '{name}';{hint} a spec is {forms} (`hindsight games` says more)"
    ))
}
