//! Forged tables and checkpoints, with right checksums and wrong contents, are answered or refused.
//!
//! The bytes choose the changes to honest files (`crates/tablebase/tests/all/forged/forge`). Then
//! everything the commands do with such files is done with the forged ones.
#![no_main]

#[path = "../../crates/tablebase/tests/all/forged/forge/mod.rs"]
mod forge;
#[path = "../../crates/tablebase/tests/all/verify_pairs.rs"]
mod verify_pairs;

use forge::honest::{CHECKPOINTS, TABLES, attack, is_forgery_refused};
use forge::{Choices, forge_part, forge_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::of(bytes);
    if choices.below(4) > 0 {
        let (kind, honest) = &TABLES[choices.below(TABLES.len())];
        attack(*kind, &forge_table(honest, &mut choices));
        return;
    }
    let (kind, files) = &CHECKPOINTS[choices.below(CHECKPOINTS.len())];
    let file = choices.below(files.len());
    let forged = forge_part(&files[file].1, &mut choices);
    is_forgery_refused(*kind, files, file, &forged);
});
