//! Tables of the hands in each deal.

use alloc::vec::Vec;

use hindsight_core::combinatorics::Deals;

/// A kind of card in a hand, and the deal after its use.
#[derive(Clone, Copy, Debug)]
pub(in crate::onitama) struct HeldCard {
    pub(in crate::onitama) kind: u8,
    pub(in crate::onitama) next_deal: u16,
}

/// The kind of the card set aside in a deal.
#[inline]
pub(in crate::onitama) fn card_aside(deals: &Deals, deal: usize) -> u8 {
    let aside = deals.pile(deal, 2).iter().position(|&n| n == 1);
    aside.expect("one card aside") as u8
}

/// Table of hands. Index: `2 * deal + player`. Entry: the different cards of the hand, ascending by
/// kind.
///
/// A used card changes places with the card set aside.
#[inline]
pub(in crate::onitama) fn held_cards(deals: &Deals, kinds: usize) -> Vec<Vec<HeldCard>> {
    let mut held = Vec::with_capacity(2 * deals.len());
    for deal in 0..deals.len() {
        for player in 0..2 {
            let aside = usize::from(card_aside(deals, deal));
            let mut cards = Vec::new();
            for kind in (0..kinds).filter(|&kind| deals.pile(deal, player)[kind] > 0) {
                let mut counts = piles(deals, deal).concat();
                counts[player * kinds + kind] -= 1;
                counts[player * kinds + aside] += 1;
                counts[2 * kinds + aside] -= 1;
                counts[2 * kinds + kind] += 1;
                let next_deal = deals.rank(&counts).expect("an exchange leads to a deal") as u16;
                cards.push(HeldCard { kind: kind as u8, next_deal });
            }
            held.push(cards);
        }
    }
    held
}

/// `image[deal]`: deal with the piles that `change` makes of its three piles of counts.
#[inline]
pub(in crate::onitama) fn map_deals(
    deals: &Deals,
    change: impl Fn([&[u8]; 3]) -> Vec<u8>,
) -> Vec<u16> {
    let image = |deal| deals.rank(&change(piles(deals, deal)));
    (0..deals.len()).map(|deal| image(deal).expect("a deal of the same cards") as u16).collect()
}

/// Counts by kind of Red's hand, of Blue's hand and of the card set aside.
#[inline]
fn piles(deals: &Deals, deal: usize) -> [&[u8]; 3] {
    [0, 1, 2].map(|pile| deals.pile(deal, pile))
}
