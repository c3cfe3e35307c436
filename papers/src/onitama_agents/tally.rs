use hindsight_core::combinatorics::SetBits;
use hindsight_core::{Game, Notation};
use hindsight_play::{GameRecord, MatchScore, NORMAL_QUANTILE_95, game_result};
use hindsight_rules::onitama::{Card, Onitama, OnitamaPlayer};

/// Counts of the games of a series.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SeriesTally {
    pub(super) score: MatchScore,
    /// Plies per game.
    pub(super) plies: Ratio,
    /// Playouts per move, with bounds over games.
    pub(super) playouts: Ratio,
    /// Share of turns on which the forced card is used, with bounds over games; empty without a
    /// forced card.
    pub(super) card_uses: Ratio,
    /// Number of moves pruned, by the hundredth of the playouts left: class
    /// `min(100 * left / playouts, 99)`.
    pub(super) pruned: [u64; 100],
    /// Turns on which a student (`[0]`) or the master (`[1]`) of the winner stood on each square.
    /// Index of a square: `5 * rank + file`, seen from the winner's seat.
    pub(super) visits: [[u64; 25]; 2],
}

impl Default for SeriesTally {
    fn default() -> Self {
        Self {
            score: MatchScore::default(),
            plies: Ratio::default(),
            playouts: Ratio::default(),
            card_uses: Ratio::default(),
            pruned: [0; 100],
            visits: [[0; 25]; 2],
        }
    }
}

impl SeriesTally {
    /// Adds a game of a series whose agents have `playouts` playouts per move.
    ///
    /// # Errors
    /// A sentence, if the record does not belong to the game.
    pub(super) fn add(
        &mut self,
        game: &Onitama<u32>,
        record: &GameRecord,
        playouts: u64,
        forced: Option<&Card>,
    ) -> Result<(), String> {
        let positions = positions(game, record)?;
        let plies = record.moves.len() as u64;
        self.score.add(record);
        self.plies.add(plies, 1);
        self.playouts.add(record.work.iter().sum(), plies);
        for left in &record.pruned {
            let class = (left * 100 / playouts.max(1)).min(99);
            self.pruned[class as usize] += 1;
        }
        if let Some(card) = forced {
            let ending = format!(":{}", card.label());
            let used = record.moves.iter().filter(|mv| mv.ends_with(&ending));
            self.card_uses.add(used.count() as u64, plies);
        }
        if let Some(winner) = record.winner {
            // Nobody moves in the last position, so it is not counted.
            let first = game.setup().first_player();
            let player = if winner == record.first { first } else { first.opponent() };
            for &position in &positions[..record.moves.len()] {
                self.count_squares(game, position, player);
            }
        }
        Ok(())
    }

    fn count_squares(
        &mut self,
        game: &Onitama<u32>,
        position: <Onitama<u32> as Game>::Position,
        player: OnitamaPlayer,
    ) {
        let board = game.board();
        let Some(master) = position.master(player) else {
            return;
        };
        let master = 1_u64 << master;
        let students = position.pieces(player) & !master;
        for (counts, set) in self.visits.iter_mut().zip([students, master]) {
            // Blue's own rank is at the bottom. A half turn brings it to the top, where Red's is.
            let set = match player {
                OnitamaPlayer::Red => set,
                OnitamaPlayer::Blue => board.half_turn(set),
            };
            for square in SetBits(set) {
                // Red looks down the board, so file 0 is the last column.
                let (column, rank) = board.column_row(square);
                counts[usize::from(5 * rank + 4 - column)] += 1;
            }
        }
    }
}

/// Returns the positions of a game, from the start.
///
/// # Errors
/// A sentence, if the record does not belong to the game.
fn positions(
    game: &Onitama<u32>,
    record: &GameRecord,
) -> Result<Vec<<Onitama<u32> as Game>::Position>, String> {
    if record.game != game.spec() {
        return Err(format!(
            "game {} was dealt as {}, here it is {}: the games are of another seed",
            record.number,
            record.game,
            game.spec()
        ));
    }
    let mut positions = vec![game.start()];
    for text in &record.moves {
        let position = positions[positions.len() - 1];
        let mv = game.parse_move(position, text);
        let mv = mv.map_err(|error| format!("game {}: {error}", record.number))?;
        positions.push(game.play(position, mv));
    }
    let mover = record.first ^ record.moves.len() & 1;
    let (winner, ending) = game_result(game, positions[positions.len() - 1], mover);
    if (record.winner, &*record.ending) != (winner, ending) {
        return Err(format!("game {} did not end as it says", record.number));
    }
    Ok(positions)
}

/// Ratio of two sums over games, with bounds. The sums are of integers, so the order of the games
/// does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ratio {
    games: u64,
    /// Sums over games of `a`, `b`, `a * a`, `a * b` and `b * b`.
    a: u128,
    b: u128,
    aa: u128,
    ab: u128,
    bb: u128,
}

impl Ratio {
    /// Adds the numerator `a` and the denominator `b` of one game.
    pub(super) fn add(&mut self, a: u64, b: u64) {
        let (a, b) = (u128::from(a), u128::from(b));
        self.games += 1;
        self.a += a;
        self.b += b;
        self.aa += a * a;
        self.ab += a * b;
        self.bb += b * b;
    }

    /// Returns the sum of the numerators over the sum of the denominators; 0 without games.
    pub(super) fn value(&self) -> f64 {
        self.a as f64 / (self.b.max(1) as f64)
    }

    /// Returns bounds with a confidence of 95 %, not below 0, or `None` with fewer than two
    /// games or a denominator of 0.
    ///
    /// Games are taken as independent, and the ratio as normal.
    ///
    /// # Source
    /// W. G. Cochran, "Sampling techniques", 1977, section 2.11.
    pub(super) fn bounds(&self) -> Option<[f64; 2]> {
        if self.games < 2 || self.b == 0 {
            return None;
        }
        let (n, r) = (self.games as f64, self.value());
        let squares = self.aa as f64 - 2.0 * r * self.ab as f64 + r * r * self.bb as f64;
        let error = (squares.max(0.0) * n / (n - 1.0)).sqrt() / self.b as f64;
        let half_width = NORMAL_QUANTILE_95 * error;
        Some([(r - half_width).max(0.0), r + half_width])
    }
}

#[cfg(test)]
mod tests {
    use super::{Ratio, SeriesTally};
    use crate::onitama_agents::options::AgentsOptions;
    use crate::onitama_agents::series::Series;
    use hindsight_core::Notation;
    use hindsight_core::PackedGame;
    use hindsight_play::{MatchOptions, NORMAL_QUANTILE_95, RandomAgent, play_game};

    #[test]
    fn a_mean_has_the_usual_bounds() {
        let mut plies = Ratio::default();
        assert_eq!((plies.value(), plies.bounds()), (0.0, None));
        for length in [2, 4, 4, 4, 5, 5, 7, 9] {
            plies.add(length, 1);
        }
        // Mean 5, deviation sqrt(32 / 7), error sqrt(4 / 7).
        let [low, high] = plies.bounds().unwrap();
        assert!((plies.value() - 5.0).abs() < 1e-12);
        assert!((high - 5.0 - NORMAL_QUANTILE_95 * (4.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((high + low - 10.0).abs() < 1e-12);
    }

    #[test]
    fn the_winner_stands_on_its_own_rank_at_the_start() {
        let series = Series::self_play(&AgentsOptions::default(), "random", 1);
        let mut seats = [false; 2];
        for number in 0..20 {
            let game = series.deal(1, number);
            let options =
                MatchOptions { opening_plies: 0, max_plies: 100, seed: 1, keep_going: &|| true };
            let agents: [&mut dyn hindsight_play::Agent; 2] = [&mut RandomAgent, &mut RandomAgent];
            let record =
                play_game(&PackedGame::new(game.clone()), agents, ["random"; 2], number, options)
                    .unwrap();
            let mut tally = SeriesTally::default();
            tally.add(&game, &record, 1, None).unwrap();
            let [students, master] = tally.visits.map(|visits| visits.iter().sum::<u64>());
            let turns = record.moves.len() as u64;
            let Some(winner) = record.winner else {
                assert_eq!((students, master), (0, 0));
                continue;
            };
            seats[winner] = true;
            assert_eq!(master, turns);
            assert!(students <= 4 * turns);
            // Before the first move the master stands on its arch, and students beside it.
            assert!(tally.visits[1][2] >= 1);
            for file in [0, 1, 3, 4] {
                assert!(tally.visits[0][file] >= 1);
            }
            let mut other = record.clone();
            other.game = series.deal(2, number).spec();
            assert!(tally.add(&game, &other, 1, None).is_err());
        }
        assert_eq!(seats, [true; 2]);
    }
}
