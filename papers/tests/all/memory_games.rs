//! Games of a study, kept in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use hindsight_play::GameRecord;
use hindsight_study::ResultStore;

/// Store of games in memory.
#[derive(Default)]
pub(crate) struct MemoryGames(pub(crate) Mutex<BTreeMap<String, Vec<GameRecord>>>);

impl ResultStore<GameRecord> for MemoryGames {
    fn read(&self, series: &str) -> Result<Vec<GameRecord>, String> {
        Ok(self.0.lock().unwrap().get(series).cloned().unwrap_or_default())
    }

    fn add(&self, series: &str, game: &GameRecord) -> Result<(), String> {
        let mut stored = self.0.lock().unwrap();
        stored.entry(series.into()).or_default().push(game.clone());
        Ok(())
    }
}
