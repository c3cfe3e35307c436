// Analyses of all games, kept while the page is open. What was proved stays proved, and a position is known when a
// person comes back to it.

import { mergedAnalysis } from '../model/merge.js';

/** Analyses that are kept. One of a board with many moves takes some 20 kB. */
const MOST_KEPT = 1000;

/** @typedef {{answer: ValuesReply, isDone: boolean}} KeptAnalysis `isDone` once an analysis came to its end */
/** @typedef {import('../server/game_server.js').GameServer} GameServer */

/** The analyses of one page. */
export class Analyses {
  constructor() {
    /** @type {Map<string, KeptAnalysis>} by game and position, the one that was kept last at the end */
    this.kept = new Map();
  }

  /** What is known of a position. @param {GameServer} server @param {string} position @returns {ValuesReply | null} */
  of({ id }, position) {
    return this.kept.get(`${id} ${position}`)?.answer ?? null;
  }

  /** True if an analysis came to its end. @param {GameServer} server @param {string} position */
  isDone({ id }, position) {
    return this.kept.get(`${id} ${position}`)?.isDone ?? false;
  }

  /**
   * Merges an answer with what is known of the position and of those after its moves.
   * @param {GameServer} server
   * @param {string} position
   * @param {ValuesReply} answer
   * @param {boolean} [isDone]
   */
  add(server, position, answer, isDone = this.isDone(server, position)) {
    const merged = mergedAnalysis(this.of(server, position), answer, (to) => resultOf(server, to) ?? this.of(server, to));
    const key = `${server.id} ${position}`;
    this.kept.delete(key);
    this.kept.set(key, { answer: merged, isDone });
    if (this.kept.size > MOST_KEPT) this.kept.delete(/** @type {string} */ (this.kept.keys().next().value));
  }

  /**
   * Notes that an analysis came to its end, or draws conclusions from what was proved after its moves since then.
   * @param {GameServer} server
   * @param {string} position
   */
  conclude(server, position) {
    const answer = this.of(server, position);
    if (answer) this.add(server, position, answer, true);
  }
}

/**
 * Returns the value of a position in which the game is over; null for others.
 * @param {GameServer} server
 * @param {string} position
 * @returns {KnownValue | null}
 */
export function resultOf(server, position) {
  /** @type {PositionReply | null} */
  const reply = server.known('position', position);
  return reply?.over ? { value: reply.result, remoteness: reply.result === 'draw' ? null : 0 } : null;
}
