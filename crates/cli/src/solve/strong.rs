use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hindsight_core::{Notation, Ranked};
use hindsight_solve::StrongSolution;
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{
    Error, Layer, Limits, MemoryStore, Monitor, NullStore, Store, StoreError, UnfinishedLayer,
    best_line,
};
use hindsight_tablebase::{CheckpointDir, Layout};

use super::report::{SolveReport, SolveSummary, counts_text, solve_report};
use crate::args::{SolveArgs, Solver};
use crate::context::Context;
use crate::errors::{solver_error, store_error};
use crate::files::{
    DiskNeeds, LayerFolder, PlannedStore, TableFileSummary, layer_folder, remoteness_limit_text,
    write_table,
};
use crate::memory::ROUGH_CHECK_FLOOR;
use crate::output::{Output, print, print_json, with_commas};
use crate::progress::ProgressDisplay;
use crate::text::{heading, histogram_text, line_text, start_outcome};

/// Solves every position of a game, writes a table if asked to, and prints what it found.
pub(crate) struct StrongSolve<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) args: &'a SolveArgs,
    pub(crate) context: &'a Context,
}

/// Games of at most so many ranks are kept in memory, a byte each.
pub(crate) const MAX_RANKS_FOR_LINE: u64 = 1 << 24;

impl<'a, G: Ranked + Notation> StrongSolve<'a, G> {
    pub(crate) fn new(game: &'a G, args: &'a SolveArgs, context: &'a Context) -> Self {
        Self {
            game,
            args,
            context,
        }
    }

    /// `solve` is one of the solvers of every position; `folds` tells whether it can do without keeping
    /// layer 0, and `longest` is the longest remoteness that it keeps.
    pub(crate) fn run(
        &self,
        out: Option<Output>,
        folds: bool,
        longest: u16,
        solve: impl Fn(
            &G,
            &TierPlan,
            &mut dyn Store,
            Limits,
            &mut dyn Monitor,
        ) -> Result<StrongSolution, Error>,
    ) -> Result<()> {
        let layout = self.table_layout()?;
        let limits = self.context.limits();
        let files = self.args.files.out.is_some() || self.args.files.checkpoint.is_some();
        let folds = folds && !files;
        TierPlan::check_roughly(self.game, folds, limits.memory.max(ROUGH_CHECK_FLOOR))
            .map_err(solver_error)?;
        let mut plan = TierPlan::new(self.game);
        if folds && plan.peak() > limits.memory {
            plan = plan.streamed();
        }
        let folder = layer_folder(&self.args.files)?;
        let resumed = folder.as_ref().filter(|_| self.args.files.resume);
        let resumed = self.open_checkpoint(resumed, layout)?;
        let peak = match &resumed {
            Some(work) => plan.peak_with_store(&work.layer_store(self.game)),
            None if files => plan.peak_with_store(&PlannedStore::<G>::new(layout)),
            None => plan.peak(),
        };
        self.report_and_check_needs(&plan, peak, longest)?;
        let work = match resumed {
            None => self.open_checkpoint(folder.as_ref(), layout)?,
            resumed => resumed,
        };
        let by_planes = |folder: &LayerFolder| {
            CheckpointDir::has_planes(&folder.path) || CheckpointDir::has_slices(&folder.path)
        };
        if folder.as_ref().is_some_and(by_planes) {
            bail!("the checkpoint was begun by --solver planes: go on with that");
        }
        // Small games are kept, if there is room, so that a best line can be shown.
        let keeps = plan.ranks() <= MAX_RANKS_FOR_LINE && peak + plan.ranks() <= limits.memory;
        let mut store = TimedStore {
            inner: work.as_ref().map(|work| work.layer_store(self.game)),
            in_memory: keeps.then(MemoryStore::default),
            storing_time: Duration::ZERO,
        };
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved = solve(self.game, &plan, &mut store, limits, &mut display);
        drop(display);
        let elapsed = begin.elapsed();
        let solved = solved.map_err(store_error)?;
        let TimedStore {
            in_memory: small,
            storing_time: spent,
            ..
        } = store;
        let written = write_table(work.as_ref(), out, layout, spent)?;
        let seconds = (elapsed - spent).as_secs_f64();
        let found = self.report(Solver::Tiered, &solved, seconds, written);
        self.print_report(&found, &solved, small.as_ref())
    }

    /// The layout of the table.
    pub(crate) fn table_layout(&self) -> Result<Layout> {
        match self.args.layout.map_or(Layout::Full, Layout::from) {
            Layout::States => bail!(
                "in {} no move is ever forbidden: its tables have the layout 'full' or 'compact'",
                self.game.spec()
            ),
            layout => Ok(layout),
        }
    }

    /// What is done goes into a folder: a new one, or the one to go on with.
    pub(crate) fn open_checkpoint(
        &self,
        folder: Option<&LayerFolder>,
        layout: Layout,
    ) -> Result<Option<CheckpointDir>> {
        let spec = self.game.spec();
        let open = |folder: &LayerFolder| {
            if self.args.files.resume {
                CheckpointDir::resume(&folder.path, &spec, layout)
            } else {
                CheckpointDir::create(&folder.path, &spec, layout)
            }
        };
        Ok(folder.map(open).transpose()?)
    }

    /// Says what the solve takes, before it starts, and refuses what does not fit.
    fn report_and_check_needs(&self, plan: &TierPlan, peak: u64, longest: u16) -> Result<()> {
        let disk = DiskNeeds::for_values(&self.args.files, plan.ranks());
        let folded = if plan.is_streamed() {
            "; the first layer does not fit and is not kept"
        } else {
            ""
        };
        let work = format!(
            "every position of {}: {} ranks in {} layers",
            self.game.spec(),
            with_commas(plan.ranks()),
            self.game.layers()
        );
        let more = format!("{folded}{}", remoteness_limit_text(longest));
        disk.report(&work, peak, &more, self.context);
        plan.check_peak(peak, self.context.limits().memory)
            .map_err(solver_error)?;
        disk.check()
    }

    pub(crate) fn report(
        &self,
        solver: Solver,
        solved: &StrongSolution,
        seconds: f64,
        table: Option<TableFileSummary>,
    ) -> SolveReport {
        let found = SolveSummary {
            solver,
            wdl: solved.start.wdl(),
            remoteness: solved.start.remoteness(),
            summary: solved.summary,
            histogram: Some(&solved.histogram),
            seconds,
            table,
        };
        solve_report(self.game, self.args, found)
    }

    pub(crate) fn print_report(
        &self,
        report: &SolveReport,
        solved: &StrongSolution,
        small: Option<&MemoryStore>,
    ) -> Result<()> {
        let game = self.game;
        if self.context.json {
            return print_json(report);
        }
        let mut text = heading(game);
        text.push_str(&format!("{}.\n\n", start_outcome(game, solved.start)));
        if let Some(kept) = small {
            let line = best_line(game, &kept.with(game), game.start())?;
            text.push_str(&line_text(game, &line));
            text.push('\n');
        }
        text.push_str(&format!(
            "Positions by value for the side to move\n{}\n{}",
            histogram_text(&solved.histogram),
            counts_text(report)
        ));
        print(&text)
    }
}

/// Stores layers in files, keeps those of small games, and counts the time it takes.
pub(crate) struct TimedStore<S> {
    pub(crate) inner: Option<S>,
    pub(crate) in_memory: Option<MemoryStore>,
    pub(crate) storing_time: Duration,
}

impl<S: Store> TimedStore<S> {
    fn timed<T>(&mut self, act: impl FnOnce(&mut dyn Store) -> T) -> T {
        let begin = Instant::now();
        let done = match &mut self.inner {
            Some(files) => act(files),
            None => act(&mut NullStore),
        };
        self.storing_time += begin.elapsed();
        done
    }
}

impl<S: Store> Store for TimedStore<S> {
    fn takes(&self, layer: u32, ranks: u64, tiers: u64) -> u64 {
        let files = self.inner.as_ref();
        files.map_or(0, |files| files.takes(layer, ranks, tiers))
    }

    fn allow(&mut self, bytes: u64) {
        if let Some(files) = &mut self.inner {
            files.allow(bytes);
        }
    }

    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        if let Some(kept) = &mut self.in_memory {
            kept.put(layer)?;
        }
        self.timed(|store| store.put(layer))
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        self.timed(|store| store.has(layer))
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let got = self.timed(|store| store.get(layer))?;
        if let Some(kept) = &mut self.in_memory {
            kept.put(&got)?;
        }
        Ok(got)
    }

    fn put_unfinished(&mut self, unfinished: &UnfinishedLayer) -> Result<(), StoreError> {
        self.timed(|store| store.put_unfinished(unfinished))
    }

    fn get_unfinished(&mut self, layer: u32) -> Result<Option<UnfinishedLayer>, StoreError> {
        self.timed(|store| store.get_unfinished(layer))
    }
}
