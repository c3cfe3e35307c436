//! Texts and events of a game in progress, for people and programs.

use std::io::{IsTerminal, Write as _, stderr, stdin};

use anyhow::Result;
use hindsight_answers::PlayEvent;
use hindsight_answers::report::unbroken;
use hindsight_play::GameRecord;

use super::game_in_progress::GameInProgress;
use crate::output::{escape_controls, print, print_message, print_text};
use crate::shown::board_text::{board_text, turned_board_text};
use crate::shown::sizes::counted;

impl GameInProgress<'_> {
    /// Tells what has happened, as a line of JSON for programs or as text for people.
    pub(super) fn tell(&self, event: &PlayEvent<'_>, text: &str) -> Result<()> {
        if self.session.context.json {
            print(&format!("{}\n", serde_json::to_string(event)?))
        } else {
            print_text(text)
        }
    }

    /// Tells why a line is not executed; to programs on standard error too.
    pub(super) fn tell_error(&self, error: &str) -> Result<()> {
        if self.session.context.json {
            print_message(error);
        }
        let text = format!("{}\n", escape_controls(error));
        self.tell(&PlayEvent::Error { error }, &text)
    }

    pub(super) fn introduce(&self) -> Result<()> {
        let (game, seed) = (self.played.game.spec(), self.session.seed);
        let agent = self.opponent.as_ref().map(|_| self.opponent_name());
        let you = self.name(self.human)?;
        let event = PlayEvent::Start {
            game,
            seed,
            you: agent.is_some().then_some(you),
            agent: agent.clone(),
        };
        let who = match agent {
            None => String::from("Two people play."),
            Some(agent) => {
                let order = ["first", "second"][self.human];
                let other = self.name(self.human ^ 1)?;
                format!("You are {you} and move {order}; {other} is {agent}.")
            }
        };
        let text = format!("{game}, seed {seed}\n{who} Type help for what you can do.\n");
        self.tell(&event, &text)
    }

    /// Writes what is expected before the input of a terminal.
    pub(super) fn prompt(&self) -> Result<()> {
        if stdin().is_terminal() {
            // A prompt that cannot be written does not end the game.
            let _ = write!(stderr(), "{}: ", self.expected()?);
        }
        Ok(())
    }

    fn expected(&self) -> Result<String> {
        if let Some(ply) = self.looked_at {
            return Ok(format!("ply {ply} of {}", self.played.moves.len()));
        }
        Ok(match (self.is_over()?, &self.opponent) {
            (true, _) => String::from("undo, back, review, save FILE or quit"),
            (false, Some(_)) => String::from("your move"),
            (false, None) => format!("{} to move", self.name(self.mover())?),
        })
    }

    /// Shows the position unless the person has seen it.
    pub(super) fn show_once(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.is_shown, true) { Ok(()) } else { self.show() }
    }

    pub(super) fn show(&self) -> Result<()> {
        let game = &self.played.game;
        let ply = self.looked_at.unwrap_or(self.played.moves.len());
        let position = &self.played.positions[ply];
        let text = game.format(position)?;
        if self.session.context.json {
            return self.show_to_program(ply, text);
        }
        let last = match ply {
            0 => String::new(),
            _ => game.format_move(&self.played.positions[ply - 1], &self.played.moves[ply - 1])?,
        };
        let context = self.session.context;
        let turned =
            if self.is_flipped { turned_board_text(game, position, &last, context)? } else { None };
        let board = match turned {
            Some(turned) => turned,
            None => board_text(game, position, &last, context)?,
        };
        print_text(&format!("\n{}\n", unbroken(&format!("{board}\n\n{text}"))))
    }

    fn show_to_program(&self, ply: usize, position: String) -> Result<()> {
        let game = &self.played.game;
        let shown = &self.played.positions[ply];
        let is_last = ply == self.played.moves.len();
        let is_over = game.outcome(shown)?.is_some() || is_last && self.resigned.is_some();
        let player = game.player_names()[game.player_to_move(shown)?];
        let moves = game.moves(shown)?.into_iter();
        let moves = moves.map(|mv| game.format_move(shown, &mv));
        let event = PlayEvent::Position {
            ply,
            position,
            player: (!is_over).then_some(player),
            moves: moves.collect::<Result<_, _>>()?,
        };
        self.tell(&event, "")
    }

    /// Tells once that the game is over.
    pub(super) fn announce_end(&mut self) -> Result<()> {
        if self.is_announced || !self.is_over()? {
            return Ok(());
        }
        self.is_announced = true;
        let record = self.record()?;
        let winner = record.winner.map(|winner| self.name(winner ^ record.first));
        let winner = winner.transpose()?;
        let ending = record.ending.as_str();
        let event = PlayEvent::Over { winner, ending };
        self.tell(&event, &format!("\n{}\n", self.result_text(&record)?))
    }

    /// Returns the result of the game in words.
    fn result_text(&self, record: &GameRecord) -> Result<String> {
        let plies = counted(self.played.moves.len() as u64, "ply");
        if !self.is_over()? {
            return Ok(format!("the game is not finished after {plies}"));
        }
        let winner = record.winner.map(|winner| winner ^ record.first);
        let result = match winner {
            None => String::from("nobody wins"),
            Some(winner) if self.opponent.is_none() => format!("{} wins", self.name(winner)?),
            Some(winner) if winner == self.human => String::from("you win"),
            Some(_) => String::from("you lose"),
        };
        let how = match record.ending.as_str() {
            "win" => String::new(),
            ending => format!(" ({ending})"),
        };
        Ok(format!("{result}{how} after {plies}"))
    }

    /// Prints the record for programs; tells people if the game is not finished.
    pub(super) fn finish(&self) -> Result<()> {
        let record = self.record()?;
        if self.session.context.json {
            return print(&format!("{}\n", serde_json::to_string(&record)?));
        }
        if self.is_over()? {
            Ok(())
        } else {
            print_text(&format!("\n{}\n", self.result_text(&record)?))
        }
    }
}
