//! Positions whose values are wanted, looked up when their tiers are solved.

use hindsight_core::{Placement, Value};

use crate::acyclic::heights::Member;
use crate::acyclic::tier::{Key, Tier, Tiers, value_of};
use crate::simd::chunk::{Chunk, WIDE};
use crate::space::board_tables::Frame;

/// Positions, and their values as far as they are known.
pub(crate) struct Watched {
    homes: Vec<Home>,
    pub(crate) values: Vec<Option<Value>>,
}

/// Where a position is.
struct Home {
    key: Key,
    /// Its followers, and where it is in their block.
    sides: [Member; 2],
    at: usize,
    /// Its number.
    number: usize,
}

impl Watched {
    pub(crate) fn new(
        frame: &Frame,
        tiers: &Tiers,
        positions: impl Iterator<Item = Placement>,
    ) -> Self {
        let mut homes = Vec::new();
        let mut count = 0;
        for (number, position) in positions.enumerate() {
            count += 1;
            homes.extend(home(frame, tiers, (number, position)));
        }
        homes.sort_by_key(|home| (home.key, home.number));
        Self {
            homes,
            values: vec![None; count],
        }
    }

    /// Looks at those in a tier.
    pub(crate) fn note(&mut self, key: Key, tier: &Tier) {
        let begin = self.homes.partition_point(|home| home.key < key);
        for home in self.homes[begin..]
            .iter()
            .take_while(|home| home.key == key)
        {
            let number = tier.number(home.sides[0], home.sides[1]);
            let block = tier.block(number.expect("followers on different squares"));
            self.values[home.number] = value_of(Chunk::flat(block)[home.at]);
        }
    }
}

/// Where a position is; `None` if it has more followers than are solved.
fn home(frame: &Frame, tiers: &Tiers, (number, position): (usize, Placement)) -> Option<Home> {
    // The side to move is side 1, but its followers are as it sees them.
    let seen = frame.seen_by(position, 1);
    let [mut other, mut mover] = [seen.followers[0], frame.turned(seen.followers[1])];
    let mut leaders = seen.leaders.map(usize::from);
    let mut lane = frame.lane_of[usize::from(seen.context)];
    let one = tiers.find(mover)?;
    if let Some(mirror) = frame.mirror.as_ref().filter(|_| one.is_image) {
        (mover, other) = (mirror.set(mover), mirror.set(other));
        leaders = leaders.map(|leader| mirror.square(leader));
        lane = mirror.lanes[lane];
    }
    let [one, two] = [tiers.find(mover)?, tiers.find(other)?];
    let lane = lane * (frame.squares * frame.squares).div_ceil(WIDE) * WIDE;
    Some(Home {
        key: [
            (mover.count_ones(), one.class),
            (other.count_ones(), two.class),
        ],
        sides: [one, two],
        at: lane + leaders[0] * frame.squares + leaders[1],
        number,
    })
}
