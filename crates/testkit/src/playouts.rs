use std::collections::HashMap;

use hindsight_core::{Game, Random, playout_by_moves};

use crate::laws::{SplitMix, random_positions};

/// Checks [`Game::playout`] on some positions.
///
/// * It returns a position that is over, or one that is as many plies away as were asked for.
/// * A finished position stays, and so does any if no plies are asked for.
/// * One ply leads to every successor, each about as often as its moves are; so do two.
///
/// # Panics
/// When a law is broken; the message names it, the seed and the position.
pub fn check_playouts<G: Game>(game: &G, positions: usize, seed: u64) {
    let mut random = SplitMix(seed);
    let all = random_positions(game, 40 * positions, seed);
    for position in all.into_iter().step_by(40) {
        let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
        let none = game.playout(position, 0, &mut random);
        assert_eq!(none, (position, 0), "{}", broken("no plies, no move"));
        let (last, plies) = game.playout(position, 30, &mut random);
        let over = game.terminal(last).is_some();
        assert!(over || plies == 30, "{}", broken("a playout goes on"));
        if game.terminal(position).is_some() {
            assert_eq!((last, plies), (position, 0), "{}", broken("it is over"));
            continue;
        }
        for plies in [1, 2] {
            compare(game, position, plies, &mut random, &broken);
        }
    }
}

/// Compares how often positions are reached with how often they are by lists of moves.
fn compare<G: Game>(
    game: &G,
    position: G::Position,
    plies: u32,
    random: &mut SplitMix,
    broken: &dyn Fn(&str) -> String,
) {
    const DRAWN: u32 = 2_000;
    let mut counts: HashMap<G::Position, [u32; 2]> = HashMap::new();
    for _ in 0..DRAWN {
        let (last, _) = game.playout(position, plies, random);
        counts.entry(last).or_default()[0] += 1;
        let (last, _) = playout_by_moves(game, position, plies, random);
        counts.entry(last).or_default()[1] += 1;
    }
    let difference = |&[a, b]: &[u32; 2]| (f64::from(a) - f64::from(b)).powi(2) / f64::from(a + b);
    let chi: f64 = counts.values().map(difference).sum();
    // Chi squared of two samples of the same size: k - 1 on average if there are k different positions, with a
    // deviation of the square root of 2 (k - 1).
    let kinds = counts.len() as f64;
    let most = kinds + 6.0 * (2.0 * kinds).sqrt() + 6.0;
    assert!(
        chi <= most,
        "{}: {chi:.1}, at most {most:.1}",
        broken("moves have the same chance")
    );
}

impl Random for SplitMix {
    fn bits(&mut self) -> u64 {
        self.next()
    }
}
