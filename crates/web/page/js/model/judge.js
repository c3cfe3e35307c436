// What a played move gave away, by the values of the position before it, and what a hint says: the first move of the
// shown values or analysis, and whether it is proved to be best.

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

/** @typedef {{move: string, isCertain: boolean, estimate: string}} Hint `estimate` in words; empty if there is none */

/**
 * Returns the hint; null if no move is known to be better than another.
 * @param {ValuesReply | null} values moves best first
 * @returns {Hint | null}
 */
export function hintOf(values) {
  const best = values?.moves[0];
  if (!values || !best) return null;
  const value = provedValue(best);
  const isProved = values.moves.every((move) => provedValue(move) !== null);
  const isCertain = value !== null && (isProved || value === 'win' || value === provedValue(values));
  const estimate = best.estimate ?? null;
  if (value === null && estimate === null) return null;
  return { move: best.move, isCertain, estimate: value === null && estimate !== null ? `, estimate ${signed(estimate)}` : '' };
}

/**
 * Says a hint: the piece first, if the move has one, then the move.
 * @param {Hint} hint
 * @param {{from: string | null, sentence: string, isShown: boolean}} move its piece, the move in words
 */
export function hintSentence({ isCertain, estimate }, { from, sentence, isShown }) {
  const isWhole = isShown || from === null;
  if (isCertain) return isWhole ? `Play ${sentence}.` : `Look at the piece on ${from}. Ask again for the move.`;
  const move = isWhole ? `${sentence}${estimate}.` : `a move of the piece on ${from}. Ask again for the move.`;
  return `Nothing is certain here. The analysis prefers ${move}`;
}
