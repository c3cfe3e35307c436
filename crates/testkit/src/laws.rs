use std::collections::HashSet;

use hindsight_core::{Game, Notation, Wdl};

use crate::countdown::check_countdown;
use crate::drawn_moves::check_drawn_moves;
use crate::drawn_setups::check_drawn_setup;

/// Random number generator SplitMix64. The same seed gives the same numbers on every machine.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    /// Returns the next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number in `0..n`; `n` must not be 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.rank_below(n as u64)).expect("it is below a usize")
    }

    /// Returns a rank in `0..len`; `len` must not be 0.
    pub(crate) fn rank_below(&mut self, len: u64) -> u64 {
        self.next() % len
    }
}

/// Returns `count` positions of random games, at least 1, with terminal positions. The games follow
/// one another.
///
/// A game that lasts longer than 200 plies is broken off.
pub fn random_positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::Position> {
    let mut random = SplitMix(seed);
    let mut positions = vec![game.start()];
    let mut ply = 0;
    let mut moves = Vec::new();
    while positions.len() < count {
        let position = positions[positions.len() - 1];
        moves.clear();
        game.moves(position, &mut moves);
        ply += 1;
        if moves.is_empty() || ply > 200 {
            positions.push(game.start());
            ply = 0;
        } else {
            positions.push(game.play(position, moves[random.below(moves.len())]));
        }
    }
    positions
}

/// Checks the laws of [`Game`] on `positions` positions of random games.
///
/// * The start is not terminal; a position has no moves if and only if it is terminal.
/// * No move is listed twice, and the order is the same each time.
/// * [`Game::successors`] agrees with `moves` and `play`, in the same order.
/// * `canonical` is idempotent. It keeps the result, the number of moves, the estimate and, up to
///   symmetry, the set of successors.
/// * The player to move changes with every ply, or is always 0.
/// * Each of [`Game::images`] has the same canonical member as the position.
/// * The absolute value of [`hindsight_core::Heuristics::evaluate`] is below 10,000.
/// * [`hindsight_core::Heuristics::safe_move_count`], if not `None`, agrees with a count over all
///   moves and replies.
/// * The laws of [`hindsight_core::Countdown`], if the game is one.
///
/// # Panics
/// If a law is broken; the message names it, the seed and the position.
pub fn check_laws<G: Game>(game: &G, positions: usize, seed: u64) {
    assert!(game.terminal(game.start()).is_none(), "the start is not terminal");
    // 1 if positions name the side to move, else 0.
    let mut first_plies = vec![game.start()];
    game.successors(game.start(), &mut first_plies);
    let players = first_plies.iter().map(|&position| game.player_to_move(position));
    let last_player = players.max().unwrap_or_default();
    for position in random_positions(game, positions, seed) {
        let moves = moves_of(game, position);
        let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
        assert_eq!(
            moves.is_empty(),
            game.terminal(position).is_some(),
            "{}",
            broken("no moves iff terminal")
        );
        assert_eq!(moves, moves_of(game, position), "{}", broken("moves come in a fixed order"));
        for (i, mv) in moves.iter().enumerate() {
            assert!(!moves[..i].contains(mv), "{}: {mv:?}", broken("no move twice"));
        }
        let played: Vec<_> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        for &next in &played {
            let players = game.player_to_move(position) + game.player_to_move(next);
            assert_eq!(players, last_player, "{}", broken("players take turns"));
        }
        let mut successors = Vec::new();
        game.successors(position, &mut successors);
        assert_eq!(played, successors, "{}", broken("successors are moves, played"));

        check_safe_move_count(game, position, &successors, &broken);
        check_symmetry(game, position, &moves, &broken);
    }
    if let Some(countdown) = game.countdown() {
        let positions = random_positions(game, positions, seed);
        check_countdown(game, countdown, &positions, seed);
    }
}

/// Checks the laws of [`Game::canonical`] and [`Game::images`] at a position with these moves.
fn check_symmetry<G: Game>(
    game: &G,
    position: G::Position,
    moves: &[G::Move],
    broken: &impl Fn(&str) -> String,
) {
    let canonical = game.canonical(position);
    let mut images = Vec::new();
    game.images(position, &mut images);
    for image in images {
        assert_eq!(
            game.canonical(image),
            canonical,
            "{}: {image:?}",
            broken("images are members of the class")
        );
    }
    assert_eq!(canonical, game.canonical(canonical), "{}", broken("canonical is idempotent"));
    assert_eq!(
        game.terminal(position),
        game.terminal(canonical),
        "{}",
        broken("canonical keeps the result")
    );
    if !moves.is_empty() {
        let evaluate = |position| game.heuristics().and_then(|h| h.evaluate(position));
        let estimate = evaluate(position);
        let is_small = estimate.is_none_or(|estimate| estimate.abs() < 10_000);
        assert!(is_small, "{}", broken("estimates are below 10,000"));
        assert_eq!(estimate, evaluate(canonical), "{}", broken("canonical keeps the estimate"));
    }
    let successor_classes = |position| -> HashSet<_> {
        moves_of(game, position)
            .into_iter()
            .map(|mv| game.canonical(game.play(position, mv)))
            .collect()
    };
    assert_eq!(
        moves.len(),
        moves_of(game, canonical).len(),
        "{}",
        broken("canonical keeps the number of moves")
    );
    assert_eq!(
        successor_classes(position),
        successor_classes(canonical),
        "{}",
        broken("canonical commutes with play")
    );
}

fn check_safe_move_count<G: Game>(
    game: &G,
    position: G::Position,
    successors: &[G::Position],
    broken: &impl Fn(&str) -> String,
) {
    let is_lost = |next: &G::Position| game.terminal(*next) == Some(Wdl::Loss);
    if successors.is_empty() || successors.iter().any(is_lost) {
        return;
    }
    let opponent_wins_at_once = |next: G::Position| {
        let mut after_reply = Vec::new();
        game.successors(next, &mut after_reply);
        game.terminal(next) == Some(Wdl::Win) || after_reply.iter().any(is_lost)
    };
    let is_safe = |next: &&G::Position| !opponent_wins_at_once(**next);
    let safe_moves = successors.iter().filter(is_safe).count();
    let expected = u32::try_from(safe_moves).expect("a position has fewer than 2^32 moves");
    for member in [position, game.canonical(position)] {
        let count = game.heuristics().and_then(|h| h.safe_move_count(member));
        let agrees = count.is_none_or(|count| count == expected);
        assert!(agrees, "{}: {count:?}, not {expected}", broken("safe moves are counted"));
    }
}

fn moves_of<G: Game>(game: &G, position: G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Checks the laws of [`Notation`] on `positions` positions of random games.
///
/// * Positions and moves are read back from their texts, so different moves have different texts.
/// * A position has a diagram.
/// * A drawn move makes the picture after it out of that before it.
/// * The text of a picture is that of its position. A picture with random changes is refused, or
///   shows the position that is read from its text.
///
/// # Panics
/// If a law is broken; the message names it, the seed and the position.
pub fn check_notation<G: Notation>(game: &G, positions: usize, seed: u64) {
    let mut random = SplitMix(seed);
    for position in random_positions(game, positions, seed) {
        let text = game.format(position);
        let broken = |law: &str| format!("{law}; seed {seed}, position {text}");
        match game.parse(&text) {
            Ok(parsed) => {
                assert_eq!(parsed, position, "{}", broken("parse is the inverse of format"))
            }
            Err(error) => panic!("{}: {error}", broken("a position is read back")),
        }
        assert!(!game.diagram(position).is_empty(), "{}", broken("there is a diagram"));
        check_drawn_setup(game, position, &mut random, &broken);
        let moves = moves_of(game, position);
        check_drawn_moves(game, position, &moves, &broken);
        for mv in moves {
            let mv_text = game.format_move(position, mv);
            assert_eq!(
                game.parse_move(position, &mv_text).ok(),
                Some(mv),
                "{}: {mv_text}",
                broken("a move is read back")
            );
        }
    }
}
