//! Numbers of new leaves, learned from the positions that the search has decided.
//!
//! A linear model estimates if the side to move reaches its goal. Its features are the bits that
//! are set in the words of the position, and the value of each of their bytes: a byte may be a
//! square or a deal, or eight squares together. Positions are seen in an image in which the first
//! player is to move; where there is none, each player has weights of its own. With the estimate
//! `z`, and `moves` that do not lose at once,
//!
//! ```text
//! proof = UNIT * exp(-z / 2)        disproof = UNIT * moves * exp(z / 2)
//! ```
//!
//! A decided position is kept as an example, and the model takes a step of logistic regression by
//! one that is drawn from all so far, wins and losses alike. `docs/decisions/0028-leaf-numbers.md`
//! has what this saves.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_core::{Game, Look, Packed, PackedGame};

use super::table::ProofNumbers;

/// Proof number of a leaf of which nothing is known.
pub(super) const UNIT: u32 = 64;
/// Greatest estimate either way.
const MOST_CERTAIN: f32 = 8.0;
/// Points of an evaluation that are worth 1 of the estimate.
const POINTS: f32 = 200.0;
const LEARNING_RATE: f32 = 0.02;
const BYTE_VALUES: usize = 256;
/// Most examples of wins, and of losses.
const MOST_EXAMPLES: u64 = 1 << 17;
/// Part `1 / EXAMPLES_DIVISOR` of the memory is for examples, or less.
const EXAMPLES_DIVISOR: u64 = 16;

/// Model of one search, which all its workers use.
pub(super) struct LeafNumbers {
    /// Weights by player to move; the first of each is the bias.
    weights: [Vec<AtomicU32>; 2],
    /// Words of a position.
    words: usize,
    examples: Mutex<Examples>,
}

/// Decided positions, drawn from all so far.
struct Examples {
    /// Positions whose side to move does not reach its goal, and those whose side does.
    kept: [Vec<Packed>; 2],
    /// All that were seen of each.
    seen: [u64; 2],
    /// Most that are kept of each.
    most: usize,
    /// Numbers drawn.
    drawn: u64,
}

impl LeafNumbers {
    /// Makes a model that knows nothing, for positions of some words.
    pub(super) fn new(words: usize, bytes: u64) -> Self {
        let features = 1 + words * (32 + 4 * BYTE_VALUES);
        let weights = || (0..features).map(|_| AtomicU32::new(0)).collect();
        let most = (Self::example_bytes(bytes) / 2 / size_of::<Packed>() as u64) as usize;
        let kept = [(); 2].map(|()| Vec::with_capacity(most));
        Self {
            weights: [weights(), weights()],
            words,
            examples: Mutex::new(Examples { kept, seen: [0; 2], most, drawn: 0 }),
        }
    }

    /// Returns the bytes of examples in a search with a memory limit in bytes.
    pub(super) fn example_bytes(bytes: u64) -> u64 {
        (bytes / EXAMPLES_DIVISOR).min(2 * MOST_EXAMPLES * size_of::<Packed>() as u64)
    }

    /// Returns the numbers of a position that is not over.
    pub(super) fn numbers(&self, game: &PackedGame, position: Packed, look: Look) -> ProofNumbers {
        let (moves, prior) = match look {
            Look::SafeMoves(moves) => (moves.max(1), 0.0),
            Look::Estimate(evaluation) => (1, evaluation as f32 / POINTS),
            Look::Over(_) | Look::Open => (1, 0.0),
        };
        let (player, position) = turned(game, position);
        let estimate = self.estimate(player, position) + prior;
        let ease = exp(estimate.clamp(-MOST_CERTAIN, MOST_CERTAIN) / 2.0);
        let number = |number: f32| number.round().max(1.0) as u32;
        let unit = UNIT as f32;
        ProofNumbers { proof: number(unit / ease), disproof: number(unit * moves as f32 * ease) }
    }

    /// Learns from a decided position. `reaches_goal` tells if its side to move does.
    pub(super) fn learn(&self, game: &PackedGame, position: Packed, reaches_goal: bool) {
        // A worker that would wait goes on: one example is like another.
        let Ok(mut examples) = self.examples.try_lock() else {
            return;
        };
        examples.add(position, reaches_goal);
        let Some((position, reaches_goal)) = examples.draw() else {
            return;
        };
        drop(examples);
        let (player, position) = turned(game, position);
        let chance = 1.0 / (1.0 + exp(-self.estimate(player, position).clamp(-30.0, 30.0)));
        let step = LEARNING_RATE * (f32::from(u8::from(reaches_goal)) - chance);
        self.for_each_weight(player, position, |weight| {
            let more = f32::from_bits(weight.load(Ordering::Relaxed)) + step;
            weight.store(more.to_bits(), Ordering::Relaxed);
        });
    }

    fn estimate(&self, player: usize, position: Packed) -> f32 {
        let mut sum = 0.0;
        self.for_each_weight(player, position, |weight| {
            sum += f32::from_bits(weight.load(Ordering::Relaxed));
        });
        sum
    }

    /// Calls a function with the weight of each feature of a position.
    #[inline]
    fn for_each_weight(&self, player: usize, position: Packed, mut each: impl FnMut(&AtomicU32)) {
        let (bias, weights) = self.weights[player].split_first().expect("a bias");
        each(bias);
        let (of_bits, of_bytes) = weights.split_at(32 * self.words);
        let words = position.as_words()[..self.words].iter();
        for ((&word, of_bits), of_bytes) in
            words.zip(of_bits.chunks_exact(32)).zip(of_bytes.chunks_exact(4 * BYTE_VALUES))
        {
            for (byte, of_byte) in
                word.to_le_bytes().into_iter().zip(of_bytes.chunks_exact(BYTE_VALUES))
            {
                each(&of_byte[usize::from(byte)]);
            }
            let mut bits = word;
            while bits != 0 {
                each(&of_bits[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
    }
}

impl Examples {
    /// Adds an example; once there is no room, each of all so far is kept with the same chance.
    fn add(&mut self, position: Packed, reaches_goal: bool) {
        let class = usize::from(reaches_goal);
        self.seen[class] += 1;
        if self.kept[class].len() < self.most {
            self.kept[class].push(position);
            return;
        }
        let place = self.below(self.seen[class]) as usize;
        if let Some(kept) = self.kept[class].get_mut(place) {
            *kept = position;
        }
    }

    /// Draws an example, a win or a loss with the same chance if there are both.
    fn draw(&mut self) -> Option<(Packed, bool)> {
        let class = self.below(2) as usize;
        let class = if self.kept[class].is_empty() { 1 - class } else { class };
        let number = self.kept[class].len() as u64;
        if number == 0 {
            return None;
        }
        let place = self.below(number) as usize;
        Some((self.kept[class][place], class == 1))
    }

    /// Returns a number in `0..n`, which is not 0, by the mixing of SplitMix64.
    fn below(&mut self, n: u64) -> u64 {
        self.drawn = self.drawn.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.drawn;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(bits ^ (bits >> 31)) * u128::from(n)) >> 64) as u64
    }
}

/// Returns the player to move, with an image of the position in which that is player 0, if there is
/// one. Rules that live outside are not asked, which would take longer than all else: a search has
/// their canonical positions, in which the player is always shown as 0.
fn turned(game: &PackedGame, position: Packed) -> (usize, Packed) {
    if game.is_outside() {
        return (0, position);
    }
    let player = game.player_to_move(position);
    if player == 0 {
        return (0, position);
    }
    let mut images = Vec::new();
    game.images(position, &mut images);
    let image = images.into_iter().find(|&image| game.player_to_move(image) == 0);
    image.map_or((player, position), |image| (0, image))
}

/// Returns about `e^x`, the same on every machine: the error is below one part in a thousand.
fn exp(x: f32) -> f32 {
    let x = x * std::f32::consts::LOG2_E;
    let (whole, part) = (x.floor(), x - x.floor());
    let power = f32::from_bits(((whole as i32 + 127) as u32) << 23);
    power * (1.0 + part * (0.695_556 + part * (0.226_173 + part * 0.078_271)))
}

#[cfg(test)]
mod tests {
    use hindsight_core::{Game, Look, Packed};
    use hindsight_rules::{Setup, by_name};

    use super::{Examples, LeafNumbers, UNIT, exp};

    #[test]
    fn the_power_is_near() {
        for x in -3000..3000 {
            let x = x as f32 / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-3, "{x}");
        }
    }

    /// Positions whose lowest bit is set are won: after some thousands of examples, proof numbers
    /// are small with it and disproof numbers without it.
    #[test]
    fn a_feature_that_decides_is_learned() {
        let game = by_name("four:4x4", &Setup::default()).expect("a spec");
        let learned = LeafNumbers::new(game.words(), 1 << 24);
        let number = |n: u32| Packed::new([n, n.wrapping_mul(0x9E37_79B9)]);
        let look = Look::SafeMoves(3);
        let before = learned.numbers(&game, number(1), look);
        assert_eq!((before.proof, before.disproof), (UNIT, 3 * UNIT));
        for n in 0..20_000 {
            learned.learn(&game, number(n % 512), n % 2 == 1);
        }
        for n in 0..512 {
            let numbers = learned.numbers(&game, number(n), look);
            assert_eq!(numbers.proof < UNIT / 2, n % 2 == 1, "{n}: {numbers:?}");
            assert_eq!(numbers.disproof < 2 * UNIT, n % 2 == 0, "{n}: {numbers:?}");
        }
        let start = learned.numbers(&game, game.start(), Look::Estimate(10_000));
        assert_eq!(start.proof, 1);
    }

    #[test]
    fn examples_keep_to_their_memory() {
        let mut examples =
            Examples { kept: [Vec::new(), Vec::new()], seen: [0; 2], most: 10, drawn: 0 };
        assert_eq!(examples.draw(), None);
        for n in 0..1000 {
            examples.add(Packed::new([n]), n < 900);
        }
        assert_eq!(examples.kept.each_ref().map(Vec::len), [10, 10]);
        let late = |kept: &[Packed], from: u32| kept.iter().any(|&p| p > Packed::new([from]));
        assert!(late(&examples.kept[1], 500) && !late(&examples.kept[1], 900));
        let wins = (0..1000).filter(|_| examples.draw().expect("an example").1).count();
        assert!((400..600).contains(&wins), "{wins}");
        assert_eq!(LeafNumbers::new(3, 0).examples.lock().expect("no panic").most, 0);
    }
}
