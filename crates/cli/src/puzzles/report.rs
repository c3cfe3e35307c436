use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use hindsight_core::{Game, Material, Notation, Probe, Value};
use hindsight_puzzles::{
    ProofNode, Puzzle, PuzzleCounts, PuzzleDiagram, PuzzleOf, PuzzleTally, prove_puzzle, svg_sheet,
};
use serde::Serialize;

use super::PuzzleRequest;
use super::scan::ScanScope;
use crate::output::{align_columns, finish_all, print, print_json, with_commas};
use crate::text::side_names;

/// Positions that the proofs of a certificate have at most, all together.
const MAX_PROOF_POSITIONS: usize = 1_000_000;

/// What was found.
pub(super) struct PuzzleReport<'a, G: Game> {
    pub(super) call: &'a PuzzleRequest<'a>,
    pub(super) game: &'a G,
    pub(super) scanned: ScanScope,
    pub(super) found: u64,
    pub(super) puzzles: &'a [PuzzleOf<G>],
}

/// What `puzzles --json` prints.
#[derive(Serialize)]
struct PuzzlesJson {
    game: String,
    theme: Option<String>,
    unique: String,
    scanned: ScanScope,
    found: u64,
    puzzles: Vec<PuzzleJson>,
}

#[derive(Serialize)]
struct PuzzleJson {
    position: String,
    player: &'static str,
    value: String,
    remoteness: Option<u16>,
    line: Vec<PuzzlePly>,
    end: String,
    grade: GradeJson,
}

#[derive(Serialize)]
struct PuzzlePly {
    position: String,
    r#move: String,
}

#[derive(Serialize)]
struct GradeJson {
    plies: Option<u16>,
    tempting: u32,
    quiet: bool,
    wrong: u32,
}

/// What a certificate holds.
#[derive(Serialize)]
struct Certificate {
    game: String,
    theme: Option<String>,
    unique: String,
    full: bool,
    puzzles: Vec<ProvedPuzzle>,
}

#[derive(Serialize)]
struct ProvedPuzzle {
    position: String,
    player: &'static str,
    value: String,
    remoteness: Option<u16>,
    positions: Vec<ProofNode>,
}

/// The word of an option's value.
fn option_word(value: &impl clap::ValueEnum) -> String {
    let name = value.to_possible_value();
    name.map_or(String::new(), |name| name.get_name().to_string())
}

/// The file of a sheet's solutions.
pub(super) fn solutions_path(sheet: &Path) -> PathBuf {
    let mut name = sheet.file_stem().unwrap_or_default().to_owned();
    name.push("-solutions.svg");
    sheet.with_file_name(name)
}

impl<G: Game + Notation + Material> PuzzleReport<'_, G> {
    /// Writes the files that are asked for, then prints.
    pub(super) fn write<S: Probe<G>>(&self, solution: &S) -> Result<()>
    where
        S::Error: Send + Sync + 'static,
    {
        let super::PuzzleFiles {
            certificate,
            sheets,
        } = self.call.files.take();
        let mut files = Vec::new();
        if let Some(mut file) = certificate {
            let certificate = self.certificate(solution)?;
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
        if self.call.context.json {
            print_json(&self.json())
        } else {
            print(&self.text())
        }
    }

    fn theme(&self) -> Option<String> {
        self.call.args.theme.as_ref().map(option_word)
    }

    fn certificate<S: Probe<G>>(&self, solution: &S) -> Result<Certificate>
    where
        S::Error: Send + Sync + 'static,
    {
        let full = self.call.args.full;
        let mut left = MAX_PROOF_POSITIONS;
        let mut proved = Vec::new();
        for puzzle in self.puzzles {
            let positions = prove_puzzle(self.game, solution, puzzle, full, left);
            let positions = positions.map_err(|error| match error {
                hindsight_puzzles::PuzzleError::TooLong(_) => anyhow!(
                    "the certificate would have more than {} positions; ask for fewer or shorter puzzles (--count, --max-plies){}",
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
            theme: self.theme(),
            unique: option_word(&self.call.args.unique),
            full,
            puzzles: proved,
        })
    }

    fn json(&self) -> PuzzlesJson {
        PuzzlesJson {
            game: self.game.spec(),
            theme: self.theme(),
            unique: option_word(&self.call.args.unique),
            scanned: self.scanned.clone(),
            found: self.found,
            puzzles: self
                .puzzles
                .iter()
                .map(|puzzle| self.puzzle_json(puzzle))
                .collect(),
        }
    }

    fn puzzle_json(&self, puzzle: &PuzzleOf<G>) -> PuzzleJson {
        let step = |&(position, mv): &(G::Position, G::Move)| PuzzlePly {
            position: self.game.format(position),
            r#move: self.game.format_move(position, mv),
        };
        PuzzleJson {
            position: self.game.format(puzzle.position),
            player: side_names(self.game, puzzle.position)[0],
            value: puzzle.value.wdl().to_string(),
            remoteness: puzzle.value.remoteness(),
            line: puzzle.line.iter().map(step).collect(),
            end: self.game.format(puzzle.end),
            grade: GradeJson {
                plies: puzzle.grade.plies,
                tempting: puzzle.grade.tempting_moves,
                quiet: puzzle.grade.quiet_start,
                wrong: puzzle.grade.wrong_moves,
            },
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{}: {} puzzles found, {} shown, hardest first ({})\n",
            self.game.spec(),
            with_commas(self.found),
            self.puzzles.len(),
            scope_text(&self.scanned)
        );
        for (number, puzzle) in (1..).zip(self.puzzles) {
            text.push_str(&format!(
                "\n{number}. {}\n{}\n\n{}\n\n{}{}.\n",
                self.task(puzzle),
                self.game.format(puzzle.position),
                self.game.diagram(puzzle.position),
                align_columns(&self.rows(puzzle), "rll"),
                grade_text(puzzle)
            ));
        }
        text
    }

    /// What is to be done.
    fn task(&self, puzzle: &PuzzleOf<G>) -> String {
        let [mover, _] = side_names(self.game, puzzle.position);
        match puzzle.value.remoteness() {
            Some(1) => format!("{mover} to move wins in 1 ply."),
            Some(plies) => format!("{mover} to move wins in {plies} plies."),
            None => format!("{mover} to move holds the draw."),
        }
    }

    /// The solution, two plies in a row.
    fn rows(&self, puzzle: &PuzzleOf<G>) -> Vec<Vec<String>> {
        let pairs = puzzle.line.chunks(2).enumerate();
        let rows = pairs.map(|(i, pair)| {
            let moves = pair
                .iter()
                .map(|&(position, mv)| self.game.format_move(position, mv));
            let number = format!("{}.", 2 * i + 1);
            [number].into_iter().chain(moves).collect()
        });
        rows.collect()
    }

    /// The puzzles, and their solutions.
    fn sheets(&self) -> [String; 2] {
        let figure = |(number, puzzle): (usize, &PuzzleOf<G>), below: String| PuzzleDiagram {
            title: format!("{number}. {}", self.task(puzzle)),
            text: format!("\n{}\n\n{below}", self.game.diagram(puzzle.position)),
        };
        let numbered = || (1..).zip(self.puzzles);
        let tasks: Vec<PuzzleDiagram> = numbered()
            .map(|of| figure(of, self.game.format(of.1.position)))
            .collect();
        let solutions: Vec<PuzzleDiagram> = numbered()
            .map(|of| {
                let below = format!(
                    "{}{}",
                    align_columns(&self.rows(of.1), "rll"),
                    grade_text(of.1)
                );
                figure(of, below)
            })
            .collect();
        let spec = self.game.spec();
        [
            svg_sheet(&format!("{spec}: puzzles"), &tasks),
            svg_sheet(&format!("{spec}: solutions"), &solutions),
        ]
    }
}

/// How hard a puzzle is, in words.
fn grade_text<P, M>(puzzle: &Puzzle<P, M>) -> String {
    let grade = &puzzle.grade;
    let plies = grade
        .plies
        .map_or(String::new(), |plies| format!("{plies} plies, "));
    let quiet = if grade.quiet_start { "quiet, " } else { "" };
    let (tempting, wrong) = (grade.tempting_moves, grade.wrong_moves);
    format!("{plies}{quiet}{tempting} tempting, {wrong} wrong moves")
}

fn scope_text(scanned: &ScanScope) -> String {
    let positions = with_commas(scanned.positions);
    match (scanned.scope, scanned.seed) {
        ("sample", Some(seed)) => format!("{positions} positions drawn with seed {seed}"),
        (scope, _) => format!(
            "all {positions} positions that are {}, symmetric ones once",
            match scope {
                "reachable" => "reachable",
                _ => "in the table",
            }
        ),
    }
}

/// What `puzzles --tally --json` prints.
#[derive(Serialize)]
struct PuzzleTallyReport {
    game: String,
    theme: Option<String>,
    scanned: ScanScope,
    rows: Vec<PuzzleTallyRow>,
    total: PuzzleTallyRow,
}

#[derive(Serialize)]
struct PuzzleTallyRow {
    /// Null for draws, and in the total.
    remoteness: Option<u16>,
    puzzles: u64,
    only_move: u64,
    only_first: u64,
    only_line: u64,
}

impl PuzzleTallyRow {
    fn new(remoteness: Option<u16>, counts: &PuzzleCounts) -> Self {
        Self {
            remoteness,
            puzzles: counts.positions,
            only_move: counts.only_move,
            only_first: counts.only_first,
            only_line: counts.only_line,
        }
    }

    fn cells(&self, without: &str) -> Vec<String> {
        let plies = self.remoteness.map(|plies| plies.to_string());
        let counts = [
            self.puzzles,
            self.only_move,
            self.only_first,
            self.only_line,
        ];
        let plies = plies.unwrap_or(String::from(without));
        [plies].into_iter().chain(counts.map(with_commas)).collect()
    }
}

/// Prints counts.
pub(super) fn print_tally<G: Game + Notation>(
    call: &PuzzleRequest<'_>,
    game: &G,
    tally: &PuzzleTally,
    scanned: ScanScope,
) -> Result<()> {
    let report = PuzzleTallyReport {
        game: game.spec(),
        theme: call.args.theme.as_ref().map(option_word),
        scanned,
        rows: tally
            .0
            .iter()
            .map(|(&plies, counts)| PuzzleTallyRow::new(plies, counts))
            .collect(),
        total: PuzzleTallyRow::new(None, &tally.total()),
    };
    if call.context.json {
        return print_json(&report);
    }
    let draw = Value::Draw.to_string();
    let head = ["plies", "all", "only move", "only first", "only line"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(report.rows.iter().map(|row| row.cells(&draw)));
    rows.push(report.total.cells("all"));
    let theme = report.theme.as_ref();
    let theme = theme.map_or(String::from("won positions"), |theme| {
        format!("theme {theme}")
    });
    print(&format!(
        "{}: {theme}, by plies, and those with one solution ({})\n\n{}",
        report.game,
        scope_text(&report.scanned),
        align_columns(&rows, "rrrrr")
    ))
}
