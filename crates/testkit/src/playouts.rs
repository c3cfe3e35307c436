use std::collections::HashMap;

use hindsight_core::{Game, Random, playout, playout_by_moves};

use crate::laws::{SplitMix, random_positions};

/// Checks [`playout`] on `positions` positions of random games, 40 plies apart.
///
/// * A playout ends in a terminal position, or after the number of plies asked for.
/// * A terminal position stays as it is. Any position stays as it is if no plies are asked for.
/// * After one ply, and after two, positions are as frequent as in [`playout_by_moves`], by a chi
///   squared test.
///
/// # Panics
/// If a law is broken; the message names it, the seed and the position.
pub fn check_playouts<G: Game>(game: &G, positions: usize, seed: u64) {
    let mut random = SplitMix(seed);
    let visited = random_positions(game, 40 * positions, seed);
    for position in visited.into_iter().step_by(40) {
        let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
        let unmoved = playout(game, position, 0, &mut random);
        assert_eq!(unmoved, (position, 0), "{}", broken("no plies, no move"));
        let (last, plies) = playout(game, position, 30, &mut random);
        let over = game.terminal(last).is_some();
        assert!(over || plies == 30, "{}", broken("a playout goes on"));
        if game.terminal(position).is_some() {
            assert_eq!((last, plies), (position, 0), "{}", broken("it is over"));
            continue;
        }
        for plies in [1, 2] {
            compare_frequencies(game, position, plies, &mut random, &broken);
        }
    }
}

/// Compares the frequencies of positions after `plies` plies with the frequencies by
/// [`playout_by_moves`].
fn compare_frequencies<G: Game>(
    game: &G,
    position: G::Position,
    plies: u32,
    random: &mut SplitMix,
    broken: &dyn Fn(&str) -> String,
) {
    const PLAYOUTS: u32 = 2_000;
    let mut counts: HashMap<G::Position, [u32; 2]> = HashMap::new();
    for _ in 0..PLAYOUTS {
        let (last, _) = playout(game, position, plies, random);
        counts.entry(last).or_default()[0] += 1;
        let (last, _) = playout_by_moves(game, position, plies, random);
        counts.entry(last).or_default()[1] += 1;
    }
    let difference = |&[a, b]: &[u32; 2]| (f64::from(a) - f64::from(b)).powi(2) / f64::from(a + b);
    let chi_squared: f64 = counts.values().map(difference).sum();
    // With `k` different positions, chi squared of two samples of equal size has the mean `k - 1`
    // and the standard deviation `sqrt(2 * (k - 1))`. The limit is more than six deviations above
    // the mean.
    let k = counts.len() as f64;
    let limit = k + 6.0 * (2.0 * k).sqrt() + 6.0;
    assert!(
        chi_squared <= limit,
        "{}: {chi_squared:.1}, at most {limit:.1}",
        broken("moves have the same chance")
    );
}

impl Random for SplitMix {
    fn bits(&mut self) -> u64 {
        self.next()
    }
}
