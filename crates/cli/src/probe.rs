use anyhow::{Result, anyhow};
use game::{Game, Notation, Probe, Value};
use games::Visitor;
use serde::Serialize;
use solve::{StartingAt, graph};

use crate::args::{Common, ProbeArgs, Symmetry};
use crate::output::{print, print_json, table};
use crate::progress::Display;
use crate::solve::{explain, in_spec, limits, setup};

/// What `probe --json` prints.
#[derive(Serialize)]
struct Report {
    position: String,
    value: String,
    remoteness: Option<u16>,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    r#move: String,
    value: String,
    remoteness: Option<u16>,
}

pub(crate) fn run(args: &ProbeArgs, common: &Common) -> Result<()> {
    let visited = games::by_name(
        &args.spec,
        &setup(Symmetry::All),
        ProbeGame { args, common },
    );
    visited.map_err(|error| in_spec(&args.spec, &error))?
}

struct ProbeGame<'a> {
    args: &'a ProbeArgs,
    common: &'a Common,
}

impl Visitor for ProbeGame<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<()> {
        let position = match &self.args.position {
            None => game.start(),
            Some(text) => {
                let parsed = game.parse(text);
                parsed.map_err(|error| {
                    anyhow!(
                        "position '{text}', character {}: {}",
                        error.at + 1,
                        error.message
                    )
                })?
            }
        };
        let (value, moves) = match game.terminal(position) {
            Some(wdl) => (Value::terminal(wdl), Vec::new()),
            None => self.solve(&game, position)?,
        };
        let report = Report {
            position: game.format(position),
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            moves: moves
                .iter()
                .map(|&(mv, value)| MoveRow {
                    r#move: game.format_move(position, mv),
                    value: value.wdl().to_string(),
                    remoteness: value.remoteness(),
                })
                .collect(),
        };
        if self.common.json {
            return print_json(&report);
        }
        let mover = game.players()[game.player_to_move(position)];
        let mut text = format!("{}\n\n{}\n\n", report.position, game.diagram(position));
        match value.remoteness() {
            Some(0) => text.push_str(&format!(
                "The game is over: a {} for {mover}.\n",
                value.wdl()
            )),
            _ => text.push_str(&format!("{mover} to move: {value}.\n\n")),
        }
        let rows: Vec<Vec<String>> = moves
            .iter()
            .map(|&(mv, value)| {
                vec![
                    String::new(),
                    game.format_move(position, mv),
                    value.to_string(),
                ]
            })
            .collect();
        text.push_str(&table(&rows, "lll"));
        print(&text)
    }
}

/// The value of a position and its moves with theirs, best first.
type Values<M> = (Value, Vec<(M, Value)>);

impl ProbeGame<'_> {
    fn solve<G: Game + Notation>(
        &self,
        game: &G,
        position: G::Position,
    ) -> Result<Values<G::Move>> {
        let here = StartingAt {
            game,
            start: position,
        };
        let mut display = Display::new(self.common.quiet);
        let solved = graph::solve(&here, limits(self.common), &mut display).map_err(explain)?;
        drop(display);
        let reader = solved.reader(&here);
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut valued = Vec::new();
        for mv in moves {
            let answer = reader.probe(game.play(position, mv))?;
            let value = answer
                .exact()
                .ok_or_else(|| anyhow!("a successor was not reached"))?;
            valued.push((mv, value.before()));
        }
        valued.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        Ok((solved.value(0), valued))
    }
}
