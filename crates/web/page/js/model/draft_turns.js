// Edits of a whole draft: cleared, mirrored, turned, or with the sides swapped.

import { cellName, cellOf } from './geometry.js';
import { isSameKind, placed } from './draft.js';
import { fenceOf } from './draft_hands.js';

/** @typedef {import('./draft.js').Draft} Draft */

/**
 * Takes all pieces and fences off the board. Marks stay.
 * @param {Draft} draft
 * @param {Setup} setup
 * @returns {Draft}
 */
export function cleared(draft, { most_in_hand: most }) {
  return { ...draft, pieces: [], fences: [], inHand: draft.inHand && (most ?? draft.inHand) };
}

/**
 * Mirrors left and right.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {Board} board
 * @returns {Draft}
 */
export function mirrored(draft, setup, { columns }) {
  const fences = draft.fences.map(({ cell, is_vertical: isVertical }) => {
    const [column, row] = cellOf(cell);
    return fenceOf(cellName(columns - 2 - column, row), isVertical);
  });
  return { ...placed(draft, setup, (cell) => turnedCell(cell, columns, null)), fences };
}

/**
 * Turns the board by a half.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {Board} board
 * @returns {Draft}
 */
export function halfTurned(draft, setup, { columns, rows }) {
  const fences = draft.fences.map(({ cell, is_vertical: isVertical }) => {
    const [column, row] = cellOf(cell);
    return fenceOf(cellName(columns - 2 - column, rows - 2 - row), isVertical);
  });
  return { ...placed(draft, setup, (cell) => turnedCell(cell, columns, rows)), fences };
}

/**
 * @param {string} cell
 * @param {number} columns
 * @param {number | null} rows null if rows stay where they are
 */
function turnedCell(cell, columns, rows) {
  const [column, row] = cellOf(cell);
  return cellName(columns - 1 - column, rows === null ? row : rows - 1 - row);
}

/**
 * Gives each side the pieces, the hand and the turn of the other one. Pieces become the other side's kinds in the
 * order of these; null if the sides have different numbers of kinds.
 * @param {Draft} draft
 * @param {Setup} setup
 * @returns {Draft | null}
 */
export function swapped(draft, { pieces: kinds }) {
  const ofSide = [0, 1].map((side) => kinds.filter((kind) => kind.player === side));
  const [first = [], second = []] = ofSide;
  if (first.length !== second.length || first.length === 0) return null;
  const pieces = draft.pieces.map((piece) => {
    const own = ofSide[piece.player ?? 2] ?? [];
    const other = piece.player === 0 ? second : first;
    const kind = other[own.findIndex((one) => isSameKind(one, piece))];
    return kind ? { ...kind, cell: piece.cell } : piece;
  });
  const { cards, inHand, player } = draft;
  const hands = /** @type {[number, number] | null} */ (inHand && [inHand[1], inHand[0]]);
  return { ...draft, pieces, cards: [cards[1], cards[0]], inHand: hands, player: player === 0 ? 1 : 0 };
}
