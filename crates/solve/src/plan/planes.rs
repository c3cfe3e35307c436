//! Plans of the solvers by bit planes: in memory, by bytes, or out of core.

use hindsight_bitplanes::{
    AcyclicOptions, AcyclicPlan, BitplanePlan, InMemoryOptions, Instructions, LONGEST_STORED,
    OutOfCoreOptions, OutOfCorePlan, Sample, solve, solve_acyclic, solve_and_store,
    solve_out_of_core,
};
use hindsight_core::{PackedGame, Random, Structure, Tiers};
use hindsight_engine::{Error, Limits};

use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds, rate, rough_seconds, writing_seconds};
use super::request::{Request, StartedWork};
use super::solved::{SolvePlan, Solved};
use super::tiers::{SMALL_GAME_RANKS, TimedStore};

/// Estimate of the bytes of tiles on the disk per byte of planes. Measured: 0.29
/// (`docs/decisions/0010-ten-men.md`).
const TILE_COMPRESSION: f64 = 0.35;

/// Estimate of the positions whose passes take a byte in a checkpoint. Measured: 6.
const LOGGED_POSITIONS_PER_BYTE: u64 = 4;

/// Bytes of disk of an out-of-core solve besides its tiles.
const STAGE_BYTES: u64 = 1 << 20;

/// Plans a solve by planes.
///
/// Planes that do not fit in memory are planned out of core if there is a checkpoint. A table is
/// written only from planes in memory.
pub(super) fn plan_planes<'g>(
    game: &'g PackedGame,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let storage = request.storage;
    let is_partial = storage.table || storage.started == StartedWork::Planes;
    if request.sample > 0 && is_partial {
        return Err(PlanError::NoSample);
    }
    BitplanePlan::check_roughly(game, request.limits)?;
    let plan = BitplanePlan::new(game);
    let planner = PlanesPlanner {
        game,
        limits: request.limits,
        sample: SampleRequest::new(request),
        checkpoint: storage.checkpoint,
    };
    if let StartedWork::Slices(slices) = storage.started {
        if storage.table {
            return Err(PlanError::NoTableOfSlices);
        }
        let plan = OutOfCorePlan::with_slices(plan, slices, planner.solver_limits().memory);
        return Ok(planner.out_of_core(plan));
    }
    if storage.table {
        return Ok(planner.with_table(plan, request));
    }
    let plan = if storage.checkpoint {
        plan
    } else {
        match plan.acyclic(planner.solver_limits().memory) {
            Ok(plan) => return Ok(planner.by_bytes(plan)),
            Err(plan) => *plan,
        }
    };
    let peak = plan.peak(planner.solver_limits().memory) + planner.sample.bytes;
    if peak <= request.limits.memory || storage.started == StartedWork::Planes {
        return Ok(planner.in_memory(plan, peak));
    }
    let positions = plan.positions();
    let out_of_core = OutOfCorePlan::new(plan, planner.solver_limits().memory);
    if storage.checkpoint {
        return Ok(planner.out_of_core(out_of_core));
    }
    Err(PlanError::NeedsCheckpoint {
        error: Error::TooLarge { ranks: positions, needed: peak, limit: request.limits.memory },
        memory: out_of_core.peak(),
        disk: tile_disk_bytes(&out_of_core),
    })
}

/// Returns the least bytes of memory in which planes solve a game; `None` for games without planes,
/// and if even a plan is too large for `limits`.
pub fn planes_bytes(game: &PackedGame, limits: Limits) -> Option<u64> {
    if game.structure() != Structure::TwoSided {
        return None;
    }
    BitplanePlan::check_roughly(game, limits).ok()?;
    Some(BitplanePlan::new(game).peak(0))
}

/// Estimate of the bytes that tiles take on the disk.
fn tile_disk_bytes(plan: &OutOfCorePlan) -> u64 {
    (plan.bytes() as f64 * TILE_COMPRESSION) as u64 + STAGE_BYTES
}

/// Positions that a solve draws to check its values.
#[derive(Clone, Copy)]
struct SampleRequest {
    /// Number of positions; 0 for no check.
    count: u32,
    /// Bytes of memory that they take.
    bytes: u64,
}

impl SampleRequest {
    fn new(request: &Request<'_>) -> Self {
        Self { count: request.sample, bytes: u64::from(request.sample) * Sample::BYTES }
    }

    /// Draws the positions.
    ///
    /// # Panics
    /// If positions are requested without a source of random bits.
    fn draw(self, game: &PackedGame, random: Option<&mut dyn Random>) -> Sample {
        match random {
            Some(random) => Sample::draw(game, self.count, random),
            None if self.count == 0 => Sample::draw(game, 0, &mut NoBits),
            None => panic!("a check by drawn positions needs a source of random bits"),
        }
    }

    /// Adds the result of the check, if one was requested.
    fn conclude(self, sample: &Sample, solved: &mut Solved) {
        solved.sample = (self.count > 0).then(|| sample.check());
    }
}

/// Random bits for a sample of no positions.
struct NoBits;

impl Random for NoBits {
    fn bits(&mut self) -> u64 {
        0
    }
}

/// Parts of a request that all ways to solve by planes share.
struct PlanesPlanner<'g> {
    game: &'g PackedGame,
    /// Limits of the request.
    limits: Limits,
    sample: SampleRequest,
    /// True if unfinished planes are stored.
    checkpoint: bool,
}

impl<'g> PlanesPlanner<'g> {
    /// Limits without the memory of the sample.
    fn solver_limits(&self) -> Limits {
        Limits { memory: self.limits.memory.saturating_sub(self.sample.bytes), ..self.limits }
    }

    fn needs(&self, extent: Extent, memory: u64, disk: DiskNeeds) -> SolveNeeds {
        let (positions, rate) = match extent {
            Extent::Slices(positions) => (positions, rate::SLICES),
            extent => (extent.positions().unwrap_or(0), rate::PLANES),
        };
        SolveNeeds {
            method: Method::Planes,
            choice: None,
            extent,
            memory,
            position_bytes: 0,
            value_bytes: 0,
            disk,
            seconds: Some(rough_seconds(positions, rate)),
            writing_seconds: if disk.table > 0 { writing_seconds(positions) } else { 0.0 },
            max_remoteness: None,
        }
    }

    /// Bytes of unfinished planes in the checkpoint: new ones are written beside those of the last
    /// save; frontiers are not saved.
    fn unfinished_bytes(&self, peak_without_frontiers: u64) -> u64 {
        if self.checkpoint { 2 * peak_without_frontiers } else { 0 }
    }

    /// Plans planes in memory that keep no values.
    fn in_memory(self, plan: BitplanePlan, peak: u64) -> SolvePlan<'g> {
        let disk =
            DiskNeeds { unfinished: self.unfinished_bytes(plan.peak(0)), ..DiskNeeds::default() };
        let needs = self.needs(Extent::Planes(plan.positions()), peak, disk);
        let (game, sample, limits) = (self.game, self.sample, self.solver_limits());
        let run = move |io: SolveIo<'_>| {
            let mut drawn = sample.draw(game, io.random);
            let options = InMemoryOptions {
                instructions: Instructions::detect(),
                limits,
                monitor: io.monitor,
                checkpoint: io.checkpoint,
            };
            let solution = solve(game, plan, options, &mut |planes, value| {
                drawn.record(planes, value);
                Ok(())
            })?;
            let mut solved = Solved::strong(solution);
            sample.conclude(&drawn, &mut solved);
            Ok(solved)
        };
        SolvePlan::new(needs, self.limits, run)
    }

    /// Plans planes in memory whose values go into a table.
    fn with_table(self, plan: BitplanePlan, request: &Request<'_>) -> SolvePlan<'g> {
        let layers = request.storage.layers;
        let limits = self.solver_limits();
        let peak = plan.peak_with_store(self.game, layers, limits.memory, self.checkpoint);
        let positions = plan.positions();
        let disk = DiskNeeds {
            unfinished: self.unfinished_bytes(plan.peak(0)) + positions / LOGGED_POSITIONS_PER_BYTE,
            ..DiskNeeds::of_values(self.game, positions, true)
        };
        let keeps_values =
            positions <= SMALL_GAME_RANKS && peak.saturating_add(positions) <= self.limits.memory;
        let value_bytes = if keeps_values { positions } else { 0 };
        let needs = SolveNeeds {
            max_remoteness: Some(LONGEST_STORED),
            position_bytes: 0,
            value_bytes,
            ..self.needs(Extent::Planes(positions), peak.saturating_add(value_bytes), disk)
        };
        let game = self.game;
        let run = move |io: SolveIo<'_>| {
            let mut store = TimedStore::new(io.layers, keeps_values);
            let options = InMemoryOptions {
                instructions: Instructions::detect(),
                limits,
                monitor: io.monitor,
                checkpoint: io.checkpoint,
            };
            let mut solved = Solved::strong(solve_and_store(game, plan, options, &mut store)?);
            store.hand_over(game.layers(), &mut solved)?;
            Ok(solved)
        };
        SolvePlan::new(needs, self.limits, run)
    }

    /// Plans planes in tiles, slice by slice.
    fn out_of_core(self, plan: OutOfCorePlan) -> SolvePlan<'g> {
        let disk = DiskNeeds { unfinished: tile_disk_bytes(&plan), ..DiskNeeds::default() };
        let peak = plan.peak() + self.sample.bytes;
        let needs = self.needs(Extent::Slices(plan.positions()), peak, disk);
        let (game, sample, limits) = (self.game, self.sample, self.solver_limits());
        let run = move |io: SolveIo<'_>| {
            let mut drawn = sample.draw(game, io.random);
            let options = OutOfCoreOptions {
                instructions: Instructions::detect(),
                limits,
                monitor: io.monitor,
                checkpoint: io.checkpoint.expect("a solve by slices has a checkpoint"),
            };
            let (solution, values) = solve_out_of_core(game, plan, options, drawn.tracked())?;
            drawn.set_values(&values);
            let mut solved = Solved::strong(solution);
            sample.conclude(&drawn, &mut solved);
            Ok(solved)
        };
        SolvePlan::new(needs, self.limits, run)
    }

    /// Plans bytes in memory, for games in which no piece can move backwards.
    fn by_bytes(self, plan: AcyclicPlan) -> SolvePlan<'g> {
        let peak = plan.peak() + self.sample.bytes;
        let needs = self.needs(Extent::Bytes(plan.positions()), peak, DiskNeeds::default());
        let (game, sample, limits) = (self.game, self.sample, self.solver_limits());
        let run = move |io: SolveIo<'_>| {
            let mut drawn = sample.draw(game, io.random);
            let options = AcyclicOptions {
                instructions: Instructions::detect(),
                limits,
                monitor: io.monitor,
            };
            let (solution, values) = solve_acyclic(game, plan, options, drawn.tracked())?;
            drawn.set_values(&values);
            let mut solved = Solved::strong(solution);
            sample.conclude(&drawn, &mut solved);
            Ok(solved)
        };
        SolvePlan::new(needs, self.limits, run)
    }
}
