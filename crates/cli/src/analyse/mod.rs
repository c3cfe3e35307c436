//! The command `analyse`: any position of any game, proved or estimated.

mod live;
mod report;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use hindsight_answers::AnalysisAnswer;
use hindsight_core::Answer;
use hindsight_games::{
    AnalysedMove, AnalysisStore, AnyAnalysis, AnyGame, AnyMove, Limits, Position, Symmetry, Values,
};

use crate::args::{AnalyseArgs, PositionArgs, SearchArgs};
use crate::cache::open_cache;
use crate::context::Context;
use crate::inputs::game_with_values::{file_or_game_error, named_position};
use crate::output::{print_json, print_text};
pub(crate) use live::LiveAnalysis;
use report::analysis_text;

pub(crate) fn run(args: &AnalyseArgs, context: &Context) -> Result<()> {
    let subject = Subject::named(&args.position, context)?;
    let moves = subject.moves(args.moves.as_deref())?;
    let mut live = LiveAnalysis::new(&subject, context);
    live.wants_every_move = args.all_moves;
    let analysis = subject.analyse(moves.as_deref(), &args.search, context, &mut live)?;
    live.clear();
    let answer = AnalysisAnswer::new(&subject.game, &analysis)?;
    if context.json {
        print_json(&answer)?;
    } else {
        print_text(&analysis_text(&answer, &subject, context)?)?;
    }
    live.stopped()
}

/// Position of a game, with a table if one was named.
pub(crate) struct Subject {
    pub(crate) game: AnyGame,
    pub(crate) position: Position,
    pub(crate) table: Option<Values>,
}

impl Subject {
    /// Returns the position of a table or a spec; the start for `None`.
    pub(crate) fn named(args: &PositionArgs, context: &Context) -> Result<Self> {
        let (file_or_spec, position) = (&args.spec, args.position.as_deref());
        let path = Path::new(file_or_spec);
        let (game, table) = if hindsight_games::names_table(path) {
            let table = hindsight_games::open(path)?;
            (table.game().clone(), Some(table.values().clone()))
        } else {
            let game = hindsight_games::game_with_symmetry(file_or_spec, Symmetry::All);
            (game.map_err(file_or_game_error)?, None)
        };
        let position = named_position(&game, position, context)?;
        Ok(Self { game, position, table })
    }

    fn moves(&self, texts: Option<&[String]>) -> Result<Option<Vec<AnyMove>>> {
        let moves = texts.map(|texts| {
            let moves = texts.iter();
            let moves = moves.map(|text| self.game.parse_move(&self.position, text));
            Ok(moves.collect::<Result<Vec<_>, _>>()?)
        });
        moves.transpose()
    }

    /// Analyses the position, or each of some moves by itself.
    pub(crate) fn analyse(
        &self,
        moves: Option<&[AnyMove]>,
        args: &SearchArgs,
        context: &Context,
        live: &mut LiveAnalysis<'_>,
    ) -> Result<AnyAnalysis> {
        if let Some(table) = &self.table {
            let mut analysis = table.analysis(&self.position)?;
            if let Some(moves) = moves {
                analysis.moves.retain(|analysed| moves.contains(&analysed.mv));
            }
            return Ok(analysis);
        }
        let cache = open_cache(args.cache.as_deref(), context)?;
        let search = PositionSearch {
            game: &self.game,
            limits: Limits {
                memory: context.with_tables_of(self.game.rules()).rest_for_analysis()?,
                time: Some(Duration::from_secs_f64(args.seconds)),
            },
            cache: cache.as_ref().map(|cache| cache as &dyn AnalysisStore),
        };
        match moves {
            None => search.analyse(&self.position, live),
            Some(moves) => search.analyse_moves(&self.position, moves, live),
        }
    }
}

/// Analysis of positions of a game, with its means.
struct PositionSearch<'a> {
    game: &'a AnyGame,
    limits: Limits,
    cache: Option<&'a dyn AnalysisStore>,
}

impl PositionSearch<'_> {
    fn analyse(&self, position: &Position, live: &mut LiveAnalysis<'_>) -> Result<AnyAnalysis> {
        let analysis = self.game.analyse_watched(position, self.limits, self.cache, live);
        Ok(analysis?)
    }

    /// Analyses the positions after some moves one after the other, each in its share of the time.
    ///
    /// The position itself is proved only if one of these moves wins.
    fn analyse_moves(
        &self,
        position: &Position,
        moves: &[AnyMove],
        live: &mut LiveAnalysis<'_>,
    ) -> Result<AnyAnalysis> {
        let share = Self {
            limits: Limits {
                time: self.limits.time.map(|time| time / moves.len().max(1) as u32),
                ..self.limits
            },
            ..*self
        };
        live.is_hidden = true;
        let mut whole: Option<AnyAnalysis> = None;
        for mv in moves {
            let to = self.game.play(position, mv)?;
            let after = share.analyse(&to, live)?;
            let analysed = move_of(mv, to, &after);
            let whole = whole.get_or_insert_with(|| AnyAnalysis {
                position: *position,
                answer: Answer::Unknown,
                bound: None,
                estimate: None,
                moves: Vec::new(),
                sources: Vec::new(),
                work: 0,
                elapsed: Duration::ZERO,
            });
            whole.moves.push(analysed);
            whole.sources.extend(after.sources);
            whole.work += after.work;
            whole.elapsed += after.elapsed;
        }
        let mut whole = whole.expect("at least one move is named");
        whole.conclude_from_moves();
        Ok(whole)
    }
}

/// Returns the analysis of a move by that of the position after it.
fn move_of(mv: &AnyMove, to: Position, after: &AnyAnalysis) -> AnalysedMove<Position, AnyMove> {
    let rest = after.moves.first().filter(|_| after.answer != Answer::Unknown);
    let rest = rest.map_or(&[][..], |best| &best.line);
    AnalysedMove {
        mv: *mv,
        to,
        answer: after.answer.before(),
        bound: after.bound.map(|plies| plies.saturating_add(1)),
        estimate: after.estimate.map(|estimate| -estimate),
        line: [*mv].into_iter().chain(rest.iter().cloned()).collect(),
    }
}
