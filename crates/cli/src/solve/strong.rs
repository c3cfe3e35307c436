//! Strong solves: every position of a game, tier by tier, and the table of their values.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hindsight_core::{Notation, Ranked};
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{
    Error, Layer, Limits, MemoryStore, Monitor, NullStore, Store, StoreError, StrongSolution,
    UnfinishedLayer, best_line,
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

/// Solve of every position of a game, with its options: writes a table if requested, and prints the
/// answer.
pub(crate) struct StrongSolve<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) args: &'a SolveArgs,
    pub(crate) context: &'a Context,
}

/// Largest number of ranks whose values are kept in memory, a byte each, to show a best line.
pub(crate) const MAX_RANKS_FOR_LINE: u64 = 1 << 24;

impl<'a, G: Ranked + Notation> StrongSolve<'a, G> {
    pub(crate) fn new(game: &'a G, args: &'a SolveArgs, context: &'a Context) -> Self {
        Self {
            game,
            args,
            context,
        }
    }

    /// Solves with `solve`, a solver of every position.
    /// `can_stream` is true for a solver that need not keep layer 0. `max_remoteness` is the
    /// largest storable remoteness, in plies.
    pub(crate) fn run(
        &self,
        out: Option<Output>,
        can_stream: bool,
        max_remoteness: u16,
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
        let writes_layers = self.args.files.out.is_some() || self.args.files.checkpoint.is_some();
        let can_stream = can_stream && !writes_layers;
        let rough_limit = limits.memory.max(ROUGH_CHECK_FLOOR);
        TierPlan::check_roughly(self.game, can_stream, rough_limit).map_err(solver_error)?;
        let mut plan = TierPlan::new(self.game);
        if can_stream && plan.peak() > limits.memory {
            plan = plan.streamed();
        }
        let folder = layer_folder(&self.args.files)?;
        let resumed = folder.as_ref().filter(|_| self.args.files.resume);
        let resumed = self.open_checkpoint(resumed, layout)?;
        let peak = match &resumed {
            Some(layers) => plan.peak_with_store(&layers.layer_store(self.game)),
            None if writes_layers => plan.peak_with_store(&PlannedStore::<G>::new(layout)),
            None => plan.peak(),
        };
        self.report_and_check_needs(&plan, peak, max_remoteness)?;
        let layers = match resumed {
            None => self.open_checkpoint(folder.as_ref(), layout)?,
            resumed => resumed,
        };
        let is_of_planes = |folder: &LayerFolder| {
            CheckpointDir::has_planes(&folder.path) || CheckpointDir::has_slices(&folder.path)
        };
        if folder.as_ref().is_some_and(is_of_planes) {
            bail!("the checkpoint was begun by --solver planes: go on with that");
        }
        // The values of a small game are kept for its best line, if they fit in memory.
        let keeps_values =
            plan.ranks() <= MAX_RANKS_FOR_LINE && peak + plan.ranks() <= limits.memory;
        let mut store = TimedStore {
            inner: layers.as_ref().map(|layers| layers.layer_store(self.game)),
            in_memory: keeps_values.then(MemoryStore::default),
            storing_time: Duration::ZERO,
        };
        let begin = Instant::now();
        let mut display = ProgressDisplay::new(self.context.quiet);
        let solved = solve(self.game, &plan, &mut store, limits, &mut display);
        drop(display);
        let elapsed = begin.elapsed();
        let solved = solved.map_err(store_error)?;
        let TimedStore {
            in_memory,
            storing_time,
            ..
        } = store;
        let table = write_table(layers.as_ref(), out, layout, storing_time)?;
        let seconds = (elapsed - storing_time).as_secs_f64();
        let report = self.report(Solver::Tiered, &solved, seconds, table);
        self.print_report(&report, &solved, in_memory.as_ref())
    }

    /// Layout of the table: that of `--layout`, or full.
    ///
    /// # Errors
    /// An error for the layout `states`, which is for games with forbidden moves.
    pub(crate) fn table_layout(&self) -> Result<Layout> {
        match self.args.layout.map_or(Layout::Full, Layout::from) {
            Layout::States => bail!(
                "in {} no move is ever forbidden: its tables have the layout 'full' or 'compact'",
                self.game.spec()
            ),
            layout => Ok(layout),
        }
    }

    /// Opens the folder of finished layers: resumed with `--resume`, else a new one.
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

    /// Prints the memory and the disk that the solve needs, and refuses what does not fit.
    fn report_and_check_needs(
        &self,
        plan: &TierPlan,
        peak: u64,
        max_remoteness: u16,
    ) -> Result<()> {
        let disk = DiskNeeds::for_values(&self.args.files, plan.ranks());
        let streamed_note = if plan.is_streamed() {
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
        let note = format!("{streamed_note}{}", remoteness_limit_text(max_remoteness));
        disk.report(&work, peak, &note, self.context);
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
        let summary = SolveSummary {
            solver,
            wdl: solved.start.wdl(),
            remoteness: solved.start.remoteness(),
            summary: solved.summary,
            histogram: Some(&solved.histogram),
            seconds,
            table,
        };
        solve_report(self.game, self.args, summary)
    }

    pub(crate) fn print_report(
        &self,
        report: &SolveReport,
        solved: &StrongSolution,
        in_memory: Option<&MemoryStore>,
    ) -> Result<()> {
        let game = self.game;
        if self.context.json {
            return print_json(report);
        }
        let mut text = heading(game);
        text.push_str(&format!("{}.\n\n", start_outcome(game, solved.start)));
        if let Some(values) = in_memory {
            let line = best_line(game, &values.with(game), game.start())?;
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

/// Store that measures the time that its inner store takes.
pub(crate) struct TimedStore<S> {
    /// Store in files, if layers are written.
    pub(crate) inner: Option<S>,
    /// Copy of all layers of a small game.
    pub(crate) in_memory: Option<MemoryStore>,
    /// Time spent in `inner` so far.
    pub(crate) storing_time: Duration,
}

impl<S: Store> TimedStore<S> {
    fn timed<T>(&mut self, operation: impl FnOnce(&mut dyn Store) -> T) -> T {
        let begin = Instant::now();
        let result = match &mut self.inner {
            Some(inner) => operation(inner),
            None => operation(&mut NullStore),
        };
        self.storing_time += begin.elapsed();
        result
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
        if let Some(in_memory) = &mut self.in_memory {
            in_memory.put(layer)?;
        }
        self.timed(|store| store.put(layer))
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        self.timed(|store| store.has(layer))
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let layer = self.timed(|store| store.get(layer))?;
        if let Some(in_memory) = &mut self.in_memory {
            in_memory.put(&layer)?;
        }
        Ok(layer)
    }

    fn put_unfinished(&mut self, unfinished: &UnfinishedLayer) -> Result<(), StoreError> {
        self.timed(|store| store.put_unfinished(unfinished))
    }

    fn get_unfinished(&mut self, layer: u32) -> Result<Option<UnfinishedLayer>, StoreError> {
        self.timed(|store| store.get_unfinished(layer))
    }
}
