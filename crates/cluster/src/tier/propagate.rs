//! A ply: the values that become final are propagated to the predecessors.

use hindsight_core::{Retro, Value};
use hindsight_engine::Error;
use hindsight_engine::checkpoint::Damage;

use super::context::LayerContext;
use super::part::{DecidedPlace, PlySet, TierPart};
use super::plies::{join, ply_bytes, take_plies};
use crate::engine::{ParcelHead, Post, Step};
use crate::error::ClusterError;
use crate::journal::Journal;
use crate::ranks::{PlaceList, SortBuffers, pieces, unpack};
use crate::report::LayerShare;
use crate::task::WorkCounts;

/// Kind of a parcel with predecessors that have one more losing move.
pub(crate) const LOSING_MOVE: u32 = 2;
/// Kind of a parcel with predecessors that have a winning move.
pub(crate) const WINNING_MOVE: u32 = 3;
/// Kind of a parcel with the plies at which values may still become final.
const PLIES: u32 = 4;
/// Kinds, in the order of [`Predecessors`].
const KINDS: [u32; 2] = [LOSING_MOVE, WINNING_MOVE];

/// Places in a list before it is sent, and most bytes of all lists of a worker.
const LIST_PLACES: usize = 1 << 15;
const LIST_BYTES: usize = 64 << 20;

/// Lists of predecessors for each worker, of both kinds.
pub(crate) struct Predecessors {
    lists: [Vec<PlaceList>; 2],
    places: usize,
    buffers: SortBuffers,
}

impl Predecessors {
    pub(super) fn new(workers: usize) -> Self {
        let lists = || vec![PlaceList::default(); workers];
        Self {
            lists: [lists(), lists()],
            places: LIST_PLACES.min(LIST_BYTES / 8 / workers).max(256),
            buffers: SortBuffers::default(),
        }
    }

    /// Bytes that the lists take, at most.
    pub(crate) fn bytes(workers: usize) -> u64 {
        (8 * workers * LIST_PLACES).min(LIST_BYTES) as u64
    }
}

/// Step of one ply.
pub(super) struct PlyStep<'s, 'a> {
    context: &'s LayerContext<'a>,
    part: &'s mut TierPart,
    work: &'s mut WorkCounts,
    predecessors: &'s mut Predecessors,
    journal: Option<&'s mut Journal>,
    ply: u16,
    next_run: u64,
    /// True once another worker was told of a move.
    has_told: bool,
    /// Plies of all workers, at which values may become final.
    plies: PlySet,
    decided: Vec<DecidedPlace>,
    ranks: Vec<u64>,
}

/// Objects that a [`PlyStep`] works on, besides the ply.
pub(super) struct PlyWork<'s, 'a> {
    pub(super) context: &'s LayerContext<'a>,
    pub(super) part: &'s mut TierPart,
    pub(super) work: &'s mut WorkCounts,
    pub(super) predecessors: &'s mut Predecessors,
    pub(super) journal: Option<&'s mut Journal>,
}

impl<'s, 'a> PlyStep<'s, 'a> {
    pub(super) fn new(work: PlyWork<'s, 'a>, ply: u16) -> Self {
        Self {
            context: work.context,
            part: work.part,
            work: work.work,
            predecessors: work.predecessors,
            journal: work.journal,
            ply,
            next_run: 0,
            has_told: false,
            plies: PlySet::default(),
            decided: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// Plies at which values may become final, once the step has ended.
    pub(super) fn plies(&self) -> PlySet {
        self.plies
    }

    /// Tells all workers at which plies values of this part, and of those that it told of moves,
    /// may become final.
    fn tell_plies(&mut self, post: &mut Post) {
        let mut plies = self.part.plies();
        if self.has_told {
            let next = usize::from(self.ply) + 1;
            plies[next / 64 % 4] |= 1 << (next % 64);
        }
        join(&mut self.plies, plies);
        for worker in (0..self.context.workers).filter(|&worker| worker != self.context.worker) {
            post.send(worker, PLIES, 0, ply_bytes(plies));
        }
    }

    /// Takes back the moves to the places of a run that are decided at the ply.
    fn take_back(&mut self, run: u64, post: &mut Post) -> Result<(), ClusterError> {
        let context = self.context;
        let mut decided = std::mem::take(&mut self.decided);
        decided.clear();
        self.part.decided_at(run as usize, self.ply, &mut decided);
        let mut rest = &decided[..];
        let mut offset = context.deal.places_of_run(context.worker, run).start;
        let ordinals = context.deal.ordinals_of_run(context.worker, run);
        for piece in pieces(context.shape, ordinals).take_while(|_| !decided.is_empty()) {
            let end = offset + (piece.ranks.end - piece.ranks.start) as usize;
            let (now, later) = rest.split_at(rest.partition_point(|next| next.place < end));
            for found in now {
                let rank = piece.ranks.start + (found.place - offset) as u64;
                self.ranks.clear();
                context.game.predecessors_of_ranks(piece.tier, &[rank], &mut self.ranks);
                self.work.edges += self.ranks.len() as u64;
                for i in 0..self.ranks.len() {
                    let ordinal = piece.start + self.ranks[i];
                    self.tell(usize::from(!found.won), ordinal, post)?;
                }
            }
            (rest, offset) = (later, end);
        }
        self.decided = decided;
        Ok(())
    }

    /// Tells the owner of a predecessor.
    #[inline]
    fn tell(&mut self, kind: usize, ordinal: u64, post: &mut Post) -> Result<(), ClusterError> {
        let place = self.context.deal.place(ordinal);
        let list = &mut self.predecessors.lists[kind][place.worker];
        list.0.push(place.index as u32);
        if list.0.len() >= self.predecessors.places {
            self.send(kind, place.worker, post)?;
        }
        Ok(())
    }

    /// Sends a list, or applies it if it is the own one.
    fn send(&mut self, kind: usize, worker: usize, post: &mut Post) -> Result<(), ClusterError> {
        let Predecessors { lists, buffers, .. } = &mut *self.predecessors;
        let list = &mut lists[kind][worker];
        if list.0.is_empty() {
            return Ok(());
        }
        list.sort(buffers);
        if worker != self.context.worker {
            let mut body = Vec::new();
            list.pack(&mut body);
            self.work.edges_away += list.0.len() as u64;
            list.0.clear();
            self.has_told = true;
            post.send(worker, KINDS[kind], 0, body);
            return Ok(());
        }
        if let Some(journal) = &mut self.journal {
            let mut body = Vec::new();
            list.pack(&mut body);
            journal.add(KINDS[kind], &body);
        }
        let list = std::mem::take(&mut lists[kind][worker]);
        let mut moves = Moves::new(self.part, KINDS[kind], self.ply)?;
        list.0.iter().try_for_each(|&place| moves.add(place))?;
        let mut list = list;
        list.0.clear();
        self.predecessors.lists[kind][worker] = list;
        Ok(())
    }
}

impl Step for PlyStep<'_, '_> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        /// Runs in a portion without decided places.
        const RUNS: u64 = 64;
        let runs = self.context.deal.runs(self.context.worker);
        let end = runs.min(self.next_run + RUNS);
        while self.next_run < end {
            self.take_back(self.next_run, post)?;
            self.next_run += 1;
            if !self.decided.is_empty() {
                break;
            }
        }
        if self.next_run < runs {
            return Ok(true);
        }
        for kind in 0..2 {
            for worker in 0..self.context.workers {
                self.send(kind, worker, post)?;
            }
        }
        self.tell_plies(post);
        Ok(false)
    }

    fn share(&self) -> Option<LayerShare> {
        let share = self.part.decided as f64 / self.part.codes.len().max(1) as f64;
        Some(LayerShare { phase: "solving", done: 0.5 + share / 2.0 })
    }

    fn receive(&mut self, head: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        if head.kind == PLIES {
            join(&mut self.plies, take_plies(body)?);
            return Ok(Vec::new());
        }
        if let Some(journal) = &mut self.journal {
            journal.add(head.kind, body);
        }
        apply(self.part, head.kind, self.ply, body)?;
        Ok(Vec::new())
    }
}

/// Applies a packed list of predecessors of positions that are decided at a ply.
pub(crate) fn apply(
    part: &mut TierPart,
    kind: u32,
    ply: u16,
    body: &[u8],
) -> Result<(), ClusterError> {
    if !KINDS.contains(&kind) {
        let damage = Damage("a list of no known kind".into());
        return Err(ClusterError::damaged(damage));
    }
    let len = part.codes.len();
    let mut moves = Moves::new(part, kind, ply)?;
    unpack(body, |place| {
        if place as usize >= len {
            let damage = Damage("a place beyond the part".into());
            return Err(PlaceError::Damage(damage));
        }
        moves.add(place).map_err(PlaceError::Solve)
    })
    .map_err(|error| match error {
        PlaceError::Damage(damage) => ClusterError::damaged(damage),
        PlaceError::Solve(error) => error.into(),
    })
}

/// Moves of one kind, to be recorded.
struct Moves<'p> {
    part: &'p mut TierPart,
    next: u16,
    /// Code of a win at the next ply, unless the moves lose.
    win: Option<u8>,
}

impl<'p> Moves<'p> {
    fn new(part: &'p mut TierPart, kind: u32, ply: u16) -> Result<Self, Error> {
        let next = ply + 1;
        let win = if kind == WINNING_MOVE {
            Some(part.values.code_for(Value::Win(next), false)?)
        } else {
            None
        };
        Ok(Self { part, next, win })
    }

    #[inline]
    fn add(&mut self, place: u32) -> Result<(), Error> {
        match self.win {
            Some(code) => {
                self.part.winning_move(place as usize, self.next, code);
                Ok(())
            }
            None => self.part.losing_move(place as usize, self.next),
        }
    }
}

/// Error of a place in a list.
enum PlaceError {
    Damage(Damage),
    Solve(Error),
}

impl From<Damage> for PlaceError {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}
