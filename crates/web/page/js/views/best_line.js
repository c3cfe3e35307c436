// The best line from the shown position: to the end of the game or, in a draw, into a cycle.

import { h } from '../dom/render.js';
import { addMove } from '../model/tree.js';
import { errorSentence } from '../server/client.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {{view: string, position: string | null, line: LineReply | null, fault: string | null}} BestLine */

/**
 * @param {Explorer} explorer
 * @param {ValuesReply} values
 */
export function bestLineView(explorer, values) {
  const kept = explorer.kept('moves', () => /** @type {BestLine} */ ({ view: 'moves', position: null, line: null, fault: null }));
  const isHere = kept.position === values.position;
  if (explorer.table?.values === 'analysis') return analysedLine(values);
  if (!isHere) {
    return h('button', { type: 'button', onclick: () => void ask(explorer, kept, values.position) }, 'Show the best line');
  }
  if (kept.fault) return h('p', { class: 'fault' }, kept.fault);
  if (!kept.line) return h('p', { class: 'small busy' }, 'The line is on its way \u2026');
  const { line, repeats, is_cut: isCut } = kept.line;
  const end = isCut ? ' and so on' : repeats ? ' and round again' : ', the end';
  return h('section', null, h('h3', null, 'Best line'),
    h('p', { class: 'line' }, line.map((ply, index) => h('button', {
      type: 'button', class: 'tree-move', key: index, onclick: () => keepLine(explorer, kept.line, index + 1),
    }, ply.move)), end),
    h('button', { type: 'button', onclick: () => keepLine(explorer, kept.line, 0) }, 'Add it to the game'));
}

/** @param {ValuesReply} values */
function analysedLine({ moves }) {
  const line = moves[0]?.line ?? [];
  return line.length > 1 && h('section', null, h('h3', null, 'Best line found'), h('p', { class: 'line' }, line.join(' ')));
}

/**
 * @param {Explorer} explorer
 * @param {BestLine} kept
 * @param {string} position
 */
async function ask(explorer, kept, position) {
  kept.position = position;
  kept.line = null;
  kept.fault = null;
  explorer.onChange();
  try {
    const line = await explorer.server?.line(position) ?? null;
    if (kept.position === position) kept.line = line;
  } catch (error) {
    if (kept.position === position) kept.fault = errorSentence(error);
  }
  explorer.onChange();
}

/**
 * Adds the line to the game, and shows the position after some of its plies.
 * @param {Explorer} explorer
 * @param {LineReply | null} line
 * @param {number} plies
 */
function keepLine(explorer, line, plies) {
  const nodes = [explorer.state.at];
  if (line?.position !== explorer.state.at.position) return;
  for (const ply of line.line) nodes.push(addMove(nodes[nodes.length - 1] ?? explorer.state.at, ply.move, ply.to));
  explorer.writeState(true);
  explorer.go(nodes[plies] ?? explorer.state.at);
}
