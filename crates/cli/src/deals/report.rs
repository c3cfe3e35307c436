//! Deals as text.

use std::collections::BTreeMap;

use hindsight_answers::report::TextTable;
use hindsight_answers::{DealAnswer, VerifiedDealAnswer};
use hindsight_rules::onitama::ProvedDeals;

use crate::output::fitted;
use crate::shown::sizes::{counted, with_commas};

/// Deals of five different cards among sixteen, and the same with mirror images as one.
const DEALS: [u64; 2] = [131_040, 67_080];

/// Returns the deals with what is proved of each. `cards` are those that were asked for.
pub(super) fn text(answers: &[DealAnswer], list: &ProvedDeals, cards: &[&str]) -> String {
    let count = |winner| answers.iter().filter(|answer| answer.winner == Some(winner)).count();
    let [first, second, draws] = ["first", "second", "draw"].map(count);
    let decided = first + second + draws;
    let counts =
        format!("{first} won by the player who moves first, {second} by the other, {draws} drawn");
    let heading = match cards {
        [] => {
            let images: u64 = list.iter().map(|deal| deal.images()).sum();
            format!(
                "{} of {} deals are decided ({} of {} with mirror images): {counts}.\n",
                with_commas(decided as u64),
                with_commas(DEALS[1]),
                with_commas(images),
                with_commas(DEALS[0]),
            )
        }
        [_, _, _, _, _] => format!("{decided} of 30 deals are decided: {counts}.\n"),
        some => {
            let deals = counted(decided as u64, "deal");
            format!("{deals} with {} decided: {counts}.\n", some.join(" and "))
        }
    };
    if decided == 0 {
        return heading;
    }
    let mut sources: BTreeMap<&str, usize> = BTreeMap::new();
    let mut table = TextTable::new("lllllrll");
    table.push(["aside", "first", "", "second", "", "plies", "winner", "first move", "by"]);
    for answer in answers {
        let Some(winner) = answer.winner else {
            continue;
        };
        let by = answer.by.as_deref().unwrap_or_default();
        let number = sources.len() + 1;
        let number = *sources.entry(by).or_insert(number);
        let plies = answer.bound.as_ref().map_or(String::new(), |bound| bound.plies.to_string());
        let [a, b] = answer.cards.first;
        let [c, d] = answer.cards.second;
        let best = answer.best_move.clone().unwrap_or_default();
        let cells = [answer.cards.aside, a, b, c, d].map(String::from);
        table.push(cells.into_iter().chain([plies, winner.into(), best, number.to_string()]));
    }
    let mut notes: Vec<(usize, &str)> = sources.into_iter().map(|(by, n)| (n, by)).collect();
    notes.sort_unstable();
    let notes = notes.iter().map(|(number, by)| format!("{number}  {by}\n"));
    let notes: String = notes.collect();
    format!(
        "{heading}\n{}\nPlies are the most that the win takes. The first move is that of Red, if \
         Red begins. By:\n{notes}",
        fitted(&table)
    )
}

/// Returns the results of second proofs.
pub(super) fn verified_text(answers: &[VerifiedDealAnswer]) -> String {
    let mut table = TextTable::new("lllr");
    table.push(["deal", "winner", "proved again", "seconds"]);
    for answer in answers {
        let winner = answer.deal.winner.unwrap_or_default();
        let seconds = format!("{:.1}", answer.seconds);
        table.push([&answer.deal.game, winner, answer.verdict, &seconds]);
    }
    let count = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count();
    format!(
        "{}\n{} proved again: {} equal, {} different, {} not decided in the time\n",
        fitted(&table),
        counted(answers.len() as u64, "deal"),
        count("equal"),
        count("different"),
        count("not decided")
    )
}
