//! Texts of agents, and files of games.

use hindsight_play::{AgentSpec, GameRecord, read_games};
use proptest::prelude::*;

use crate::play_matches;

#[test]
fn games_before_a_cut_are_read() {
    let records: Vec<GameRecord> =
        play_matches("tic-tac-toe", &[["random", "random"]], 3, 1).remove(0);
    let lines: Vec<String> =
        records.iter().map(|game| serde_json::to_string(game).unwrap()).collect();
    let text = lines.join("\n") + "\n";
    assert_eq!(read_games(&text).unwrap(), (records.clone(), false));
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).collect();
    for cut in 0..text.len() {
        let (games, was_cut) = read_games(&text[..cut]).unwrap();
        let complete = ends.iter().filter(|&&end| end <= cut).count();
        assert_eq!(games, records[..complete], "{cut}");
        let between = cut == 0 || ends.contains(&cut) || ends.contains(&(cut - 1));
        assert_eq!(was_cut, !between, "{cut}");
    }
    let error = read_games(&text.replacen('{', "[", 1)).unwrap_err();
    assert!(error.to_string().starts_with("line 1 is no game"), "{error}");
    let error = read_games(&text.replace("\"first\":1", "\"first\":7")).unwrap_err();
    assert_eq!(error.to_string(), "line 2 is no game: players are 0 and 1");
    assert_eq!(read_games(&format!("\n{text}\n \n")).unwrap().0, records);
    assert!(read_games("").unwrap().0.is_empty());
}

const GAME: &str = concat!(
    r#"{"game":"tic-tac-toe","number":0,"agents":["human","random"],"first":0,"moves":["b2"],"#,
    r#""winner":null,"ending":"unfinished","work":[0,1],"seconds":[0,0.5]}"#
);

#[test]
fn a_field_that_is_unknown_missing_or_of_another_kind_is_refused() {
    assert_eq!(read_games(GAME).unwrap().0.len(), 1);
    for (old, new, message) in [
        ("[0,1]", "[0,1,2]", "line 2 is no game: trailing characters at line 1 column 135"),
        ("[0,1]", "[0]", "invalid length 1, expected an array of length 2"),
        ("[0,1]", "[0,-1]", "invalid value: integer `-1`, expected u64"),
        ("[0,1]", "[0,1.0]", "invalid type: floating point `1.0`, expected u64"),
        ("[0,0.5]", "[0,0.5,1]", "trailing characters"),
        ("[0,0.5]", "[0,\"1\"]", "invalid type: string \"1\", expected f64"),
        ("\"human\",", "\"human\",\"mc\",", "trailing characters"),
        ("\"winner\":null,", "", "missing field `winner`"),
        ("\"winner\":null", "\"winner\":2", "players are 0 and 1"),
        ("\"winner\":null", "\"winner\":-1", "expected usize"),
        ("\"first\":0", "\"first\":2", "players are 0 and 1"),
        ("\"first\":0", "\"first\":0,\"first\":1", "duplicate field `first`"),
        ("\"first\":0", "\"first\":0,\"second\":1", "unknown field `second`"),
        ("[\"b2\"]", "\"b2\"", "expected a sequence"),
        ("0.5]}", "0.5]} {}", "trailing characters"),
    ] {
        let text = format!("{GAME}\n{}\n", GAME.replacen(old, new, 1));
        let error = read_games(&text).unwrap_err().to_string();
        assert!(error.starts_with("line 2 is no game: "), "{error}");
        assert!(error.contains(message), "{new}: {error}");
    }
    // A list of the same values, without their keys.
    let list =
        r#"["tic-tac-toe",null,0,["human","random"],0,["b2"],null,"unfinished",[0,1],[0,0.5],[]]"#;
    let error = read_games(&format!("{list}\n")).unwrap_err().to_string();
    assert_eq!(error, "line 1 is no game: a game is an object, with keys, and no list");
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    let games = read_games(&format!("{GAME}\n{GAME}\n")).unwrap();
    assert_eq!(games.0.len(), 2);
    let windows = format!("\u{feff}{GAME}\r\n\r\n{GAME}\r\n");
    assert_eq!(read_games(&windows).unwrap(), games);
    let cut = read_games(windows.trim_end_matches('\n')).unwrap();
    assert_eq!(cut, games, "only the line break is missing");
    let events = format!("{{\"event\":\"start\"}}\n{GAME}\n{{\"event\":\"over\"}}\n{GAME}\n");
    assert_eq!(read_games(&events).unwrap(), games, "events are no games");
    let with_start = GAME.replacen("\"number\"", "\"start\":\".../.x./...\",\"number\"", 1);
    let (with_start, _) = read_games(&format!("{with_start}\n")).unwrap();
    assert_eq!(with_start[0].start.as_deref(), Some(".../.x./..."));
}

#[test]
fn bad_agents_say_what_would_be_right() {
    for (text, at, message) in [
        ("", 0, "there is no agent ''; there are random, mc, mcts"),
        ("mtcs", 0, "did you mean 'mcts'?"),
        ("mcts:playout=5", 5, "did you mean 'playouts'?"),
        ("mcts:playouts=0", 14, "playouts is a whole number from 1 to 16777216, not '0'"),
        ("mcts:playouts", 5, "options are key=value"),
        ("mcts:c=x", 7, "c is a number from 0 to 1000"),
        ("mcts:c=nan", 7, "c is a number"),
        ("mcts:c=0.1,c=0.2", 11, "given twice"),
        ("mcts:c=0.1,C=x", 11, "the option c is given twice"),
        ("mcts:c=0.1,c", 11, "'c' is no option"),
        ("mc:playouts=5,time=1", 14, "one limits an agent"),
        ("mc:time=x,playouts=5", 8, "time is a number"),
        ("mc:c=0.4", 3, "there is no option of mc 'c'"),
        ("random:playouts=5", 7, "'random' has no options"),
        ("mcts:prune=0", 11, "prune is a whole number"),
        ("mcts:prune=101%", 11, "prune is a number from 0 to 100"),
        ("mcts:proven=maybe", 12, "yes or no"),
        ("mcts:time=-1", 10, "time is a number from 0"),
        ("mcts:time=0", 10, "time is a number from 0.000001"),
        ("mcts:playouts=5,rollouts=10", 0, "a move only 5 in all"),
        ("mcts:time=1,prune=1%", 0, "prune in per cent goes with playouts"),
        ("alphabeta:depth=0", 16, "depth is a whole number from 1 to 200"),
        ("alphabeta:nodes", 10, "options are key=value"),
        ("alphabeta:nodes=1,time=y", 23, "time is a number"),
        ("alfabeta", 0, "did you mean 'alphabeta'?"),
        ("level", 0, "level needs a number from 1 to 10"),
        ("level:", 0, "level needs a number from 1 to 10"),
        ("Level:11", 6, "not '11'"),
        ("level:n=3", 6, "levels are numbers"),
        ("mcts:playouts=5,", 16, "'' is no option"),
        ("  MCTS:C=0.1,Playouts=x ", 22, "not 'x'"),
        (" chess", 1, "there is no agent 'chess'"),
        ("chess", 0, "lure; programs, such as cmd:./bot, play in"),
        ("CMD:./bot", 0, "programs, such as cmd:./bot, play in the commands"),
        ("cmd", 0, "audit; here there are random, mc, mcts"),
    ] {
        let error = text.parse::<AgentSpec>().unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.offset, at, "{text}: {error}");
    }
}

#[test]
fn playouts_can_be_replaced() {
    for (text, playouts, other) in [
        ("mcts:playouts=5,c=0.2", Some(5), "mcts:playouts=70,c=0.2"),
        ("mc", Some(1000), "mc:playouts=70"),
        ("mcts:time=1", None, "mcts:time=1"),
        ("alphabeta", None, "alphabeta:nodes=100000"),
        ("random", None, "random"),
    ] {
        let agent: AgentSpec = text.parse().unwrap();
        assert_eq!(agent.playouts(), playouts, "{text}");
        assert_eq!(agent.with_playouts(70).unwrap().to_string(), other);
    }
    let agent: AgentSpec = "mcts:rollouts=9".parse().unwrap();
    let error = |playouts| agent.with_playouts(playouts).unwrap_err().to_string();
    assert!(error(5).contains("a move only 5 in all"));
    assert!(error(0).contains("playouts is a whole number from 1"));
}

/// Options of agents, right and wrong ones, as a regular expression.
const OPTIONS: &str = concat!(
    "(:[a-z]{1,8}=[0-9.%]{1,4}",
    "|:playouts=[0-9]{1,4}",
    "|:c=0[.][0-9]{1,3},prune=[0-9]{1,3}%?",
    "|:rollouts=2,depth=0.9,proven=yes",
    "|:depth=[0-9]{1,2},nodes=[0-9]{1,3}",
    "|:time=[0-9.]{1,3}",
    "|:time=[0-9.]{1,3},length=7,cutoff=-?0.2",
    "|)"
);

proptest! {
    #[test]
    fn texts_of_agents_are_read_back(
        name in "(random|mc|mcts|alphabeta|level:[0-9]{1,2}|perfect|lure|mct)",
        options in OPTIONS,
    ) {
        if let Ok(agent) = format!("{name}{options}").parse::<AgentSpec>() {
            let text = agent.to_string();
            prop_assert_eq!(text.parse::<AgentSpec>(), Ok(agent));
            prop_assert_eq!(text.to_uppercase().parse::<AgentSpec>(), Ok(agent));
        }
    }
}
