//! Solves that store their work, and tables that they write.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use hindsight_games::{
    Error, Layout, Limits, Method, NoMonitor, Options, PlanError, Random, SampleTask, SolveFolder,
    SolveTask, Symmetry,
};

use crate::{TestTable, check_resumed};

/// A game for each structure and method that writes tables.
const SOLVES: [(&str, Method); 6] = [
    ("tic-tac-toe", Method::Tiered),
    ("dodgem:3x3", Method::Tiered),
    ("quoridor:3x3:1", Method::Auto),
    ("onitama:3x3:boar", Method::Tiered),
    ("onitama:3x3:boar", Method::Planes),
    ("ostle:3x3:2:1", Method::Auto),
];

fn writing(table: &Path) -> Options {
    Options { table: Some(table.to_path_buf()), ..Options::default() }
}

#[test]
fn a_table_has_what_was_solved_and_nothing_else_is_left() -> Result<(), Error> {
    for (spec, method) in SOLVES {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.table");
        let game = hindsight_games::game(spec)?;
        let solved = game.solve(method, &writing(&path))?;
        let table = hindsight_games::open(&path)?;
        assert_eq!(table.game().spec(), game.spec());
        assert_eq!(solved.start_value().exact(), Some(table.info().start.value));
        assert!(table.verify(&Options::default())?.faults.is_empty());
        let files: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
        assert_eq!(files.len(), 1, "{spec}: {files:?}");
    }
    Ok(())
}

#[test]
fn a_file_that_exists_is_not_overwritten() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.table");
    fs::write(&path, "mine").expect("a file");
    let error =
        hindsight_games::game("tic-tac-toe")?.solve(Method::Auto, &writing(&path)).unwrap_err();
    assert!(matches!(error, Error::Unwritable { .. }), "{error}");
    assert_eq!(fs::read(&path).expect("the file"), b"mine");
    Ok(())
}

#[test]
fn a_solve_that_is_stopped_is_resumed_to_the_same_table() -> Result<(), Error> {
    for (spec, method) in SOLVES {
        let game = hindsight_games::game(spec)?;
        check_resumed(|options| game.solve(method, options).map(|_| ()))?;
    }
    Ok(())
}

#[test]
fn a_table_whose_name_was_taken_meanwhile_is_kept() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.table");
    let taken = path.clone();
    let options = Options {
        checkpoint: Some(folder.path().join("work")),
        progress: Some(Arc::new(move |_| fs::write(&taken, "mine").is_ok())),
        ..writing(&path)
    };
    let game = hindsight_games::game("onitama:3x4:boar")?;
    let error = game.solve(Method::Planes, &options).unwrap_err();
    let Error::KeptElsewhere { kept, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(fs::read(&path).expect("the file"), b"mine");
    let table = hindsight_games::open(kept)?;
    assert_eq!(table.probe(&game.start())?.to_string(), "win in 21 plies");
    Ok(())
}

#[test]
fn a_table_may_be_read_by_whoever_may_read_new_files() -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let file = TestTable::of("tic-tac-toe");
    let other = file.folder.path().join("other");
    fs::write(&other, "").expect("a file");
    let mode = |path: &Path| path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode(&file.path), mode(&other));
    Ok(())
}

#[test]
fn work_that_a_method_does_not_do_is_refused_before_it_begins() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let game = hindsight_games::game("quoridor:3x3:1")?;
    let table = writing(&folder.path().join("x.table"));
    let checkpoint = Options { checkpoint: Some(folder.path().join("work")), ..Options::default() };
    for (method, options) in [(Method::Forward, &table), (Method::Forward, &checkpoint)] {
        let error = game.solve(method, options).unwrap_err();
        assert!(matches!(error, Error::Plan(PlanError::StoresNothing)), "{error}");
    }
    let resume = Options { resume: true, ..table };
    let error = game.solve(Method::Auto, &resume).unwrap_err();
    assert!(matches!(error, Error::NoCheckpoint), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    Ok(())
}

/// Source of random bits that counts.
struct Counter(u64);

impl Random for Counter {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0
    }
}

#[test]
fn positions_are_drawn_to_check_planes_alone() -> Result<(), Error> {
    let check = |spec: &str, method| {
        hindsight_games::game(spec)?.run(SolveTask {
            method,
            sample: Some(SampleTask { positions: 40, random: &mut Counter(1) }),
            ..SolveTask::new(&mut |_| Ok(Box::new(NoMonitor)))
        })
    };
    let outcome = check("onitama:3x4:boar", Method::Planes)?;
    let sample = outcome.solved.sample().expect("a check");
    assert_eq!((sample.positions, sample.fault), (40, None));
    for method in [Method::Tiered, Method::Reachable] {
        let error = check("onitama:3x3:boar", method).unwrap_err();
        assert!(matches!(error, Error::Plan(PlanError::NoSample)), "{error}");
    }
    Ok(())
}

#[test]
fn needs_are_known_without_a_solve() -> Result<(), Error> {
    for (spec, method) in SOLVES {
        let game = hindsight_games::game(spec)?;
        let needs = game.needs(method, &Options::default())?;
        let outcome =
            game.run(SolveTask { method, ..SolveTask::new(&mut |_| Ok(Box::new(NoMonitor))) })?;
        assert_eq!(needs.extent, outcome.needs.extent);
        assert_eq!(needs.method, outcome.needs.method);
        assert!(needs.seconds.is_some_and(|seconds| seconds < 1.0));
    }
    Ok(())
}

#[test]
fn layouts_and_methods_of_other_games_are_refused() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |spec: &str, method, layout| {
        let mut out = Vec::new();
        let outcome = hindsight_games::game(spec)?.run(SolveTask {
            method,
            layout: Some(layout),
            folder: Some(SolveFolder {
                path: folder.path(),
                resume: false,
                is_checkpoint: false,
                limit_as_begun: false,
            }),
            table: Some(&mut out),
            ..SolveTask::new(&mut |_| Ok(Box::new(NoMonitor)))
        });
        outcome.map(|outcome| outcome.table)
    };
    let error = run("quoridor:3x3:1", Method::Auto, Layout::States).unwrap_err();
    assert!(matches!(error, Error::NoStates(_)), "{error}");
    let error = run("ostle:3x3:2:1", Method::Auto, Layout::Compact).unwrap_err();
    assert!(matches!(error, Error::OnlyStates(_)), "{error}");
    let error = run("tic-tac-toe", Method::Planes, Layout::Full).unwrap_err();
    assert!(matches!(error, Error::Plan(_)), "{error}");
    let table = run("quoridor:3x3:1", Method::Auto, Layout::Compact)?.expect("a table");
    assert_eq!(table.layout, Layout::Compact);
    assert!(table.bytes > 0);
    Ok(())
}

#[test]
fn a_solve_that_its_caller_refuses_begins_nothing() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("work");
    let error = hindsight_games::game("quoridor:3x3:1")?
        .run(SolveTask {
            folder: Some(SolveFolder {
                path: &path,
                resume: false,
                is_checkpoint: true,
                limit_as_begun: false,
            }),
            ..SolveTask::new(&mut |needs| Err(format!("{} bytes", needs.memory).into()))
        })
        .unwrap_err();
    assert!(matches!(error, Error::Refused(_)), "{error}");
    assert!(!path.exists());
    Ok(())
}

/// Solves with a checkpoint, in some bytes of memory.
fn solve_within(
    memory: u64,
    folder: SolveFolder<'_>,
) -> Result<hindsight_games::SolveOutcome, Error> {
    hindsight_games::game("quoridor:3x3:2")?.run(SolveTask {
        method: Method::Tiered,
        limits: Limits { memory, ..Limits::default() },
        folder: Some(folder),
        ..SolveTask::new(&mut |_| Ok(Box::new(NoMonitor)))
    })
}

#[test]
fn a_resume_that_was_let_in_is_let_in_again_whatever_memory_is_free() -> Result<(), Error> {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("work");
    let folder = |resume, limit_as_begun| SolveFolder {
        path: &path,
        resume,
        is_checkpoint: true,
        limit_as_begun,
    };
    let too_little = 1 << 20;
    let begun = solve_within(1 << 30, folder(false, true))?;
    let enough = begun.needs.memory;
    drop(begun);
    let refused = solve_within(too_little, folder(true, false)).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("bytes of memory"), "{text}");
    let resumed = solve_within(too_little, folder(true, true))?;
    assert!(resumed.needs.memory > too_little);
    drop(resumed);
    // The limit is a hint: without it, or if it is damaged, the limit of the task counts.
    for text in [&b"zeros"[..], b""] {
        fs::write(path.join("memory.part"), text).expect("a file");
        solve_within(too_little, folder(true, true)).unwrap_err();
        solve_within(enough, folder(true, true))?;
    }
    Ok(())
}

#[test]
fn layers_of_an_earlier_run_are_among_the_values_that_are_kept() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    for (spec, method) in
        [("onitama:3x3:boar,ox,crab,eel,frog", Method::Planes), ("quoridor:3x3:2", Method::Tiered)]
    {
        let game = hindsight_games::game(spec)?;
        let options = |name: &str| Options {
            checkpoint: Some(work.clone()),
            resume: true,
            ..writing(&folder.path().join(name))
        };
        let whole = game.solve(method, &options("whole.table"))?;
        // As after a kill between the layers.
        fs::remove_file(work.join("layer-000000.part")).expect("a layer");
        let resumed = game.solve(method, &options("resumed.table"))?;
        let start = game.start();
        assert_eq!(whole.line(&start)?.plies.len(), resumed.line(&start)?.plies.len());
        let [whole, resumed] = ["whole.table", "resumed.table"].map(|name| {
            let path = folder.path().join(name);
            let bytes = fs::read(&path).expect("a table");
            fs::remove_file(path).expect("a table");
            bytes
        });
        assert!(whole == resumed, "{spec}");
        fs::remove_dir_all(&work).expect("a checkpoint");
    }
    Ok(())
}

#[test]
fn what_cannot_be_tidied_up_is_no_failure_once_the_table_has_its_name() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    let in_the_way = work.join("slices.part/mine");
    let options = Options {
        checkpoint: Some(work),
        progress: Some(Arc::new(move |_| fs::create_dir_all(&in_the_way).is_ok())),
        ..writing(&folder.path().join("x.table"))
    };
    let game = hindsight_games::game("onitama:3x3:boar")?;
    game.solve(Method::Planes, &options)?;
    let table = hindsight_games::open(folder.path().join("x.table"))?;
    assert!(table.verify(&Options::default())?.faults.is_empty());
    Ok(())
}

#[test]
fn a_game_without_a_published_order_keeps_its_ranks() -> Result<(), Error> {
    for (spec, has_ranks) in [("dodgem:3x3", true), ("onitama:3x3:boar", false)] {
        let game = hindsight_games::game_in_published_order(spec, Symmetry::None)?;
        let member = game.ranked_member(&game.start());
        assert_eq!(member.is_ok_and(|member| member.is_some()), has_ranks, "{spec}");
    }
    Ok(())
}
