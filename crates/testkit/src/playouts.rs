use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;

use hindsight_core::{Game, PlayoutQueue, Random, playout_by_moves};

use crate::laws::{SplitMix, random_positions};

/// Checks [`Game::random_playout`] and [`Game::random_playouts`] on `positions` positions of random
/// games, 40 plies apart.
///
/// * A playout ends in a terminal position, or after the number of plies asked for.
/// * A terminal position stays as it is. Any position stays as it is if no plies are asked for.
/// * After one ply, and after two, positions are as frequent as in [`playout_by_moves`], by a chi
///   squared test; so are results and lengths of whole games.
/// * Each game of a queue is finished once, and goes on from its own start.
///
/// # Panics
/// If a law is broken; the message names it, the seed and the position.
pub fn check_playouts<G: Game>(game: &G, positions: usize, seed: u64) {
    let mut random = SplitMix(seed);
    let visited = random_positions(game, 40 * positions, seed);
    check_queue(game, &visited, &mut random);
    for position in visited.into_iter().step_by(40) {
        let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
        let unmoved = game.random_playout(position, 0, &mut random);
        assert_eq!(unmoved, (position, 0), "{}", broken("no plies, no move"));
        let (last, plies) = game.random_playout(position, 30, &mut random);
        let over = game.terminal(last).is_some();
        assert!(over || plies == 30, "{}", broken("a playout goes on"));
        if game.terminal(position).is_some() {
            assert_eq!((last, plies), (position, 0), "{}", broken("it is over"));
            continue;
        }
        for plies in [1, 2] {
            let samples = Samples::new(game, position, plies, &mut random);
            samples.compare(|&(last, _)| last, &broken("moves have the same chance"));
        }
        let samples = Samples::new(game, position, 60, &mut random);
        let end = |&(last, plies): &(G::Position, u32)| (game.terminal(last), plies);
        samples.compare(end, &broken("games end alike"));
    }
}

/// Checks that each game of a queue goes on from its own start, if at all.
fn check_queue<G: Game>(game: &G, starts: &[G::Position], random: &mut SplitMix) {
    for plies in [0, 1] {
        let ends = play_all(game, starts.iter().copied(), plies, random);
        for (&start, (last, played)) in starts.iter().zip(ends) {
            let stays = plies == 0 || game.terminal(start).is_some();
            assert_eq!(played, u32::from(!stays), "{start:?}");
            let mut next = Vec::new();
            if stays {
                next.push(start);
            } else {
                game.successors(start, &mut next);
            }
            assert!(next.contains(&last), "{start:?} does not lead to {last:?}");
        }
    }
}

/// Plays a game from each start; returns their last positions and plies in the same order.
fn play_all<G: Game>(
    game: &G,
    starts: impl Iterator<Item = G::Position>,
    plies: u32,
    random: &mut SplitMix,
) -> Vec<(G::Position, u32)> {
    let mut queue = ListQueue { starts, ends: Vec::new() };
    game.random_playouts(plies, &mut queue, random);
    let ends = queue.ends.into_iter();
    ends.map(|end| end.expect("each game is finished")).collect()
}

/// A queue that keeps all ends.
struct ListQueue<I, P> {
    starts: I,
    /// Last position and plies of each game that began, once it is finished.
    ends: Vec<Option<(P, u32)>>,
}

impl<P, I: Iterator<Item = P>> PlayoutQueue<P> for ListQueue<I, P> {
    fn next_start(&mut self) -> Option<P> {
        let start = self.starts.next()?;
        self.ends.push(None);
        Some(start)
    }

    fn finish(&mut self, number: u64, last: P, plies: u32) {
        let index = usize::try_from(number).expect("an index");
        let end = self.ends[index].replace((last, plies));
        assert!(end.is_none(), "game {number} is finished once");
    }
}

/// Playouts from a position: last positions and plies.
struct Samples<P> {
    by_moves: Vec<(P, u32)>,
    /// By [`Game::random_playout`], and by [`Game::random_playouts`].
    others: [Vec<(P, u32)>; 2],
}

impl<P: Copy> Samples<P> {
    fn new<G: Game<Position = P>>(game: &G, start: P, plies: u32, random: &mut SplitMix) -> Self {
        const PLAYOUTS: usize = 2_000;
        let starts = std::iter::repeat_n(start, PLAYOUTS);
        let by_moves = starts.clone();
        let by_moves = by_moves.map(|at| playout_by_moves(game, at, plies, random));
        Self {
            by_moves: by_moves.collect(),
            others: [
                starts.clone().map(|at| game.random_playout(at, plies, random)).collect(),
                play_all(game, starts, plies, random),
            ],
        }
    }

    /// Compares the frequencies of keys of the ends with those by moves.
    fn compare<K: Eq + Hash>(&self, key: impl Fn(&(P, u32)) -> K, law: &dyn Display) {
        for other in &self.others {
            let mut counts: HashMap<K, [u32; 2]> = HashMap::new();
            for (i, sample) in [&self.by_moves, other].into_iter().enumerate() {
                sample.iter().for_each(|end| counts.entry(key(end)).or_default()[i] += 1);
            }
            assert_same_chances(counts.into_values(), law);
        }
    }
}

/// Compares two samples of equal size by the counts of each outcome.
fn assert_same_chances(counts: impl ExactSizeIterator<Item = [u32; 2]>, law: &dyn Display) {
    // With `k` different outcomes, chi squared of two samples of equal size has the mean `k - 1`
    // and the standard deviation `sqrt(2 * (k - 1))`. The limit is more than six deviations above
    // the mean.
    let k = counts.len() as f64;
    let difference = |[a, b]: [u32; 2]| (f64::from(a) - f64::from(b)).powi(2) / f64::from(a + b);
    let chi_squared: f64 = counts.map(difference).sum();
    let limit = k + 6.0 * (2.0 * k).sqrt() + 6.0;
    assert!(chi_squared <= limit, "{law}: {chi_squared:.1}, at most {limit:.1}");
}

impl Random for SplitMix {
    fn bits(&mut self) -> u64 {
        self.next()
    }
}
