//! Moves that do not lose at once, counted by bit operations.

use hindsight_core::combinatorics::SetBits;

use super::{Bitboard, Onitama, OnitamaPosition};

impl<W: Bitboard> Onitama<W> {
    /// Number of moves after which the opponent cannot win in one ply.
    ///
    /// The player to move must have no win in one ply.
    #[inline]
    pub(super) fn count_safe_moves(&self, position: OnitamaPosition<W>) -> u32 {
        let safety = Safety::new(self, position);
        let count = safety.student_counts().chain(safety.master_counts()).sum();
        if count == 0 && !self.can_move(position) {
            return safety.count_safe_passes();
        }
        count
    }

    /// Returns true if [`Onitama::count_safe_moves`] is not 0.
    #[inline]
    pub(super) fn has_safe_move(&self, position: OnitamaPosition<W>) -> bool {
        let safety = Safety::new(self, position);
        let mut counts = safety.student_counts().chain(safety.master_counts());
        counts.any(|n| n > 0) || safety.count_safe_passes() > 0 && !self.can_move(position)
    }
}

/// Threats against the player to move, who has no win in one ply.
struct Safety<'a, W> {
    game: &'a Onitama<W>,
    position: OnitamaPosition<W>,
    own: u64,
    others: u64,
    /// Opponent's pieces that could capture the master.
    attackers: u64,
    /// Targets of a student after which the opponent can neither capture the master nor enter the
    /// arch.
    safe_student_targets: u64,
    /// True if the opponent's master can enter the arch, wherever the own master is.
    is_arch_lost: bool,
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
            safe_student_targets: 0,
            is_arch_lost: false,
        };
        let arch = game.arches[player as usize];
        let invader = 1 << position.masters[player.opponent() as usize];
        let attacks_arch = safety.sources(arch) & invader != 0;
        // The opponent's own piece on the arch blocks the master until it is captured.
        let is_blocked = others >> arch & 1 != 0;
        safety.is_arch_lost = attacks_arch && !is_blocked;
        safety.attackers = safety.sources(position.masters[player as usize]) & others;
        safety.safe_student_targets = match safety.attackers.count_ones() {
            _ if safety.is_arch_lost => 0,
            0 => u64::MAX,
            1 => safety.attackers,
            _ => 0,
        };
        if attacks_arch {
            safety.safe_student_targets &= !(1 << arch);
        }
        safety
    }

    /// Squares from which a piece of the opponent could move to a square.
    #[inline]
    fn sources(&self, to: u8) -> u64 {
        let other = self.position.player().opponent();
        let hand = &self.game.hands[usize::from(self.position.cards ^ 1)];
        let sources = |set, kind| set | self.game.sources(kind, other, to);
        hand.iter().map(|card| card.kind).fold(0, sources)
    }

    /// Target sets of a piece, one for each card.
    #[inline]
    fn targets(&self, from: u8) -> impl Iterator<Item = u64> {
        let player = self.position.player();
        let held = self.game.hand(self.position).iter();
        held.map(move |card| self.game.free_targets(self.own, player, card.kind, from))
    }

    /// Numbers of safe moves of each student by each card.
    #[inline]
    fn student_counts(&self) -> impl Iterator<Item = u32> {
        let master = 1 << self.position.masters[self.position.player() as usize];
        let students = match self.safe_student_targets {
            0 => 0,
            _ => self.own & !master,
        };
        let targets = SetBits(students).flat_map(|from| self.targets(from));
        targets.map(|targets| (targets & self.safe_student_targets).count_ones())
    }

    /// Numbers of safe moves of the master by each card.
    #[inline]
    fn master_counts(&self) -> impl Iterator<Item = u32> {
        let master = self.position.masters[self.position.player() as usize];
        let targets = (!self.is_arch_lost).then(|| self.targets(master));
        let is_safe = |&to: &u8| self.sources(to) & self.others & !(1 << to) == 0;
        let count_safe = move |targets| SetBits(targets).filter(is_safe).count() as u32;
        targets.into_iter().flatten().map(count_safe)
    }

    /// Number of safe passes, where no piece can move.
    #[inline]
    fn count_safe_passes(&self) -> u32 {
        if self.attackers == 0 && !self.is_arch_lost {
            self.game.hand(self.position).len() as u32
        } else {
            0
        }
    }
}
