// The board: one SVG from the data of a picture. It knows no game.

import { h } from '../dom/render.js';
import { focusBoard } from '../dom/focus.js';
import {
  CELL, MARGIN, cellName, columnName, cornerOf, exitOf, fenceMiddle, middleOf, seenStep,
} from '../model/geometry.js';
import { colorsOf, markShape, pieceShape } from './pieces.js';
import { gridKeys } from './grid_keys.js';

/** Least width of a cell, in pixels; wider boards are scrolled. */
const LEAST_CELL = 26;

/**
 * A cell as a person is to see it.
 * @typedef {object} CellLook
 * @property {string} label spoken name
 * @property {string} [classes]
 * @property {{tone: string, letter: string} | null} [target] the cell is the goal of a move
 */

/**
 * @typedef {object} BoardProps
 * @property {Board} board
 * @property {boolean} isFlipped
 * @property {string} label
 * @property {(cell: string) => CellLook} look
 * @property {{from: string, step: [number, number], goal: string, tone: string, letter: string}[]} exits
 * @property {Fence | null} ghost a fence that is shown before it is placed
 * @property {{from: string, to: string, tone: string} | {fence: Fence, tone: string} | null} arrow
 * @property {string | null} fault cell or fence that is wrong
 * @property {string | null} lastFence fence that was placed last
 * @property {string[]} fading cells of pieces that a move would take off the board
 * @property {BoardHandlers} on
 * @property {(svg: SVGSVGElement) => void} [created]
 */

/**
 * @typedef {object} BoardHandlers
 * @property {(goal: string) => void} goal a cell or a way off the board was chosen
 * @property {(cell: string, direction: 'h' | 'v') => void} fenceKey
 * @property {() => void} cancel
 * @property {(cell: string, key: string) => boolean} [key] any other key; true if it has a meaning
 */

/**
 * @param {Board} board
 * @param {boolean} isFlipped
 */
export function lieOf({ columns, rows }, isFlipped) {
  return { columns, rows, isFlipped };
}

/** @param {BoardProps} props */
export function boardView(props) {
  const { board, isFlipped } = props;
  const lie = lieOf(board, isFlipped);
  const width = board.columns * CELL + 2 * MARGIN;
  const height = board.rows * CELL + 2 * MARGIN;
  return h('svg', {
    class: 'board', minWidth: `${board.columns * LEAST_CELL}px`, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, created: props.created,
    role: 'group', 'aria-label': props.label,
    'data-columns': board.columns, 'data-rows': board.rows, 'data-flipped': isFlipped,
  },
  h('rect', { class: 'frame', x: -3, y: -3, width: board.columns * CELL + 6, height: board.rows * CELL + 6, rx: 5 }),
  names(lie),
  cells(props, lie),
  h('g', { class: 'marks', 'aria-hidden': 'true' }, board.marks.map((mark) => boardMark(props, lie, mark))),
  h('g', { class: 'pieces', 'aria-hidden': 'true' }, board.pieces.map((piece) => {
    const { x, y } = middleOf(lie, piece.cell);
    const seat = piece.player === null ? undefined : board.seats[piece.player === 0 ? 0 : 1];
    const fades = props.fading.includes(piece.cell) ? ' fades' : '';
    return h('g', { key: piece.cell, transform: `translate(${x} ${y})` },
      h('g', { class: `piece ${colorsOf(seat)}${fades}`, 'data-piece': piece.cell },
        pieceShape(piece, (step) => seenStep(lie, step))));
  })),
  h('g', { class: 'fences', 'aria-hidden': 'true' },
    board.fences.map((fence) => fenceShape(lie, fence, fenceClasses(props, fence.name))),
    props.ghost && fenceShape(lie, props.ghost, 'fence ghost')),
  h('g', { class: 'targets', 'aria-hidden': 'true' }, targets(props, lie)),
  exits(props, lie),
  h('g', { class: 'arrows', 'aria-hidden': 'true' }, arrow(props, lie)));
}

/** @param {import('../model/geometry.js').Lie} lie */
function names(lie) {
  const columns = Array.from({ length: lie.columns }, (_, column) => {
    const { x } = middleOf(lie, cellName(column, 0));
    return h('text', { x, y: lie.rows * CELL + 31 }, columnName(column));
  });
  const rows = Array.from({ length: lie.rows }, (_, row) => {
    const { y } = middleOf(lie, cellName(0, row));
    return h('text', { x: -24, y: y + 9 }, String(row + 1));
  });
  return h('g', { class: 'names', 'aria-hidden': 'true' }, columns, rows);
}

/**
 * @param {BoardProps} props
 * @param {import('../model/geometry.js').Lie} lie
 */
function cells(props, lie) {
  const { board, isFlipped } = props;
  const rows = Array.from({ length: board.rows }, (_, down) => {
    const row = isFlipped ? down : board.rows - 1 - down;
    return h('g', { role: 'row', key: row }, Array.from({ length: board.columns }, (__, across) => {
      const column = isFlipped ? board.columns - 1 - across : across;
      return cell(props, lie, cellName(column, row), (column + row) % 2 === 0, down === 0 && across === 0);
    }));
  });
  return h('g', {
    role: 'grid', 'aria-label': props.label, onkeydown: gridKeys(props),
    created: (/** @type {Element} */ grid) => grid.addEventListener('focusin', roveFocus),
  }, rows);
}

/**
 * @param {BoardProps} props
 * @param {import('../model/geometry.js').Lie} lie
 * @param {string} name
 * @param {boolean} isDark
 * @param {boolean} isFirst
 */
function cell(props, lie, name, isDark, isFirst) {
  const { x, y } = cornerOf(lie, name);
  const look = props.look(name);
  return h('g', {
    role: 'gridcell', key: name, 'data-cell': name, 'aria-label': look.label,
    'aria-selected': look.classes?.includes('is-chosen') ? 'true' : 'false',
    class: `cell ${look.classes ?? ''}${props.fault === name ? ' is-wrong' : ''}`,
    transform: `translate(${x} ${y})`,
    created: (/** @type {Element} */ element) => element.setAttribute('tabindex', isFirst ? '0' : '-1'),
  },
  h('rect', { class: isDark ? 'square is-dark-square' : 'square', width: CELL, height: CELL }),
  h('rect', { class: 'mark', x: 3, y: 3, width: CELL - 6, height: CELL - 6, rx: 6 }));
}

/**
 * @param {BoardProps} props
 * @param {import('../model/geometry.js').Lie} lie
 * @param {Mark} mark
 */
function boardMark({ board, isFlipped }, lie, mark) {
  const { x, y } = middleOf(lie, mark.cell);
  const seat = mark.player === null ? undefined : board.seats[mark.player === 0 ? 0 : 1];
  const isAtTop = Boolean(seat) && seat?.is_at_top !== isFlipped;
  return h('g', { transform: `translate(${x} ${y})` },
    h('g', { 'data-mark': mark.cell }, markShape(mark, seat, isAtTop)));
}

/** Lets the tabulator key return to the cell that had the focus last. @param {Event} event */
function roveFocus(event) {
  const focused = /** @type {Element} */ (event.target).closest('[data-cell]');
  const grid = /** @type {Element} */ (event.currentTarget);
  if (!focused) return;
  for (const other of grid.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
  focused.setAttribute('tabindex', '0');
}

/**
 * @param {BoardProps} props
 * @param {import('../model/geometry.js').Lie} lie
 */
function targets(props, lie) {
  const shown = [];
  for (let row = 0; row < lie.rows; row += 1) {
    for (let column = 0; column < lie.columns; column += 1) {
      const name = cellName(column, row);
      const { target } = props.look(name);
      if (!target) continue;
      const { x, y } = middleOf(lie, name);
      const isTaken = props.board.pieces.some((piece) => piece.cell === name);
      shown.push(marker(x, y, target, isTaken ? 'on-top' : ''));
    }
  }
  return shown;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {{tone: string, letter: string}} target
 * @param {string} classes
 */
function marker(x, y, { tone, letter }, classes) {
  return h('g', { class: `target tone-${tone} ${classes}`, transform: `translate(${x} ${y})` },
    h('circle', { r: letter ? 20 : 13 }), letter && h('text', { y: 9 }, letter));
}

/**
 * @param {BoardProps} props
 * @param {import('../model/geometry.js').Lie} lie
 */
function exits(props, lie) {
  return h('g', { class: 'exits' }, props.exits.map((exit) => {
    const { x, y } = exitOf(lie, exit.from, exit.step);
    const choose = () => props.on.goal(exit.goal);
    return h('g', {
      key: exit.goal, class: `exit target tone-${exit.tone}`, transform: `translate(${x} ${y})`,
      role: 'button', tabindex: '0', 'aria-label': `${exit.from} off the board`, 'data-exit': exit.goal,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        focusBoard();
        choose();
      },
    }, h('circle', { r: 21 }), h('text', { y: 9 }, exit.letter || '\u2715'));
  }));
}

/**
 * @param {BoardProps} props
 * @param {string} name
 */
function fenceClasses({ fault, lastFence }, name) {
  if (fault === name) return 'fence is-wrong';
  return lastFence === name ? 'fence is-last' : 'fence';
}

/**
 * @param {import('../model/geometry.js').Lie} lie
 * @param {Fence} fence
 * @param {string} classes
 */
function fenceShape(lie, { name, cell, is_vertical: isVertical }, classes) {
  const { x, y } = fenceMiddle(lie, cell);
  const [width, height] = isVertical ? [14, 2 * CELL - 10] : [2 * CELL - 10, 14];
  return h('rect', { key: name, class: classes, x: x - width / 2, y: y - height / 2, width, height, rx: 5 });
}

/**
 * @param {BoardProps} props
 * @param {import('../model/geometry.js').Lie} lie
 */
function arrow(props, lie) {
  const drawn = props.arrow;
  if (!drawn) return null;
  if ('fence' in drawn) return fenceShape(lie, drawn.fence, `fence ghost tone-${drawn.tone}`);
  const from = middleOf(lie, drawn.from);
  const to = arrowEnd(lie, drawn);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  const classes = `arrow tone-${drawn.tone}`;
  if (length === 0) return h('circle', { class: classes, cx: from.x, cy: from.y, r: 40 });
  const end = length - 8;
  const d = `M 18 -9 H ${end - 34} V -24 L ${end} 0 L ${end - 34} 24 V 9 H 18 Z`;
  return h('path', { class: classes, d, transform: `translate(${from.x} ${from.y}) rotate(${turn})` });
}

/**
 * @param {import('../model/geometry.js').Lie} lie
 * @param {{from: string, to: string}} arrowOfMove
 */
function arrowEnd(lie, { from, to }) {
  if (!to.startsWith('off:')) return middleOf(lie, to);
  const [right = 0, up = 0] = to.slice(4).split(',').map(Number);
  return exitOf(lie, from, [right, up]);
}
