//! Knowledge that grows during an analysis.

use std::time::Instant;

use hindsight_core::{Answer, Game, Value, Wdl};

use crate::analysis::{AnalysedMove, Analysis, AnalysisSource};
use crate::known::Known;

/// Knowledge of a position and its moves.
pub(crate) struct Findings<'a, G: Game> {
    game: &'a G,
    position: G::Position,
    started: Instant,
    root: Known,
    moves: Vec<FoundMove<G>>,
    sources: Vec<AnalysisSource>,
    pub(crate) work: u64,
}

/// Knowledge of a move.
struct FoundMove<G: Game> {
    mv: G::Move,
    to: G::Position,
    known: Known,
    estimate: Option<f64>,
    /// Play after the move.
    line: Vec<G::Move>,
}

impl<'a, G: Game> Findings<'a, G> {
    /// Begins with what the rules tell.
    pub(crate) fn new(game: &'a G, position: G::Position) -> Self {
        let mut moves = Vec::new();
        let over = game.terminal(position);
        if over.is_none() {
            game.moves(position, &mut moves);
        }
        let found = |mv| {
            let to = game.play(position, mv);
            let over = game.terminal(to).map(Value::terminal);
            FoundMove {
                mv,
                to,
                known: over.map_or(Known::NOTHING, |value| Known::exact(value.before())),
                estimate: None,
                line: Vec::new(),
            }
        };
        let root = over.map(Value::terminal);
        let mut findings = Self {
            game,
            position,
            started: Instant::now(),
            root: root.map_or(Known::NOTHING, Known::exact),
            moves: moves.into_iter().map(found).collect(),
            sources: Vec::new(),
            work: 0,
        };
        findings.conclude();
        if findings.is_exact() {
            findings.add_source(AnalysisSource::Rules);
        }
        findings
    }

    /// True if the value is proved.
    pub(crate) fn is_proved(&self) -> bool {
        self.root.answer != Answer::Unknown
    }

    /// True if the value is proved with its plies.
    pub(crate) fn is_exact(&self) -> bool {
        self.root.answer.exact().is_some()
    }

    /// True if the values of the position and of all moves are known, with their plies.
    pub(crate) fn is_complete(&self) -> bool {
        let is_exact = |found: &FoundMove<G>| found.known.answer.exact().is_some();
        self.is_exact() && self.moves.iter().all(is_exact)
    }

    /// True if the result of a move is not known.
    pub(crate) fn has_open_moves(&self) -> bool {
        let mut moves = self.moves.iter();
        moves.any(|found| found.known == Known::NOTHING)
    }

    pub(crate) fn root(&self) -> Known {
        self.root
    }

    pub(crate) fn add_source(&mut self, source: AnalysisSource) {
        self.sources.push(source);
    }

    /// Adds knowledge of the position itself.
    pub(crate) fn note_root(&mut self, known: Known) {
        self.root = self.root.with(known);
        self.conclude();
    }

    /// Adds knowledge of the positions after the moves, by a function of the position for its side
    /// to move.
    pub(crate) fn note_successors(&mut self, known: impl Fn(G::Position) -> Known) {
        for found in &mut self.moves {
            found.known = found.known.with(known(found.to).before());
        }
        self.conclude();
    }

    /// Sets the play after each move, by a function of the position after it.
    pub(crate) fn set_lines(&mut self, line: impl Fn(G::Position) -> Vec<G::Move>) {
        for found in &mut self.moves {
            found.line = line(found.to);
        }
    }

    /// Sets the play after the move to a position.
    pub(crate) fn set_line(&mut self, to: G::Position, line: Vec<G::Move>) {
        if let Some(found) = self.moves.iter_mut().find(|found| found.to == to) {
            found.line = line;
        }
    }

    /// Sets the estimates of all moves, in their order.
    pub(crate) fn set_estimates(&mut self, estimates: &[f64]) {
        for (found, &estimate) in self.moves.iter_mut().zip(estimates) {
            found.estimate = Some(estimate);
        }
    }

    /// Draws conclusions from the moves for the position, and from the position for the moves.
    fn conclude(&mut self) {
        let moves: Vec<Known> = self.moves.iter().map(|found| found.known).collect();
        self.root = self.root.concluded(&moves);
        let of_each = self.root.of_each_move();
        for found in &mut self.moves {
            found.known = found.known.with(of_each);
        }
    }

    /// Returns the knowledge so far.
    pub(crate) fn analysis(&self) -> Analysis<G::Position, G::Move> {
        let estimates = self
            .moves
            .iter()
            .map(|found| match found.known.answer.wdl() {
                Some(Wdl::Win) => Some(1.0),
                Some(Wdl::Draw) => Some(0.0),
                Some(Wdl::Loss) => Some(-1.0),
                None => found.estimate,
            });
        let estimate = estimates.flatten().max_by(f64::total_cmp);
        let analysed = |found: &FoundMove<G>| {
            let line = std::iter::once(found.mv).chain(found.line.iter().copied());
            AnalysedMove {
                mv: found.mv,
                to: found.to,
                answer: found.known.answer,
                bound: found.known.bound,
                estimate: found.estimate.filter(|_| found.known == Known::NOTHING),
                line: line.collect(),
            }
        };
        let mut analysis = Analysis {
            position: self.position,
            answer: self.root.answer,
            bound: self.root.bound,
            estimate: estimate.filter(|_| self.root == Known::NOTHING),
            moves: self.moves.iter().map(analysed).collect(),
            sources: self.sources.clone(),
            work: self.work,
            elapsed: self.started.elapsed(),
        };
        analysis.sort_moves();
        analysis
    }

    pub(crate) fn game(&self) -> &'a G {
        self.game
    }

    pub(crate) fn position(&self) -> G::Position {
        self.position
    }

    pub(crate) fn started(&self) -> Instant {
        self.started
    }
}
