//! Tables and checkpoints whose checksums are right and whose contents lie: whatever was changed, there is an answer or
//! an error, and a check finds what has a meaning.

mod forge;

use std::collections::BTreeMap;

use forge::honest::{CHECKPOINTS, TABLES, Taken, attack, attack_checkpoint};
use forge::{Choices, forge_part, forge_table};
use rayon::prelude::*;

/// The factor by which more are forged than in an ordinary run.
fn times() -> u64 {
    let times = std::env::var("FORGERIES").ok();
    times.and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Files that say how far a solve has come.
const STAGES: [&str; 3] = ["planes.part", "slices.part", "stopped.part"];

#[test]
fn honest_tables_are_sound() {
    for (kind, table) in &*TABLES {
        assert_eq!(attack(*kind, table), Taken::Sound, "{kind:?}");
    }
}

#[test]
fn every_forged_table_is_answered_or_refused() {
    for (kind, honest) in &*TABLES {
        let taken = |seed: u64| {
            let forged = forge_table(honest, &mut Choices::seeded(seed));
            let taken = std::panic::catch_unwind(|| attack(*kind, &forged));
            let taken = taken.unwrap_or_else(|_| panic!("{kind:?}, seed {seed}"));
            let is_as_it_was = forged == *honest;
            assert!(
                !is_as_it_was || taken == Taken::Sound,
                "{kind:?}, seed {seed}"
            );
            taken
        };
        let all: Vec<Taken> = (0..300 * times()).into_par_iter().map(taken).collect();
        let mut counts: BTreeMap<Taken, u64> = BTreeMap::new();
        all.into_iter()
            .for_each(|taken| *counts.entry(taken).or_default() += 1);
        // The search goes as deep as it should.
        assert!(counts[&Taken::Found] > 10, "{kind:?}: {counts:?}");
        assert!(counts[&Taken::Unfit] > 4, "{kind:?}: {counts:?}");
    }
}

#[test]
fn every_forged_checkpoint_is_gone_on_with_or_refused() {
    for (stopped, files) in &*CHECKPOINTS {
        let is_refused = |seed: u64| {
            let mut choices = Choices::seeded(seed);
            // Half of the time what says how far the solve has come.
            let mut names = files.iter().map(|(name, _)| name.as_str());
            let stage = names.position(|name| STAGES.contains(&name));
            let file = match (stage, choices.below(2)) {
                (Some(stage), 0) => stage,
                _ => choices.below(files.len()),
            };
            let forged = forge_part(&files[file].1, &mut choices);
            let refused = || attack_checkpoint(*stopped, files, (file, &forged));
            let name = &files[file].0;
            std::panic::catch_unwind(refused)
                .unwrap_or_else(|_| panic!("{stopped:?}, {name}, seed {seed}"))
        };
        let refused = (0..25 * times())
            .into_par_iter()
            .filter(|&seed| is_refused(seed));
        assert!(refused.count() > 3, "{stopped:?}");
    }
}
