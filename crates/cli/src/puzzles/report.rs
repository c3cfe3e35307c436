//! Puzzles as text, JSON, a certificate and printed sheets.

use std::io::Write;

use anyhow::{Result, anyhow, bail};
use hindsight_answers::report::TextTable;
use hindsight_answers::{
    CertificateAnswer, ProvedPuzzle, PuzzleAnswer, PuzzlesAnswer, ScannedPositions,
};
use hindsight_draw::{Sheet, SheetPuzzle};
use hindsight_games::{AnyPuzzle, Error, FoundPuzzles, MOST_STARS, PuzzleChoice, Values};

use super::request::{PuzzleFiles, PuzzleRequest, scope_text};
use crate::output::{finish_all, fitted, print_json, print_text};
use crate::shown::board_text::board_text;
use crate::shown::sizes::{counted, with_commas};
use crate::shown::text::{above_board, moves_table};

/// Most positions in the proofs of one certificate.
const MAX_PROOF_POSITIONS: usize = 1_000_000;

/// The puzzles found, ready to be written.
pub(super) struct PuzzleReport<'a> {
    request: &'a PuzzleRequest<'a>,
    values: &'a Values,
    puzzles: &'a [AnyPuzzle],
    /// The same puzzles as texts.
    answer: PuzzlesAnswer,
}

impl<'a> PuzzleReport<'a> {
    pub(super) fn new(
        request: &'a PuzzleRequest<'a>,
        values: &'a Values,
        found: &'a FoundPuzzles,
        scanned: ScannedPositions,
    ) -> Result<Self> {
        let answer = PuzzlesAnswer::new(values.game(), &request.search, found, scanned)?;
        Ok(Self { request, values, puzzles: &found.puzzles, answer })
    }

    /// Writes the requested files, then prints the report.
    pub(super) fn write(&self) -> Result<()> {
        let PuzzleFiles { certificate, sheets } = self.request.files.take();
        let mut files = Vec::new();
        if let Some(mut file) = certificate {
            let certificate = self.certificate()?;
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
            print_json(&self.answer)
        } else {
            print_text(&(self.text()? + &files_text(&names)))
        }
    }

    /// Returns the puzzles, each also as texts.
    fn puzzles(&self) -> impl Iterator<Item = (&AnyPuzzle, &PuzzleAnswer)> {
        self.puzzles.iter().zip(&self.answer.puzzles)
    }

    fn certificate(&self) -> Result<CertificateAnswer> {
        let full = self.request.args.full;
        let mut left = MAX_PROOF_POSITIONS;
        let mut proved = Vec::new();
        for (puzzle, answer) in self.puzzles() {
            let positions = self.values.proof(&puzzle.position, full, left);
            let positions = positions.map_err(|error| match error {
                Error::LongProof(_) => anyhow!(
                    "the certificate would have more than {} positions; \
                     ask for fewer or shorter puzzles (--count, --max-plies){}",
                    with_commas(MAX_PROOF_POSITIONS as u64),
                    if full { ", or leave out --full" } else { "" }
                ),
                error => error.into(),
            })?;
            left -= positions.len();
            proved.push(ProvedPuzzle {
                position: answer.position.clone(),
                player: answer.player,
                value: answer.value.clone(),
                remoteness: answer.remoteness,
                positions,
            });
        }
        Ok(CertificateAnswer {
            game: self.answer.game.clone(),
            theme: self.answer.theme.clone(),
            unique: self.answer.unique.clone(),
            full,
            puzzles: proved,
        })
    }

    fn text(&self) -> Result<String> {
        let mut text = format!(
            "{}: {} found, {} shown, {} ({})\n",
            self.answer.game,
            counted(self.answer.found, "puzzle"),
            self.puzzles.len(),
            match self.request.search.choice {
                PuzzleChoice::Different => "no two alike, hardest first",
                PuzzleChoice::Hardest => "hardest first",
                PuzzleChoice::Mixed => "no two alike, easiest first",
            },
            scope_text(&self.answer.scanned)
        );
        let (game, context) = (self.values.game(), self.request.context);
        for (number, (puzzle, answer)) in (1..).zip(self.puzzles()) {
            let board = board_text(game, &puzzle.position, "", context)?;
            text.push_str(&format!(
                "\n{number}. {}\n{}{}{}.\n",
                task(answer),
                above_board(&answer.position, &board),
                fitted(&solution(answer)),
                stars_text(puzzle)
            ));
        }
        Ok(text)
    }

    /// Returns the printed sheet.
    ///
    /// # Errors
    /// When there is no puzzle.
    fn sheet(&self) -> Result<Sheet> {
        let spec = &self.answer.game;
        if self.puzzles.is_empty() {
            bail!("{spec}: no puzzle was found, so there is no sheet to write");
        }
        let mut puzzles = Vec::new();
        for (puzzle, answer) in self.puzzles() {
            puzzles.push(SheetPuzzle {
                task: printed_task(answer),
                stars: puzzle.grade.stars(),
                drawing: self.values.game().drawing(&puzzle.position)?,
                moves: answer.line.iter().map(|ply| ply.r#move.clone()).collect(),
                note: grade_text(puzzle),
            });
        }
        Ok(Sheet {
            title: sheet_title(spec, self.puzzles.len()),
            footer: spec.clone(),
            most_stars: MOST_STARS,
            paper: self.request.paper(),
            puzzles,
        })
    }
}

/// Returns the task of the solver, as a sentence.
fn task(puzzle: &PuzzleAnswer) -> String {
    let mover = puzzle.player;
    match puzzle.remoteness {
        Some(plies) => format!("{mover} to move wins in {}.", counted(plies, "ply")),
        None => format!("{mover} to move holds the draw."),
    }
}

/// Returns the task of the solver in moves of the solver, as people count them.
fn printed_task(puzzle: &PuzzleAnswer) -> String {
    let mover = puzzle.player;
    match puzzle.remoteness {
        Some(plies) => {
            let moves = counted(plies.div_ceil(2), "move");
            format!("{mover} to move wins in {moves}")
        }
        None => format!("{mover} to move holds the draw"),
    }
}

/// Returns the moves of the solution.
fn solution(puzzle: &PuzzleAnswer) -> TextTable {
    moves_table(&puzzle.line.iter().map(|ply| ply.r#move.clone()).collect::<Vec<_>>())
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
fn stars_text(puzzle: &AnyPuzzle) -> String {
    let stars = puzzle.grade.stars();
    format!("{stars} of {MOST_STARS} stars: {}", grade_text(puzzle))
}

/// Returns the grade of a puzzle in words.
fn grade_text(puzzle: &AnyPuzzle) -> String {
    let grade = &puzzle.grade;
    let plies = grade.plies.map_or(String::new(), |plies| counted(plies, "ply") + ", ");
    let quiet = if grade.quiet_start { "quiet, " } else { "" };
    let (tempting, wrong) = (grade.tempting_moves, grade.wrong_moves);
    let wrong = counted(wrong, "wrong move");
    format!("{plies}{quiet}{tempting} tempting, {wrong}")
}
