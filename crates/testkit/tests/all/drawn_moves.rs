//! The law of drawn moves: games that obey it, and faults planted in their drawn moves.

use hindsight_core::{BoardCell, DrawnFence, DrawnMove, Game, Notation, ParseError, Wdl};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_testkit::check_notation;

/// Change of a right drawn move into a wrong one, or into itself where that cannot be.
type Fault = fn(DrawnMove) -> DrawnMove;

/// Game with a fault in its drawn moves.
struct Misdrawn<G> {
    game: G,
    fault: Fault,
}

impl<G: Notation> Game for Misdrawn<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn player_to_move(&self, position: G::Position) -> usize {
        self.game.player_to_move(position)
    }
    fn terminal(&self, position: G::Position) -> Option<Wdl> {
        self.game.terminal(position)
    }
    fn moves(&self, position: G::Position, out: &mut Vec<G::Move>) {
        self.game.moves(position, out);
    }
    fn play(&self, position: G::Position, mv: G::Move) -> G::Position {
        self.game.play(position, mv)
    }
}

impl<G: Notation> Notation for Misdrawn<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }
    fn player_names(&self) -> [&'static str; 2] {
        self.game.player_names()
    }
    fn format(&self, position: G::Position) -> String {
        self.game.format(position)
    }
    fn parse(&self, text: &str) -> Result<G::Position, ParseError> {
        self.game.parse(text)
    }
    fn format_move(&self, position: G::Position, mv: G::Move) -> String {
        self.game.format_move(position, mv)
    }
    fn parse_move(&self, position: G::Position, text: &str) -> Result<G::Move, ParseError> {
        self.game.parse_move(position, text)
    }
    fn drawing(&self, position: G::Position) -> hindsight_core::Drawing {
        self.game.drawing(position)
    }
    fn drawn_move(&self, position: G::Position, mv: G::Move) -> Option<DrawnMove> {
        self.game.drawn_move(position, mv).map(self.fault)
    }
}

/// Checks the notation of a game whose drawn moves have a fault; returns the message of the law
/// that is broken.
struct Check(Fault);

impl Visitor for Check {
    type Output = Option<String>;
    fn visit<G: Notation>(self, game: G) -> Option<String> {
        let fault = self.0;
        let misdrawn = Misdrawn { game, fault };
        let check = std::panic::AssertUnwindSafe(|| check_notation(&misdrawn, 100, 3));
        let caught = std::panic::catch_unwind(check).err()?;
        Some(caught.downcast_ref::<String>().cloned().unwrap_or_default())
    }
}

fn broken_law(spec: &str, fault: Fault) -> Option<String> {
    by_name(spec, &Setup::default(), Check(fault)).expect("a game")
}

const GAMES: [&str; 5] = [
    "tic-tac-toe",
    "dodgem:3x3",
    "ostle:4x4:4:2",
    "quoridor:3x3:2",
    "onitama:3x4:boar,ox,boar,horse,crab",
];

fn without_removed(drawn: DrawnMove) -> DrawnMove {
    DrawnMove {
        removed: Vec::new(),
        ..drawn
    }
}

fn with_pushed_backwards(drawn: DrawnMove) -> DrawnMove {
    let pushed = drawn.pushed.into_iter().rev().collect();
    DrawnMove { pushed, ..drawn }
}

fn with_wrong_target(drawn: DrawnMove) -> DrawnMove {
    let beside = |to: BoardCell| BoardCell {
        column: to.column ^ 1,
        ..to
    };
    DrawnMove {
        to: drawn.to.map(beside),
        ..drawn
    }
}

fn with_wrong_fence(drawn: DrawnMove) -> DrawnMove {
    let turned = |fence: DrawnFence| DrawnFence {
        is_vertical: !fence.is_vertical,
        ..fence
    };
    DrawnMove {
        fence: drawn.fence.map(turned),
        ..drawn
    }
}

#[test]
fn every_game_draws_its_moves() {
    for spec in GAMES {
        assert_eq!(broken_law(spec, |drawn| drawn), None, "{spec}");
    }
}

#[test]
fn planted_faults_are_caught() {
    let faults: [(Fault, &[&str]); 11] = [
        (|_| DrawnMove::default(), &GAMES),
        (with_wrong_target, &GAMES),
        (without_removed, &[GAMES[1], GAMES[2], GAMES[4]]),
        (
            |drawn| DrawnMove {
                leaves: None,
                ..drawn
            },
            &[GAMES[1], GAMES[2]],
        ),
        (
            |drawn| DrawnMove {
                leaves: drawn.leaves.map(|(right, up)| (-right, -up)),
                ..drawn
            },
            &[GAMES[1], GAMES[2]],
        ),
        (
            |drawn| DrawnMove {
                pushed: Vec::new(),
                ..drawn
            },
            &[GAMES[2]],
        ),
        (
            |drawn| DrawnMove {
                removed: [drawn.removed.clone(), drawn.removed.clone()].concat(),
                ..drawn
            },
            &[GAMES[1], GAMES[2], GAMES[4]],
        ),
        (with_pushed_backwards, &[GAMES[2]]),
        (with_wrong_fence, &[GAMES[3]]),
        (
            |drawn| DrawnMove {
                fence: None,
                ..drawn
            },
            &[GAMES[3]],
        ),
        (
            |drawn| DrawnMove {
                card: None,
                ..drawn
            },
            &[GAMES[4]],
        ),
    ];
    for (number, (fault, specs)) in faults.into_iter().enumerate() {
        for spec in specs {
            let message = broken_law(spec, fault);
            let message = message.unwrap_or_else(|| panic!("fault {number} of {spec} is caught"));
            assert!(
                message.contains("a drawn move makes the picture after it"),
                "{message}"
            );
        }
    }
}
