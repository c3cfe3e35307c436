//! Many random games, which a game may play several at a time.

/// Random games that a caller wants: their first positions, and what becomes of their results.
pub trait PlayoutQueue<P> {
    /// Returns the position from which the next game is played; `None` once no more are wanted.
    ///
    /// Games have numbers from 0 on, in the order of these calls. The function is called no more
    /// once it has returned `None`.
    fn next_start(&mut self) -> Option<P>;

    /// Takes the last position of game `number`, and the plies played.
    ///
    /// Games may be finished in any order. Every game that was begun is finished.
    fn finish(&mut self, number: u64, last: P, plies: u32);
}

/// Plays the games of a queue one after the other, each by a call of `play_one`.
///
/// `play_one` returns the last position and the number of plies played.
pub fn playouts_in_turn<P>(
    queue: &mut dyn PlayoutQueue<P>,
    mut play_one: impl FnMut(P) -> (P, u32),
) {
    let mut number = 0;
    while let Some(position) = queue.next_start() {
        let (last, plies) = play_one(position);
        queue.finish(number, last, plies);
        number += 1;
    }
}
