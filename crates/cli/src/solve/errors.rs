//! Errors of solves as sentences that name the options of the command.

use std::io;
use std::path::Path;

use anyhow::anyhow;
use hindsight_core::Structure;
use hindsight_games::{
    Error, Method, Options, PlanError, SolveNeeds, SolverError, memory::free_disk_bytes,
};

use super::search_memory::search_memory_error;
use super::{SolveCommand, table_options};
use crate::args::Solver;
use crate::files::disk_needs;
use crate::shown::errors::DoesNotFit;
use crate::shown::sizes::{counted, format_needed};

impl SolveCommand<'_> {
    /// Turns an error into a sentence that says which option may help.
    pub(super) fn explain(&self, error: Error) -> anyhow::Error {
        match error {
            Error::Plan(error) => self.explain_plan(error),
            Error::Solve(error @ SolverError::TooLong(_)) => {
                let graph = if self.has_possible_graph() {
                    self.advice_text(Method::Reachable)
                } else {
                    String::new()
                };
                anyhow!("{error}{graph}")
            }
            error @ Error::Solve(SolverError::Memory { .. }) if self.args.files.out.is_some() => {
                let has_states = self.game.rules().structure() == Structure::ForbiddenMove;
                let sorted = match self.args.files.checkpoint.is_some() || has_states {
                    true => "",
                    false => "; with --checkpoint DIR, sorted on disk, some ten times as many fit",
                };
                let advice = self.advice_of(&[Method::Search, Method::Proof]);
                anyhow!("{}{sorted}{advice}", self.context.game_error(error))
            }
            error => self.suggest_planes(self.context.game_error(error)),
        }
    }

    /// Appends the room that a full disk lacks to the error of a solve that has begun.
    pub(super) fn with_lack_of_disk(
        &self,
        error: anyhow::Error,
        begun: &SolveNeeds,
    ) -> anyhow::Error {
        let files = &self.args.files;
        let needs = disk_needs(files, begun.disk);
        let needed = needs.iter().map(|need| need.1).sum();
        with_lack_of_disk(error, needed, files.checkpoint.is_some())
    }

    fn explain_plan(&self, error: PlanError) -> anyhow::Error {
        let spec = self.game.spec();
        match error {
            PlanError::NotTwoSided => anyhow!(
                "--solver planes is for Onitama on boards of at most 32 squares, not for {spec}{}",
                self.advice()
            ),
            PlanError::Unranked if self.game.rules().is_outside() => anyhow!(
                "{spec} has no numbers of all positions, as 'tiers' gives them{}",
                self.advice()
            ),
            PlanError::Unranked => {
                let files = &self.args.files;
                let is_for_graph = files.out.is_some() && files.checkpoint.is_none();
                let graph = "; --solver graph writes what can be reached, if it fits in memory";
                anyhow!(
                    "{spec} has no numbering of all positions, or none that fits 64 bits{}{}",
                    self.advice(),
                    if is_for_graph { graph } else { "" }
                )
            }
            PlanError::NoCountdown => anyhow!(
                "--solver search is for games in which every move fills a square, as four and \
                 tic-tac-toe, not for {spec}{}",
                self.advice()
            ),
            PlanError::OnlyWholeGames(method) => anyhow!(
                "--solver {} solves a whole game, not what follows from a position{}",
                method.name(),
                self.advice()
            ),
            PlanError::MayNotFit { positions, needed, limit } => anyhow!(
                "up to {} may be reachable, which may take {}{}",
                counted(positions, "position"),
                self.context.needed_and_allowed(needed, limit),
                self.advice_of(&[Method::Proof, Method::Reachable])
            ),
            PlanError::SearchMemory { needed, .. } => search_memory_error(needed, self.context),
            PlanError::BegunByPlanes => {
                anyhow!("the checkpoint was begun by --solver planes: go on with that")
            }
            PlanError::NoTableOfSlices => anyhow!(
                "the checkpoint was begun by slices, which write no table: go on without --out"
            ),
            PlanError::NeedsCheckpoint { error, memory, disk } => {
                let error = self.context.solver_error(error);
                let free = free_disk_bytes(Path::new("."));
                if self.context.is_possible_memory(memory) && free.is_none_or(|free| disk <= free) {
                    anyhow!(
                        "{error}; with --checkpoint DIR it is solved by slices, in {} and with \
                         about {} of disk",
                        self.context.format_needed(memory),
                        format_needed(disk)
                    )
                } else {
                    error
                }
            }
            error => error.into(),
        }
    }

    /// Returns true if a graph of all positions surely fits in memory.
    fn has_possible_graph(&self) -> bool {
        /// Most bytes of a position with either side to move, of any game of ours with ranks.
        const BYTES: u64 = 2 * 200;
        let options = Options { memory: Some(self.context.limits().memory), ..Options::default() };
        let needs = self.game.possible_solve(None, Method::Tiered, &options);
        let positions = needs.and_then(|needs| needs.extent.positions());
        positions.is_some_and(|positions| {
            positions.saturating_mul(BYTES) <= self.context.limits().memory
        })
    }

    /// Returns the end of a sentence that names a solver for the game, as far as one is possible
    /// here; else an empty text.
    fn advice(&self) -> String {
        self.advice_of(&[Method::Auto])
    }

    /// As [`SolveCommand::advice`], with the first method that is possible: with the same files, or
    /// else without them.
    fn advice_of(&self, methods: &[Method]) -> String {
        let mut options = Options {
            memory: Some(self.context.limits().memory),
            seconds: self.args.seconds,
            table: self.args.files.out.clone(),
            checkpoint: self.args.files.checkpoint.clone(),
            ..Options::default()
        };
        let possible = |options: &Options| {
            let mut methods = methods.iter();
            methods.find_map(|&method| self.game.possible_solve(Some(self.start), method, options))
        };
        if let Some(needs) = possible(&options) {
            return self.advice_text(needs.method);
        }
        (options.table, options.checkpoint) = (None, None);
        possible(&options).map_or(String::new(), |needs| self.advice_text(needs.method))
    }

    /// Returns the end of a sentence that names a solver, and the options that it does not take.
    fn advice_text(&self, method: Method) -> String {
        let work = match method {
            Method::Tiered | Method::Planes => "solves every position",
            Method::Reachable => "solves what is reachable",
            Method::Search => "looks for the value of the position",
            Method::Auto | Method::Forward | Method::Proof => "looks for the winner",
        };
        let stores = matches!(method, Method::Tiered | Method::Planes);
        let is_refused = |&(option, is_given): &(&str, bool)| {
            is_given
                && match option {
                    "--check" => method != Method::Planes,
                    "--way" => true,
                    _ => !stores,
                }
        };
        let others = [("--check", self.args.check.is_some()), ("--way", self.args.way.is_some())];
        let given = table_options(self.args).into_iter().chain(others);
        let refused: Vec<&str> = given.filter(is_refused).map(|option| option.0).collect();
        let without = if refused.is_empty() {
            String::new()
        } else {
            format!("without {}, ", refused.join(" and "))
        };
        format!("; {without}--solver {} {work}", method.name())
    }

    /// Appends the memory that planes need to `error`, if it is that of a solve that does not fit
    /// and they are possible here.
    fn suggest_planes(&self, error: anyhow::Error) -> anyhow::Error {
        // With a table, planes take a byte a position too.
        let writes_table = self.args.files.out.is_some();
        let is_planes = self.args.solver.map(Method::from) == Some(Method::Planes);
        let is_whole = *self.start == self.game.start();
        if !error.is::<DoesNotFit>() || writes_table || is_planes || !is_whole {
            return error;
        }
        let bytes = self.game.planes_bytes(self.context.limits());
        let Some(bytes) = bytes.filter(|&bytes| self.context.is_possible_memory(bytes)) else {
            return error;
        };
        anyhow!(
            "{error}; with --solver planes every position, reachable or not, takes at least {}",
            self.context.format_needed(bytes)
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
