//! Puzzles as text, JSON, a certificate and printed sheets.

use std::io::Write;

use anyhow::{Result, anyhow, bail};
use hindsight_answers::{GradeAnswer, PuzzleAnswer, PuzzlePly, PuzzlesAnswer, ScannedPositions};
use hindsight_core::{Notation, Packed, PackedGame, PackedMove, Probe, drawing_of};
use hindsight_draw::{Sheet, SheetPuzzle};
use hindsight_puzzles::{MOST_STARS, ProofNode, Puzzle, PuzzleChoice, prove_value};
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
pub(super) struct PuzzleReport<'a> {
    pub(super) request: &'a PuzzleRequest<'a>,
    pub(super) game: &'a PackedGame,
    pub(super) scanned: ScannedPositions,
    /// Puzzles found; `puzzles` are those that were chosen.
    pub(super) found: u64,
    pub(super) puzzles: &'a [Puzzle],
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

impl PuzzleReport<'_> {
    /// Writes the requested files, then prints the report.
    pub(super) fn write<S: Probe>(&self, probe: &S) -> Result<()>
    where
        S::Error: Send + Sync + 'static,
    {
        let PuzzleFiles { certificate, sheets } = self.request.files.take();
        let mut files = Vec::new();
        if let Some(mut file) = certificate {
            let certificate = self.certificate(probe)?;
            serde_json::to_writer(&mut file, &certificate)?;
            file.write_all(b"\n")?;
            files.push(file);
        }
        if !sheets.is_empty() {
            let sheet = self.sheet()?;
            let pages = sheet.pages();
            for sheet_files in sheets {
                files.extend(sheet_files.write(&sheet, &pages)?);
            }
        }
        let names = files.iter().map(|file| file.name().display().to_string());
        let names: Vec<String> = names.collect();
        finish_all(files)?;
        if self.request.context.json {
            print_json(&self.json())
        } else {
            print_text(&(self.text() + &files_text(&names)))
        }
    }

    fn certificate<S: Probe>(&self, probe: &S) -> Result<Certificate>
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
            puzzles: self.puzzles.iter().map(|puzzle| self.puzzle_json(puzzle)).collect(),
        }
    }

    fn puzzle_json(&self, puzzle: &Puzzle) -> PuzzleAnswer {
        let step = |&(position, mv): &(Packed, PackedMove)| PuzzlePly {
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
            "{}: {} found, {} shown, {} ({})\n",
            self.game.spec(),
            counted(self.found, "puzzle"),
            self.puzzles.len(),
            match self.request.choice {
                PuzzleChoice::Different => "no two alike, hardest first",
                PuzzleChoice::Hardest => "hardest first",
                PuzzleChoice::Mixed => "no two alike, easiest first",
            },
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
                stars_text(puzzle)
            ));
        }
        text
    }

    /// Returns the task of the solver, as a sentence.
    fn task(&self, puzzle: &Puzzle) -> String {
        let [mover, _] = side_names(self.game, puzzle.position);
        match puzzle.value.remoteness() {
            Some(plies) => format!("{mover} to move wins in {}.", counted(plies, "ply")),
            None => format!("{mover} to move holds the draw."),
        }
    }

    /// Returns the moves of the solution.
    fn solution(&self, puzzle: &Puzzle) -> TextTable {
        let plies = puzzle.line.iter();
        let moves = plies.map(|&(position, mv)| self.game.format_move(position, mv));
        moves_table(&moves.collect::<Vec<_>>())
    }

    /// Returns the printed sheet.
    ///
    /// # Errors
    /// When there is no puzzle.
    fn sheet(&self) -> Result<Sheet> {
        let spec = self.game.spec();
        if self.puzzles.is_empty() {
            bail!("{spec}: no puzzle was found, so there is no sheet to write");
        }
        let puzzles = self.puzzles.iter().map(|puzzle| {
            let plies = puzzle.line.iter();
            let moves = plies.map(|&(position, mv)| self.game.format_move(position, mv));
            SheetPuzzle {
                task: self.printed_task(puzzle),
                stars: puzzle.grade.stars(),
                drawing: drawing_of(self.game, puzzle.position),
                moves: moves.collect(),
                note: grade_text(puzzle),
            }
        });
        Ok(Sheet {
            title: sheet_title(&spec, self.puzzles.len()),
            footer: spec,
            most_stars: MOST_STARS,
            paper: self.request.paper(),
            puzzles: puzzles.collect(),
        })
    }

    /// Returns the task of the solver in moves of the solver, as people count them.
    fn printed_task(&self, puzzle: &Puzzle) -> String {
        let [mover, _] = side_names(self.game, puzzle.position);
        match puzzle.value.remoteness() {
            Some(plies) => {
                let moves = counted(plies.div_ceil(2), "move");
                format!("{mover} to move wins in {moves}")
            }
            None => format!("{mover} to move holds the draw"),
        }
    }
}

/// Returns the title of a sheet: the name of the game, and the number of puzzles.
fn sheet_title(spec: &str, puzzles: usize) -> String {
    let name = spec.split(':').next().unwrap_or_default();
    let (first, rest) = name.split_at(name.len().min(1));
    let puzzles = counted(puzzles as u64, "puzzle");
    format!("{}{rest}: {puzzles}", first.to_ascii_uppercase())
}

/// Returns a line with the files that were written; nothing for none.
fn files_text(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("\nWritten: {}\n", names.join(", ")),
    }
}

/// Returns the stars and the grade of a puzzle in words.
fn stars_text(puzzle: &Puzzle) -> String {
    let stars = puzzle.grade.stars();
    format!("{stars} of {MOST_STARS} stars: {}", grade_text(puzzle))
}

/// Returns the grade of a puzzle in words.
fn grade_text(puzzle: &Puzzle) -> String {
    let grade = &puzzle.grade;
    let plies = grade.plies.map_or(String::new(), |plies| counted(plies, "ply") + ", ");
    let quiet = if grade.quiet_start { "quiet, " } else { "" };
    let (tempting, wrong) = (grade.tempting_moves, grade.wrong_moves);
    let wrong = counted(wrong, "wrong move");
    format!("{plies}{quiet}{tempting} tempting, {wrong}")
}
