// What a click on the board does: the kinds of pieces, the marks, moving and taking off.

import { h } from '../../dom/render.js';
import { letDrag } from '../../dom/drag.js';
import { lieOf } from '../../board/board.js';
import { seenStep } from '../../model/geometry.js';
import { colorsOf, markShape, pieceShape } from '../../board/pieces.js';
import { cellUnder } from '../../board/pointer.js';
import { pieceName } from '../../model/moves.js';
import { choose, editorOf } from './editor.js';
import { place } from './scene.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./editor.js').Tool} Tool */

/** Arrows to four sides. */
const MOVE = 'M 0 -42 V 42 M -42 0 H 42 M -11 -31 l 11 -11 11 11 M -11 31 l 11 11 11 -11 M -31 -11 l -11 11 11 11'
  + ' M 31 -11 l 11 11 -11 11';

/**
 * @param {Explorer} explorer
 * @param {import('./editor.js').Editor} editor
 */
export function paletteView(explorer, editor) {
  const { setup, shown: { board } } = editor;
  const lie = lieOf(board, explorer.state.isFlipped);
  const chosen = nameOf(editor.tool, board);
  const tool = (/** @type {Tool} */ one, /** @type {any} */ picture) => {
    const name = nameOf(one, board);
    const isChosen = name === chosen;
    const created = (/** @type {HTMLElement} */ element) =>
      letDrag(element, (target, at) => drop(explorer, one, target, at));
    return h('button', {
      class: isChosen ? 'tool is-chosen' : 'tool', key: name, type: 'button', 'aria-pressed': String(isChosen),
      onclick: () => choose(explorer, editor, { tool: one }), created: one === 'move' ? null : created,
    }, h('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true' }, picture), h('span', null, name));
  };
  return [
    h('div', { class: 'palette', role: 'group', 'aria-label': 'A click on the board' },
      tool('move', h('path', { class: 'sign', d: MOVE })),
      setup.pieces.map((kind) => tool(kind, h('g', { class: `piece ${colorsOf(board.seats[kind.player ?? 2])}` },
        pieceShape(kind, (step) => seenStep(lie, step))))),
      setup.marks.map((mark) => tool({ mark }, markShape({ kind: mark, cell: '', player: null }, undefined, false))),
      tool('erase', h('path', { class: 'sign', d: 'M -30 -30 l 60 60 M 30 -30 l -60 60' }))),
    h('p', { class: 'small' }, hintOf(editor.tool, board)),
  ];
}

/**
 * @param {Tool} tool
 * @param {Board} board
 */
function nameOf(tool, board) {
  if (typeof tool === 'string') return tool === 'move' ? 'Move' : 'Take off';
  if ('mark' in tool) return tool.mark;
  return pieceName({ ...board, pieces: [{ ...tool, cell: '' }] }, '');
}

/**
 * @param {Tool} tool
 * @param {Board} board
 */
function hintOf(tool, board) {
  const cards = board.cards_aside.length ? ' Two cards chosen one after the other change places.' : '';
  if (tool === 'move') {
    const fences = board.has_fences ? ' A click between squares adds a fence, or takes it away.' : '';
    return `Drag pieces, also off the board; or choose a piece, then a square.${fences}${cards}`;
  }
  if (tool === 'erase') return 'A click on a square takes off what stands there.';
  if ('mark' in tool) return `A click on a square puts the ${tool.mark} there.`;
  return `A click on a square puts a ${nameOf(tool, board)} there; another one takes it off.`;
}

/**
 * Puts what was dragged onto the board.
 * @param {Explorer} explorer
 * @param {Tool} tool
 * @param {Element} target
 * @param {PointerEvent} at
 */
function drop(explorer, tool, target, at) {
  const svg = target.closest('svg.board');
  const cell = svg instanceof SVGSVGElement ? cellUnder(svg, at) : null;
  const editor = editorOf(explorer);
  if (cell && editor) place(explorer, editor, tool, cell);
}
