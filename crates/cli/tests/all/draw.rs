//! `draw`: pictures of positions.

use std::fs;

use crate::harness::{TestFolder, answer, json, refusal};

const DEAL: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";

#[test]
fn the_ending_says_the_format() {
    let folder = TestFolder::new();
    for (name, begins) in [("a.svg", &b"<svg "[..]), ("b.PNG", b"\x89PNG")] {
        let file = folder.path(name);
        let text = answer(&["draw", DEAL, "--out", &file]);
        assert!(text.contains(DEAL), "{text}");
        assert!(fs::read(&file).expect("a picture").starts_with(begins));
    }
    assert!(answer(&["draw", DEAL, "--out", "-"]).starts_with("<svg "));
    let file = folder.path("picture.gif");
    let error = refusal(&["draw", DEAL, "--out", &file]);
    assert!(error.contains("end it in .svg or .png"), "{error}");
    assert!(!fs::exists(file).expect("a folder"));
}

#[test]
fn a_picture_is_not_overwritten_and_grows_with_its_scale() {
    let folder = TestFolder::new();
    let file = folder.path("a.png");
    let call = ["draw", "ostle", "--out", &file];
    answer(&call);
    let small = fs::read(&file).expect("a picture");
    assert!(refusal(&call).contains("exists"));
    answer(&[&call[..], &["--force", "--scale", "4"]].concat());
    let large = fs::read(&file).expect("a picture");
    let width = |png: &[u8]| u32::from_be_bytes(png[16..20].try_into().expect("four bytes"));
    assert_eq!(width(&large), 2 * width(&small));
}

#[test]
fn positions_and_last_moves_are_checked() {
    let folder = TestFolder::new();
    let position = "c1 c5 1,1 b2h,c3v white";
    let file = folder.path("q.svg");
    let call = ["draw", "quoridor:5x5:2", position, "--out", &file];
    let report = json(&[&call[..], &["--last", "b2h"]].concat());
    assert_eq!(report["position"], position);
    let error = refusal(&[&call[..], &["--force", "--last", "z9"]].concat());
    assert!(error.contains("names no square"), "{error}");
    let error = refusal(&["draw", "tic-tac-toe", position, "--out", &file]);
    assert!(!error.is_empty());
}

#[test]
fn positions_of_a_table_are_drawn() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("onitama:3x3:boar", &[]);
    let svg = answer(&["draw", &table, "--out", "-"]);
    assert_eq!(svg.matches(">boar</text>").count(), 5);
}

#[test]
fn a_board_is_drawn_from_the_other_side() {
    let [svg, flipped] = [&[][..], &["--flip"]]
        .map(|option| answer(&[&["draw", "tic-tac-toe", "--out", "-"], option].concat()));
    let columns = |svg: &str| -> String {
        let columns = ["a", "b", "c"].map(|name| {
            let end = svg.find(&format!(">{name}</text>")).expect("a column");
            let start = svg[..end].rfind("<text x=\"").expect("its place");
            svg[start + 9..].split('"').next().unwrap_or_default().to_string()
        });
        columns.join(" ")
    };
    assert_eq!(columns(&svg), "28 84 140");
    assert_eq!(columns(&flipped), "140 84 28");
}
