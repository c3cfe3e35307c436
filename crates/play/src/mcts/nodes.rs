//! The nodes of a tree, in chunks that stay where they are: a tree that grows copies nothing, and takes
//! no more memory than its chunks.

use std::ops::Range;

use hindsight_core::Wdl;

/// The links of a node, beside its counts.
#[derive(Clone, Copy, Default)]
pub(super) struct Link {
    /// The first child; 0 if there are none yet.
    pub(super) first: u32,
    pub(super) children: u16,
    /// Children that were visited: the first so many.
    pub(super) tried: u16,
    /// For the one who moved there, where the tree proves it.
    pub(super) proven: Option<Wdl>,
}

impl Link {
    pub(super) fn range(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.children)
    }
}

/// What happened to a node. Numbers that the formula needs no conversion of.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    /// Playouts through it.
    pub(super) visits: f32,
    /// The points of the one who moved there.
    pub(super) points: f32,
}

/// The number of a node is `chunk << BITS | place`.
const BITS: u32 = 20;

/// Nodes of the first chunk. Each has twice as many as the one before, up to `1 << BITS`.
const FIRST: usize = 1 << 10;

/// Nodes that share arrays. Children of a node lie in the same chunk.
struct Chunk<P> {
    positions: Vec<P>,
    counts: Vec<Counts>,
    links: Vec<Link>,
}

impl<P: Copy> Chunk<P> {
    fn with_room(nodes: usize) -> Self {
        Self {
            positions: Vec::with_capacity(nodes),
            counts: Vec::with_capacity(nodes),
            links: Vec::with_capacity(nodes),
        }
    }

    fn add(&mut self, positions: &[P]) {
        self.positions.extend_from_slice(positions);
        let all = self.positions.len();
        self.counts.resize(all, Counts::default());
        self.links.resize(all, Link::default());
    }
}

pub(super) struct Nodes<P> {
    chunks: Vec<Chunk<P>>,
    /// Nodes that there are.
    len: usize,
    /// Nodes that the next chunks may have in all.
    room: usize,
    /// Nodes that there is room for in the last chunk.
    free: usize,
}

impl<P: Copy> Nodes<P> {
    /// Bytes of a node.
    pub(super) const SIZE: usize = size_of::<P>() + size_of::<Counts>() + size_of::<Link>();

    /// No nodes yet, and room for so many.
    pub(super) fn with_room(room: usize) -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
            room,
            free: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds nodes that lie together; the number of the first. None if there is no room for them.
    pub(super) fn add(&mut self, positions: &[P]) -> Option<usize> {
        if positions.len() > self.free {
            let doublings = self.chunks.len().min(BITS as usize);
            let usual = (FIRST << doublings).min(1 << BITS);
            let nodes = usual.max(positions.len()).min(self.room);
            if nodes < positions.len() {
                return None;
            }
            self.room -= nodes;
            self.free = nodes;
            self.chunks.push(Chunk::with_room(nodes));
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        let first = last << BITS | chunk.positions.len();
        chunk.add(positions);
        self.free -= positions.len();
        self.len += positions.len();
        Some(first)
    }

    fn chunk(&self, node: usize) -> (&Chunk<P>, usize) {
        (&self.chunks[node >> BITS], node & ((1 << BITS) - 1))
    }

    fn chunk_mut(&mut self, node: usize) -> (&mut Chunk<P>, usize) {
        (&mut self.chunks[node >> BITS], node & ((1 << BITS) - 1))
    }

    pub(super) fn position(&self, node: usize) -> P {
        let (chunk, place) = self.chunk(node);
        chunk.positions[place]
    }

    /// What a walk from the root needs of a node.
    pub(super) fn node(&self, node: usize) -> (Link, Counts) {
        let (chunk, place) = self.chunk(node);
        (chunk.links[place], chunk.counts[place])
    }

    pub(super) fn link(&self, node: usize) -> &Link {
        let (chunk, place) = self.chunk(node);
        &chunk.links[place]
    }

    pub(super) fn link_mut(&mut self, node: usize) -> &mut Link {
        let (chunk, place) = self.chunk_mut(node);
        &mut chunk.links[place]
    }

    pub(super) fn count(&self, node: usize) -> &Counts {
        let (chunk, place) = self.chunk(node);
        &chunk.counts[place]
    }

    pub(super) fn count_mut(&mut self, node: usize) -> &mut Counts {
        let (chunk, place) = self.chunk_mut(node);
        &mut chunk.counts[place]
    }

    /// The counts of nodes that were added together.
    pub(super) fn counts(&self, nodes: Range<usize>) -> &[Counts] {
        let (chunk, first) = self.chunk(nodes.start);
        &chunk.counts[first..first + nodes.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST, Nodes};

    /// Nodes keep what they have while others come, and there are never more than there is room for.
    #[test]
    fn chunks_grow_up_to_the_room() {
        for room in [1, 7, FIRST, FIRST + 9, 100_000] {
            let mut nodes = Nodes::<u32>::with_room(room);
            let mut firsts = Vec::new();
            for number in 0..40_000 {
                let Some(first) = nodes.add(&[number; 7]) else {
                    break;
                };
                nodes.count_mut(first + 6).visits = number as f32;
                firsts.push(first);
            }
            let allocated: usize = nodes.chunks.iter().map(|c| c.positions.capacity()).sum();
            assert!(allocated <= room, "{allocated} of {room}");
            // At the end of each chunk, and of the room, fewer nodes than are added at once are left.
            assert!(nodes.len() + 7 * (nodes.chunks.len() + 1) > room, "{room}");
            assert_eq!(nodes.len(), 7 * firsts.len());
            for (number, &first) in firsts.iter().enumerate() {
                assert_eq!(nodes.position(first), number as u32);
                assert_eq!(nodes.counts(first..first + 7)[6].visits, number as f32);
            }
        }
    }

    /// More children than a chunk usually has lie together too.
    #[test]
    fn many_nodes_lie_together() {
        let mut nodes = Nodes::<u8>::with_room(100_000);
        nodes.add(&[1]).unwrap();
        let first = nodes.add(&[2; 65_535]).unwrap();
        assert_eq!(nodes.counts(first..first + 65_535).len(), 65_535);
        assert_eq!(nodes.add(&[3; 65_535]), None);
        assert!(nodes.add(&[3; 9]).is_some());
    }
}
