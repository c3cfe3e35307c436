//! Honest tables and checkpoints of small games, and what is done with forged ones.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, OutOfCoreOptions, OutOfCorePlan, TileStore,
    solve_and_store, solve_out_of_core,
};
use hindsight_core::{ForbiddenMove, Game, Notation, Probe, Ranked, Retro, Symmetry};
use hindsight_rules::onitama::{Card, Onitama, OnitamaPlayer, OnitamaSetup};
use hindsight_rules::ostle::{Ostle, OstleSetup};
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_rules::tic_tac_toe::TicTacToe;
use hindsight_solve::distance::{self, DistanceProbe, DistanceReader, NextStates};
use hindsight_solve::tiered::TierPlan as TieredPlan;
use hindsight_solve::{
    Error, Limits, MemoryStore, Monitor, NoMonitor, Progress, Store, forbidden_move, pawn_pairs,
    tiered,
};
use hindsight_tablebase::{
    CheckpointDir, Layout, Table, TableVerdict, verify, verify_distances, verify_pairs,
    verify_states,
};

/// States or positions that are probed.
const PROBED: usize = 30;

/// Long after a small game is solved.
const TIME: Duration = Duration::from_secs(60);

pub struct Games {
    pub tic_tac_toe: TicTacToe,
    pub quoridor: Quoridor,
    pub onitama: Onitama<u16>,
    pub ostle: Ostle,
}

pub static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let card = |text: &str| Card::parse_inline(text, OnitamaPlayer::Red).expect("a card");
    let cards = [
        "(-1,1)(1,0)",
        "(0,1)(0,-1)",
        "(1,1)(-1,0)",
        "(0,1)",
        "(2,0)(0,1)",
    ];
    let setup = OnitamaSetup::new(2, 3, cards.map(card).to_vec());
    Games {
        tic_tac_toe: TicTacToe {
            symmetry: Symmetry::All,
        },
        quoridor: Quoridor::new(QuoridorSetup::new(3, 3, 1), Symmetry::All),
        onitama: Onitama::new(setup, Symmetry::All),
        ostle: Ostle::new(OstleSetup::new(3, 2, 1), Symmetry::All),
    }
});

/// The tables that are forged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    TicTacToe,
    Quoridor,
    Onitama(Layout),
    States,
    Distances,
}

pub const KINDS: [Kind; 6] = [
    Kind::TicTacToe,
    Kind::Quoridor,
    Kind::Onitama(Layout::Full),
    Kind::Onitama(Layout::Compact),
    Kind::States,
    Kind::Distances,
];

pub static TABLES: LazyLock<Vec<(Kind, Vec<u8>)>> =
    LazyLock::new(|| KINDS.into_iter().map(|kind| (kind, table(kind))).collect());

fn table(kind: Kind) -> Vec<u8> {
    let games = &*GAMES;
    match kind {
        Kind::TicTacToe => by_tiers(&games.tic_tac_toe, Layout::Full),
        Kind::Quoridor => {
            let mut kept = MemoryStore::default();
            let (game, plan) = (&games.quoridor, TieredPlan::new(&games.quoridor));
            pawn_pairs::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor)
                .expect("a game");
            written(game, &kept, Layout::Full)
        }
        Kind::Onitama(layout) => by_tiers(&games.onitama, layout),
        Kind::States => finished(Layout::States, |work| {
            let mut put = |solved| work.put_states(&games.ostle, &solved).map_err(stored);
            let (limits, silent) = (Limits::default(), &mut NoMonitor);
            forbidden_move::solve(&games.ostle, limits, silent, &mut put).expect("a game");
        }),
        Kind::Distances => finished(Layout::Distances, |work| {
            let (rules, limits) = (NextStates::Allowed, Limits::default());
            let found =
                distance::solve(&games.ostle, rules, limits, &mut NoMonitor).expect("a game");
            for layer in 0..games.ostle.base().layers() {
                work.put_distances(&games.ostle, layer, &found)
                    .expect("a layer is kept");
            }
        }),
    }
}

fn stored(error: hindsight_tablebase::TableError) -> Error {
    Error::Store(error.into())
}

fn by_tiers<G: Retro + Notation>(game: &G, layout: Layout) -> Vec<u8> {
    let mut kept = MemoryStore::default();
    let plan = TieredPlan::new(game);
    tiered::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor).expect("a game");
    written(game, &kept, layout)
}

fn written<G: Retro + Notation>(game: &G, kept: &MemoryStore, layout: Layout) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let work = CheckpointDir::create(dir.path(), &game.spec(), layout).expect("a checkpoint");
    for layer in &kept.0 {
        work.layer_store(game).put(layer).expect("a layer is kept");
    }
    bytes_of(&work)
}

fn finished(layout: Layout, put: impl Fn(&CheckpointDir)) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let work =
        CheckpointDir::create(dir.path(), &GAMES.ostle.spec(), layout).expect("a checkpoint");
    put(&work);
    bytes_of(&work)
}

fn bytes_of(work: &CheckpointDir) -> Vec<u8> {
    let mut bytes = Vec::new();
    work.finish(&mut bytes).expect("a table");
    bytes
}

/// The answer to a forged table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Taken {
    /// It does not open.
    Closed,
    /// Its header is not of its game.
    Unfit,
    /// It opens, and a check finds it.
    Found,
    /// The change has no meaning.
    Sound,
}

/// Opens a table of a kind, reads of it what there is, and checks it.
pub fn attack(kind: Kind, bytes: &[u8]) -> Taken {
    let games = &*GAMES;
    match Table::open(bytes) {
        Err(error) => {
            assert!(error.is_damage(), "{error}");
            Taken::Closed
        }
        Ok(table) => match kind {
            Kind::TicTacToe => ranked(&table, &games.tic_tac_toe, verify),
            Kind::Quoridor => ranked(&table, &games.quoridor, verify_pairs),
            Kind::Onitama(_) => ranked(&table, &games.onitama, verify),
            Kind::States | Kind::Distances => restricting(&table, &games.ostle),
        },
    }
}

type Checked = Result<TableVerdict, hindsight_tablebase::TableError>;

fn taken(fits: bool, checked: Checked) -> Taken {
    let is_sound = match checked {
        Ok(verdict) => verdict.faults.is_empty(),
        Err(hindsight_tablebase::TableError::OtherContent { .. }) => false,
        Err(error) => panic!("a fault, and no error: {error}"),
    };
    match (fits, is_sound) {
        (true, true) => Taken::Sound,
        (true, false) => Taken::Found,
        (false, true) => panic!("a check passes a header that is not of its game"),
        (false, false) => Taken::Unfit,
    }
}

fn ranked<'a, G: Retro>(
    table: &Table<&'a [u8]>,
    game: &G,
    check: impl Fn(&Table<&'a [u8]>, &G, Limits, &mut dyn Monitor) -> Checked,
) -> Taken {
    let fits = table.info().fits(game).is_ok();
    if fits {
        let reader = table.with(game);
        let mut moves = Vec::new();
        for position in positions(game) {
            moves.clear();
            game.moves(position, &mut moves);
            for next in moves.iter().map(|&mv| game.play(position, mv)) {
                if let Ok(hindsight_core::Answer::Exact(value)) = reader.probe(next) {
                    std::hint::black_box(value.before());
                }
            }
        }
        for layer in 0..=game.layers() {
            drop(table.decode_layer(game, layer));
        }
        hindsight_tablebase::verify_memory(table, game).expect("bytes in memory");
    }
    taken(fits, check(table, game, Limits::default(), &mut NoMonitor))
}

fn positions<G: Ranked>(game: &G) -> Vec<G::Position> {
    let mut tiers = Vec::new();
    (0..game.layers()).for_each(|layer| game.tiers(layer, &mut tiers));
    let places = tiers.into_iter().flat_map(|tier| {
        let len = game.tier_len(tier);
        (0..len)
            .step_by((len as usize).div_ceil(5).max(1))
            .map(move |rank| (tier, rank))
    });
    let places: Vec<(u64, u64)> = places.collect();
    let step = places.len().div_ceil(PROBED).max(1);
    let places = places.into_iter().step_by(step);
    let unranked = places.filter_map(|(tier, rank)| game.unrank(tier, rank));
    unranked
        .filter(|&position| game.terminal(position).is_none())
        .collect()
}

fn restricting(table: &Table<&[u8]>, game: &Ostle) -> Taken {
    let fits = table.info().fits_states(game).is_ok();
    if fits {
        let (states, distances) = (table.with_states(game), table.with_distances(game));
        let reached = DistanceReader::new(game, &distances);
        for base in positions(game.base()) {
            let mut next = vec![game.encode(base, None)];
            game.successors(next[0], &mut next);
            for state in next {
                if let Ok(hindsight_core::Answer::Exact(value)) = states.probe(state) {
                    std::hint::black_box(value.before());
                }
                if let Some((tier, rank, _)) = game.rank_state(state) {
                    drop(distances.probe_distances(tier, rank));
                }
            }
            drop(reached.shortest_line(game.encode(base, None)));
        }
        for layer in 0..=game.base().layers() {
            drop((
                table.decode_states(game, layer),
                table.decode_unrestricted(game, layer),
            ));
        }
    }
    let check = match table.info().layout {
        Layout::Distances => verify_distances,
        _ => verify_states,
    };
    taken(fits, check(table, game, Limits::default(), &mut NoMonitor))
}

/// The checkpoints that are forged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    Tiers,
    Pairs,
    States,
    Distances,
    Planes,
    Slices,
}

pub const STOPPED: [Stopped; 6] = [
    Stopped::Tiers,
    Stopped::Pairs,
    Stopped::States,
    Stopped::Distances,
    Stopped::Planes,
    Stopped::Slices,
];

/// The files of a checkpoint, by name.
pub type Files = Vec<(String, Vec<u8>)>;

pub static CHECKPOINTS: LazyLock<Vec<(Stopped, Files)>> = LazyLock::new(|| {
    let of = |stopped: Stopped| {
        checkpoints(stopped)
            .into_iter()
            .map(move |files| (stopped, files))
    };
    STOPPED.into_iter().flat_map(of).collect()
});

/// Stops after some reports.
struct After(u32);

impl Monitor for After {
    fn report(&mut self, _: Progress) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// A solve stopped at several moments.
fn checkpoints(stopped: Stopped) -> Vec<Files> {
    let moments = [2, 4, 7, 12, 25];
    let at = moments.map(|reports| {
        let dir = tempfile::tempdir().expect("a folder");
        let work = CheckpointDir::create(dir.path(), &spec(stopped), layout(stopped));
        drop(work.expect("a checkpoint"));
        let done = go_on(stopped, dir.path(), &mut After(reports)).expect("a checkpoint");
        done.is_err().then(|| files(dir.path()))
    });
    at.into_iter()
        .flatten()
        .filter(|files| files.len() > 1)
        .collect()
}

fn layout(stopped: Stopped) -> Layout {
    match stopped {
        Stopped::States => Layout::States,
        Stopped::Distances => Layout::Distances,
        _ => Layout::Full,
    }
}

fn spec(stopped: Stopped) -> String {
    match stopped {
        Stopped::States | Stopped::Distances => GAMES.ostle.spec(),
        Stopped::Pairs => GAMES.quoridor.spec(),
        Stopped::Tiers | Stopped::Planes | Stopped::Slices => GAMES.onitama.spec(),
    }
}

pub fn files(dir: &Path) -> Files {
    let entries = std::fs::read_dir(dir).expect("a folder").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), std::fs::read(&path).expect("a file"))
    });
    let mut files: Files = entries.collect();
    files.sort();
    files
}

/// Goes on with a checkpoint. The first result is that of opening it.
fn go_on(
    stopped: Stopped,
    dir: &Path,
    monitor: &mut dyn Monitor,
) -> Result<Result<(), Error>, hindsight_tablebase::TableError> {
    let limits = Limits {
        time: Some(TIME),
        ..Limits::default()
    };
    let (games, every) = (&*GAMES, Duration::MAX);
    let work = CheckpointDir::resume(dir, &spec(stopped), layout(stopped))?;
    Ok(match stopped {
        Stopped::Tiers => {
            let game = &games.onitama;
            let plan = TieredPlan::new(game);
            tiered::solve(game, &plan, &mut work.layer_store(game), limits, monitor).map(drop)
        }
        Stopped::Pairs => {
            let game = &games.quoridor;
            let plan = TieredPlan::new(game);
            pawn_pairs::solve(game, &plan, &mut work.layer_store(game), limits, monitor).map(drop)
        }
        Stopped::States => {
            let mut store = work.state_store(&games.ostle, every);
            forbidden_move::solve_from(&games.ostle, &mut store, limits, monitor).map(drop)
        }
        Stopped::Distances => {
            let mut store = work.distances_store(every);
            let (game, rules) = (&games.ostle, NextStates::Allowed);
            let found = distance::solve_from(game, rules, &mut store, limits, monitor);
            found.and_then(|found| work.put_distances(game, 0, &found).map_err(stored))
        }
        Stopped::Planes => {
            let game = &games.onitama;
            let terms = InMemoryOptions {
                instructions: Instructions::detect(),
                limits,
                monitor,
                checkpoint: &mut work.planes_store(every),
            };
            let plan = BitplanePlan::new(game);
            solve_and_store(game, plan, terms, &mut work.layer_store(game)).map(drop)
        }
        Stopped::Slices => {
            let game = &games.onitama;
            let mut tiles = work.tiles_store();
            let begun = match tiles.stage() {
                Ok(begun) => begun,
                Err(error) => return Ok(Err(Error::Store(error))),
            };
            let slices = begun.map_or(3, |stage| stage.slices);
            let plan = OutOfCorePlan::with_slices(BitplanePlan::new(game), slices, 1 << 30);
            let terms = OutOfCoreOptions {
                instructions: Instructions::detect(),
                limits,
                monitor,
                tiles: &mut tiles,
            };
            let watched = positions(game).into_iter().filter_map(|p| {
                use hindsight_core::TwoSided;
                game.placement(p)
            });
            solve_out_of_core(game, plan, terms, watched).map(drop)
        }
    })
}

/// Goes on with a checkpoint one of whose files was forged; whether that was refused. A file that is refused is left.
pub fn attack_checkpoint(stopped: Stopped, files: &Files, forged: (usize, &[u8])) -> bool {
    let dir = tempfile::tempdir().expect("a folder");
    for (i, (name, bytes)) in files.iter().enumerate() {
        let bytes = if i == forged.0 { forged.1 } else { bytes };
        std::fs::write(dir.path().join(name), bytes).expect("room");
    }
    let done = go_on(stopped, dir.path(), &mut NoMonitor);
    let is_refused = !matches!(done, Ok(Ok(())));
    if let Ok(Err(error)) = &done {
        assert!(
            !matches!(error, Error::Time { .. } | Error::Memory { .. }),
            "{error}"
        );
    }
    let (name, _) = &files[forged.0];
    if is_refused && stopped != Stopped::Slices {
        let left = std::fs::read(dir.path().join(name)).expect("the file is left");
        assert!(left == forged.1, "{name} was changed");
    }
    is_refused
}
