//! Needs of a solve: printed before it starts, and compared with memory and disks.

use anyhow::Result;
use hindsight_games::{Choice, Extent, Method, SolveNeeds};

use crate::args::FileArgs;
use crate::context::Context;
use crate::files::{disk_needs, remoteness_limit_text};
use crate::output::print_message;
use crate::process::huge_pages::return_freed_blocks;
use crate::process::memory::check_disk;
use crate::shown::sizes::{about_time, counted, format_needed, with_commas};

/// Bytes of disk that a sorted position and its moves take, about.
const SORTED_DISK_BYTES: u64 = 15;

/// Check of the needs of a solve of `spec`.
pub(super) struct SolveNeedsCheck<'a> {
    pub(super) spec: &'a str,
    pub(super) files: &'a FileArgs,
    pub(super) context: &'a Context,
}

impl SolveNeedsCheck<'_> {
    /// Prints the needs on standard error, and refuses those that exceed the free space of a disk.
    ///
    /// Too little memory is left to the solver, which refuses it.
    pub(super) fn report_and_check(&self, needs: &SolveNeeds) -> Result<()> {
        let texts = [needs.choice.map(|choice| choice_text(choice, needs)), self.text(needs)];
        for text in texts.iter().flatten().filter(|_| !self.context.quiet) {
            print_message(text);
        }
        if matches!(needs.extent, Extent::Bytes(_)) {
            return_freed_blocks();
        }
        // Tiles of a resumed solve are there already.
        let is_there = matches!(needs.extent, Extent::Slices(_)) && self.files.resume;
        if needs.memory > self.context.limits().memory || is_there {
            return Ok(());
        }
        check_disk(&disk_needs(self.files, needs.disk))
    }

    /// Returns the needs as a line; `None` for reachable positions, whose number is not known.
    fn text(&self, needs: &SolveNeeds) -> Option<String> {
        let spec = self.spec;
        let (work, notes) = match needs.extent {
            Extent::Reachable | Extent::Sorted
                if self.files.out.is_some() || self.files.checkpoint.is_some() =>
            {
                let limit = self.context.limits().memory;
                let (bytes, room) = (needs.position_bytes, self.context.format_needed(limit));
                let most = rounded(limit / bytes.max(1));
                let more = if needs.extent == Extent::Sorted {
                    format!(", and some {} of disk each", counted(SORTED_DISK_BYTES, "byte"))
                } else {
                    "; with --checkpoint DIR, sorted on disk, some ten times as many".into()
                };
                return Some(format!(
                    "positions that can be reached in {spec}: how many is not known before; at \
                     some {bytes} bytes of memory each, up to {most} fit in {room}{more}"
                ));
            }
            Extent::Reachable | Extent::Sorted | Extent::Search => return None,
            Extent::BoundedSearch => {
                let memory = self.context.format_needed(needs.memory);
                return Some(format!(
                    "search of {spec}: memory grows with the positions looked at, up to {memory}"
                ));
            }
            Extent::Tiers { ranks, layers, streamed } => {
                let note =
                    if streamed { "; the first layer does not fit and is not kept" } else { "" };
                let (ranks, layers) = (counted(ranks, "rank"), counted(layers, "layer"));
                let work = format!("every position of {spec}: {ranks} in {layers}");
                (work, note)
            }
            Extent::States { ranks, layers } => {
                let (positions, layers) = (counted(ranks, "position"), counted(layers, "layer"));
                let work = format!("every state of {spec}: {positions} in {layers}");
                (work, "")
            }
            Extent::Planes(positions) | Extent::Bytes(positions) => {
                let positions = counted(positions, "position");
                (format!("every position of {spec}: {positions}"), "")
            }
            Extent::Slices(positions) => {
                let positions = counted(positions, "position");
                let work = format!("every position of {spec}: {positions} by slices");
                (work, "")
            }
        };
        let memory = self.context.format_needed(needs.memory);
        let disk = match (needs.extent, needs.disk.total()) {
            (_, 0) => String::new(),
            (Extent::Slices(_), bytes) => format!(", about {} of disk", format_needed(bytes)),
            (_, bytes) => format!(", at most {} of disk", format_needed(bytes)),
        };
        let limit = needs.max_remoteness.map_or(String::new(), remoteness_limit_text);
        let time = needs.seconds.map_or(String::new(), |seconds| match needs.writing_seconds {
            0.0 => format!(", {}", about_time(seconds)),
            writing => format!(
                ", {} to solve, {} to write and as long as both to verify",
                about_time(seconds),
                about_time(writing)
            ),
        });
        Some(format!("{work}, {memory} of memory{disk}{time}{notes}{limit}"))
    }
}

/// Returns a number with its first two digits.
fn rounded(number: u64) -> String {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    with_commas(number / unit * unit)
}

/// Returns the chosen solver, the reason and, where no other line has it, the time.
fn choice_text(choice: Choice, needs: &SolveNeeds) -> String {
    let (solver, because) = (choice.method.name(), choice.reason);
    let time = match (choice.method, needs.seconds) {
        (Method::Proof | Method::Search, _) => {
            "; a search has no known end: --seconds or Ctrl-C end it".into()
        }
        (Method::Reachable, Some(seconds)) => format!("; {} at most", about_time(seconds)),
        _ => String::new(),
    };
    format!("solver: {solver}, because {because}{time}")
}
