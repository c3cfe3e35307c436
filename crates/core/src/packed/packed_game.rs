//! A game of any type as one value.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::adapter::{Adapter, BaseOf, Own};
use super::base::{PackedBase, RetroRules};
use super::delegate::delegate_game;
use super::state_rules::StateRules;
use super::{Packed, PackedMove, Packing, Rules};
use crate::{
    Countdown, Drawing, DrawnMove, DrawnSetup, Expansion, ForbiddenMove, Game, Heuristics, Look,
    Material, Notation, ParseError, PawnPairs, PlayoutQueue, Random, Retro, Scope, Subgames,
    TwoSided, Wdl,
};

/// Any game whose positions have `W` words. A clone is the same game.
///
/// Code that is generic over games is compiled for it once, whatever the game. Each method is a
/// call of a function that is known only at run time.
///
/// ```
/// use hindsight_core::{Game, Notation, PackedGame, Packing};
/// # use hindsight_core::{ParseError, Wdl};
/// # struct TakeAway;
/// # impl Game for TakeAway {
/// #     type Position = u8;
/// #     type Move = u8;
/// #     fn start(&self) -> u8 { 5 }
/// #     fn player_to_move(&self, _: u8) -> usize { 0 }
/// #     fn terminal(&self, left: u8) -> Option<Wdl> { (left == 0).then_some(Wdl::Loss) }
/// #     fn moves(&self, left: u8, out: &mut Vec<u8>) { out.extend(1..=left.min(2)) }
/// #     fn play(&self, left: u8, taken: u8) -> u8 { left - taken }
/// # }
/// # impl Notation for TakeAway {
/// #     fn spec(&self) -> String { "take-away".into() }
/// #     fn player_names(&self) -> [&'static str; 2] { ["First", "Second"] }
/// #     fn format(&self, left: u8) -> String { left.to_string() }
/// #     fn parse(&self, text: &str) -> Result<u8, ParseError> {
/// #         text.parse().map_err(|_| ParseError::new(0, "a number is needed"))
/// #     }
/// #     fn format_move(&self, _: u8, taken: u8) -> String { taken.to_string() }
/// # }
/// impl Packing<1> for TakeAway {
///     fn pack(&self, left: u8) -> [u32; 1] {
///         [left.into()]
///     }
///     fn unpack(&self, [left]: [u32; 1]) -> u8 {
///         left as u8
///     }
///     fn pack_move(&self, taken: u8) -> u64 {
///         taken.into()
///     }
///     fn unpack_move(&self, taken: u64) -> u8 {
///         taken as u8
///     }
/// }
///
/// let game = PackedGame::new(TakeAway);
/// let mv = game.parse_move(game.start(), "2")?;
/// assert_eq!(game.format(game.play(game.start(), mv)), "3");
/// # Ok::<(), ParseError>(())
/// ```
///
/// The traits of numbered positions are implemented as well, for games that have them.
#[derive(Clone)]
pub struct PackedGame<const W: usize> {
    rules: Arc<dyn Rules<W>>,
    pub(super) parts: Parts<W>,
}

type PairRules<const W: usize> = dyn PawnPairs<Position = Packed<W>, Move = PackedMove> + Send;
type SideRules<const W: usize> = dyn TwoSided<Position = Packed<W>, Move = PackedMove> + Send;
type SubgameRules<const W: usize> =
    dyn Subgames<Position = Packed<W>, Move = PackedMove, Subgame = PackedGame<W>> + Send;

/// The optional parts of a game; `None` where it has not got them.
#[derive(Clone)]
pub(super) struct Parts<const W: usize> {
    pub(super) retro: Option<Arc<RetroRules<W>>>,
    pub(super) pairs: Option<Arc<PairRules<W>>>,
    pub(super) subgames: Option<Arc<SubgameRules<W>>>,
    pub(super) sides: Option<Arc<SideRules<W>>>,
    pub(super) states: Option<StateParts<W>>,
}

impl<const W: usize> Default for Parts<W> {
    fn default() -> Self {
        Self { retro: None, pairs: None, subgames: None, sides: None, states: None }
    }
}

/// Rules of states, with those of the base.
#[derive(Clone)]
pub(super) struct StateParts<const W: usize> {
    pub(super) rules: Arc<dyn StateRules<W>>,
    pub(super) base: PackedBase<W>,
}

/// Structure of a game beside its rules, by which solvers and tables are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Structure {
    /// The rules alone.
    Plain,
    /// [`Retro`].
    Ranked,
    /// [`PawnPairs`], [`Subgames`] and [`Retro`].
    PawnPairs,
    /// [`Subgames`].
    Subgames,
    /// [`TwoSided`] and [`Retro`].
    TwoSided,
    /// [`ForbiddenMove`](crate::ForbiddenMove).
    ForbiddenMove,
}

impl<const W: usize> PackedGame<W> {
    /// Returns the rules of a game without its type.
    #[must_use]
    pub fn new<G: Packing<W> + Notation + Send + 'static>(game: G) -> Self {
        Self { rules: Arc::new(Adapter(Own(game))), parts: Parts::default() }
    }

    /// Returns a game that ranks its positions.
    #[must_use]
    pub fn ranked<G: Packing<W> + Notation + Retro + Send + 'static>(game: G) -> Self {
        let rules = Arc::new(Adapter(Own(game)));
        let parts = Parts { retro: Some(rules.clone()), ..Parts::default() };
        Self { rules, parts }
    }

    /// Returns a ranked game whose tiers are pairs of pawn squares, as those of its subgames.
    #[must_use]
    pub fn pawn_pairs<G>(game: G) -> Self
    where
        G: Packing<W> + Notation + Retro + PawnPairs + Subgames<Subgame = G> + Send + 'static,
    {
        let rules = Arc::new(Adapter(Own(game)));
        let parts = Parts {
            retro: Some(rules.clone()),
            pairs: Some(rules.clone()),
            subgames: Some(rules.clone()),
            ..Parts::default()
        };
        Self { rules, parts }
    }

    /// Returns a game whose subgames are ranked, but it is not.
    #[must_use]
    pub fn subgames<G>(game: G) -> Self
    where
        G: Packing<W> + Notation + Retro + PawnPairs + Subgames<Subgame = G> + Send + 'static,
    {
        let rules = Arc::new(Adapter(Own(game)));
        let parts = Parts { subgames: Some(rules.clone()), ..Parts::default() };
        Self { rules, parts }
    }

    /// Returns a ranked game with a leader and followers on each side.
    #[must_use]
    pub fn two_sided<G: Packing<W> + Notation + Retro + TwoSided + Send + 'static>(
        game: G,
    ) -> Self {
        let rules = Arc::new(Adapter(Own(game)));
        let parts =
            Parts { retro: Some(rules.clone()), sides: Some(rules.clone()), ..Parts::default() };
        Self { rules, parts }
    }

    /// Returns a game in which a move may be forbidden, and whose base is ranked.
    #[must_use]
    pub fn forbidden_move<G>(game: G) -> Self
    where
        G: Packing<W> + Notation + ForbiddenMove<Base: Packing<W> + Send> + Send + 'static,
    {
        let rules = Arc::new(Adapter(Own(game)));
        let base = PackedBase::new(Adapter(BaseOf(rules.clone())));
        let states = StateParts { rules: rules.clone(), base };
        Self { rules, parts: Parts { states: Some(states), ..Parts::default() } }
    }

    /// Returns what the game has beside its rules.
    #[must_use]
    pub fn structure(&self) -> Structure {
        let Parts { retro, pairs, subgames, sides, states } = &self.parts;
        match (retro, subgames) {
            _ if states.is_some() => Structure::ForbiddenMove,
            _ if sides.is_some() => Structure::TwoSided,
            _ if pairs.is_some() => Structure::PawnPairs,
            (Some(_), _) => Structure::Ranked,
            (None, Some(_)) => Structure::Subgames,
            (None, None) => Structure::Plain,
        }
    }
}

impl<const W: usize> fmt::Debug for PackedGame<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PackedGame").field(&self.spec()).finish()
    }
}

delegate_game!(PackedGame, rules);

impl<const W: usize> Notation for PackedGame<W> {
    fn spec(&self) -> String {
        self.rules.spec()
    }

    fn rules_spec(&self) -> String {
        self.rules.rules_spec()
    }

    fn default_scope(&self) -> Scope {
        self.rules.default_scope()
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.rules.player_names()
    }

    fn format(&self, position: Packed<W>) -> String {
        self.rules.format(position)
    }

    fn parse(&self, text: &str) -> Result<Packed<W>, ParseError> {
        self.rules.parse(text)
    }

    fn format_move(&self, position: Packed<W>, mv: PackedMove) -> String {
        self.rules.format_move(position, mv)
    }

    fn diagram(&self, position: Packed<W>) -> String {
        self.rules.diagram(position)
    }

    fn drawing(&self, position: Packed<W>) -> Drawing {
        self.rules.drawing(position)
    }

    fn drawn_move(&self, position: Packed<W>, mv: PackedMove) -> Option<DrawnMove> {
        self.rules.drawn_move(position, mv)
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        self.rules.drawn_setup()
    }

    fn win_condition(&self, finished: Packed<W>) -> Option<&'static str> {
        self.rules.win_condition(finished)
    }

    fn parse_move(&self, position: Packed<W>, text: &str) -> Result<PackedMove, ParseError> {
        self.rules.parse_move(position, text)
    }
}
