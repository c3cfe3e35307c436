// Games as text: the lines that `hindsight match --games` writes and `hindsight review` reads, and plain moves.

import { splitMoves } from './address.js';

/**
 * @typedef {object} GameRecord
 * @property {string} game
 * @property {string | null} start
 * @property {string[]} moves
 */

/**
 * Returns a game as one line of JSON.
 * @param {GameRecord & {agents: [string, string], first: number, winner: number | null, ending: string}} game
 */
export function writeRecord({ game, start, moves, agents, first, winner, ending }) {
  const head = { game, number: 0, agents, first };
  const tail = { moves, winner, ending, work: [0, 0], seconds: [0, 0] };
  return JSON.stringify(start === null ? { ...head, ...tail } : { ...head, start, ...tail });
}

/**
 * Reads a game: the first line that is a record, or moves with spaces, commas or new lines between them.
 * @param {string} text
 * @returns {GameRecord | {fault: string}}
 */
export function readRecord(text) {
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'There is no move in this text' };
  if (!trimmed.startsWith('{')) {
    const words = trimmed.split(/\s+/).flatMap(splitMoves);
    return { game: '', start: null, moves: words.filter((word) => !/^\d+\.+$/.test(word)) };
  }
  const line = trimmed.split('\n')[0] ?? '';
  try {
    return recordOf(JSON.parse(line));
  } catch (error) {
    return { fault: `This is no game record: ${error instanceof Error ? error.message : error}` };
  }
}

/**
 * @param {any} read
 * @returns {GameRecord | {fault: string}}
 */
function recordOf(read) {
  const isList = Array.isArray(read?.moves) && read.moves.every((/** @type {any} */ move) => typeof move === 'string');
  if (typeof read?.game !== 'string' || !isList) {
    return { fault: 'This is no game record: it needs "game", a spec, and "moves", a list of texts' };
  }
  const start = typeof read.start === 'string' ? read.start : null;
  return { game: read.game, start, moves: read.moves };
}
