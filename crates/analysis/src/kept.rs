//! Proved knowledge of a position that later analyses begin with.

use std::fmt::Write as _;

use hindsight_core::{Answer, Game, Notation, Packed, PackedGame, Value, Wdl};
use hindsight_engine::checkpoint::bytes::fnv_hash;
use hindsight_solve::move_between;

use crate::analysis::AnalysisSource;
use crate::known::Known;

/// First line of the text, with its version.
const HEADING: &str = "hindsight findings 1";
/// Between two parts of a line; no position has one.
const SEPARATOR: char = '\t';

/// Proved knowledge of a position and of its moves. All positions are in their canonical form.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptFindings {
    pub(crate) position: Packed,
    pub(crate) root: Known,
    pub(crate) moves: Vec<KeptMove>,
    pub(crate) source: AnalysisSource,
}

/// Proved knowledge of the moves to a position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KeptMove {
    pub(crate) to: Packed,
    /// Value for the side that makes the move.
    pub(crate) known: Known,
    /// Positions after `to`.
    pub(crate) line: Vec<Packed>,
}

impl KeptFindings {
    /// Returns what was proved of a position once and for all: its value, with the most plies of a
    /// win or loss, and the position after a best move unless it is lost.
    #[must_use]
    pub fn of_proof(
        game: &PackedGame,
        position: Packed,
        value: Wdl,
        plies: Option<u16>,
        best: Option<Packed>,
    ) -> Self {
        let root = Known::of_wdl(value, plies);
        let best =
            best.map(|to| KeptMove { to: game.canonical(to), known: root, line: Vec::new() });
        Self {
            position: game.canonical(position),
            root,
            moves: best.into_iter().collect(),
            source: AnalysisSource::ProvedStart,
        }
    }

    /// Returns the bytes of memory that the findings take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let positions = self.moves.iter().map(|kept| kept.line.capacity());
        size_of::<Self>()
            + self.moves.capacity() * size_of::<KeptMove>()
            + positions.sum::<usize>() * size_of::<Packed>()
    }

    /// Returns true if something is proved.
    #[must_use]
    pub fn has_proofs(&self) -> bool {
        let proved = |kept: &KeptMove| kept.known != Known::NOTHING;
        self.root != Known::NOTHING || self.moves.iter().any(proved)
    }

    /// Adds what another analysis of the position has proved, and what follows from both.
    pub fn add(&mut self, other: &Self) {
        if other.position != self.position {
            return;
        }
        self.root = self.root.with(other.root);
        for kept in &mut self.moves {
            let same = other.moves.iter().find(|same| same.to == kept.to);
            let Some(same) = same else {
                continue;
            };
            let known = kept.known.with(same.known);
            if known != kept.known {
                kept.line.clone_from(&same.line);
            }
            kept.known = known;
        }
        let mut concluded: Vec<Known> = self.moves.iter().map(|kept| kept.known).collect();
        self.root = self.root.concluded(&mut concluded);
        for (kept, known) in self.moves.iter_mut().zip(concluded) {
            if kept.known != known {
                // The line belongs to what was known before.
                kept.line.clear();
            }
            kept.known = known;
        }
    }

    /// Returns the findings as a text, which [`KeptFindings::of_text`] reads.
    pub fn text(&self, game: &PackedGame) -> String {
        let mut text = format!("{HEADING}\n{}\n", subject(game, self.position));
        let _ = writeln!(text, "{}", word(self.root));
        for kept in &self.moves {
            let positions = [&kept.to].into_iter().chain(&kept.line);
            let positions = positions.map(|&position| game.format(position));
            let parts: Vec<String> = [word(kept.known)].into_iter().chain(positions).collect();
            let _ = writeln!(text, "{}", parts.join(&SEPARATOR.to_string()));
        }
        let _ = writeln!(text, "{:016x}", fnv_hash(text.as_bytes()));
        text
    }

    /// Reads the findings of a position. `None` if the text is damaged, of another game or position
    /// or program, or if a line in it breaks the rules.
    pub fn of_text(game: &PackedGame, position: Packed, text: &str) -> Option<Self> {
        let position = game.canonical(position);
        let body = text.strip_suffix('\n')?;
        let (body, sum) = body.split_at(body.rfind('\n')? + 1);
        if sum != format!("{:016x}", fnv_hash(body.as_bytes())) {
            return None;
        }
        let body = body.strip_prefix(HEADING)?.strip_prefix('\n')?;
        let body = body.strip_prefix(&subject(game, position))?;
        let mut lines = body.strip_prefix('\n')?.lines();
        let root = known(lines.next()?)?;
        let moves = lines.map(|line| read_move(game, position, line));
        let moves: Vec<KeptMove> = moves.collect::<Option<_>>()?;
        let mut known: Vec<Known> = moves.iter().map(|kept| kept.known).collect();
        let agrees = moves.is_empty() || root.concluded(&mut known) == root;
        agrees.then_some(Self { position, root, moves, source: AnalysisSource::Kept })
    }
}

/// Returns the line that names game and position.
fn subject(game: &PackedGame, position: Packed) -> String {
    format!("{}{SEPARATOR}{}", game.rules_spec(), game.format(position))
}

/// Reads a move and the play after it.
fn read_move(game: &PackedGame, position: Packed, line: &str) -> Option<KeptMove> {
    let mut parts = line.split(SEPARATOR);
    let known = known(parts.next()?)?;
    let positions = parts.map(|text| game.parse(text).ok());
    let positions: Vec<Packed> = positions.collect::<Option<_>>()?;
    let (&to, line) = positions.split_first()?;
    let mut at = position;
    for &next in &positions {
        move_between(game, at, next)?;
        at = next;
    }
    // A line to the end proves what it ends with, if it has the plies of the value.
    let plies = known.answer.exact().and_then(Value::remoteness);
    let is_full = plies.is_some_and(|plies| usize::from(plies) == positions.len());
    if is_full && !is_end_of(game, at, plies?, known) {
        return None;
    }
    Some(KeptMove { to: game.canonical(to), known, line: line.to_vec() })
}

/// True if a game that ends with a position after some plies has a value for the side that makes
/// the first move.
fn is_end_of(game: &PackedGame, end: Packed, plies: u16, known: Known) -> bool {
    let over = game.terminal(end);
    let over = over.map(|wdl| if plies.is_multiple_of(2) { wdl } else { wdl.before() });
    over.is_some() && over == known.answer.wdl()
}

/// Returns knowledge as a word: `W7` for a win in 7 plies, `w7` for one in at most 7, `w` without a
/// bound; `L` and `l` for a loss, `D` for a draw, `-` for nothing.
fn word(known: Known) -> String {
    let letter = |wdl| match wdl {
        Wdl::Win => 'w',
        Wdl::Draw => 'd',
        Wdl::Loss => 'l',
    };
    match (known.answer, known.bound) {
        (Answer::Unknown, _) => String::from("-"),
        (Answer::Exact(value), _) => {
            let letter = letter(value.wdl()).to_ascii_uppercase();
            let plies = value.remoteness().map(|plies| plies.to_string());
            format!("{letter}{}", plies.unwrap_or_default())
        }
        (Answer::Wdl(wdl), Some(bound)) => format!("{}{bound}", letter(wdl)),
        (Answer::Wdl(wdl), None) => letter(wdl).to_string(),
    }
}

/// Reads a word.
fn known(word: &str) -> Option<Known> {
    let (letter, plies) = word.split_at_checked(1)?;
    let number = || plies.parse::<u16>().ok();
    let bound = || {
        if plies.is_empty() { Some(None) } else { number().map(Some) }
    };
    Some(match letter {
        "-" if plies.is_empty() => Known::NOTHING,
        "D" if plies.is_empty() => Known::exact(Value::Draw),
        "W" => Known::exact(Value::Win(number()?)),
        "L" => Known::exact(Value::Loss(number()?)),
        "w" => Known::of_wdl(Wdl::Win, bound()?),
        "l" => Known::of_wdl(Wdl::Loss, bound()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use hindsight_core::{Game, Notation, Wdl};
    use hindsight_rules::{Setup, by_name};

    use super::{KeptFindings, KeptMove};
    use crate::analysis::AnalysisSource;
    use crate::known::Known;

    /// Two analyses have each proved another move lost. Together they have proved the position
    /// lost, and a text that says so is read.
    #[test]
    fn the_sum_of_two_analyses_knows_what_follows() {
        let game = by_name("tic-tac-toe", &Setup::default()).expect("a spec");
        let position = game.canonical(game.parse("xox/oxx/..o").expect("a position"));
        let mut moves = Vec::new();
        game.successors(position, &mut moves);
        let [first, second] = moves[..] else {
            panic!("{moves:?}");
        };
        let lost = |plies| Known::of_wdl(Wdl::Loss, Some(plies));
        let found = |of_first, of_second| KeptFindings {
            position,
            root: Known::NOTHING,
            moves: [(first, of_first), (second, of_second)]
                .map(|(to, known)| KeptMove { to: game.canonical(to), known, line: Vec::new() })
                .into(),
            source: AnalysisSource::Kept,
        };
        let mut sum = found(lost(8), Known::NOTHING);
        sum.add(&found(Known::NOTHING, lost(6)));
        assert_eq!((sum.root, sum.moves[1].known), (lost(8), lost(6)));
        let text = sum.text(&game);
        assert_eq!(KeptFindings::of_text(&game, position, &text), Some(sum));
    }
}
