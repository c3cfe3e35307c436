use std::collections::HashMap;

use game::Ranked;
use games::quoridor::{Quoridor, QuoridorSetup};
use solve::reduced::Outcome;
use testkit::golden;

use super::sets;

const TABLE_1: &str = include_str!("../../../../golden/quoridor_table1.csv");

/// The numbers as the paper prints them.
pub(super) struct Published {
    /// By the fences on the board: positions, and those changed by the next set if there is one.
    rows: HashMap<usize, (u64, Option<u64>)>,
}

impl Published {
    /// The game of the paper: 5 x 5, one fence each.
    fn setup() -> QuoridorSetup {
        QuoridorSetup::new(5, 5, 1)
    }

    /// `None` if the paper has nothing about this game.
    pub(super) fn read(setup: &QuoridorSetup) -> Option<Self> {
        if setup.spec() != Self::setup().spec() {
            return None;
        }
        let rows = golden(TABLE_1).expect("the golden file is in the program");
        let row = |row: Vec<&str>| {
            let number = |i: usize| row[i].parse::<u64>().ok();
            let fences = number(0).expect("a number of fences") as usize;
            (fences, (number(1).expect("a number"), number(2)))
        };
        Some(Self {
            rows: rows.into_iter().map(row).collect(),
        })
    }

    pub(super) fn positions(&self, fences: usize) -> Option<u64> {
        Some(self.rows.get(&fences)?.0)
    }

    pub(super) fn changed(&self, fences: usize) -> Option<u64> {
        self.rows.get(&fences)?.1
    }

    /// The winner, from section 5.
    pub(super) fn winner(&self) -> String {
        String::from("second player")
    }

    /// By how much fewer positions are enumerated at once, from section 5.
    pub(super) fn fewer_at_once(&self) -> String {
        String::from("14 %")
    }

    /// The share of S'_1 that S'_2 changes, from section 5.
    pub(super) fn changed_share(&self) -> String {
        String::from("80 %")
    }

    /// What the paper's changes are, next to what ours are.
    pub(super) fn note(&self, spec: &str, outcome: &Outcome, game: &Quoridor) -> Option<String> {
        let mut parts = Vec::new();
        for (fences, set) in outcome.sets.iter().enumerate() {
            let Some(changed) = self.changed(fences) else {
                continue;
            };
            let open = sets::not_over(set);
            parts.push(format!(
                "{changed} = {open} - {}",
                open.checked_sub(changed)?
            ));
            let layer = &outcome.layers[fences];
            let copies = layer.tiers.iter().map(|&tier| game.tier_copies(tier));
            let copies = copies.min().unwrap_or(1);
            if changed % copies != 0 {
                parts.push(format!(
                    "each position with {fences} on the board has {copies} different images by the mirror and the half turn with the players exchanged, which have the same value, so a count of changes is a multiple of {copies}, and {changed} is none"
                ));
            }
        }
        Some(format!(
            "{spec}: the paper's changes are a few less than the positions that are not over, so it seems to count those that received a value: {}",
            parts.join("; ")
        ))
    }
}
