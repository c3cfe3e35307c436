//! Lines of a program of rules: any text is read or refused, and what is read has the right size.

#![no_main]

use hindsight_bots::{RulesHello, read_answer};
use hindsight_foreign::Answers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (bytes, text) = input;
    let bytes = 1 + usize::from(bytes % 32);
    let mut answers = Answers::default();
    if read_answer(text, bytes, &mut answers).is_ok() {
        let (_, count) = answers.positions[0];
        assert_eq!(answers.successors.len(), bytes * count as usize);
    }
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut hello = RulesHello::default();
    for line in text.lines() {
        match hello.read(line) {
            Ok(false) => {}
            Ok(true) => {
                let description = hello.description("cmd:x".into(), "1".into());
                let size = description.position_bytes();
                assert!((1..=32).contains(&size));
                assert!(hello.player_byte().is_none_or(|byte| byte < size));
                let _ = description.check();
                return;
            }
            Err(reason) => {
                assert!(!reason.is_empty());
                return;
            }
        }
    }
});
