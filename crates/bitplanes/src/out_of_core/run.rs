//! A solve by slices, pass by pass.

use hindsight_core::{Placement, TwoSided, Value};
use hindsight_run::{Budget, Error, Limits, Monitor, StrongSolution};

use crate::out_of_core::partition::Cut;
use crate::out_of_core::plan::SlicedPlan;
use crate::out_of_core::state::{Late, Run, Slice, Tally};
use crate::out_of_core::tile_io::{Captured, Replaced, Source};
use crate::out_of_core::tiles::{SlicedStage, Tiles};
use crate::out_of_core::tracked::Watch;
use crate::pass::recorder::Listeners;
use crate::pass::schedule::{BLOCKS_A_REPORT, How, go_over_all};
use crate::pass::sweep::{Pass, Row};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::subproblem::{Problem, captured};
use crate::thread_scratch::PerThread;
use crate::values::{found_twice, outcome, value_of};

/// How to solve by slices.
pub struct SlicedTerms<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
    /// Has the planes.
    pub tiles: &'a mut dyn Tiles,
}

/// Solves every position, and tells when some of them were decided, in their order; `None` for draws.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor, clock and tiles say.
pub fn solve_by_slices<G: TwoSided>(
    game: &G,
    plan: SlicedPlan,
    terms: SlicedTerms<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    plan.check(plan.peak, terms.limits)?;
    run(game, plan, terms, watched)
}

pub(crate) fn run<G: TwoSided>(
    game: &G,
    plan: SlicedPlan,
    terms: SlicedTerms<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(StrongSolution, Vec<Option<Value>>), Error> {
    let late = Late::new(&plan);
    let SlicedPlan { plan, cut, .. } = plan;
    let positions = plan.positions();
    let room = plan.room(&cut);
    let rearranged = plan.rearranged();
    let start = game.placement(game.start());
    let watched = start.into_iter().chain(watched);
    let watch = Watch::new((&plan.frame, &plan.problems, &cut), watched);
    let with_room = |bytes: u64| Vec::with_capacity(bytes as usize);
    let mut run = Run {
        scratch: PerThread::new(|| None),
        tiles: terms.tiles,
        stage: SlicedStage::default(),
        decided: 0,
        memory: [room.captured, room.inside, room.rows].map(with_room),
        slices: slices(&plan.problems, &cut),
        late,
        frame: plan.frame,
        problems: plan.problems,
        rearranged,
        cut,
        watch,
        positions,
    };
    run.resume()?;
    let mut clock = Budget::new(terms.limits, terms.monitor);
    run.passes(terms.instructions, &mut clock)?;
    let start_pass = run.watch.passes.first().copied();
    let start_pass = start_pass.filter(|&pass| start.is_some() && pass > 0);
    let (_, found) = run.stage.stage.found.split_last().expect("passes");
    let outcome = outcome(positions, found, start_pass)?;
    let value = |&pass: &u16| (pass > 0).then(|| value_of(usize::from(pass)));
    let watched = run.watch.passes.iter().skip(usize::from(start.is_some()));
    let values = watched.map(value).collect();
    run.remove_all()?;
    Ok((outcome, values))
}

impl Run<'_> {
    /// Takes up what was kept.
    fn resume(&mut self) -> Result<(), Error> {
        // What passes with side 0 to move found is beside their planes.
        let numbers = self.slices.len() + self.slices_to_move(0).len();
        let Some(stage) = self.tiles.stage().map_err(Error::Store)? else {
            self.stage = SlicedStage {
                slices: self.cut.count,
                written: vec![0; numbers],
                ..SlicedStage::default()
            };
            // So that it can be told apart from a solve in memory.
            return self.keep();
        };
        let decided = stage.stage.decided(self.positions);
        let fits = stage.slices == self.cut.count
            && stage.written.len() == numbers
            && stage.watched.len() == self.watch.passes.len();
        if fits && decided.is_some() && !self.may_go_on_with(&stage) {
            return Err(Error::damaged(
                "a solve by slices has passes that it did not make",
            ));
        }
        let Some(decided) = decided.filter(|_| fits) else {
            let what = "what was kept is of another game, or was begun with other memory or another sample";
            return Err(Error::Store(what.into()));
        };
        self.decided = decided;
        self.watch.passes.clone_from(&stage.watched);
        self.stage = stage;
        Ok(())
    }

    /// True if a stage names no pass that is not begun, and no slice that there is not. It has as many slices.
    fn may_go_on_with(&self, stage: &SlicedStage) -> bool {
        let passes = stage.stage.found.len();
        let pass = passes + 1;
        let begun = |by: u32| by == 0 || (1..=pass).contains(&(by as usize >> 1));
        let to_move = |mover| self.slices_to_move(mover).len() as u64;
        let planes = to_move(1 - pass % 2);
        stage.written.iter().all(|&by| begun(by))
            && stage.watched.iter().all(|&by| usize::from(by) <= pass)
            && stage.stage.planes <= planes
            && (stage.turned == 0 || passes >= 3)
            && stage.turned <= to_move(0) + 1
    }

    /// The slices of a pass with a side to move, and their numbers.
    pub(crate) fn slices_to_move(&self, mover: usize) -> Vec<(usize, Slice)> {
        let slices = self.slices.iter().copied().enumerate();
        slices.filter(|(_, slice)| slice.mover == mover).collect()
    }

    /// The pass that is not over.
    pub(crate) fn pass(&self) -> u16 {
        self.stage.stage.found.len() as u16 + 1
    }

    /// Makes passes until one finds nothing.
    fn passes(&mut self, instructions: Instructions, clock: &mut Budget<'_>) -> Result<(), Error> {
        // The last pass found nothing.
        while self.stage.stage.found.last() != Some(&0) {
            self.turn(instructions, clock)?;
            if self.rest(instructions, clock)? {
                break;
            }
            let pass = self.pass();
            let how = How {
                mover: 1 - usize::from(pass) % 2,
                first: pass <= 2,
                follows: false,
                lists: false,
                instructions,
                tell: None,
            };
            let mut captured: Option<(usize, Captured)> = None;
            let slices = self.slices_to_move(how.mover).into_iter();
            for (number, slice) in slices.skip(self.stage.stage.planes as usize) {
                if !how.first && !self.has_news(slice) {
                    self.stage.stage.planes += 1;
                    continue;
                }
                let loaded = match captured.take() {
                    Some((problem, loaded)) if problem == slice.problem => loaded,
                    other => {
                        self.give_back(0, other.and_then(|(_, plane)| plane));
                        self.captured(slice)?
                    }
                };
                match self.stage.turned {
                    0 => self.slice((number, slice), &how, loaded.as_ref(), clock)?,
                    _ => self.late((number, slice), &how, loaded.as_ref(), clock)?,
                }
                captured = Some((slice.problem, loaded));
            }
            self.give_back(0, captured.and_then(|(_, plane)| plane));
            self.stage.stage.planes = 0;
            let found = std::mem::take(&mut self.stage.stage.partly);
            self.stage.stage.found.push(found);
            self.keep()?;
        }
        Ok(())
    }

    /// Whether the last pass wrote anything of what a slice leads to.
    fn has_news(&self, slice: Slice) -> bool {
        if self.stage.turned > 0 {
            return self.has_late_news(slice);
        }
        let fewer = captured(&self.problems, slice.problem, slice.mover);
        let leads = |to: &Slice| {
            to.mover != slice.mover && (to.problem == slice.problem || Some(to.problem) == fewer)
        };
        let last = u32::from(self.pass()) - 1;
        let mut written = self.slices.iter().zip(&self.stage.written);
        written.any(|(to, &written)| leads(to) && written >> 1 == last)
    }

    /// Goes over a slice, and keeps what is new.
    fn slice(
        &mut self,
        (number, slice): (usize, Slice),
        how: &How<'_>,
        captured: Option<&Plane>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let Slice { problem, mover, .. } = slice;
        let to = Source::known(problem, 1 - mover);
        let inside = self.load(to, &self.column(to, slice.slice), 1)?;
        let of = &self.problems[problem];
        let rows = self.cut.rows((of, 1 - mover), slice.slice);
        let mut plane = self.load_rows(Source::known(problem, mover), &rows, 2)?;
        let of = &self.problems[problem];
        let pass = Pass {
            frame: &self.frame,
            problem: of,
            rearranged: &self.rearranged[mover][of.followers[mover] as usize],
            first: how.first,
            undecided: false,
            inside: &inside,
            captured,
            listeners: Listeners::default(),
        };
        let sets = &of.kept[1 - mover].sets;
        let of_plane = rows.iter().zip(plane.rows_mut()).map(|(&row, blocks)| Row {
            followers: sets[row],
            blocks,
        });
        let at_once = BLOCKS_A_REPORT.div_ceil(of.row(mover));
        let with = (&self.scratch, &self.problems[..]);
        let mut tally = self.tally(clock);
        let gone = go_over_all(of_plane, at_once, (&pass, how), with, &mut |new| {
            tally.add(new)
        });
        let found = tally.found;
        self.give_back(1, Some(inside));
        gone?;
        let mut replaced = Vec::new();
        if found > 0 || how.first {
            // What is not won, or what is lost.
            self.note(slice, (&plane, mover == 1));
            let before = self.write_rows((number, slice), (&plane, &rows))?;
            replaced.push(((number, slice), before));
        }
        self.give_back(2, Some(plane));
        self.done(found, &replaced)
    }

    /// Looks at what is watched in a slice.
    pub(crate) fn note(&mut self, slice: Slice, plane: (&Plane, bool)) {
        let Slice {
            problem,
            mover,
            slice,
        } = slice;
        let pass = self.pass();
        self.watch
            .note(&self.frame, plane, (problem, mover, slice), pass);
    }

    /// Counts what a slice finds.
    pub(crate) fn tally<'a, 'b>(&self, clock: &'a mut Budget<'b>) -> Tally<'a, 'b> {
        Tally {
            found: 0,
            decided: self.decided,
            positions: self.positions,
            clock,
        }
    }

    /// Takes down that a slice is done, then forgets the tiles that were replaced.
    pub(crate) fn done(&mut self, found: u64, replaced: &[Replaced]) -> Result<(), Error> {
        let stage = &mut self.stage.stage;
        stage.planes += 1;
        stage.partly += found;
        self.decided += found;
        if self.decided > self.positions {
            return Err(found_twice());
        }
        self.replace(replaced)
    }
}

/// All slices of all planes: those of a pass with side 0 to move first.
pub(crate) fn slices(problems: &[Problem], cut: &Cut) -> Vec<Slice> {
    let mut slices = Vec::new();
    for mover in 0..2 {
        for (problem, of) in problems.iter().enumerate() {
            let count = cut.of(of, 1 - mover).len();
            slices.extend((0..count).map(|slice| Slice {
                problem,
                mover,
                slice,
            }));
        }
    }
    slices
}
