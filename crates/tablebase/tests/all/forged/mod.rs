//! Tables and checkpoints with right checksums and false contents. Every one gets an answer or an
//! error, and a check detects each change that means something.

mod forge;

use std::collections::BTreeMap;

use forge::honest::{AttackOutcome, CHECKPOINTS, TABLES, attack, is_forgery_refused};
use forge::{Choices, forge_part, forge_table};
use rayon::prelude::*;

/// Factor by which the number of forgeries exceeds that of an ordinary run.
fn forgery_factor() -> u64 {
    let times = std::env::var("FORGERIES").ok();
    times.and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Files with the progress of a solve.
const STAGE_FILES: [&str; 3] = ["planes.part", "slices.part", "kind.part"];

#[test]
fn honest_tables_are_sound() {
    for (kind, table) in &*TABLES {
        assert_eq!(attack(*kind, table), AttackOutcome::Harmless, "{kind:?}");
    }
}

#[test]
fn every_forged_table_is_answered_or_refused() {
    for (kind, honest) in &*TABLES {
        let outcome = |seed: u64| {
            let forged = forge_table(honest, &mut Choices::seeded(seed));
            let outcome = std::panic::catch_unwind(|| attack(*kind, &forged));
            let outcome = outcome.unwrap_or_else(|_| panic!("{kind:?}, seed {seed}"));
            let is_unchanged = forged == *honest;
            assert!(!is_unchanged || outcome == AttackOutcome::Harmless, "{kind:?}, seed {seed}");
            outcome
        };
        let all: Vec<AttackOutcome> =
            (0..300 * forgery_factor()).into_par_iter().map(outcome).collect();
        let mut counts: BTreeMap<AttackOutcome, u64> = BTreeMap::new();
        all.into_iter().for_each(|outcome| *counts.entry(outcome).or_default() += 1);
        // Enough forgeries pass the checks of the header.
        assert!(counts[&AttackOutcome::Detected] > 10, "{kind:?}: {counts:?}");
        assert!(counts[&AttackOutcome::WrongHeader] > 4, "{kind:?}: {counts:?}");
    }
}

#[test]
fn every_forged_checkpoint_is_gone_on_with_or_refused() {
    for (kind, files) in &*CHECKPOINTS {
        let is_refused = |seed: u64| {
            let mut choices = Choices::seeded(seed);
            // Half of the forgeries concern the progress of the solve.
            let mut names = files.iter().map(|(name, _)| name.as_str());
            let stage = names.position(|name| STAGE_FILES.contains(&name));
            let file = match (stage, choices.below(2)) {
                (Some(stage), 0) => stage,
                _ => choices.below(files.len()),
            };
            let forged = forge_part(&files[file].1, &mut choices);
            let refused = || is_forgery_refused(*kind, files, file, &forged);
            let name = &files[file].0;
            std::panic::catch_unwind(refused)
                .unwrap_or_else(|_| panic!("{kind:?}, {name}, seed {seed}"))
        };
        let refused = (0..25 * forgery_factor()).into_par_iter().filter(|&seed| is_refused(seed));
        assert!(refused.count() > 3, "{kind:?}");
    }
}
