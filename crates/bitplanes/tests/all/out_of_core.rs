//! A solve by slices finds what the tiered one finds, position by position, whatever memory it has and whenever it is killed.

use std::collections::HashMap;

use hindsight_bitplanes::{
    BitplanePlan, Instructions, OutOfCoreOptions, OutOfCorePlan, OutOfCoreStage, Tile, TileRead,
    TileStore, TileWrite, solve_out_of_core,
};
use hindsight_core::{Answer, Game, Notation, Probe, Retro, TwoSided, Value};
use hindsight_rules::{Setup, Visitor, by_name};
use hindsight_run::StrongSolution;
use hindsight_solve::{Error, Limits, MemoryStore, Monitor, NoMonitor, StoreError, tiered};
use hindsight_testkit::every_position;

/// Tiles in memory. Everything fails after so many calls.
#[derive(Default)]
struct InMemory {
    tiles: HashMap<Tile, Vec<u8>>,
    stage: Option<OutOfCoreStage>,
    calls_left: Option<u32>,
}

impl InMemory {
    fn call(&mut self) -> Result<(), StoreError> {
        match &mut self.calls_left {
            None => Ok(()),
            Some(0) => Err("killed".into()),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }
}

impl TileStore for InMemory {
    fn put(&mut self, tiles: Vec<TileWrite<'_>>) -> Result<(), StoreError> {
        for given in tiles {
            self.call()?;
            self.tiles.insert(given.tile, given.bytes.to_vec());
        }
        Ok(())
    }

    fn get(&mut self, tiles: Vec<TileRead<'_>>) -> Result<(), StoreError> {
        for wanted in tiles {
            self.call()?;
            let tile = &self.tiles[&wanted.tile];
            assert_eq!(tile.len() as u64, wanted.bytes);
            for (begin, piece) in wanted.pieces {
                piece.copy_from_slice(&tile[begin as usize..][..piece.len()]);
            }
        }
        Ok(())
    }

    fn remove(&mut self, tile: Tile) -> Result<(), StoreError> {
        self.call()?;
        self.tiles.remove(&tile);
        Ok(())
    }

    fn put_stage(&mut self, stage: &OutOfCoreStage) -> Result<(), StoreError> {
        self.call()?;
        self.stage = Some(stage.clone());
        Ok(())
    }

    fn stage(&mut self) -> Result<Option<OutOfCoreStage>, StoreError> {
        Ok(self.stage.clone())
    }
}

type Solved = Result<(StrongSolution, Vec<Option<Value>>), Error>;

fn solve<G: TwoSided>(
    game: &G,
    memory: u64,
    watched: &[G::Position],
    monitor: &mut dyn Monitor,
    tiles: &mut dyn TileStore,
) -> Solved {
    let terms = OutOfCoreOptions {
        instructions: Instructions::detect(),
        limits: Limits::default(),
        monitor,
        tiles,
    };
    let arranged = |&position| game.placement(position).expect("a game that is not over");
    let plan = OutOfCorePlan::new(BitplanePlan::new(game), memory);
    solve_out_of_core(game, plan, terms, watched.iter().map(arranged))
}

/// Solves by more and more slices; adds up what that took.
struct Agrees<'a>(&'a mut Took);

/// What solves took at most.
#[derive(Default)]
struct Took {
    slices: u64,
    /// The last pass that wrote down what it found: tiles of what is undecided, and a third as many again.
    late: usize,
    /// Passes that wrote no tiles.
    in_memory: usize,
}

impl Took {
    fn add(&mut self, slices: u64, stage: &OutOfCoreStage) {
        let last = |written: &[u32]| {
            let passes = written.iter().map(|&written| written as usize >> 1);
            passes.max().unwrap_or(0)
        };
        // The last pass finds nothing.
        let passes = stage.passes.found.len() - 1;
        self.slices = self.slices.max(slices);
        // The first two passes write, whatever they find.
        let in_memory = passes.saturating_sub(last(&stage.versions));
        self.in_memory = self.in_memory.max(in_memory);
        let found = stage.versions.len() / 3 * 2;
        self.late = self.late.max(last(&stage.versions[found..]));
    }
}

impl Visitor for Agrees<'_> {
    type Output = ();

    fn visit<G: Game + Notation>(self, game: G) {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
        let mut kept = MemoryStore::default();
        let plan = tiered::TierPlan::new(&game);
        let expected = tiered::solve(&game, &plan, &mut kept, Limits::default(), &mut NoMonitor);
        let expected = expected.expect("a solve without limits");
        let positions = every_position(&game);
        let whole = OutOfCorePlan::new(BitplanePlan::new(&game), u64::MAX);
        assert_eq!(whole.slices(), 1, "{}", game.spec());
        for part in [1, 3, u64::MAX] {
            let memory = whole.peak() / part;
            let mut tiles = InMemory::default();
            let solved = solve(&game, memory, &positions, &mut NoMonitor, &mut tiles);
            let (outcome, values) = solved.expect("a solve without limits");
            assert_eq!(outcome, expected, "{} {part}", game.spec());
            for (&position, value) in positions.iter().zip(values) {
                let Ok(answer) = kept.with(&game).probe(position);
                let value = Answer::Exact(value.unwrap_or(Value::Draw));
                assert_eq!(answer, value, "{} {part}", game.format(position));
            }
            assert!(
                tiles.tiles.is_empty(),
                "{} tiles are left",
                tiles.tiles.len()
            );
            let slices = OutOfCorePlan::new(BitplanePlan::new(&game), memory).slices();
            self.0.add(slices, &tiles.stage.expect("a stage"));
        }
    }
}

#[test]
fn slices_agree_with_tiers_position_by_position() {
    let specs = [
        "onitama:1x2:boar",
        "onitama:2x3:boar",
        "onitama:3x3:boar",
        "onitama:2x4:boar,ox,elephant,horse,crab",
        "onitama:3x2:tiger,crab,monkey,crane,dragon",
        "onitama:3x3:ox,ox,tiger,tiger,boar",
        "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
        "onitama:5x3:boar,ox,horse,eel,cobra:students=1",
        "onitama:5x3:boar:students=2",
        "onitama:3x4:boar,ox,elephant,horse,crab:students=1",
        "onitama:7x4:tiger:students=1",
        "onitama:4x8:boar,boar,ox,ox,tiger:students=0",
    ];
    let mut took = Took::default();
    for spec in specs {
        by_name(spec, &Setup::default(), Agrees(&mut took)).expect(spec);
    }
    assert!(took.slices > 8, "{} slices at most", took.slices);
    assert!(took.late > 10, "none was late after pass {}", took.late);
    assert!(took.in_memory > 10, "{} passes in memory", took.in_memory);
}

/// Kills a solve after ever more calls of its store, and goes on.
struct Killed;

impl Visitor for Killed {
    type Output = u32;

    fn visit<G: Game + Notation>(self, game: G) -> u32 {
        panic!("{} has no arrangements", game.spec())
    }

    fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) -> u32 {
        let positions: Vec<_> = every_position(&game).into_iter().step_by(7).collect();
        let memory = OutOfCorePlan::new(BitplanePlan::new(&game), u64::MAX).peak() / 2;
        let solve = |tiles: &mut InMemory| solve(&game, memory, &positions, &mut NoMonitor, tiles);
        let expected = solve(&mut InMemory::default()).expect("a solve without limits");
        let mut tiles = InMemory::default();
        let mut kills = 0;
        loop {
            tiles.calls_left = Some(60 + 7 * kills);
            match solve(&mut tiles) {
                Ok(solved) => {
                    assert!(solved == expected, "{} after {kills}", game.spec());
                    return kills;
                }
                Err(Error::Store(_)) => kills += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn a_solve_that_is_killed_goes_on() {
    for spec in [
        "onitama:3x3:boar",
        "onitama:2x4:boar,ox,elephant,horse,crab",
    ] {
        let kills = by_name(spec, &Setup::default(), Killed).expect(spec);
        assert!(kills > 5, "{spec}: {kills}");
    }
}
