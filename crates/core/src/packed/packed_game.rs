//! Any game as one value.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::adapter::{Adapter, BaseOf, Own};
use super::state_rules::StateRules;
use super::{MOST_WORDS, Packed, PackedMove, Packing, Rules};
use crate::{
    Countdown, Drawing, DrawnMove, DrawnSetup, Expansion, ForbiddenMove, Game, Heuristics, Look,
    Material, Notation, ParseError, PawnPairs, PlayoutQueue, Random, Retro, Scope, Subgames,
    TwoSided, Wdl,
};

/// Any game. A clone is the same game.
///
/// Solvers, agents and tables take this type, so they are compiled once. Each method is a call of
/// a function that is known only at run time.
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
pub struct PackedGame {
    rules: Arc<dyn Rules>,
    /// Number of words that positions use.
    words: usize,
    /// Number of words that canonical members use.
    canonical_words: usize,
    is_outside: bool,
    pub(super) parts: Parts,
}

/// Rules of a game that ranks its positions.
pub type RetroRules = dyn Retro<Position = Packed, Move = PackedMove> + Send;
type PairRules = dyn PawnPairs<Position = Packed, Move = PackedMove> + Send;
type SideRules = dyn TwoSided<Position = Packed, Move = PackedMove> + Send;
type SubgameRules = dyn Subgames<Position = Packed, Move = PackedMove, Subgame = PackedGame> + Send;

/// The optional parts of a game; `None` where it has not got them.
#[derive(Clone, Default)]
pub(super) struct Parts {
    pub(super) retro: Option<Arc<RetroRules>>,
    pub(super) pairs: Option<Arc<PairRules>>,
    pub(super) subgames: Option<Arc<SubgameRules>>,
    pub(super) sides: Option<Arc<SideRules>>,
    pub(super) states: Option<Arc<StateParts>>,
}

/// Rules of states, with those of the base.
pub(super) struct StateParts {
    pub(super) rules: Arc<dyn StateRules>,
    pub(super) base: PackedGame,
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

impl PackedGame {
    /// Returns the rules of a game without its type.
    #[must_use]
    pub fn new<const W: usize, G: Packing<W> + Notation + Send + 'static>(game: G) -> Self {
        Self {
            rules: Arc::new(Adapter(Own(game))),
            words: W,
            canonical_words: W,
            is_outside: false,
            parts: Parts::default(),
        }
    }

    /// Returns the game of rules that live outside, with their ranks if they have any. Packed
    /// positions have some words, and canonical members use the first of them.
    ///
    /// # Panics
    /// If these are more than [`MOST_WORDS`].
    #[must_use]
    pub fn outside(
        rules: Arc<dyn Rules>,
        retro: Option<Arc<RetroRules>>,
        words: usize,
        canonical_words: usize,
    ) -> Self {
        assert!(words <= MOST_WORDS, "a position has nine words at most");
        let parts = Parts { retro, ..Parts::default() };
        Self { rules, words, canonical_words, is_outside: true, parts }
    }

    /// Returns a game that ranks its positions.
    #[must_use]
    pub fn ranked<const W: usize, G: Packing<W> + Notation + Retro + Send + 'static>(
        game: G,
    ) -> Self {
        let rules = Arc::new(Adapter(Own(game)));
        let parts = Parts { retro: Some(rules.clone()), ..Parts::default() };
        Self { rules, words: W, canonical_words: W, is_outside: false, parts }
    }

    /// Returns a ranked game whose tiers are pairs of pawn squares, as those of its subgames.
    #[must_use]
    pub fn pawn_pairs<const W: usize, G>(game: G) -> Self
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
        Self { rules, words: W, canonical_words: W, is_outside: false, parts }
    }

    /// Returns a game whose subgames are ranked, but it is not.
    #[must_use]
    pub fn subgames<const W: usize, G>(game: G) -> Self
    where
        G: Packing<W> + Notation + Retro + PawnPairs + Subgames<Subgame = G> + Send + 'static,
    {
        let rules = Arc::new(Adapter(Own(game)));
        let parts = Parts { subgames: Some(rules.clone()), ..Parts::default() };
        Self { rules, words: W, canonical_words: W, is_outside: false, parts }
    }

    /// Returns a ranked game with a leader and followers on each side.
    #[must_use]
    pub fn two_sided<const W: usize, G>(game: G) -> Self
    where
        G: Packing<W> + Notation + Retro + TwoSided + Send + 'static,
    {
        let rules = Arc::new(Adapter(Own(game)));
        let parts =
            Parts { retro: Some(rules.clone()), sides: Some(rules.clone()), ..Parts::default() };
        Self { rules, words: W, canonical_words: W, is_outside: false, parts }
    }

    /// Returns a game in which a move may be forbidden, and whose base is ranked.
    #[must_use]
    pub fn forbidden_move<const W: usize, G>(game: G) -> Self
    where
        G: Packing<W> + Notation + ForbiddenMove<Base: Packing<W> + Send> + Send + 'static,
    {
        let rules = Arc::new(Adapter(Own(game)));
        let base = Arc::new(Adapter(BaseOf(rules.clone())));
        let parts = Parts { retro: Some(base.clone()), ..Parts::default() };
        let base = Self { rules: base, words: W, canonical_words: W, is_outside: false, parts };
        let states = Arc::new(StateParts { rules: rules.clone(), base });
        Self {
            rules,
            words: W,
            canonical_words: W,
            is_outside: false,
            parts: Parts { states: Some(states), ..Parts::default() },
        }
    }

    /// Returns the rules alone, with no structure beside them.
    #[must_use]
    pub fn rules_alone(&self) -> Self {
        Self { parts: Parts::default(), ..self.clone() }
    }

    /// Returns the rules with other ranks, and no structure beside them.
    #[must_use]
    pub fn with_ranks(&self, ranks: Arc<RetroRules>) -> Self {
        Self { parts: Parts { retro: Some(ranks), ..Parts::default() }, ..self.clone() }
    }

    /// Returns the number of words that positions use, counted from the first.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the number of words that canonical members use, counted from the first: those after
    /// them are 0.
    #[must_use]
    pub fn canonical_words(&self) -> usize {
        self.canonical_words
    }

    /// Returns true if the rules live outside. A call then takes microseconds, and hardly more for
    /// a thousand positions.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.is_outside
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

impl fmt::Debug for PackedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PackedGame").field(&self.spec()).finish()
    }
}

impl Game for PackedGame {
    type Position = Packed;
    type Move = PackedMove;

    fn table_bytes(&self) -> u64 {
        self.rules.table_bytes()
    }

    fn start(&self) -> Packed {
        self.rules.start()
    }

    fn player_to_move(&self, position: Packed) -> usize {
        self.rules.player_to_move(position)
    }

    fn terminal(&self, position: Packed) -> Option<Wdl> {
        self.rules.terminal(position)
    }

    fn is_position(&self, position: Packed) -> bool {
        self.rules.is_position(position)
    }

    fn moves(&self, position: Packed, out: &mut Vec<PackedMove>) {
        self.rules.moves(position, out);
    }

    fn play(&self, position: Packed, mv: PackedMove) -> Packed {
        self.rules.play(position, mv)
    }

    fn successors(&self, position: Packed, out: &mut Vec<Packed>) {
        self.rules.successors(position, out);
    }

    fn images(&self, position: Packed, out: &mut Vec<Packed>) {
        self.rules.images(position, out);
    }

    fn canonical(&self, position: Packed) -> Packed {
        self.rules.canonical(position)
    }

    fn canonicalize(&self, positions: &mut [Packed]) {
        self.rules.canonicalize(positions);
    }

    fn children(&self, position: Packed, moves: &mut Vec<PackedMove>, next: &mut Vec<Packed>) {
        self.rules.children(position, moves, next);
    }

    fn expand(&self, positions: &[Packed], most: usize, out: &mut Expansion<Packed>) {
        self.rules.expand(positions, most, out);
    }

    fn announce(&self, positions: &[Packed]) {
        self.rules.announce(positions);
    }

    fn look(&self, position: Packed) -> Look {
        self.rules.look(position)
    }

    fn random_playout(
        &self,
        position: Packed,
        plies: u32,
        random: &mut dyn Random,
    ) -> (Packed, u32) {
        self.rules.random_playout(position, plies, random)
    }

    fn random_playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<Packed>,
        random: &mut dyn Random,
    ) {
        self.rules.random_playouts(plies, queue, random);
    }

    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Packed, Move = PackedMove>> {
        self.rules.heuristics()
    }

    fn material(&self) -> Option<&dyn Material<Position = Packed, Move = PackedMove>> {
        self.rules.material()
    }

    fn countdown(&self) -> Option<&dyn Countdown<Position = Packed, Move = PackedMove>> {
        self.rules.countdown()
    }
}

impl Notation for PackedGame {
    fn spec(&self) -> String {
        self.rules.spec()
    }

    fn rules_spec(&self) -> String {
        self.rules.rules_spec()
    }

    fn table_spec(&self) -> String {
        self.rules.table_spec()
    }

    fn default_scope(&self) -> Scope {
        self.rules.default_scope()
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.rules.player_names()
    }

    fn format(&self, position: Packed) -> String {
        self.rules.format(position)
    }

    fn parse(&self, text: &str) -> Result<Packed, ParseError> {
        self.rules.parse(text)
    }

    fn format_move(&self, position: Packed, mv: PackedMove) -> String {
        self.rules.format_move(position, mv)
    }

    fn diagram(&self, position: Packed) -> String {
        self.rules.diagram(position)
    }

    fn drawing(&self, position: Packed) -> Drawing {
        self.rules.drawing(position)
    }

    fn drawn_move(&self, position: Packed, mv: PackedMove) -> Option<DrawnMove> {
        self.rules.drawn_move(position, mv)
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        self.rules.drawn_setup()
    }

    fn win_condition(&self, finished: Packed) -> Option<&'static str> {
        self.rules.win_condition(finished)
    }

    fn parse_move(&self, position: Packed, text: &str) -> Result<PackedMove, ParseError> {
        self.rules.parse_move(position, text)
    }
}
