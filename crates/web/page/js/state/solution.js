// The solution of a puzzle: its own line as far as that goes, else the best line by values.

/** @typedef {import('../server/game_server.js').GameServer} GameServer */

/**
 * Returns the best move of a position, if it has any.
 * @param {GameServer} server
 * @param {PuzzleReply | null} puzzle
 * @param {string} position
 * @param {AbortSignal} signal
 */
export async function bestMove(server, puzzle, position, signal) {
  const own = puzzle?.line.find((ply) => ply.position === position);
  return own ? own.move : (await server.values(position, signal)).moves[0]?.move;
}

/**
 * Returns the best line from a position to the end.
 * @param {GameServer} server
 * @param {PuzzleReply | null} puzzle
 * @param {string} position
 * @param {AbortSignal} signal
 * @returns {Promise<{line: {position: string, move: string}[], end: string}>}
 */
export async function solution(server, puzzle, position, signal) {
  const ply = puzzle?.line.findIndex((one) => one.position === position) ?? -1;
  return puzzle && ply >= 0 ? { line: puzzle.line.slice(ply), end: puzzle.end } : server.line(position, signal);
}
