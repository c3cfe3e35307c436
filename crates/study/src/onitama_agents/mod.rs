//! Figures 8 to 19 of R. Arntzenius, "Agents for the Strategy Game Onitama" (bachelor thesis, Leiden 2021): how
//! well Monte Carlo agents play, and what their play looks like.
//!
//! Agents and settings are those of the thesis's text, under the rules of the game. Its program does not play by them: of
//! a card it loses the offsets after one that leaves the board, captured pawns keep blocking their squares, it
//! plays the move with the most wins, and scores a game that is cut off by whose turn it is in the leaf. So its
//! figures are of another game, and ours stand beside them with bounds, not in their place.

mod claims;
mod figures;
mod hall;
mod series;
mod tally;

use hindsight_play::GameRecord;
use hindsight_solve::Progress;

use crate::drawing::{Drawing, Form};
use crate::keep::Keep;
use crate::report::{Caption, Cell, Report, wanted};
use hall::{Hall, Halt, Plan};

/// A figure of the thesis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Figure {
    /// Figure 8: games won against random moves.
    Random,
    /// Figure 9: seconds for those games.
    Time,
    /// Figure 10: tree search against pure Monte Carlo.
    Agents,
    /// Figure 11: the exploration parameter.
    Exploration,
    /// Figure 12: when options are pruned.
    Pruned,
    /// Figure 13: games won with pruning against without.
    Pruning,
    /// Figure 14: node cycles left by pruning.
    Cycles,
    /// Figure 15: where the winner's pieces stand.
    Squares,
    /// Figure 16: lengths of games.
    Lengths,
    /// Figure 17: way of the stone and way of the stream.
    Ways,
    /// Figure 18: turns on which each card is used.
    Cards,
    /// Figure 19: lengths of games by the cards in a hand.
    Hands,
}

impl Figure {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 12] = [
        Self::Random,
        Self::Time,
        Self::Agents,
        Self::Exploration,
        Self::Pruned,
        Self::Pruning,
        Self::Cycles,
        Self::Squares,
        Self::Lengths,
        Self::Ways,
        Self::Cards,
        Self::Hands,
    ];

    /// The number in the thesis.
    #[must_use]
    pub fn number(self) -> u8 {
        8 + self as u8
    }

    /// Reads the number of a figure.
    ///
    /// # Errors
    /// A sentence with the numbers there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = text.parse().ok();
        let found = Self::ALL
            .into_iter()
            .find(|figure| Some(figure.number()) == number);
        found.ok_or_else(|| format!("there is no figure '{text}'; there are 8 to 19"))
    }
}

/// What to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The figures wanted; all if empty.
    pub figures: Vec<Figure>,
    /// Games of each series, as a multiple of the thesis's 1000; at least two are played.
    pub scale: f64,
    /// Most playouts of a move. The thesis goes to 100,000.
    pub playouts: u64,
    /// Decides deals and all that is random.
    pub seed: u64,
}

impl Default for Options {
    /// All figures, 1000 games, 1000 playouts.
    fn default() -> Self {
        Self {
            figures: Vec::new(),
            scale: 1.0,
            playouts: 1000,
            seed: 1,
        }
    }
}

/// Is told which series is being played, and about how many playouts of all are done; `false` stops the study.
pub type Watch<'a> = &'a (dyn Fn(&str, Progress) -> bool + Sync);

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// The numbers of all figures, and what the thesis says of them.
    pub report: Report,
    /// The figures.
    pub drawings: Vec<Drawing>,
    /// Why the other figures are missing: a sentence, when games cannot be kept, or those that were kept are no
    /// games of this study.
    pub failed: Option<String>,
}

/// Plays the games of the figures, on all threads; the result does not depend on how many there are, but
/// for times. What was not played because the study was stopped, or something failed, is left out.
pub fn run(options: &Options, keep: &dyn Keep<GameRecord>, watch: Watch<'_>) -> Found {
    let wanted = wanted(&options.figures, &Figure::ALL);
    let mut plan = Plan::default();
    for &figure in &wanted {
        // Nothing is played yet, so that nothing can fail.
        let _ = figures::draw(figure, options, &mut |series| Ok(plan.add(series)));
    }
    let mut hall = Hall::new(options, plan, keep, watch);
    let mut found = Found::default();
    for &figure in &wanted {
        match figures::draw(figure, options, &mut |series| hall.play(series)) {
            Ok(drawings) => drawings.into_iter().for_each(|drawing| found.add(drawing)),
            Err(Halt::Stopped) => break,
            Err(Halt::Failed(message)) => {
                found.failed = Some(message);
                break;
            }
        }
    }
    found.report.captions.push(Caption {
        table: CLAIMS.into(),
        text: "What the thesis says, and what we find".into(),
        note: Some("its program plays another game: see the description of this study".into()),
    });
    let cells = claims::cells(&wanted, options, hall.tallies());
    found.report.cells.extend(cells);
    found
}

/// The table of what the thesis says.
const CLAIMS: &str = "thesis";

impl Found {
    fn add(&mut self, drawing: Drawing) {
        self.report.captions.push(Caption {
            table: drawing.figure.clone(),
            text: format!("Figure {}: {}", drawing.figure, drawing.title),
            note: Some(match drawing.form {
                Form::Map => format!(
                    "rows: ranks; columns: {}; numbers: {}",
                    drawing.x, drawing.y
                ),
                _ => format!("rows: {}; numbers: {}", drawing.x, drawing.y),
            }),
        });
        for (curve, point) in drawing
            .curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(move |point| (curve, point)))
        {
            let ours = match point.bounds {
                None => short(point.y),
                Some([low, high]) => {
                    format!("{} ({} to {})", short(point.y), short(low), short(high))
                }
            };
            let (x, name) = (point.x.clone(), curve.name.clone());
            // A map is printed as it lies on the table.
            let (row, column) = match drawing.form {
                Form::Map => (name, x),
                _ => (x, name),
            };
            let cell = Cell::new(&drawing.figure, row, column, None, Some(ours));
            self.report.cells.push(cell);
        }
        self.drawings.push(drawing);
    }
}

/// Four digits, or all of those before the point.
fn short(y: f64) -> String {
    let digits = match y.abs() {
        y if y >= 1000.0 || y == 0.0 => 0,
        y if y >= 100.0 => 1,
        y if y >= 10.0 => 2,
        _ => 3,
    };
    format!("{y:.digits$}")
}
