//! The command `play`: a person against an agent, in a terminal or through a pipe.

mod opponent;

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write as _, stderr, stdin};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use hindsight_core::{Value, Wdl};
use hindsight_games::{AnyGame, Position, Values};
use hindsight_play::{AgentSpec, GameRecord, SeededRandom};
use hindsight_report::unbroken;

use crate::args::{PlayArgs, SymmetryArg};
use crate::board_text::board_text;
use crate::context::Context;
use crate::errors::game_error;
use crate::game_with_values::{ValuesSource, game_and_values, normal_form};
use crate::input::strip_byte_order_mark;
use crate::kept_game::{ReplayedGame, read_kept_game};
use crate::matches::{DEAL_STREAM, DEFAULT_GAME};
use crate::output::{NamedFile, Output, check_distinct, print_json, print_message, print_text};
use crate::sizes::counted;
use crate::spec::{parse_agent, setup, spec_error};
use opponent::Opponent;

const DEFAULT_AGENT: &str = "mcts:playouts=10000,prune=1%";

const HELP: &str = "\
a move, or: moves, hint, undo, save FILE, resign, quit
";

pub(crate) fn run(args: &PlayArgs, context: &Context) -> Result<()> {
    let saved = args.load.as_deref();
    let saved = saved.map(|path| read_kept_game(path, None)).transpose()?;
    let saved_agent = saved.as_ref().and_then(GameRecord::opponent);
    let agent = args.agent.as_deref().or(saved_agent);
    let agent = agent.unwrap_or(DEFAULT_AGENT);
    let agent = parse_agent(agent)?;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let spec = match (&args.spec, &saved) {
        (Some(spec), Some(saved)) if normal_form(spec, spec)? != saved.game => {
            bail!("the saved game is of {}; leave out '{spec}'", saved.game)
        }
        (_, Some(saved)) => Some(saved.game.clone()),
        (Some(spec), None) => Some(spec.clone()),
        (None, None) => args.table.is_none().then(|| DEFAULT_GAME.to_string()),
    };
    let dealt = spec.as_deref().map(|spec| deal(spec, seed)).transpose()?;
    let dealt = dealt.flatten();
    if let (Some(dealt), Some(spec)) = (&dealt, &spec) {
        normal_form(dealt, spec)?;
        if agent.needs_values() {
            bail!("perfect and lure play by a solution of one game: name the cards in '{spec}'");
        }
    }
    let dealt = dealt.or(spec);
    let source = ValuesSource {
        spec: dealt.as_deref(),
        table: args.table.as_deref(),
        solve: agent.needs_values(),
    };
    let session = PlaySession {
        args,
        agent,
        saved,
        seed,
        context,
    };
    let (game, values) = game_and_values(source, context)?;
    let known = KnownGame {
        game: &game,
        values: values.as_ref(),
    };
    opponent::play_against(known, &session)
}

/// Seed from the clock: the nanoseconds of the current second.
fn clock_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| u64::from(now.subsec_nanos()))
}

/// Spec with the cards drawn at random; `None` if the spec leaves nothing to draw.
fn deal(spec: &str, seed: u64) -> Result<Option<String>> {
    let mut random = SeededRandom::new(&[seed, 0, DEAL_STREAM]);
    hindsight_rules::deal(spec, &setup(SymmetryArg::None), &mut random)
        .map_err(|error| spec_error(spec, &error))
}

/// Options of a game against an agent.
struct PlaySession<'a> {
    args: &'a PlayArgs,
    agent: AgentSpec,
    saved: Option<GameRecord>,
    seed: u64,
    context: &'a Context,
}

impl PlaySession<'_> {
    /// Plays the game against an opponent.
    fn play(&self, known: KnownGame<'_>, opponent: &mut dyn Opponent) -> Result<()> {
        let mut in_progress = GameInProgress {
            played: ReplayedGame::new(known.game.clone(), known.game.start()),
            session: self,
            opponent,
            values: known.values,
            human: usize::from(self.args.second),
            ending: None,
            saved_as: None,
        };
        if let Some(saved) = &self.saved {
            in_progress.played = ReplayedGame::of_record(known.game.clone(), saved)?;
            in_progress.human = saved.human() ^ saved.first;
        }
        in_progress.run()
    }
}

/// A game and, if they are known, its values.
#[derive(Clone, Copy)]
struct KnownGame<'a> {
    game: &'a AnyGame,
    values: Option<&'a Values>,
}

/// State of a game in progress.
struct GameInProgress<'a> {
    played: ReplayedGame,
    session: &'a PlaySession<'a>,
    opponent: &'a mut dyn Opponent,
    values: Option<&'a Values>,
    /// Place of the person in the order of moves: 0 for the first player, 1 for the second.
    human: usize,
    /// Ending that the person chose: `resigned` or `unfinished`; `None` while the game goes on.
    ending: Option<&'static str>,
    /// File that this game was saved in, which a later save may overwrite.
    saved_as: Option<String>,
}

impl GameInProgress<'_> {
    fn position(&self) -> &Position {
        self.played.last()
    }

    fn game(&self) -> &AnyGame {
        &self.played.game
    }

    fn is_over(&self) -> Result<bool> {
        Ok(self.game().outcome(self.position())?.is_some())
    }

    /// Plays until the game is over or the person ends it.
    fn run(&mut self) -> Result<()> {
        self.introduce()?;
        let mut input = stdin().lock();
        while self.ending.is_none() && !self.is_over()? {
            if self.played.moves.len() % 2 != self.human {
                self.agent_turn()?;
                continue;
            }
            self.show()?;
            if stdin().is_terminal() {
                // A prompt that cannot be written does not end the game.
                let _ = write!(stderr(), "your move: ");
            }
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line)? {
                0 => self.ending = Some("unfinished"),
                _ => self.execute(strip_byte_order_mark(&String::from_utf8_lossy(&line)).trim())?,
            }
        }
        self.finish()
    }

    /// Prints text, unless the answer is to be one JSON value.
    fn say(&self, text: &str) -> Result<()> {
        if self.session.context.json {
            Ok(())
        } else {
            print_text(text)
        }
    }

    fn introduce(&self) -> Result<()> {
        let players = self.game().player_names();
        let first = self.game().player_to_move(&self.game().start())?;
        let [you, other] = [first ^ self.human, first ^ self.human ^ 1].map(|i| players[i]);
        let order = ["first", "second"][self.human];
        self.say(&format!(
            "{}, seed {}\nYou are {you} and move {order}; {other} is {}. \
             Type help for what you can do.\n",
            self.game().spec(),
            self.session.seed,
            self.session.agent
        ))
    }

    fn show(&self) -> Result<()> {
        let moves = self.played.move_texts()?;
        let last = moves.last().map_or("", String::as_str);
        let board = board_text(self.game(), self.position(), last, self.session.context)?;
        self.say(&format!("\n{}\n", unbroken(&board)))
    }

    /// Plays the agent's move.
    fn agent_turn(&mut self) -> Result<()> {
        let position = self.position();
        let player = self.game().player_names()[self.game().player_to_move(position)?];
        let text = self.opponent.choose(&self.game().format(position)?)?;
        let mv = self.game().parse_move(self.position(), &text)?;
        self.played.play(mv)?;
        self.say(&format!("{player} plays {text}\n"))
    }

    /// Executes a line of the person's input: a command or a move.
    fn execute(&mut self, line: &str) -> Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => Ok(()),
            ("help" | "?", _) => self.say(HELP),
            ("moves", _) => self.list_moves(false),
            ("hint", _) => self.list_moves(true),
            ("undo", _) => self.undo(),
            ("resign", _) => {
                self.ending = Some("resigned");
                Ok(())
            }
            ("quit" | "exit", _) => {
                self.ending = Some("unfinished");
                Ok(())
            }
            ("save", "") => self.say_error("save where? save FILE\n"),
            ("save", file) => {
                let saved = self.save(file);
                match saved {
                    Ok(()) => self.say(&format!("saved in {file}\n")),
                    Err(error) => self.say_error(&format!("{error:#}\n")),
                }
            }
            _ => match self.game().parse_move(self.position(), line) {
                Ok(mv) => self.played.play(mv),
                Err(error) => self.say_error(&format!("{error}\n")),
            },
        }
    }

    /// Prints an error, on standard error if the answer is to be one JSON value.
    fn say_error(&self, text: &str) -> Result<()> {
        if self.session.context.json {
            print_message(text.trim_end());
            return Ok(());
        }
        print_text(text)
    }

    /// Takes back the person's last move and the agent's reply.
    fn undo(&mut self) -> Result<()> {
        if self.played.moves.len() < 2 {
            return self.say("there is nothing to take back\n");
        }
        self.played.take_back(2);
        Ok(())
    }

    /// Lists the legal moves, or only the best, with their values if these are known.
    fn list_moves(&self, only_best: bool) -> Result<()> {
        let position = self.position();
        let values = self.move_values()?;
        if only_best && values.is_none() {
            // A separate random stream: a hint does not change the agent's moves.
            let seed = [self.session.seed, 2, self.played.moves.len() as u64];
            let hint = self.opponent.hint(&self.game().format(position)?, &seed)?;
            return self.say(&format!("a tree search plays {hint}\n"));
        }
        let moves = self.game().moves(position)?;
        let texts = moves.iter().map(|mv| self.game().format_move(position, mv));
        let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
        let Some(values) = values else {
            return self.say(&format!("{}\n", texts.join(" ")));
        };
        let best = values.iter().copied().max();
        let mut lines = String::new();
        for (text, value) in texts.iter().zip(values) {
            if !only_best || Some(value) == best {
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "{text}  {value}");
            }
        }
        self.say(&lines)
    }

    /// Values of the legal moves for the side that makes them; `None` if they are not known.
    fn move_values(&self) -> Result<Option<Vec<Value>>> {
        let Some(values) = self.values else {
            return Ok(None);
        };
        let successors = self.game().successors(self.position())?;
        let answers = values.probe_many(&successors).map_err(game_error)?;
        let move_values = answers
            .into_iter()
            .map(|answer| Some(answer.exact()?.before()));
        Ok(move_values.collect())
    }

    /// Winner by the order of moves: 0 for the first to move, 1 for the second.
    fn winner(&self, result: Option<Wdl>) -> Option<usize> {
        if self.ending == Some("resigned") {
            return Some(self.human ^ 1);
        }
        let mover = self.played.moves.len() % 2;
        match result? {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(mover ^ 1),
            Wdl::Draw => None,
        }
    }

    fn record(&self) -> Result<GameRecord> {
        let result = self.game().outcome(self.position())?;
        let ending = match (self.ending, result) {
            (Some(ending), _) => ending,
            (None, Some(Wdl::Draw)) => "draw",
            (None, Some(_)) => self.game().win_condition(self.position())?.unwrap_or("win"),
            (None, None) => "unfinished",
        };
        Ok(GameRecord {
            game: self.game().spec().to_string(),
            start: None,
            number: 0,
            agents: [
                GameRecord::HUMAN.to_string(),
                self.session.agent.to_string(),
            ],
            first: self.human,
            moves: self.played.move_texts()?,
            winner: self.winner(result).map(|winner| winner ^ self.human),
            ending: ending.to_string(),
            work: [0; 2],
            seconds: [0.0; 2],
            pruned: Vec::new(),
        })
    }

    fn save(&mut self, name: &str) -> Result<()> {
        let saved_before = self.saved_as.as_deref() == Some(name);
        let force = self.session.context.force || saved_before;
        let path = Path::new(name);
        let args = self.session.args;
        let deck = args
            .spec
            .as_deref()
            .and_then(hindsight_rules::deck_file)
            .map(PathBuf::from);
        let inputs = [
            NamedFile::optional("the table", args.table.as_ref()),
            NamedFile::optional(
                "the file of --load",
                args.load.as_ref().filter(|_| !saved_before),
            ),
            NamedFile::optional("the deck", deck.as_ref()),
        ];
        let inputs: Vec<_> = inputs.into_iter().flatten().collect();
        check_distinct(&inputs, &[NamedFile::new("the game", path)])?;
        let mut file = Output::file(path, "a game", force)?;
        serde_json::to_writer(&mut file, &self.record()?)?;
        file.write_all(b"\n")?;
        file.finish()?;
        self.saved_as = Some(name.to_string());
        Ok(())
    }

    fn finish(&self) -> Result<()> {
        let record = self.record()?;
        if self.session.context.json {
            return print_json(&record);
        }
        self.show()?;
        let result = match (record.winner, record.ending.as_str()) {
            (_, "unfinished") => String::from("the game is not finished"),
            (Some(0), ending) => format!("you win ({ending})"),
            (Some(_), ending) => format!("you lose ({ending})"),
            (None, ending) => format!("nobody wins ({ending})"),
        };
        let plies = counted(record.moves.len() as u64, "ply");
        print_text(&format!("\n{result} after {plies}\n"))
    }
}
