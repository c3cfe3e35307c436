//! Traits of the author that an object behind a type implements, method by method.

/// Implements [`Game`](crate::Game) for a type with `W` words by the object in a field.
macro_rules! delegate_game {
    ($type:ident, $rules:tt) => {
        impl<const W: usize> Game for $type<W> {
            type Position = Packed<W>;
            type Move = PackedMove;

            fn start(&self) -> Packed<W> {
                self.$rules.start()
            }

            fn player_to_move(&self, position: Packed<W>) -> usize {
                self.$rules.player_to_move(position)
            }

            fn terminal(&self, position: Packed<W>) -> Option<Wdl> {
                self.$rules.terminal(position)
            }

            fn moves(&self, position: Packed<W>, out: &mut Vec<PackedMove>) {
                self.$rules.moves(position, out);
            }

            fn play(&self, position: Packed<W>, mv: PackedMove) -> Packed<W> {
                self.$rules.play(position, mv)
            }

            fn successors(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
                self.$rules.successors(position, out);
            }

            fn images(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
                self.$rules.images(position, out);
            }

            fn canonical(&self, position: Packed<W>) -> Packed<W> {
                self.$rules.canonical(position)
            }

            fn canonicalize(&self, positions: &mut [Packed<W>]) {
                self.$rules.canonicalize(positions);
            }

            fn children(
                &self,
                position: Packed<W>,
                moves: &mut Vec<PackedMove>,
                next: &mut Vec<Packed<W>>,
            ) {
                self.$rules.children(position, moves, next);
            }

            fn expand(&self, positions: &[Packed<W>], most: usize, out: &mut Expansion<Packed<W>>) {
                self.$rules.expand(positions, most, out);
            }

            fn look(&self, position: Packed<W>) -> Look {
                self.$rules.look(position)
            }

            fn random_playout(
                &self,
                position: Packed<W>,
                plies: u32,
                random: &mut dyn Random,
            ) -> (Packed<W>, u32) {
                self.$rules.random_playout(position, plies, random)
            }

            fn random_playouts(
                &self,
                plies: u32,
                queue: &mut dyn PlayoutQueue<Packed<W>>,
                random: &mut dyn Random,
            ) {
                self.$rules.random_playouts(plies, queue, random);
            }

            fn heuristics(
                &self,
            ) -> Option<&dyn Heuristics<Position = Packed<W>, Move = PackedMove>> {
                self.$rules.heuristics()
            }

            fn material(&self) -> Option<&dyn Material<Position = Packed<W>, Move = PackedMove>> {
                self.$rules.material()
            }

            fn countdown(&self) -> Option<&dyn Countdown<Position = Packed<W>, Move = PackedMove>> {
                self.$rules.countdown()
            }
        }
    };
}

/// Implements the traits of numbered positions for a type with `W` words by an object.
macro_rules! delegate_retro {
    ($type:ident, $($rules:tt)+) => {
        impl<const W: usize> Tiers for $type<W> {
            fn layers(&self) -> u32 {
                self.$($rules)+.layers()
            }

            fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
                self.$($rules)+.tiers(layer, out);
            }

            fn estimated_tiers(&self, layer: u32) -> u64 {
                self.$($rules)+.estimated_tiers(layer)
            }

            fn estimated_ranks(&self, layer: u32) -> u64 {
                self.$($rules)+.estimated_ranks(layer)
            }

            fn layer_successors(&self, layer: u32) -> Vec<u32> {
                self.$($rules)+.layer_successors(layer)
            }

            fn layer_name(&self, layer: u32) -> String {
                self.$($rules)+.layer_name(layer)
            }

            fn tier_len(&self, tier: u64) -> u64 {
                self.$($rules)+.tier_len(tier)
            }

            fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
                self.$($rules)+.orbit_run(tier, rank)
            }
        }

        impl<const W: usize> Ranked for $type<W> {
            fn rank(&self, position: Packed<W>) -> Option<(u64, u64)> {
                self.$($rules)+.rank(position)
            }

            fn tier(&self, position: Packed<W>) -> Option<u64> {
                self.$($rules)+.tier(position)
            }

            fn unrank(&self, tier: u64, rank: u64) -> Option<Packed<W>> {
                self.$($rules)+.unrank(tier, rank)
            }

            fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed<W>)>) {
                self.$($rules)+.unrank_range(tier, ranks, out);
            }

            fn rank_periods(&self) -> Vec<u32> {
                self.$($rules)+.rank_periods()
            }

            fn immediate_value(&self, position: Packed<W>) -> Option<Value> {
                self.$($rules)+.immediate_value(position)
            }

            fn implied_value(&self, position: Packed<W>) -> Option<Value> {
                self.$($rules)+.implied_value(position)
            }

            fn is_implied(&self, value: Value) -> Option<bool> {
                self.$($rules)+.is_implied(value)
            }
        }

        impl<const W: usize> Retro for $type<W> {
            fn predecessors(&self, position: Packed<W>, out: &mut Vec<Packed<W>>) {
                self.$($rules)+.predecessors(position, out);
            }

            fn summarize_moves(
                &self,
                tier: u64,
                position: Packed<W>,
                outside: &mut Vec<Packed<W>>,
            ) -> MoveSummary {
                self.$($rules)+.summarize_moves(tier, position, outside)
            }

            fn predecessor_ranks(&self, position: Packed<W>, out: &mut Vec<u64>) {
                self.$($rules)+.predecessor_ranks(position, out);
            }

            fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
                self.$($rules)+.summarize_ranks(tier, ranks, out);
            }

            fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
                self.$($rules)+.predecessors_of_ranks(tier, ranks, out);
            }
        }
    };
}

pub(super) use {delegate_game, delegate_retro};
