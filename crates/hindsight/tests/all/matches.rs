//! Matches between agents, named ones and those of the caller.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use hindsight_games::{
    AgentChoiceError, AgentError, AgentSpec, AgentTurn, AnyAgent, Error, MatchTask, Method,
    Options, PlayTask, SolverError, play_match,
};

fn agent(text: &str) -> AgentSpec {
    text.parse().expect("an agent")
}

fn short<'a>(first: AnyAgent<'a>, second: AnyAgent<'a>) -> MatchTask<'a> {
    MatchTask { games: 12, ..MatchTask::new(first, second) }
}

/// Records without the time that the agents took.
fn timeless(spec: &str, task: &MatchTask<'_>) -> Result<Vec<String>, Error> {
    let played = play_match(spec, task, &Options::default())?;
    let records = played.records.into_iter();
    let text = |record| {
        let hindsight_games::GameRecord { game, start, moves, winner, first, .. } = record;
        format!("{game} {start:?} {first} {winner:?} {moves:?}")
    };
    Ok(records.map(text).collect())
}

#[test]
fn threads_and_repetition_change_nothing() -> Result<(), Error> {
    let own = |turn: &AgentTurn<'_>| Ok(turn.seed as usize % turn.moves.len());
    let named = short(agent("mcts:playouts=30").into(), agent("random").into());
    let mixed = short(AnyAgent::own("own", &own), agent("mcts:playouts=30").into());
    for spec in ["onitama:3x3:random", "quoridor:3x3:1"] {
        for task in [named, mixed] {
            let games = timeless(spec, &task)?;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            let one = pool.expect("a thread").install(|| timeless(spec, &task))?;
            assert_eq!(games, one, "{spec}");
        }
    }
    Ok(())
}

#[test]
fn an_own_agent_is_asked_in_the_callers_thread() -> Result<(), Error> {
    let turns = Mutex::new(0);
    let caller = thread::current().id();
    let own = |turn: &AgentTurn<'_>| {
        assert_eq!(thread::current().id(), caller);
        assert_eq!(turn.moves, turn.game.moves(turn.position)?);
        *turns.lock().unwrap() += 1;
        Ok(0)
    };
    let task = short(AnyAgent::own("own", &own), agent("random").into());
    let played = play_match("dodgem:3x3", &task, &Options::default())?;
    assert_eq!(played.score.moves[0], turns.into_inner().unwrap());
    assert_eq!(played.records[0].agents, ["own", "random"]);
    Ok(())
}

#[test]
fn openings_are_shared_by_pairs_and_end_no_game() -> Result<(), Error> {
    let first_move = |_: &AgentTurn<'_>| Ok(0);
    let own = AnyAgent::own("first", &first_move);
    for opening_plies in [1, 3, 8, 100] {
        let play = PlayTask { opening_plies, ..PlayTask::default() };
        let task = MatchTask { play, ..short(own, own) };
        let played = play_match("tic-tac-toe", &task, &Options::default())?;
        let starts: Vec<_> = played.records.iter().map(|game| &game.start).collect();
        assert!(starts.chunks(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(starts[0].is_some(), opening_plies < 9);
        assert!(played.records.iter().all(|game| !game.moves.is_empty()));
    }
    Ok(())
}

#[test]
fn errors_of_own_agents_arrive() {
    let failing = |_: &AgentTurn<'_>| Err("no idea".into());
    let beyond = |turn: &AgentTurn<'_>| Ok(turn.moves.len());
    for (choose, text) in [
        (&failing as &hindsight_games::ChooseMove<'_>, "no idea"),
        (&beyond, "an agent chose move 9, and they are 0 to 8"),
    ] {
        let task = short(AnyAgent::own("own", choose), agent("random").into());
        let error = play_match("tic-tac-toe", &task, &Options::default()).expect_err("no move");
        let Error::Agent(AgentChoiceError::Agent(AgentError::Own(cause))) = error else {
            panic!("{error}");
        };
        assert_eq!(cause.to_string(), text);
    }
}

#[test]
fn values_belong_to_one_game() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let solved = game.solve(Method::Reachable, &Options::default())?;
    let perfect = || agent("perfect").into();
    let play = PlayTask { values: Some(solved.values()), ..PlayTask::default() };
    let task = MatchTask { play, ..short(perfect(), perfect()) };
    let played = play_match("tic-tac-toe", &task, &Options::default())?;
    assert_eq!(played.score.ties, 12);
    let other = play_match("dodgem:3x3", &task, &Options::default());
    assert!(matches!(other, Err(Error::OtherGame { game }) if game == "tic-tac-toe"));
    let random = play_match("onitama:3x3:random", &task, &Options::default());
    assert!(matches!(random, Err(Error::Agent(AgentChoiceError::RandomCards { .. }))));
    let without = play_match("dodgem:3x3", &short(perfect(), perfect()), &Options::default());
    let error = without.expect_err("no values").to_string();
    assert_eq!(error, "the game has no solution to play by");
    Ok(())
}

#[test]
fn a_listener_or_a_flag_stops_a_match() {
    let own = |_: &AgentTurn<'_>| Ok(0);
    let stop = AtomicBool::new(false);
    for second in [AnyAgent::from(agent("random")), AnyAgent::own("own", &own)] {
        let endless = MatchTask {
            games: u64::MAX,
            play: PlayTask { stop: Some(&stop), ..PlayTask::default() },
            ..short(agent("random").into(), second)
        };
        let refuse = Options {
            progress: Some(Arc::new(|progress| progress.done < 3)),
            ..Options::default()
        };
        let stopped = play_match("tic-tac-toe", &endless, &refuse);
        assert!(matches!(stopped, Err(Error::Solve(SolverError::Stopped))));
        stop.store(true, Ordering::Relaxed);
        let stopped = play_match("tic-tac-toe", &endless, &Options::default());
        assert!(matches!(stopped, Err(Error::Solve(SolverError::Stopped))));
        stop.store(false, Ordering::Relaxed);
    }
}

/// A game that waits to be taken, such as in a queue, holds up no other one.
#[test]
fn games_are_taken_at_the_same_time() -> Result<(), Error> {
    let (begin, taken) = (Instant::now(), AtomicUsize::new(0));
    let take = |_| {
        taken.fetch_add(1, Ordering::Relaxed);
        while taken.load(Ordering::Relaxed) < 2 && begin.elapsed().as_secs() < 30 {
            thread::yield_now();
        }
        Ok(())
    };
    let random = || agent("random").into();
    let task = MatchTask { games: 2, take: Some(&take), ..short(random(), random()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let played = pool.install(|| play_match("tic-tac-toe", &task, &Options::default()))?;
    assert_eq!(played.score.games(), 2);
    assert!(begin.elapsed().as_secs() < 30);
    Ok(())
}
