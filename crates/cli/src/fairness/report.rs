//! The judgement of a game as text.

use hindsight_report::TextTable;
use hindsight_study::fairness::{
    CardWorth, DealFairness, Fairness, GamesFairness, PerfectFairness, PointShare, UnsolvedReason,
};

use crate::output::fitted;
use crate::sizes::{about_time, counted, format_needed, with_commas};

/// Returns the judgement as text.
pub(super) fn text(fairness: &Fairness) -> String {
    let mut text = format!("{}\n", fairness.game);
    text.push_str(&format!(
        "{}, for the player who moves first: a win is one point, a draw or a tie half a point\n\n",
        counted(fairness.deals.len() as u64, "deal")
    ));
    match (&fairness.perfect, &fairness.unsolved) {
        (Some(perfect), _) => text.push_str(&perfect_text(perfect)),
        (None, reason) => text.push_str(&unsolved_text(reason.as_ref())),
    }
    text.push_str(&games_text(&fairness.games));
    if !fairness.cards.is_empty() {
        text.push_str(&cards_text(&fairness.cards));
    }
    if fairness.deals.len() > 1 {
        text.push_str(&deals_text(&fairness.deals));
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn interval(points: PointShare) -> String {
    let [low, high] = points.interval;
    format!("{low:.3} to {high:.3}")
}

fn perfect_text(perfect: &PerfectFairness) -> String {
    let PerfectFairness {
        won, drawn, lost, ..
    } = perfect;
    let mut text = format!(
        "Perfect play: {won} won, {drawn} drawn, {lost} lost; {:.3} points\n",
        perfect.share
    );
    if let Some(plies) = perfect.mean_plies {
        text.push_str(&format!(
            "  mean length of a deal that is not drawn {plies:.1} plies\n"
        ));
    }
    text + &format!(
        "  {}, {} of them drawn; longest win {}\n\n",
        counted(perfect.positions, "position"),
        with_commas(perfect.positions_drawn),
        counted(perfect.longest_win, "ply")
    )
}

fn unsolved_text(reason: Option<&UnsolvedReason>) -> String {
    let needs = reason.and_then(|reason| {
        let time = about_time(reason.seconds?);
        Some(format!("{time} and {}", format_needed(reason.memory?)))
    });
    match needs {
        Some(needs) => format!(
            "Perfect play is not known: a solve takes {needs} of memory; see --seconds and \
             --memory.\n\n"
        ),
        None => String::from("Perfect play is not known: a solve does not fit in memory.\n\n"),
    }
}

fn games_text(games: &GamesFairness) -> String {
    let mut text = format!(
        "{} of {} against itself, at most {}, seed {}\n",
        counted(games.games, "game"),
        games.agent,
        counted(games.max_turns, "ply"),
        games.seed
    );
    text.push_str(&format!(
        "  {} won, {} tied, {} lost; {:.3} points (95 %: {})\n",
        games.won,
        games.tied,
        games.lost,
        games.points.share,
        interval(games.points)
    ));
    let endings = games.endings.iter();
    let endings: Vec<String> = endings.map(|(ending, n)| format!("{ending} {n}")).collect();
    text.push_str(&format!(
        "  {} of the games have a winner; endings: {}\n",
        percent(games.decisive),
        endings.join(", ")
    ));
    text.push_str(&format!(
        "  mean length {:.1} plies, median {}\n",
        games.mean_plies, games.median_plies
    ));
    if let (Some(decided), Some(changes)) = (games.decided_plies, games.value_changes) {
        text.push_str(&format!(
            "  decided after {decided:.1} plies on average: no later move changes who wins; \
             {changes:.1} moves of a game change it\n"
        ));
    }
    text + "\n"
}

fn cards_text(cards: &[CardWorth]) -> String {
    let mut table = TextTable::new("lrrlrr");
    table.push(["card", "perfect", "games", "95 %", "played", "ends"]);
    for card in cards {
        let perfect = card.perfect_share;
        table.push([
            card.card.clone(),
            perfect.map_or(String::from("-"), |share| format!("{share:.3}")),
            format!("{:.3}", card.points.share),
            interval(card.points),
            percent(card.used),
            percent(card.won_with),
        ]);
    }
    format!(
        "{}perfect, games: points of the player to whom the card is dealt; played: share of the \
         turns with the card in hand; ends: share of the won games\n\n",
        fitted(&table)
    )
}

fn deals_text(deals: &[DealFairness]) -> String {
    let mut table = TextTable::new("rlllrrr");
    table.push([
        "deal", "aside", "first", "second", "perfect", "games", "plies",
    ]);
    for (number, deal) in deals.iter().enumerate() {
        let cards = deal.cards.as_ref();
        let hand = |hand: Option<&Vec<String>>| hand.map_or(String::new(), |hand| hand.join(" "));
        table.push([
            (number + 1).to_string(),
            cards.map_or(String::new(), |cards| cards.aside.clone()),
            hand(cards.map(|cards| &cards.first)),
            hand(cards.map(|cards| &cards.second)),
            perfect_cell(deal),
            format!("{:.3}", deal.points.share),
            format!("{:.1}", deal.mean_plies),
        ]);
    }
    format!(
        "{}first: hand of the player who moves first; perfect: value for this player, with its \
         plies; games: points; plies: mean length of the games\n",
        fitted(&table)
    )
}

/// Returns the value of a deal, such as `win 13`.
fn perfect_cell(deal: &DealFairness) -> String {
    match (deal.value, deal.remoteness) {
        (Some(value), Some(plies)) => format!("{value} {}", with_commas(plies)),
        (Some(value), None) => value.to_string(),
        (None, _) => String::from("-"),
    }
}
