use std::time::Instant;

use anyhow::{Result, bail};
use game::{Notation, Ranked, Restricting};
use solve::Summary;
use solve::restricted::{self, Outcome};

use crate::args::{Common, SolveArgs, Solver};
use crate::memory::format_size;
use crate::output::{print, print_json, with_commas};
use crate::progress::Display;
use crate::show::{heading, histogram_text, outcome};
use crate::solve::{Found, counted, explain, limits, report, rows};

/// Solves every state of a game in which a move may be forbidden, and prints what it found.
pub(crate) fn every_state<G: Restricting + Notation>(
    game: &G,
    args: &SolveArgs,
    common: &Common,
) -> Result<()> {
    if args.out.is_some() || args.checkpoint.is_some() || args.layout.is_some() {
        bail!(
            "{} has states with a forbidden move, which no table can hold yet: --out, --layout and --checkpoint are for other games",
            game.spec()
        );
    }
    let base = game.base();
    let ranks: u64 = (0..base.layers())
        .map(|layer| base.ranks_about(layer))
        .sum();
    if !common.quiet {
        eprintln!(
            "every state of {}: {} positions in {} layers, {} of memory",
            game.spec(),
            with_commas(ranks),
            base.layers(),
            format_size(restricted::peak(game))
        );
    }
    let begin = Instant::now();
    let mut display = Display::new(common.quiet);
    let solved = restricted::solve(game, limits(common), &mut display, &mut |_| Ok(()));
    drop(display);
    show(
        game,
        args,
        common,
        &solved.map_err(explain)?,
        begin.elapsed().as_secs_f64(),
    )
}

fn show<G: Restricting + Notation>(
    game: &G,
    args: &SolveArgs,
    common: &Common,
    solved: &Outcome,
    seconds: f64,
) -> Result<()> {
    let found = Found {
        solver: Solver::Tiered,
        wdl: solved.start.wdl(),
        remoteness: solved.start.remoteness(),
        summary: Summary::of(&solved.positions),
        histogram: Some(&solved.positions),
        seconds,
        table: None,
    };
    let mut report = report(game, args, found);
    report.states = Some(solved.nontrivial.positions());
    report.histogram = Some(rows(&solved.nontrivial));
    if common.json {
        return print_json(&report);
    }
    let mut text = heading(game);
    text.push_str(&format!("{}.\n\n", outcome(game, solved.start)));
    text.push_str(&format!(
        "States by value for the side to move, without those of positions that win at once\n{}\n{}",
        histogram_text(&solved.nontrivial),
        counted(&report)
    ));
    let all = with_commas(solved.states.positions());
    text.push_str(&format!(
        "all states   {all}, those that win at once included\n"
    ));
    print(&text)
}
