//! The text of an agent is read back from its normal form, or is an error; so is a line of a file of games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use hindsight_play::{AgentSpec, Record};

fuzz_target!(|text: &str| {
    if let Ok(agent) = text.parse::<AgentSpec>() {
        assert_eq!(agent.to_string().parse(), Ok(agent));
    }
    if let Ok(record) = serde_json::from_str::<Record>(text) {
        let line = serde_json::to_string(&record).expect("a record is JSON");
        let again: Record = serde_json::from_str(&line).expect("what was written is read");
        assert_eq!(again.moves, record.moves);
    }
});
