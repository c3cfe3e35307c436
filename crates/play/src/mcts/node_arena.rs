//! The nodes of a tree, in chunks that never move.
//!
//! A growing tree copies nothing and takes no more memory than its chunks. The children of a node
//! are adjacent, and their statistics have an array of their own, so that a selection reads few
//! cache lines.

use std::ops::Range;

use hindsight_core::{MOST_WORDS, Packed, Wdl};

/// Links from a node to its children, and its proven value.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeLinks {
    /// Node number of the first child; 0 before the node has children.
    pub(super) first_child: u32,
    pub(super) children: u16,
    /// Number of children visited so far: those with the lowest numbers.
    pub(super) tried_children: u16,
    /// Value for the side that moved to the node, once the tree proves it.
    pub(super) proven: Option<Wdl>,
}

impl NodeLinks {
    pub(super) fn child_range(&self) -> Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }
}

/// Statistics of a node, as floats so that formula (1) needs no conversion.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeStats {
    /// Playouts through the node.
    pub(super) visits: f32,
    /// Points of the side that moved to the node; negative infinity once the move is excluded.
    pub(super) points: f32,
}

/// Number of bits of the offset in a node number: `node = chunk << CHUNK_BITS | offset`.
const CHUNK_BITS: u32 = 20;

/// Nodes of the first chunk. Each later chunk has twice as many, up to `1 << CHUNK_BITS`.
const FIRST_CHUNK_NODES: usize = 1 << 10;

/// Nodes that share arrays. Invariant: all children of a node lie in the same chunk.
struct NodeChunk {
    /// Words of the positions, as many for each as the game uses.
    words: Vec<u32>,
    stats: Vec<NodeStats>,
    links: Vec<NodeLinks>,
}

impl NodeChunk {
    fn with_capacity(nodes: usize, words: usize) -> Self {
        Self {
            words: Vec::with_capacity(nodes * words),
            stats: Vec::with_capacity(nodes),
            links: Vec::with_capacity(nodes),
        }
    }

    fn add(&mut self, positions: &[Packed], words: usize) {
        for position in positions {
            self.words.extend_from_slice(&position.as_words()[..words]);
        }
        let nodes = self.links.len() + positions.len();
        self.stats.resize(nodes, NodeStats::default());
        self.links.resize(nodes, NodeLinks::default());
    }
}

/// All nodes of a tree.
pub(super) struct NodeArena {
    chunks: Vec<NodeChunk>,
    /// Words of a position.
    words: usize,
    len: usize,
    /// Nodes that may still be allocated in new chunks.
    unallocated: usize,
    /// Nodes that still fit in the last chunk.
    free_in_last_chunk: usize,
}

impl NodeArena {
    /// Returns the bytes of memory of a node, whose position has some words.
    pub(super) const fn node_bytes(words: usize) -> usize {
        words * size_of::<u32>() + size_of::<NodeStats>() + size_of::<NodeLinks>()
    }

    /// Returns an arena without nodes that will hold at most `capacity`, for positions of some
    /// words.
    pub(super) fn with_capacity(capacity: usize, words: usize) -> Self {
        Self { chunks: Vec::new(), words, len: 0, unallocated: capacity, free_in_last_chunk: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds adjacent nodes; returns the number of the first, or `None` if there is no room.
    pub(super) fn add(&mut self, positions: &[Packed]) -> Option<usize> {
        if positions.len() > self.free_in_last_chunk {
            let doublings = self.chunks.len().min(CHUNK_BITS as usize);
            let usual = (FIRST_CHUNK_NODES << doublings).min(1 << CHUNK_BITS);
            let nodes = usual.max(positions.len()).min(self.unallocated);
            if nodes < positions.len() {
                return None;
            }
            self.unallocated -= nodes;
            self.free_in_last_chunk = nodes;
            self.chunks.push(NodeChunk::with_capacity(nodes, self.words));
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        let first = last << CHUNK_BITS | chunk.links.len();
        chunk.add(positions, self.words);
        self.free_in_last_chunk -= positions.len();
        self.len += positions.len();
        Some(first)
    }

    /// Returns the chunk of a node and its offset there.
    fn locate(&self, node: usize) -> (&NodeChunk, usize) {
        let offset = node & ((1 << CHUNK_BITS) - 1);
        (&self.chunks[node >> CHUNK_BITS], offset)
    }

    fn locate_mut(&mut self, node: usize) -> (&mut NodeChunk, usize) {
        let offset = node & ((1 << CHUNK_BITS) - 1);
        (&mut self.chunks[node >> CHUNK_BITS], offset)
    }

    pub(super) fn position(&self, node: usize) -> Packed {
        let (chunk, offset) = self.locate(node);
        let own = &chunk.words[offset * self.words..][..self.words];
        let mut words = [0; MOST_WORDS];
        words[..own.len()].copy_from_slice(own);
        Packed::new(words)
    }

    pub(super) fn links_and_stats(&self, node: usize) -> (NodeLinks, NodeStats) {
        let (chunk, offset) = self.locate(node);
        (chunk.links[offset], chunk.stats[offset])
    }

    pub(super) fn links(&self, node: usize) -> &NodeLinks {
        let (chunk, offset) = self.locate(node);
        &chunk.links[offset]
    }

    pub(super) fn links_mut(&mut self, node: usize) -> &mut NodeLinks {
        let (chunk, offset) = self.locate_mut(node);
        &mut chunk.links[offset]
    }

    pub(super) fn stats(&self, node: usize) -> &NodeStats {
        let (chunk, offset) = self.locate(node);
        &chunk.stats[offset]
    }

    pub(super) fn stats_mut(&mut self, node: usize) -> &mut NodeStats {
        let (chunk, offset) = self.locate_mut(node);
        &mut chunk.stats[offset]
    }

    /// Returns the statistics of nodes that were added together.
    pub(super) fn stats_of_range(&self, nodes: Range<usize>) -> &[NodeStats] {
        let (chunk, first) = self.locate(nodes.start);
        &chunk.stats[first..first + nodes.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_CHUNK_NODES, NodeArena, Packed};

    /// Nodes keep their contents while others are added, and never exceed the capacity.
    #[test]
    fn chunks_grow_up_to_the_capacity() {
        for capacity in [1, 7, FIRST_CHUNK_NODES, FIRST_CHUNK_NODES + 9, 100_000] {
            let mut nodes = NodeArena::with_capacity(capacity, 1);
            let mut firsts = Vec::new();
            for number in 0..40_000 {
                let Some(first) = nodes.add(&[Packed::new([number]); 7]) else {
                    break;
                };
                nodes.stats_mut(first + 6).visits = number as f32;
                firsts.push(first);
            }
            let allocated: usize = nodes.chunks.iter().map(|c| c.words.capacity()).sum();
            assert!(allocated <= capacity, "{allocated} of {capacity}");
            // Each chunk, and the arena as a whole, may waste up to six nodes at its end.
            let max_wasted = 7 * (nodes.chunks.len() + 1);
            assert!(nodes.len() + max_wasted > capacity, "{capacity}");
            assert_eq!(nodes.len(), 7 * firsts.len());
            for (number, &first) in firsts.iter().enumerate() {
                assert_eq!(nodes.position(first).words(), [number as u32]);
                let stats = nodes.stats_of_range(first..first + 7);
                assert_eq!(stats[6].visits, number as f32);
            }
        }
    }

    /// Children that outnumber a usual chunk are adjacent too.
    #[test]
    fn many_children_are_adjacent() {
        let mut nodes = NodeArena::with_capacity(100_000, 2);
        nodes.add(&[Packed::new([1])]).unwrap();
        let first = nodes.add(&vec![Packed::new([2]); 65_535]).unwrap();
        assert_eq!(nodes.stats_of_range(first..first + 65_535).len(), 65_535);
        assert_eq!(nodes.add(&vec![Packed::new([3]); 65_535]), None);
        assert!(nodes.add(&[Packed::new([3]); 9]).is_some());
    }
}
