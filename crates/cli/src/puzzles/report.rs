//! Puzzles as text, JSON, a certificate and a printable sheet.

use std::io::Write;

use anyhow::{Result, anyhow};
use hindsight_answers::{GradeAnswer, PuzzleAnswer, PuzzlePly, PuzzlesAnswer, ScannedPositions};
use hindsight_core::{Game, Notation, Probe, drawing_of};
use hindsight_draw::{SheetPicture, sheet};
use hindsight_puzzles::{ProofNode, Puzzle, PuzzleOf, prove_value};
use hindsight_report::TextTable;
use serde::Serialize;

use super::request::{PuzzleFiles, PuzzleRequest};
use super::scan::scope_text;
use crate::board_text::board_text_of;
use crate::output::{finish_all, fitted, print_json, print_text};
use crate::sizes::{counted, with_commas};
use crate::text::{above_board, moves_table, side_names};

/// Most positions in the proofs of one certificate.
const MAX_PROOF_POSITIONS: usize = 1_000_000;

/// The puzzles found, ready to be written.
pub(super) struct PuzzleReport<'a, G: Game> {
    pub(super) request: &'a PuzzleRequest<'a>,
    pub(super) game: &'a G,
    pub(super) scanned: ScannedPositions,
    /// Puzzles found; `puzzles` are the hardest of them.
    pub(super) found: u64,
    pub(super) puzzles: &'a [PuzzleOf<G>],
}

/// The JSON of a certificate.
#[derive(Serialize)]
struct Certificate {
    game: String,
    theme: Option<String>,
    unique: String,
    full: bool,
    puzzles: Vec<ProvedPuzzle>,
}

/// A puzzle with a proof of its value.
#[derive(Serialize)]
struct ProvedPuzzle {
    position: String,
    player: &'static str,
    value: String,
    remoteness: Option<u16>,
    /// Nodes of the proof graph; the first is the puzzle.
    positions: Vec<ProofNode>,
}

impl<G: Notation> PuzzleReport<'_, G> {
    /// Writes the requested files, then prints the report.
    pub(super) fn write<S: Probe<G>>(&self, probe: &S) -> Result<()>
    where
        S::Error: Send + Sync + 'static,
    {
        let PuzzleFiles {
            certificate,
            sheets,
        } = self.request.files.take();
        let mut files = Vec::new();
        if let Some(mut file) = certificate {
            let certificate = self.certificate(probe)?;
            serde_json::to_writer(&mut file, &certificate)?;
            file.write_all(b"\n")?;
            files.push(file);
        }
        if let Some(sheets) = sheets {
            for (mut file, text) in sheets.into_iter().zip(self.sheets()) {
                file.write_all(text.as_bytes())?;
                files.push(file);
            }
        }
        finish_all(files)?;
        if self.request.context.json {
            print_json(&self.json())
        } else {
            print_text(&self.text())
        }
    }

    fn certificate<S: Probe<G>>(&self, probe: &S) -> Result<Certificate>
    where
        S::Error: Send + Sync + 'static,
    {
        let full = self.request.args.full;
        let mut left = MAX_PROOF_POSITIONS;
        let mut proved = Vec::new();
        for puzzle in self.puzzles {
            let (position, value) = (puzzle.position, puzzle.value);
            let positions = prove_value(self.game, probe, position, value, full, left);
            let positions = positions.map_err(|error| match error {
                hindsight_puzzles::PuzzleError::TooLong(_) => anyhow!(
                    "the certificate would have more than {} positions; \
                     ask for fewer or shorter puzzles (--count, --max-plies){}",
                    with_commas(MAX_PROOF_POSITIONS as u64),
                    if full { ", or leave out --full" } else { "" }
                ),
                error => error.into(),
            })?;
            left -= positions.len();
            proved.push(ProvedPuzzle {
                position: self.game.format(puzzle.position),
                player: side_names(self.game, puzzle.position)[0],
                value: puzzle.value.wdl().to_string(),
                remoteness: puzzle.value.remoteness(),
                positions,
            });
        }
        Ok(Certificate {
            game: self.game.spec(),
            theme: self.request.theme_word(),
            unique: self.request.unique_word(),
            full,
            puzzles: proved,
        })
    }

    fn json(&self) -> PuzzlesAnswer {
        PuzzlesAnswer {
            game: self.game.spec(),
            theme: self.request.theme_word(),
            unique: self.request.unique_word(),
            scanned: self.scanned.clone(),
            found: self.found,
            puzzles: self
                .puzzles
                .iter()
                .map(|puzzle| self.puzzle_json(puzzle))
                .collect(),
        }
    }

    fn puzzle_json(&self, puzzle: &PuzzleOf<G>) -> PuzzleAnswer {
        let step = |&(position, mv): &(G::Position, G::Move)| PuzzlePly {
            position: self.game.format(position),
            r#move: self.game.format_move(position, mv),
        };
        PuzzleAnswer {
            position: self.game.format(puzzle.position),
            player: side_names(self.game, puzzle.position)[0],
            value: puzzle.value.wdl().to_string(),
            remoteness: puzzle.value.remoteness(),
            line: puzzle.line.iter().map(step).collect(),
            end: self.game.format(puzzle.end),
            grade: GradeAnswer::new(puzzle.grade),
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{}: {} found, {} shown, hardest first ({})\n",
            self.game.spec(),
            counted(self.found, "puzzle"),
            self.puzzles.len(),
            scope_text(&self.scanned)
        );
        for (number, puzzle) in (1..).zip(self.puzzles) {
            text.push_str(&format!(
                "\n{number}. {}\n{}{}{}.\n",
                self.task(puzzle),
                above_board(
                    &self.game.format(puzzle.position),
                    &board_text_of(self.game, puzzle.position, self.request.context)
                ),
                fitted(&self.solution(puzzle)),
                grade_text(puzzle)
            ));
        }
        text
    }

    /// Returns the task of the solver, as a sentence.
    fn task(&self, puzzle: &PuzzleOf<G>) -> String {
        let [mover, _] = side_names(self.game, puzzle.position);
        match puzzle.value.remoteness() {
            Some(plies) => format!("{mover} to move wins in {}.", counted(plies, "ply")),
            None => format!("{mover} to move holds the draw."),
        }
    }

    /// Returns the moves of the solution.
    fn solution(&self, puzzle: &PuzzleOf<G>) -> TextTable {
        let plies = puzzle.line.iter();
        let moves = plies.map(|&(position, mv)| self.game.format_move(position, mv));
        moves_table(&moves.collect::<Vec<_>>())
    }

    /// Returns the sheet of puzzles and the sheet of their solutions, as SVG.
    fn sheets(&self) -> [String; 2] {
        let figure = |number: usize, puzzle: &PuzzleOf<G>, text: String| SheetPicture {
            title: format!("{number}. {}", self.task(puzzle)),
            drawing: drawing_of(self.game, puzzle.position),
            text,
        };
        let numbered = || (1..).zip(self.puzzles);
        let tasks: Vec<SheetPicture> = numbered()
            .map(|(number, puzzle)| figure(number, puzzle, self.game.format(puzzle.position)))
            .collect();
        let solutions: Vec<SheetPicture> = numbered()
            .map(|(number, puzzle)| {
                let solution = self.solution(puzzle);
                figure(number, puzzle, format!("{solution}{}", grade_text(puzzle)))
            })
            .collect();
        let spec = self.game.spec();
        [
            sheet(&format!("{spec}: puzzles"), &tasks),
            sheet(&format!("{spec}: solutions"), &solutions),
        ]
    }
}

/// Returns the grade of a puzzle in words.
fn grade_text<P, M>(puzzle: &Puzzle<P, M>) -> String {
    let grade = &puzzle.grade;
    let plies = grade
        .plies
        .map_or(String::new(), |plies| counted(plies, "ply") + ", ");
    let quiet = if grade.quiet_start { "quiet, " } else { "" };
    let (tempting, wrong) = (grade.tempting_moves, grade.wrong_moves);
    let wrong = counted(wrong, "wrong move");
    format!("{plies}{quiet}{tempting} tempting, {wrong}")
}
