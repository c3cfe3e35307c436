use std::collections::HashMap;

use hindsight_rules::quoridor::QuoridorSetup;
use hindsight_testkit::golden;

const TABLE_1: &str = include_str!("../../../golden/quoridor_table1.csv");

/// Numbers as the paper prints them.
pub(super) struct PublishedQuoridor {
    /// Key: fences on the board. Value: positions, and positions that the next set changes; `None`
    /// for the last set.
    rows: HashMap<usize, (u64, Option<u64>)>,
}

impl PublishedQuoridor {
    /// Returns the game of the paper: 5 x 5, one fence each.
    fn setup() -> QuoridorSetup {
        QuoridorSetup::new(5, 5, 1)
    }

    /// Returns the numbers of the paper, or `None` if it is about another game.
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
        Some(Self { rows: rows.into_iter().map(row).collect() })
    }

    pub(super) fn positions(&self, fences: usize) -> Option<u64> {
        Some(self.rows.get(&fences)?.0)
    }

    pub(super) fn changed(&self, fences: usize) -> Option<u64> {
        self.rows.get(&fences)?.1
    }

    /// Returns the winner, from section 5.
    pub(super) fn winner(&self) -> String {
        String::from("second player")
    }

    /// Returns the share by which fewer positions are enumerated at once, from section 5.
    pub(super) fn fewer_at_once(&self) -> String {
        String::from("14 %")
    }

    /// Returns the share of `S'_1` that `S'_2` changes, from section 5.
    pub(super) fn changed_share(&self) -> String {
        String::from("80 %")
    }
}
