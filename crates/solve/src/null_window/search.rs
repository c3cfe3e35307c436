//! Search of one window by one worker.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

use hindsight_core::{CountdownRules, Outlook, Packed, SafeMove};

use super::score::{Score, loss_score, win_score};
use super::table::{KnownBounds, NO_MOVE};
use super::workers::SearchRound;

/// Positions searched between two looks at the signals.
const NODES_PER_CHECK: u64 = 1 << 12;
/// Plies left from which positions are in the table.
const TABLE_PLIES: u32 = 6;
/// Plies left from which the successors are looked up before one is searched.
const LOOKUP_PLIES: u32 = 8;
/// Symmetric positions are not merged in the last `1 / MERGED_SHARE` of the plies, where few are.
const MERGED_SHARE: u32 = 4;
/// Plies from the start in which workers search moves in different orders.
const VARIED_PLIES: u32 = 16;

/// Signals of a search that all workers see.
pub(super) struct WindowSignals {
    /// True if the workers are to end.
    pub(super) stop: AtomicBool,
    /// Bounds of the start that are proved.
    pub(super) lower: AtomicI32,
    pub(super) upper: AtomicI32,
    /// Positions searched.
    pub(super) nodes: AtomicU64,
}

/// Worker of a search from one position.
pub(super) struct Worker<'a> {
    game: &'a CountdownRules<'a>,
    round: &'a SearchRound<'a>,
    signals: &'a WindowSignals,
    /// Number of the worker, from 0.
    number: u64,
    /// Plies left at the start.
    start_plies: u32,
    /// Plies left from which symmetric positions are merged.
    merged_plies: u32,
    /// Moves of all positions on the path, those of the last position last.
    moves: Vec<NumberedMove>,
    found: Vec<SafeMove<Packed>>,
    nodes: u64,
    /// Nodes that the signals know of.
    reported: u64,
    /// Bound that the search tries to exceed at the start.
    window: Score,
    stopped: bool,
    /// Position after the move at the start that exceeded the last bound.
    pub(super) best: Option<Packed>,
}

/// Move with the key of its position in the table, and its place among the safe moves that the game
/// lists.
#[derive(Clone, Copy)]
struct NumberedMove {
    position: Packed,
    key: u64,
    urgency: u32,
    number: u32,
}

/// Position of a search that is open by its outlook.
#[derive(Clone, Copy)]
struct OpenNode {
    /// Key in the table.
    key: u64,
    plies_left: u32,
    /// Bound that the search tries to exceed.
    alpha: Score,
    /// Bounds that are known.
    lower: Score,
    upper: Score,
    /// Index of its first move.
    first: usize,
    /// Nodes searched before.
    before: u64,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        game: &'a CountdownRules<'a>,
        start: Packed,
        round: &'a SearchRound<'a>,
        signals: &'a WindowSignals,
        number: u64,
    ) -> Self {
        let start_plies = game.plies_left(start);
        Self {
            game,
            round,
            signals,
            number,
            start_plies,
            merged_plies: start_plies / MERGED_SHARE,
            moves: Vec::new(),
            found: Vec::new(),
            nodes: 0,
            reported: 0,
            window: 0,
            stopped: false,
            best: None,
        }
    }

    /// Searches the start. The result is a lower bound of its score if it exceeds `window`, else an
    /// upper bound; `None` if the search was stopped, or the window was decided meanwhile.
    pub(super) fn run(&mut self, start: Packed, window: Score) -> Option<Score> {
        self.window = window;
        self.stopped = false;
        self.moves.clear();
        let key = self.table_key(start, self.game.key(start), self.start_plies);
        let score = self.search(start, key, self.start_plies, window);
        self.report();
        (!self.stopped).then_some(score)
    }

    /// Searches a position that is not finished, with its key in the table. The result is a lower
    /// bound of its score if it exceeds `alpha`, else an upper bound. It means nothing once the
    /// search is stopped.
    fn search(&mut self, position: Packed, key: u64, left: u32, alpha: Score) -> Score {
        self.count_node();
        self.found.clear();
        let (can_win, can_lose) = match self.game.outlook(position, left, &mut self.found) {
            Outlook::WinsAtOnce => return win_score(left, 1),
            Outlook::LosesAtOnce => return loss_score(left, 2),
            Outlook::Open { can_win, can_lose } => (can_win, can_lose),
        };
        if left <= 2 {
            return 0;
        }
        // Neither side wins in two plies.
        let node = OpenNode {
            key,
            plies_left: left,
            alpha,
            lower: if can_lose { loss_score(left, 4) } else { 0 },
            upper: if can_win { win_score(left, 3) } else { 0 },
            first: self.moves.len(),
            before: self.nodes,
        };
        if alpha >= node.upper {
            return node.upper;
        }
        if alpha < node.lower {
            return node.lower;
        }
        let score = self.search_open(node);
        self.moves.truncate(node.first);
        score
    }

    /// Key of a position in the table.
    #[inline]
    fn table_key(&self, position: Packed, key: u64, left: u32) -> u64 {
        if left >= self.merged_plies { self.game.class_key(position) } else { key }
    }

    fn search_open(&mut self, mut node: OpenNode) -> Score {
        let is_kept = node.plies_left >= TABLE_PLIES;
        let is_start = node.plies_left == self.start_plies;
        let mut hint = NO_MOVE;
        if is_kept
            && !is_start
            && let Some(known) = self.round.table.get(node.key)
        {
            node.lower = node.lower.max(known.lower);
            node.upper = node.upper.min(known.upper);
            if node.lower > node.alpha {
                return node.lower;
            }
            if node.upper <= node.alpha {
                return node.upper;
            }
            hint = known.best;
        }
        self.push_moves(&node, hint);
        // Greatest score of the moves that do not exceed alpha.
        let mut best = Score::MIN;
        if node.plies_left >= LOOKUP_PLIES && !is_start {
            match self.look_up_moves(&node) {
                Ok(known) => best = known,
                Err(exceeding) => return exceeding,
            }
        }
        let (score, number) = self.search_moves(&node, best);
        if is_kept && !self.stopped {
            self.keep(&node, score, number);
        }
        score
    }

    /// Pushes the moves that were found. The one with the number `hint` is the most urgent.
    fn push_moves(&mut self, node: &OpenNode, hint: u32) {
        for (&safe, number) in self.found.iter().zip(0..) {
            let is_hint = number == hint && hint != NO_MOVE;
            self.moves.push(NumberedMove {
                position: safe.position,
                key: self.table_key(safe.position, safe.key, node.plies_left - 1),
                urgency: if is_hint { u32::MAX } else { safe.urgency },
                number,
            });
        }
    }

    /// Puts the bounds of a position that was searched into the table, with the number of its move.
    fn keep(&self, node: &OpenNode, score: Score, best: u32) {
        let (mut lower, mut upper) = (node.lower, node.upper);
        if score > node.alpha {
            lower = lower.max(score);
        } else {
            upper = upper.min(score);
        }
        let bounds = KnownBounds { lower, upper, best };
        let nodes = self.nodes - node.before;
        self.round.table.put(node.key, bounds, nodes);
    }

    /// Looks up all successors. Drops the moves that are known not to exceed alpha, and returns
    /// their greatest score; as an error, the score of a move that is known to exceed it.
    fn look_up_moves(&mut self, node: &OpenNode) -> Result<Score, Score> {
        self.round.table.touch(self.moves[node.first..].iter().map(|mv| mv.key));
        let (mut best, mut at) = (Score::MIN, node.first);
        while let Some(mv) = self.moves.get(at) {
            match self.round.table.get(mv.key) {
                Some(known) if -known.upper > node.alpha => return Err(-known.upper),
                Some(known) if -known.lower <= node.alpha => {
                    best = best.max(-known.lower);
                    self.moves.swap_remove(at);
                }
                _ => at += 1,
            }
        }
        Ok(best)
    }

    /// Searches the moves, the most urgent first, until one exceeds alpha. Returns the greatest
    /// score and the number of that move.
    fn search_moves(&mut self, node: &OpenNode, known: Score) -> (Score, u32) {
        let (mut best, end) = (known, self.moves.len());
        let varies = self.number > 0 && node.plies_left + VARIED_PLIES >= self.start_plies;
        for at in node.first..end {
            let mut next = at;
            for other in at + 1..end {
                if self.moves[other].urgency > self.moves[next].urgency {
                    next = other;
                }
            }
            self.moves.swap(at, next);
            // One position in three, others for each worker.
            let lot = u64::from(node.key.count_ones()) + self.number;
            if varies && at + 1 < end && lot.is_multiple_of(3) {
                self.moves.swap(at, at + 1);
            }
            let mv = self.moves[at];
            let found = self.search(mv.position, mv.key, node.plies_left - 1, -node.alpha - 1);
            if self.stopped {
                break;
            }
            let score = -found;
            best = best.max(score);
            if score > node.alpha {
                if node.plies_left == self.start_plies {
                    self.best = Some(mv.position);
                }
                return (best, mv.number);
            }
        }
        (best, NO_MOVE)
    }

    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.report();
            let signals = self.signals;
            let is_decided = signals.lower.load(Ordering::Relaxed) > self.window
                || signals.upper.load(Ordering::Relaxed) <= self.window;
            if self.nodes >= self.round.nodes {
                self.round.is_full.store(true, Ordering::Relaxed);
            }
            self.stopped |= is_decided || self.is_to_end();
        }
    }

    /// True if the worker is to search no more with this table.
    pub(super) fn is_to_end(&self) -> bool {
        self.signals.stop.load(Ordering::Relaxed) || self.round.is_full.load(Ordering::Relaxed)
    }

    fn report(&mut self) {
        let new = self.nodes - self.reported;
        self.signals.nodes.fetch_add(new, Ordering::Relaxed);
        self.reported = self.nodes;
    }
}
