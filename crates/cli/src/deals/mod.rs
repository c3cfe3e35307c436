//! The command `deals`: who wins deals of real Onitama, by proofs that ship with the program.

mod report;

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_answers::{DealAnswer, MergedDealsAnswer, VerifiedDealAnswer};
use hindsight_core::Random as _;
use hindsight_games::Limits;
use hindsight_play::SeededRandom;
use hindsight_rules::onitama::{BASE, DealtNames, Deck, ProvedDeal, ProvedDeals, deal_spec};
use hindsight_study::onitama_deals::prove_again;

use crate::args::DealsArgs;
use crate::context::Context;
use crate::inputs::input::read_text;
use crate::output::{NamedFile, Output, check_distinct, print_json, print_text};
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::counted;
use crate::solve::check_proof_memory;

/// Most bytes of a list, many times what all deals take.
const MAX_BYTES: u64 = 1 << 26;

/// Returns false if a second proof has another winner.
pub(crate) fn run(args: &DealsArgs, context: &Context) -> Result<bool> {
    let list = args.list.as_deref().map_or_else(|| Ok(ProvedDeals::shipped()), read_list)?;
    if let Some(out) = &args.out {
        add(list, args, out, context)?;
        return Ok(true);
    }
    let cards = args.cards.as_deref().map_or(Ok(Vec::new()), named_cards)?;
    let deals = match <[&str; 5]>::try_from(cards.as_slice()) {
        Ok(cards) => all_deals(&list, cards),
        Err(_) => decided_deals(&list, &cards),
    };
    match args.verify {
        Some(number) => verify(&deals, number, args, context),
        None => {
            let answers: Vec<DealAnswer> =
                deals.iter().map(|(cards, deal)| DealAnswer::new(*cards, deal.as_ref())).collect();
            if context.json {
                print_json(&answers)?;
            } else {
                print_text(&report::text(&answers, &list, &cards))?;
            }
            Ok(true)
        }
    }
}

/// Names of the cards of a deal, and what is proved of it.
type ListedDeal = (DealtNames, Option<ProvedDeal>);

fn read_list(path: &Path) -> Result<ProvedDeals> {
    let name = path.display();
    let text = read_text(path, MAX_BYTES).with_context(|| format!("cannot read '{name}'"))?;
    let Some(text) = text else {
        bail!("'{name}' is larger than any list of deals");
    };
    ProvedDeals::of_text(&text).map_err(|fault| anyhow!("'{name}', {fault}"))
}

/// Reads the names of different cards of the base game, at most five.
fn named_cards(text: &str) -> Result<Vec<&'static str>> {
    let cards = text.split(',').map(|name| {
        let name = name.trim().to_lowercase();
        let known = Deck::default().card(&name).map_err(|fault| anyhow!(fault))?;
        let mut base = BASE.iter().map(|&(base, ..)| base);
        let base = base.find(|base| *base == known.label());
        base.ok_or_else(|| {
            anyhow!("'{name}' is not of the base game's 16 cards, of which these deals are")
        })
    });
    let cards: Vec<&str> = cards.collect::<Result<_>>()?;
    if let Some(twice) = (1..cards.len()).find(|&i| cards[..i].contains(&cards[i])) {
        bail!("'{}' is named twice; five different cards are dealt", cards[twice]);
    }
    if cards.len() > 5 {
        bail!("{} cards are named, and five are dealt", cards.len());
    }
    Ok(cards)
}

/// Returns the 30 deals of five cards.
fn all_deals(list: &ProvedDeals, cards: [&'static str; 5]) -> Vec<ListedDeal> {
    let mut sorted = cards;
    sorted.sort_unstable();
    let mut deals = Vec::new();
    for aside in sorted {
        let held: Vec<&str> = sorted.into_iter().filter(|card| *card != aside).collect();
        for (i, a) in held.iter().enumerate() {
            for b in &held[i + 1..] {
                let mut others = held.iter().filter(|card| *card != a && *card != b);
                let mut other = || *others.next().expect("four cards");
                let names = [aside, a, b, other(), other()];
                let setup = deal_spec(names).parse().expect("a spec");
                deals.push((names, list.of_game(&setup)));
            }
        }
    }
    deals
}

/// Returns the deals of a list that have all of some cards.
fn decided_deals(list: &ProvedDeals, cards: &[&str]) -> Vec<ListedDeal> {
    let has_all = |deal: &&ProvedDeal| cards.iter().all(|card| deal.cards.contains(card));
    list.iter().filter(has_all).map(|deal| (deal.cards, Some(deal.clone()))).collect()
}

/// Proves some of the deals again. Returns false if one has another winner.
fn verify(deals: &[ListedDeal], number: u64, args: &DealsArgs, context: &Context) -> Result<bool> {
    check_proof_memory(context)?;
    let mut left: Vec<(DealtNames, &ProvedDeal)> =
        deals.iter().filter_map(|(cards, deal)| Some((*cards, deal.as_ref()?))).collect();
    if left.is_empty() {
        bail!("none of these deals is in the list, so there is none to verify");
    }
    let limits = Limits { time: Some(Duration::from_secs_f64(args.seconds)), ..context.limits() };
    let mut random = SeededRandom::new(&[args.seed]);
    let mut display = ProgressDisplay::new(context.quiet).saving_nothing();
    let mut answers = Vec::new();
    while !left.is_empty() && (answers.len() as u64) < number {
        let (cards, deal) = left.swap_remove(random.below(left.len() as u32) as usize);
        let begun = Instant::now();
        // The move is that of these cards, which may be those of the mirror image.
        let proved = ProvedDeal { cards, ..deal.clone() };
        let found = prove_again(&proved, limits, &mut |spec, progress| {
            display.report_series(spec, progress)
        })?;
        let verdict = match found {
            Some(value) if value == deal.value => "equal",
            Some(_) => "different",
            None => "not decided",
        };
        let seconds = begun.elapsed().as_secs_f64();
        let deal = DealAnswer::new(cards, Some(deal));
        answers.push(VerifiedDealAnswer { deal, verdict, seconds });
    }
    drop(display);
    if context.json {
        print_json(&answers)?;
    } else {
        print_text(&report::verified_text(&answers))?;
    }
    Ok(answers.iter().all(|answer| answer.verdict != "different"))
}

/// Adds the deals of files to a list, and writes it.
fn add(mut list: ProvedDeals, args: &DealsArgs, out: &Path, context: &Context) -> Result<()> {
    let inputs = args.add.iter().map(|path| NamedFile::new("--add", path));
    let inputs: Vec<_> = inputs.chain(NamedFile::optional("--list", args.list.as_ref())).collect();
    check_distinct(&inputs, &[NamedFile::new("--out", out)])?;
    let mut added = 0;
    for path in &args.add {
        for deal in read_list(path)?.iter() {
            let new = list.add(deal.clone());
            added += usize::from(new.map_err(|fault| anyhow!("'{}': {fault}", path.display()))?);
        }
    }
    let mut file = Output::file(out, "a list of deals", context.force)?;
    file.write_all(list.text().as_bytes())?;
    file.finish()?;
    let deals = list.iter().count();
    if context.json {
        return print_json(&MergedDealsAnswer { out: out.to_path_buf(), deals, added });
    }
    let deals = counted(deals as u64, "deal");
    print_text(&format!("{}: {deals}, {added} of them new or in fewer plies\n", out.display()))
}
