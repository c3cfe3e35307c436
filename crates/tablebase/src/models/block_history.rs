//! The contexts of a block, symbol after symbol.

use std::cell::Cell;

use super::model::{ContextModel, ContextShape, Row};

/// Most symbols of a block that models encode, and most symbols between neighbours.
pub(crate) const HISTORY: usize = 4096;

/// A place in a block, as the models see it.
pub(crate) struct Place<'a> {
    pub(crate) index: usize,
    /// Channel of the symbol, which is the index of its model.
    pub(crate) channel: usize,
    pub(super) context: usize,
    pub(crate) model: &'a ContextModel,
    pub(crate) row: &'a Row,
    /// Class of each symbol in the contexts of the next symbol.
    pub(super) class_of: &'a [u8],
}

impl Place<'_> {
    /// Class of a symbol in the contexts of the next symbol.
    #[inline(always)]
    pub(super) fn class_of(&self, symbol: u8) -> u8 {
        self.class_of.get(usize::from(symbol)).copied().unwrap_or(0)
    }
}

/// A symbol and its class in the contexts of the next symbol.
#[derive(Clone, Copy)]
pub(super) struct ClassedSymbol {
    pub(crate) symbol: u8,
    pub(crate) class: u8,
}

/// Work at each symbol of a block.
pub(super) trait BlockStep {
    /// Reason to end the walk.
    type Error;

    /// Returns the symbol at a place.
    fn step(&mut self, place: Place<'_>) -> Result<ClassedSymbol, Self::Error>;
}

/// Consecutive symbols of a layer, at most [`HISTORY`].
#[derive(Clone, Copy)]
pub(super) struct BlockExtent {
    /// Ordinal of the first symbol in the layer.
    pub(crate) first: u64,
    pub(crate) len: usize,
}

/// A model in a walk. A number of digits of its context is the product of class and weight.
struct Walker<'a, const FAR: usize> {
    model: &'a ContextModel,
    rows: &'a [Row],
    class_of: &'a [u8],
    /// Weight of the class of the symbol before.
    near_weight: usize,
    /// Weights of the classes at the other distances.
    weights: [usize; FAR],
    /// Classes at these distances before each symbol.
    windows: [&'a [Cell<u8>; HISTORY]; FAR],
    /// Classes of the symbols.
    own: &'a [Cell<u8>; HISTORY],
    /// Ordinal modulo the period, times its weight.
    phase: usize,
    phase_weight: usize,
    /// Value of `phase` that stands for 0.
    phase_end: usize,
}

/// Classes of the symbols of a block, after zeros for those before the block.
type Classes = [u8; 2 * HISTORY];

fn window(classes: &[Cell<u8>], distance: usize) -> &[Cell<u8>; HISTORY] {
    let (windows, _) = classes[HISTORY - distance..].as_chunks();
    &windows[0]
}

impl<'a, const FAR: usize> Walker<'a, FAR> {
    fn new(model: &'a ContextModel, classes: &'a mut Classes, first: u64) -> Self {
        let shape = model.shape();
        let classes = Cell::from_mut(&mut classes[..]).as_slice_of_cells();
        let mut weight = shape.classes.pow(shape.distances.len() as u32);
        let phase = (first % u64::from(shape.period)) as usize;
        let mut walker = Self {
            model,
            rows: model.rows(),
            class_of: &shape.class_of,
            near_weight: 0,
            weights: [0; FAR],
            windows: [window(classes, 1); FAR],
            own: window(classes, 0),
            phase: phase * weight,
            phase_weight: weight,
            phase_end: shape.period as usize * weight,
        };
        let mut far = 0;
        for &distance in &shape.distances {
            weight /= shape.classes;
            if distance == 1 {
                walker.near_weight += weight;
            } else {
                walker.weights[far] = weight;
                walker.windows[far] = window(classes, usize::from(distance));
                far += 1;
            }
        }
        walker
    }

    #[inline(always)]
    fn context(&self, index: usize, near: u8) -> usize {
        let mut context = self.phase;
        for (weight, window) in self.weights.iter().zip(&self.windows) {
            context += weight * usize::from(window[index].get());
        }
        // The symbol before is known last, so its term is added last.
        context + usize::from(near) * self.near_weight
    }

    #[inline(always)]
    fn push(&mut self, index: usize, class: u8) {
        self.own[index].set(class);
        self.phase += self.phase_weight;
        if self.phase == self.phase_end {
            self.phase = 0;
        }
    }
}

/// Number of neighbours at distances other than 1.
fn far_neighbours(shape: &ContextShape) -> usize {
    shape.distances.iter().filter(|&&d| d != 1).count()
}

/// Makes a step at each symbol of a block. Returns the worker.
///
/// The models are one per channel. No more than [`HISTORY`] symbols are walked.
#[inline]
pub(super) fn walk<S: BlockStep>(
    models: &[ContextModel],
    extent: BlockExtent,
    worker: S,
) -> Result<S, S::Error> {
    let far = models.iter().map(|model| far_neighbours(model.shape()));
    match (models, far.max().unwrap_or(0)) {
        ([model], 0) => walk_one::<0, S>(model, extent, worker),
        ([model], 1) => walk_one::<1, S>(model, extent, worker),
        ([model], 2) => walk_one::<2, S>(model, extent, worker),
        ([model], 3) => walk_one::<3, S>(model, extent, worker),
        ([model], 4) => walk_one::<4, S>(model, extent, worker),
        ([model], _) => walk_one::<6, S>(model, extent, worker),
        (_, 0..=3) => walk_several::<3, S>(models, extent, worker),
        _ => walk_several::<6, S>(models, extent, worker),
    }
}

#[inline(never)]
fn walk_one<const FAR: usize, S: BlockStep>(
    model: &ContextModel,
    extent: BlockExtent,
    worker: S,
) -> Result<S, S::Error> {
    // A copy on the stack can be kept in registers.
    let mut worker = worker;
    let mut classes = [0; 2 * HISTORY];
    let mut walker = Walker::<FAR>::new(model, &mut classes, extent.first);
    let mut near = 0;
    for index in 0..extent.len.min(HISTORY) {
        let context = walker.context(index, near);
        let symbol = worker.step(Place {
            index,
            channel: 0,
            context,
            model,
            row: &walker.rows[context],
            class_of: walker.class_of,
        })?;
        near = symbol.class;
        walker.push(index, near);
    }
    Ok(worker)
}

#[inline(never)]
fn walk_several<const FAR: usize, S: BlockStep>(
    models: &[ContextModel],
    extent: BlockExtent,
    mut worker: S,
) -> Result<S, S::Error> {
    let mut classes = vec![[0; 2 * HISTORY]; models.len()];
    let mut walkers: Vec<Walker<'_, FAR>> = models
        .iter()
        .zip(&mut classes)
        .map(|(model, classes)| Walker::<FAR>::new(model, classes, extent.first))
        .collect();
    let mut channel = (extent.first % models.len() as u64) as usize;
    let mut near = 0;
    for index in 0..extent.len.min(HISTORY) {
        let walker = &walkers[channel];
        let context = walker.context(index, near);
        let next = if channel + 1 == walkers.len() { 0 } else { channel + 1 };
        let symbol = worker.step(Place {
            index,
            channel,
            context,
            model: walker.model,
            row: &walker.rows[context],
            class_of: walkers[next].class_of,
        })?;
        near = symbol.class;
        for walker in &mut walkers {
            let class = walker.class_of.get(usize::from(symbol.symbol));
            walker.push(index, class.copied().unwrap_or(0));
        }
        channel = next;
    }
    Ok(worker)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::{BlockExtent, BlockStep, ClassedSymbol, Place, walk};
    use crate::models::model::{ContextModel, ContextShape};

    fn model(period: u32, distances: &[u16], class_of: [u8; 4]) -> ContextModel {
        let shape = ContextShape {
            period,
            distances: distances.to_vec(),
            class_of: class_of.to_vec(),
            classes: 4,
        };
        let contexts = shape.contexts();
        let mut model = ContextModel::new(shape, &[(2, 9), (3, 8)]);
        model.skip(contexts);
        model
    }

    /// The context as the format defines it.
    fn context(shape: &ContextShape, first: u64, symbols: &[u8], index: usize) -> usize {
        let phase = (first + index as u64) % u64::from(shape.period);
        shape.distances.iter().fold(phase as usize, |context, &distance| {
            let neighbour = index.checked_sub(distance.into());
            let class = neighbour.map_or(0, |i| shape.class_of[usize::from(symbols[i])]);
            context * shape.classes + usize::from(class)
        })
    }

    fn check(mut models: Vec<ContextModel>, first: u64) {
        let channels = models.len();
        for i in 0..channels {
            let next = models[(i + 1) % channels].shape().clone();
            models[i].link(&next);
        }
        let symbols: Vec<u8> = (0..600_u64).map(|i| (i * i / 7 % 4) as u8).collect();
        let len = symbols.len();
        let follower = Follower { models: &models, first, symbols, walked: 0 };
        let Ok(follower) = walk(&models, BlockExtent { first, len }, follower);
        assert_eq!(follower.walked, len);
    }

    /// Worker that compares each place with the one that the format defines.
    struct Follower<'a> {
        models: &'a [ContextModel],
        first: u64,
        symbols: Vec<u8>,
        walked: usize,
    }

    impl BlockStep for Follower<'_> {
        type Error = Infallible;

        fn step(&mut self, place: Place<'_>) -> Result<ClassedSymbol, Infallible> {
            let channel = (self.first as usize + self.walked) % self.models.len();
            assert_eq!((place.index, place.channel), (self.walked, channel));
            let shape = self.models[channel].shape();
            let expected = context(shape, self.first, &self.symbols, self.walked);
            assert_eq!(place.context, expected, "{shape:?}");
            for i in 0..2 {
                assert_eq!(place.row.classes[i], place.class_of(place.row.symbols[i]));
            }
            self.walked += 1;
            let symbol = self.symbols[place.index];
            let class = place.class_of(symbol);
            Ok(ClassedSymbol { symbol, class })
        }
    }

    #[test]
    fn contexts_are_those_of_the_format() {
        let all: [&[u16]; 6] = [&[], &[1], &[7, 2], &[3, 1, 500], &[1, 9, 1, 4], &[2, 3, 4, 5, 6]];
        for distances in all {
            check(vec![model(3, distances, [1, 2, 3, 1])], 10);
            let others = [&[2, 1][..], &[40, 30, 20, 10]];
            let [b, c] = others.map(|distances| model(6, distances, [3, 0, 1, 2]));
            check(vec![model(1, distances, [1, 2, 3, 1]), b, c], 3 * 4096);
        }
        check(vec![model(2, &[6, 5, 4, 3, 2, 8], [0, 1, 2, 3])], 4095);
    }
}
