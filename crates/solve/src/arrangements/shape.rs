//! How positions lie in planes of bits.
//!
//! The positions of a *problem* (i followers of side 0, j of side 1) are cut into *blocks*: one for each
//! pair of sets of followers. A block has a *lane* for each context, a lane a *row* for each free square
//! of side 0's leader, a row a bit for each free square of side 1's. Free are the squares outside both
//! sets, so a block of a problem always has as many bits. Each of its lanes begins with a byte.

use std::ops::Range;

use hindsight_combinatorics::{Subsets, rank_subset, subsets};
use hindsight_core::{Placement, TwoSidedRules};

use super::mirror::{Kept, Mirror};

/// The rules, arranged for blocks in board order: [`Frame::rows`] words a lane, a word of 32 bits a row,
/// the lanes of each group filled up to sixteens of words.
pub(super) struct Frame {
    pub(super) squares: usize,
    pub(super) lanes: usize,
    /// Words of a block in board order.
    pub(super) words: usize,
    /// Where the words of each lane begin.
    pub(super) word_of: Vec<usize>,
    /// The context of each lane. Lanes made by one kind of move lie together.
    pub(super) contexts: Vec<u16>,
    /// For each side and lane the lanes that its moves lead to.
    pub(super) next: [Vec<Vec<usize>>; 2],
    /// Of these the groups, and where their words begin.
    pub(super) next_words: [Vec<Vec<(usize, usize)>>; 2],
    /// For each side and lane the lanes from which its moves lead to it.
    pub(super) prev: [Vec<Vec<usize>>; 2],
    pub(super) groups: Vec<Group>,
    pub(super) lane_of: Vec<usize>,
    /// For each lane the one with the sides exchanged.
    pub(super) exchanged: Vec<usize>,
    /// Which group a lane belongs to.
    pub(super) group_of: Vec<usize>,
    /// The goal of each side as a set.
    pub(super) goals: [u32; 2],
    pub(super) mirror: Option<Mirror>,
}

/// The lanes that one kind of move leads to.
pub(super) struct Group {
    pub(super) lanes: Range<usize>,
    /// Their words in a block in board order.
    pub(super) words: Range<usize>,
    /// What this kind of move does, for each side.
    pub(super) moves: [Moves; 2],
}

/// A kind of move of a side.
pub(super) struct Moves {
    /// The squares that each square leads to.
    pub(super) targets: [u32; 32],
    /// The squares that lead to each square.
    pub(super) sources: [u32; 32],
    pub(super) steps: Vec<Step>,
}

/// All moves of a kind that go equally far.
pub(super) struct Step {
    /// What is added to the number of a square.
    pub(super) distance: isize,
    /// The squares it can be made from.
    pub(super) from: u32,
    /// The same, a word for each row of all lanes of the group: all ones or none.
    pub(super) rows: Vec<u32>,
}

impl Frame {
    #[inline]
    pub(super) fn new(rules: &TwoSidedRules) -> Self {
        let squares = usize::from(rules.squares);
        let mut contexts: Vec<u16> = (0..rules.made_by.len() as u16).collect();
        let kind = |context: u16| rules.made_by[usize::from(context)];
        contexts.sort_by_key(|&context| (kind(context), context));
        let mut lane_of = vec![0; contexts.len()];
        for (lane, &context) in contexts.iter().enumerate() {
            lane_of[usize::from(context)] = lane;
        }
        let next = [0, 1].map(|side: usize| {
            let of = |&context: &u16| {
                let next = rules.next[side][usize::from(context)].iter();
                next.map(|&context| lane_of[usize::from(context)]).collect()
            };
            contexts.iter().map(of).collect::<Vec<Vec<usize>>>()
        });
        let prev = [&next[0], &next[1]].map(|next| {
            let leads = |from: usize, to: &usize| next[from].contains(to);
            let of = |to| (0..next.len()).filter(|&from| leads(from, &to)).collect();
            (0..next.len()).map(of).collect()
        });
        let rows = rows_of(squares);
        let mut word_of = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        for lanes in contexts.chunk_by(|&a, &b| kind(a) == kind(b)) {
            let first = groups.last().map_or(0, |group| group.lanes.end);
            let begin = groups.last().map_or(0, |group| group.words.end);
            word_of.extend((0..lanes.len()).map(|lane| begin + lane * rows));
            let len = (lanes.len() * rows).next_multiple_of(WIDE);
            let targets = |side: usize| &rules.targets[side][usize::from(kind(lanes[0]))];
            let moves = [0, 1].map(|side| Moves::new(targets(side), lanes.len(), rows, len));
            groups.push(Group {
                lanes: first..first + lanes.len(),
                words: begin..begin + len,
                moves,
            });
        }
        let group_of = groups.iter().enumerate();
        let group_of = group_of.flat_map(|(i, group)| group.lanes.clone().map(move |_| i));
        let group_of: Vec<usize> = group_of.collect();
        let next_words = [&next[0], &next[1]].map(|next| {
            let words = |&lane: &usize| (group_of[lane], word_of[lane]);
            let of = |lanes: &Vec<usize>| lanes.iter().map(words).collect();
            next.iter().map(of).collect()
        });
        Self {
            squares,
            lanes: contexts.len(),
            words: groups.last().map_or(0, |group| group.words.end),
            word_of,
            next,
            prev,
            next_words,
            group_of,
            exchanged: contexts
                .iter()
                .map(|&context| lane_of[usize::from(rules.exchanged[usize::from(context)])])
                .collect(),
            groups,
            goals: rules.goals.map(|goal| 1 << goal),
            mirror: Mirror::new(rules, &contexts, &lane_of),
            contexts,
            lane_of,
        }
    }

    /// All squares.
    #[inline]
    pub(super) fn board(&self) -> u32 {
        u32::MAX >> (32 - self.squares)
    }

    /// Words of a lane in board order.
    #[inline]
    pub(super) fn rows(&self) -> usize {
        rows_of(self.squares)
    }

    /// The squares of a side's leader with which no piece can move by a kind of move.
    #[inline(always)]
    fn stuck_by(&self, mover: usize, own: u32, group: usize) -> u32 {
        let targets = &self.groups[group].moves[mover].targets;
        let open = self.open_to(mover, own, group);
        // The leader may bar the only way.
        let candidates = match open.count_ones() {
            0 => self.board() & !own,
            1 => open & !own,
            _ => 0,
        };
        let stuck = squares(candidates).filter(|&from| targets[from] & !own == 0);
        stuck.fold(0, |all, from| all | 1 << from)
    }

    /// Where a side's followers can go by a kind of move.
    #[inline(always)]
    fn open_to(&self, mover: usize, own: u32, group: usize) -> u32 {
        let targets = &self.groups[group].moves[mover].targets;
        // No closures: they would be compiled without the instructions.
        let mut open = 0;
        for from in squares(own) {
            open |= targets[from] & (!own | 1_u32 << from);
        }
        open
    }

    /// Whether there may be a kind of move that no piece can make, wherever a side's leader is.
    #[inline(always)]
    fn is_tight(&self, mover: usize, own: u32) -> bool {
        let mut tight = false;
        for group in 0..self.groups.len() {
            tight |= self.open_to(mover, own, group).count_ones() < 2;
        }
        tight
    }

    /// Whether a side with so many followers may have no move in some lane.
    #[inline]
    pub(super) fn is_ever_stuck(&self, mover: usize, followers: u32) -> bool {
        let sets = Subsets::new(self.squares as u32, followers);
        (0..sets.len()).any(|n| {
            let own = sets.unrank(n) as u32;
            let stuck = |lane| self.stuck_in(mover, own, lane) & !own != 0;
            self.is_tight(mover, own) && (0..self.lanes).any(stuck)
        })
    }

    /// The squares of a side's leader with which no piece can move in a lane.
    #[inline(always)]
    pub(super) fn stuck_in(&self, mover: usize, own: u32, lane: usize) -> u32 {
        let next = self.next[mover][lane].iter();
        let groups = next.map(|&next| self.group_of[next]);
        groups.fold(u32::MAX, |all, group| {
            all & self.stuck_by(mover, own, group)
        })
    }

    /// The image of a set, or the set where there is no mirror.
    #[inline(always)]
    pub(super) fn mirrored(&self, set: u32) -> u32 {
        match &self.mirror {
            Some(mirror) => mirror.set(set),
            None => set,
        }
    }

    /// How many sets a set stands for: two, if its image is another.
    #[inline]
    pub(super) fn stands_for(&self, set: u32) -> u64 {
        1 + u64::from(self.mirrored(set) != set)
    }

    /// A position with a side to move, turned if it is the other's turn.
    #[inline]
    pub(super) fn seen_by(&self, position: Placement, mover: usize) -> Placement {
        if position.mover == mover {
            return position;
        }
        let last = self.squares as u8 - 1;
        let lane = self.exchanged[self.lane_of[usize::from(position.context)]];
        let [one, other] = position.followers.map(|set| self.turned(set));
        Placement {
            mover,
            followers: [other, one],
            leaders: [last - position.leaders[1], last - position.leaders[0]],
            context: self.contexts[lane],
        }
    }

    /// A set in reversed order of squares.
    #[inline(always)]
    pub(super) fn turned(&self, set: u32) -> u32 {
        set.reverse_bits() >> (32 - self.squares)
    }
}

/// Words of a lane in board order: one of few even numbers, each with code of its own. With 32 of them for 25 squares
/// lanes begin with cache lines, which gains more than the additional words take.
#[inline]
fn rows_of(squares: usize) -> usize {
    match squares {
        ..=16 => 16,
        17..=20 => 20,
        _ => 32,
    }
}

impl Moves {
    /// For so many lanes of so many rows, in `len` words.
    #[inline]
    fn new(targets: &[u32], lanes: usize, rows: usize, len: usize) -> Self {
        let mut sources = [0; 32];
        let mut steps: Vec<Step> = Vec::new();
        for (from, &set) in targets.iter().enumerate() {
            for to in squares(set) {
                sources[to] |= 1 << from;
                let distance = to as isize - from as isize;
                match steps.iter_mut().find(|step| step.distance == distance) {
                    Some(step) => step.from |= 1 << from,
                    None => steps.push(Step {
                        distance,
                        from: 1 << from,
                        rows: vec![0; len],
                    }),
                }
            }
        }
        for step in &mut steps {
            for (word, row) in step.rows.iter_mut().zip((0..lanes).flat_map(|_| 0..rows)) {
                *word = (step.from >> row & 1).wrapping_neg();
            }
        }
        Self {
            targets: std::array::from_fn(|from| targets.get(from).copied().unwrap_or(0)),
            sources,
            steps,
        }
    }
}

impl Step {
    /// The squares from which it leads to squares of a set.
    #[inline(always)]
    pub(super) fn back(&self, to: u32) -> u32 {
        let by = self.distance.unsigned_abs();
        let from = if self.distance >= 0 {
            to >> by
        } else {
            to << by
        };
        from & self.from
    }
}

/// The squares of a set, ascending.
#[inline(always)]
pub(super) fn squares(set: u32) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let square = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (square < 32).then_some(square as usize)
    })
}

/// `BELOW[k][n]`: how many sets of k + 1 squares there are below square n.
static BELOW: [[u32; 32]; 32] = {
    let mut below = [[0; 32]; 32];
    let mut n = 1;
    while n < 32 {
        below[0][n] = n as u32;
        let mut k = 1;
        while k < n {
            below[k][n] = below[k][n - 1] + below[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    below
};

/// The number of a set among those of as many squares: as [`hindsight_combinatorics::rank_subset`], with a table that takes
/// little of the cache.
#[inline(always)]
pub(super) fn rank(set: u32) -> usize {
    let (mut rank, mut rest, mut smaller) = (0, set, 0);
    while rest != 0 {
        rank += BELOW[smaller & 31][rest.trailing_zeros() as usize & 31];
        rest &= rest - 1;
        smaller += 1;
    }
    rank as usize
}

/// For each set of a side's followers the sets that one of them makes of it by a kind of move, wherever the other side's are.
pub(super) struct Rearranged {
    /// Where the sets begin that each leads to, and where the last ones end.
    begins: Vec<u32>,
    sets: Vec<u32>,
}

impl Rearranged {
    /// For so many followers of a side.
    #[inline]
    pub(super) fn new(frame: &Frame, group: &Group, mover: usize, followers: u32) -> Self {
        let all = Subsets::new(frame.squares as u32, followers);
        let mut begins = vec![0];
        let mut sets = Vec::new();
        for n in 0..all.len() {
            let own = all.unrank(n) as u32;
            for from in squares(own) {
                let rest = own & !(1 << from);
                let targets = group.moves[mover].targets[from] & !rest;
                sets.extend(squares(targets).map(|to| rank(rest | 1 << to) as u32));
            }
            begins.push(sets.len() as u32);
        }
        Self { begins, sets }
    }

    /// The bytes of such lists.
    #[inline]
    pub(super) fn bytes(frame: &Frame, group: &Group, mover: usize, followers: u32) -> u64 {
        let squares = frame.squares as u32;
        let Some(others) = followers.checked_sub(1) else {
            return 8;
        };
        let leads = |(from, set): (usize, &u32)| {
            let stays = u64::from(set >> from & 1);
            // The other followers are on neither square.
            let moves = u64::from(set.count_ones()) - stays;
            stays * subsets(squares - 1, others) + moves * subsets(squares - 2, others)
        };
        let targets = group.moves[mover].targets[..frame.squares].iter();
        let sets: u64 = targets.enumerate().map(leads).sum();
        4 * (sets + subsets(squares, followers) + 1)
    }

    /// What a set leads to.
    #[inline(always)]
    pub(super) fn from(&self, set: usize) -> &[u32] {
        &self.sets[self.begins[set] as usize..self.begins[set + 1] as usize]
    }
}

/// A problem: so many followers of each side.
pub(super) struct Problem {
    pub(super) followers: [u32; 2],
    /// Squares free for leaders.
    pub(super) free: usize,
    /// Bytes of a lane, and of a block.
    pub(super) bytes: usize,
    pub(super) stride: usize,
    /// All sets of followers of each side, and how many of them there are beside one of the other's.
    pub(super) sets: [Subsets; 2],
    pub(super) beside: [Subsets; 2],
    /// The latter, listed.
    pub(super) sets_beside: [Vec<u32>; 2],
    /// The rows that planes keep which have these followers of one side together.
    pub(super) kept: [Kept; 2],
    /// Whether there are positions in which a side has no move.
    stuck: [bool; 2],
}

impl Problem {
    /// `stuck`: whether there are positions in which a side with its followers has no move.
    #[inline]
    pub(super) fn new(frame: &Frame, followers: [u32; 2], stuck: [bool; 2]) -> Self {
        let squares = frame.squares as u32;
        let [own, other] = followers;
        let free = (squares - own - other) as usize;
        let beside = [
            Subsets::new(squares - other, own),
            Subsets::new(squares - own, other),
        ];
        let listed = |sets: &Subsets| (0..sets.len()).map(|n| sets.unrank(n) as u32).collect();
        Self {
            followers,
            stuck,
            sets_beside: [listed(&beside[0]), listed(&beside[1])],
            kept: [0, 1].map(|side| Kept::new(frame, side, followers[side])),
            free,
            bytes: (free * free).div_ceil(8),
            stride: frame.lanes * (free * free).div_ceil(8),
            sets: followers.map(|n| Subsets::new(squares, n)),
            beside,
        }
    }

    /// True if a bit of a block is one of a place of two leaders, and not one that fills a byte up.
    #[inline]
    pub(super) fn has_bit(&self, bit: usize) -> bool {
        bit % (8 * self.bytes) < self.free * self.free
    }

    /// Whether a side may have no move with these followers, wherever its leader is.
    #[inline(always)]
    pub(super) fn may_be_stuck(&self, frame: &Frame, mover: usize, own: u32) -> bool {
        self.stuck[mover] && frame.is_tight(mover, own)
    }

    /// How many blocks it has.
    #[inline]
    pub(super) fn blocks(&self) -> u64 {
        self.sets[0].len() * self.beside[1].len()
    }

    /// How many of them planes keep that have rows of a side's followers.
    #[inline]
    pub(super) fn kept_blocks(&self, major: usize) -> u64 {
        self.kept[major].sets.len() as u64 * self.beside[1 - major].len()
    }

    /// The blocks of a row with a side to move.
    #[inline]
    pub(super) fn row(&self, mover: usize) -> usize {
        self.beside[mover].len() as usize
    }

    /// Words of [`Problem::moved`].
    #[inline]
    pub(super) fn len_of_moved(&self, frame: &Frame, mover: usize) -> usize {
        let places = frame.squares - self.followers[1 - mover] as usize;
        self.row(mover) * self.followers[mover] as usize * places
    }

    /// Where the followers of a side move: for each block of a row, follower, and place, counted among the
    /// squares without the other side's, the number of the block with it there. Without a meaning where
    /// another follower is.
    #[inline]
    pub(super) fn moved(&self, frame: &Frame, mover: usize) -> Vec<u32> {
        let places = frame.squares - self.followers[1 - mover] as usize;
        let mut moved = Vec::with_capacity(self.len_of_moved(frame, mover));
        for n in 0..self.beside[mover].len() {
            let set = self.beside[mover].unrank(n);
            for from in squares(set as u32) {
                let rest = set & !(1 << from);
                moved.extend((0..places).map(|to| rank_subset(rest | 1 << to) as u32));
            }
        }
        moved
    }

    /// How many positions with a given side to move, none of them over.
    #[inline]
    pub(super) fn positions(&self, frame: &Frame) -> u64 {
        let taken: u32 = self.followers.iter().sum();
        let free = self.free as u64;
        // Sets of followers by how many of the two goals they cover, and ways to place both leaders.
        let sets = |covered: u32| match taken.checked_sub(covered) {
            Some(rest) => subsets(frame.squares as u32 - 2, rest),
            None => 0,
        };
        let pairs = free * (free - 1);
        let one_open = pairs - (free - 1);
        let both_open = one_open + 1 - (free - 1);
        let placed = sets(0) * both_open + 2 * sets(1) * one_open + sets(2) * pairs;
        placed * subsets(taken, self.followers[0]) * frame.lanes as u64
    }
}

/// Words at once.
pub(super) const WIDE: usize = 16;

#[cfg(test)]
mod tests {
    use hindsight_core::{Game, Notation, Retro, TwoSided};
    use hindsight_rules::{Setup, Visitor, by_name};

    use super::{Frame, Rearranged};

    struct Counts;

    impl Visitor for Counts {
        type Output = ();

        fn visit<G: Game + Notation>(self, game: G) {
            panic!("{} has no arrangements", game.spec())
        }

        fn arrangements<G: TwoSided + Retro + Notation>(self, game: G) {
            let frame = Frame::new(&game.two_sided_rules());
            let sides = (0..4).flat_map(|n| [(0, n), (1, n)]);
            for (mover, followers) in sides {
                for group in &frame.groups {
                    let all = Rearranged::new(&frame, group, mover, followers);
                    let bytes = 4 * (all.begins.len() + all.sets.len()) as u64;
                    let told = Rearranged::bytes(&frame, group, mover, followers);
                    assert_eq!(told, bytes, "{}, {followers}", game.spec());
                }
            }
        }
    }

    #[test]
    fn what_rearrangements_take_is_known_before() {
        for spec in [
            "onitama:3x4:boar,ox,elephant,horse,crab",
            "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
        ] {
            by_name(spec, &Setup::default(), Counts).expect("a game");
        }
    }
}
