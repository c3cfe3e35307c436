//! The judgement of a game as text.

use hindsight_answers::report::TextTable;
use hindsight_study::fairness::{
    CardWorth, DealFairness, Fairness, GamesFairness, PerfectFairness, PointShare, UnsolvedReason,
};

use crate::context::Context;
use crate::output::fitted;
use crate::shown::sizes::{about_time, counted, format_needed, with_commas};

pub(super) fn text(fairness: &Fairness, context: &Context) -> String {
    let mut text = format!("{}\n", fairness.game);
    text.push_str(&format!(
        "{}, for the player who moves first: a win is one point, a draw or a tie half a point\n\n",
        counted(fairness.deals.len() as u64, "deal")
    ));
    match (&fairness.perfect, &fairness.unsolved) {
        (Some(perfect), _) => text.push_str(&perfect_text(perfect)),
        (None, reason) => text.push_str(&unsolved_text(reason.as_ref(), context)),
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
    let PerfectFairness { won, drawn, lost, .. } = perfect;
    let mut text = format!(
        "Perfect play: {won} won, {drawn} drawn, {lost} lost; {:.3} points\n",
        perfect.share
    );
    if let Some(plies) = perfect.mean_plies {
        text.push_str(&format!("  mean length of a deal that is not drawn {plies:.1} plies\n"));
    }
    if let (Some(positions), Some(drawn), Some(longest)) =
        (perfect.positions, perfect.positions_drawn, perfect.longest_win)
    {
        text.push_str(&format!(
            "  {}, {} of them drawn; longest win {}\n",
            counted(positions, "position"),
            with_commas(drawn),
            counted(longest, "ply")
        ));
    }
    text + "\n"
}

/// Says why perfect play is not known, and which options of more would help on this machine.
fn unsolved_text(reason: Option<&UnsolvedReason>, context: &Context) -> String {
    let unknown = "Perfect play is not known";
    let Some(reason) = reason else {
        return format!("{unknown}.\n\n");
    };
    if let (Some(seconds), Some(bytes)) = (reason.seconds, reason.memory) {
        let needs = format!("{} and {}", about_time(seconds), format_needed(bytes));
        let memory = context.limits().memory;
        let limits =
            [(seconds > reason.allowed_seconds, "--seconds"), (bytes > memory, "--memory")];
        let lacks: Vec<&str> =
            limits.into_iter().filter_map(|(lacks, option)| lacks.then_some(option)).collect();
        let options = if context.is_possible_memory(bytes) && !lacks.is_empty() {
            format!("; see {}", lacks.join(" and "))
        } else {
            String::new()
        };
        return format!("{unknown}: a solve takes {needs} of memory{options}.\n\n");
    }
    if reason.was_searched {
        let time = reason.allowed_seconds;
        return format!(
            "{unknown}: a search for the value of the start has not ended in {time} s; more \
             --seconds may do it.\n\n"
        );
    }
    format!("{unknown}: the game has too many positions for a solve in this time and memory.\n\n")
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
    table.push(["deal", "aside", "first", "second", "perfect", "games", "plies"]);
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
