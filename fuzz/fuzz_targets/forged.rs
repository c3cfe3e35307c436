//! Tables and checkpoints whose checksums are right and whose contents lie are answered or refused: the bytes of the
//! fuzzer choose what is changed of honest ones (`crates/table/tests/forge`), and everything is done with them that the
//! commands do.
#![no_main]

#[path = "../../crates/table/tests/forge/mod.rs"]
mod forge;

use forge::honest::{CHECKPOINTS, TABLES, attack, attack_checkpoint};
use forge::{Choices, forge_part, forge_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::of(bytes);
    if choices.below(4) > 0 {
        let (kind, honest) = &TABLES[choices.below(TABLES.len())];
        attack(*kind, &forge_table(honest, &mut choices));
        return;
    }
    let (stopped, files) = &CHECKPOINTS[choices.below(CHECKPOINTS.len())];
    let file = choices.below(files.len());
    let forged = forge_part(&files[file].1, &mut choices);
    attack_checkpoint(*stopped, files, (file, &forged));
});
