//! `deals`: who wins deals of real Onitama.

use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

const LIST: &str = "\
source a by hand
boar crab,horse cobra,tiger first 23 d5d4:horse a
boar crab,monkey crane,tiger second 30 - a
";

/// Writes a file, and returns its path.
fn written(folder: &TestFolder, name: &str, text: &str) -> String {
    let path = folder.path(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn deals_of_cards_are_listed_as_they_are_dealt() {
    let folder = TestFolder::new();
    let list = written(&folder, "list.txt", LIST);
    let all = json(&["deals", "--list", &list]);
    let winners: Vec<_> = all.as_array().expect("deals").iter().map(|d| &d["winner"]).collect();
    assert_eq!(winners, ["first", "second"]);
    // The cards of the mirror image, in any order.
    let deals = json(&["deals", "Tiger, eel,ox,boar,crab", "--list", &list]);
    let deals = deals.as_array().expect("deals");
    assert_eq!(deals.len(), 30);
    let known: Vec<_> = deals.iter().filter(|deal| !deal["winner"].is_null()).collect();
    assert_eq!(known.len(), 1);
    assert_eq!(
        *known[0],
        serde_json::json!({
            "game": "onitama:5x5:boar,crab,ox,eel,tiger:first=red",
            "cards": {"aside": "boar", "first": ["crab", "ox"], "second": ["eel", "tiger"]},
            "winner": "first",
            "remoteness": null,
            "bound": {"value": "win", "plies": 23},
            "best_move": "b5b4:ox",
            "by": "by hand",
        })
    );
    let with_crane = json(&["deals", "crane", "--list", &list]);
    assert_eq!(with_crane.as_array().expect("deals").len(), 1);
    let text = answer(&["deals", "crane", "--list", &list]);
    assert!(text.contains("boar   crab   monkey  crane   tiger     30  second"), "{text}");
}

/// Every deal that ships is one of the game, with a legal first move, and `solve` and `analyse`
/// tell it at once, with the players exchanged as well.
#[test]
fn the_list_that_ships_is_used() {
    let deals = json(&["deals"]);
    let deals = deals.as_array().expect("deals");
    assert!(!deals.is_empty());
    for deal in deals {
        let game = deal["game"].as_str().expect("a spec");
        let values = [("first", "win"), ("draw", "draw"), ("second", "loss")];
        let value =
            values.iter().find(|(winner, _)| deal["winner"] == *winner).expect("a winner").1;
        let solved = json(&["solve", game, "--quiet"]);
        assert_eq!(solved["start"]["value"], value, "{game}");
        assert_eq!(solved["start"]["best_move"], deal["best_move"], "{game}");
        assert_eq!(solved["chosen"]["solver"], "deals", "{game}");
    }
    let first = &deals[0];
    let card = |key: &str, i: usize| first["cards"][key][i].as_str().expect("a card");
    let turned = format!(
        "onitama:5x5:{},{},{},{},{}:first=blue",
        first["cards"]["aside"].as_str().expect("a card"),
        card("second", 0),
        card("second", 1),
        card("first", 0),
        card("first", 1)
    );
    let found = json(&["analyse", &turned, "--seconds", "0.2", "--cache", "none"]);
    assert_eq!(found["value"], if first["winner"] == "first" { "win" } else { "loss" });
    let sources = found["sources"].as_array().expect("sources");
    assert!(sources.iter().any(|source| source == "the list of proved deals"), "{sources:?}");
}

#[test]
fn lists_are_put_together() {
    let folder = TestFolder::new();
    let list = written(&folder, "list.txt", LIST);
    let better = written(&folder, "better.txt", &LIST.replace(" 23 ", " 21 "));
    let out = folder.path("out.txt");
    let made = json(&["deals", "--list", &list, "--add", &better, &list, "--out", &out]);
    assert_eq!((&made["deals"], &made["added"]), (&2.into(), &1.into()));
    let text = std::fs::read_to_string(&out).expect("a list");
    assert!(text.contains(" first 21 d5d4:horse a\n"), "{text}");
    let fault = refusal(&["deals", "--list", &list, "--add", &better, "--out", &out]);
    assert!(fault.contains("exists"), "{fault}");
    let other = written(&folder, "other.txt", &LIST.replace("second 30 -", "first 31 c5c4:crab"));
    let out = folder.path("none.txt");
    let fault = refusal(&["deals", "--list", &list, "--add", &other, "--out", &out]);
    assert!(fault.contains("contradicts"), "{fault}");
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn deals_that_are_none_are_refused() {
    let folder = TestFolder::new();
    let broken = written(&folder, "broken.txt", "source a by hand\nboar ox first\n");
    for (call, fault) in [
        (vec!["deals", "wolf"], "no card 'wolf'"),
        (vec!["deals", "bear"], "not of the base game's 16 cards"),
        (vec!["deals", "ox,OX"], "named twice"),
        (vec!["deals", "ox,boar,crab,eel,tiger,horse"], "6 cards are named"),
        (vec!["deals", "ox,"], "a card without a name"),
        (vec!["deals", "--list", &broken], "line 2: no proved deal"),
        (vec!["deals", "--list", "/nowhere"], "cannot read '/nowhere'"),
        (vec!["deals", "--verify", "0"], "deals"),
        (vec!["deals", "--add", &broken], "--out"),
        (vec!["deals", "--out", "x"], "--add"),
    ] {
        let told = refusal(&call);
        assert!(told.contains(fault), "{call:?}: {told}");
    }
    let empty = written(&folder, "empty.txt", "# nothing\n");
    let fault = refusal(&["deals", "--list", &empty, "--verify", "1"]);
    assert!(fault.contains("none to verify"), "{fault}");
}

/// A deal that is not proved in time is no contradiction.
#[test]
fn a_proof_takes_its_time() {
    let folder = TestFolder::new();
    let list = written(&folder, "list.txt", LIST);
    let call = ["deals", "--list", &list, "--verify", "9", "--seconds", "0.1", "--json", "--quiet"];
    let (text, _) = run_with_code(0, &call);
    let answers: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let verdicts: Vec<_> =
        answers.as_array().expect("deals").iter().map(|deal| &deal["verdict"]).collect();
    assert_eq!(verdicts, ["not decided", "not decided"]);
}
