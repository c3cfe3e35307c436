// What an estimated lead is worth: how games of level 7 against itself went on
// (runs/2026-12-01-xeon-2c/estimates.md).

import { CLEAR_LEAD, LEAST_LEAD } from './values.js';

/**
 * Of the positions where a side was slightly ahead, or ahead: the share that it won, and that nobody won, in per cent.
 * @typedef {{board: string, slight: [number, number], clear: [number, number]}} LeadRecord
 */

/** @type {Record<string, LeadRecord>} by the first word of a spec */
const RECORDS = {
  onitama: { board: 'onitama:5x5:random', slight: [55, 11], clear: [91, 6] },
  dobutsu: { board: 'dobutsu', slight: [68, 0], clear: [67, 0] },
  four: { board: 'four:7x6', slight: [65, 2], clear: [67, 0] },
  ostle: { board: 'ostle', slight: [39, 30], clear: [76, 9] },
  quoridor: { board: 'quoridor:7x7:5', slight: [32, 45], clear: [39, 43] },
  quixo: { board: 'quixo:5x5', slight: [19, 64], clear: [38, 49] },
};

/**
 * Says how often the side that is said to be ahead won; an empty text if that was not counted, or no side is ahead.
 * @param {string} spec
 * @param {number | null | undefined} estimate
 */
export function leadSentence(spec, estimate) {
  const record = RECORDS[/** @type {string} */ (spec.split(':')[0])];
  const size = Math.abs(estimate ?? 0);
  if (!record || size < LEAST_LEAD) return '';
  const [words, [won, tied]] =
    size < CLEAR_LEAD ? ['slightly ahead', record.slight] : ['ahead', record.clear];
  const ties = tied ? ` and tied ${tied} %` : '';
  return `Between players of level 7 (${record.board}) the side ${words} won ${won} %${ties}.`;
}
