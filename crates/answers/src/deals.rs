use std::path::PathBuf;

use hindsight_core::Wdl;
use hindsight_rules::onitama::{DealtNames, ProvedDeal, deal_spec};
use serde::Serialize;

use crate::known_value::{BoundAnswer, wdl_word};

/// Who wins a deal of real Onitama, as far as it is proved.
#[derive(Clone, Debug, Serialize)]
pub struct DealAnswer {
    /// Spec of the deal, in which Red begins.
    pub game: String,
    /// The cards.
    pub cards: DealtCardsAnswer,
    /// Who wins: `first`, `second` or `draw`; null if it is not decided.
    pub winner: Option<&'static str>,
    /// Plies to the end; null if they are not known.
    pub remoteness: Option<u16>,
    /// Most plies to the end, with the value for the player who moves first; null if it is not
    /// known.
    pub bound: Option<BoundAnswer>,
    /// First move that wins or draws; null if there is none, or the deal is not decided.
    pub best_move: Option<String>,
    /// Who proved it, and how; null if it is not decided.
    pub by: Option<String>,
}

/// Cards of a deal.
#[derive(Clone, Debug, Serialize)]
pub struct DealtCardsAnswer {
    /// Card set aside.
    pub aside: &'static str,
    /// Hand of the player who moves first.
    pub first: [&'static str; 2],
    /// Hand of the other player.
    pub second: [&'static str; 2],
}

/// Result of a second proof of a deal.
#[derive(Clone, Debug, Serialize)]
pub struct VerifiedDealAnswer {
    /// The deal, as it is listed.
    #[serde(flatten)]
    pub deal: DealAnswer,
    /// `equal`, `different`, or `not decided` in the time.
    pub verdict: &'static str,
    /// Seconds of the proof.
    pub seconds: f64,
}

/// Result of putting lists of deals together.
#[derive(Clone, Debug, Serialize)]
pub struct MergedDealsAnswer {
    /// The file written.
    pub out: PathBuf,
    /// Deals in it, of which no two are mirror images.
    pub deals: usize,
    /// Those that are new, or have fewer plies than before.
    pub added: usize,
}

impl DealAnswer {
    /// Returns the answer for a deal, in which Red begins.
    #[must_use]
    pub fn new(cards: DealtNames, proved: Option<&ProvedDeal>) -> Self {
        let [aside, a, b, c, d] = cards;
        Self {
            game: deal_spec(cards),
            cards: DealtCardsAnswer { aside, first: [a, b], second: [c, d] },
            winner: proved.map(|deal| match deal.value {
                Wdl::Win => "first",
                Wdl::Draw => "draw",
                Wdl::Loss => "second",
            }),
            remoteness: None,
            bound: proved.and_then(|deal| {
                let plies = deal.plies?;
                Some(BoundAnswer { value: wdl_word(deal.value), plies })
            }),
            best_move: proved.and_then(|deal| deal.best_move.clone()),
            by: proved.map(|deal| deal.source.clone()),
        }
    }
}
