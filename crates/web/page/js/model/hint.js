// What a hint says: the first move of the shown values or analysis, and whether it is proved to be best.

import { provedValue, signed } from './values.js';

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
