use anyhow::Result;
use hindsight_core::{ForbiddenMove, Game, Notation, Retro, Value, Wdl};
use hindsight_rules::Visitor;
use hindsight_solve::{Histogram, Summary};
use hindsight_tablebase::{Example, FORMAT_VERSION, Info, Layout};
use serde::Serialize;

use super::{TextAt, free_text, open_any, position_text, unnumbered, visit};
use crate::args::InfoArgs;
use crate::context::Context;
use crate::output::{print, print_json, table, with_commas};
use crate::sizes::format_size;

/// What `info --json` prints.
#[derive(Serialize)]
struct Report {
    file: String,
    game: String,
    format_version: u32,
    layout: String,
    start: Named,
    positions: u64,
    /// Those that are not won at once, as `solve` counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_states: Option<u64>,
    wins: u64,
    losses: u64,
    draws: u64,
    longest_win: Option<Named>,
    longest_loss: Option<Named>,
    layers: usize,
    tiers: u64,
    ranks: u64,
    bytes: u64,
    bytes_per_position: f64,
    signature: String,
}

/// A position with its value.
#[derive(Clone, Serialize)]
pub(crate) struct Named {
    value: String,
    pub(crate) remoteness: Option<u16>,
    pub(crate) position: String,
}

impl Named {
    pub(crate) fn new(position: String, value: Value) -> Self {
        Self {
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            position,
        }
    }

    /// An example of a table; one that the game does not have is shown by its place.
    pub(crate) fn example(text_at: TextAt<'_>, example: Example) -> Self {
        let Example { tier, rank, value } = example;
        let text = text_at((tier, rank))
            .unwrap_or_else(|| format!("(no position: tier {tier}, rank {rank})"));
        Self::new(text, value)
    }

    fn text(&self) -> String {
        match self.remoteness {
            Some(plies) => format!("{} in {plies}: {}", self.value, self.position),
            None => format!("{}: {}", self.value, self.position),
        }
    }
}

/// How many positions are won, lost and drawn.
pub(crate) fn counts(histogram: &Histogram) -> Summary {
    let of = |wdl: Wdl| {
        let rows = histogram.rows().into_iter();
        let rows = rows.filter(|(value, _)| value.wdl() == wdl);
        rows.map(|(_, positions)| positions).sum()
    };
    Summary {
        positions: histogram.positions(),
        edges: 0,
        wins: of(Wdl::Win),
        losses: of(Wdl::Loss),
        draws: of(Wdl::Draw),
    }
}

pub(crate) fn run(args: &InfoArgs, context: &Context) -> Result<()> {
    let opened = open_any(&args.file)?;
    let info = opened.info();
    let header = Header {
        file: args.file.display().to_string(),
        bytes: args.file.metadata()?.len(),
        info,
    };
    if info.layout == Layout::Distances {
        let report = visit(&info.spec, OfDistances(header))??;
        return match context.json {
            true => print_json(&report),
            false => print(&report.text()),
        };
    }
    let report = visit(&info.spec, header)??;
    if context.json {
        print_json(&report)
    } else {
        print(&report.text())
    }
}

/// What `info --json` prints of a table of distances.
#[derive(Serialize)]
struct Distances {
    file: String,
    game: String,
    format_version: u32,
    layout: String,
    positions: u64,
    /// Those that can be reached.
    reached_positions: u64,
    reached_states: u64,
    /// The first of the positions furthest from the start.
    farthest: Option<Far>,
    layers: usize,
    ranks: u64,
    bytes: u64,
    bytes_per_position: f64,
}

#[derive(Serialize)]
struct Far {
    plies: u16,
    position: String,
}

struct OfDistances<'a>(Header<'a>);

impl Visitor for OfDistances<'_> {
    type Output = Result<Distances>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<Distances> {
        Err(unnumbered(&game))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<Distances> {
        let Header { file, bytes, info } = self.0;
        let histogram = info.histogram();
        let positions = histogram.positions();
        let farthest = info.longest_loss().map(|example| {
            let named = Named::example(&|place| free_text(&game, place), example);
            Far {
                plies: named.remoteness.unwrap_or(0),
                position: named.position,
            }
        });
        Ok(Distances {
            file,
            game: info.spec.clone(),
            format_version: FORMAT_VERSION,
            layout: info.layout.to_string(),
            positions,
            reached_positions: counts(&histogram).losses,
            reached_states: info.states().map_or(0, |states| states.all.positions()),
            farthest,
            layers: info.layers.len(),
            ranks: info.ranks(),
            bytes,
            bytes_per_position: bytes as f64 / positions.max(1) as f64,
        })
    }
}

impl Distances {
    fn text(&self) -> String {
        let farthest = self.farthest.as_ref();
        let farthest = farthest.map(|far| format!("{} plies: {}", far.plies, far.position));
        let (size, each) = (format_size(self.bytes), self.bytes_per_position);
        let rows = [
            ("game", self.game.clone()),
            ("positions", with_commas(self.positions)),
            ("reached", with_commas(self.reached_positions)),
            ("states reached", with_commas(self.reached_states)),
            ("farthest", farthest.unwrap_or_else(|| String::from("-"))),
            ("layers", with_commas(self.layers as u64)),
            ("ranks", with_commas(self.ranks)),
            ("layout", self.layout.clone()),
            ("format", format!("version {}", self.format_version)),
            ("size", format!("{size}, {each:.4} bytes a position")),
        ];
        let rows = rows.map(|(name, value)| vec![name.to_string(), value]);
        table(&rows, "ll")
    }
}

struct Header<'a> {
    file: String,
    bytes: u64,
    info: &'a Info,
}

impl Visitor for Header<'_> {
    type Output = Result<Report>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<Report> {
        Err(unnumbered(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Result<Report> {
        self.report(&game, &|place| position_text(&game, place))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Result<Report> {
        self.report(&game, &|place| free_text(&game, place))
    }
}

impl Header<'_> {
    fn report<G: Notation>(self, game: &G, text_at: TextAt<'_>) -> Result<Report> {
        let info = self.info;
        let histogram = info.histogram();
        let counts = counts(&histogram);
        let states = info.states();
        let example = |example| Named::example(text_at, example);
        Ok(Report {
            file: self.file,
            game: info.spec.clone(),
            format_version: FORMAT_VERSION,
            layout: info.layout.to_string(),
            start: Named::new(game.format(game.start()), info.start.value),
            positions: counts.positions,
            states: states.as_ref().map(|counts| counts.nontrivial.positions()),
            all_states: states.as_ref().map(|counts| counts.all.positions()),
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws,
            longest_win: info.longest_win().map(example),
            longest_loss: info.longest_loss().map(example),
            layers: info.layers.len(),
            tiers: info.tiers(),
            ranks: info.ranks(),
            bytes: self.bytes,
            bytes_per_position: self.bytes as f64 / counts.positions.max(1) as f64,
            signature: counts.signature(Some(&histogram)),
        })
    }
}

impl Report {
    fn text(&self) -> String {
        let named = |named: &Option<Named>| named.as_ref().map_or(String::from("-"), Named::text);
        let (size, each) = (format_size(self.bytes), self.bytes_per_position);
        let rows = [
            ("game", self.game.clone()),
            ("start", self.start.text()),
            ("positions", with_commas(self.positions)),
            ("won", with_commas(self.wins)),
            ("lost", with_commas(self.losses)),
            ("drawn", with_commas(self.draws)),
            ("longest win", named(&self.longest_win)),
            ("longest loss", named(&self.longest_loss)),
            ("layers", with_commas(self.layers as u64)),
            ("tiers", with_commas(self.tiers)),
            ("ranks", with_commas(self.ranks)),
            ("layout", self.layout.clone()),
            ("format", format!("version {}", self.format_version)),
            ("size", format!("{size}, {each:.4} bytes a position")),
            ("signature", self.signature.clone()),
        ];
        let mut rows = rows
            .map(|(name, value)| vec![name.to_string(), value])
            .to_vec();
        if let (Some(states), Some(all)) = (self.states, self.all_states) {
            let said = format!(
                "{}; {} with those that win at once",
                with_commas(states),
                with_commas(all)
            );
            rows.insert(3, vec![String::from("states"), said]);
        }
        table(&rows, "ll")
    }
}
