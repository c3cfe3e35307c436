use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{Game, Heuristics, Symmetry, Wdl};

use super::board::QuoridorBoard;
use super::open_steps::OpenSteps;
use super::position::{Fences, QuoridorPosition};
use super::tier_numbering::TierNumbering;
use super::{QuoridorPlayer, QuoridorSetup};

/// The rules on one board with one stock of fences.
///
/// A player wins by reaching the goal row, and loses without a legal move. A player can be without
/// a move on boards two squares high. With `edge=open`, so can a player whose pawn has fences on
/// three sides and the other pawn, at the edge, on the fourth side.
#[derive(Clone, Debug)]
pub struct Quoridor {
    setup: QuoridorSetup,
    pub(super) start: QuoridorPosition,
    pub(super) board: QuoridorBoard,
    pub(super) numbering: Option<TierNumbering>,
    /// Images of each fence under the four symmetries, in the order of
    /// [`Quoridor::images_of_fences`].
    pub(super) fence_images: Vec<[Fences; 4]>,
    swap: bool,
    mirror: bool,
}

/// One ply: the pawn moves to a square, or a fence is placed at an anchor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuoridorMove {
    /// Target of a step or jump of the pawn.
    Pawn(u8),
    /// Anchor of a fence that stops steps up and down.
    Horizontal(u8),
    /// Anchor of a fence that stops steps to the left and right.
    Vertical(u8),
}

impl Quoridor {
    /// Creates a game whose `canonical` uses `symmetry`. With unequal stocks the exchange of the
    /// players is no symmetry: `Swap` acts as `None`, and `All` is the mirror.
    ///
    /// # Panics
    /// If [`QuoridorSetup::check`] finds a fault.
    #[must_use]
    #[inline]
    pub fn new(setup: QuoridorSetup, symmetry: Symmetry) -> Self {
        if let Err(fault) = setup.check() {
            panic!("{fault}");
        }
        let board = QuoridorBoard::new(setup.width, setup.height);
        let mut game = Self {
            setup,
            start: setup.start(),
            board,
            numbering: TierNumbering::new(&board, Fences::default(), setup.stock),
            fence_images: Vec::new(),
            swap: symmetry != Symmetry::None && setup.stock[0] == setup.stock[1],
            mirror: symmetry == Symmetry::All,
        };
        game.fence_images = game.images_of_fences();
        game
    }

    /// The board, the fences and the variants.
    #[must_use]
    #[inline]
    pub fn setup(&self) -> &QuoridorSetup {
        &self.setup
    }

    /// The position with the players exchanged: a half turn of the board, hands and turn exchanged.
    #[inline]
    pub(super) fn swapped(&self, position: QuoridorPosition) -> QuoridorPosition {
        let [white, black] = position.pawns;
        let [first, second] = position.hands;
        let last = self.board.squares() - 1;
        QuoridorPosition {
            fences: self.board.half_turn(position.fences),
            pawns: [last - black, last - white],
            hands: [second, first],
            player: position.player.opponent(),
        }
    }

    /// The mirror image of a position, left and right exchanged.
    #[inline]
    pub(super) fn mirrored(&self, position: QuoridorPosition) -> QuoridorPosition {
        QuoridorPosition {
            fences: self.board.mirrored(position.fences),
            pawns: position.pawns.map(|pawn| self.board.mirrored_square(pawn)),
            ..position
        }
    }

    #[inline]
    pub(super) fn is_on_goal(&self, position: QuoridorPosition, player: QuoridorPlayer) -> bool {
        self.board.goal_rows[player as usize] >> position.pawn(player) & 1 == 1
    }

    /// Returns true if each pawn has a path to its goal row.
    #[inline]
    pub(super) fn has_paths(&self, open_steps: OpenSteps, pawns: [u8; 2]) -> bool {
        let [white, black] = self.board.goal_rows;
        open_steps.connects(1 << pawns[0], white) && open_steps.connects(1 << pawns[1], black)
    }

    /// Squares that a pawn can reach by a step or a jump; `other` is the square of the other pawn.
    #[inline]
    pub(super) fn pawn_targets(&self, open_steps: OpenSteps, own: u8, other: u8) -> u128 {
        let steps = open_steps.neighbours(1 << own);
        if steps >> other & 1 == 0 {
            steps
        } else {
            steps & !(1 << other) | self.jump_targets(open_steps, own, other)
        }
    }

    /// Squares that a pawn on `own` can reach by a jump over the pawn on `other`, one open step
    /// away.
    #[inline]
    pub(super) fn jump_targets(&self, open_steps: OpenSteps, own: u8, other: u8) -> u128 {
        let around = open_steps.neighbours(1 << other);
        let behind = match (2 * other).checked_sub(own) {
            Some(square) if square < self.board.squares() => 1 << square,
            _ => 0,
        };
        if around & behind != 0 {
            return behind;
        }
        let at_edge = self.board.empty_board_steps.neighbours(1 << other) & behind == 0;
        if at_edge && self.setup.edge_open { 0 } else { around & !(1 << own) }
    }

    /// Fences that the player to move can place: one is in hand, there is room, and each pawn keeps
    /// a path.
    #[inline]
    fn legal_fences(&self, position: QuoridorPosition, open_steps: OpenSteps) -> Fences {
        if position.hand(position.player) == 0 {
            return Fences::default();
        }
        let mut fences = self.board.placeable_fences(position.fences);
        let touching = self.board.blocking_candidates(position.fences);
        for anchor in SetBits(fences.horizontal & touching.horizontal) {
            let fenced = open_steps.with_horizontal(self.board.south_west_square(anchor));
            fences.horizontal &= !(u64::from(!self.has_paths(fenced, position.pawns)) << anchor);
        }
        for anchor in SetBits(fences.vertical & touching.vertical) {
            let fenced = open_steps.with_vertical(self.board.south_west_square(anchor));
            fences.vertical &= !(u64::from(!self.has_paths(fenced, position.pawns)) << anchor);
        }
        fences
    }

    /// Legal moves in order: the pawn's by ascending square, then horizontal fences, then vertical
    /// ones.
    #[inline]
    fn legal_moves(&self, position: QuoridorPosition) -> impl Iterator<Item = QuoridorMove> {
        let (targets, fences) = if self.is_on_goal(position, position.player.opponent()) {
            (0, Fences::default())
        } else {
            let open_steps = self.board.open_steps(position.fences);
            let [own, other] = position.own_and_other();
            (self.pawn_targets(open_steps, own, other), self.legal_fences(position, open_steps))
        };
        SetBits(targets)
            .map(QuoridorMove::Pawn)
            .chain(SetBits(fences.horizontal).map(QuoridorMove::Horizontal))
            .chain(SetBits(fences.vertical).map(QuoridorMove::Vertical))
    }
}

impl Game for Quoridor {
    type Position = QuoridorPosition;
    type Move = QuoridorMove;

    #[inline]
    fn start(&self) -> QuoridorPosition {
        self.start
    }

    fn player_to_move(&self, position: QuoridorPosition) -> usize {
        position.player as usize
    }

    #[inline]
    fn terminal(&self, position: QuoridorPosition) -> Option<Wdl> {
        if self.is_on_goal(position, position.player.opponent()) {
            return Some(Wdl::Loss);
        }
        let open_steps = self.board.open_steps(position.fences);
        let [own, other] = position.own_and_other();
        let stuck = self.pawn_targets(open_steps, own, other) == 0
            && self.legal_fences(position, open_steps).is_empty();
        stuck.then_some(Wdl::Loss)
    }

    fn is_position(&self, position: QuoridorPosition) -> bool {
        let QuoridorPosition { fences, pawns, hands, player } = position;
        let stock = self.setup.stock;
        let sum = |fences: [u8; 2]| fences.into_iter().map(u32::from).sum::<u32>();
        pawns[0] != pawns[1]
            && pawns.iter().all(|&pawn| pawn < self.board.squares())
            && hands.iter().zip(stock).all(|(&hand, stock)| hand <= stock)
            && fences.len() + sum(hands) == sum(stock)
            && self.board.are_apart(fences)
            && !self.is_on_goal(position, player)
            && self.has_paths(self.board.open_steps(fences), pawns)
    }

    #[inline]
    fn moves(&self, position: QuoridorPosition, out: &mut Vec<QuoridorMove>) {
        out.extend(self.legal_moves(position));
    }

    #[inline]
    fn play(&self, position: QuoridorPosition, mv: QuoridorMove) -> QuoridorPosition {
        let player = position.player as usize;
        let mut next = QuoridorPosition { player: position.player.opponent(), ..position };
        match mv {
            QuoridorMove::Pawn(square) => next.pawns[player] = square,
            QuoridorMove::Horizontal(anchor) => next.fences.horizontal |= 1 << anchor,
            QuoridorMove::Vertical(anchor) => next.fences.vertical |= 1 << anchor,
        }
        next.hands[player] -= u8::from(!matches!(mv, QuoridorMove::Pawn(_)));
        next
    }

    #[inline]
    fn successors(&self, position: QuoridorPosition, out: &mut Vec<QuoridorPosition>) {
        out.extend(self.legal_moves(position).map(|mv| self.play(position, mv)));
    }

    #[inline]
    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    fn images(&self, position: QuoridorPosition, out: &mut Vec<QuoridorPosition>) {
        let swapped = self.swap.then(|| self.swapped(position));
        out.extend(swapped);
        if self.mirror {
            let members = [position].into_iter().chain(swapped);
            out.extend(members.map(|member| self.mirrored(member)));
        }
    }

    /// White to move if the exchange of the players is used, then the lesser of two mirror images.
    #[inline]
    fn canonical(&self, position: QuoridorPosition) -> QuoridorPosition {
        let own = match position.player {
            QuoridorPlayer::Black if self.swap => self.swapped(position),
            _ => position,
        };
        if self.mirror { own.min(self.mirrored(own)) } else { own }
    }
}

impl Heuristics for Quoridor {
    /// 100 for each step that the own pawn is nearer to its goal than the other pawn. 25 for each
    /// extra fence in hand. 50 for the turn. Steps ignore the pawns.
    #[inline]
    fn evaluate(&self, position: QuoridorPosition) -> Option<i32> {
        let open_steps = self.board.open_steps(position.fences);
        let sides = [position.player, position.player.opponent()];
        let [own, other] = sides.map(|player| {
            let goal = self.board.goal_rows[player as usize];
            let steps = open_steps.distance(1 << position.pawn(player), goal);
            25 * i32::from(position.hand(player)) - 100 * steps.unwrap_or(0) as i32
        });
        Some(own - other + 50)
    }
}
