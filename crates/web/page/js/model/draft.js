// A position that is put together: what stands on the board, who holds what, and who is to move. Edits return
// another draft and leave the old one as it was.

/** @typedef {Setup['pieces'][number]} Kind */

/**
 * @typedef {object} Draft
 * @property {Piece[]} pieces
 * @property {Mark[]} marks
 * @property {Fence[]} fences
 * @property {[Card[], Card[]]} cards
 * @property {Card[]} aside
 * @property {[number, number] | null} inHand numbers of fences; null in games without
 * @property {0 | 1} player the player to move
 */

/**
 * Takes a draft from a board.
 * @param {Board} board
 * @param {0 | 1} player the player to move
 * @returns {Draft}
 */
export function draftOf({ pieces, marks, fences, seats, cards_aside: aside }, player) {
  const [first, second] = [seats[0].in_hand ?? null, seats[1].in_hand ?? null];
  const inHand = first === null || second === null ? null : /** @type {[number, number]} */ ([first, second]);
  return { pieces, marks, fences, cards: [seats[0].cards, seats[1].cards], aside, inHand, player };
}

/**
 * Returns the picture of a draft. All that no edit changes is taken from another board of the game.
 * @param {Draft} draft
 * @param {Board} board
 * @returns {Board}
 */
export function boardOf({ pieces, marks, fences, cards, aside, inHand, player }, board) {
  const seat = (/** @type {0 | 1} */ side) => {
    const stock = inHand ? fencesText(inHand[side]) : board.seats[side].stock;
    return { ...board.seats[side], cards: cards[side], stock, in_hand: inHand ? inHand[side] : null };
  };
  return {
    ...board, pieces, marks, fences, seats: [seat(0), seat(1)], cards_aside: aside, player_to_move: player, note: '',
  };
}

/** @param {number} number */
function fencesText(number) {
  return number === 1 ? '1 fence' : `${number} fences`;
}

/**
 * Returns a draft as the server reads it.
 * @param {Draft} draft
 * @param {Setup} setup
 */
export function bodyOf({ pieces, marks, fences, cards, aside, inHand, player }, setup) {
  const names = (/** @type {Card[]} */ held) => held.map((card) => card.name);
  const hasCards = aside.length > 0 || cards.some((held) => held.length > 0);
  return {
    pieces,
    marks: marks.filter((mark) => setup.marks.includes(mark.kind)).map(({ cell, kind }) => ({ cell, kind })),
    fences: fences.map((fence) => fence.name),
    ...(hasCards ? { cards: cards.map(names), cards_aside: names(aside) } : {}),
    ...(inHand ? { in_hand: inHand } : {}),
    ...(setup.has_turn ? { player_to_move: player } : {}),
  };
}

/** @param {Draft} draft @param {string} cell */
export function pieceAt(draft, cell) {
  return draft.pieces.find((piece) => piece.cell === cell) ?? null;
}

/**
 * The mark on a cell that can be moved.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {string} cell
 */
export function markAt(draft, setup, cell) {
  return draft.marks.find((mark) => mark.cell === cell && setup.marks.includes(mark.kind)) ?? null;
}

/** @param {Kind} one @param {Kind} other */
export function isSameKind(one, other) {
  return one.player === other.player && one.shape === other.shape && one.sign === other.sign
    && String(one.step) === String(other.step);
}

/**
 * Puts a piece on a cell in place of what is there; without a kind the cell becomes empty.
 * @param {Draft} draft
 * @param {string} cell
 * @param {Kind | null} kind
 * @returns {Draft}
 */
export function put(draft, cell, kind) {
  if (!kind && !pieceAt(draft, cell)) return draft;
  const rest = draft.pieces.filter((piece) => piece.cell !== cell);
  return { ...draft, pieces: kind ? [...rest, { ...kind, cell }] : rest };
}

/**
 * Moves what stands on a cell. A piece takes the place of another one; a mark and what stands on its goal change
 * places. Without a goal a piece leaves the board.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {string} from
 * @param {string | null} to
 * @returns {Draft}
 */
export function move(draft, setup, from, to) {
  const piece = pieceAt(draft, from);
  if (from === to || (to === null && !piece)) return draft;
  if (to === null) return put(draft, from, null);
  if (!markAt(draft, setup, from) && !markAt(draft, setup, to)) {
    return piece ? put(put(draft, from, null), to, piece) : draft;
  }
  return placed(draft, setup, (cell) => (cell === from ? to : cell === to ? from : cell));
}

/**
 * Moves a mark to a cell, and what stands there to where the mark was.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {string} kind
 * @param {string} cell
 * @returns {Draft}
 */
export function moveMark(draft, setup, kind, cell) {
  const mark = draft.marks.find((one) => one.kind === kind);
  if (mark) return move(draft, setup, mark.cell, cell);
  return { ...put(draft, cell, null), marks: [...draft.marks, { cell, kind, player: null }] };
}

/**
 * Returns a draft whose pieces and movable marks are at other cells.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {(cell: string) => string} place
 * @returns {Draft}
 */
export function placed(draft, setup, place) {
  return {
    ...draft,
    pieces: draft.pieces.map((piece) => ({ ...piece, cell: place(piece.cell) })),
    marks: draft.marks.map((mark) =>
      (setup.marks.includes(mark.kind) ? { ...mark, cell: place(mark.cell) } : mark)),
  };
}

/** @param {Draft} draft @param {0 | 1} player @returns {Draft} */
export function setTurn(draft, player) {
  return { ...draft, player };
}
