// The best move, played on demand.

import { hintOf } from '../model/judge.js';
import { isEditing, isSilent } from './views.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/** Shortest time between best moves while the key is held, in milliseconds. */
const PACE = 130;
let playedLast = 0;

/**
 * Plays the best move: of the best line from here where values are known, so that a held key asks for one line
 * and not for one a ply; else the first of the analysed moves.
 * @param {Explorer} explorer
 * @param {boolean} [isHeld]
 */
export async function playBest(explorer, isHeld = false) {
  const now = performance.now();
  const isFree = explorer.isSettled && !explorer.isOver && !isSilent(explorer) && !isEditing(explorer);
  if (!isFree || (isHeld && now - playedLast < PACE)) return;
  playedLast = now;
  const { server, table, state } = explorer;
  const { position } = state.at;
  if (!server || position === null) return;
  if (table?.values === 'analysis' || !table) {
    const best = hintOf(explorer.values);
    if (best) explorer.play(best.move);
    return;
  }
  try {
    let line = heldLine;
    if (line?.server !== server || !line.moves.has(position)) {
      const reply = await server.line(position);
      line = { server, moves: new Map(reply.line.map((ply) => [ply.position, ply.move])) };
      heldLine = line;
    }
    const move = line.moves.get(position);
    if (move && state.at.position === position) explorer.play(move, { isQuiet: isHeld });
  } catch (error) {
    explorer.fail(error);
  }
}

/** The line that is being played. @type {{server: unknown, moves: Map<string, string>} | null} */
let heldLine = null;
