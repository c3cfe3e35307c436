//! The positions around a choice, and what can be hoped for in each.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use hindsight_core::{Answer, Game, Notation, Packed, PackedGame, Wdl};

use super::opponent::{BySight, Prospect, add, chances_of_moves, mean};
use crate::agent::AgentError;
use crate::perfect::BatchProbe;

/// A position with the side of the lure to move, where its result is still kept by both sides.
struct OwnPosition {
    position: Packed,
    /// Offers to which the moves that keep the result lead; none before they are looked at.
    offers: Vec<usize>,
    /// Chances that the opponent errs from here on, as far as it was looked.
    gain: BySight,
}

/// A position that the lure can move to: the opponent is to reply.
struct Offer {
    /// Chances that the reply is a mistake.
    mistake: BySight,
    /// Own positions after the other replies that do not end the game, with their chances.
    kept: Vec<(usize, BySight)>,
}

/// Positions of one result that follow from a choice, breadth first.
pub(super) struct Region<'a> {
    game: &'a PackedGame,
    probe: BatchProbe<'a>,
    /// Result that both sides keep, for the side of the lure.
    result: Wdl,
    own: Vec<OwnPosition>,
    own_index: HashMap<Packed, usize, FixedState>,
    offers: Vec<Offer>,
    offer_index: HashMap<Packed, usize, FixedState>,
    /// Number of own positions whose offers are known, the first ones of `own`.
    explored: usize,
    /// Positions whose values were read.
    pub(super) looked_at: u64,
}

/// Share of a later mistake that counts, for each move of the lure before it.
const PATIENCE: f64 = 0.98;

/// Rounds in which the gains are computed, the most own moves that one looks ahead.
const ROUNDS: usize = 8;

impl<'a> Region<'a> {
    /// Returns an empty region of positions in which the side of the lure has the result `result`.
    pub(super) fn new(game: &'a PackedGame, probe: BatchProbe<'a>, result: Wdl) -> Self {
        Self {
            game,
            probe,
            result,
            own: Vec::new(),
            own_index: HashMap::default(),
            offers: Vec::new(),
            offer_index: HashMap::default(),
            explored: 0,
            looked_at: 0,
        }
    }

    /// Makes the position of the choice the first one of the region, with the moves to `choices`.
    pub(super) fn begin(&mut self, position: Packed, choices: &[Packed]) -> Result<(), AgentError> {
        self.own_position(position);
        self.make_offers(choices)
    }

    /// Returns true if both sides keep a draw.
    pub(super) fn is_drawn(&self) -> bool {
        self.result == Wdl::Draw
    }

    /// Looks at the moves of the next own position; returns false if none is left.
    pub(super) fn grow(&mut self) -> Result<bool, AgentError> {
        let Some(own) = self.own.get(self.explored) else {
            return Ok(false);
        };
        let mut next = Vec::new();
        self.game.successors(own.position, &mut next);
        let mut answers = self.answers_after_moves(&next)?.into_iter();
        let result = Some(self.result);
        next.retain(|_| answers.next().is_some_and(|answer| answer.wdl() == result));
        self.make_offers(&next)?;
        Ok(true)
    }

    /// Returns the mean gain of each choice, in their order.
    pub(super) fn gains(&mut self) -> Vec<f64> {
        for _ in 0..ROUNDS {
            for own in (0..self.explored).rev() {
                let offers = self.own[own].offers.iter();
                let gains = offers.map(|&offer| self.gain(offer));
                let best = gains.max_by(|a, b| mean(a).total_cmp(&mean(b)));
                self.own[own].gain = best.unwrap_or_default();
            }
        }
        let choices = self.own[0].offers.iter();
        choices.map(|&offer| mean(&self.gain(offer))).collect()
    }

    /// Chances that the opponent errs, now or later, after an offer.
    fn gain(&self, offer: usize) -> BySight {
        let offer = &self.offers[offer];
        let mut gain = offer.mistake;
        for (own, chances) in &offer.kept {
            for ((gain, chance), later) in gain.iter_mut().zip(chances).zip(self.own[*own].gain) {
                *gain += PATIENCE * chance * later;
            }
        }
        gain
    }

    /// Answers for the side that moves to the positions `next`, none of them unknown.
    fn answers_after_moves(&mut self, next: &[Packed]) -> Result<Vec<Answer>, AgentError> {
        self.looked_at += next.len() as u64;
        let answers = self.probe.probe_many(next).map_err(AgentError::Probe)?;
        let mut answered = answers.iter().zip(next);
        match answered.find(|(answer, _)| answer.wdl().is_none()) {
            None => Ok(answers.into_iter().map(Answer::before).collect()),
            Some((_, &position)) => Err(AgentError::Unknown(self.game.format(position))),
        }
    }

    /// Adds an own position, unless it is there; returns its index.
    fn own_position(&mut self, position: Packed) -> usize {
        let fresh = self.own.len();
        let own = *self.own_index.entry(position).or_insert(fresh);
        if own == fresh {
            self.own.push(OwnPosition { position, offers: Vec::new(), gain: BySight::default() });
        }
        own
    }

    /// Sets the offers of the first own position that is not explored. The values of all replies
    /// are read at once.
    fn make_offers(&mut self, next: &[Packed]) -> Result<(), AgentError> {
        let (mut offers, mut replies, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for &position in next {
            let fresh = self.offers.len() + ends.len();
            let offer = *self.offer_index.entry(position).or_insert(fresh);
            if offer == fresh {
                self.game.successors(position, &mut replies);
                ends.push(replies.len());
            }
            offers.push(offer);
        }
        let answers = self.answers_after_moves(&replies)?;
        let mut begin = 0;
        for end in ends {
            let offer = self.offer_with(&replies[begin..end], &answers[begin..end]);
            self.offers.push(offer);
            begin = end;
        }
        self.own[self.explored].offers = offers;
        self.explored += 1;
        Ok(())
    }

    /// Returns the offer with these replies and their values for the opponent.
    fn offer_with(&mut self, replies: &[Packed], answers: &[Answer]) -> Offer {
        let prospects = replies.iter().zip(answers).map(|(&reply, answer)| Prospect {
            value: answer.exact(),
            points: self.points_for_opponent(reply),
        });
        let chances = chances_of_moves(&prospects.collect::<Vec<_>>());
        let mut offer = Offer { mistake: BySight::default(), kept: Vec::new() };
        let kept = Some(self.result.before());
        for ((&reply, answer), chances) in replies.iter().zip(answers).zip(chances) {
            if answer.wdl() < kept {
                add(&mut offer.mistake, &chances, 1.0);
            } else if self.game.terminal(reply).is_none() {
                offer.kept.push((self.own_position(reply), chances));
            }
        }
        offer
    }

    /// Points of the game's estimate for the side that has moved to a position; 0 without one.
    fn points_for_opponent(&self, position: Packed) -> i32 {
        if self.game.terminal(position).is_some() {
            return 0;
        }
        let heuristics = self.game.heuristics();
        heuristics.and_then(|game| game.evaluate(position)).map_or(0, |points| -points)
    }
}
