//! Values of Ostle from tables, in place of a solve.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_cli::studies::open_any;
use hindsight_core::{Packed, Packing, Symmetry};
use hindsight_games::Layout;
use hindsight_rules::ostle::{Ostle, OstleSetup, Rule8};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;

use crate::ostle::{OstleStateValues, SolvedReading};

/// Values and distances of one variant of Ostle, from the tables of `--solved`.
#[derive(Default)]
pub(super) struct OstleTables {
    pub(super) readings: Vec<SolvedReading>,
    pub(super) distances: Option<Vec<u64>>,
}

impl OstleTables {
    /// Reads a table of the variant `wanted`, for either reading of rule 8.
    pub(super) fn read(&mut self, path: &Path, wanted: OstleSetup) -> Result<()> {
        let table = open_any(path)?;
        let info = table.info();
        let name = path.display();
        let setup: Option<OstleSetup> = info.spec.parse().ok();
        let (Some(setup), Some(states)) = (setup, info.states()) else {
            bail!("'{name}' is a table of {}, not of Ostle", info.spec);
        };
        let rule8 = setup.rule8;
        if setup != (OstleSetup { rule8, ..wanted }) {
            bail!(
                "'{name}' is a table of {}, the study is of {}; --game names another",
                info.spec,
                wanted.spec()
            );
        }
        if info.layout == Layout::Distances {
            if rule8 != Rule8::Exact {
                bail!(
                    "'{name}' keeps distances that obey rule 8; \
                     those of Table 3 by the paper's reading do not, and are searched for"
                );
            }
            self.distances = Some(table.distances()?.states());
            return Ok(());
        }
        let solution = ForbiddenMoveSolution {
            start: info.start.value,
            positions: info.histogram(),
            states: states.all,
            nontrivial: states.nontrivial,
        };
        let game = Ostle::new(setup, Symmetry::None);
        let value = move |state| {
            let state = table.game().position_of(Packed::new(game.pack(state)));
            table.probe(&state).ok()?.exact()
        };
        self.readings.push(SolvedReading {
            rule8,
            solution,
            values: OstleStateValues(Box::new(value)),
        });
        Ok(())
    }
}
