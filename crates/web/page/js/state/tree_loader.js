// Learns the positions of a tree that was read from a link, and takes out what cannot be played.

import { Problem } from '../server/client.js';
import { linesOf, pathTo } from '../model/tree.js';

/** @typedef {import('./explorer.js').Explorer} Explorer */
/** @typedef {import('../model/tree.js').TreeNode} TreeNode */
/** @typedef {import('../server/game_server.js').GameServer} GameServer */

/**
 * Learns the positions of all nodes of the tree, line by line. Returns false if another game or position was
 * opened in the meantime.
 * @param {Explorer} explorer
 * @param {GameServer} server
 */
export async function loadPositions(explorer, server) {
  const { state } = explorer;
  for (const { from, nodes } of linesOf(state.root)) {
    if (from.position !== null && nodes.every((node) => node.position !== null)) continue;
    if (!(await loadLine(explorer, server, from, nodes))) break;
    if (explorer.server !== server || explorer.state.root !== state.root) return false;
    explorer.onChange();
  }
  return true;
}

/**
 * Learns the positions of one line. Returns false if there is not even a start.
 * @param {Explorer} explorer
 * @param {GameServer} server
 * @param {TreeNode} from
 * @param {TreeNode[]} nodes
 * @returns {Promise<boolean>}
 */
async function loadLine(explorer, server, from, nodes) {
  const { state } = explorer;
  const path = [...pathTo(from), ...nodes];
  const moves = path.slice(1).map((node) => node.move);
  try {
    const { positions } = await server.positionAfter(state.start, moves);
    path.forEach((node, ply) => {
      node.position ??= positions[ply] ?? null;
    });
    return true;
  } catch (error) {
    if (explorer.server !== server || explorer.state !== state) return false;
    explorer.fail(error);
    if (!(error instanceof Problem)) return false;
    const { parameter, at } = error.reply;
    if (parameter === 'm') return cutLine(explorer, server, from, nodes, at ?? 0);
    if (parameter !== 'p') return false;
    // The start cannot be read: the game's own start is shown, without moves.
    state.start = null;
    state.root.children = [];
    state.at = state.root;
    return loadLine(explorer, server, state.root, []);
  }
}

/**
 * Takes the first move that cannot be played, with all that follows it, out of a line.
 * @param {Explorer} explorer
 * @param {GameServer} server
 * @param {TreeNode} from
 * @param {TreeNode[]} nodes
 * @param {number} at offset of the move in the list of moves, in bytes
 * @returns {Promise<boolean>}
 */
async function cutLine(explorer, server, from, nodes, at) {
  const { state } = explorer;
  const path = [...pathTo(from), ...nodes];
  let offset = 0;
  const damaged = path.slice(1).find((node) => {
    offset += new TextEncoder().encode(node.move).length + 1;
    return offset > at;
  });
  const parent = damaged?.parent ?? null;
  if (!damaged || !parent) return false;
  parent.children = parent.children.filter((child) => child !== damaged);
  if (pathTo(state.at).includes(damaged)) state.at = parent;
  const index = nodes.indexOf(damaged);
  return index < 0 || loadLine(explorer, server, from, nodes.slice(0, index));
}
