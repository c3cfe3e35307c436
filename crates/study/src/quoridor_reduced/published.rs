use std::collections::HashMap;

use hindsight_core::Ranked;
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_solve::bottom_up::BottomUpSolution;
use hindsight_testkit::golden;

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

    /// What the paper's changes may be, where ours are others.
    pub(super) fn note(&self, outcome: &BottomUpSolution, game: &Quoridor) -> Option<String> {
        let mut notes = vec![String::from(
            "changed: by win, draw or loss, from the solution of S_(k-1) to that of S_k. The paper's numbers are a few less than the positions that are not over, so it seems to count those that received a value",
        )];
        for (fences, set) in outcome.sets.iter().enumerate() {
            let Some(changed) = self.changed(fences) else {
                continue;
            };
            let open = sets::not_over(set);
            let rest = open.checked_sub(changed)?;
            notes.push(format!("{changed} = {open} - {rest}"));
            let tiers = outcome.layers[fences].tiers.iter();
            let images = tiers.map(|&tier| game.tier_orbit_size(tier)).min()?;
            if changed % images != 0 {
                notes.push(format!(
                    "{changed} is no count of changed values: a position with {} has {images} different images by the mirror and the half turn with the players exchanged, all of one value, so that every such count is a multiple of {images}",
                    sets::fences(fences)
                ));
            }
        }
        Some(notes.join("; "))
    }
}
