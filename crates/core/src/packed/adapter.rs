//! The rules of a game over packed positions: code that is compiled for each game.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Packed, PackedMove, Packing};
use crate::{
    Countdown, Drawing, DrawnMove, DrawnSetup, ExpandedPosition, Expansion, Game, Heuristics, Look,
    Material, Notation, Outlook, ParseError, PlayoutQueue, Random, SafeMove, Scope, States, Wdl,
};

/// Usual number of moves of a position.
const MOVES: usize = 32;

/// Game that `A` leads to, over positions of `W` words.
pub(super) struct Adapter<A, const W: usize>(pub(super) A);

/// Way to a game.
pub(super) trait Access: Send + Sync {
    type Game: Game;
    fn game(&self) -> &Self::Game;
}

/// The game itself.
pub(super) struct Own<G>(pub(super) G);

/// The base of a game in which a move may be forbidden.
pub(super) struct BaseOf<G, const W: usize>(pub(super) Arc<Adapter<Own<G>, W>>);

impl<G: Game + Send> Access for Own<G> {
    type Game = G;

    #[inline]
    fn game(&self) -> &G {
        &self.0
    }
}

impl<G: States + Send, const W: usize> Access for BaseOf<G, W> {
    type Game = G::Base;

    #[inline]
    fn game(&self) -> &G::Base {
        self.0.0.0.base()
    }
}

/// Position of the game that `A` leads to.
type PositionOf<A> = <<A as Access>::Game as Game>::Position;
/// Move of the game that `A` leads to.
type MoveOf<A> = <<A as Access>::Game as Game>::Move;

impl<A: Access, const W: usize> Adapter<A, W> {
    #[inline]
    pub(super) fn game(&self) -> &A::Game {
        self.0.game()
    }
}

impl<A, const W: usize> Adapter<A, W>
where
    A: Access<Game: Packing<W>>,
{
    #[inline]
    pub(super) fn pack(&self, position: PositionOf<A>) -> Packed {
        Packed::new(self.game().pack(position))
    }

    #[inline]
    pub(super) fn unpack(&self, position: Packed) -> PositionOf<A> {
        self.game().unpack(position.words())
    }

    #[inline]
    fn pack_move(&self, mv: MoveOf<A>) -> PackedMove {
        PackedMove(self.game().pack_move(mv))
    }

    #[inline]
    fn unpack_move(&self, mv: PackedMove) -> MoveOf<A> {
        self.game().unpack_move(mv.0)
    }

    #[inline]
    pub(super) fn pack_all(&self, positions: Vec<PositionOf<A>>, out: &mut Vec<Packed>) {
        out.extend(positions.into_iter().map(|position| self.pack(position)));
    }
}

impl<A, const W: usize> Game for Adapter<A, W>
where
    A: Access<Game: Packing<W>>,
{
    type Position = Packed;
    type Move = PackedMove;

    fn table_bytes(&self) -> u64 {
        self.game().table_bytes()
    }

    fn start(&self) -> Packed {
        self.pack(self.game().start())
    }

    fn player_to_move(&self, position: Packed) -> usize {
        self.game().player_to_move(self.unpack(position))
    }

    fn terminal(&self, position: Packed) -> Option<Wdl> {
        self.game().terminal(self.unpack(position))
    }

    fn is_position(&self, position: Packed) -> bool {
        let own = self.unpack(position);
        self.pack(own) == position && self.game().is_position(own)
    }

    fn moves(&self, position: Packed, out: &mut Vec<PackedMove>) {
        let mut moves = Vec::with_capacity(MOVES);
        self.game().moves(self.unpack(position), &mut moves);
        out.extend(moves.into_iter().map(|mv| self.pack_move(mv)));
    }

    fn play(&self, position: Packed, mv: PackedMove) -> Packed {
        self.pack(self.game().play(self.unpack(position), self.unpack_move(mv)))
    }

    fn successors(&self, position: Packed, out: &mut Vec<Packed>) {
        let mut successors = Vec::with_capacity(MOVES);
        self.game().successors(self.unpack(position), &mut successors);
        self.pack_all(successors, out);
    }

    fn images(&self, position: Packed, out: &mut Vec<Packed>) {
        let mut images = Vec::new();
        self.game().images(self.unpack(position), &mut images);
        self.pack_all(images, out);
    }

    fn canonical(&self, position: Packed) -> Packed {
        self.pack(self.game().canonical(self.unpack(position)))
    }

    fn canonicalize(&self, positions: &mut [Packed]) {
        for position in positions {
            *position = self.canonical(*position);
        }
    }

    fn children(&self, position: Packed, moves: &mut Vec<PackedMove>, next: &mut Vec<Packed>) {
        let (mut own_moves, mut own_next) = (Vec::with_capacity(MOVES), Vec::with_capacity(MOVES));
        self.game().children(self.unpack(position), &mut own_moves, &mut own_next);
        moves.extend(own_moves.into_iter().map(|mv| self.pack_move(mv)));
        self.pack_all(own_next, next);
    }

    fn expand(&self, positions: &[Packed], most: usize, out: &mut Expansion<Packed>) {
        let unpacked = positions.iter().map(|&position| self.unpack(position));
        let positions: Vec<PositionOf<A>> = unpacked.collect();
        let room = out.successors.capacity() - out.successors.len();
        let mut expansion = Expansion {
            successors: Vec::with_capacity(room),
            positions: core::mem::take::<Vec<ExpandedPosition>>(&mut out.positions),
        };
        self.game().expand(&positions, most, &mut expansion);
        out.positions = expansion.positions;
        self.pack_all(expansion.successors, &mut out.successors);
    }

    fn look(&self, position: Packed) -> Look {
        self.game().look(self.unpack(position))
    }

    fn random_playout(
        &self,
        position: Packed,
        plies: u32,
        random: &mut dyn Random,
    ) -> (Packed, u32) {
        let (last, played) = self.game().random_playout(self.unpack(position), plies, random);
        (self.pack(last), played)
    }

    fn random_playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<Packed>,
        random: &mut dyn Random,
    ) {
        self.game().random_playouts(plies, &mut UnpackedQueue { game: self, queue }, random);
    }

    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Packed, Move = PackedMove>> {
        self.game().heuristics().map(|_| self as _)
    }

    fn material(&self) -> Option<&dyn Material<Position = Packed, Move = PackedMove>> {
        self.game().material().map(|_| self as _)
    }

    fn countdown(&self) -> Option<&dyn Countdown<Position = Packed, Move = PackedMove>> {
        self.game().countdown().map(|_| self as _)
    }
}

impl<A, const W: usize> Heuristics for Adapter<A, W>
where
    A: Access<Game: Packing<W>>,
{
    fn evaluate(&self, position: Packed) -> Option<i32> {
        self.game().heuristics()?.evaluate(self.unpack(position))
    }

    fn safe_move_count(&self, position: Packed) -> Option<u32> {
        self.game().heuristics()?.safe_move_count(self.unpack(position))
    }

    fn playout(&self, position: Packed, plies: u32, random: &mut dyn Random) -> (Packed, u32) {
        self.random_playout(position, plies, random)
    }

    fn playouts(&self, plies: u32, queue: &mut dyn PlayoutQueue<Packed>, random: &mut dyn Random) {
        self.random_playouts(plies, queue, random);
    }
}

/// Queue of random games over unpacked positions.
struct UnpackedQueue<'a, A, const W: usize> {
    game: &'a Adapter<A, W>,
    queue: &'a mut dyn PlayoutQueue<Packed>,
}

impl<A, const W: usize> PlayoutQueue<PositionOf<A>> for UnpackedQueue<'_, A, W>
where
    A: Access<Game: Packing<W>>,
{
    fn next_start(&mut self) -> Option<PositionOf<A>> {
        Some(self.game.unpack(self.queue.next_start()?))
    }

    fn finish(&mut self, number: u64, last: PositionOf<A>, plies: u32) {
        self.queue.finish(number, self.game.pack(last), plies);
    }
}

impl<A, const W: usize> Adapter<A, W>
where
    A: Access<Game: Packing<W>>,
{
    /// Returns the material of the game. It is asked for only where [`Game::material`] is.
    fn own_material(&self) -> &dyn Material<Position = PositionOf<A>, Move = MoveOf<A>> {
        self.game().material().expect("the game has material")
    }

    /// Returns the countdown of the game. It is asked for only where [`Game::countdown`] is.
    fn own_countdown(&self) -> &dyn Countdown<Position = PositionOf<A>, Move = MoveOf<A>> {
        self.game().countdown().expect("the game has a countdown")
    }
}

impl<A, const W: usize> Material for Adapter<A, W>
where
    A: Access<Game: Packing<W>>,
{
    fn describe_sacrifice(&self) -> &'static str {
        self.own_material().describe_sacrifice()
    }

    fn piece_counts(&self, position: Packed) -> [u32; 2] {
        self.own_material().piece_counts(self.unpack(position))
    }

    fn is_capture(&self, position: Packed, mv: PackedMove) -> bool {
        self.own_material().is_capture(self.unpack(position), self.unpack_move(mv))
    }

    fn gives_up_piece(&self, position: Packed, mv: PackedMove) -> bool {
        self.own_material().gives_up_piece(self.unpack(position), self.unpack_move(mv))
    }
}

impl<A, const W: usize> Countdown for Adapter<A, W>
where
    A: Access<Game: Packing<W>>,
{
    fn plies_left(&self, position: Packed) -> u32 {
        self.own_countdown().plies_left(self.unpack(position))
    }

    fn key_bits(&self) -> u32 {
        self.own_countdown().key_bits()
    }

    fn key(&self, position: Packed) -> u64 {
        self.own_countdown().key(self.unpack(position))
    }

    fn class_key(&self, position: Packed) -> u64 {
        self.own_countdown().class_key(self.unpack(position))
    }

    fn outlook(
        &self,
        position: Packed,
        plies_left: u32,
        out: &mut Vec<SafeMove<Packed>>,
    ) -> Outlook {
        let mut moves = Vec::with_capacity(MOVES);
        let countdown = self.own_countdown();
        let outlook = countdown.outlook(self.unpack(position), plies_left, &mut moves);
        out.extend(moves.into_iter().map(|safe| SafeMove {
            position: self.pack(safe.position),
            key: safe.key,
            urgency: safe.urgency,
        }));
        outlook
    }
}

impl<G, const W: usize> Notation for Adapter<Own<G>, W>
where
    G: Packing<W> + Notation + Send,
{
    fn spec(&self) -> String {
        self.game().spec()
    }

    fn rules_spec(&self) -> String {
        self.game().rules_spec()
    }

    fn default_scope(&self) -> Scope {
        self.game().default_scope()
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.game().player_names()
    }

    fn format(&self, position: Packed) -> String {
        self.game().format(self.unpack(position))
    }

    fn parse(&self, text: &str) -> Result<Packed, ParseError> {
        self.game().parse(text).map(|position| self.pack(position))
    }

    fn format_move(&self, position: Packed, mv: PackedMove) -> String {
        self.game().format_move(self.unpack(position), self.unpack_move(mv))
    }

    fn diagram(&self, position: Packed) -> String {
        self.game().diagram(self.unpack(position))
    }

    fn drawing(&self, position: Packed) -> Drawing {
        self.game().drawing(self.unpack(position))
    }

    fn drawn_move(&self, position: Packed, mv: PackedMove) -> Option<DrawnMove> {
        self.game().drawn_move(self.unpack(position), self.unpack_move(mv))
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        self.game().drawn_setup()
    }

    fn win_condition(&self, finished: Packed) -> Option<&'static str> {
        self.game().win_condition(self.unpack(finished))
    }

    fn parse_move(&self, position: Packed, text: &str) -> Result<PackedMove, ParseError> {
        self.game().parse_move(self.unpack(position), text).map(|mv| self.pack_move(mv))
    }
}
