//! `probe --batch`: one position a line in, one JSON object a line out.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use hindsight_answers::ProbeAnswer;
use hindsight_core::Answer;
use hindsight_games::{Position, Values, ValuesReader};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::ProbeArgs;
use crate::context::Context;
use crate::inputs::game_with_values::all_values;
use crate::output::Output;
use crate::shown::lines::{InputLine, OpenInput};

/// Bytes of memory for a line, its position and its answer.
const LINE_BYTES: u64 = 1 << 9;

/// The same with the moves of a position with many moves.
const LINE_BYTES_WITH_MOVES: u64 = 1 << 14;

/// Most bytes of memory for the lines that are answered together. The more lines there are, the
/// more positions share a block of the table.
const CHUNK_BYTES: u64 = 1 << 26;

/// Fewest lines for a thread.
const THREAD_LINES: usize = 1 << 6;

/// Answer to a bad line.
#[derive(Serialize)]
struct LineFault {
    /// Number of the line, from 1.
    line: u64,
    error: String,
}

/// Answers the positions of an input. Returns false if some line is no position of the game, or
/// one of unknown value.
pub(super) fn run(input: &Path, args: &ProbeArgs, context: &Context) -> Result<bool> {
    let input = OpenInput::open(input)?;
    let mut out = Output::file_or_stream(Path::new("-"), context.force)?;
    let batch = Batch {
        values: all_values(&args.position.spec, context)?,
        moves: args.moves,
        canonical: args.canonical,
    };
    let mut lines = input.lines()?;
    let chunk_lines = chunk_lines(args.moves, context.limits().memory);
    let mut all_are_good = true;
    loop {
        let chunk = lines.next_lines(chunk_lines)?;
        if chunk.is_empty() {
            out.finish()?;
            return Ok(all_are_good);
        }
        for answer in batch.answers(&chunk)? {
            all_are_good &= answer.is_good;
            out.write_all(answer.json.as_bytes())?;
        }
        out.flush()?;
    }
}

/// Returns the number of lines to answer together, with their moves or not. They take an eighth of
/// `memory` bytes at most.
fn chunk_lines(moves: bool, memory: u64) -> usize {
    let line_bytes = if moves { LINE_BYTES_WITH_MOVES } else { LINE_BYTES };
    let lines = (memory / 8).min(CHUNK_BYTES) / line_bytes;
    lines.max(1) as usize
}

/// Answer to a line, with a line break.
struct AnsweredLine {
    json: String,
    is_good: bool,
}

impl AnsweredLine {
    fn new(answer: &impl Serialize, is_good: bool) -> Result<Self> {
        let mut json = serde_json::to_string(answer)?;
        json.push('\n');
        Ok(Self { json, is_good })
    }
}

/// Values, and what is asked of them.
struct Batch {
    values: Values,
    moves: bool,
    canonical: bool,
}

impl Batch {
    /// Answers lines, in their order.
    fn answers(&self, lines: &[InputLine]) -> Result<Vec<AnsweredLine>> {
        let parsed = lines.par_iter().with_min_len(THREAD_LINES);
        let parsed: Vec<_> = parsed.map(|line| self.parse(line)).collect();
        let positions: Vec<Position> = parsed.iter().flatten().cloned().collect();
        let values = self.values.probe_many(&positions)?;
        let mut values = values.into_iter();
        let probed = parsed.into_iter().map(|parsed| {
            let position = parsed?;
            let value = values.next().expect("a value for each position");
            Ok((position, value))
        });
        let probed: Vec<Result<(Position, Answer), String>> = probed.collect();
        let reader = || self.moves.then(|| self.values.reader());
        let answer = |reader: &mut Option<ValuesReader<'_>>, (line, probed): (&InputLine, _)| {
            let report = match probed {
                Ok((position, value)) => self.report(&position, value, reader.as_ref())?,
                Err(error) => Err(error),
            };
            match report {
                Ok(report) => AnsweredLine::new(&report, true),
                Err(error) => {
                    let line = line.number;
                    AnsweredLine::new(&LineFault { line, error }, false)
                }
            }
        };
        let probed = lines.par_iter().zip(probed).with_min_len(THREAD_LINES);
        probed.map_init(reader, answer).collect()
    }

    fn parse(&self, line: &InputLine) -> Result<Position, String> {
        let position = self.values.game().parse(line.text()?);
        position.map_err(|error| error.to_string())
    }

    /// Returns the report on a position, or why there is none. `reader` is there if the moves are
    /// asked for.
    fn report(
        &self,
        position: &Position,
        answer: Answer,
        reader: Option<&ValuesReader<'_>>,
    ) -> Result<Result<ProbeAnswer, String>> {
        let game = self.values.game();
        if answer.exact().is_none() {
            let position = game.format(position)?;
            return Ok(Err(format!(
                "the value of {position} is not known: the start does not lead to it"
            )));
        }
        let mut report = ProbeAnswer::new(game, position, answer, None)?;
        if self.canonical {
            report.add_canonical(game, position)?;
        }
        if let Some(reader) = reader {
            let rated = reader.rated_moves(position)?;
            report.add_moves(game, position, &rated)?;
        }
        Ok(Ok(report))
    }
}
