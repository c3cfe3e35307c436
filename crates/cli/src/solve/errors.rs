//! Errors of solves as sentences that name the options of the command.

use std::io;

use anyhow::anyhow;
use hindsight_games::{Error, Method, PlanError, SolveNeeds};

use super::SolveCommand;
use super::search_memory::search_memory_error;
use crate::args::Solver;
use crate::errors::{DoesNotFit, needed_and_allowed, solver_error, task_error};
use crate::files::disk_needs;
use crate::memory::program_bytes;
use crate::sizes::{counted, format_needed};

impl SolveCommand<'_> {
    /// Turns an error into a sentence that says which option may help.
    pub(super) fn explain(&self, error: Error) -> anyhow::Error {
        match error {
            Error::Plan(error) => self.explain_plan(error),
            error => self.suggest_planes(task_error(error)),
        }
    }

    /// Appends the room that a full disk lacks to the error of a solve that has begun.
    pub(super) fn with_lack_of_disk(
        &self,
        error: anyhow::Error,
        begun: &SolveNeeds,
    ) -> anyhow::Error {
        let files = &self.args.files;
        let needed = disk_needs(files, begun.disk);
        let needed = needed.iter().map(|need| need.1).sum();
        with_lack_of_disk(error, needed, files.checkpoint.is_some())
    }

    fn explain_plan(&self, error: PlanError) -> anyhow::Error {
        let spec = self.game.spec();
        match error {
            PlanError::NotTwoSided => anyhow!(
                "--solver planes is for Onitama on boards of at most 32 squares, not for {spec}"
            ),
            PlanError::Unranked => anyhow!(
                "{spec} has no numbering of all positions, or none that fits 64 bits; \
                 --solver graph or forward looks at what is reachable"
            ),
            PlanError::NoCountdown => anyhow!(
                "--solver search is for games in which every move fills a square, as four and \
                 tic-tac-toe, not for {spec}; --solver graph or proof takes any game"
            ),
            PlanError::OnlyWholeGames(method) => anyhow!(
                "--solver {} solves a whole game: leave out the position, or use graph or proof",
                method.name()
            ),
            PlanError::MayNotFit {
                positions,
                needed,
                limit,
            } => anyhow!(
                "up to {} may be reachable, which may take {}; --solver graph tries in \
                 less, --solver proof looks only for the winner",
                counted(positions, "position"),
                needed_and_allowed(needed, limit)
            ),
            PlanError::SearchMemory { needed, .. } => search_memory_error(needed),
            PlanError::BegunByPlanes => {
                anyhow!("the checkpoint was begun by --solver planes: go on with that")
            }
            PlanError::NoTableOfSlices => anyhow!(
                "the checkpoint was begun by slices, which write no table: go on without --out"
            ),
            PlanError::NeedsCheckpoint {
                error,
                memory,
                disk,
            } => anyhow!(
                "{}; with --checkpoint DIR it is solved by slices, in {} and with about {} of disk",
                solver_error(error),
                format_needed(memory.saturating_add(program_bytes())),
                format_needed(disk)
            ),
            error => error.into(),
        }
    }

    /// Appends the memory that planes need to `error`, if it is that of a solve that does not fit.
    fn suggest_planes(&self, error: anyhow::Error) -> anyhow::Error {
        // With a table, planes take a byte a position too.
        let writes_table = self.args.files.out.is_some();
        let is_planes = self.args.solver.map(Method::from) == Some(Method::Planes);
        if !error.is::<DoesNotFit>() || writes_table || is_planes {
            return error;
        }
        let Some(bytes) = self.game.planes_bytes(self.context.limits()) else {
            return error;
        };
        anyhow!(
            "{error}; with --solver planes every position, reachable or not, takes at least {}",
            format_needed(bytes.saturating_add(program_bytes()))
        )
    }
}

/// Appends the bytes that are still needed to the error of a full disk.
fn with_lack_of_disk(error: anyhow::Error, needed: u64, is_kept: bool) -> anyhow::Error {
    let is_full = error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::StorageFull)
    });
    let needed = format_needed(needed);
    match (is_full, is_kept) {
        (false, _) => error,
        (true, false) => anyhow!("{error:#}; up to {needed} must be free"),
        (true, true) => {
            anyhow!("{error:#}; --resume goes on when there is room, up to {needed} more")
        }
    }
}

impl From<Solver> for Method {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Tiered => Self::Tiered,
            Solver::Planes => Self::Planes,
            Solver::Graph => Self::Reachable,
            Solver::Forward => Self::Forward,
            Solver::Proof => Self::Proof,
            Solver::Search => Self::Search,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use anyhow::Context as _;

    use super::with_lack_of_disk;

    #[test]
    fn a_full_disk_lacks_bytes() {
        let text = |kind, is_kept| {
            let error = Err::<(), _>(Error::new(kind, "no room"));
            let error = error.context("cannot write 't'").expect_err("an error");
            format!("{:#}", with_lack_of_disk(error, 3 << 20, is_kept))
        };
        assert_eq!(
            text(ErrorKind::StorageFull, true),
            "cannot write 't': no room; --resume goes on when there is room, up to 3.0 MiB more"
        );
        assert_eq!(
            text(ErrorKind::StorageFull, false),
            "cannot write 't': no room; up to 3.0 MiB must be free"
        );
        let other = text(ErrorKind::PermissionDenied, true);
        assert_eq!(other, "cannot write 't': no room");
    }
}
