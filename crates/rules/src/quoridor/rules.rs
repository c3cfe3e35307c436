use alloc::vec::Vec;

use hindsight_core::{Game, Material, Symmetry, Wdl};

use super::board::{Bits, Board};
use super::numbering::Numbering;
use super::position::{Fences, Position};
use super::walls::Walls;
use super::{Player, QuoridorSetup};

/// The rules on one board with one stock of fences.
///
/// A player wins by reaching the goal row, and loses when no move is left. That happens on boards two high,
/// and with `edge=open` where fences are on three sides of a pawn and the other pawn, at the edge, is on
/// the fourth.
#[derive(Clone, Debug)]
pub struct Quoridor {
    setup: QuoridorSetup,
    pub(super) board: Board,
    pub(super) numbering: Option<Numbering>,
    /// Each fence after the four symmetries.
    pub(super) fence_images: Vec<[Fences; 4]>,
    swap: bool,
    mirror: bool,
}

/// One ply: the pawn to a square, or a fence to an anchor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// The pawn steps or jumps to this square.
    Pawn(u8),
    /// A fence that stops steps up and down.
    Horizontal(u8),
    /// A fence that stops steps to the left and right.
    Vertical(u8),
}

impl Quoridor {
    /// The game of a setup; `symmetry` is what `canonical` shall use. With unequal stocks the exchange
    /// of the players is no symmetry, so that `Swap` is then as `None`.
    ///
    /// # Panics
    /// When [`QuoridorSetup::check`] finds a fault.
    #[must_use]
    #[inline]
    pub fn new(setup: QuoridorSetup, symmetry: Symmetry) -> Self {
        if let Err(fault) = setup.check() {
            panic!("{fault}");
        }
        let board = Board::new(setup.width, setup.height);
        let mut game = Self {
            setup,
            board,
            numbering: Numbering::new(setup.stock, board.anchors()),
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

    /// The position with the players exchanged: a half turn of the board, hands and turn swapped.
    #[inline]
    pub(super) fn swapped(&self, position: Position) -> Position {
        let [white, black] = position.pawns;
        let [first, second] = position.hands;
        let last = self.board.squares() - 1;
        Position {
            fences: self.board.turned(position.fences),
            pawns: [last - black, last - white],
            hands: [second, first],
            player: position.player.opponent(),
        }
    }

    /// The position with left and right exchanged.
    #[inline]
    pub(super) fn mirrored(&self, position: Position) -> Position {
        Position {
            fences: self.board.mirrored(position.fences),
            pawns: position.pawns.map(|pawn| self.board.mirrored_square(pawn)),
            ..position
        }
    }

    #[inline]
    pub(super) fn on_goal(&self, position: Position, player: Player) -> bool {
        self.board.goals[player as usize] >> position.pawn(player) & 1 == 1
    }

    /// Whether each pawn has a path to its goal row.
    #[inline]
    pub(super) fn has_paths(&self, walls: Walls, pawns: [u8; 2]) -> bool {
        let [white, black] = self.board.goals;
        walls.connect(1 << pawns[0], white) && walls.connect(1 << pawns[1], black)
    }

    /// The squares that a pawn can step or jump to; `other` is the square of the other pawn.
    #[inline]
    pub(super) fn targets(&self, walls: Walls, own: u8, other: u8) -> u128 {
        let steps = walls.beside(1 << own);
        if steps >> other & 1 == 0 {
            steps
        } else {
            steps & !(1 << other) | self.jumps(walls, own, other)
        }
    }

    /// The squares that a pawn can jump to over a pawn beside it.
    #[inline]
    pub(super) fn jumps(&self, walls: Walls, own: u8, other: u8) -> u128 {
        let around = walls.beside(1 << other);
        let behind = match (2 * other).checked_sub(own) {
            Some(square) if square < self.board.squares() => 1 << square,
            _ => 0,
        };
        if around & behind != 0 {
            return behind;
        }
        let at_edge = self.board.open.beside(1 << other) & behind == 0;
        if at_edge && self.setup.edge_open {
            0
        } else {
            around & !(1 << own)
        }
    }

    /// The fences that can be placed: in hand, in free places, and leaving each pawn a path.
    #[inline]
    fn placeable(&self, position: Position, walls: Walls) -> Fences {
        if position.hand(position.player) == 0 {
            return Fences::default();
        }
        let mut fences = self.board.room(position.fences);
        let touching = self.board.touching(position.fences);
        for anchor in Bits((fences.horizontal & touching.horizontal).into()) {
            let fenced = walls.with_horizontal(self.board.corner(anchor));
            fences.horizontal &= !(u64::from(!self.has_paths(fenced, position.pawns)) << anchor);
        }
        for anchor in Bits((fences.vertical & touching.vertical).into()) {
            let fenced = walls.with_vertical(self.board.corner(anchor));
            fences.vertical &= !(u64::from(!self.has_paths(fenced, position.pawns)) << anchor);
        }
        fences
    }

    /// Every legal move: the pawn square by square, then horizontal fences, then vertical ones.
    #[inline]
    fn legal(&self, position: Position) -> impl Iterator<Item = Move> {
        let (targets, fences) = if self.on_goal(position, position.player.opponent()) {
            (0, Fences::default())
        } else {
            let walls = self.board.walls(position.fences);
            let [own, other] = position.own_and_other();
            (
                self.targets(walls, own, other),
                self.placeable(position, walls),
            )
        };
        Bits(targets)
            .map(Move::Pawn)
            .chain(Bits(fences.horizontal.into()).map(Move::Horizontal))
            .chain(Bits(fences.vertical.into()).map(Move::Vertical))
    }
}

impl Game for Quoridor {
    type Position = Position;
    type Move = Move;

    #[inline]
    fn start(&self) -> Position {
        let QuoridorSetup { width, height, .. } = self.setup;
        let left_middle = (width - 1) / 2;
        let black_file = if self.setup.start_point {
            width / 2
        } else {
            left_middle
        };
        Position {
            fences: Fences::default(),
            pawns: [left_middle, (height - 1) * width + black_file],
            hands: self.setup.stock,
            player: Player::White,
        }
    }

    #[inline]
    fn terminal(&self, position: Position) -> Option<Wdl> {
        if self.on_goal(position, position.player.opponent()) {
            return Some(Wdl::Loss);
        }
        let walls = self.board.walls(position.fences);
        let [own, other] = position.own_and_other();
        let stuck =
            self.targets(walls, own, other) == 0 && self.placeable(position, walls).is_empty();
        stuck.then_some(Wdl::Loss)
    }

    #[inline]
    fn moves(&self, position: Position, out: &mut Vec<Move>) {
        out.extend(self.legal(position));
    }

    #[inline]
    fn play(&self, position: Position, mv: Move) -> Position {
        let player = position.player as usize;
        let mut next = Position {
            player: position.player.opponent(),
            ..position
        };
        match mv {
            Move::Pawn(square) => next.pawns[player] = square,
            Move::Horizontal(anchor) => next.fences.horizontal |= 1 << anchor,
            Move::Vertical(anchor) => next.fences.vertical |= 1 << anchor,
        }
        next.hands[player] -= u8::from(!matches!(mv, Move::Pawn(_)));
        next
    }

    #[inline]
    fn successors(&self, position: Position, out: &mut Vec<Position>) {
        out.extend(self.legal(position).map(|mv| self.play(position, mv)));
    }

    /// A hundred for each step that the other is farther from the goal, less for each fence in hand, and half a
    /// step for the turn.
    #[inline]
    fn evaluate(&self, position: Position) -> Option<i32> {
        let walls = self.board.walls(position.fences);
        let sides = [position.player, position.player.opponent()];
        let [own, other] = sides.map(|player| {
            let goal = self.board.goals[player as usize];
            let steps = walls.steps(1 << position.pawn(player), goal);
            25 * i32::from(position.hand(player)) - 100 * steps.unwrap_or(0) as i32
        });
        Some(own - other + 50)
    }

    /// White to move where the players may be exchanged, then the lesser of two mirror images.
    #[inline]
    fn canonical(&self, position: Position) -> Position {
        let own = match position.player {
            Player::Black if self.swap => self.swapped(position),
            _ => position,
        };
        if self.mirror {
            own.min(self.mirrored(own))
        } else {
            own
        }
    }
}

/// Pawns are never taken, and fences never leave the board.
impl Material for Quoridor {}
