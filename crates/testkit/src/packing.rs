use std::collections::HashSet;

use hindsight_core::{
    Expansion, Game, Notation, Packed, PackedGame, PackedMove, Packing, Value, Wdl,
};

use crate::laws::random_positions;

/// Checks the laws of [`Packing`] on `positions` positions of random games. `game` and `twin` must
/// be the same game.
///
/// * Unpacking is the inverse of packing; different positions have different words in the same
///   order, and different moves of a position different numbers.
/// * The packed game agrees with the game: in moves and their order, successors, results, symmetry,
///   what [`Game::look`] tells, optional traits, and texts and pictures.
/// * [`Game::expand`] and [`Game::children`] agree with the functions for one position.
///
/// # Panics
/// If a law is broken; the message names it, the seed and the position.
pub fn check_packing<G, const W: usize>(game: &G, twin: G, positions: usize, seed: u64)
where
    G: Packing<W> + Notation + Send + 'static,
{
    let packed = PackedGame::new(twin);
    assert_eq!(packed.spec(), game.spec());
    assert_eq!(packed.rules_spec(), game.rules_spec());
    assert_eq!(packed.player_names(), game.player_names());
    assert_eq!(packed.default_scope(), game.default_scope());
    assert_eq!(packed.drawn_setup().is_some(), game.drawn_setup().is_some());
    assert_eq!(packed.start(), Packed::new(game.pack(game.start())), "the start");
    let drawn = random_positions(game, positions, seed);
    let different: HashSet<G::Position> = drawn.iter().copied().collect();
    let words: HashSet<[u32; W]> = drawn.iter().map(|&position| game.pack(position)).collect();
    assert_eq!(words.len(), different.len(), "positions have words of their own; seed {seed}");
    for pair in drawn.windows(2) {
        let words = [game.pack(pair[0]), game.pack(pair[1])];
        let ordered = [pair[0].cmp(&pair[1]), words[0].cmp(&words[1])];
        assert_eq!(ordered[0], ordered[1], "words are ordered as positions are: {pair:?}");
    }
    for &position in &drawn {
        check_position(game, &packed, position, seed);
    }
    check_expansion(game, &packed, &drawn);
}

fn check_position<G, const W: usize>(
    game: &G,
    packed: &PackedGame,
    position: G::Position,
    seed: u64,
) where
    G: Packing<W> + Notation,
{
    let broken = |law: &str| format!("{law}; seed {seed}, position {position:?}");
    let pack = |position: G::Position| Packed::new(game.pack(position));
    let pack_all =
        |positions: Vec<G::Position>| -> Vec<Packed> { positions.into_iter().map(pack).collect() };
    let own = pack(position);
    assert_eq!(game.unpack(own.words()), position, "{}", broken("unpacking is the inverse"));
    assert_eq!(packed.terminal(own), game.terminal(position), "{}", broken("the result"));
    assert_eq!(packed.player_to_move(own), game.player_to_move(position), "{}", broken("player"));
    assert_eq!(packed.look(own), game.look(position), "{}", broken("look"));
    assert_eq!(packed.canonical(own), pack(game.canonical(position)), "{}", broken("canonical"));
    assert_eq!(packed.format(own), game.format(position), "{}", broken("text"));
    assert_eq!(packed.parse(&game.format(position)), Ok(own), "{}", broken("reading"));
    assert_eq!(packed.diagram(own), game.diagram(position), "{}", broken("diagram"));
    assert_eq!(packed.drawing(own), game.drawing(position), "{}", broken("drawing"));
    let (mut images, mut packed_images) = (Vec::new(), Vec::new());
    game.images(position, &mut images);
    packed.images(own, &mut packed_images);
    assert_eq!(packed_images, pack_all(images), "{}", broken("images"));

    let (mut moves, mut next) = (Vec::new(), Vec::new());
    game.moves(position, &mut moves);
    game.successors(position, &mut next);
    let numbers: Vec<PackedMove> = moves.iter().map(|&mv| PackedMove(game.pack_move(mv))).collect();
    let unpacked: Vec<G::Move> = numbers.iter().map(|mv| game.unpack_move(mv.0)).collect();
    assert_eq!(unpacked, moves, "{}", broken("unpacking a move is the inverse"));
    let (mut packed_moves, mut packed_next) = (Vec::new(), Vec::new());
    packed.moves(own, &mut packed_moves);
    packed.successors(own, &mut packed_next);
    assert_eq!(packed_moves, numbers, "{}", broken("moves"));
    assert_eq!(packed_next, pack_all(next.clone()), "{}", broken("successors"));
    let (mut child_moves, mut children) = (Vec::new(), Vec::new());
    packed.children(own, &mut child_moves, &mut children);
    assert_eq!((child_moves, children), (packed_moves, packed_next), "{}", broken("children"));
    for (&mv, (&number, &after)) in moves.iter().zip(numbers.iter().zip(&next)) {
        assert_eq!(packed.play(own, number), pack(after), "{}", broken("a move, played"));
        let text = game.format_move(position, mv);
        assert_eq!(packed.format_move(own, number), text, "{}", broken("text of a move"));
        assert_eq!(packed.parse_move(own, &text), Ok(number), "{}", broken("reading a move"));
        let drawn = game.drawn_move(position, mv);
        assert_eq!(packed.drawn_move(own, number), drawn, "{}", broken("drawn move"));
        if game.terminal(after).is_some() {
            let condition = game.win_condition(after);
            assert_eq!(packed.win_condition(pack(after)), condition, "{}", broken("condition"));
        }
    }
    check_optional_traits(game, packed, position, &moves);
}

/// Checks that optional traits are there alike, and agree at a position with these moves.
fn check_optional_traits<G, const W: usize>(
    game: &G,
    packed: &PackedGame,
    position: G::Position,
    moves: &[G::Move],
) where
    G: Packing<W> + Notation,
{
    let own = Packed::new(game.pack(position));
    let [ours, theirs] = [game.heuristics().is_some(), packed.heuristics().is_some()];
    assert_eq!(ours, theirs, "both have heuristics, or none");
    if let (Some(ours), Some(theirs)) = (game.heuristics(), packed.heuristics())
        && game.terminal(position).is_none()
    {
        assert_eq!(ours.evaluate(position), theirs.evaluate(own), "estimate: {position:?}");
        let counts = [ours.safe_move_count(position), theirs.safe_move_count(own)];
        assert_eq!(counts[0], counts[1], "safe moves: {position:?}");
    }
    assert_eq!(game.material().is_some(), packed.material().is_some(), "material");
    if let (Some(ours), Some(theirs)) = (game.material(), packed.material()) {
        assert_eq!(ours.describe_sacrifice(), theirs.describe_sacrifice());
        assert_eq!(ours.piece_counts(position), theirs.piece_counts(own), "{position:?}");
        for &mv in moves {
            let number = PackedMove(game.pack_move(mv));
            let captures = [ours.is_capture(position, mv), theirs.is_capture(own, number)];
            assert_eq!(captures[0], captures[1], "capture: {position:?}, {mv:?}");
            let gives = [ours.gives_up_piece(position, mv), theirs.gives_up_piece(own, number)];
            assert_eq!(gives[0], gives[1], "sacrifice: {position:?}, {mv:?}");
        }
    }
    assert_eq!(game.countdown().is_some(), packed.countdown().is_some(), "countdown");
    if let (Some(ours), Some(theirs)) = (game.countdown(), packed.countdown()) {
        assert_eq!(ours.key_bits(), theirs.key_bits());
        assert_eq!(ours.key(position), theirs.key(own), "key: {position:?}");
        assert_eq!(ours.class_key(position), theirs.class_key(own), "class key: {position:?}");
        let left = ours.plies_left(position);
        assert_eq!(left, theirs.plies_left(own), "plies left: {position:?}");
        if game.terminal(position).is_none() {
            let (mut safe, mut packed_safe) = (Vec::new(), Vec::new());
            let outlook = ours.outlook(position, left, &mut safe);
            assert_eq!(outlook, theirs.outlook(own, left, &mut packed_safe), "{position:?}");
            let safe = safe.iter().map(|safe| (game.pack(safe.position), safe.key, safe.urgency));
            let packed_safe =
                packed_safe.iter().map(|safe| (safe.position.words(), safe.key, safe.urgency));
            assert!(safe.eq(packed_safe), "safe moves: {position:?}");
        }
    }
}

/// Checks [`Game::expand`] in batches against the functions for one position.
fn check_expansion<G, const W: usize>(game: &G, packed: &PackedGame, drawn: &[G::Position])
where
    G: Packing<W> + Notation,
{
    let words: Vec<Packed> =
        drawn.iter().map(|&position| Packed::new(game.pack(position))).collect();
    let mut rest = &words[..];
    let mut begun = drawn;
    while !rest.is_empty() {
        let mut expansion = Expansion::default();
        packed.expand(rest, 20, &mut expansion);
        let count = expansion.positions.len();
        assert!(count > 0, "at least one position is expanded");
        let mut successors = expansion.successors.iter();
        for (&position, expanded) in begun[..count].iter().zip(&expansion.positions) {
            let mut own = Vec::new();
            game.successors(position, &mut own);
            assert_eq!(expanded.successors as usize, own.len(), "{position:?}");
            let wins = own.iter().any(|&next| game.terminal(next) == Some(Wdl::Loss));
            let over = game.terminal(position).map(Value::terminal);
            let value = over.or(wins.then_some(Value::Win(1)));
            assert_eq!(expanded.value, value, "{position:?}");
            for next in own {
                let canonical = Packed::new(game.pack(game.canonical(next)));
                assert_eq!(successors.next(), Some(&canonical), "{position:?}");
            }
        }
        assert_eq!(successors.next(), None, "no other successors");
        (rest, begun) = (&rest[count..], &begun[count..]);
    }
}
