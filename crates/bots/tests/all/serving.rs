//! Agents that are served as bots.

use std::time::Duration;

use hindsight_bots::{BotServing, HostInput, ServingEnd, await_hello, serve_bot};
use hindsight_core::Game as _;
use hindsight_play::{Agent, AgentResources, AgentSpec, SeededRandom};
use hindsight_rules::tic_tac_toe::TicTacToe;

/// Returns what an agent answers to the lines of a host, and how it ended.
fn served(agent: &str, seed: &str, input: &[u8]) -> (String, ServingEnd) {
    let game = TicTacToe::default();
    let spec: AgentSpec = agent.parse().expect("an agent");
    let make_agent = |time: Duration| {
        let resources = AgentResources {
            time: Some(time),
            ..AgentResources::default()
        };
        spec.agent(None, resources)
    };
    let serving = BotServing {
        game: &game,
        make_agent: &make_agent,
        seed,
    };
    let mut output = Vec::new();
    let end = serve_bot(&serving, &mut HostInput(input), &mut output).expect("no error");
    (String::from_utf8(output).expect("UTF-8"), end)
}

#[test]
fn moves_are_those_of_the_agent_with_the_same_seed() {
    let input = b"position .../.../...\nmoves a1\ngo 10\nposition x../.o./...\r\ngo 10\nquit\n";
    let (text, end) = served("mcts:playouts=200", "5,6,0", input);
    let game = TicTacToe::default();
    let spec: AgentSpec = "mcts:playouts=200".parse().expect("an agent");
    let agent = spec.agent(None, AgentResources::default());
    let mut agent: Box<dyn Agent<TicTacToe>> = agent.expect("memory");
    let mut random = SeededRandom::new(&[5, 6, 0]);
    let mut expected = String::new();
    for position in [".../.../...", "x../.o./..."] {
        use hindsight_core::Notation as _;
        let position = game.parse(position).expect("a position");
        assert!(game.terminal(position).is_none());
        let chosen = agent.choose(&game, position, &mut random).expect("a move");
        expected += &format!("move {}\n", game.format_move(position, chosen.mv));
    }
    assert_eq!((text, end), (expected, ServingEnd::Quit));
}

#[test]
fn lines_that_cannot_be_followed_are_answered_and_change_nothing() {
    let input = b"go 10\nposition xxx\ngo 1\nposition xx./oo./...\ngo soon\nfuture words\n\n\
                  \xff\xfe\x00\nposition xxx/oo./...\ngo 1\nhello 1 tic-tac-toe\n\
                  position xo./xo./xoo\nposition xx./oox/xoo\ngo 1\n";
    let (text, end) = served("alphabeta:depth=3", "", input);
    let expected = [
        "error go without a position",
        "error position 'xxx', character 1: this board has 3 rows",
        "error go without a position",
        "error go needs the seconds for the move, such as go 10",
        "info ignored: 'future words'",
        "info ignored: '\u{fffd}\u{fffd}\\u{0}'",
        "error the game is over in this position",
        "hello 1",
        "error position 'xo./xo./xoo', character 1: ",
        "move c3",
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{text}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}\n{expected}");
    }
    assert_eq!(end, ServingEnd::Quit, "the input ended");
}

#[test]
fn another_game_ends_the_game() {
    let (text, end) = served("random", "", b"newgame tic-tac-toe 1,2,3\nposition x\n");
    let expected = ServingEnd::NewGame {
        spec: String::from("tic-tac-toe"),
        seed: String::from("1,2,3"),
    };
    assert_eq!((text.as_str(), end), ("", expected));
}

#[test]
fn hello_is_awaited() {
    let await_in = |input: &[u8]| {
        let mut output = Vec::new();
        let spec = await_hello(&mut HostInput(input), &mut output).expect("no error");
        (spec, String::from_utf8(output).expect("UTF-8"))
    };
    let spec = Some(String::from("onitama:5x5:random"));
    let input = b"\ngo 3\nhello 9 onitama:5x5:random\n";
    assert_eq!(await_in(input), (spec, String::new()));
    assert_eq!(await_in(b"quit\nhello 1 x\n"), (None, String::new()));
    let (none, errors) = await_in(b"hello you\n");
    assert!(
        none.is_none() && errors.starts_with("error hello needs a version"),
        "{errors}"
    );
}

#[test]
fn a_line_without_end_does_not_take_memory() {
    let long = std::io::BufReader::new(std::io::repeat(b'x'));
    let error = HostInput(long).next_line().expect_err("too long");
    assert!(
        error.to_string().contains("more than 16777216 bytes"),
        "{error}"
    );
}
