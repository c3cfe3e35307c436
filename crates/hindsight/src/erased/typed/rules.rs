//! Rules and solves of a packed game.

use std::sync::Arc;

use hindsight_analysis::{EstimateLimits, glance};
use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Notation, Packed, PackedGame, ParseError, Wdl, drawing_of,
};
use hindsight_play::{
    AgentSpec, GameRecord, MatchOptions, MoveVerdict, SeededRandom, SelfPlayOptions,
};
use hindsight_puzzles::{PuzzleProfile, PuzzleTheme};
use hindsight_run::{Limits, Monitor};
use hindsight_solve::graph;
use hindsight_solve::plan::{SolveNeeds, Solved};

use super::solution::SolvedValues;
use super::structure::TypedGame;
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

impl<const W: usize> ErasedGame for TypedGame<W> {
    fn spec(&self) -> &Arc<str> {
        &self.named.spec
    }

    fn rules(&self) -> &Arc<str> {
        &self.named.rules
    }

    fn position_of(&self, words: &[u32]) -> Option<Position> {
        let words = words.try_into().ok()?;
        Some(self.named.wrap(Packed(words)))
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.named.game.player_names()
    }

    fn start(&self) -> Position {
        self.named.wrap(self.named.game.start())
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        self.named.game.parse(text).map(|position| self.named.wrap(position))
    }

    fn format(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.named.game.format(self.named.unwrap(position)?))
    }

    fn diagram(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.named.game.diagram(self.named.unwrap(position)?))
    }

    fn drawing(&self, position: &Position) -> Result<Drawing, GamesError> {
        Ok(drawing_of(&self.named.game, self.named.unwrap(position)?))
    }

    fn player_to_move(&self, position: &Position) -> Result<usize, GamesError> {
        Ok(self.named.game.player_to_move(self.named.unwrap(position)?))
    }

    fn outcome(&self, position: &Position) -> Result<Option<Wdl>, GamesError> {
        Ok(self.named.game.terminal(self.named.unwrap(position)?))
    }

    fn win_condition(&self, position: &Position) -> Result<Option<&'static str>, GamesError> {
        let position = self.named.unwrap(position)?;
        let is_won = self.named.game.terminal(position).is_some_and(|wdl| wdl != Wdl::Draw);
        Ok(self.named.game.win_condition(position).filter(|_| is_won))
    }

    fn moves(&self, position: &Position) -> Result<Vec<AnyMove>, GamesError> {
        let position = self.named.unwrap(position)?;
        let moves = self.named.legal_moves(position).into_iter();
        Ok(moves.map(|mv| self.named.wrap_move(position, mv)).collect())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<AnyMove, GamesError> {
        let position = self.named.unwrap(position)?;
        let mv = self.named.game.parse_move(position, text);
        mv.map(|mv| self.named.wrap_move(position, mv)).map_err(GamesError::MoveText)
    }

    fn format_move(&self, position: &Position, mv: &AnyMove) -> Result<String, GamesError> {
        let position = self.named.unwrap(position)?;
        Ok(self.named.game.format_move(position, self.named.unwrap_move(position, mv)?))
    }

    fn drawn_move(
        &self,
        position: &Position,
        mv: &AnyMove,
    ) -> Result<Option<DrawnMove>, GamesError> {
        let position = self.named.unwrap(position)?;
        let mv = self.named.unwrap_move(position, mv)?;
        Ok(self.named.game.drawn_move(position, mv))
    }

    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        self.named.game.drawn_setup()
    }

    fn play(&self, position: &Position, mv: &AnyMove) -> Result<Position, GamesError> {
        let position = self.named.unwrap(position)?;
        let mv = self.named.unwrap_move(position, mv)?;
        Ok(self.named.wrap(self.named.game.play(position, mv)))
    }

    fn successors(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let mut successors = Vec::new();
        self.named.game.successors(self.named.unwrap(position)?, &mut successors);
        Ok(successors.into_iter().map(|to| self.named.wrap(to)).collect())
    }

    fn canonical(&self, position: &Position) -> Result<Position, GamesError> {
        Ok(self.named.wrap(self.named.game.canonical(self.named.unwrap(position)?)))
    }

    fn images(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let position = self.named.unwrap(position)?;
        let mut images = Vec::new();
        self.named.game.images(position, &mut images);
        images.sort_unstable();
        images.dedup();
        images.retain(|&image| image != position);
        Ok(images.into_iter().map(|image| self.named.wrap(image)).collect())
    }

    fn is_unreached(&self, position: &Position) -> Result<bool, GamesError> {
        Ok(self.structure.is_unreached(self.named.unwrap(position)?))
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
        let layout = self.structure.layout(task.layout)?;
        Ok(self.plan(task, layout, None)?.needs())
    }

    fn find_distances(
        self: Arc<Self>,
        task: DistanceTask<'_>,
    ) -> Result<ErasedDistanceOutcome, GamesError> {
        self.structure.find_distances(task)
    }

    fn planes_bytes(&self, limits: Limits) -> Option<u64> {
        self.structure.planes_bytes(limits)
    }

    fn solve_from(
        self: Arc<Self>,
        start: &Position,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<Box<dyn ErasedSolution>, GamesError> {
        let start = self.named.unwrap(start)?;
        let solution = graph::solve_from(&self.named.game, start, limits, monitor)?;
        Ok(Box::new(SolvedValues { solved: Solved::of_graph(solution), start, game: self }))
    }

    fn glance(
        &self,
        position: &Position,
        estimate: Option<EstimateLimits>,
    ) -> Result<AnyAnalysis, GamesError> {
        let analysis = glance(&self.named.game, self.named.unwrap(position)?, estimate)?;
        Ok(self.named.wrap_analysis(&analysis))
    }

    fn analyse(
        &self,
        task: AnyAnalysisTask<'_>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError> {
        self.run_analysis(&task, watcher)
    }

    fn check_theme(&self, theme: PuzzleTheme) -> Result<(), String> {
        theme.check(&self.named.game)
    }

    fn puzzle_profile(&self, puzzle: &AnyPuzzle) -> Result<PuzzleProfile, GamesError> {
        let positions = puzzle.line.iter().map(|(position, _)| {
            let position = self.named.unwrap(position)?;
            Ok(self.structure.without_forbidden_move(position))
        });
        let positions: Vec<Packed<W>> = positions.collect::<Result<_, GamesError>>()?;
        Ok(PuzzleProfile::new(&self.named.game, &positions))
    }

    fn without_forbidden_move(&self, position: &Position) -> Result<Position, GamesError> {
        let position = self.named.unwrap(position)?;
        Ok(self.named.wrap(self.structure.without_forbidden_move(position)))
    }

    fn choose(
        &self,
        position: &Position,
        agent: &AgentSpec,
        means: ErasedMeans<'_>,
    ) -> Result<AgentChoice, GamesError> {
        self.named.choose_by(position, agent, means)
    }

    fn default_agent(&self) -> AgentSpec {
        AgentSpec::opponent_for(&self.named.game)
    }

    fn least_memory(&self, agent: &AgentSpec) -> u64 {
        agent.least_memory::<PackedGame<W>>()
    }

    fn play_numbered(
        &self,
        agents: [ErasedAgent<'_>; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError> {
        self.named.record_of(agents, number, options, play)
    }

    fn play_from(
        &self,
        start: &Position,
        agents: [AgentSpec; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError> {
        self.named.record_from(start, agents, number, options, play)
    }

    fn judge_choice(
        &self,
        agent: ErasedAgent<'_>,
        position: &Position,
        random: &mut SeededRandom,
        play: &ErasedPlay<'_>,
    ) -> Result<Option<MoveVerdict>, GamesError> {
        self.named.verdict_on(agent, position, random, play)
    }

    fn judge_game(
        &self,
        agent: ErasedAgent<'_>,
        number: u64,
        options: SelfPlayOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<Vec<MoveVerdict>, GamesError> {
        self.named.verdicts_in(agent, number, options, play)
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        self.structure.ranks()
    }
}
