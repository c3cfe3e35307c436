//! Proof-number search against the state graph: the winner from each position, and a winning move.

use std::time::Duration;

use hindsight_bitplanes::{BitplanePlan, InMemoryOptions, Instructions, solve_planes};
use hindsight_core::{
    Game, Notation, Packed, PackedGame, Ranked, Structure, Symmetry, TwoSided, Wdl,
};
use hindsight_engine::checkpoint::{Blobs, MemoryBlobs};
use hindsight_engine::{Limits, Monitor, NoMonitor, Progress};
use hindsight_solve::proof::{EndgameIo, ProofProblem, ProofSession};
use hindsight_solve::{graph, proof};

use crate::number_game::NumberGame;
use crate::{game, game_with};

/// Asks for every `step`-th position, with a memory limit in bytes.
fn compare(game: &PackedGame, known: proof::Oracle<'_>, step: usize, memory: u64) {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("no limits");
    let limits = Limits { memory, ..Limits::default() };
    let pools = [1, 2, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads")
    });
    for (i, start) in solved.positions().enumerate().step_by(step) {
        if game.terminal(start).is_some() {
            continue;
        }
        let problem = ProofProblem { game, start, oracle: known };
        let solve = || proof::solve_with_moves(problem, limits, &mut NoMonitor);
        let (found, moves) = pools[i % pools.len()].install(solve).expect("threads");
        for mv in &moves {
            let number = solved.number(game, mv.to).expect("a move leads there");
            let after = solved.value(number).before().wdl();
            assert!(mv.value().is_none_or(|value| value == after), "{}", game.format(mv.to));
            let [own, other] = mv.wins;
            let plies = solved.value(number).remoteness();
            assert!(mv.plies.is_none_or(|most| plies <= Some(most)));
            assert!(own.is_none_or(|wins| wins == (after == Wdl::Win)));
            assert!(other.is_none_or(|wins| wins == (after == Wdl::Loss)));
        }
        let wdl = solved.value(i).wdl();
        let here = || format!("{}: {}", game.spec(), game.format(start));
        assert_eq!(found.value(), Some(wdl), "{}", here());
        let plies = solved.value(i).remoteness();
        assert_eq!(found.plies().is_some(), wdl != Wdl::Draw, "{}", here());
        assert!(found.plies() >= plies, "{}", here());
        assert_eq!(found.best().is_some(), wdl != Wdl::Loss, "{}", here());
        if let Some(best) = found.best() {
            let next = solved.number(game, best).expect("a move leads there");
            let after = solved.value(next).before().wdl();
            assert_eq!(after, wdl, "the move at {}", here());
            let mut successors = Vec::new();
            game.successors(start, &mut successors);
            let leads_there = |next: &Packed| game.canonical(*next) == best;
            assert!(successors.iter().any(leads_there), "{}", here());
        }
    }
}

fn check(spec: &str, step: usize, memory: u64) {
    for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
        let game = game_with(symmetry, spec);
        compare(&game, &|_| None, step, memory);
        if let Structure::Ranked | Structure::PawnPairs | Structure::TwoSided = game.structure() {
            let implied = |position| game.implied_value(position).map(Into::into);
            compare(&game, &implied, step, memory);
        }
    }
}

#[test]
fn agrees_with_the_state_graph() {
    let specs = [
        ("tic-tac-toe", 31),
        ("ostle:3x3:1:0", 17),
        ("onitama:2x3:boar", 1),
        ("onitama:3x2:tiger,crab,monkey,crane,dragon", 53),
        ("onitama:2x3:ox,horse,boar,crab,elephant", 53),
        ("onitama:2x4:mantis,mantis,tiger,tiger,ox", 1009),
        ("onitama:3x3:tiger", 53),
        ("quoridor:3x3:1", 2003),
    ];
    for (spec, step) in specs {
        check(spec, step, 1 << 22);
    }
}

#[test]
fn agrees_with_hardly_any_memory() {
    check("onitama:2x3:boar", 1, 1 << 12);
    check("onitama:2x4:mantis,mantis,tiger,tiger,ox", 3001, 1 << 14);
}

/// Plays strategies against every play, for every `step`-th position. Returns the numbers of
/// strategies that draw, of those that win with the other side, and with the side to move.
fn play_strategies(game: &PackedGame, step: usize) -> [usize; 3] {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("no limits");
    let mut followed = [0; 3];
    for (i, start) in solved.positions().enumerate().step_by(step) {
        if game.terminal(start).is_some() {
            continue;
        }
        let problem = ProofProblem { start, ..ProofProblem::of_start(game) };
        let limits = Limits { memory: 1 << 26, ..Limits::default() };
        let found = proof::solve_with_strategies(problem, limits, &mut NoMonitor);
        let (found, strategies) = found.expect("threads");
        let [first, second] = &strategies;
        // Side of the strategy, and true if it wins.
        let wanted = match solved.value(i).wdl() {
            Wdl::Win => vec![(first, true, true)],
            Wdl::Loss => vec![(second, false, true)],
            Wdl::Draw => vec![(first, true, false), (second, false, false)],
        };
        assert_eq!(strategies.iter().flatten().count(), wanted.len());
        assert_eq!(found.value(), Some(solved.value(i).wdl()));
        for (strategy, is_movers, wins) in wanted {
            let strategy = strategy.as_ref().unwrap_or_else(|| {
                panic!(
                    "{}: {} {wins} {is_movers} {:?}",
                    game.spec(),
                    game.format(start),
                    game.terminal(start)
                )
            });
            play_out(problem, strategy, is_movers, wins);
            followed[usize::from(wins) * (1 + usize::from(is_movers))] += 1;
        }
    }
    followed
}

/// Checks that all play against a strategy ends as it promises.
fn play_out(problem: ProofProblem<'_>, strategy: &proof::Strategy, is_movers: bool, wins: bool) {
    let ProofProblem { game, start, .. } = problem;
    let mut seen = std::collections::HashSet::new();
    // Positions with the side to move, and the plies left to the win.
    let mut open = vec![(game.canonical(start), is_movers, u32::MAX)];
    while let Some((position, mine, left)) = open.pop() {
        if let Some(over) = game.terminal(position) {
            let lost = if mine { Wdl::Loss } else { Wdl::Win };
            assert!(over != lost && (!wins || over != Wdl::Draw));
            continue;
        }
        let mut to = Vec::new();
        if mine {
            let reply = strategy.reply(position).expect("a move");
            assert_eq!(reply.plies.is_some(), wins);
            let plies = reply.plies.unwrap_or(0);
            assert!(plies < left, "it comes no nearer");
            if !seen.insert(position) {
                continue;
            }
            let mut successors = Vec::new();
            game.successors(position, &mut successors);
            let mut successors = successors.into_iter();
            assert!(successors.any(|next| game.canonical(next) == reply.to));
            let left = if wins { plies } else { u32::MAX };
            to.push((reply.to, false, left));
        } else {
            let mut successors = Vec::new();
            game.successors(position, &mut successors);
            let successors = successors.into_iter();
            to.extend(successors.map(|next| (game.canonical(next), true, left)));
        }
        open.extend(to);
    }
    // The same check, for positions of the game that need not be canonical.
    let mut visited = std::collections::HashSet::new();
    let each = |position: Packed, mv, _| {
        let reply = strategy.reply(game.canonical(position)).expect("a move");
        assert!(game.canonical(game.play(position, mv)) == reply.to);
        assert!(visited.insert(position), "it is visited twice");
        Ok::<(), ()>(())
    };
    strategy.visit(game, start, each).expect("no error");
    let classes: std::collections::HashSet<_> =
        visited.iter().map(|&position| game.canonical(position)).collect();
    assert!(classes == seen);
    assert_eq!(visited.contains(&start), is_movers);
}

#[test]
fn strategies_keep_what_they_promise() {
    let specs = [
        ("tic-tac-toe", 31),
        ("ostle:3x3:1:0", 29),
        ("onitama:2x3:boar", 3),
        ("onitama:2x4:mantis,mantis,tiger,tiger,ox", 1009),
        ("onitama:3x3:tiger", 97),
        ("onitama:3x3:(0,0)(1,0)(-1,0):stay=yes:students=0", 7),
        ("quoridor:3x3:1", 4001),
    ];
    let mut all = [0; 3];
    for (spec, step) in specs {
        for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
            let followed = play_strategies(&game_with(symmetry, spec), step);
            for (all, followed) in all.iter_mut().zip(followed) {
                *all += followed;
            }
        }
    }
    assert!(all.iter().all(|&n| n > 20), "{all:?}");
}

#[test]
fn stages_end_with_the_value_that_planes_find() {
    let mut tables = 0;
    for (spec, value) in [
        ("onitama:3x4:boar", Wdl::Win),
        ("onitama:4x4:boar", Wdl::Loss),
        ("onitama:4x4:tiger,crab,monkey,crane,dragon", Wdl::Win),
        ("onitama:4x4:monkey,ox,elephant,crane,eel", Wdl::Win),
    ] {
        let game = game(spec);
        let found = proof::solve_staged(&game, game.start(), Limits::default(), &mut NoMonitor);
        let found = found.expect("no limits");
        assert_eq!(found.solution.value(), Some(value), "{spec}");
        tables = tables.max(found.tables.followers);
    }
    assert!(tables > 0, "no search took so long that tables were made");
}

#[test]
fn stops_when_time_is_over_or_the_monitor_says_so() {
    struct Never;
    impl Monitor for Never {
        fn report(&mut self, _: Progress) -> bool {
            false
        }
    }
    let game = game("onitama:5x5:boar");
    let problem = ProofProblem::of_start(&game);
    let stopped = proof::solve(problem, Limits::default(), &mut Never).expect("threads");
    assert!(stopped.stopped && stopped.value().is_none());
    let limits = Limits { memory: 1 << 24, time: Some(Duration::from_millis(100)) };
    let late = proof::solve(problem, limits, &mut NoMonitor).expect("threads");
    assert!(!late.stopped && late.value().is_none());
    assert!(late.expansions > 0);
}

/// A search that is continued in short slices ends as one without a break does.
#[test]
fn a_search_goes_on_where_it_stopped() {
    let game = game("onitama:3x4:boar");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limits");
    let problem = ProofProblem::of_start(&game);
    let mut session = ProofSession::new(problem, 1 << 26);
    let (mut slices, mut expansions) = (0, 0);
    let value = loop {
        let slice = Duration::from_millis(20);
        let (found, _) = session.advance(slice, &mut NoMonitor).expect("threads");
        slices += 1;
        assert!(found.expansions > expansions, "slice {slices}");
        expansions = found.expansions;
        if let Some(value) = found.value() {
            let plies = solved.value(0).remoteness();
            assert!(found.plies() >= plies, "{:?}", found.plies());
            break value;
        }
        assert!(slices < 3000, "no value in a minute");
    };
    assert_eq!(value, solved.value(0).wdl());
}

/// A corridor: one move after the other, to a lost end.
fn corridor() -> PackedGame {
    const END: u32 = 990;
    PackedGame::new(NumberGame {
        start: 0,
        terminal: Box::new(|position| (position == END).then_some(Wdl::Loss)),
        moves: Box::new(|position| vec![position + 1]),
    })
}

/// The stack of the search threads must hold the longest path, or this test crashes.
#[test]
fn a_search_goes_hundreds_of_plies_deep() {
    let game = corridor();
    let found = proof::solve(ProofProblem::of_start(&game), Limits::default(), &mut NoMonitor);
    assert_eq!(found.expect("threads").value(), Some(Wdl::Loss));
}

/// Decides starts of a game by planes that are kept, and by their endgames.
#[test]
fn kept_planes_and_endgames_agree_with_the_graph() {
    let game = game("onitama:3x3:boar,ox,elephant,horse,crab");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limits");
    let rules = game.two_sided_rules();
    let plan = BitplanePlan::new(&game);
    let options = InMemoryOptions {
        instructions: Instructions::detect(),
        limits: Limits::default(),
        monitor: &mut NoMonitor,
        checkpoint: None,
    };
    let planes = solve_planes(&game, plan, options, &mut |_, _| Ok(())).expect("no limits");
    let key = proof::planes_key(&rules, rules.max_followers.into());
    let blobs = MemoryBlobs::default();
    planes.put(&rules, &blobs, &key).expect("memory");
    let limits = Limits { memory: 1 << 26, time: Some(Duration::from_secs(60)) };
    for (number, start) in solved.positions().enumerate().step_by(40_009) {
        if game.terminal(start).is_some() {
            continue;
        }
        let value = solved.value(number);
        let placement = game.placement(start).expect("it goes on");
        let followers = placement.followers.map(u32::count_ones);
        let most = followers[0].max(followers[1]);
        let is_kept = most == u32::from(rules.max_followers);
        let cost = proof::planes_to_read(&game, start, &blobs, limits.memory);
        assert_eq!(cost.map(|cost| cost.holds_start), is_kept.then_some(true));
        let read = proof::read_endgame(&game, start, &blobs, limits);
        assert_eq!(read.is_some(), is_kept, "{}", game.format(start));
        if let Some((planes, tables)) = read {
            assert!(tables.were_kept && tables.followers == most);
            let known = proof::value_by_planes(&planes, placement).expect("a value");
            assert_eq!(known.wdl, value.wdl(), "{}", game.format(start));
            assert!(known.plies >= value.remoteness());
        }
        let costs = proof::planes_to_solve(&game, start, limits.memory);
        let holds_start: Vec<bool> = costs.iter().map(|cost| cost.holds_start).collect();
        assert_eq!(holds_start.iter().position(|holds| *holds), Some(costs.len() - 1));
        assert_eq!(costs[costs.len() - 1].followers, most);
        let io = EndgameIo { cache: None, limits, monitor: &mut NoMonitor };
        let endgame = proof::solve_endgame(&game, start, most, io);
        let endgame = endgame.expect("no fault").expect("it fits");
        assert_eq!(endgame.values[0], Some(value), "{}", game.format(start));
        let mut successors = Vec::new();
        game.successors(start, &mut successors);
        for (&to, &value) in successors.iter().zip(&endgame.values[1..]) {
            let number = solved.number(&game, to).expect("a reachable position");
            assert_eq!(Some(solved.value(number)), value, "{}", game.format(to));
        }
    }
    // Damaged planes are not used.
    let mut bytes = blobs.bytes(&key).expect("a blob").to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let write = &mut |out: &mut dyn std::io::Write| out.write_all(&bytes);
    blobs.put(&key, write).expect("memory");
    assert!(proof::read_endgame(&game, game.start(), &blobs, limits).is_none());
}
