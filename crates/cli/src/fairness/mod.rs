//! The command `fairness`: judges whether a game favours a player or a card.

mod deck;
mod report;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use hindsight_games::{AgentSpec, Monitor, Progress};
use hindsight_study::fairness::{Fairness, FairnessOptions, fairness_charts, run as judge};

use crate::args::FairnessArgs;
use crate::context::Context;
use crate::inputs::named_agent::NamedAgent;
use crate::output::{NamedFile, check_distinct, finish_all, print_json, print_text, refuse_stdout};
use crate::shown::charts;
use crate::shown::progress::ProgressDisplay;
use crate::tables::plot::PlotOutput;

pub(crate) fn run(args: &FairnessArgs, context: &Context) -> Result<()> {
    let agent = parse_agent(&args.agent)?;
    let spec = match &args.deck {
        None => args.game.clone(),
        Some(deck) => deck::spec_with_deck(&args.game, deck)?,
    };
    let plot = args.plot.as_deref();
    let plot = plot.map(|file| open_plot(file, &spec, context)).transpose()?;
    let game = hindsight_games::game(&spec)?;
    let context = &context.with_tables_of(game.rules());
    let display = Mutex::new(FairnessProgress::new(context.quiet));
    let options = FairnessOptions {
        agent,
        games: args.number,
        max_plies: args.max_turns,
        seed: args.seed,
        seconds: args.seconds,
        memory: Some(context.limits().memory),
        progress: Some(Arc::new(move |progress| {
            let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
            display.report(progress)
        })),
    };
    let fairness = judge(&game, &options)?;
    drop(options);
    if context.json {
        print_json(&fairness)?;
    } else {
        print_text(&report::text(&fairness, context))?;
    }
    let page = plot.map(|plot| draw(plot, &fairness)).transpose()?.flatten();
    finish_all(page.into_iter().collect())
}

/// Display of the solve, then of the games.
struct FairnessProgress {
    unit: &'static str,
    display: ProgressDisplay,
    quiet: bool,
}

impl FairnessProgress {
    fn new(quiet: bool) -> Self {
        let unit = "positions";
        let display = ProgressDisplay::with_unit(unit, quiet);
        Self { unit, display, quiet }
    }

    fn report(&mut self, progress: Progress) -> bool {
        let unit = match progress.phase {
            "playing" => "games",
            _ => "positions",
        };
        if unit != self.unit {
            self.unit = unit;
            self.display = ProgressDisplay::with_unit(unit, self.quiet);
        }
        self.display.report(progress)
    }
}

fn parse_agent(text: &str) -> Result<AgentSpec> {
    let Some(agent) = NamedAgent::parse(text)?.spec() else {
        bail!("--agent is one of our own here; `hindsight match` takes programs");
    };
    if agent.needs_values() {
        bail!(
            "'{agent}' plays by known values, and perfect play is in the report anyway; \
             name an agent that searches, such as mcts"
        );
    }
    Ok(agent)
}

/// Opens the file of the page.
fn open_plot(file: &Path, spec: &str, context: &Context) -> Result<PlotOutput> {
    if file.as_os_str() == "-" {
        bail!("--plot draws a page, which needs a file: FILE.svg or FILE.png");
    }
    refuse_stdout("--plot", Some(file))?;
    let deck = hindsight_rules::deck_file(spec).map(PathBuf::from);
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref()).into_iter().collect();
    check_distinct(&inputs, &[NamedFile::new("--plot", file)])?;
    PlotOutput::open(file, context.force)
}

fn draw(plot: PlotOutput, fairness: &Fairness) -> Result<Option<crate::output::Output>> {
    let title = format!("Fairness of {}", fairness.game);
    charts::render_page(&fairness_charts(fairness), &title, plot)
}
