//! Values of moves that leave a tier, asked of the workers that own them.

use std::collections::HashMap;

use hindsight_core::Value;
use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::{Layer, Palette};
use hindsight_solve::value_bytes::{put_palette, take_palette};

use crate::engine::Post;
use crate::error::ClusterError;
use crate::ranks::{Deal, PlaceList, unpack};

/// Questions in a parcel, and most bytes of all questions of a worker that are not sent.
const QUESTIONS: usize = 1 << 14;
const QUESTION_BYTES: usize = 64 << 20;
/// Kind of a parcel with questions.
pub(super) const QUESTION: u32 = 1;

/// The part of a finished layer that a worker owns.
#[derive(Debug)]
pub(crate) struct FinishedPart<'a> {
    pub(crate) shape: &'a Layer,
    pub(crate) deal: Deal,
    pub(crate) codes: Vec<u8>,
    pub(crate) palette: Palette,
}

impl FinishedPart<'_> {
    /// Value at a place; `None` for a hole and beyond the part.
    #[inline]
    pub(crate) fn value(&self, place: usize) -> Option<Value> {
        let code = self.codes.get(place)?;
        *self.palette.get(usize::from(*code))?
    }
}

/// Questions to other workers, and the places that wait for the answers.
pub(crate) struct Questions {
    /// For each finished layer and worker, `place asked for << 32 | own place`.
    open: Vec<Vec<Vec<u64>>>,
    /// Own places of each parcel that is not answered, in the order of its questions.
    waiting: HashMap<u64, Vec<u32>>,
    next_tag: u64,
    /// Questions of a parcel.
    most: usize,
}

impl Questions {
    /// Bytes that questions take, at most.
    pub(crate) fn bytes(layers: u32, workers: usize) -> u64 {
        (8 * QUESTIONS * layers as usize * workers).min(QUESTION_BYTES) as u64
    }

    pub(super) fn new(layers: usize, workers: usize) -> Self {
        let lists = (layers * workers).max(1);
        Self {
            most: QUESTIONS.min(QUESTION_BYTES / 8 / lists).max(64),
            open: vec![vec![Vec::new(); workers]; layers],
            waiting: HashMap::new(),
            next_tag: 0,
        }
    }

    /// Asks a worker for the value at a place of a finished layer, on behalf of an own place.
    #[inline]
    pub(super) fn ask(&mut self, post: &mut Post, question: Question) {
        let open = &mut self.open[question.layer][question.worker];
        open.push(question.place << 32 | question.own as u64);
        if open.len() >= self.most {
            self.send(post, question.layer, question.worker);
        }
    }

    /// Sends all questions that were not sent.
    pub(super) fn send_all(&mut self, post: &mut Post) {
        for layer in 0..self.open.len() {
            for worker in 0..self.open[layer].len() {
                self.send(post, layer, worker);
            }
        }
    }

    fn send(&mut self, post: &mut Post, layer: usize, worker: usize) {
        let mut questions = std::mem::take(&mut self.open[layer][worker]);
        if questions.is_empty() {
            return;
        }
        questions.sort_unstable();
        let places = PlaceList(questions.iter().map(|question| (question >> 32) as u32).collect());
        let mut body = Vec::new();
        put_varint(&mut body, layer as u64);
        places.pack(&mut body);
        post.send(worker, QUESTION, self.next_tag, body);
        let own = questions.iter().map(|&question| question as u32).collect();
        self.waiting.insert(self.next_tag, own);
        self.next_tag += 1;
        questions.clear();
        self.open[layer][worker] = questions;
    }

    /// Returns each own place that an answer is for, with the value that was asked for.
    pub(super) fn read_answer(
        &mut self,
        tag: u64,
        answer: &[u8],
    ) -> Result<Vec<AnsweredPlace>, ClusterError> {
        let own = self.waiting.remove(&tag).unwrap_or_default();
        let mut cursor = Cursor::new(answer, "an answer");
        let palette = take_palette(&mut cursor).map_err(ClusterError::damaged)?;
        let codes = cursor.rest();
        let places = own.iter().zip(codes).map(|(&place, &code)| {
            let value = palette.get(usize::from(code)).copied().flatten();
            Some(AnsweredPlace { place: place as usize, value: value? })
        });
        let answered: Option<Vec<AnsweredPlace>> = places.collect();
        answered.filter(|answered| answered.len() == own.len()).ok_or_else(|| {
            ClusterError::damaged(Damage("an answer has no value for a question".into()))
        })
    }
}

/// See [`Questions::ask`].
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// Index of the finished layer.
    pub(super) layer: usize,
    pub(super) worker: usize,
    pub(super) place: u64,
    pub(super) own: usize,
}

/// An own place whose question was answered.
#[derive(Clone, Copy)]
pub(super) struct AnsweredPlace {
    pub(super) place: usize,
    pub(super) value: Value,
}

/// Answers the questions of a parcel: a palette, then the code of each.
pub(super) fn answer(
    finished: &[FinishedPart<'_>],
    questions: &[u8],
) -> Result<Vec<u8>, ClusterError> {
    let mut cursor = Cursor::new(questions, "questions");
    let number = cursor.varint().map_err(ClusterError::damaged)?;
    let layer =
        usize::try_from(number).ok().and_then(|number| finished.get(number)).ok_or_else(|| {
            ClusterError::damaged(Damage("a question about no finished layer".into()))
        })?;
    let mut body = Vec::new();
    put_palette(&mut body, &layer.palette);
    unpack(cursor.rest(), |place| {
        let code = layer.codes.get(place as usize);
        body.push(*code.ok_or_else(|| Damage("a question about no rank".into()))?);
        Ok::<(), Damage>(())
    })
    .map_err(ClusterError::damaged)?;
    Ok(body)
}
