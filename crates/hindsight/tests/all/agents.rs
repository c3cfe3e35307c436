//! Moves chosen by agents in any game.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use hindsight_games::{
    AgentChoice, AgentChoiceError, AgentResources, AgentSpec, AnyGame, Error, Method, Options,
    Player, Position, Random, Symmetry, Values, game_with_symmetry,
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

/// Lets an agent choose a move.
fn choose(
    game: &AnyGame,
    position: &Position,
    text: &str,
    values: Option<&Values>,
    resources: AgentResources<'_>,
) -> Result<AgentChoice, Error> {
    let values = values.map(Values::for_agents);
    Player::new(game, &agent(text), values.as_ref(), resources, &[3])?.choose(position)
}

/// Every agent plays some games to the end, and the perfect ones give nothing away.
#[test]
fn agents_choose_legal_moves() -> Result<(), Error> {
    let mut random = SeededRandom::new(&[5]);
    for spec in GAMES {
        let game = hindsight_games::game(spec)?;
        let solved = game_with_symmetry(spec, Symmetry::All)?
            .solve(Method::Reachable, &Options::default())?;
        let values = solved.values().for_agents();
        for text in AGENTS {
            let mut position = game.start();
            for _ in 0..12 {
                if game.outcome(&position)?.is_some() {
                    break;
                }
                let resources =
                    AgentResources { memory_bytes: 1 << 24, ..AgentResources::default() };
                let seeds = [random.bits()];
                let player = || Player::new(&game, &agent(text), Some(&values), resources, &seeds);
                let choice = player()?.choose(&position)?;
                assert!(game.moves(&position)?.contains(&choice.mv), "{spec} {text}");
                assert_eq!(game.play(&position, &choice.mv)?, choice.to);
                if agent(text).needs_values() {
                    let value = solved.probe(&position)?;
                    assert_eq!(solved.probe(&choice.to)?.before(), value, "{spec} {text}");
                }
                if !text.contains("time") {
                    assert_eq!(player()?.choose(&position)?, choice);
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
    let by_time =
        AgentResources { time: Some(Duration::from_millis(100)), ..AgentResources::default() };
    let by_flag = AgentResources { stop: Some(&stop), ..AgentResources::default() };
    for text in ["mc:playouts=1000000", "mcts:playouts=1000000", "alphabeta:depth=50", "level:10"] {
        for resources in [by_time, by_flag] {
            let started = Instant::now();
            let choice = choose(&game, &game.start(), text, None, resources)?;
            let seconds = started.elapsed().as_secs_f64();
            assert!(seconds < 3.0, "{text}: {seconds} s");
            assert!(game.moves(&game.start())?.contains(&choice.mv), "{text}");
        }
    }
    // A level makes playouts where there is no evaluation.
    let game = hindsight_games::game("tic-tac-toe")?;
    let choice = choose(&game, &game.start(), "level:10", None, by_flag)?;
    assert_eq!(choice.work, 1);
    Ok(())
}

#[test]
fn the_default_agent_of_a_game_is_known() -> Result<(), Error> {
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
    let unlimited = AgentResources::default();
    let error = choose(&game, &over, "random", None, unlimited).unwrap_err();
    assert!(matches!(error, Error::Agent(AgentChoiceError::GameOver { .. })), "{error}");
    assert_eq!(error.to_string(), "the game is over in xxx/oo./...: there is no move to choose");

    let error = choose(&game, &game.start(), "lure", None, unlimited).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent 'lure' plays by known values, and those of tic-tac-toe are not known; \
         'mcts:playouts=10000,prune=1%' plays without them"
    );

    let other = hindsight_games::game("dodgem:3x3")?;
    let solved = other.solve(Method::Auto, &Options::default())?;
    let values = Some(solved.values());
    let error = choose(&game, &game.start(), "perfect", values, unlimited).unwrap_err();
    assert!(matches!(error, Error::OtherGame { .. }), "{error}");

    let little = AgentResources { memory_bytes: 1000, ..unlimited };
    let error = choose(&game, &game.start(), "mcts", None, little).unwrap_err();
    assert!(error.to_string().starts_with("mcts takes at least"), "{error}");
    Ok(())
}

#[test]
fn an_unknown_value_is_named() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let corner = game.parse("x../.o./...")?;
    let solved = game.solve_from(&corner, &Options::default())?;
    let values = solved.values().for_agents();
    let resources = AgentResources::default();
    let mut player = Player::new(&game, &agent("perfect"), Some(&values), resources, &[1])?;
    assert!(player.choose(&corner).is_ok());
    let error = player.choose(&game.start()).unwrap_err();
    assert_eq!(error.to_string(), "the value of x../.../... is not known");

    let without_values = game.solve(Method::Forward, &Options::default())?;
    let values = Some(without_values.values());
    let error = choose(&game, &game.start(), "perfect", values, resources).unwrap_err();
    assert!(matches!(error, Error::NoValues), "{error}");
    Ok(())
}
