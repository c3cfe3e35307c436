//! Positions whose values are wanted, read when their tiers are solved.

use hindsight_core::{Placement, Value};

use crate::acyclic::heights::ClassMember;
use crate::acyclic::tier::{ByteTier, ByteTiers, ClassKey, TierKey, value_of_byte};
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::space::board_tables::BoardTables;

/// Tracked positions, and their values so far.
pub(crate) struct TrackedValues {
    /// Locations of the positions that have one, by tier.
    locations: Vec<ByteLocation>,
    /// Values in the order of the positions; `None` for draws and until the tier is solved.
    pub(crate) values: Vec<Option<Value>>,
}

/// Location of a position.
struct ByteLocation {
    key: TierKey,
    /// Followers of the mover and of the other side, which choose the block.
    sides: [ClassMember; 2],
    /// Index of the position's byte in the block.
    byte: usize,
    /// Index of the position in [`TrackedValues::values`].
    number: usize,
}

impl TrackedValues {
    /// Locates positions.
    pub(crate) fn new(
        tables: &BoardTables,
        tiers: &ByteTiers,
        positions: impl Iterator<Item = Placement>,
    ) -> Self {
        let mut locations = Vec::new();
        let mut count = 0;
        for (number, position) in positions.enumerate() {
            count += 1;
            locations.extend(location(tables, tiers, number, position));
        }
        locations.sort_by_key(|location| (location.key, location.number));
        Self { locations, values: vec![None; count] }
    }

    /// Reads the values of the positions in a tier.
    pub(crate) fn record(&mut self, key: TierKey, tier: &ByteTier) {
        let begin = self.locations.partition_point(|location| location.key < key);
        for location in self.locations[begin..].iter().take_while(|location| location.key == key) {
            let [mover, other] = location.sides;
            let number = tier.block_number(mover, other);
            let block = tier.block(number.expect("followers on different squares"));
            self.values[location.number] = value_of_byte(Chunk::as_bytes(block)[location.byte]);
        }
    }
}

/// Location of position `number`; `None` if it has more followers than are solved.
fn location(
    tables: &BoardTables,
    tiers: &ByteTiers,
    number: usize,
    position: Placement,
) -> Option<ByteLocation> {
    // The mover becomes side 1; its followers are then turned to its own view.
    let seen = tables.side_view(position, 1);
    let [mut other, mut mover] = [seen.followers[0], tables.half_turn(seen.followers[1])];
    let mut leaders = seen.leaders.map(usize::from);
    let mut lane = tables.lane_of_context[usize::from(seen.context)];
    let is_image = tiers.find(mover)?.is_image;
    if let Some(mirror) = tables.mirror.as_ref().filter(|_| is_image) {
        (mover, other) = (mirror.image(mover), mirror.image(other));
        leaders = leaders.map(|leader| mirror.image_square(leader));
        lane = mirror.lane_images[lane];
    }
    let sides = [tiers.find(mover)?, tiers.find(other)?];
    let key = [(mover, sides[0]), (other, sides[1])]
        .map(|(set, member)| ClassKey { followers: set.count_ones(), class: member.class });
    let lane_bytes = (tables.squares * tables.squares).div_ceil(CHUNK_BYTES) * CHUNK_BYTES;
    Some(ByteLocation {
        key,
        sides,
        byte: lane * lane_bytes + leaders[0] * tables.squares + leaders[1],
        number,
    })
}
