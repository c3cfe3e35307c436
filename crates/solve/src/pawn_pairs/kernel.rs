//! Solve of one tier as rows of bits.

use hindsight_core::PawnPairRules;
use hindsight_engine::Error;

use super::code::{DRAW, HOLE, MAX_STEP, loss, win};
use super::row::RowBits;

/// A tier being solved, as rows of bits: one row per square of the second piece, one bit per square
/// of the first. Player 0 moves the first piece, player 1 the second. Memory is reused from tier to
/// tier.
pub(super) struct PairKernel<R> {
    squares: usize,
    /// For each side to move, all positions.
    positions: [Vec<R>; 2],
    /// For each side to move, the positions that are not terminal.
    playing: [Vec<R>; 2],
    moves: RowMoves<R>,
    /// For each side to move, the values of its exits.
    exits: [ExitPlanes<R>; 2],
    undecided: [Vec<R>; 2],
    won: Vec<R>,
    lost: Vec<R>,
    newly_decided: Vec<R>,
    predecessors: Vec<R>,
}

/// Moves inside the tier.
struct RowMoves<R> {
    /// For each step distance `d`, `(d, squares)`: a step leads between square `s` and `s + d` for
    /// every `s` of `squares`.
    steps: [(u32, R); 2],
    /// For each step distance `d` and row `r`, all bits if a step leads between rows `r` and
    /// `r + d`, else none.
    row_pairs: [Vec<R>; 2],
    jumps: Vec<RowJump<R>>,
}

/// A jump over the other piece.
struct RowJump<R> {
    /// Square of the jumping piece.
    from: usize,
    /// Square of the other piece.
    over: usize,
    /// Target squares.
    to: R,
    /// Squares of `to`; a single one is listed twice.
    squares: [usize; 2],
    /// Bit of `from`.
    first: R,
    /// Bit of `over`.
    second: R,
}

/// Moves out of the tier, by the least code that they lead to.
struct ExitPlanes<R> {
    /// For each code, the positions with that code: `squares` rows per code.
    planes: Vec<R>,
    /// True for each code that occurs; the planes of others are empty.
    occurs: [bool; 256],
    /// Positions where no exit can save the mover: none exists, or all are known to lose.
    no_escape: Vec<R>,
}

impl<R: RowBits> ExitPlanes<R> {
    #[inline]
    fn new(squares: usize) -> Self {
        Self {
            planes: vec![R::default(); 256 * squares],
            occurs: [false; 256],
            no_escape: vec![R::default(); squares],
        }
    }

    #[inline]
    fn plane(&self, code: u8) -> Option<&[R]> {
        let squares = self.no_escape.len();
        let from = usize::from(code) * squares;
        self.occurs[usize::from(code)].then(|| &self.planes[from..from + squares])
    }

    /// One more than the greatest step of a decisive code.
    #[inline]
    fn step_count(&self) -> usize {
        let steps = (0..=MAX_STEP).rev();
        let occurs = |step: &u8| {
            self.occurs[usize::from(loss(*step))] || self.occurs[usize::from(win(*step))]
        };
        let last = steps.into_iter().find(occurs);
        last.map_or(0, |step| usize::from(step) + 1)
    }

    /// Reads the exit codes of a side. Index: `own square * squares + other square`.
    #[inline]
    fn read(&mut self, exit_codes: &[u8], side: usize) {
        let squares = self.no_escape.len();
        for (occurs, plane) in self.occurs.iter_mut().zip(self.planes.chunks_exact_mut(squares)) {
            if std::mem::take(occurs) {
                plane.fill(R::default());
            }
        }
        // Rows change fastest, so that consecutive updates do not wait for one another.
        let (by_row, by_bit) = if side == 0 { (1, squares) } else { (squares, 1) };
        for square in 0..squares {
            let bit = R::bit(square);
            let codes = exit_codes[square * by_bit..].iter().step_by(by_row);
            for (row, &code) in codes.take(squares).enumerate() {
                self.occurs[usize::from(code)] = true;
                self.planes[usize::from(code) * squares + row] |= bit;
            }
        }
        let no_escape = usize::from(HOLE) * squares;
        self.no_escape.copy_from_slice(&self.planes[no_escape..no_escape + squares]);
    }
}

impl<R: RowBits> PairKernel<R> {
    #[inline]
    pub(super) fn new(squares: usize) -> Self {
        let rows = || vec![R::default(); squares];
        Self {
            squares,
            positions: [rows(), rows()],
            playing: [rows(), rows()],
            moves: RowMoves {
                steps: [(0, R::default()); 2],
                row_pairs: [rows(), rows()],
                jumps: Vec::new(),
            },
            exits: [ExitPlanes::new(squares), ExitPlanes::new(squares)],
            undecided: [rows(), rows()],
            won: rows(),
            lost: rows(),
            newly_decided: rows(),
            predecessors: rows(),
        }
    }

    /// Reads the exit codes of a side to move: `exit_codes[own * squares + other]` is the least
    /// code that its exits lead to, or [`HOLE`] without an exit.
    #[inline]
    pub(super) fn read_exits(&mut self, side: usize, exit_codes: &[u8]) {
        self.exits[side].read(exit_codes, side);
    }

    /// Solves the tier whose rules and exits were read. `out` receives the codes by rank.
    #[inline]
    pub(super) fn solve(&mut self, out: &mut [u8]) -> Result<(), Error> {
        out.fill(HOLE);
        for side in 0..2 {
            self.undecided[side].copy_from_slice(&self.positions[side]);
        }
        for winner in 0..2 {
            self.decide(winner, out)?;
        }
        for side in 0..2 {
            write_code(&self.undecided[side], side, DRAW, self.squares, out);
        }
        Ok(())
    }

    /// Marks the positions in `newly_decided` as decided and writes their code.
    #[inline]
    fn write_decided(&mut self, side: usize, code: u8, out: &mut [u8]) {
        for (undecided, &new) in self.undecided[side].iter_mut().zip(&self.newly_decided) {
            *undecided &= !new;
        }
        write_code(&self.newly_decided, side, code, self.squares, out);
    }

    #[inline]
    pub(super) fn read_rules(&mut self, rules: &PawnPairRules) {
        for side in 0..2 {
            let [first, second] = match side {
                0 => [rules.own[0], rules.other[0]],
                _ => [rules.other[1], rules.own[1]],
            };
            let first = R::from_set(first);
            for row in 0..self.squares {
                let all = first & !R::bit(row) & R::all_if(second >> row & 1 == 1);
                let lost = match side {
                    0 => R::all_if(rules.lost[0] >> row & 1 == 1),
                    _ => R::from_set(rules.lost[1]),
                };
                self.positions[side][row] = all;
                self.playing[side][row] = all & !lost;
            }
        }
        for (i, &(distance, set)) in rules.steps.iter().enumerate() {
            self.moves.steps[i] = (distance.into(), R::from_set(set));
            for row in 0..self.squares {
                self.moves.row_pairs[i][row] = R::all_if(set >> row & 1 == 1);
            }
        }
        self.moves.jumps.clear();
        self.moves.jumps.extend(rules.jumps.iter().map(RowJump::new));
    }

    /// Finds the positions that one player wins, step by step: its wins in `2 * step + 1` plies,
    /// then the opponent's losses in `2 * step + 2`.
    #[inline]
    fn decide(&mut self, winner: usize, out: &mut [u8]) -> Result<(), Error> {
        let loser = 1 - winner;
        let squares = self.squares;
        self.won.fill(R::default());
        for row in 0..squares {
            self.newly_decided[row] = self.positions[loser][row] & !self.playing[loser][row];
        }
        self.add_blocked(loser);
        self.lost.copy_from_slice(&self.newly_decided);
        self.write_decided(loser, loss(0), out);
        let [own, other] = [winner, loser].map(|side| self.exits[side].step_count());
        let last = own.max(other);
        for step in 0.. {
            // Wins: a move to a position just found lost, inside or outside the tier.
            self.moves.predecessors(winner, &self.newly_decided, &mut self.predecessors);
            let won_step = (step <= usize::from(MAX_STEP)).then_some(step as u8);
            if let Some(plane) = won_step.and_then(|step| self.exits[winner].plane(loss(step))) {
                for (reached, &exits) in self.predecessors.iter_mut().zip(plane) {
                    *reached |= exits;
                }
            }
            let mut any = R::default();
            let found = self.predecessors.iter().zip(&self.playing[winner]);
            let known = self.newly_decided.iter_mut().zip(&mut self.won);
            for ((&reached, &playing), (new, won)) in found.zip(known) {
                *new = reached & playing & !*won;
                *won |= *new;
                any |= *new;
            }
            if any.is_empty() && step >= last {
                return Ok(());
            }
            let too_long = Error::TooLong(2 * u16::from(MAX_STEP));
            let Some(step) = won_step else {
                return Err(too_long);
            };
            self.write_decided(winner, win(step), out);
            // Losses: no move to a position that is not won, inside or outside the tier.
            let exits = &mut self.exits[loser];
            if exits.occurs[usize::from(win(step))] {
                let from = usize::from(win(step)) * squares;
                let plane = &exits.planes[from..from + squares];
                for (no_escape, &loses) in exits.no_escape.iter_mut().zip(plane) {
                    *no_escape |= loses;
                }
            }
            let others = self.positions[winner].iter().zip(&self.won);
            for (new, (&position, &won)) in self.newly_decided.iter_mut().zip(others) {
                *new = position & !won;
            }
            self.moves.predecessors(loser, &self.newly_decided, &mut self.predecessors);
            let mut any = R::default();
            let escapes = self.predecessors.iter().zip(&self.exits[loser].no_escape);
            let found = escapes.zip(&self.playing[loser]);
            let known = self.newly_decided.iter_mut().zip(&mut self.lost);
            for (((&reached, &no_escape), &playing), (new, lost)) in found.zip(known) {
                *new = playing & !reached & no_escape & !*lost;
                *lost |= *new;
                any |= *new;
            }
            if step < MAX_STEP {
                self.write_decided(loser, loss(step + 1), out);
            } else if !any.is_empty() {
                return Err(too_long);
            }
        }
        Ok(())
    }

    /// Returns the positions from which a side has no move inside the tier, as (square of the
    /// second piece, square of the first).
    #[inline]
    pub(super) fn without_moves_inside(&mut self, side: usize) -> Vec<(usize, usize)> {
        self.find_inside_moves(side);
        let rows = self.playing[side].iter().zip(&self.predecessors).enumerate();
        let mut found = Vec::new();
        for (row, (&playing, &reached)) in rows {
            let mut rest = playing & !reached;
            while !rest.is_empty() {
                found.push((row, rest.least_square() as usize));
                rest = rest.without_least();
            }
        }
        found
    }

    /// Fills `predecessors` with the positions that have a move inside the tier.
    #[inline]
    fn find_inside_moves(&mut self, side: usize) {
        self.moves.predecessors(side, &self.positions[1 - side], &mut self.predecessors);
    }

    /// Adds positions without any move to `newly_decided`: they are lost.
    #[inline]
    fn add_blocked(&mut self, side: usize) {
        self.find_inside_moves(side);
        for row in 0..self.squares {
            self.newly_decided[row] |=
                self.playing[side][row] & !self.predecessors[row] & self.exits[side].no_escape[row];
        }
    }
}

impl<R: RowBits> RowJump<R> {
    #[inline]
    fn new(jump: &hindsight_core::PawnJump) -> Self {
        let first = jump.to.trailing_zeros() as usize;
        let more = jump.to & jump.to.wrapping_sub(1);
        let second = if more == 0 { first } else { more.trailing_zeros() as usize };
        Self {
            from: jump.from.into(),
            over: jump.over.into(),
            to: R::from_set(jump.to),
            squares: [first, second],
            first: R::bit(jump.from.into()),
            second: R::bit(jump.over.into()),
        }
    }
}

impl<R: RowBits> RowMoves<R> {
    /// Writes the positions from which a move of `player` leads to one of `to`.
    #[inline]
    fn predecessors(&self, player: usize, to: &[R], from: &mut [R]) {
        let [(near, near_set), (far, far_set)] = self.steps;
        if player == 0 {
            for (from, &to) in from.iter_mut().zip(to) {
                *from = (to & near_set) << near
                    | to >> near & near_set
                    | (to & far_set) << far
                    | to >> far & far_set;
            }
            for jump in &self.jumps {
                let reaches = !(to[jump.over] & jump.to).is_empty();
                from[jump.over] |= jump.first & R::all_if(reaches);
            }
        } else {
            from.fill(R::default());
            for ((distance, _), row_pairs) in self.steps.iter().zip(&self.row_pairs) {
                let distance = *distance as usize;
                for row in 0..from.len() - distance {
                    from[row] |= to[row + distance] & row_pairs[row];
                    from[row + distance] |= to[row] & row_pairs[row];
                }
            }
            for jump in &self.jumps {
                let [first, second] = jump.squares;
                from[jump.from] |= (to[first] | to[second]) & jump.second;
            }
        }
    }
}

/// Writes a code at the ranks of the given positions.
#[inline]
fn write_code<R: RowBits>(rows: &[R], side: usize, code: u8, squares: usize, out: &mut [u8]) {
    let plane = &mut out[side * squares * squares..(side + 1) * squares * squares];
    let (by_row, by_bit) = if side == 0 { (squares, 1) } else { (1, squares) };
    for (row, &set) in rows.iter().enumerate() {
        let mut rest = set;
        while !rest.is_empty() {
            plane[row * by_row + rest.least_square() as usize * by_bit] = code;
            rest = rest.without_least();
        }
    }
}
