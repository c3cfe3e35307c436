//! Plans choose by game and request, know their needs, and solve as their solvers do.

use std::time::Duration;

use hindsight_core::{
    Answer, Game, Notation, PackedGame, PackedMove, Probe, Scope, Symmetry, Tiers, Value, Wdl,
};
use hindsight_engine::{Error, Limits, NoMonitor};
use hindsight_solve::graph;
use hindsight_solve::plan::{
    self, ChoiceReason, Extent, KeptValues, Method, PlanError, Request, SolveIo, SolvePlan,
    StartedWork, Storage,
};
use hindsight_solve::tiered::TierPlan;

use crate::{game, game_with};

fn ostle() -> PackedGame {
    game_with(Symmetry::All, "ostle:3x3:2:1")
}

fn within(memory: u64) -> Limits {
    Limits { memory, time: None }
}

fn planned(plan: Result<SolvePlan<'_>, PlanError>) -> SolvePlan<'_> {
    plan.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn lists_of_tiers_bound_the_games_of_tables() {
    // Tables may be far larger than memory, but not the lists of their tiers.
    const MEMORY: u64 = 1 << 28;
    let large = game("onitama:5x5:boar:students=3");
    let ranks: u64 = (0..large.layers()).map(|layer| large.estimated_ranks(layer)).sum();
    assert!(ranks > 4 * MEMORY);
    TierPlan::check_tier_lists(&large, MEMORY).expect("few tiers");
    let many = TierPlan::check_tier_lists(&game("quoridor:9x9:5"), MEMORY);
    assert!(matches!(many, Err(Error::TooLarge { limit: MEMORY, .. })));
}

#[test]
fn the_set_of_positions_follows_the_game_and_the_request_not_the_memory() {
    let method = |plan: Result<Method, PlanError>| match plan {
        Ok(method) => method,
        // Even a refusal tells the set of positions.
        Err(PlanError::Solver(Error::TooLarge { .. })) => Method::Tiered,
        Err(PlanError::MayNotFit { .. }) => Method::Reachable,
        Err(error) => panic!("{error}"),
    };
    for memory in [1 << 10, 1 << 20, u64::MAX] {
        for (scope, is_table, expected) in [
            (None, false, [Method::Reachable, Method::Tiered]),
            (None, true, [Method::Tiered; 2]),
            (Some(Scope::All), false, [Method::Tiered; 2]),
            (Some(Scope::Reachable), false, [Method::Reachable; 2]),
        ] {
            let request = Request {
                scope,
                limits: within(memory),
                storage: Storage { table: is_table, ..Storage::default() },
                ..Request::default()
            };
            let squares = game("tic-tac-toe");
            let [cards, few] = ["onitama:3x4:boar", "onitama:3x4:boar:students=1"].map(game);
            let (fences, pushes) = (game("quoridor:3x3:1"), ostle());
            let chosen = [&squares, &cards, &few, &fences, &pushes].map(|game| {
                plan::plan(game, game.start(), &request).map(|plan| plan.needs().method)
            });
            let [reachable, all] = expected;
            assert_eq!(chosen.map(method), [reachable, reachable, all, all, all]);
        }
    }
}

#[test]
fn the_choice_follows_the_size_of_the_game_and_the_time() {
    let choice = |board: &str, cards: &str, seconds: Option<u64>| {
        let game = game(&format!("onitama:{board}:{cards}"));
        let request = Request {
            limits: Limits { memory: u64::MAX, time: seconds.map(Duration::from_secs) },
            ..Request::default()
        };
        let plan = plan::plan(&game, game.start(), &request);
        let choice = planned(plan).needs().choice.expect("the request names no method");
        (choice.method, choice.reason)
    };
    let different = "tiger,crab,monkey,crane,dragon";
    for (board, cards, expected) in [
        ("3x4", "boar", (Method::Reachable, ChoiceReason::SmallGraph)),
        ("4x4", "boar", (Method::Reachable, ChoiceReason::SmallGraph)),
        ("3x4", different, (Method::Reachable, ChoiceReason::SmallGraph)),
        ("4x5", "boar", (Method::Planes, ChoiceReason::EveryPosition)),
        ("5x5", "boar", (Method::Planes, ChoiceReason::EveryPosition)),
        ("5x5", different, (Method::Proof, ChoiceReason::TooMany)),
        ("8x8", "boar", (Method::Proof, ChoiceReason::TooManyReachable)),
    ] {
        let found = choice(board, cards, None);
        assert_eq!(found, expected, "{board} {cards}");
    }
    // Times are those of the threads at hand.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let choice = |board, seconds| one.install(|| choice(board, "boar", Some(seconds)));
    let late = choice("5x5", 10);
    assert_eq!(late, (Method::Proof, ChoiceReason::Time(10.0)));
    let late = choice("4x4", 20);
    assert_eq!(late, (Method::Planes, ChoiceReason::EveryPosition));
}

#[test]
fn a_search_answers_from_any_position_and_whole_games_only_from_the_start() {
    let game = game("tic-tac-toe");
    let won = game.parse("xx./oo./...").expect("a position");
    let by = |method| Request { method, ..Request::default() };
    let plan = planned(plan::plan(&game, won, &by(Method::Proof)));
    let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a search");
    assert_eq!(solved.start, Answer::Wdl(Wdl::Win));
    assert_eq!(solved.winner.expect("a search").wins, [Some(true), Some(false)]);
    assert_eq!(solved.strategy_move, Some(PackedMove(2)), "the top right corner");
    let auto = planned(plan::plan(&game, won, &by(Method::Auto)));
    assert_eq!(auto.needs().method, Method::Reachable);
    let solved = auto.run(SolveIo::new(&mut NoMonitor)).expect("a graph");
    assert_eq!(solved.start, Answer::Exact(Value::Win(1)));
    for method in [Method::Tiered, Method::Forward] {
        let refused = plan::plan(&game, won, &by(method)).err();
        assert!(matches!(refused, Some(PlanError::OnlyWholeGames(_))));
    }
    let over = game.parse("xxx/oo./...").expect("a position");
    let plan = planned(plan::plan(&game, over, &by(Method::Proof)));
    let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a search");
    assert_eq!(solved.start, Answer::Wdl(Wdl::Loss));
}

#[test]
fn methods_of_other_games_are_refused() {
    let by = |method| Request { method, ..Request::default() };
    let [game, dodgem] = ["tic-tac-toe", "dodgem:3x3"].map(game);
    let error = plan::plan(&game, game.start(), &by(Method::Planes)).err();
    assert!(matches!(error, Some(PlanError::NotTwoSided)));
    let unranked = game.rules_alone();
    let error = plan::plan(&unranked, game.start(), &by(Method::Tiered)).err();
    assert!(matches!(error, Some(PlanError::Unranked)));
    let error = plan::plan(&dodgem, dodgem.start(), &by(Method::Search)).err();
    assert!(matches!(error, Some(PlanError::NoCountdown)));
}

#[test]
fn a_game_that_counts_down_is_searched() {
    let game = game("four:5x4");
    let plan = planned(plan::plan(&game, game.start(), &Request::default()));
    assert_eq!(plan.needs().method, Method::Search);
    let choice = plan.needs().choice.expect("a choice");
    assert_eq!(choice.reason, ChoiceReason::TooManyReachable);
    let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a search");
    assert_eq!(solved.start, Answer::Exact(Value::Draw));
    let winner = solved.winner.expect("a search");
    assert_eq!(winner.wins, [Some(false); 2]);
    assert_eq!(winner.bounds, Some([Value::Draw; 2]));
    assert!(solved.strategy_move.is_some());

    let over = game.parse("...../...../ooo../xxxx.").expect("a position");
    let request = Request { method: Method::Search, ..Request::default() };
    let plan = planned(plan::plan(&game, over, &request));
    let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a search");
    assert_eq!(solved.start, Answer::Exact(Value::Loss(0)));
    assert_eq!(solved.strategy_move, None);
    let little = Request { limits: Limits { memory: 1 << 10, ..Limits::default() }, ..request };
    let error = plan::plan(&game, game.start(), &little).err();
    assert!(matches!(error, Some(PlanError::SearchMemory { .. })));
}

#[test]
fn a_plan_that_does_not_fit_tells_its_needs_and_is_refused() {
    let game = game("onitama:3x4:boar");
    for (method, memory) in [(Method::Tiered, 100_000), (Method::Planes, 50_000)] {
        let request = |memory| Request { method, limits: within(memory), ..Request::default() };
        let roomy = planned(plan::plan(&game, game.start(), &request(u64::MAX)));
        let positions = roomy.needs().extent.positions().expect("a number");
        match plan::plan(&game, game.start(), &request(memory)) {
            Ok(plan) => {
                assert!(plan.needs().memory > memory);
                let refused = plan.run(SolveIo::new(&mut NoMonitor)).err();
                assert!(matches!(
                    refused,
                    Some(Error::TooLarge { ranks, needed, limit })
                        if ranks == positions && needed > memory && limit == memory
                ));
            }
            Err(PlanError::NeedsCheckpoint { memory, disk, .. }) => {
                assert!(method == Method::Planes && memory > 0 && disk > 0);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Solves by a plan and compares each value with that of the reachable graph.
fn agrees(game: &PackedGame, plan: Result<SolvePlan<'_>, PlanError>, keeps_values: bool) {
    let plan = planned(plan);
    let needs = plan.needs();
    assert!(needs.seconds.is_none_or(|seconds| seconds < 60.0));
    let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a small game");
    let expected = graph::solve(game, Limits::default(), &mut NoMonitor).expect("a small game");
    let start = expected.value(0);
    assert_eq!(solved.start.wdl(), Some(start.wdl()), "{}", game.spec());
    assert!(solved.start.exact().is_none_or(|value| value == start));
    let Some(reader) = solved.reader(game) else {
        assert!(!keeps_values, "{}: {:?}", game.spec(), needs.method);
        return;
    };
    assert!(keeps_values);
    for (number, position) in expected.positions().enumerate() {
        let Ok(answer) = reader.probe(position);
        assert_eq!(answer, Answer::Exact(expected.value(number)));
    }
}

#[test]
fn every_plan_solves_as_the_graph_does() {
    let by = |method| Request { method, ..Request::default() };
    let counting = |method| Request { kept_values: KeptValues::OfSmallGames, ..by(method) };
    let tic_tac_toe = game("tic-tac-toe");
    for method in [Method::Auto, Method::Reachable, Method::Tiered] {
        agrees(&tic_tac_toe, plan::plan(&tic_tac_toe, tic_tac_toe.start(), &by(method)), true);
    }
    let forward = plan::plan(&tic_tac_toe, tic_tac_toe.start(), &by(Method::Forward));
    agrees(&tic_tac_toe, forward, false);
    let cards = game("onitama:3x3:boar");
    agrees(&cards, plan::plan(&cards, cards.start(), &by(Method::Tiered)), true);
    agrees(&cards, plan::plan(&cards, cards.start(), &by(Method::Planes)), false);
    let fences = game("quoridor:3x3:1");
    agrees(&fences, plan::plan(&fences, fences.start(), &by(Method::Auto)), true);
    let pushes = ostle();
    agrees(&pushes, plan::plan(&pushes, pushes.start(), &by(Method::Auto)), true);
    let counted = plan::plan(&pushes, pushes.start(), &counting(Method::Auto));
    agrees(&pushes, counted, false);
}

#[test]
fn a_streamed_plan_takes_less_memory_and_counts_the_same() {
    let game = game("quoridor:5x5:1");
    let request = |memory| Request { limits: within(memory), ..Request::default() };
    let roomy = planned(plan::plan(&game, game.start(), &request(u64::MAX)));
    let needs = roomy.needs();
    // The values that are kept are left out first.
    let values = needs.extent.positions().expect("tiers have ranks");
    let without_values = needs.memory - values;
    let streamed = planned(plan::plan(&game, game.start(), &request(without_values - 1)));
    let less = streamed.needs();
    assert!(matches!(less.extent, Extent::Tiers { streamed: true, .. }));
    assert!(matches!(needs.extent, Extent::Tiers { streamed: false, .. }));
    assert!(less.memory < needs.memory);
    let solve = |plan: SolvePlan<'_>| {
        let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a small game");
        (solved.signature(), solved.reader(&game).is_some())
    };
    let (counted, kept) = solve(roomy);
    assert!(kept);
    assert_eq!(solve(streamed), (counted, false));
}

#[test]
fn the_forward_plan_has_a_move_of_its_strategy() {
    let game = game("onitama:3x4:boar");
    let request = Request { method: Method::Forward, ..Request::default() };
    let plan = planned(plan::plan(&game, game.start(), &request));
    let solved = plan.run(SolveIo::new(&mut NoMonitor)).expect("a small game");
    let expected = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("a small game");
    let mv = solved.strategy_move.expect("the start is not lost");
    let next = game.play(game.start(), mv);
    let Ok(answer) = expected.reader(&game).probe(next);
    let value = answer.exact().expect("a reachable position");
    assert_eq!(Some(value.wdl().before()), solved.start.wdl());
    assert_ne!(expected.value(0), Value::Draw);
}

#[test]
fn work_that_a_method_does_not_do_is_refused() {
    let stores =
        |table, checkpoint, started| Storage { table, checkpoint, started, ..Storage::default() };
    let request =
        |method, sample, storage| Request { method, sample, storage, ..Request::default() };
    let nothing = StartedWork::Nothing;
    let fences = game("quoridor:3x3:1");
    let second = fences.play(fences.start(), hindsight_core::PackedMove(0));
    for (method, start, table, checkpoint) in [
        (Method::Reachable, second, true, false),
        (Method::Reachable, second, true, true),
        (Method::Forward, fences.start(), true, false),
        (Method::Forward, fences.start(), false, true),
    ] {
        let request = request(method, 0, stores(table, checkpoint, nothing));
        let refused = plan::plan(&fences, start, &request).err();
        assert!(matches!(refused, Some(PlanError::StoresNothing)));
    }
    let request_of_table = request(Method::Reachable, 0, stores(true, false, nothing));
    assert!(plan::plan(&fences, fences.start(), &request_of_table).is_ok());
    let (unranked, large) = (game("four:4x4"), game("four:7x6"));
    let of_table = request(Method::Auto, 0, stores(true, false, nothing));
    let refused = plan::plan(&large, large.start(), &of_table).err();
    assert!(matches!(refused, Some(PlanError::Unranked)));
    for (table, checkpoint, extent) in [
        (true, false, Extent::Reachable),
        (true, true, Extent::Sorted),
        (false, true, Extent::Sorted),
    ] {
        let request = request(Method::Auto, 0, stores(table, checkpoint, nothing));
        let chosen = plan::plan(&unranked, unranked.start(), &request).expect("a plan").needs();
        assert_eq!((chosen.method, chosen.extent), (Method::Reachable, extent));
    }
    for (method, started) in [
        (Method::Reachable, StartedWork::Layers),
        (Method::Reachable, StartedWork::Planes),
        (Method::Tiered, StartedWork::Reached),
    ] {
        let request = request(method, 0, stores(true, true, started));
        let refused = plan::plan(&fences, fences.start(), &request).err();
        assert!(matches!(refused, Some(PlanError::BegunOtherwise { .. })), "{method:?}");
    }
    let game = game("onitama:5x5:boar:students=2");
    let slices = stores(true, true, StartedWork::Slices(2));
    let refused = plan::plan(&game, game.start(), &request(Method::Planes, 0, slices)).err();
    assert!(matches!(refused, Some(PlanError::NoTableOfSlices)));
    for (method, storage) in [
        (Method::Planes, stores(true, false, nothing)),
        (Method::Planes, stores(false, true, StartedWork::Planes)),
        (Method::Tiered, stores(false, false, nothing)),
        (Method::Reachable, stores(false, false, nothing)),
    ] {
        let refused = plan::plan(&game, game.start(), &request(method, 1, storage)).err();
        assert!(matches!(refused, Some(PlanError::NoSample)), "{method:?}");
    }
}
