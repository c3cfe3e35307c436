//! The nodes of a tree, in chunks that stay where they are: a tree that grows copies nothing, and takes
//! no more memory than its chunks.

use std::ops::Range;

use hindsight_core::Wdl;

/// The links of a node, beside its counts.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeLinks {
    /// The first child; 0 if there are none yet.
    pub(super) first_child: u32,
    pub(super) children: u16,
    /// Children that were visited: the first so many.
    pub(super) tried_children: u16,
    /// For the one who moved there, where the tree proves it.
    pub(super) proven: Option<Wdl>,
}

impl NodeLinks {
    pub(super) fn child_range(&self) -> Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }
}

/// What happened to a node. Numbers that the formula needs no conversion of.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeStats {
    /// Playouts through it.
    pub(super) visits: f32,
    /// The points of the one who moved there.
    pub(super) points: f32,
}

/// The number of a node is `chunk << BITS | place`.
const CHUNK_BITS: u32 = 20;

/// Nodes of the first chunk. Each has twice as many as the one before, up to `1 << BITS`.
const FIRST_CHUNK_NODES: usize = 1 << 10;

/// Nodes that share arrays. Children of a node lie in the same chunk.
struct NodeChunk<P> {
    positions: Vec<P>,
    stats: Vec<NodeStats>,
    links: Vec<NodeLinks>,
}

impl<P: Copy> NodeChunk<P> {
    fn with_capacity(nodes: usize) -> Self {
        Self {
            positions: Vec::with_capacity(nodes),
            stats: Vec::with_capacity(nodes),
            links: Vec::with_capacity(nodes),
        }
    }

    fn add(&mut self, positions: &[P]) {
        self.positions.extend_from_slice(positions);
        let all = self.positions.len();
        self.stats.resize(all, NodeStats::default());
        self.links.resize(all, NodeLinks::default());
    }
}

pub(super) struct NodeArena<P> {
    chunks: Vec<NodeChunk<P>>,
    /// Nodes that there are.
    len: usize,
    /// Nodes that the next chunks may have in all.
    unallocated: usize,
    /// Nodes that there is room for in the last chunk.
    free_in_last_chunk: usize,
}

impl<P: Copy> NodeArena<P> {
    /// Bytes of a node.
    pub(super) const SIZE: usize = size_of::<P>() + size_of::<NodeStats>() + size_of::<NodeLinks>();

    /// No nodes yet, and room for so many.
    pub(super) fn with_capacity(room: usize) -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
            unallocated: room,
            free_in_last_chunk: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds nodes that lie together; the number of the first. None if there is no room for them.
    pub(super) fn add(&mut self, positions: &[P]) -> Option<usize> {
        if positions.len() > self.free_in_last_chunk {
            let doublings = self.chunks.len().min(CHUNK_BITS as usize);
            let usual = (FIRST_CHUNK_NODES << doublings).min(1 << CHUNK_BITS);
            let nodes = usual.max(positions.len()).min(self.unallocated);
            if nodes < positions.len() {
                return None;
            }
            self.unallocated -= nodes;
            self.free_in_last_chunk = nodes;
            self.chunks.push(NodeChunk::with_capacity(nodes));
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        let first = last << CHUNK_BITS | chunk.positions.len();
        chunk.add(positions);
        self.free_in_last_chunk -= positions.len();
        self.len += positions.len();
        Some(first)
    }

    fn chunk(&self, node: usize) -> (&NodeChunk<P>, usize) {
        (
            &self.chunks[node >> CHUNK_BITS],
            node & ((1 << CHUNK_BITS) - 1),
        )
    }

    fn chunk_mut(&mut self, node: usize) -> (&mut NodeChunk<P>, usize) {
        (
            &mut self.chunks[node >> CHUNK_BITS],
            node & ((1 << CHUNK_BITS) - 1),
        )
    }

    pub(super) fn position(&self, node: usize) -> P {
        let (chunk, place) = self.chunk(node);
        chunk.positions[place]
    }

    /// What a walk from the root needs of a node.
    pub(super) fn links_and_stats(&self, node: usize) -> (NodeLinks, NodeStats) {
        let (chunk, place) = self.chunk(node);
        (chunk.links[place], chunk.stats[place])
    }

    pub(super) fn links(&self, node: usize) -> &NodeLinks {
        let (chunk, place) = self.chunk(node);
        &chunk.links[place]
    }

    pub(super) fn links_mut(&mut self, node: usize) -> &mut NodeLinks {
        let (chunk, place) = self.chunk_mut(node);
        &mut chunk.links[place]
    }

    pub(super) fn stats(&self, node: usize) -> &NodeStats {
        let (chunk, place) = self.chunk(node);
        &chunk.stats[place]
    }

    pub(super) fn stats_mut(&mut self, node: usize) -> &mut NodeStats {
        let (chunk, place) = self.chunk_mut(node);
        &mut chunk.stats[place]
    }

    /// The counts of nodes that were added together.
    pub(super) fn stats_of(&self, nodes: Range<usize>) -> &[NodeStats] {
        let (chunk, first) = self.chunk(nodes.start);
        &chunk.stats[first..first + nodes.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_CHUNK_NODES, NodeArena};

    /// Nodes keep what they have while others come, and there are never more than there is room for.
    #[test]
    fn chunks_grow_up_to_the_room() {
        for room in [1, 7, FIRST_CHUNK_NODES, FIRST_CHUNK_NODES + 9, 100_000] {
            let mut nodes = NodeArena::<u32>::with_capacity(room);
            let mut firsts = Vec::new();
            for number in 0..40_000 {
                let Some(first) = nodes.add(&[number; 7]) else {
                    break;
                };
                nodes.stats_mut(first + 6).visits = number as f32;
                firsts.push(first);
            }
            let allocated: usize = nodes.chunks.iter().map(|c| c.positions.capacity()).sum();
            assert!(allocated <= room, "{allocated} of {room}");
            // At the end of each chunk, and of the room, fewer nodes than are added at once are left.
            assert!(nodes.len() + 7 * (nodes.chunks.len() + 1) > room, "{room}");
            assert_eq!(nodes.len(), 7 * firsts.len());
            for (number, &first) in firsts.iter().enumerate() {
                assert_eq!(nodes.position(first), number as u32);
                assert_eq!(nodes.stats_of(first..first + 7)[6].visits, number as f32);
            }
        }
    }

    /// More children than a chunk usually has lie together too.
    #[test]
    fn many_nodes_lie_together() {
        let mut nodes = NodeArena::<u8>::with_capacity(100_000);
        nodes.add(&[1]).unwrap();
        let first = nodes.add(&[2; 65_535]).unwrap();
        assert_eq!(nodes.stats_of(first..first + 65_535).len(), 65_535);
        assert_eq!(nodes.add(&[3; 65_535]), None);
        assert!(nodes.add(&[3; 9]).is_some());
    }
}
