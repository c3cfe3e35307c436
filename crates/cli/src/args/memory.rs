//! Memory that commands need besides the data of a solver.

use std::path::PathBuf;

use super::{Command, PuzzlesArgs, StudyName};
use crate::shown::picture_format::PictureFormat;

const MEBIBYTE: u64 = 1 << 20;

// Measured in release builds: the peak of each command beyond the least limit of memory.

/// The rest of the program's text that long work runs.
const MORE_PROGRAM: u64 = 6 * MEBIBYTE;
/// A table that is read, and puzzles that are found in it.
const PUZZLES: u64 = 16 * MEBIBYTE;
/// A chart as SVG.
const SVG_CHART: u64 = 8 * MEBIBYTE;
/// A chart as PNG, with its fonts and pixels.
const PNG_CHART: u64 = 48 * MEBIBYTE;
/// A sheet as PNG, with its fonts and pixels.
const PNG_SHEET: u64 = 56 * MEBIBYTE;
/// Sheets as PDF, with their fonts.
const PDF_SHEETS: u64 = 36 * MEBIBYTE;
/// A puzzle on a sheet as PDF.
const PDF_PUZZLE: u64 = MEBIBYTE / 3;
/// A page of several charts as PNG.
const PNG_PAGE: u64 = 80 * MEBIBYTE;
/// Requests of a server, and the tables of the games that it serves: those of dobutsu shogi, Quixo
/// and Onitama at once.
const SERVER: u64 = 112 * MEBIBYTE;

fn chart_bytes(file: Option<&PathBuf>, png: u64) -> u64 {
    match file.and_then(|file| PictureFormat::of_ending(file)) {
        Some(PictureFormat::Png) => png,
        Some(PictureFormat::Svg) => SVG_CHART,
        None => 0,
    }
}

fn puzzle_bytes(args: &PuzzlesArgs) -> u64 {
    let png = args.png.as_ref().map_or(0, |_| PNG_SHEET);
    let on_pdf = PDF_SHEETS + PDF_PUZZLE * args.count as u64;
    PUZZLES + png + args.pdf.as_ref().map_or(0, |_| on_pdf)
}

impl Command {
    /// Returns the bytes of memory that the command needs besides those of every command and the
    /// data of its solver.
    pub(crate) fn own_memory(&self) -> u64 {
        match self {
            Self::Serve(_) => SERVER,
            Self::Stats(args) => chart_bytes(args.plot.as_ref(), PNG_CHART),
            Self::Audit(args) => chart_bytes(args.plot.as_ref(), PNG_CHART),
            Self::Review(args) => chart_bytes(args.svg.as_ref(), PNG_CHART),
            Self::Fairness(args) => chart_bytes(args.plot.as_ref(), PNG_PAGE),
            Self::Puzzles(args) => puzzle_bytes(args),
            Self::Solve(args) if args.weak || args.strategy.is_some() => MORE_PROGRAM,
            Self::Study(args) if args.name == Some(StudyName::OnitamaDeals) => MORE_PROGRAM,
            _ => 0,
        }
    }
}
