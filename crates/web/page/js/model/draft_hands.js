// Edits of what the players of a draft hold: fences and cards.

import { cellOf } from './geometry.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** Place of a card: in a hand, or aside. @typedef {{hand: 0 | 1 | 'aside', index: number}} Slot */

/**
 * The fence that lies along a side of a cell, if any.
 * @param {Draft} draft
 * @param {string} side cell below the side, or to the left of it
 * @param {boolean} isVertical
 */
export function fenceAlong(draft, side, isVertical) {
  const [column, row] = cellOf(side);
  return draft.fences.find((fence) => {
    const [fenceColumn, fenceRow] = cellOf(fence.cell);
    const along = isVertical ? row - fenceRow : column - fenceColumn;
    const across = isVertical ? column - fenceColumn : row - fenceRow;
    return fence.is_vertical === isVertical && across === 0 && (along === 0 || along === 1);
  }) ?? null;
}

/**
 * Adds a fence, which comes from the fuller hand, or takes it away into the emptier one.
 * @param {Draft} draft
 * @param {Fence} fence
 * @returns {Draft}
 */
export function toggleFence(draft, fence) {
  const rest = draft.fences.filter((one) => one.name !== fence.name);
  const isAdded = rest.length === draft.fences.length;
  const [first, second] = draft.inHand ?? [0, 0];
  const isFirst = isAdded ? first >= second : first < second;
  const change = isAdded ? -1 : 1;
  const hands = isFirst ? [first + change, second] : [first, second + change];
  const inHand = /** @type {[number, number]} */ (hands.map((number) => Math.max(0, number)));
  return { ...draft, fences: isAdded ? [...rest, fence] : rest, inHand: draft.inHand && inHand };
}

/** @param {string} cell @param {boolean} isVertical @returns {Fence} */
export function fenceOf(cell, isVertical) {
  return { name: `${cell}${isVertical ? 'v' : 'h'}`, cell, is_vertical: isVertical };
}

/**
 * Sets the number of fences in a hand. The other hand gets the rest, as far as it can hold it.
 * @param {Draft} draft
 * @param {Setup} setup
 * @param {0 | 1} player
 * @param {number} number
 * @returns {Draft}
 */
export function setInHand(draft, { most_in_hand: most }, player, number) {
  if (!most || !draft.inHand) return draft;
  const taken = Math.min(most[player], Math.max(0, Math.trunc(number) || 0));
  const rest = most[0] + most[1] - draft.fences.length - taken;
  const other = Math.min(most[player === 0 ? 1 : 0], Math.max(0, rest));
  return { ...draft, inHand: player === 0 ? [taken, other] : [other, taken] };
}

/**
 * @param {Draft} draft
 * @param {Slot} slot
 */
export function cardAt(draft, { hand, index }) {
  return (hand === 'aside' ? draft.aside : draft.cards[hand])[index] ?? null;
}

/**
 * @param {Draft} draft
 * @param {Slot} one
 * @param {Slot} other
 * @returns {Draft}
 */
export function swapCards(draft, one, other) {
  const [first, second] = [cardAt(draft, one), cardAt(draft, other)];
  if (!first || !second) return draft;
  const swapped = (/** @type {Slot['hand']} */ hand, /** @type {Card[]} */ cards) => cards.map((card, index) =>
    (one.hand === hand && one.index === index ? second : other.hand === hand && other.index === index ? first : card));
  return {
    ...draft, cards: [swapped(0, draft.cards[0]), swapped(1, draft.cards[1])], aside: swapped('aside', draft.aside),
  };
}
