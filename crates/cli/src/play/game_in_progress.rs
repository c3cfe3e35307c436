//! A game between a person and an agent, or between two people.

use std::io::{BufRead, stdin};
use std::time::Instant;

use anyhow::Result;
use hindsight_answers::report::TextTable;
use hindsight_answers::{MoveAnalysis, PlayEvent};
use hindsight_games::{Position, SolverError, Values};
use hindsight_play::{AgentFault, GameRecord};

use super::advice::{Advisor, Hint, KeptAnalyses};
use super::command::{HELP, Look, PlayCommand};
use super::session::{KnownGame, PlaySession};
use crate::args::SearchArgs;
use crate::inputs::input::strip_byte_order_mark;
use crate::inputs::kept_game::ReplayedGame;
use crate::inputs::knowledge::knowledge_text;
use crate::output::{escape_controls, fitted};
use crate::process::signals::{stopped, take_interrupt};
use crate::review::ReviewedGame;
use crate::shown::board_form::BoardForm;

/// Most seconds of a review, where values are not known.
const REVIEW_SECONDS: f64 = 10.0;

/// Agent that plays by the texts of positions and moves.
pub(super) trait Opponent {
    /// Returns the move that the agent plays.
    fn choose(&mut self, position: &str) -> Result<String>;
}

/// State of a game in progress.
pub(super) struct GameInProgress<'a> {
    pub(super) session: &'a PlaySession<'a>,
    pub(super) played: ReplayedGame,
    /// Agent of the other side, with its name; `None` if a person plays it.
    pub(super) opponent: Option<(&'a mut dyn Opponent, String)>,
    pub(super) values: Option<&'a Values>,
    /// Place of the person in the order of moves: 0 for the first player, 1 for the second.
    pub(super) human: usize,
    /// Ply that is looked at; `None` for the last position.
    pub(super) looked_at: Option<usize>,
    /// Place in the order of moves of the side that has resigned.
    pub(super) resigned: Option<usize>,
    /// Analyses of the hints so far.
    pub(super) hints: KeptAnalyses,
    /// Files that this game was saved in.
    pub(super) saved_in: Vec<String>,
    pub(super) is_flipped: bool,
    /// True if the person has seen the position.
    pub(super) is_shown: bool,
    /// True if the person has read that the game is over.
    pub(super) is_announced: bool,
}

impl<'a> GameInProgress<'a> {
    /// Returns a game from a position, or the one that the session has loaded.
    pub(super) fn new(
        known: KnownGame<'a>,
        start: Position,
        session: &'a PlaySession<'a>,
        opponent: Option<(&'a mut dyn Opponent, String)>,
    ) -> Result<Self> {
        let game = known.game.clone();
        let played = match &session.saved {
            Some(saved) => ReplayedGame::of_record(game, saved)?,
            None => ReplayedGame::new(game, start),
        };
        let mut in_progress = Self {
            session,
            played,
            opponent,
            values: known.values,
            human: usize::from(session.args.second),
            looked_at: None,
            resigned: None,
            hints: KeptAnalyses::new(),
            saved_in: Vec::new(),
            is_flipped: false,
            is_shown: false,
            is_announced: false,
        };
        if let Some(saved) = &session.saved {
            in_progress.human = saved.human() ^ saved.first;
            let loser = saved.winner.map(|winner| winner ^ 1 ^ saved.first);
            let is_lost = saved.ending == "resigned" || saved.fault.is_some();
            in_progress.resigned = loser.filter(|_| is_lost);
        }
        Ok(in_progress)
    }

    /// Plays until the person quits or the input ends.
    pub(super) fn run(mut self) -> Result<()> {
        self.introduce()?;
        let mut input = stdin().lock();
        loop {
            if self.is_turn_of_agent()? {
                self.agent_turn()?;
                continue;
            }
            self.show_once()?;
            self.announce_end()?;
            self.prompt()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&line);
            match PlayCommand::read(strip_byte_order_mark(&line)) {
                PlayCommand::Quit => break,
                command => {
                    let executed = self.execute(command);
                    if stopped() {
                        self.finish()?;
                    }
                    executed?;
                }
            }
        }
        self.finish()
    }

    /// Place in the order of moves of the side to move in the last position.
    pub(super) fn mover(&self) -> usize {
        self.played.moves.len() % 2
    }

    pub(super) fn is_over(&self) -> Result<bool> {
        let outcome = self.played.game.outcome(self.played.last())?;
        Ok(self.resigned.is_some() || outcome.is_some())
    }

    fn is_turn_of_agent(&self) -> Result<bool> {
        let is_theirs = self.opponent.is_some() && self.mover() != self.human;
        Ok(is_theirs && self.looked_at.is_none() && !self.is_over()?)
    }

    /// Returns the name of the player at a place in the order of moves.
    pub(super) fn name(&self, place: usize) -> Result<&'static str> {
        let first = self.played.game.player_to_move(&self.played.positions[0])?;
        Ok(self.played.game.player_names()[first ^ place])
    }

    /// Returns the agent, or the word for a person.
    pub(super) fn opponent_name(&self) -> String {
        match &self.opponent {
            Some((_, agent)) => agent.clone(),
            None => GameRecord::HUMAN.to_string(),
        }
    }

    /// Plays the agent's move.
    fn agent_turn(&mut self) -> Result<()> {
        let position = self.played.game.format(self.played.last())?;
        let player = self.name(self.mover())?;
        let Some((opponent, _)) = &mut self.opponent else {
            return Ok(());
        };
        let begin = Instant::now();
        let text = match opponent.choose(&position) {
            Ok(text) => text,
            Err(error) => return self.lose_by_fault(error),
        };
        let event =
            PlayEvent::Move { player, r#move: &text, seconds: begin.elapsed().as_secs_f64() };
        self.tell(&event, &format!("{player} plays {text}\n"))?;
        let mv = self.played.game.parse_move(self.played.last(), &text)?;
        self.played.play(mv)?;
        self.is_shown = false;
        Ok(())
    }

    /// Lets the agent resign if its error is a fault of a program, and returns any other error.
    fn lose_by_fault(&mut self, error: anyhow::Error) -> Result<()> {
        let fault = error.downcast::<AgentFault>()?;
        let agent = self.opponent_name();
        self.tell_error(&format!("'{agent}' loses: {fault}"))?;
        self.resigned = Some(self.mover());
        self.is_shown = false;
        Ok(())
    }

    fn execute(&mut self, command: PlayCommand<'_>) -> Result<()> {
        match command {
            PlayCommand::Empty | PlayCommand::Quit => Ok(()),
            PlayCommand::Help => self.tell(&PlayEvent::Help { text: HELP }, HELP),
            PlayCommand::Moves => self.list_moves(),
            PlayCommand::Hint => self.hint(),
            PlayCommand::Review => self.review(),
            PlayCommand::Undo => self.undo(),
            PlayCommand::Look(look) => self.look(look),
            PlayCommand::Show => self.show(),
            PlayCommand::Flip => self.flip(),
            PlayCommand::Save(file) => self.tell_saved(file, false),
            PlayCommand::Overwrite(file) => self.tell_saved(file, true),
            PlayCommand::Resign => self.resign(),
            PlayCommand::Refused(error) => self.tell_error(&error),
            PlayCommand::Move(text) => self.person_turn(text),
        }
    }

    fn flip(&mut self) -> Result<()> {
        if self.session.context.boards == BoardForm::Diagram {
            return self.tell_error("only pictures of boards can be turned, and these are plain");
        }
        self.is_flipped = !self.is_flipped;
        self.show()
    }

    /// Plays a person's move.
    fn person_turn(&mut self, text: &str) -> Result<()> {
        if let Some(ply) = self.looked_at {
            let last = self.played.moves.len();
            return self.tell_error(&format!(
                "'{text}' is no command; ply {ply} of {last} is shown: \
                 last shows the last position, undo goes on from here"
            ));
        }
        if self.is_over()? {
            return self.tell_error(&format!("'{text}' is no command, and the game is over"));
        }
        match self.played.game.parse_move(self.played.last(), text) {
            Ok(mv) => {
                self.is_shown = false;
                self.played.play(mv)
            }
            Err(error) => self.tell_error(&error.to_string()),
        }
    }

    /// Takes back the moves after the position that is looked at, or else those since the person's
    /// last move, with it.
    fn undo(&mut self) -> Result<()> {
        let last = self.played.moves.len();
        let is_persons = |ply: &usize| self.opponent.is_none() || ply % 2 == self.human;
        let to = match (self.looked_at, self.resigned) {
            (Some(ply), _) => Some(ply),
            (None, Some(_)) => Some(last),
            (None, None) => (0..last).rev().find(is_persons),
        };
        let Some(to) = to else {
            return self.tell_error("there is nothing to take back");
        };
        self.played.take_back(last - to);
        (self.looked_at, self.resigned) = (None, None);
        (self.is_shown, self.is_announced) = (false, false);
        Ok(())
    }

    fn look(&mut self, look: Look) -> Result<()> {
        let last = self.played.moves.len();
        let ply = look.from(self.looked_at.unwrap_or(last), last);
        self.looked_at = (ply < last).then_some(ply);
        self.show()
    }

    fn resign(&mut self) -> Result<()> {
        if self.is_over()? {
            return self.tell_error("the game is over");
        }
        self.looked_at = None;
        // Against an agent it is always the person's turn here.
        self.resigned = Some(self.mover());
        Ok(())
    }

    fn advisor(&self) -> Advisor<'_> {
        Advisor { game: &self.played.game, values: self.values, context: self.session.context }
    }

    pub(super) fn shown(&self) -> &Position {
        let ply = self.looked_at.unwrap_or(self.played.moves.len());
        &self.played.positions[ply]
    }

    fn shows_end(&self) -> Result<bool> {
        Ok(self.played.game.outcome(self.shown())?.is_some())
    }

    fn list_moves(&self) -> Result<()> {
        if self.shows_end()? {
            return self.tell_error("the game is over: there are no moves");
        }
        let moves = self.advisor().moves(self.shown())?;
        let text = match self.values {
            Some(_) => rated_text(&moves),
            None => {
                let texts: Vec<&str> = moves.iter().map(|row| row.r#move.as_str()).collect();
                format!("{}\n", texts.join(" "))
            }
        };
        self.tell(&PlayEvent::Moves { moves }, &text)
    }

    fn hint(&mut self) -> Result<()> {
        if self.shows_end()? {
            return self.tell_error("the game is over: there are no moves");
        }
        let mut kept = std::mem::take(&mut self.hints);
        let hint = self.advisor().hint(self.shown(), &mut kept);
        self.hints = kept;
        let Hint { moves, is_certain } = hint?;
        let certainty = match (is_certain, moves.is_empty()) {
            (true, _) => "",
            (false, false) => "Nothing is certain here. The analysis prefers:\n",
            (false, true) => {
                "Nothing is certain here: no move is known to be better than another.\n"
            }
        };
        let text = format!("{certainty}{}", rated_text(&moves));
        self.tell(&PlayEvent::Hint { moves, is_certain }, &text)
    }

    /// Tells what each move of the game gave away, as far as that is known when Ctrl-C stops it.
    fn review(&self) -> Result<()> {
        if self.played.moves.is_empty() {
            return self.tell_error("no move has been played");
        }
        let search = SearchArgs { seconds: REVIEW_SECONDS, cache: None };
        let (record, context) = (self.record()?, self.session.context);
        let reviewed = ReviewedGame::new(&record, &self.played, self.values, &search, context)?;
        if !take_interrupt() && stopped() {
            return Err(SolverError::Stopped.into());
        }
        if context.json {
            self.tell(&PlayEvent::Review(&reviewed.answer), "")
        } else {
            reviewed.print()
        }
    }

    fn tell_saved(&mut self, file: &str, overwrite: bool) -> Result<()> {
        match self.save(file, overwrite) {
            Ok(file) => self.tell(
                &PlayEvent::Saved { file: &file },
                &format!("saved in {}\n", escape_controls(&file)),
            ),
            Err(error) => self.tell_error(&format!("{error:#}")),
        }
    }
}

/// Returns moves with what is known of them, one a line.
fn rated_text(moves: &[MoveAnalysis]) -> String {
    let mut table = TextTable::new("ll");
    for row in moves {
        table.push([&row.r#move, &knowledge_text(&row.known)]);
    }
    fitted(&table)
}
