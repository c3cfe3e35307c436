//! Positions whose values are wanted, looked up when their tiers are solved.

use hindsight_core::{Placement, Value};

use crate::acyclic::heights::ClassMember;
use crate::acyclic::tier::{ByteTier, ByteTiers, TierKey, value_of_byte};
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::space::board_tables::BoardTables;

/// Positions, and their values as far as they are known.
pub(crate) struct TrackedValues {
    locations: Vec<ByteLocation>,
    pub(crate) values: Vec<Option<Value>>,
}

/// Where a position is.
struct ByteLocation {
    key: TierKey,
    /// Its followers, and where it is in their block.
    sides: [ClassMember; 2],
    at: usize,
    /// Its number.
    number: usize,
}

impl TrackedValues {
    pub(crate) fn new(
        tables: &BoardTables,
        tiers: &ByteTiers,
        positions: impl Iterator<Item = Placement>,
    ) -> Self {
        let mut homes = Vec::new();
        let mut count = 0;
        for (number, position) in positions.enumerate() {
            count += 1;
            homes.extend(location(tables, tiers, (number, position)));
        }
        homes.sort_by_key(|home| (home.key, home.number));
        Self {
            locations: homes,
            values: vec![None; count],
        }
    }

    /// Looks at those in a tier.
    pub(crate) fn record(&mut self, key: TierKey, tier: &ByteTier) {
        let begin = self.locations.partition_point(|home| home.key < key);
        for home in self.locations[begin..]
            .iter()
            .take_while(|home| home.key == key)
        {
            let number = tier.number(home.sides[0], home.sides[1]);
            let block = tier.block(number.expect("followers on different squares"));
            self.values[home.number] = value_of_byte(Chunk::as_bytes(block)[home.at]);
        }
    }
}

/// Where a position is; `None` if it has more followers than are solved.
fn location(
    tables: &BoardTables,
    tiers: &ByteTiers,
    (number, position): (usize, Placement),
) -> Option<ByteLocation> {
    // The side to move is side 1, but its followers are as it sees them.
    let seen = tables.side_view(position, 1);
    let [mut other, mut mover] = [seen.followers[0], tables.half_turn(seen.followers[1])];
    let mut leaders = seen.leaders.map(usize::from);
    let mut lane = tables.lane_of_context[usize::from(seen.context)];
    let one = tiers.find(mover)?;
    if let Some(mirror) = tables.mirror.as_ref().filter(|_| one.is_image) {
        (mover, other) = (mirror.image(mover), mirror.image(other));
        leaders = leaders.map(|leader| mirror.image_square(leader));
        lane = mirror.lane_images[lane];
    }
    let [one, two] = [tiers.find(mover)?, tiers.find(other)?];
    let lane = lane * (tables.squares * tables.squares).div_ceil(CHUNK_BYTES) * CHUNK_BYTES;
    Some(ByteLocation {
        key: [
            (mover.count_ones(), one.class),
            (other.count_ones(), two.class),
        ],
        sides: [one, two],
        at: lane + leaders[0] * tables.squares + leaders[1],
        number,
    })
}
