//! Rules and solves of a game of a known type.

use std::sync::Arc;

use hindsight_analysis::{EstimateLimits, glance};
use hindsight_core::{Drawing, DrawnMove, DrawnSetup, Notation, ParseError, Wdl, drawing_of};
use hindsight_play::{
    AgentSpec, GameRecord, MatchOptions, MoveVerdict, SeededRandom, SelfPlayOptions,
};
use hindsight_puzzles::{PuzzleProfile, PuzzleTheme};
use hindsight_run::{Limits, Monitor};
use hindsight_solve::graph;
use hindsight_solve::plan::{SolveNeeds, Solved};

use super::game::TypedGame;
use super::solution::SolvedValues;
use super::structure::Structure;
use crate::erased::agent::{ErasedAgent, ErasedPlay};
use crate::erased::{
    ErasedDistanceOutcome, ErasedGame, ErasedMeans, ErasedOutcome, ErasedRanks, ErasedSolution,
};
use crate::error::GamesError;
use crate::positions::agent_choice::AgentChoice;
use crate::positions::any_puzzle::AnyPuzzle;
use crate::positions::any_value::{AnyMove, Position};
use crate::tasks::analysis::{AnalysisWatcher, AnyAnalysis, AnyAnalysisTask};
use crate::tasks::distances::DistanceTask;
use crate::tasks::solve::SolveTask;

impl<G: Notation + Send + 'static, S: Structure<G>> ErasedGame for TypedGame<G, S> {
    fn spec(&self) -> &Arc<str> {
        &self.spec
    }

    fn rules(&self) -> &Arc<str> {
        &self.rules
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.game.player_names()
    }

    fn start(&self) -> Position {
        self.wrap(self.game.start())
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        self.game.parse(text).map(|position| self.wrap(position))
    }

    fn format(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.game.format(self.unwrap(position)?))
    }

    fn diagram(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.game.diagram(self.unwrap(position)?))
    }

    fn drawing(&self, position: &Position) -> Result<Drawing, GamesError> {
        Ok(drawing_of(&self.game, self.unwrap(position)?))
    }

    fn player_to_move(&self, position: &Position) -> Result<usize, GamesError> {
        Ok(self.game.player_to_move(self.unwrap(position)?))
    }

    fn outcome(&self, position: &Position) -> Result<Option<Wdl>, GamesError> {
        Ok(self.game.terminal(self.unwrap(position)?))
    }

    fn win_condition(&self, position: &Position) -> Result<Option<&'static str>, GamesError> {
        let position = self.unwrap(position)?;
        let is_won = self.game.terminal(position).is_some_and(|wdl| wdl != Wdl::Draw);
        Ok(self.game.win_condition(position).filter(|_| is_won))
    }

    fn moves(&self, position: &Position) -> Result<Vec<AnyMove>, GamesError> {
        let moves = self.legal_moves(self.unwrap(position)?).into_iter();
        Ok(moves.map(|mv| self.wrap_move(mv)).collect())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<AnyMove, GamesError> {
        let mv = self.game.parse_move(self.unwrap(position)?, text);
        mv.map(|mv| self.wrap_move(mv)).map_err(GamesError::MoveText)
    }

    fn format_move(&self, position: &Position, mv: &AnyMove) -> Result<String, GamesError> {
        let position = self.unwrap(position)?;
        Ok(self.game.format_move(position, self.unwrap_move(position, mv)?))
    }

    fn drawn_move(
        &self,
        position: &Position,
        mv: &AnyMove,
    ) -> Result<Option<DrawnMove>, GamesError> {
        let position = self.unwrap(position)?;
        let mv = self.unwrap_move(position, mv)?;
        Ok(self.game.drawn_move(position, mv))
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        self.game.drawn_setup()
    }

    fn play(&self, position: &Position, mv: &AnyMove) -> Result<Position, GamesError> {
        let position = self.unwrap(position)?;
        let mv = self.unwrap_move(position, mv)?;
        Ok(self.wrap(self.game.play(position, mv)))
    }

    fn successors(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let mut successors = Vec::new();
        self.game.successors(self.unwrap(position)?, &mut successors);
        Ok(successors.into_iter().map(|to| self.wrap(to)).collect())
    }

    fn canonical(&self, position: &Position) -> Result<Position, GamesError> {
        Ok(self.wrap(self.game.canonical(self.unwrap(position)?)))
    }

    fn images(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let position = self.unwrap(position)?;
        let mut images = Vec::new();
        self.game.images(position, &mut images);
        images.sort_unstable();
        images.dedup();
        images.retain(|&image| image != position);
        Ok(images.into_iter().map(|image| self.wrap(image)).collect())
    }

    fn is_unreached(&self, position: &Position) -> Result<bool, GamesError> {
        Ok(S::is_unreached(&self.game, self.unwrap(position)?))
    }

    fn run_task(self: Arc<Self>, task: SolveTask<'_>) -> Result<ErasedOutcome, GamesError> {
        self.run(task)
    }

    #[cfg(feature = "cluster")]
    fn solve_in_cluster(
        &self,
        task: crate::tasks::cluster::ClusterSolveTask<'_>,
    ) -> Result<crate::tasks::cluster::ClusterOutcome, GamesError> {
        self.run_in_cluster(task)
    }

    fn needs(&self, task: &SolveTask<'_>) -> Result<SolveNeeds, GamesError> {
        let layout = S::layout(&self.spec, task.layout)?;
        Ok(self.plan(task, layout, None)?.needs())
    }

    fn find_distances(
        self: Arc<Self>,
        task: DistanceTask<'_>,
    ) -> Result<ErasedDistanceOutcome, GamesError> {
        S::find_distances(self, task)
    }

    fn planes_bytes(&self, limits: Limits) -> Option<u64> {
        S::planes_bytes(&self.game, limits)
    }

    fn solve_from(
        self: Arc<Self>,
        start: &Position,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<Box<dyn ErasedSolution>, GamesError> {
        let start = self.unwrap(start)?;
        let solution = graph::solve_from(&self.game, start, limits, monitor)?;
        Ok(Box::new(SolvedValues { solved: Solved::of_graph(solution), game: self }))
    }

    fn glance(
        &self,
        position: &Position,
        estimate: Option<EstimateLimits>,
    ) -> Result<AnyAnalysis, GamesError> {
        let analysis = glance(&self.game, self.unwrap(position)?, estimate)?;
        Ok(self.wrap_analysis(&analysis))
    }

    fn analyse(
        &self,
        task: AnyAnalysisTask<'_>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError> {
        self.run_analysis(&task, watcher)
    }

    fn check_theme(&self, theme: PuzzleTheme) -> Result<(), String> {
        theme.check(&self.game)
    }

    fn puzzle_profile(&self, puzzle: &AnyPuzzle) -> Result<PuzzleProfile, GamesError> {
        let positions = puzzle.line.iter().map(|(position, _)| {
            let position = self.unwrap(position)?;
            Ok(S::without_forbidden_move(&self.game, position))
        });
        let positions: Vec<G::Position> = positions.collect::<Result<_, GamesError>>()?;
        Ok(PuzzleProfile::new(&self.game, &positions))
    }

    fn without_forbidden_move(&self, position: &Position) -> Result<Position, GamesError> {
        let position = self.unwrap(position)?;
        Ok(self.wrap(S::without_forbidden_move(&self.game, position)))
    }

    fn choose(
        &self,
        position: &Position,
        agent: &AgentSpec,
        means: ErasedMeans<'_>,
    ) -> Result<AgentChoice, GamesError> {
        self.choose_by(position, agent, means)
    }

    fn default_agent(&self) -> AgentSpec {
        AgentSpec::opponent_for(&self.game)
    }

    fn least_memory(&self, agent: &AgentSpec) -> u64 {
        agent.least_memory::<G>()
    }

    fn play_numbered(
        &self,
        agents: [ErasedAgent<'_>; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError> {
        self.record_of(agents, number, options, play)
    }

    fn play_from(
        &self,
        start: &Position,
        agents: [AgentSpec; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError> {
        self.record_from(start, agents, number, options, play)
    }

    fn judge_choice(
        &self,
        agent: ErasedAgent<'_>,
        position: &Position,
        random: &mut SeededRandom,
        play: &ErasedPlay<'_>,
    ) -> Result<Option<MoveVerdict>, GamesError> {
        self.verdict_on(agent, position, random, play)
    }

    fn judge_game(
        &self,
        agent: ErasedAgent<'_>,
        number: u64,
        options: SelfPlayOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<Vec<MoveVerdict>, GamesError> {
        self.verdicts_in(agent, number, options, play)
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        S::ranks(self)
    }
}
