//! Agents and games: a text is an error, or is read back from its normal form.
#![no_main]

use hindsight_play::{AgentSpec, GameRecord};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<AgentSpec>() {
        Ok(agent) => assert_eq!(agent.to_string().parse(), Ok(agent)),
        Err(error) => assert!(error.offset <= text.len() && !error.message.is_empty()),
    }
    if let Ok(record) = serde_json::from_str::<GameRecord>(text) {
        let line = serde_json::to_string(&record).expect("a record is JSON");
        let read_back: GameRecord = serde_json::from_str(&line).expect("a written record is read");
        assert_eq!(read_back.moves, record.moves);
    }
});
