//! `fairness`: deals and cards judged by perfect play and by games.

use std::fs;

use serde_json::Value;

use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

const FIVE: &str = "onitama:3x3:tiger,crab,monkey,crane,dragon";

/// Five own cards, of which two move alike.
const DECK: &str = "\
[[card]]
name = \"wolf\"
stamp = \"blue\"
offsets = [[0, 1], [1, 1], [0, -1]]

[[card]]
name = \"fawn\"
offsets = [[-1, 0], [0, 1], [1, 0]]

[[card]]
name = \"hare\"
offsets = [[0, 2], [0, -1]]

[[card]]
name = \"newt\"
offsets = [[-1, 1], [1, 1]]

[[card]]
name = \"toad\"
offsets = [[-1, 1], [1, -1], [0, 1]]
";

fn deck(folder: &TestFolder, text: &str) -> String {
    let file = folder.path("deck.toml");
    fs::write(&file, text).expect("a deck");
    file
}

#[test]
fn every_deal_of_a_deck_is_judged() {
    let folder = TestFolder::new();
    let deck = deck(&folder, DECK);
    let call = |threads| {
        let fixed = ["fairness", "onitama:3x3", "--deck", &deck, "-n", "60"];
        let rest = ["--agent", "mcts:playouts=20", "--quiet", "--threads", threads];
        json(&[&fixed[..], &rest].concat())
    };
    let fairness = call("2");
    assert_eq!(fairness, call("1"));
    let deals = fairness["deals"].as_array().expect("deals");
    assert_eq!(deals.len(), 30);
    let perfect = &fairness["perfect"];
    let count = |key: &str| perfect[key].as_u64().expect("a number");
    assert_eq!(count("won") + count("drawn") + count("lost"), 30);
    for deal in deals.iter().step_by(7) {
        let game = deal["game"].as_str().expect("a spec");
        let solved = json(&["solve", game, "--quiet"]);
        assert_eq!(deal["value"], solved["start"]["value"], "{game}");
        assert_eq!(deal["remoteness"], solved["start"]["remoteness"], "{game}");
    }
    let names = fairness["cards"].as_array().expect("cards").iter();
    let mut names: Vec<&str> = names.filter_map(|card| card["card"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["fawn", "hare", "newt", "toad", "wolf"]);
    assert_eq!(fairness["games"]["games"], 60);
    // The spec may name cards of the deck, and others.
    let spec = "onitama:3x3:wolf,ox,wolf,hare,eel";
    let fairness = json(&["fairness", spec, "--deck", &deck, "-n", "1", "--quiet"]);
    let spec = "onitama:3x3:wolf=(0,1)(1,1)(0,-1)@blue,ox,wolf,hare=(0,2)(0,-1),eel";
    let normal = json(&["solve", spec, "--quiet"]);
    assert_eq!(fairness["game"], normal["game"]);
    let three: String = DECK.split_inclusive("\n\n").take(3).collect();
    let deck = folder.path("three.toml");
    fs::write(&deck, three).expect("a deck");
    let fairness = json(&["fairness", "onitama:3x3:hand=1", "--deck", &deck, "-n", "1", "--quiet"]);
    assert_eq!(fairness["deals"].as_array().expect("deals").len(), 6);
}

#[test]
fn a_judgement_is_printed_and_drawn() {
    let folder = TestFolder::new();
    let page = folder.path("page.svg");
    let text = answer(&["fairness", FIVE, "-n", "30", "--agent", "random", "--plot", &page]);
    let parts = ["30 deals", "Perfect play: ", "of random against itself", "crane dragon"];
    for part in parts {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let svg = fs::read_to_string(&page).expect("a page");
    for title in
        ["Lengths of the games", "Points of the first player", "Points by dealt card, games"]
    {
        assert!(svg.contains(title), "{title}");
    }
    let call = ["fairness", FIVE, "-n", "30", "--agent", "random", "--plot", &page];
    assert!(refusal(&call).contains("page.svg"));
    assert_eq!(fs::read_to_string(&page).expect("a page"), svg);
}

#[test]
fn a_game_without_tables_is_searched_from_its_start() {
    let judged = |spec: &str, seconds: &str| {
        let games = ["-n", "2", "--agent", "random", "--quiet"];
        let call = ["fairness", spec, "--seconds", seconds, "--memory", "300M"];
        answer(&[&call[..], &games].concat())
    };
    let searched = judged("four:5x5", "60");
    assert!(searched.contains("0 won, 1 drawn, 0 lost"), "{searched}");
    let short = judged("four:7x6", "0.1");
    let reason = "a search for the value of the start has not ended in 0.1 s; more --seconds may";
    let words: Vec<&str> = short.split_whitespace().collect();
    assert!(words.join(" ").contains(reason), "{short}");
}

#[test]
fn a_large_game_is_played_only() {
    let spec = "onitama:5x5:tiger,crab,monkey,crane,dragon";
    let call = ["fairness", spec, "-n", "30", "--agent", "random", "--seconds", "1", "--quiet"];
    let fairness = json(&call);
    assert_eq!(fairness["perfect"], Value::Null);
    assert_eq!(fairness["unsolved"]["allowed_seconds"], 1.0);
    assert!(answer(&call).contains("Perfect play is not known"));
    let quoridor =
        json(&["fairness", "quoridor:3x3:1", "-n", "10", "--agent", "random", "--quiet"]);
    assert_eq!(quoridor["deals"][0]["value"], "loss");
    assert_eq!(quoridor["cards"], serde_json::json!([]));
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = TestFolder::new();
    let whole = deck(&folder, DECK);
    let four: String = DECK.split_inclusive("\n\n").take(4).collect();
    let four_file = folder.path("four.toml");
    fs::write(&four_file, four).expect("a deck");
    for (words, part) in [
        (vec!["onitama:3x4", "--deck", &four_file], "has only 4 cards, and 5 are dealt"),
        (vec!["onitama:3x4:hand=1", "--deck", &whole], "has 5 cards, and 3 are dealt"),
        (vec!["onitama:3x4", "--deck", "no.toml"], "no.toml"),
        (vec!["onitama:3x4:ox:deck=other.toml", "--deck", &whole], "names a deck already"),
        (vec!["tic-tac-toe", "--deck", &whole], "--deck is for Onitama"),
        (vec!["onitama:3x4"], "needs a size and cards"),
        (vec!["onitama:5x5:random"], "name the cards"),
        (vec![FIVE, "--agent", "perfect"], "name an agent that searches"),
        (vec![FIVE, "--agent", "cmd:cat"], "takes programs"),
        (vec![FIVE, "--agent", "nobody"], "nobody"),
        (vec![FIVE, "--plot", "-"], "needs a file"),
        (vec![FIVE, "--plot", "page.txt"], ".svg"),
        (vec![FIVE, "-n", "0"], "a number of games"),
        (vec![FIVE, "--plot", &whole, "--force"], ".svg"),
    ] {
        let message = refusal(&[&["fairness"], &words[..]].concat());
        assert!(message.contains(part), "{words:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert_eq!(fs::read_to_string(&whole).expect("the deck"), DECK);
    run_with_code(0, &["fairness", "tic-tac-toe", "-n", "2", "--quiet"]);
}
