//! Sheets of puzzles of all games: pages of paper as SVG, PNG and PDF.

use hindsight_core::Drawing;
use hindsight_draw::{Paper, Picture, Sheet, SheetPuzzle};
use hindsight_rules::GAMES;

use crate::drawing;
use crate::pictures::size_of_png;

fn puzzle(drawing: Drawing) -> SheetPuzzle {
    SheetPuzzle {
        task: String::from("White to move wins in 5 moves"),
        stars: 3,
        drawing,
        moves: ["a1b2", "c3d4", "b2a1"].map(String::from).to_vec(),
        note: String::from("a note & more"),
    }
}

/// Returns a sheet of twelve puzzles: two of a game, and so on.
fn sheet(paper: Paper) -> Sheet {
    let drawings = GAMES.iter().map(|game| drawing(game.example, None));
    let puzzles: Vec<SheetPuzzle> = drawings.cycle().take(12).map(puzzle).collect();
    Sheet { title: String::from("Games"), footer: "w".repeat(300), most_stars: 5, paper, puzzles }
}

#[test]
fn pages_have_the_size_of_their_paper() {
    for (paper, size) in [(Paper::A4, [794, 1123]), (Paper::Letter, [816, 1056])] {
        let pages = sheet(paper).pages();
        assert_eq!((pages.puzzles.len(), pages.solutions.len()), (2, 2));
        for page in pages.puzzles.iter().chain(&pages.solutions) {
            let png = page.png(1.0).expect("a page");
            assert_eq!(size_of_png(&png), size, "{paper:?}");
        }
    }
}

#[test]
fn tasks_and_solutions_are_on_pages_of_their_own() {
    let pages = sheet(Paper::A4).pages();
    for number in 1..=12 {
        let is_on = |page: &Picture| page.svg().contains(&format!(">{number}.</text>"));
        let page = usize::from(number > 10);
        assert!(is_on(&pages.puzzles[page]) && is_on(&pages.solutions[page]));
        assert!(!is_on(&pages.puzzles[1 - page]) || number == 1);
    }
    assert!(!pages.puzzles[0].svg().contains("a1b2"));
    assert!(pages.solutions[0].svg().contains(">1. a1b2 c3d4  3. b2a1</text>"));
    assert!(pages.solutions[0].svg().contains("a note &amp; more"));
    assert!(pages.solutions[1].svg().contains(">4 / 4</text>"));
}

#[test]
fn words_below_a_board_are_printed() {
    let mut noted = drawing("ostle:3x3:2:1", None);
    noted.note = String::from("may not move a1R");
    let sheet = Sheet { puzzles: vec![puzzle(noted)], ..sheet(Paper::A4) };
    assert!(sheet.pages().puzzles[0].svg().contains(">may not move a1R</text>"));
}

#[test]
fn long_solutions_have_small_letters() {
    let mut long = sheet(Paper::A4);
    let size_of = |sheet: &Sheet| {
        let page = sheet.pages().solutions[0].svg();
        let size = page.split("monospace\" font-size=\"").nth(1);
        let size = size.and_then(|text| text.split('"').next());
        size.and_then(|size| size.parse::<f64>().ok())
    };
    assert_eq!(size_of(&long), Some(7.5));
    for puzzle in &mut long.puzzles {
        puzzle.moves = vec![String::from("a1b2:sea-snake"); 200];
    }
    // 1,000 pairs of moves, four in a line, in two columns of 758 points.
    let size = size_of(&long).expect("a size");
    assert!((2.0..3.5).contains(&size), "{size}");
}

#[cfg(feature = "pdf")]
#[test]
fn a_pdf_has_all_pages_and_its_letters() {
    let pages = sheet(Paper::A4).pages();
    let all: Vec<&Picture> = pages.puzzles.iter().chain(&pages.solutions).collect();
    let pdf = hindsight_draw::pdf(&all, "Games").expect("a PDF");
    let has = |part: &str| pdf.windows(part.len()).any(|window| window == part.as_bytes());
    assert!(pdf.starts_with(b"%PDF-"));
    assert!(has("/Count 4") && has("/MediaBox [0 0 595."), "pages");
    assert!(has("/FontFile2") && has("/ToUnicode"), "letters");
    assert!(pdf.len() < 100_000, "{} bytes", pdf.len());
    assert_eq!(pdf, hindsight_draw::pdf(&all, "Games").expect("a PDF"));
}
