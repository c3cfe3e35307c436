//! Tables of numbers of positions and states.

use std::collections::HashMap;

use hindsight_core::{Notation, Value};
use hindsight_engine::Histogram;
use hindsight_rules::ostle::{OstleSetup, Rule8};
use hindsight_solve::distance::{self, NextStates};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;

use super::study::{OstleStudy, READINGS};
use crate::step_monitor::{StepFn, StepMonitor};
use hindsight_study::{Cell, game_of};

impl OstleStudy<'_> {
    /// Table 1: positions by the square of the hole and the pieces of both sides.
    pub(super) fn positions(&self) -> Vec<Cell> {
        let published = self.golden(include_str!("../../../golden/ostle_table1.csv"));
        let game = self.game(Rule8::Exact);
        let OstleSetup { size, pieces, lost_at, .. } = self.options.setup;
        let mut cells = Vec::new();
        for own in (lost_at + 1..=pieces).rev() {
            for other in (lost_at + 1..=pieces).rev() {
                let mut sum = 0;
                for (square, positions) in game.unrestricted().positions_by_hole(own, other) {
                    let hole = square_name(square, size);
                    let theirs = published.get(&format!("{hole} {own} {other}")).cloned();
                    sum += positions;
                    let column = format!("{own} against {other}");
                    let ours = Some(positions.to_string());
                    cells.push(Cell::new("1", hole, column, theirs, ours));
                }
                let sums = [
                    ((5, 5), 1_544_534_100),
                    ((5, 4), 514_856_700),
                    ((4, 5), 514_856_700),
                    ((4, 4), 160_900_185_u64),
                ];
                let theirs = sums.iter().find(|row| self.is_paper_game && row.0 == (own, other));
                let theirs = theirs.map(|row| row.1.to_string());
                let column = format!("{own} against {other}");
                cells.push(Cell::new("1", "all".into(), column, theirs, Some(sum.to_string())));
            }
        }
        cells
    }

    /// Table 2: states by plies to a position that is won at once.
    pub(super) fn plies(&mut self, on_step: &mut StepFn<'_>) -> Vec<Cell> {
        let published = self.golden(include_str!("../../../golden/ostle_table2.csv"));
        let solved = self.solved(on_step).clone();
        let counts = solved.map(|solved| solved.map(|solved| states_by_plies(&solved.nontrivial)));
        let parse_row = |plies: &String| match plies.as_str() {
            "inf" => Some(DRAWN),
            plies => plies.parse::<u16>().ok(),
        };
        let keys = published.keys().filter_map(parse_row);
        let ours = counts.iter().flatten().flat_map(|counts| counts.keys().copied());
        let mut rows: Vec<u16> = keys.chain(ours).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut cells = Vec::new();
        for plies in rows {
            let row = if plies == DRAWN { String::from("inf") } else { plies.to_string() };
            for ((rule8, column), counts) in READINGS.into_iter().zip(&counts) {
                let theirs = published.get(&row).filter(|_| rule8 == Rule8::Paper).cloned();
                let ours = counts.as_ref().map(|counts| counts.get(&plies).copied().unwrap_or(0));
                let ours = ours.map(|n: u64| n.to_string());
                cells.push(Cell::new("2", row.clone(), column.into(), theirs, ours));
            }
        }
        cells
    }

    /// Table 3: states by plies from the start.
    pub(super) fn distances(&mut self, on_step: &mut StepFn<'_>) -> Vec<Cell> {
        let published = self.golden(include_str!("../../../golden/ostle_table3.csv"));
        let next_states = [NextStates::All, NextStates::Allowed];
        let counts: Vec<Option<Vec<u64>>> = READINGS
            .into_iter()
            .zip(next_states)
            .map(|((rule8, _), next_states)| {
                let given = self.options.distances.as_ref();
                if let Some(given) = given.filter(|_| rule8 == Rule8::Exact) {
                    return Some(given.clone());
                }
                let game = self.game(rule8);
                let go_on = on_step(&format!("{}, distances", game.setup().spec()));
                let mut monitor = StepMonitor::new(on_step);
                let solve = || {
                    distance::solve(
                        &game_of(&game.spec()),
                        next_states,
                        self.options.limits,
                        &mut monitor,
                    )
                };
                let solved = go_on.then(solve).and_then(Result::ok);
                solved.map(|solved| solved.states_by_distance())
            })
            .collect();
        let rows = counts.iter().flatten().map(Vec::len);
        let rows = rows.chain([published.len()]).max().unwrap_or(0);
        let mut cells = Vec::new();
        for plies in 0..rows {
            for ((rule8, column), counts) in READINGS.into_iter().zip(&counts) {
                let theirs = published.get(&plies.to_string()).filter(|_| rule8 == Rule8::Paper);
                let ours = counts.as_ref().map(|counts| counts.get(plies).copied().unwrap_or(0));
                let ours = ours.map(|n| n.to_string());
                cells.push(Cell::new("3", plies.to_string(), column.into(), theirs.cloned(), ours));
            }
        }
        cells
    }

    /// Numbers of the text.
    pub(super) fn totals(&mut self, on_step: &mut StepFn<'_>) -> Vec<Cell> {
        let is_paper_game = self.is_paper_game;
        let solved = self.solved(on_step);
        let mut cells = Vec::new();
        type TotalFn = fn(&ForbiddenMoveSolution) -> String;
        let rows: [(&str, &str, TotalFn); 8] = [
            ("positions", "2735147685", |solved| solved.positions.positions().to_string()),
            ("checkmate positions", "399102582", |solved| {
                let rows = solved.positions.rows().into_iter();
                let won_at_once = rows.filter(|row| row.0 == Value::Win(1)).map(|row| row.1);
                won_at_once.sum::<u64>().to_string()
            }),
            ("non-trivial states", "11148725918", |solved| {
                solved.nontrivial.positions().to_string()
            }),
            ("all states", "12919984336", |solved| solved.states.positions().to_string()),
            ("longest win in plies", "147", |solved| longest_win(&solved.nontrivial).0.to_string()),
            ("states won as late", "7", |solved| longest_win(&solved.nontrivial).1.to_string()),
            ("positions won as late, no move forbidden", "2", |solved| {
                let plies = longest_win(&solved.nontrivial).0;
                let rows = solved.positions.rows().into_iter();
                let latest = rows.filter(|row| row.0 == Value::Win(plies));
                latest.map(|row| row.1).sum::<u64>().to_string()
            }),
            ("the start", "draw", |solved| solved.start.to_string()),
        ];
        for (row, theirs, number) in rows {
            for ((rule8, column), solved) in READINGS.into_iter().zip(solved) {
                let theirs = (is_paper_game && rule8 == Rule8::Paper).then(|| theirs.to_string());
                let ours = solved.as_ref().map(number);
                cells.push(Cell::new("totals", row.into(), column.into(), theirs, ours));
            }
        }
        cells
    }
}

/// Returns the plies of the longest win, and the number of wins of that length.
fn longest_win(histogram: &Histogram) -> (u16, u64) {
    let rows = histogram.rows().into_iter();
    let wins = rows.filter_map(|(value, count)| match value {
        Value::Win(plies) => Some((plies, count)),
        _ => None,
    });
    wins.max().unwrap_or_default()
}

/// Key of draws in [`states_by_plies`].
const DRAWN: u16 = u16::MAX;

/// Returns the number of states by plies to a position that is won at once.
fn states_by_plies(histogram: &Histogram) -> HashMap<u16, u64> {
    let mut counts = HashMap::new();
    for (value, states) in histogram.rows() {
        let plies = value.remoteness().map_or(DRAWN, |plies| plies.saturating_sub(1));
        *counts.entry(plies).or_default() += states;
    }
    counts
}

/// Returns the name of a square, such as `a1`.
fn square_name(square: u8, size: u8) -> String {
    format!("{}{}", char::from(b'a' + square / size), square % size + 1)
}
