use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Arrangements, Notation, Ranked};
use play::Seeded;
use solve::arrangements::{self, Checked, Instructions, NoCheckpoint, Sample, Terms};
use solve::tiered::{Outcome, Plan};
use solve::{
    Error, Kept, Layer, Limits, Monitor, Nowhere, Store, StoreError, Unfinished, best_line,
};
use table::{Layout, PlanesStore, Work};

use crate::args::{Common, SolveArgs, Solver};
use crate::every_state::EVERY;
use crate::files::{Folder, check_disk, check_disk_at, explain_store, folder, write};
use crate::memory::format_size;
use crate::output::{print, print_json, refuse_existing, with_commas};
use crate::progress::Display;
use crate::show::{heading, histogram_text, line_text, outcome};
use crate::solve::{Found, Report, Sampled, Written, counted, explain, limits, report};

/// Solves every position of a game, writes a table if asked to, and prints what it found.
pub(crate) struct Every<'a, G> {
    game: &'a G,
    args: &'a SolveArgs,
    common: &'a Common,
}

/// Games of fewer ranks are kept in memory, so that a best line can be shown.
const SMALL: u64 = 1 << 24;

/// Of the positions that `--check` draws.
const SEED: u64 = 1;

/// Bytes a rank that a table may take, as far as one can tell before: the largest seen, with a margin.
const BYTES_A_RANK: f64 = 0.25;

impl<'a, G: Ranked + Notation> Every<'a, G> {
    pub(crate) fn new(game: &'a G, args: &'a SolveArgs, common: &'a Common) -> Self {
        Self { game, args, common }
    }

    /// `solve` is one of the solvers of every position; `folds` tells whether it can do without keeping
    /// layer 0.
    pub(crate) fn run(
        &self,
        folds: bool,
        solve: impl Fn(&G, &Plan, &mut dyn Store, Limits, &mut dyn Monitor) -> Result<Outcome, Error>,
    ) -> Result<()> {
        let layout = self.layout_of_new_file()?;
        let files = self.args.files.out.is_some() || self.args.files.checkpoint.is_some();
        let folds = folds && !files;
        Plan::check_roughly(self.game, folds, limits(self.common).memory).map_err(explain)?;
        let mut plan = Plan::new(self.game);
        if folds && plan.peak() > limits(self.common).memory {
            plan = plan.folded();
        }
        self.announce(&plan, files)?;
        let folder = folder(&self.args.files)?;
        let work = self.work(folder.as_ref(), layout)?;
        if work.as_ref().is_some_and(Work::has_planes) {
            bail!("the checkpoint was begun by --solver planes: go on with that");
        }
        let mut store = Timed {
            files: work.as_ref().map(|work| work.store(self.game)),
            small: (plan.ranks() <= SMALL).then(Kept::default),
            spent: Duration::ZERO,
        };
        let begin = Instant::now();
        let mut display = Display::new(self.common.quiet);
        let solved = solve(
            self.game,
            &plan,
            &mut store,
            limits(self.common),
            &mut display,
        );
        drop(display);
        let elapsed = begin.elapsed();
        let solved = solved.map_err(explain_store)?;
        let Timed { small, spent, .. } = store;
        let written = write(work.as_ref(), (&self.args.files, layout), spent)?;
        let seconds = (elapsed - spent).as_secs_f64();
        let found = self.found(Solver::Tiered, &solved, seconds, written);
        self.show(&found, &solved, small.as_ref())
    }

    /// The layout of the table, unless its file is there already.
    fn layout_of_new_file(&self) -> Result<Layout> {
        if let Some(out) = &self.args.files.out {
            refuse_existing(out, self.common.force)?;
        }
        match self.args.layout.map_or(Layout::Full, Layout::from) {
            Layout::States => bail!(
                "in {} no move is ever forbidden: its tables have the layout 'full' or 'compact'",
                self.game.spec()
            ),
            layout => Ok(layout),
        }
    }

    /// What is done goes into a folder: a new one, or the one to go on with.
    fn work(&self, folder: Option<&Folder>, layout: Layout) -> Result<Option<Work>> {
        let spec = self.game.spec();
        let open = |folder: &Folder| {
            if self.args.files.resume {
                Work::resume(&folder.path, &spec, layout)
            } else {
                Work::create(&folder.path, &spec, layout)
            }
        };
        Ok(folder.map(open).transpose()?)
    }

    /// Says what the solve takes, before it starts, and refuses what does not fit.
    fn announce(&self, plan: &Plan, files: bool) -> Result<()> {
        let disk = disk_for(plan.ranks(), files);
        if !self.common.quiet {
            let on_disk = on_disk(disk);
            let folded = if plan.is_folded() {
                "; the first layer does not fit and is not kept"
            } else {
                ""
            };
            eprintln!(
                "every position of {}: {} ranks in {} layers, {} of memory{on_disk}{folded}",
                self.game.spec(),
                with_commas(plan.ranks()),
                self.game.layers(),
                format_size(plan.peak())
            );
        }
        plan.check(limits(self.common).memory).map_err(explain)?;
        check_disk(&self.args.files, disk)
    }

    fn found(
        &self,
        solver: Solver,
        solved: &Outcome,
        seconds: f64,
        table: Option<Written>,
    ) -> Report {
        let found = Found {
            solver,
            wdl: solved.start.wdl(),
            remoteness: solved.start.remoteness(),
            summary: solved.summary,
            histogram: Some(&solved.histogram),
            seconds,
            table,
        };
        report(self.game, self.args, found)
    }

    fn show(&self, report: &Report, solved: &Outcome, small: Option<&Kept>) -> Result<()> {
        let game = self.game;
        if self.common.json {
            return print_json(report);
        }
        let mut text = heading(game);
        text.push_str(&format!("{}.\n\n", outcome(game, solved.start)));
        if let Some(kept) = small {
            let line = best_line(game, &kept.with(game), game.start())?;
            text.push_str(&line_text(game, &line));
            text.push('\n');
        }
        text.push_str(&format!(
            "Positions by value for the side to move\n{}\n{}",
            histogram_text(&solved.histogram),
            counted(report)
        ));
        print(&text)
    }
}

/// Bytes of the files of a solve of so many ranks, half of what it may take with the table beside them.
fn disk_for(ranks: u64, files: bool) -> u64 {
    if files {
        (ranks as f64 * BYTES_A_RANK) as u64 + (1 << 20)
    } else {
        0
    }
}

fn on_disk(disk: u64) -> String {
    match disk {
        0 => String::new(),
        _ => format!(", at most {} of disk", format_size(2 * disk)),
    }
}

impl<G: Arrangements + Notation> Every<'_, G> {
    /// Solves by planes of bits. Every value is kept only if a table is asked for.
    pub(crate) fn by_planes(&self) -> Result<()> {
        let layout = self.layout_of_new_file()?;
        let (game, allowed) = (self.game, limits(self.common));
        arrangements::Plan::check_roughly(game, allowed).map_err(explain)?;
        let plan = arrangements::Plan::new(game);
        let count = self.args.check.unwrap_or(0);
        let watched = u64::from(count) * Sample::<G::Position>::BYTES;
        let limits = Limits {
            memory: allowed.memory.saturating_sub(watched),
            ..allowed
        };
        let files = self.args.files.out.is_some();
        let peak = |memory| match files {
            true => plan.peak_with_values(game, memory),
            false => plan.peak(memory),
        };
        let disk = match files {
            true => disk_for(plan.positions(), true),
            false => 0,
        };
        // What a checkpoint has of it; lists are not kept.
        let kept = peak(0);
        let peak = peak(limits.memory) + watched;
        if !self.common.quiet {
            eprintln!(
                "every position of {}: {} positions, {} of memory{}",
                game.spec(),
                with_commas(plan.positions()),
                format_size(peak),
                on_disk(disk)
            );
        }
        plan.check(peak, allowed).map_err(explain)?;
        check_disk(&self.args.files, disk)?;
        let folder = folder(&self.args.files)?;
        let work = self.work(folder.as_ref(), layout)?;
        if let Some(path) = &self.args.files.checkpoint {
            // New planes are written beside those of the last checkpoint.
            check_disk_at(path, disk + 2 * kept)?;
        }
        let keeps = self.args.files.checkpoint.is_some();
        let work_kept = work.as_ref().filter(|_| keeps);
        let mut kept = work_kept.map(|work| work.planes_store(EVERY));
        let mut store = Timed {
            files: work.as_ref().map(|work| work.store(game)),
            small: (files && plan.positions() <= SMALL).then(Kept::default),
            spent: Duration::ZERO,
        };
        let mut sample = Sample::draw(game, count, &mut Seeded::new(&[SEED]));
        let begin = Instant::now();
        let mut display = Display::new(self.common.quiet);
        let terms = Terms {
            instructions: Instructions::detect(),
            limits,
            monitor: &mut display,
            checkpoint: match &mut kept {
                Some(kept) => kept,
                None => &mut NoCheckpoint,
            },
        };
        let solved = if files {
            arrangements::solve_and_store(game, plan, terms, &mut store)
        } else {
            arrangements::solve(game, plan, terms, &mut |planes, value| {
                sample.note(planes, value);
                Ok(())
            })
        };
        drop(display);
        let elapsed = begin.elapsed();
        let solved = solved.map_err(explain_store)?;
        let Timed { small, spent, .. } = store;
        let written = write(work.as_ref(), (&self.args.files, layout), spent)?;
        let keeping = kept.as_ref().map_or(Duration::ZERO, PlanesStore::spent);
        kept.map_or(Ok(()), PlanesStore::remove)?;
        let seconds = (elapsed - spent - keeping).as_secs_f64();
        let mut found = self.found(Solver::Planes, &solved, seconds, written);
        if count > 0 {
            found.checked = Some(self.sampled(sample.check())?);
        }
        self.show(&found, &solved, small.as_ref())
    }

    /// What was checked, if all is well.
    fn sampled(&self, checked: Checked<G::Position>) -> Result<Sampled> {
        if let Some(fault) = checked.faults.first() {
            bail!(
                "the solve is wrong, and nothing of it can be trusted: {} is a {}, and by its successors a {}",
                self.game.format(fault.position),
                fault.value,
                fault.by_successors
            );
        }
        Ok(Sampled {
            positions: checked.positions,
            successors: checked.successors,
        })
    }
}

/// Stores layers in files, keeps those of small games, and counts the time it takes.
struct Timed<S> {
    files: Option<S>,
    small: Option<Kept>,
    spent: Duration,
}

impl<S: Store> Timed<S> {
    fn timed<T>(&mut self, act: impl FnOnce(&mut dyn Store) -> T) -> T {
        let begin = Instant::now();
        let done = match &mut self.files {
            Some(files) => act(files),
            None => act(&mut Nowhere),
        };
        self.spent += begin.elapsed();
        done
    }
}

impl<S: Store> Store for Timed<S> {
    fn put(&mut self, layer: &Layer) -> Result<(), StoreError> {
        if let Some(kept) = &mut self.small {
            kept.put(layer)?;
        }
        self.timed(|store| store.put(layer))
    }

    fn has(&mut self, layer: u32) -> Result<bool, StoreError> {
        self.timed(|store| store.has(layer))
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        let got = self.timed(|store| store.get(layer))?;
        if let Some(kept) = &mut self.small {
            kept.put(&got)?;
        }
        Ok(got)
    }

    fn put_unfinished(&mut self, unfinished: &Unfinished) -> Result<(), StoreError> {
        self.timed(|store| store.put_unfinished(unfinished))
    }

    fn get_unfinished(&mut self, layer: u32) -> Result<Option<Unfinished>, StoreError> {
        self.timed(|store| store.get_unfinished(layer))
    }
}
