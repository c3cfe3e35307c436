//! Many random games at a time, each in a lane of vectors.
//!
//! All lanes make a draw by the same instructions, without a branch: a lane whose draw is no legal
//! move stays as it is.

use fearless_simd::Level;
use hindsight_core::combinatorics::SetBits;
use hindsight_core::{Game, PlayoutQueue, Random, playout_by_moves};

use super::super::{Bitboard, Onitama, OnitamaPosition};
use super::lane_game::{LaneGame, LaneRules};
use super::lane_table::LaneTable;
use super::lanes::{LANES, Lanes, RANDOM_WORDS};

/// Random games of a queue in progress.
struct PlayoutRun<'a, W: Bitboard> {
    game: &'a Onitama<W>,
    table: &'a LaneTable,
    plies: u32,
    queue: &'a mut dyn PlayoutQueue<OnitamaPosition<W>>,
    lanes: Lanes,
    /// Number of the game in each lane.
    numbers: [u64; LANES],
    /// Set of the lanes with a game.
    busy: u64,
    /// Number of games begun.
    begun: u64,
    /// True once the queue wants no more games.
    is_exhausted: bool,
}

impl<'a, W: Bitboard> PlayoutRun<'a, W> {
    fn new(
        game: &'a Onitama<W>,
        table: &'a LaneTable,
        plies: u32,
        queue: &'a mut dyn PlayoutQueue<OnitamaPosition<W>>,
    ) -> Self {
        Self {
            game,
            table,
            plies,
            queue,
            lanes: Lanes::idle(),
            numbers: [0; LANES],
            busy: 0,
            begun: 0,
            is_exhausted: false,
        }
    }

    /// Plays all games of the queue, by the instructions of a level.
    fn play(&mut self, level: Level, random: &mut dyn Random) {
        let rules = LaneRules::new(self.game);
        let mut words = [0; RANDOM_WORDS];
        (0..LANES).for_each(|lane| self.refill(lane));
        while self.busy != 0 {
            random.fill(&mut words);
            let looks = self.lanes.draw_by(level, self.table, rules, &words);
            for lane in SetBits(looks & self.busy) {
                self.look_at(usize::from(lane), random);
            }
        }
    }

    /// Puts the next game of the queue into a lane, or leaves the lane idle.
    fn refill(&mut self, lane: usize) {
        self.busy &= !(1 << lane);
        self.lanes.set(lane, LaneGame::IDLE);
        while !self.is_exhausted {
            let Some(start) = self.queue.next_start() else {
                self.is_exhausted = true;
                return;
            };
            self.numbers[lane] = self.begun;
            self.begun += 1;
            if self.go_on(lane, start, self.plies) {
                self.busy |= 1 << lane;
                return;
            }
        }
    }

    /// Puts a position into a lane; returns false if its game is over, which then is finished.
    fn go_on(&mut self, lane: usize, position: OnitamaPosition<W>, plies_left: u32) -> bool {
        if plies_left == 0 || self.game.terminal(position).is_some() {
            let played = self.plies - plies_left;
            self.queue.finish(self.numbers[lane], position, played);
            return false;
        }
        let game = LaneGame::new(self.game, self.table, position, plies_left);
        self.lanes.set(lane, game);
        true
    }

    /// Finishes the game of a lane that is over. Plays a ply of a game that is not: few moves are
    /// legal there, or only passes.
    fn look_at(&mut self, lane: usize, random: &mut dyn Random) {
        let lane_game = self.lanes.game(lane);
        let mut position = lane_game.position(self.table);
        let mut plies_left = lane_game.plies_left;
        if !lane_game.is_over() {
            (position, _) = playout_by_moves(self.game, position, 1, random);
            plies_left -= 1;
        }
        if !self.go_on(lane, position, plies_left) {
            self.refill(lane);
        }
    }
}

impl<W: Bitboard> Onitama<W> {
    /// Implements [`hindsight_core::Heuristics::playouts`] with a [`LaneTable`].
    pub(in crate::onitama) fn random_games(
        &self,
        table: &LaneTable,
        plies: u32,
        queue: &mut dyn PlayoutQueue<OnitamaPosition<W>>,
        random: &mut dyn Random,
    ) {
        let mut run = PlayoutRun::new(self, table, plies, queue);
        let level = Level::try_detect().unwrap_or(Level::baseline());
        run.play(level, random);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Deck, OnitamaPosition, OnitamaSetup};
    use super::{Onitama, PlayoutRun};
    use alloc::vec::Vec;
    use fearless_simd::Level;
    use hindsight_core::{Game, PlayoutQueue, Random, Symmetry};

    /// Games wanted, and the ends of those that are finished.
    struct Games {
        start: OnitamaPosition<u32>,
        wanted: u32,
        ends: Vec<(u64, OnitamaPosition<u32>, u32)>,
    }

    impl PlayoutQueue<OnitamaPosition<u32>> for Games {
        fn next_start(&mut self) -> Option<OnitamaPosition<u32>> {
            self.wanted = self.wanted.checked_sub(1)?;
            Some(self.start)
        }

        fn finish(&mut self, number: u64, last: OnitamaPosition<u32>, plies: u32) {
            self.ends.push((number, last, plies));
        }
    }

    struct Congruential(u64);

    impl Random for Congruential {
        fn bits(&mut self) -> u64 {
            let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = next.wrapping_add(1);
            self.0 ^ self.0 >> 33
        }
    }

    /// All levels of this processor, from the lowest to the best.
    fn levels() -> Vec<Level> {
        let best = Level::new();
        let mut levels = alloc::vec![Level::baseline()];
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(best.as_avx2().map(Level::Avx2));
            levels.extend(best.as_avx512().map(Level::Avx512));
        }
        levels.push(best);
        levels
    }

    #[test]
    fn all_instructions_play_the_same_games() {
        let deck = Deck::default();
        let names = ["tiger", "crab", "monkey", "crane", "dragon"];
        let cards = names.map(|name| deck.card(name).expect("a card"));
        let setup = OnitamaSetup::new(5, 5, cards.to_vec());
        let game = Onitama::<u32>::new(setup, Symmetry::None);
        let table = game.lane_table.as_deref().expect("a table");
        let games = |level| {
            let mut games = Games { start: game.start(), wanted: 500, ends: Vec::new() };
            let mut run = PlayoutRun::new(&game, table, 100, &mut games);
            run.play(level, &mut Congruential(3));
            games.ends
        };
        let expected = games(Level::baseline());
        assert_eq!(expected.len(), 500);
        for level in levels() {
            assert_eq!(games(level), expected, "{level:?}");
        }
    }
}
