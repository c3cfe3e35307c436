//! Options and folders that are refused.

use std::fs;
use std::path::Path;

use super::{ATLAS, DEALS, files, make_part};
use crate::harness::{TestFolder, answer, refusal, run_with_code};

#[test]
fn options_of_parts_are_checked() {
    let part = |more: &[&str]| refusal(&[&ATLAS[..], more].concat());
    for text in ["0/2", "3/2", "1/0", "2", "-1", "a/b", ""] {
        let error = part(&["--part", text, "--out", "none"]);
        assert!(error.contains("K/N for part K of N, such as 2/8"), "{error}");
    }
    assert!(part(&["--part", "1/2"]).contains("--part needs --out DIR"));
    let table = part(&["--part", "1/2", "--out", "none", "--format", "csv"]);
    assert!(table.contains("`study merge` prints them"), "{table}");
    let other = refusal(&["study", "ostle", "--part", "1/2", "--out", "none"]);
    assert!(other.contains("--part is for onitama-atlas and onitama-deals"), "{other}");
    for words in [["onitama-atlas", "merge"], ["--seed=2", "merge"]] {
        let error = refusal(&[&["study"], &words[..], &["a", "--out", "none"]].concat());
        assert!(error.contains("`study merge` comes first"), "{error}");
    }
    assert!(refusal(&["study", "merge", "a"]).contains("--out <DIR>"));
    assert!(refusal(&["study", "merge", "--out", "none"]).contains("<DIR>..."));
    assert!(!Path::new("none").exists());
}

#[test]
fn folders_that_do_not_belong_together_are_refused() {
    let folder = TestFolder::new();
    let parts: Vec<String> = (1..=3).map(|n| make_part(&folder, &DEALS, n, 3)).collect();
    let [first, second, third] = [0, 1, 2].map(|n| &*parts[n]);
    let quarter = &*make_part(&folder, &DEALS, 2, 4);
    let atlas = &*make_part(&folder, &ATLAS, 1, 5);
    let [whole, empty, out] = ["whole", "empty", "out"].map(|name| folder.path(name));
    answer(&[&DEALS[..], &["--out", &whole]].concat());
    fs::create_dir(&empty).expect("a folder");
    let before = files(folder.0.path());
    for (given, expected) in [
        (&[first, third][..], "part 2/3 is missing"),
        (&[third], "parts 1/3, 2/3 are missing"),
        (&[first, second, third, second], "are both part 2/3; give each part once"),
        (&[first, quarter], "is of --part 2/4, '"),
        (&[first, atlas], "is of onitama-atlas, '"),
        (&[first, &whole], "has a whole study"),
        (&[first, &empty], "is no folder of a study"),
        (&[first, "nowhere"], "there is no folder 'nowhere'"),
    ] {
        let error = refusal(&[&["study", "merge"], given, &["--out", &out]].concat());
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let all = ["study", "merge", first, second, third, "--quiet", "--out"];
    for taken in [&*whole, first] {
        let error = refusal(&[&all[..], &[taken, "--force"]].concat());
        assert!(error.contains("has files, and none is overwritten"), "{error}");
    }
    let call = |more: &[&str]| refusal(&[&DEALS[..], more].concat());
    for (more, out, expected) in [
        (&["--part", "2/3"][..], first, "is of --part 1/3, not of --part 2/3"),
        (&["--part", "1/4"], first, "is of --part 1/3, not of --part 1/4"),
        (&[], first, "is of --part 1/3, not of the whole study"),
        (&["--part", "1/3"], &whole, "is of the whole study, not of --part 1/3"),
    ] {
        let error = call(&[more, &["--out", out]].concat());
        assert!(error.contains(expected), "{error}");
    }
    for (study, expected) in [
        (["--deals", "6", "--table", "3x3", "--seed=3"], "of --deals 5, not of --deals 6"),
        (["--deals", "5", "--table", "2x3", "--seed=3"], "of --table 3x3, not of --table 2x3"),
        (["--deals", "5", "--table", "3x3", "--seed=4"], "of --seed 3, not of --seed 4"),
    ] {
        let options = ["--part", "1/3", "--out", first];
        let call = [&DEALS[..2], &study, &options].concat();
        let error = refusal(&call);
        assert!(error.contains(expected), "{error}");
    }
    assert!(files(folder.0.path()) == before, "nothing was changed");
    // Results of another part are found even below the right label.
    let database = |part: &str| Path::new(part).join("deals").join("deals.sqlite");
    let own = fs::read(database(first)).expect("a database");
    fs::copy(database(second), database(first)).expect("a database");
    let error = refusal(&[&all[..], &[&out]].concat());
    assert!(error.contains("deal 1 is of another part"), "{error}");
    fs::write(database(first), "text").expect("a file");
    let error = refusal(&[&all[..], &[&out]].concat());
    assert!(error.contains("cannot read '") && error.contains("not a database"), "{error}");
    fs::write(database(first), own).expect("a database");
    // An empty folder is taken.
    run_with_code(0, &[&all[..], &[&empty]].concat());
    assert_eq!(files(Path::new(&empty)).len(), 2);
}
