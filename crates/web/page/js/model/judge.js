// What a played move gave away, by the values of the position before it.

import { giftText, provedValue, signed } from './values.js';

/** Estimates that differ by less say nothing, from -1 to 1. */
export const LEAST_LOSS = 0.1;

/**
 * @typedef {object} Judgement
 * @property {string} words
 * @property {'best' | 'slower' | 'mistake' | 'perhaps' | 'unknown'} kind `perhaps` by estimates alone
 * @property {string | null} better a better move, if there is one
 */

/**
 * Judges a move by the values of all moves.
 * @param {ValuesReply} values
 * @param {string} move
 * @returns {Judgement}
 */
export function judgeByValues(values, move) {
  const [best] = values.moves;
  const played = values.moves.find((one) => one.move === move);
  if (!best || !played) return UNKNOWN;
  if (played.gives) return judgeByGift(played, best.move);
  if (played === best) return { words: 'no better move is known', kind: 'unknown', better: null };
  const loss = scoreOf(best) - scoreOf(played);
  if (Number.isNaN(loss) || loss < LEAST_LOSS) return { words: 'about as good as any', kind: 'unknown', better: null };
  return { words: `gives ${signed(loss).slice(1)} away, by estimate`, kind: 'perhaps', better: best.move };
}

/** @type {Judgement} */
const UNKNOWN = { words: 'not known', kind: 'unknown', better: null };

/**
 * Judges a move whose loss is known.
 * @param {{gives?: Gift | null, plies_lost?: number | null, best?: boolean | null}} played
 * @param {string} best
 * @returns {Judgement}
 */
export function judgeByGift(played, best) {
  const words = giftText(played);
  switch (played.gives) {
    case 'nothing':
      return { words: 'a best move', kind: 'best', better: null };
    case 'plies':
      return { words, kind: 'slower', better: best };
    case 'draw':
    case 'win':
      return { words, kind: 'mistake', better: best };
    default:
      return UNKNOWN;
  }
}

/** @param {KnownValue} known */
function scoreOf(known) {
  const value = provedValue(known);
  if (value) return { win: 1, draw: 0, loss: -1 }[value];
  return known.estimate ?? NaN;
}
