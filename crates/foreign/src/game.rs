//! Foreign rules as a game of the house.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindsight_core::{
    ExpandedPosition, Expansion, Game, Look, MOST_WORDS, Notation, Packed, PackedGame, PackedMove,
    PlayoutQueue, Random, RetroRules, Symmetry, Value, Wdl,
};

use crate::description::{Description, Turns};
use crate::edges::CurrentEdges;
use crate::fault::RulesFault;
use crate::names::lasting;
use crate::recent::{KnownPosition, RecentPositions};
use crate::rules::{Answers, ForeignRules, MOST_MOVES, MOST_POSITIONS};

/// Most successors that an answer is expected to have, by the moves of positions so far.
pub(crate) const MOST_SUCCESSORS: usize = 1 << 16;
/// Random games that are played at a time.
const PLAYOUTS: usize = 256;

/// Returns the game of foreign rules. With [`Symmetry::All`] its canonical members are those of
/// [`ForeignRules::canonicalize`].
///
/// Its methods unwind by a [`RulesFault`] where the rules fail.
#[must_use]
pub fn foreign_game(rules: Arc<dyn ForeignRules>, symmetry: Symmetry) -> PackedGame {
    let description = rules.description();
    let bytes = description.position_bytes();
    let shows_player = description.turns == Turns::Alternate;
    let game = ForeignGame {
        bytes,
        shows_player,
        merges: description.abilities.symmetries && symmetry == Symmetry::All,
        players: description.players.each_ref().map(|name| lasting(name)),
        most_moves: AtomicUsize::new(1),
        recent: RecentPositions::default(),
        edges: CurrentEdges::default(),
        rules,
    };
    let words = (bytes + usize::from(shows_player)).div_ceil(4);
    let game = Arc::new(game);
    let retro = game.is_ranked().then(|| Arc::clone(&game) as Arc<RetroRules>);
    // The byte of the player is 0 in canonical members.
    PackedGame::outside(game, retro, words, bytes.div_ceil(4))
}

/// Returns a position of the house: its bytes, and the player to move where
/// [turns alternate](Turns::Alternate).
///
/// # Panics
/// If these are too many bytes.
#[must_use]
#[inline]
pub fn packed_position(bytes: &[u8], player: Option<u8>) -> Packed {
    // Most positions are short, and there are many of them.
    if bytes.len() < 8 {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        all[bytes.len()] = player.unwrap_or(0);
        let [high, low] = [u64::from_be_bytes(all) >> 32, u64::from_be_bytes(all)];
        return Packed::new([high as u32, low as u32]);
    }
    let mut all = [0; 4 * MOST_WORDS];
    all[..bytes.len()].copy_from_slice(bytes);
    if let Some(player) = player {
        all[bytes.len()] = player;
    }
    let words = all.as_chunks().0;
    Packed::new::<MOST_WORDS>(std::array::from_fn(|i| u32::from_be_bytes(words[i])))
}

/// Returns the bytes of a position of the house, with zeros after them.
#[must_use]
pub fn bytes_of_packed(position: &Packed) -> [u8; 4 * MOST_WORDS] {
    let mut all = [0; 4 * MOST_WORDS];
    for (bytes, word) in all.as_chunks_mut().0.iter_mut().zip(position.as_words()) {
        *bytes = word.to_be_bytes();
    }
    all
}

pub(crate) struct ForeignGame {
    pub(crate) rules: Arc<dyn ForeignRules>,
    /// Bytes of a foreign position.
    pub(crate) bytes: usize,
    /// True if a byte for the player to move follows them.
    pub(crate) shows_player: bool,
    /// True if canonical members are those of the rules.
    merges: bool,
    pub(crate) players: [&'static str; 2],
    /// The most moves of a position so far.
    most_moves: AtomicUsize,
    recent: RecentPositions,
    /// Moves inside the tier that is being solved.
    pub(crate) edges: CurrentEdges,
}

impl ForeignGame {
    pub(crate) fn description(&self) -> &Description {
        self.rules.description()
    }

    pub(crate) fn pack(&self, bytes: &[u8], player: u8) -> Packed {
        packed_position(&bytes[..self.bytes], self.shows_player.then_some(player))
    }

    /// Returns the bytes of a position, and after them the player or 0.
    pub(crate) fn unpack(&self, position: &Packed) -> [u8; 4 * MOST_WORDS] {
        bytes_of_packed(position)
    }

    fn with_player_0(&self, position: &Packed) -> Packed {
        let mut words = *position.as_words();
        words[self.bytes / 4] &= !(u32::from(u8::MAX) << (24 - 8 * (self.bytes % 4)));
        Packed::new(words)
    }

    pub(crate) fn is_ranked(&self) -> bool {
        !self.description().tiers.is_empty()
    }

    pub(crate) fn bytes_of_all(&self, positions: &[Packed]) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.bytes * positions.len());
        for position in positions {
            all.extend_from_slice(&self.unpack(position)[..self.bytes]);
        }
        all
    }

    /// Returns the player to move, if positions show it; else 0.
    fn shown_player(&self, position: &Packed) -> u8 {
        if self.shows_player { self.unpack(position)[self.bytes] } else { 0 }
    }

    /// Returns what was told, or unwinds.
    pub(crate) fn told<T>(&self, answer: Result<T, RulesFault>) -> T {
        answer.unwrap_or_else(|fault| RulesFault { rules: self.spec(), ..fault }.throw())
    }

    /// Asks for the successors of at most [`MOST_POSITIONS`] positions.
    fn ask(&self, positions: &[Packed]) -> Answers {
        self.ask_bytes(&self.bytes_of_all(positions))
    }

    /// Asks for the successors of at most [`MOST_POSITIONS`] positions.
    pub(crate) fn ask_bytes(&self, bytes: &[u8]) -> Answers {
        let mut answers = Answers::default();
        let checked = self.rules.expand(bytes, &mut answers).and_then(|()| {
            self.check(bytes, &answers)?;
            if self.shows_player { Ok(()) } else { self.check_turns(bytes, &answers) }
        });
        self.told(checked);
        answers
    }

    /// Checks that the answers are as many and as long as they should be.
    fn check(&self, positions: &[u8], answers: &Answers) -> Result<(), RulesFault> {
        let asked = positions.len() / self.bytes;
        if answers.positions.len() != asked {
            let text = format!("{} answers about {asked} positions", answers.positions.len());
            return Err(RulesFault::new(text));
        }
        let mut successors = 0;
        let mut most = 0;
        for (position, &(result, count)) in
            positions.chunks_exact(self.bytes).zip(&answers.positions)
        {
            let count = count as usize;
            let fault = match result {
                None if count == 0 => "there is no move and no result",
                Some(_) if count > 0 => "there are moves although the game is over",
                _ if count > MOST_MOVES => "there are more than 32,766 moves",
                _ => "",
            };
            if !fault.is_empty() {
                return Err(RulesFault::new(fault).at(|| self.text_of(position)));
            }
            successors += count;
            most = most.max(count);
        }
        if successors * self.bytes != answers.successors.len() {
            return Err(RulesFault::new("successors of another size than positions"));
        }
        self.most_moves.fetch_max(most, Ordering::Relaxed);
        Ok(())
    }

    /// Checks that no player moves twice.
    fn check_turns(&self, positions: &[u8], answers: &Answers) -> Result<(), RulesFault> {
        let (mut movers, mut players) = (Vec::new(), Vec::new());
        self.rules.players(positions, &mut movers)?;
        self.rules.players(&answers.successors, &mut players)?;
        let mut next = answers.successors.chunks_exact(self.bytes).zip(&players);
        let asked = positions.chunks_exact(self.bytes).zip(&movers).zip(&answers.positions);
        for ((position, mover), (_, count)) in asked {
            for (successor, player) in next.by_ref().take(*count as usize) {
                if player == mover {
                    let text = format!(
                        "a move leads to {}, in which it is the same player's turn, {}; the \
                         players must move in turn, and who passes makes a move of its own",
                        self.text_of(successor),
                        self.players[usize::from(*mover & 1)],
                    );
                    return Err(RulesFault::new(text).at(|| self.text_of(position)));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn known(&self, position: Packed) -> Arc<KnownPosition> {
        if let Some(known) = self.recent.get(&position) {
            return known;
        }
        let mut asked = self.ask_and_keep(&[position]);
        asked.pop().expect("one position was asked for")
    }

    pub(crate) fn ask_and_keep(&self, positions: &[Packed]) -> Vec<Arc<KnownPosition>> {
        let answers = self.ask(positions);
        let mut rest = &answers.successors[..];
        let known = positions.iter().zip(&answers.positions).map(|(position, &(result, moves))| {
            let (own, others) = rest.split_at(moves as usize * self.bytes);
            rest = others;
            let (canonical, names, address) = Default::default();
            let successors = own.into();
            let known = KnownPosition { result, moves, successors, canonical, names, address };
            let known = Arc::new(known);
            self.recent.insert(*position, known.clone());
            known
        });
        known.collect()
    }

    /// Returns positions that follow each other in memory.
    fn pack_all<'a>(&'a self, bytes: &'a [u8], player: u8) -> impl Iterator<Item = Packed> + 'a {
        bytes.chunks_exact(self.bytes).map(move |bytes| self.pack(bytes, player))
    }

    /// Returns the successors of a position of which this is known.
    fn successors_of<'a>(
        &'a self,
        position: &Packed,
        known: &'a KnownPosition,
    ) -> impl Iterator<Item = Packed> + 'a {
        self.pack_all(&known.successors, 1 - self.shown_player(position))
    }

    /// Returns the canonical members of the successors.
    fn canonical_successors<'a>(
        &'a self,
        known: &'a KnownPosition,
    ) -> impl Iterator<Item = Packed> + 'a {
        let canonical = || {
            let mut bytes = known.successors.clone();
            for bytes in bytes.chunks_mut(MOST_POSITIONS * self.bytes) {
                self.told(self.rules.canonicalize(bytes));
            }
            bytes
        };
        let bytes =
            if self.merges { known.canonical.get_or_init(canonical) } else { &known.successors };
        self.pack_all(bytes, 0)
    }

    /// Returns how many positions may be asked for, so that there are some successors at most.
    pub(crate) fn batch_len(&self, successors: usize) -> usize {
        (successors / self.most_moves.load(Ordering::Relaxed)).clamp(1, MOST_POSITIONS)
    }

    /// Returns the successors of a position, after asking about them too: whoever looks at them
    /// asks about each.
    fn known_successors(&self, position: Packed) -> Vec<Packed> {
        let known = self.known(position);
        let successors: Vec<Packed> = self.successors_of(&position, &known).collect();
        self.announce(&successors);
        successors
    }
}

impl Game for ForeignGame {
    type Position = Packed;
    type Move = PackedMove;

    fn start(&self) -> Packed {
        self.pack(&self.description().start, 0)
    }

    fn player_to_move(&self, position: Packed) -> usize {
        let bytes = self.unpack(&position);
        if self.shows_player {
            return bytes[self.bytes].into();
        }
        let mut players = Vec::new();
        self.told(self.rules.players(&bytes[..self.bytes], &mut players));
        players.first().map_or(0, |&player| usize::from(player & 1))
    }

    fn terminal(&self, position: Packed) -> Option<Wdl> {
        self.known(position).result
    }

    /// The rules alone know which bytes are a position.
    fn is_position(&self, position: Packed) -> bool {
        let player = self.shown_player(&position);
        player < 2 && self.pack(&self.unpack(&position), player) == position
    }

    fn moves(&self, position: Packed, out: &mut Vec<PackedMove>) {
        out.extend((0..self.known(position).moves.into()).map(PackedMove));
    }

    fn play(&self, position: Packed, mv: PackedMove) -> Packed {
        let known = self.known(position);
        let successor = self.successors_of(&position, &known).nth(mv.0 as usize);
        successor.expect("a move of the position")
    }

    fn successors(&self, position: Packed, out: &mut Vec<Packed>) {
        out.append(&mut self.known_successors(position));
    }

    fn children(&self, position: Packed, moves: &mut Vec<PackedMove>, next: &mut Vec<Packed>) {
        let mut successors = self.known_successors(position);
        moves.extend((0..successors.len() as u64).map(PackedMove));
        next.append(&mut successors);
    }

    fn images(&self, position: Packed, out: &mut Vec<Packed>) {
        let canonical = self.canonical(position);
        out.extend([canonical].into_iter().filter(|&image| image != position));
    }

    fn canonical(&self, position: Packed) -> Packed {
        let mut positions = [position];
        self.canonicalize(&mut positions);
        positions[0]
    }

    fn canonicalize(&self, positions: &mut [Packed]) {
        if !self.merges {
            if self.shows_player {
                positions.iter_mut().for_each(|position| *position = self.with_player_0(position));
            }
            return;
        }
        for positions in positions.chunks_mut(MOST_POSITIONS) {
            let mut bytes = self.bytes_of_all(positions);
            self.told(self.rules.canonicalize(&mut bytes));
            for (position, bytes) in positions.iter_mut().zip(bytes.chunks_exact(self.bytes)) {
                *position = self.pack(bytes, 0);
            }
        }
    }

    fn announce(&self, positions: &[Packed]) {
        let is_unknown = |position: &&Packed| !self.recent.has(position);
        let unknown: Vec<Packed> = positions.iter().filter(is_unknown).copied().collect();
        let mut rest = &unknown[..];
        while !rest.is_empty() {
            let (asked, others) = rest.split_at(rest.len().min(self.batch_len(MOST_SUCCESSORS)));
            self.ask_and_keep(asked);
            rest = others;
        }
    }

    /// Tells the number of moves, of which none is known to be unsafe.
    fn look(&self, position: Packed) -> Look {
        let known = self.known(position);
        known.result.map_or(Look::SafeMoves(known.moves), Look::Over)
    }

    /// Answers for a single position from what is known.
    fn expand(&self, positions: &[Packed], most: usize, out: &mut Expansion<Packed>) {
        if let &[position] = positions {
            let known = self.known(position);
            out.successors.extend(self.canonical_successors(&known));
            let value = known.result.map(Value::terminal);
            out.positions.push(ExpandedPosition { value, successors: known.moves });
            return;
        }
        let begin = out.successors.len();
        let mut rest = positions;
        while !rest.is_empty()
            && (out.successors.len() == begin || out.successors.len() - begin < most)
        {
            let room = most.saturating_sub(out.successors.len() - begin);
            let asked = self.batch_len(room.min(MOST_SUCCESSORS));
            let (asked, others) = rest.split_at(asked.min(rest.len()));
            rest = others;
            let answers = self.ask(asked);
            let mut next = answers.successors.chunks_exact(self.bytes);
            for &(result, count) in &answers.positions {
                let own = next.by_ref().take(count as usize);
                out.successors.extend(own.map(|bytes| self.pack(bytes, 0)));
                let value = result.map(Value::terminal);
                out.positions.push(ExpandedPosition { value, successors: count });
            }
        }
        if self.merges {
            self.canonicalize(&mut out.successors[begin..]);
        }
    }

    /// Plays some games at a time.
    fn random_playouts(
        &self,
        plies: u32,
        queue: &mut dyn PlayoutQueue<Packed>,
        random: &mut dyn Random,
    ) {
        /// Number of a game, its position, and the plies played.
        type Playout = (u64, Packed, u32);
        let (mut games, mut numbers, mut is_done) = (Vec::<Playout>::new(), 0.., false);
        loop {
            while !is_done && games.len() < PLAYOUTS {
                match queue.next_start() {
                    Some(position) => games.extend(numbers.next().map(|n| (n, position, 0))),
                    None => is_done = true,
                }
            }
            if games.is_empty() {
                return;
            }
            let positions: Vec<Packed> = games.iter().map(|&(_, position, _)| position).collect();
            let answers = self.ask(&positions);
            let (mut counts, mut rest) = (answers.positions.iter(), &answers.successors[..]);
            games.retain_mut(|(number, position, played)| {
                let &(_, moves) = counts.next().expect("an answer for each game");
                let (own, others) = rest.split_at(moves as usize * self.bytes);
                rest = others;
                if moves == 0 || *played == plies {
                    queue.finish(*number, *position, *played);
                    return false;
                }
                let chosen = random.below(moves) as usize * self.bytes;
                *position = self.pack(&own[chosen..], 1 - self.shown_player(position));
                *played += 1;
                true
            });
        }
    }
}
