// The best line from the shown position: to the end of the game or, in a draw, into a cycle.

import { h } from '../dom/render.js';
import { addMove } from '../model/tree.js';
import { sentence } from '../loader.js';

/** @typedef {import('../explorer.js').Explorer} Explorer */
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
  const end = isCut ? ' and so on' : repeats ? ', and again from there' : ', the end';
  return h('section', null, h('h3', null, 'Best line'),
    h('p', { class: 'line' }, line.map((ply) => ply.move).join(' '), end),
    h('button', { type: 'button', onclick: () => keepLine(explorer, kept.line) }, 'Add it to the game'));
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
    if (kept.position === position) kept.fault = sentence(error);
  }
  explorer.onChange();
}

/**
 * @param {Explorer} explorer
 * @param {LineReply | null} line
 */
function keepLine(explorer, line) {
  let at = explorer.state.at;
  if (line?.position !== at.position) return;
  for (const ply of line.line) at = addMove(at, ply.move, ply.to);
  explorer.writeState(true);
  explorer.loader.load();
}
