use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{Game, Material, Notation, ParseError, Scope, Wdl};

use super::{Bitboard, Onitama, OnitamaMove, OnitamaPlayer, OnitamaPosition};

/// Onitama with its moves in the order of the retrograde thesis's program. The numbers of states in
/// Tables 9 and 11 of the thesis depend on the order.
///
/// For both players the master moves first, then the students row by row from the top left. For
/// each piece come the cards in the order of the hand's slots, equal cards once. For each card come
/// its offsets in their listed order.
///
/// The card set aside takes the slot of the card just played. Positions that differ in slots alone
/// have one canonical member.
#[derive(Clone, Debug)]
pub struct ThesisMoveOrder<W>(pub Onitama<W>);

/// A position with an order of the cards in the hands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OrderedHandsPosition<P> {
    /// The position without the order of the cards.
    pub position: P,
    /// Kinds of cards, 4 bits a slot: slot 0 for the card aside, then Red's hand, then Blue's hand.
    pub(super) slots: u64,
}

impl<P: Copy> OrderedHandsPosition<P> {
    fn kind(self, slot: usize) -> u8 {
        (self.slots >> (4 * slot) & 15) as u8
    }

    fn with_kind(mut self, slot: usize, kind: u8) -> Self {
        self.slots = self.slots & !(15 << (4 * slot)) | u64::from(kind) << (4 * slot);
        self
    }
}

impl<W: Bitboard> ThesisMoveOrder<W> {
    fn slots_of(&self, player: OnitamaPlayer) -> core::ops::Range<usize> {
        let hand = usize::from(self.0.setup().hand);
        let first = 1 + hand * player as usize;
        first..first + hand
    }

    /// The position with the cards of each hand in the order of their kinds.
    fn ordered_by_kind(
        &self,
        position: OnitamaPosition<W>,
    ) -> OrderedHandsPosition<OnitamaPosition<W>> {
        let kinds = [2, 0, 1].into_iter().flat_map(|pile| self.0.pile_kinds(position.deal(), pile));
        let empty = OrderedHandsPosition { position, slots: 0 };
        kinds.enumerate().fold(empty, |ordered, (slot, kind)| ordered.with_kind(slot, kind))
    }
}

impl<W: Bitboard> Game for ThesisMoveOrder<W> {
    type Position = OrderedHandsPosition<OnitamaPosition<W>>;
    type Move = OnitamaMove;

    fn table_bytes(&self) -> u64 {
        self.0.table_bytes()
    }

    fn start(&self) -> Self::Position {
        let kind = |card| {
            self.0.kinds().iter().position(|kind| kind == card).expect("a card of the game") as u8
        };
        let empty = OrderedHandsPosition { position: self.0.start(), slots: 0 };
        let cards = self.0.setup().cards.iter().enumerate();
        cards.fold(empty, |ordered, (slot, card)| ordered.with_kind(slot, kind(card)))
    }

    fn player_to_move(&self, ordered: Self::Position) -> usize {
        self.0.player_to_move(ordered.position)
    }

    fn terminal(&self, position: Self::Position) -> Option<Wdl> {
        self.0.terminal(position.position)
    }

    fn moves(&self, ordered: Self::Position, out: &mut Vec<OnitamaMove>) {
        let position = ordered.position;
        if self.0.terminal(position).is_some() {
            return;
        }
        let player = position.player();
        let own = position.pieces(player);
        let master = position.master(player).into_iter();
        let students = SetBits(own).filter(|&square| position.master(player) != Some(square));
        let mut kinds: Vec<u8> = Vec::new();
        for slot in self.slots_of(player) {
            if !kinds.contains(&ordered.kind(slot)) {
                kinds.push(ordered.kind(slot));
            }
        }
        let before = out.len();
        for from in master.chain(students) {
            for &kind in &kinds {
                for &(right, forward) in self.0.kinds()[usize::from(kind)].offsets() {
                    let to = self.0.board().step(from, player, right, forward);
                    let stays = self.0.setup().stay;
                    let free = |to: &u8| own >> to & 1 == 0 || stays && *to == from;
                    out.extend(to.filter(free).map(|to| OnitamaMove { from, to, kind }));
                }
            }
        }
        if out.len() == before {
            out.extend(kinds.iter().map(|&kind| OnitamaMove {
                from: OnitamaMove::PASS,
                to: OnitamaMove::PASS,
                kind,
            }));
        }
    }

    fn play(&self, ordered: Self::Position, mv: OnitamaMove) -> Self::Position {
        let player = ordered.position.player();
        let slot = self.slots_of(player).find(|&slot| ordered.kind(slot) == mv.kind);
        let next = OrderedHandsPosition {
            position: self.0.play(ordered.position, mv),
            slots: ordered.slots,
        };
        let aside = ordered.kind(0);
        next.with_kind(slot.expect("a card that the mover holds"), aside).with_kind(0, mv.kind)
    }

    fn material(&self) -> Option<&dyn Material<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    fn canonical(&self, ordered: Self::Position) -> Self::Position {
        self.ordered_by_kind(self.0.canonical(ordered.position))
    }
}

impl<W: Bitboard> Notation for ThesisMoveOrder<W> {
    fn spec(&self) -> String {
        self.0.spec()
    }

    fn rules_spec(&self) -> String {
        self.0.rules_spec()
    }

    fn default_scope(&self) -> Scope {
        self.0.default_scope()
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.0.player_names()
    }

    fn format(&self, ordered: Self::Position) -> String {
        self.0.format(ordered.position)
    }

    fn parse(&self, text: &str) -> Result<Self::Position, ParseError> {
        self.0.parse(text).map(|position| self.ordered_by_kind(position))
    }

    fn format_move(&self, ordered: Self::Position, mv: OnitamaMove) -> String {
        self.0.format_move(ordered.position, mv)
    }

    fn parse_move(&self, ordered: Self::Position, text: &str) -> Result<OnitamaMove, ParseError> {
        self.0.parse_move(ordered.position, text)
    }

    fn diagram(&self, ordered: Self::Position) -> String {
        self.0.diagram(ordered.position)
    }
}
