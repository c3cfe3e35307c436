//! The command `verify`: recomputes a table by its successors and reports its faults.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use hindsight_core::{ForbiddenMove, Game, Notation, PawnPairs, Ranked, Retro};
use hindsight_rules::Visitor;
use hindsight_solve::{Limits, Monitor};
use hindsight_tablebase::{Layout, Table, TableError, TableFault, TableVerdict};
use serde::Serialize;

use super::{
    HeaderCheck, TextAt, check_game_size, check_memory, damage_text, open_file, position_text,
    table_error, unranked_error, unrestricted_text, visit,
};
use crate::args::VerifyArgs;
use crate::context::Context;
use crate::output::{print, print_json, with_commas};
use crate::progress::ProgressDisplay;

/// The JSON report of `verify`.
#[derive(Serialize)]
struct VerifyReport {
    file: String,
    game: Option<String>,
    positions_checked: u64,
    faults: Vec<ReportedFault>,
    seconds: f64,
}

/// A fault, with the names of its layer and position.
#[derive(Serialize)]
struct ReportedFault {
    layer: Option<u32>,
    layer_name: Option<String>,
    tier: Option<u64>,
    rank: Option<u64>,
    position: Option<String>,
    what: String,
}

/// Verifies a table. Returns true if no fault was found.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> Result<bool> {
    let begin = Instant::now();
    let path = &args.file;
    let mut report = match open(path) {
        Ok(opened) => {
            let check = VerifyVisitor {
                path,
                opened: &opened,
                context,
            };
            visit(&opened.info().spec, check)??
        }
        Err(error) => match error.downcast::<TableError>() {
            Ok(error) if error.is_damage() => unreadable_report(path, &error),
            Ok(error) => return Err(table_error(path, error)),
            Err(error) => return Err(error),
        },
    };
    report.seconds = begin.elapsed().as_secs_f64();
    if context.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(report.faults.is_empty())
}

/// Opens a table and checks its header against its game.
///
/// # Errors
/// A damaged table is a [`TableError`]. A spec that names no game counts as damage: no
/// writer puts one there.
fn open(path: &Path) -> Result<Table<File>> {
    let opened = Table::open(open_file(path)?)?;
    let fits = visit(&opened.info().spec, HeaderCheck(opened.info())).and_then(|fits| fits);
    fits.map_err(|error| TableError::Damaged(format!("{error:#}")))??;
    Ok(opened)
}

/// Returns the report on a file that cannot be opened as a table.
fn unreadable_report(path: &Path, error: &TableError) -> VerifyReport {
    VerifyReport {
        file: path.display().to_string(),
        game: None,
        positions_checked: 0,
        faults: vec![ReportedFault {
            layer: None,
            layer_name: None,
            tier: None,
            rank: None,
            position: None,
            what: damage_text(error),
        }],
        seconds: 0.0,
    }
}

/// Verifies a table by the rules of its game.
struct VerifyVisitor<'a> {
    path: &'a Path,
    opened: &'a Table<File>,
    context: &'a Context,
}

impl Visitor for VerifyVisitor<'_> {
    type Output = Result<VerifyReport>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<VerifyReport> {
        Err(unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<VerifyReport> {
        self.verify(&game, hindsight_tablebase::verify)
    }

    fn pawn_pairs<G: PawnPairs + Retro + Notation>(self, game: G) -> Result<VerifyReport> {
        self.verify(&game, hindsight_tablebase::verify_pairs)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<VerifyReport> {
        let base = game.base();
        let distances = self.opened.info().layout == Layout::Distances;
        check_game_size(base, self.context)?;
        let damaged = self.check_memory(match distances {
            true => hindsight_tablebase::verify_distances_memory(self.opened, &game),
            false => hindsight_tablebase::verify_states_memory(self.opened, &game),
        })?;
        let verify = match distances {
            true => hindsight_tablebase::verify_distances,
            false => hindsight_tablebase::verify_states,
        };
        let verdict = match damaged {
            Some(verdict) => verdict,
            None => {
                self.verdict(|display| verify(self.opened, &game, self.context.limits(), display))?
            }
        };
        let position_at = |tier, rank| unrestricted_text(&game, tier, rank);
        Ok(self.report(base, game.spec(), verdict, &position_at))
    }
}

impl VerifyVisitor<'_> {
    /// Verifies a table of values with `verify`.
    fn verify<G, V>(&self, game: &G, verify: V) -> Result<VerifyReport>
    where
        G: Retro + Notation,
        V: Fn(&Table<File>, &G, Limits, &mut dyn Monitor) -> Result<TableVerdict, TableError>,
    {
        check_game_size(game, self.context)?;
        let verdict =
            match self.check_memory(hindsight_tablebase::verify_memory(self.opened, game))? {
                Some(verdict) => verdict,
                None => self
                    .verdict(|display| verify(self.opened, game, self.context.limits(), display))?,
            };
        let position_at = |tier, rank| position_text(game, tier, rank);
        Ok(self.report(game, game.spec(), verdict, &position_at))
    }

    /// Runs a verification with a progress display.
    fn verdict(
        &self,
        verify: impl FnOnce(&mut dyn Monitor) -> Result<TableVerdict, TableError>,
    ) -> Result<TableVerdict> {
        let mut display = ProgressDisplay::new(self.context.quiet);
        let verdict = verify(&mut display);
        drop(display);
        verdict.map_err(|error| table_error(self.path, error))
    }

    /// Returns the report; `numbering` names the layers.
    fn report<G: Ranked>(
        &self,
        numbering: &G,
        spec: String,
        verdict: TableVerdict,
        text_at: TextAt<'_>,
    ) -> VerifyReport {
        let known_layer = |&layer: &u32| layer < numbering.layers();
        let reported = |fault: TableFault| ReportedFault {
            layer: fault.layer,
            layer_name: fault
                .layer
                .filter(known_layer)
                .map(|layer| numbering.layer_name(layer)),
            tier: fault.address.map(|(tier, _)| tier),
            rank: fault.address.map(|(_, rank)| rank),
            position: fault.address.and_then(|(tier, rank)| text_at(tier, rank)),
            what: fault.description,
        };
        VerifyReport {
            file: self.path.display().to_string(),
            game: Some(spec),
            positions_checked: verdict.positions_checked,
            faults: verdict.faults.into_iter().map(reported).collect(),
            seconds: 0.0,
        }
    }

    /// Refuses a verification that needs more memory than allowed.
    ///
    /// Damage that can be seen without that memory is a verdict even then.
    fn check_memory(&self, needed: Result<u64, TableError>) -> Result<Option<TableVerdict>> {
        let needed = needed.map_err(|error| table_error(self.path, error))?;
        let fits = check_memory([needed].into_iter(), self.context);
        match (fits, self.opened.check_coders()) {
            (Err(_), Err(error)) if error.is_damage() => Ok(Some(TableVerdict {
                positions_checked: 0,
                faults: vec![TableFault {
                    layer: None,
                    address: None,
                    description: damage_text(&error),
                }],
            })),
            (fits, _) => fits.map(|()| None),
        }
    }
}

impl VerifyReport {
    fn text(&self) -> String {
        let game = self.game.as_ref();
        let game = game.map_or(String::new(), |game| format!(" ({game})"));
        let faults = match self.faults.len() {
            0 => String::from("no fault"),
            1 => String::from("1 fault"),
            // A verification stops at the tenth fault.
            n @ 10.. => format!("{n} faults or more"),
            n => format!("{n} faults"),
        };
        let mut text = format!(
            "{}{game}: {faults}; {} positions checked in {:.3} s\n",
            self.file,
            with_commas(self.positions_checked),
            self.seconds
        );
        for fault in &self.faults {
            text.push_str(&format!("  {}{}\n", fault.location_text(), fault.what));
        }
        text
    }
}

impl ReportedFault {
    /// Describes the location as far as it is known, with a colon at the end.
    fn location_text(&self) -> String {
        let mut parts = Vec::new();
        if let Some(layer) = self.layer {
            let name = self.layer_name.as_deref();
            let name = name.map_or(String::new(), |name| format!(" ({name})"));
            parts.push(format!("layer {layer}{name}"));
        }
        if let Some((tier, rank)) = self.tier.zip(self.rank) {
            parts.push(format!("tier {tier}, rank {rank}"));
        }
        parts.extend(self.position.as_ref().map(|text| format!("'{text}'")));
        if parts.is_empty() {
            return String::new();
        }
        format!("{}: ", parts.join(", "))
    }
}
