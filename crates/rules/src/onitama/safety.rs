//! What a player can do without losing at once.

use super::squares::Squares;
use super::{Bitboard, Onitama, OnitamaPosition};

impl<W: Bitboard> Onitama<W> {
    /// Moves after which the other player cannot win in one ply, where the player to move cannot either.
    #[inline]
    pub(super) fn count_safe_moves(&self, position: OnitamaPosition<W>) -> u32 {
        let safety = Safety::new(self, position);
        let count = safety.students().chain(safety.master()).sum();
        if count == 0 && !self.can_move(position) {
            return safety.passes();
        }
        count
    }

    /// Whether there is such a move.
    #[inline]
    pub(super) fn has_safe_move(&self, position: OnitamaPosition<W>) -> bool {
        let safety = Safety::new(self, position);
        let mut counts = safety.students().chain(safety.master());
        counts.any(|n| n > 0) || safety.passes() > 0 && !self.can_move(position)
    }
}

/// What the player who is not to move threatens.
struct Safety<'a, W> {
    game: &'a Onitama<W>,
    position: OnitamaPosition<W>,
    own: u64,
    others: u64,
    /// Those that could capture the master.
    attackers: u64,
    /// Where a student may go without leaving its master or arch to the other player.
    for_students: u64,
    /// Whether the other master can step on the arch, whatever the own master does.
    is_invaded: bool,
}

impl<'a, W: Bitboard> Safety<'a, W> {
    #[inline]
    fn new(game: &'a Onitama<W>, position: OnitamaPosition<W>) -> Self {
        let player = position.player();
        let [own, others] = [player, player.opponent()].map(|player| position.pieces(player));
        let mut safety = Self {
            game,
            position,
            own,
            others,
            attackers: 0,
            for_students: 0,
            is_invaded: false,
        };
        let arch = game.arches[player as usize];
        let invader = 1 << position.masters[player.opponent() as usize];
        let comes = safety.sources(arch) & invader != 0;
        // A man of its own bars its way, until it is captured.
        let barred = others >> arch & 1 != 0;
        safety.is_invaded = comes && !barred;
        safety.attackers = safety.sources(position.masters[player as usize]) & others;
        safety.for_students = match safety.attackers.count_ones() {
            _ if safety.is_invaded => 0,
            0 => u64::MAX,
            1 => safety.attackers,
            _ => 0,
        };
        if comes {
            safety.for_students &= !(1 << arch);
        }
        safety
    }

    /// The squares from which a piece of the other player could go to a square.
    #[inline]
    fn sources(&self, to: u8) -> u64 {
        let other = self.position.player().opponent();
        let hand = &self.game.held[usize::from(self.position.cards ^ 1)];
        let sources = |set, kind| set | self.game.sources(kind, other, to);
        hand.iter().map(|card| card.kind).fold(0, sources)
    }

    #[inline]
    fn targets(&self, from: u8) -> impl Iterator<Item = u64> {
        let player = self.position.player();
        let held = self.game.held(self.position).iter();
        held.map(move |card| self.game.free_targets(self.own, player, card.kind, from))
    }

    #[inline]
    fn students(&self) -> impl Iterator<Item = u32> {
        let master = 1 << self.position.masters[self.position.player() as usize];
        let students = match self.for_students {
            0 => 0,
            _ => self.own & !master,
        };
        let targets = Squares(students).flat_map(|from| self.targets(from));
        targets.map(|targets| (targets & self.for_students).count_ones())
    }

    #[inline]
    fn master(&self) -> impl Iterator<Item = u32> {
        let master = self.position.masters[self.position.player() as usize];
        let targets = (!self.is_invaded).then(|| self.targets(master));
        let is_safe = |&to: &u8| self.sources(to) & self.others & !(1 << to) == 0;
        let safe = move |targets| Squares(targets).filter(is_safe).count() as u32;
        targets.into_iter().flatten().map(safe)
    }

    /// If no piece can move.
    #[inline]
    fn passes(&self) -> u32 {
        match self.attackers == 0 && !self.is_invaded {
            true => self.game.held(self.position).len() as u32,
            false => 0,
        }
    }
}
