//! Knowledge that grows during an analysis: an exact value replaces a winner, a winner replaces
//! nothing, and an estimate is shown only where nothing is proved.

use std::mem::discriminant;
use std::time::Instant;

use hindsight_core::{Answer, Game, Packed, PackedGame, PackedMove, Value, Wdl};
use hindsight_solve::move_between;

use crate::analysis::{AnalysedMove, Analysis, AnalysisSource};
use crate::kept::{KeptFindings, KeptMove};
use crate::known::Known;

/// Knowledge of a position and its moves.
///
/// Moves that lead to symmetric positions are one class, so that they have one value.
pub(crate) struct Findings<'a> {
    game: &'a PackedGame,
    position: Packed,
    started: Instant,
    root: Known,
    moves: Vec<FoundMove>,
    classes: Vec<MoveClass>,
    sources: Vec<AnalysisSource>,
    pub(crate) work: u64,
}

/// A move and its class.
struct FoundMove {
    mv: PackedMove,
    to: Packed,
    class: usize,
}

/// Knowledge of all moves to one position, up to symmetry.
pub(crate) struct MoveClass {
    /// Position after the moves, in its canonical form.
    pub(crate) to: Packed,
    /// Value for the side that makes the move.
    pub(crate) known: Known,
    estimate: Option<f64>,
    /// Positions after `to`, up to symmetry.
    line: Vec<Packed>,
}

impl MoveClass {
    /// True if the line goes on to the end, in the proved number of plies.
    fn has_full_line(&self) -> bool {
        let plies = self.known.answer.exact().and_then(Value::remoteness);
        plies.is_some_and(|plies| usize::from(plies) == self.line.len() + 1)
    }

    fn set_line(&mut self, line: Vec<Packed>) {
        if !self.has_full_line() && !line.is_empty() {
            self.line = line;
        }
    }
}

impl<'a> Findings<'a> {
    /// Begins with what the rules tell.
    pub(crate) fn new(game: &'a PackedGame, position: Packed) -> Self {
        let mut legal = Vec::new();
        let over = game.terminal(position);
        if over.is_none() {
            game.moves(position, &mut legal);
        }
        let root = over.map(Value::terminal);
        let mut findings = Self {
            game,
            position,
            started: Instant::now(),
            root: root.map_or(Known::NOTHING, Known::exact),
            moves: Vec::new(),
            classes: Vec::new(),
            sources: Vec::new(),
            work: 0,
        };
        for mv in legal {
            let to = game.play(position, mv);
            let class = findings.class_or_new(to);
            findings.moves.push(FoundMove { mv, to, class });
        }
        findings.conclude();
        if findings.is_exact() {
            findings.add_source(AnalysisSource::Rules);
        }
        findings
    }

    /// Returns the index of the class of a position after a move.
    fn class_of(&self, to: Packed) -> Option<usize> {
        let to = self.game.canonical(to);
        self.classes.iter().position(|class| class.to == to)
    }

    fn class_or_new(&mut self, to: Packed) -> usize {
        self.class_of(to).unwrap_or_else(|| {
            let over = self.game.terminal(to).map(Value::terminal);
            self.classes.push(MoveClass {
                to: self.game.canonical(to),
                known: over.map_or(Known::NOTHING, |value| Known::exact(value.before())),
                estimate: None,
                line: Vec::new(),
            });
            self.classes.len() - 1
        })
    }

    pub(crate) fn is_proved(&self) -> bool {
        self.shown_root().answer != Answer::Unknown
    }

    /// True if the value is proved with its plies.
    pub(crate) fn is_exact(&self) -> bool {
        self.shown_root().answer.exact().is_some()
    }

    /// True if the values of the position and of all moves are known, with their plies.
    pub(crate) fn is_complete(&self) -> bool {
        let is_exact = |class: &MoveClass| class.known.answer.exact().is_some();
        self.is_exact() && self.classes.iter().all(is_exact)
    }

    /// True if the result of a move is not known.
    pub(crate) fn has_open_moves(&self) -> bool {
        let mut classes = self.classes.iter();
        classes.any(|class| class.known == Known::NOTHING)
    }

    /// True if a line of a best move leads to the end.
    pub(crate) fn has_line(&self) -> bool {
        let root = self.shown_root();
        let mut best = self.classes.iter().filter(|class| class.known.answer == root.answer);
        root.answer.wdl() == Some(Wdl::Draw) || best.any(MoveClass::has_full_line)
    }

    pub(crate) fn root(&self) -> Known {
        self.root
    }

    pub(crate) fn classes(&self) -> &[MoveClass] {
        &self.classes
    }

    /// Adds a source, in place of an earlier one of its kind.
    pub(crate) fn add_source(&mut self, source: AnalysisSource) {
        let kind = discriminant(&source);
        let mut same = self.sources.iter_mut();
        match same.find(|earlier| discriminant(*earlier) == kind) {
            Some(earlier) => *earlier = earlier.joined(source),
            None => self.sources.push(source),
        }
    }

    /// Adds knowledge of the position itself.
    pub(crate) fn note_root(&mut self, known: Known) {
        self.root = self.root.with(known);
        self.conclude();
    }

    /// Adds knowledge of the positions after the moves, by a function of the position for its side
    /// to move.
    pub(crate) fn note_successors(&mut self, known: impl Fn(Packed) -> Known) {
        for class in &mut self.classes {
            class.known = class.known.with(known(class.to).before());
        }
        self.conclude();
    }

    /// Adds knowledge of the position after a move, for its side to move, with the positions after
    /// it as far as play is known, up to symmetry.
    pub(crate) fn note_move(&mut self, to: Packed, known: Known, line: Vec<Packed>) {
        if let Some(index) = self.class_of(to) {
            let class = &mut self.classes[index];
            class.known = class.known.with(known.before());
            class.set_line(line);
        }
        self.conclude();
    }

    /// Sets the play after each move, by a function of the position after it.
    pub(crate) fn set_lines(&mut self, line: impl Fn(Packed) -> Vec<Packed>) {
        for class in &mut self.classes {
            class.set_line(line(class.to));
        }
    }

    /// Sets the estimates of moves, by the positions after them. Those of symmetric moves are the
    /// mean of theirs.
    pub(crate) fn set_estimates(&mut self, successors: &[Packed], estimates: &[f64]) {
        for class in &mut self.classes {
            let own: Vec<f64> = successors
                .iter()
                .zip(estimates)
                .filter(|(to, _)| self.game.canonical(**to) == class.to)
                .map(|(_, &estimate)| estimate)
                .collect();
            if !own.is_empty() {
                class.estimate = Some(own.iter().sum::<f64>() / own.len() as f64);
            }
        }
    }

    /// Adds what an earlier analysis has proved. Positions that no move leads to are left out.
    pub(crate) fn note_kept(&mut self, kept: &KeptFindings) {
        for KeptMove { to, known, line } in &kept.moves {
            if let Some(index) = self.class_of(*to) {
                let class = &mut self.classes[index];
                class.known = class.known.with(*known);
                class.set_line(line.clone());
            }
        }
        self.note_root(kept.root);
        if kept.root != Known::NOTHING || kept.moves.iter().any(|kept| kept.known != Known::NOTHING)
        {
            self.add_source(kept.source);
        }
    }

    /// Returns what is proved, for a later analysis.
    pub(crate) fn kept(&self) -> KeptFindings {
        let moves = self.classes.iter().map(|class| KeptMove {
            to: class.to,
            known: class.known,
            line: class.line.clone(),
        });
        KeptFindings {
            position: self.game.canonical(self.position),
            root: self.root,
            moves: moves.collect(),
            source: AnalysisSource::Kept,
        }
    }

    /// Draws conclusions from the moves for the position, and from the position for the moves.
    fn conclude(&mut self) {
        let mut moves: Vec<Known> = self.classes.iter().map(|class| class.known).collect();
        self.root = self.root.concluded(&mut moves);
        for (class, known) in self.classes.iter_mut().zip(moves) {
            class.known = known;
        }
    }

    /// Returns what is shown of the position: what a move shows too.
    fn shown_root(&self) -> Known {
        let moves: Vec<Known> = self.classes.iter().map(|class| class.known).collect();
        self.root.shown_with(&moves)
    }

    /// Returns the knowledge so far.
    pub(crate) fn analysis(&self) -> Analysis {
        let root = self.shown_root();
        let classes = self.classes.iter();
        let estimates = classes.map(|class| match class.known.answer.wdl() {
            Some(Wdl::Win) => Some(1.0),
            Some(Wdl::Draw) => Some(0.0),
            Some(Wdl::Loss) => Some(-1.0),
            None => class.estimate,
        });
        let estimate = estimates.flatten().max_by(f64::total_cmp);
        let analysed = |found: &FoundMove| {
            let class = &self.classes[found.class];
            AnalysedMove {
                mv: found.mv,
                to: found.to,
                answer: class.known.answer,
                bound: class.known.bound,
                estimate: class.estimate.filter(|_| class.known == Known::NOTHING),
                line: self.line_of(found, class),
            }
        };
        let mut analysis = Analysis {
            position: self.position,
            answer: root.answer,
            bound: root.bound,
            estimate: estimate.filter(|_| root == Known::NOTHING),
            moves: self.moves.iter().map(analysed).collect(),
            sources: self.sources.clone(),
            work: self.work,
            elapsed: self.started.elapsed(),
        };
        analysis.sort_moves();
        analysis
    }

    /// Returns a move with the play after it. A line longer than the plies to the end is no best
    /// play, and is left out.
    fn line_of(&self, found: &FoundMove, class: &MoveClass) -> Vec<PackedMove> {
        let (mut line, mut at) = (vec![found.mv], found.to);
        let most = class.known.most_plies().map_or(usize::MAX, usize::from);
        if class.line.len() >= most {
            return line;
        }
        for &next in &class.line {
            let Some(mv) = move_between(self.game, at, next) else {
                break;
            };
            at = self.game.play(at, mv);
            line.push(mv);
        }
        line
    }

    pub(crate) fn game(&self) -> &'a PackedGame {
        self.game
    }

    pub(crate) fn position(&self) -> Packed {
        self.position
    }

    pub(crate) fn started(&self) -> Instant {
        self.started
    }
}
