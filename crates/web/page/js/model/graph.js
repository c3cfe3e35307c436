// The value over a game as points. Up is good for player 0: a win in few plies is near the upper edge, a loss
// in few plies near the lower one, a draw in the middle.

import { forOther, provedValue } from './values.js';

/**
 * @typedef {object} Point
 * @property {number} ply
 * @property {number | null} height from -1 to 1; null if nothing is known
 * @property {boolean} isProved
 * @property {KnownValue} known for player 0
 */

/** Half of this many plies brings a win half of the way to the middle. */
const HALF_WAY = 12;
/** Wins and losses keep away from the middle, where draws are. */
const DRAW_BAND = 0.12;

/**
 * Returns the height of a value for player 0.
 * @param {KnownValue} known
 */
export function heightOf(known) {
  const value = provedValue(known);
  if (value === 'draw') return 0;
  if (value === null) return known.estimate ?? null;
  const plies = known.remoteness ?? known.bound?.plies ?? Infinity;
  const size = DRAW_BAND + (1 - DRAW_BAND) / (1 + plies / HALF_WAY);
  return value === 'win' ? size : -size;
}

/**
 * Returns the point of a position.
 * @param {number} ply
 * @param {KnownValue} known for the side to move
 * @param {boolean} isFirst true if player 0 is to move
 * @returns {Point}
 */
export function pointOf(ply, known, isFirst) {
  const first = isFirst ? known : forOther(known);
  const isProved = Boolean(first.value ?? first.bound);
  return { ply, height: heightOf(first), isProved, known: first };
}
