use alloc::boxed::Box;
use alloc::vec::Vec;

use hindsight_core::combinatorics::{Deals, SetBits};
use hindsight_core::{Game, Heuristics, Material, Symmetry, Wdl};
use once_cell::race::OnceBox;

use super::cards::hands::{HeldCard, card_aside, held_cards, map_deals};
use super::playouts::lane_table::LaneTable;
use super::playouts::table::PlayoutTable;
use super::position::CAPTURED;
use super::squares::master_first;
use super::tiers::OnitamaTiers;
use super::{Bitboard, Card, Deck, OnitamaBoard, OnitamaPlayer, OnitamaPosition, OnitamaSetup};

/// One ply: a piece moves by a card. If no piece can move, the player passes: a card is exchanged
/// and no piece moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OnitamaMove {
    /// Origin of the piece, or [`OnitamaMove::PASS`].
    pub from: u8,
    /// Target of the piece, or [`OnitamaMove::PASS`].
    pub to: u8,
    /// Kind of the card used, an index into [`Onitama::kinds`].
    pub kind: u8,
}

impl OnitamaMove {
    /// Stands for both squares of a pass.
    pub const PASS: u8 = u8::MAX;
}

/// Onitama on one board with one set of cards. `W` has a bit for each square.
#[derive(Clone, Debug)]
pub struct Onitama<W> {
    pub(super) setup: OnitamaSetup,
    /// Different cards, in the order of their first occurrence in the deal.
    kinds: Vec<Card>,
    /// Named cards of the game, by which texts are read.
    pub(super) deck: Deck,
    deals: Deals,
    /// `hands[2 * deal + player]`: the different cards of a hand, ascending by kind.
    pub(super) hands: Vec<Vec<HeldCard>>,
    /// `targets[(kind * 2 + player) * squares + from]`: the squares that the card reaches from a
    /// square.
    targets: Vec<u64>,
    /// `sources[(kind * 2 + player) * squares + to]`: the squares from which the card reaches a
    /// square.
    sources: Vec<u64>,
    /// `kind_aside[deal]`: kind of the card set aside.
    pub(super) kind_aside: Vec<u8>,
    /// Table for random games; `None` if it would be too large.
    pub(super) playout_table: Option<PlayoutTable>,
    /// Table for many random games at a time; `None` if the board or the hands are too large.
    pub(super) lane_table: Option<Box<LaneTable>>,
    /// True if the game has fewer than 2^62 ranks.
    pub(super) ranks_fit: bool,
    /// Computed by [`Onitama::tier_index`].
    pub(super) tiers: OnceBox<OnitamaTiers>,
    /// Squares of Red's arch and of Blue's arch.
    pub(super) arches: [u8; 2],
    /// True if `canonical` exchanges the players.
    swap: bool,
    /// `mirrored_deal[deal]`: mirror image, left and right exchanged. `None` if `canonical` uses no
    /// mirror.
    mirrored_deal: Option<Vec<u16>>,
    /// `swapped_deal[deal]`: deal with the two hands exchanged.
    pub(super) swapped_deal: Vec<u16>,
    start: OnitamaPosition<W>,
}

impl<W: Bitboard> Onitama<W> {
    /// Creates a game with its move tables: kilobytes for five cards, about two megabytes for 13
    /// different cards.
    ///
    /// # Panics
    /// If [`OnitamaSetup::check`] fails, or the board has more squares than `W` has bits.
    #[must_use]
    #[inline]
    pub fn new(setup: OnitamaSetup, symmetry: Symmetry) -> Self {
        setup.check().expect("a setup that was checked");
        let board = setup.board();
        assert!(
            usize::from(board.squares()) <= 8 * size_of::<W>(),
            "a word with a bit for each square"
        );
        let mut kinds: Vec<Card> = Vec::new();
        for card in &setup.cards {
            if !kinds.contains(card) {
                kinds.push(card.clone());
            }
        }
        let count = |card: &Card| setup.cards.iter().filter(|other| *other == card).count() as u8;
        let copies: Vec<u8> = kinds.iter().map(count).collect();
        let deals = Deals::new(&copies, &[setup.hand, setup.hand, 1]);
        let targets = targets(board, &kinds, setup.stay);
        let mut game = Self {
            hands: held_cards(&deals, kinds.len()),
            sources: sources(&targets, usize::from(board.squares())),
            targets,
            playout_table: None,
            lane_table: None,
            kind_aside: (0..deals.len()).map(|deal| card_aside(&deals, deal)).collect(),
            ranks_fit: OnitamaTiers::fit(board.squares(), setup.students_per_side(), deals.len()),
            tiers: OnceBox::new(),
            arches: [board.arch(OnitamaPlayer::Red), board.arch(OnitamaPlayer::Blue)],
            swap: symmetry != Symmetry::None,
            mirrored_deal: None,
            swapped_deal: map_deals(&deals, |[red, blue, side]| [blue, red, side].concat()),
            start: OnitamaPosition::new([0, 0], [0, 0], 0, OnitamaPlayer::Red),
            deck: Deck::of_named(setup.cards.iter()),
            setup,
            kinds,
            deals,
        };
        game.playout_table = PlayoutTable::new(&game.setup, &game.kinds, &game.hands);
        game.lane_table = LaneTable::new(&game.setup, &game.kinds, &game.hands);
        if symmetry == Symmetry::All {
            game.mirrored_deal = game.mirrored_deals();
        }
        game.start = game.dealt_start();
        game
    }

    #[inline]
    fn dealt_start(&self) -> OnitamaPosition<W> {
        let hand = usize::from(self.setup.hand);
        let piles =
            [1..hand + 1, hand + 1..2 * hand + 1, 0..1].map(|range| &self.setup.cards[range]);
        let deal = self.deal_of(piles).expect("the cards as they were dealt");
        self.start_with_deal(deal, self.setup.first_player())
    }

    /// The start position with another deal and another player to begin.
    #[must_use]
    #[inline]
    pub fn start_with_deal(&self, deal: usize, first: OnitamaPlayer) -> OnitamaPosition<W> {
        let students = self.setup.students_per_side();
        let board = self.board();
        let pieces = [OnitamaPlayer::Red, OnitamaPlayer::Blue]
            .map(|p| board.students(p, students) | 1 << board.arch(p));
        OnitamaPosition::new(pieces, self.arches, deal, first)
    }

    /// Cards of a deal in the order of [`OnitamaSetup::cards`]: the card aside, Red's hand, Blue's
    /// hand. Each hand is in the order of [`Onitama::kinds`].
    #[inline]
    pub fn cards_of_deal(&self, deal: usize) -> impl Iterator<Item = &Card> {
        let piles = [2, 0, 1].into_iter();
        let kinds = piles.flat_map(move |pile| self.pile_kinds(deal, pile));
        kinds.map(|kind| &self.kinds[usize::from(kind)])
    }

    /// Number of the deal with these cards in Red's hand, in Blue's hand and aside; `None` if the
    /// game has other cards.
    #[inline]
    pub(super) fn deal_of(&self, piles: [&[Card]; 3]) -> Option<usize> {
        let count =
            |pile: &[Card], kind: &Card| pile.iter().filter(|card| *card == kind).count() as u8;
        let counts: Vec<u8> =
            piles.iter().flat_map(|pile| self.kinds.iter().map(|kind| count(pile, kind))).collect();
        self.deals.rank(&counts)
    }

    /// Kinds of the cards of a pile, ascending. Piles: 0 Red's hand, 1 Blue's hand, 2 the card
    /// aside.
    #[inline]
    pub(super) fn pile_kinds(&self, deal: usize, pile: usize) -> impl Iterator<Item = u8> + '_ {
        let counts = self.deals.pile(deal, pile);
        (0..).zip(counts).flat_map(|(kind, &n)| core::iter::repeat_n(kind, usize::from(n)))
    }

    /// Image of each deal with left and right exchanged. `None` without a mirror: on even widths,
    /// or if the mirrored cards are other cards.
    #[inline]
    pub(super) fn mirrored_deals(&self) -> Option<Vec<u16>> {
        let image = |card: &Card| self.kinds.iter().position(|kind| *kind == card.mirrored());
        let images: Vec<usize> = self.kinds.iter().map(image).collect::<Option<_>>()?;
        let count =
            |kind: usize| self.setup.cards.iter().filter(|card| **card == self.kinds[kind]).count();
        let same_number = (0..images.len()).all(|kind| count(kind) == count(images[kind]));
        let mirror = |counts: &[u8]| images.iter().map(|&kind| counts[kind]).collect::<Vec<u8>>();
        (self.setup.width % 2 == 1 && same_number)
            .then(|| map_deals(&self.deals, |piles| piles.map(mirror).concat()))
    }

    /// The board, the cards and the variants.
    #[must_use]
    #[inline]
    pub fn setup(&self) -> &OnitamaSetup {
        &self.setup
    }

    /// The empty board.
    #[must_use]
    #[inline]
    pub fn board(&self) -> OnitamaBoard {
        self.setup.board()
    }

    /// Different cards, in the order of their first occurrence in the deal.
    #[must_use]
    #[inline]
    pub fn kinds(&self) -> &[Card] {
        &self.kinds
    }

    /// Number of deals, the distributions of the cards: 30 for five different cards.
    #[must_use]
    #[inline]
    pub fn deals(&self) -> usize {
        self.deals.len()
    }

    #[inline]
    pub(super) fn hand(&self, position: OnitamaPosition<W>) -> &[HeldCard] {
        &self.hands[usize::from(position.cards)]
    }

    /// Squares that a card reaches from a square, squares of own pieces included.
    #[inline]
    pub(super) fn targets(&self, kind: u8, player: OnitamaPlayer, from: u8) -> u64 {
        let row = usize::from(kind) * 2 + player as usize;
        self.targets[row * usize::from(self.board().squares()) + usize::from(from)]
    }

    /// Squares from which a card reaches a square.
    #[inline]
    pub(super) fn sources(&self, kind: u8, player: OnitamaPlayer, to: u8) -> u64 {
        let row = usize::from(kind) * 2 + player as usize;
        self.sources[row * usize::from(self.board().squares()) + usize::from(to)]
    }

    /// Returns true if a player has lost: the own master is captured, or the opponent's is on the
    /// own arch.
    #[inline]
    fn has_lost(&self, position: OnitamaPosition<W>, player: OnitamaPlayer) -> bool {
        position.masters[player as usize] == CAPTURED
            || position.masters[player.opponent() as usize] == self.arches[player as usize]
    }

    /// The position with the players exchanged: board rotated by 180 degrees, hands and turn
    /// exchanged.
    #[inline]
    pub(super) fn swapped(&self, position: OnitamaPosition<W>) -> OnitamaPosition<W> {
        let board = self.board();
        let turn = |master: u8| {
            if master == CAPTURED { CAPTURED } else { board.squares() - 1 - master }
        };
        let [red, blue] = position.masters;
        OnitamaPosition::new(
            [OnitamaPlayer::Blue, OnitamaPlayer::Red]
                .map(|player| board.half_turn(position.pieces(player))),
            [turn(blue), turn(red)],
            self.swapped_deal[position.deal()].into(),
            position.player().opponent(),
        )
    }

    #[inline]
    fn mirrored(&self, position: OnitamaPosition<W>, mirrored_deal: &[u16]) -> OnitamaPosition<W> {
        let board = self.board();
        let turn = |master: u8| match master {
            CAPTURED => CAPTURED,
            square => board.mirror(1 << square).trailing_zeros() as u8,
        };
        OnitamaPosition::new(
            [OnitamaPlayer::Red, OnitamaPlayer::Blue]
                .map(|player| board.mirror(position.pieces(player))),
            position.masters.map(turn),
            mirrored_deal[position.deal()].into(),
            position.player(),
        )
    }
}

/// Inverse of a target table: for every card and player, the sources of each square.
#[inline]
fn sources(targets: &[u64], squares: usize) -> Vec<u64> {
    let mut sources = alloc::vec![0; targets.len()];
    for (targets, sources) in targets.chunks(squares).zip(sources.chunks_mut(squares)) {
        for (from, &set) in targets.iter().enumerate() {
            for to in SetBits(set) {
                sources[usize::from(to)] |= 1 << from;
            }
        }
    }
    sources
}

#[inline]
fn targets(board: OnitamaBoard, kinds: &[Card], stay: bool) -> Vec<u64> {
    let mut targets = Vec::new();
    for card in kinds {
        for player in [OnitamaPlayer::Red, OnitamaPlayer::Blue] {
            for from in 0..board.squares() {
                let offsets = card.offsets().iter().filter(|&&offset| stay || offset != (0, 0));
                targets.push(
                    offsets
                        .filter_map(|&(right, forward)| board.step(from, player, right, forward))
                        .map(|to| 1 << to)
                        .sum(),
                );
            }
        }
    }
    targets
}

impl<W: Bitboard> Onitama<W> {
    /// Canonical member of a class: Red to move if `swap`, then the lesser of the
    /// two mirror images.
    #[inline]
    fn canonical_image(&self, position: OnitamaPosition<W>) -> OnitamaPosition<W> {
        let own = match position.player() {
            OnitamaPlayer::Blue if self.swap => self.swapped(position),
            _ => position,
        };
        match &self.mirrored_deal {
            None => own,
            Some(deals) => {
                let mirrored = self.mirrored(own, deals);
                if mirrored < own { mirrored } else { own }
            }
        }
    }

    /// Squares to which a piece on `from` can move by a card; `own` holds the pieces of `player`.
    /// With `stay` the offset (0,0) is a move, so `from` may be a target.
    #[inline]
    pub(super) fn free_targets(&self, own: u64, player: OnitamaPlayer, kind: u8, from: u8) -> u64 {
        let free = !own | u64::from(self.setup.stay) << from;
        self.targets(kind, player, from) & free
    }

    /// Positions after a piece moved from a square to each of its targets.
    #[inline]
    pub(super) fn after_moves(
        position: OnitamaPosition<W>,
        from: u8,
        targets: u64,
        next_deal: u16,
    ) -> impl Iterator<Item = OnitamaPosition<W>> {
        let player = position.player() as usize;
        let lifted = position.pieces[player].widen() & !(1 << from);
        let other = position.pieces[player ^ 1].widen();
        let [master, other_master] = [position.masters[player], position.masters[player ^ 1]];
        let cards = next_deal << 1 | (player ^ 1) as u16;
        SetBits(targets).map(move |to| {
            let square = 1 << to;
            let mut next = OnitamaPosition { cards, ..position };
            next.pieces[player] = W::narrow(lifted | square);
            next.pieces[player ^ 1] = W::narrow(other & !square);
            next.masters[player] = if master == from { to } else { master };
            next.masters[player ^ 1] = if other_master == to { CAPTURED } else { other_master };
            next
        })
    }

    /// The position after a pass, which only exchanges a card.
    #[inline]
    fn after_pass(position: OnitamaPosition<W>, next_deal: u16) -> OnitamaPosition<W> {
        OnitamaPosition { cards: next_deal << 1 | (position.cards & 1 ^ 1), ..position }
    }
}

impl<W: Bitboard> Game for Onitama<W> {
    type Position = OnitamaPosition<W>;
    type Move = OnitamaMove;

    /// The hands alone grow with the number of deals.
    fn table_bytes(&self) -> u64 {
        /// Bytes of the block of a hand.
        const HAND: usize = 32;
        (self.hands.len() * (size_of::<Vec<HeldCard>>() + HAND)) as u64
    }

    #[inline]
    fn start(&self) -> OnitamaPosition<W> {
        self.start
    }

    fn player_to_move(&self, position: OnitamaPosition<W>) -> usize {
        position.player() as usize
    }

    #[inline]
    fn terminal(&self, position: OnitamaPosition<W>) -> Option<Wdl> {
        if self.has_lost(position, position.player()) {
            Some(Wdl::Loss)
        } else {
            self.has_lost(position, position.player().opponent()).then_some(Wdl::Win)
        }
    }

    #[inline]
    fn is_position(&self, position: OnitamaPosition<W>) -> bool {
        let board = u64::MAX >> (64 - self.board().squares());
        let [red, blue] = position.pieces.map(W::widen);
        let most = u32::from(self.setup.students_per_side());
        let is_side = |pieces: u64, master: u8| match master {
            CAPTURED => pieces.count_ones() <= most,
            0..CAPTURED => pieces >> master & 1 == 1 && pieces.count_ones() <= most + 1,
            _ => false,
        };
        (red | blue) & !board == 0
            && red & blue == 0
            && is_side(red, position.masters[0])
            && is_side(blue, position.masters[1])
            && usize::from(position.cards) < self.hands.len()
            && !self.has_lost(position, position.player().opponent())
    }

    /// Order: the master, then the students row by row from the top left; for each piece the cards
    /// by kind; for each card the targets ascending.
    #[inline]
    fn moves(&self, position: OnitamaPosition<W>, out: &mut Vec<OnitamaMove>) {
        if self.terminal(position).is_some() {
            return;
        }
        let player = position.player();
        let own = position.pieces(player);
        let held = self.hand(position);
        let before = out.len();
        for from in master_first(own, position.masters[player as usize]) {
            for &HeldCard { kind, .. } in held {
                let targets = SetBits(self.free_targets(own, player, kind, from));
                out.extend(targets.map(|to| OnitamaMove { from, to, kind }));
            }
        }
        if out.len() == before {
            let pass = |card: &HeldCard| OnitamaMove {
                from: OnitamaMove::PASS,
                to: OnitamaMove::PASS,
                kind: card.kind,
            };
            out.extend(held.iter().map(pass));
        }
    }

    #[inline]
    fn play(&self, position: OnitamaPosition<W>, mv: OnitamaMove) -> OnitamaPosition<W> {
        let held = self.hand(position).iter().find(|held| held.kind == mv.kind);
        let next_deal = held.expect("a card that the mover holds").next_deal;
        match mv.from {
            OnitamaMove::PASS => Self::after_pass(position, next_deal),
            _ => Self::after_moves(position, mv.from, 1 << mv.to, next_deal)
                .next()
                .expect("one target"),
        }
    }

    #[inline]
    fn successors(&self, position: OnitamaPosition<W>, out: &mut Vec<OnitamaPosition<W>>) {
        if self.terminal(position).is_some() {
            return;
        }
        let player = position.player();
        let own = position.pieces(player);
        let held = self.hand(position);
        let before = out.len();
        for from in master_first(own, position.masters[player as usize]) {
            for &HeldCard { kind, next_deal } in held {
                let targets = self.free_targets(own, player, kind, from);
                out.extend(Self::after_moves(position, from, targets, next_deal));
            }
        }
        if out.len() == before {
            out.extend(held.iter().map(|card| Self::after_pass(position, card.next_deal)));
        }
    }

    #[inline]
    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    fn material(&self) -> Option<&dyn Material<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    fn images(&self, position: OnitamaPosition<W>, out: &mut Vec<OnitamaPosition<W>>) {
        let swapped = self.swap.then(|| self.swapped(position));
        out.extend(swapped);
        if let Some(deals) = &self.mirrored_deal {
            let members = [position].into_iter().chain(swapped);
            out.extend(members.map(|member| self.mirrored(member, deals)));
        }
    }

    #[inline]
    fn canonical(&self, position: OnitamaPosition<W>) -> OnitamaPosition<W> {
        if self.swap || self.mirrored_deal.is_some() {
            self.canonical_image(position)
        } else {
            position
        }
    }
}
