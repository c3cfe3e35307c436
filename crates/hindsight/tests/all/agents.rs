//! Moves chosen by agents in any game.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hindsight_games::{
    AgentChoiceError, AgentMeans, AgentSpec, Error, Method, Options, Random, Symmetry,
    game_with_symmetry,
};
use hindsight_play::SeededRandom;

const GAMES: [&str; 5] =
    ["tic-tac-toe", "dodgem:3x3", "quoridor:3x3:1", "onitama:3x3:boar", "ostle:3x3:2:1"];

const AGENTS: [&str; 9] = [
    "random",
    "mc:playouts=50",
    "mcts:playouts=50",
    "mcts:time=0.001",
    "alphabeta:nodes=200",
    "level:1",
    "level:4",
    "perfect",
    "lure",
];

fn agent(text: &str) -> AgentSpec {
    text.parse().expect("an agent")
}

/// Every agent plays some games to the end, and the perfect ones give nothing away.
#[test]
fn agents_choose_legal_moves() -> Result<(), Error> {
    let mut random = SeededRandom::new(&[5]);
    for spec in GAMES {
        let game = hindsight_games::game(spec)?;
        let solved = game_with_symmetry(spec, Symmetry::All)?
            .solve(Method::Reachable, &Options::default())?;
        for text in AGENTS {
            let mut position = game.start();
            for _ in 0..12 {
                if game.outcome(&position)?.is_some() {
                    break;
                }
                let means = AgentMeans {
                    values: agent(text).uses_values().then(|| solved.values()),
                    memory_bytes: 1 << 24,
                    seed: random.bits(),
                    ..AgentMeans::default()
                };
                let choice = game.choose(&position, &agent(text), means)?;
                assert!(game.moves(&position)?.contains(&choice.mv), "{spec} {text}");
                assert_eq!(game.play(&position, &choice.mv)?, choice.to);
                if agent(text).needs_values() {
                    let value = solved.probe(&position)?;
                    assert_eq!(solved.probe(&choice.to)?.before(), value, "{spec} {text}");
                }
                if !text.contains("time") {
                    assert_eq!(game.choose(&position, &agent(text), means)?, choice);
                }
                let moves = game.moves(&position)?;
                position =
                    game.play(&position, &moves[random.below(moves.len() as u32) as usize])?;
            }
        }
    }
    Ok(())
}

#[test]
fn agents_end_in_the_time_of_their_means() -> Result<(), Error> {
    let game = hindsight_games::game("quoridor:9x9:10")?;
    let stop = AtomicBool::new(true);
    let by_time = AgentMeans { seconds: Some(0.1), ..AgentMeans::default() };
    let by_flag = AgentMeans { stop: Some(&stop), ..AgentMeans::default() };
    for text in ["mc:playouts=1000000", "mcts:playouts=1000000", "alphabeta:depth=50", "level:10"] {
        for means in [by_time, by_flag] {
            let started = Instant::now();
            let choice = game.choose(&game.start(), &agent(text), means)?;
            let seconds = started.elapsed().as_secs_f64();
            assert!(seconds < 3.0, "{text}: {seconds} s");
            assert!(game.moves(&game.start())?.contains(&choice.mv), "{text}");
        }
    }
    // A level makes playouts where there is no evaluation.
    let game = hindsight_games::game("tic-tac-toe")?;
    let choice = game.choose(&game.start(), &agent("level:10"), by_flag)?;
    assert_eq!(choice.work, 1);
    Ok(())
}

#[test]
fn the_default_agent_of_a_game_is_known_without_its_type() -> Result<(), Error> {
    for (spec, agent) in [
        ("quoridor:3x3:1", "alphabeta:nodes=100000"),
        ("tic-tac-toe", "mcts:playouts=10000,prune=1%"),
    ] {
        assert_eq!(hindsight_games::game(spec)?.default_agent().to_string(), agent);
    }
    Ok(())
}

#[test]
fn a_choice_that_cannot_be_made_is_an_error_that_says_why() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let over = game.parse("xxx/oo./...")?;
    let error = game.choose(&over, &agent("random"), AgentMeans::default()).unwrap_err();
    assert!(matches!(error, Error::Agent(AgentChoiceError::GameOver { .. })), "{error}");
    assert_eq!(error.to_string(), "the game is over in xxx/oo./...: there is no move to choose");

    let error = game.choose(&game.start(), &agent("lure"), AgentMeans::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent 'lure' plays by known values, and those of tic-tac-toe are not known; \
         'mcts:playouts=10000,prune=1%' plays without them"
    );

    let other = hindsight_games::game("dodgem:3x3")?;
    let solved = other.solve(Method::Auto, &Options::default())?;
    let means = AgentMeans { values: Some(solved.values()), ..AgentMeans::default() };
    let error = game.choose(&game.start(), &agent("perfect"), means).unwrap_err();
    assert!(matches!(error, Error::OtherGame { .. }), "{error}");

    let means = AgentMeans { memory_bytes: 1000, ..AgentMeans::default() };
    let error = game.choose(&game.start(), &agent("mcts"), means).unwrap_err();
    assert!(error.to_string().starts_with("mcts takes at least"), "{error}");
    Ok(())
}

#[test]
fn an_unknown_value_is_named() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let corner = game.parse("x../.o./...")?;
    let solved = game.solve_from(&corner, &Options::default())?;
    let means = AgentMeans { values: Some(solved.values()), ..AgentMeans::default() };
    assert!(game.choose(&corner, &agent("perfect"), means).is_ok());
    let error = game.choose(&game.start(), &agent("perfect"), means).unwrap_err();
    assert_eq!(error.to_string(), "the value of x../.../... is not known");

    let without_values = game.solve(Method::Forward, &Options::default())?;
    let means = AgentMeans { values: Some(without_values.values()), ..AgentMeans::default() };
    let error = game.choose(&game.start(), &agent("perfect"), means).unwrap_err();
    assert!(matches!(error, Error::NoValues), "{error}");
    Ok(())
}
