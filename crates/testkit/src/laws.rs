use std::collections::HashSet;

use hindsight_core::{Game, Notation, Wdl};

/// A small generator of random numbers (SplitMix64): the same games for the same seed, everywhere.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.rank_below(n as u64)).expect("it is below a usize")
    }

    /// A rank below `len`, which is not 0.
    pub(crate) fn rank_below(&mut self, len: u64) -> u64 {
        self.next() % len
    }
}

/// Positions of random games, terminal ones included: `plies` in all, a game ending after 200.
pub(crate) fn random_positions<G: Game>(game: &G, plies: usize, seed: u64) -> Vec<G::Position> {
    let mut random = SplitMix(seed);
    let mut positions = vec![game.start()];
    let mut age = 0;
    let mut moves = Vec::new();
    while positions.len() < plies {
        let position = positions[positions.len() - 1];
        moves.clear();
        game.moves(position, &mut moves);
        age += 1;
        if moves.is_empty() || age > 200 {
            positions.push(game.start());
            age = 0;
        } else {
            positions.push(game.play(position, moves[random.below(moves.len())]));
        }
    }
    positions
}

/// Plays at random and checks what [`Game`] promises.
///
/// * The start is not terminal; a position has no moves if and only if it is terminal.
/// * No move is listed twice; the order is the same each time.
/// * [`Game::successors`] is `moves` and `play`, in the same order.
/// * `canonical` is idempotent, and keeps the result, the number of moves, the guess and, up to symmetry, the
///   set of successors. A guess is less than 10,000.
/// * [`Game::safe_moves`] are counted right.
///
/// # Panics
/// When a law is broken, with the position that broke it.
pub fn check_laws<G: Game>(game: &G, plies: usize, seed: u64) {
    assert!(
        game.terminal(game.start()).is_none(),
        "the start is not terminal"
    );
    for position in random_positions(game, plies, seed) {
        let moves = moves_of(game, position);
        let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
        assert_eq!(
            moves.is_empty(),
            game.terminal(position).is_some(),
            "{}",
            broken("no moves iff terminal")
        );
        assert_eq!(
            moves,
            moves_of(game, position),
            "{}",
            broken("moves come in a fixed order")
        );
        for (i, mv) in moves.iter().enumerate() {
            assert!(
                !moves[..i].contains(mv),
                "{}: {mv:?}",
                broken("no move twice")
            );
        }
        let played: Vec<_> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let mut successors = Vec::new();
        game.successors(position, &mut successors);
        assert_eq!(
            played,
            successors,
            "{}",
            broken("successors are moves, played")
        );

        let canonical = game.canonical(position);
        assert_eq!(
            canonical,
            game.canonical(canonical),
            "{}",
            broken("canonical is idempotent")
        );
        assert_eq!(
            game.terminal(position),
            game.terminal(canonical),
            "{}",
            broken("canonical keeps the result")
        );
        if !moves.is_empty() {
            let guess = game.evaluate(position);
            let small = guess.is_none_or(|guess| guess.abs() < 10_000);
            assert!(small, "{}", broken("guesses are less than 10,000"));
            assert_eq!(
                guess,
                game.evaluate(canonical),
                "{}",
                broken("canonical keeps the guess")
            );
        }
        check_safe_moves(game, position, &successors, &broken);
        let classes = |position| -> HashSet<_> {
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
            classes(position),
            classes(canonical),
            "{}",
            broken("canonical commutes with play")
        );
    }
}

fn check_safe_moves<G: Game>(
    game: &G,
    position: G::Position,
    successors: &[G::Position],
    broken: &impl Fn(&str) -> String,
) {
    let ends = |next: &G::Position| game.terminal(*next) == Some(Wdl::Loss);
    if successors.is_empty() || successors.iter().any(ends) {
        return;
    }
    let wins_at_once = |next: G::Position| {
        let mut after = Vec::new();
        game.successors(next, &mut after);
        game.terminal(next) == Some(Wdl::Win) || after.iter().any(ends)
    };
    let safe = successors.iter().filter(|&&next| !wins_at_once(next));
    let safe = u32::try_from(safe.count()).expect("a position has fewer than 2^32 moves");
    for member in [position, game.canonical(position)] {
        let told = game.safe_move_count(member);
        let right = told.is_none_or(|told| told == safe);
        assert!(right, "{}: {told:?}, not {safe}", broken("safe moves"));
    }
}

fn moves_of<G: Game>(game: &G, position: G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Plays at random and checks what [`Notation`] promises: positions and moves are read back from their
/// texts, texts of different moves differ, and the side to move changes with every ply.
///
/// # Panics
/// When a law is broken, with the position that broke it.
pub fn check_notation<G: Notation>(game: &G, plies: usize, seed: u64) {
    for position in random_positions(game, plies, seed) {
        let text = game.format(position);
        let broken = |law: &str| format!("{law}; seed {seed}, position {text}");
        match game.parse(&text) {
            Ok(parsed) => assert_eq!(
                parsed,
                position,
                "{}",
                broken("parse is the inverse of format")
            ),
            Err(error) => panic!("{}: {error}", broken("a position is read back")),
        }
        assert!(
            !game.diagram(position).is_empty(),
            "{}",
            broken("there is a diagram")
        );
        for mv in moves_of(game, position) {
            let mv_text = game.format_move(position, mv);
            assert_eq!(
                game.parse_move(position, &mv_text).ok(),
                Some(mv),
                "{}: {mv_text}",
                broken("a move is read back")
            );
            let (before, after) = (
                game.player_to_move(position),
                game.player_to_move(game.play(position, mv)),
            );
            assert_eq!(
                before + after,
                1,
                "{}: {mv_text}",
                broken("players take turns")
            );
        }
    }
}
