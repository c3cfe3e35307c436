//! Games of the house as foreign rules: they are the same games.

use std::sync::Arc;

use hindsight_core::{Game, MOST_WORDS, Notation, Packed, PackedGame, Symmetry, Wdl};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_foreign::{
    Abilities, Answers, Description, ForeignRules, RulesFault, Turns, foreign_game,
};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::proof::ProofProblem;
use hindsight_solve::{graph, proof};
use hindsight_testkit::check_notation;

/// Rules of a game whose positions are the bytes of its words.
struct Mirror {
    game: PackedGame,
    description: Description,
}

impl Mirror {
    fn new(spec: &str) -> Self {
        Self::with_symmetry(spec, Symmetry::None)
    }

    fn with_symmetry(spec: &str, symmetry: Symmetry) -> Self {
        let setup = Setup { symmetry, ..Setup::default() };
        let game = by_name(spec, &setup).expect("a game");
        let start = bytes_of(&game, game.start());
        let symmetries = symmetry != Symmetry::None;
        let abilities = Abilities { names: true, texts: true, symmetries };
        let players = game.player_names().map(String::from);
        let description = Description::new(spec, Turns::Told, start);
        Self { description: Description { players, abilities, ..description }, game }
    }

    fn position(&self, bytes: &[u8]) -> Packed {
        let mut words = [0; MOST_WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        Packed::new(words)
    }

    fn positions<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = Packed> + 'a {
        bytes.chunks_exact(4 * self.game.words()).map(|bytes| self.position(bytes))
    }
}

fn bytes_of(game: &PackedGame, position: Packed) -> Vec<u8> {
    position.as_words()[..game.words()].iter().flat_map(|word| word.to_be_bytes()).collect()
}

impl ForeignRules for Mirror {
    fn description(&self) -> &Description {
        &self.description
    }

    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
        for position in self.positions(positions) {
            let mut next = Vec::new();
            self.game.successors(position, &mut next);
            let next = next.into_iter().map(|to| bytes_of(&self.game, to));
            answers.add(self.game.terminal(position), next);
        }
        Ok(())
    }

    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        players.extend(self.positions(positions).map(|at| self.game.player_to_move(at) as u8));
        Ok(())
    }

    fn canonicalize(&self, positions: &mut [u8]) -> Result<(), RulesFault> {
        let canonical = self.positions(positions).map(|at| self.game.canonical(at));
        let canonical: Vec<u8> = canonical.flat_map(|at| bytes_of(&self.game, at)).collect();
        positions.copy_from_slice(&canonical);
        Ok(())
    }

    fn move_names(&self, position: &[u8]) -> Result<Vec<String>, RulesFault> {
        let position = self.position(position);
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        Ok(moves.into_iter().map(|mv| self.game.format_move(position, mv)).collect())
    }

    fn format(&self, position: &[u8]) -> Result<String, RulesFault> {
        Ok(self.game.format(self.position(position)))
    }

    fn parse(&self, text: &str) -> Result<Result<Vec<u8>, String>, RulesFault> {
        let position = self.game.parse(text).map_err(|error| error.message);
        Ok(position.map(|position| bytes_of(&self.game, position)))
    }
}

#[test]
fn moves_of_boards_are_changes_of_their_pictures() {
    for (spec, are_drawn) in [
        ("tic-tac-toe", true),
        ("four:4x4", true),
        ("dodgem:3x3", true),
        // Whole rows move.
        ("quixo:3x3", false),
    ] {
        let game = foreign_game(Arc::new(Mirror::new(spec)), Symmetry::None);
        check_notation(&game, 100, 1);
        let mut moves = Vec::new();
        game.moves(game.start(), &mut moves);
        let drawn = |&mv| game.drawn_move(game.start(), mv).is_some();
        assert!(!are_drawn || moves.iter().all(drawn), "{spec}");
    }
}

#[test]
fn results_moves_and_players_are_those_of_the_game() {
    for spec in ["tic-tac-toe", "quoridor:3x3:1", "onitama:3x3:boar", "l-game"] {
        let own = by_name(spec, &Setup::default()).expect("a game");
        let game = foreign_game(Arc::new(Mirror::new(spec)), Symmetry::None);
        assert_eq!(game.words(), own.words());
        let (mut next, mut own_next) = (Vec::new(), Vec::new());
        for ply in 0..40 {
            let position = own_next.get(ply % own_next.len().max(1)).copied();
            let position = position.unwrap_or(own.start());
            next.clear();
            own_next.clear();
            game.successors(position, &mut next);
            own.successors(position, &mut own_next);
            assert_eq!(next, own_next);
            assert_eq!(game.terminal(position), own.terminal(position));
            assert_eq!(game.player_to_move(position), own.player_to_move(position));
            assert_eq!(game.format(position), own.format(position));
        }
    }
}

#[test]
fn proofs_agree_with_the_state_graph() {
    for (spec, step) in [("tic-tac-toe", 61), ("ostle:3x3:1:0", 97), ("onitama:2x3:boar", 5)] {
        for symmetry in [Symmetry::None, Symmetry::All] {
            let game = foreign_game(Arc::new(Mirror::with_symmetry(spec, symmetry)), symmetry);
            let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limits");
            let limits = Limits { memory: 1 << 22, ..Limits::default() };
            for (number, start) in solved.positions().enumerate().step_by(step) {
                let problem = ProofProblem { start, ..ProofProblem::of_start(&game) };
                if game.terminal(start).is_some() {
                    continue;
                }
                let found = proof::solve_with_moves(problem, limits, &mut NoMonitor);
                let (found, moves) = found.expect("threads");
                let value = solved.value(number);
                assert_eq!(found.value(), Some(value.wdl()), "{spec} {number}");
                assert_eq!(found.plies().is_some(), value.wdl() != Wdl::Draw, "{spec} {number}");
                assert!(found.plies() >= value.remoteness(), "{spec} {number}");
                for mv in &moves {
                    let after = solved.value(solved.number(&game, mv.to).expect("it is reached"));
                    let is_right = |value| value == after.before().wdl();
                    assert!(mv.value().is_none_or(is_right), "{spec} {number}");
                    assert!(mv.plies.is_none_or(|most| after.remoteness() <= Some(most)));
                }
            }
        }
    }
}
