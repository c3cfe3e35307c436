use std::array;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hindsight_core::{Expansion, Game, MOST_WORDS, Notation, Packed, PackedGame};

use crate::laws::{SplitMix, random_positions};

/// Checks [`Game::is_position`] on `positions` positions of random games, and on as many forged
/// words of each kind: with flipped bits, of two positions mixed, and of random bits.
///
/// * Positions of random games and their canonical members are positions.
/// * Where words are a position, no method of the game panics, and the successors are positions.
///
/// # Panics
/// If a law is broken; words that broke one are printed.
pub fn check_forged(game: &PackedGame, positions: usize, seed: u64) {
    let mut random = SplitMix(seed);
    let drawn = random_positions(game, positions, seed);
    for (number, &position) in drawn.iter().enumerate() {
        let other = drawn[random.below(drawn.len())];
        for real in [position, game.canonical(position)] {
            assert!(game.is_position(real), "{}: {real:?}", game.spec());
        }
        for forged in forged_words(game.words(), [position, other], &mut random) {
            let used = catch_unwind(AssertUnwindSafe(|| use_words(game, forged, &mut random)));
            assert!(used.is_ok(), "{}, seed {seed}, number {number}: {forged:?}", game.spec());
        }
    }
}

/// Returns words of each kind.
fn forged_words(words: usize, pair: [Packed; 2], random: &mut SplitMix) -> [Packed; 5] {
    let [one, other] = pair.map(|position| *position.as_words());
    let mut flipped = [one; 2];
    for i in [0, 1, 1] {
        flipped[i][random.below(words)] ^= 1 << random.below(32);
    }
    let mut bits = || (random.next() >> 32) as u32;
    let (half, few) = (bits(), bits() & bits() & bits());
    let mixed = array::from_fn(|i| if i % 2 == 0 { one[i] } else { other[i] });
    let crossed = array::from_fn(|i| one[i] & half | other[i] & !half);
    let drawn = array::from_fn(|i| if i < words { bits() & few } else { 0 });
    [flipped[0], flipped[1], mixed, crossed, drawn].map(Packed::new::<MOST_WORDS>)
}

/// Asks all that can be asked about words, if they are a position.
fn use_words(game: &PackedGame, position: Packed, random: &mut SplitMix) {
    if !game.is_position(position) {
        return;
    }
    let is_over = game.terminal(position).is_some();
    game.player_to_move(position);
    game.canonical(position);
    game.images(position, &mut Vec::new());
    game.look(position);
    game.expand(&[position], 1, &mut Expansion::default());
    game.random_playout(position, 4, random);
    let _ = game.parse(&game.format(position));
    game.diagram(position);
    game.drawing(position);
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    game.children(position, &mut moves, &mut next);
    if is_over {
        game.win_condition(position);
    } else if let Some(heuristics) = game.heuristics() {
        heuristics.evaluate(position);
    }
    if let Some(countdown) = game.countdown() {
        countdown.class_key(position);
        let left = countdown.plies_left(position);
        if !is_over {
            countdown.outlook(position, left, &mut Vec::new());
        }
    }
    for (mv, next) in moves.into_iter().zip(next) {
        assert!(game.is_position(next), "the successor is a position: {next:?}");
        game.terminal(next);
        game.format_move(position, mv);
        game.drawn_move(position, mv);
        if let Some(material) = game.material() {
            material.piece_counts(next);
            material.is_capture(position, mv);
            material.gives_up_piece(position, mv);
        }
    }
}
