use hindsight_core::Wdl;
use hindsight_games::{AnyGame, Error, Values};
use hindsight_play::GameRecord;

use super::deals::Deal;

/// Shares of a game's length that are counted apart.
pub(super) const CLASSES: usize = 10;

/// Times at which games were decided: after this ply the value never changed again.
#[derive(Clone, Debug, Default)]
pub(super) struct DecisionTally {
    pub(super) games: u64,
    /// Sum over games of the plies until the decision.
    pub(super) plies: u64,
    /// Sum over games of the moves that changed the value.
    pub(super) changes: u64,
    /// Games by the share of their length that was over at the decision: class `i` of
    /// [`CLASSES`] begins at `i / CLASSES`.
    pub(super) by_share: [u64; CLASSES],
}

impl DecisionTally {
    /// Adds a game with the values of its positions.
    pub(super) fn add(
        &mut self,
        game: &AnyGame,
        deal: &Deal,
        values: &Values,
        record: &GameRecord,
    ) -> Result<(), Error> {
        let mut positions = vec![deal.start_in(game)?];
        for text in &record.moves {
            let position = &positions[positions.len() - 1];
            let next = game.play(position, &game.parse_move(position, text)?)?;
            positions.push(next);
        }
        let first = game.player_to_move(&positions[0])?;
        let answers = values.probe_many(&positions)?;
        let mut for_first = Vec::new();
        for (position, answer) in positions.iter().zip(answers) {
            let Some(wdl) = answer.wdl() else {
                return Ok(());
            };
            let is_first = game.player_to_move(position)? == first;
            for_first.push(if is_first { wdl } else { wdl.before() });
        }
        self.count(&for_first);
        Ok(())
    }

    /// Counts a game by the values of its positions for one player.
    fn count(&mut self, values: &[Wdl]) {
        let changed = values.windows(2).map(|two| two[0] != two[1]);
        let changed: Vec<bool> = changed.collect();
        let decided = changed.iter().rposition(|&changed| changed);
        let decided = decided.map_or(0, |ply| ply + 1);
        self.games += 1;
        self.plies += decided as u64;
        self.changes += changed.iter().filter(|&&changed| changed).count() as u64;
        let class = CLASSES * decided / changed.len().max(1);
        self.by_share[class.min(CLASSES - 1)] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::DecisionTally;
    use hindsight_core::Wdl::{Draw, Loss, Win};

    #[test]
    fn a_game_is_decided_by_the_last_change() {
        let mut tally = DecisionTally::default();
        tally.count(&[Win, Win, Win]);
        tally.count(&[Win, Loss, Loss, Draw, Draw]);
        tally.count(&[Draw, Win]);
        tally.count(&[Draw]);
        assert_eq!((tally.games, tally.plies, tally.changes), (4, 3 + 1, 2 + 1));
        let mut by_share = [0; 10];
        (by_share[0], by_share[7], by_share[9]) = (2, 1, 1);
        assert_eq!(tally.by_share, by_share);
    }
}
