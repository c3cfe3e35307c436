// The board by mouse and touch: clicks, drags, and fences near the lines between cells.

import { DRAG_FROM } from '../dom/drag.js';
import { CELL, MARGIN, cellAt, cellName, cellOf, cornerOf, fenceAt } from '../model/geometry.js';

/**
 * @typedef {object} PointerHandlers
 * @property {(cell: string) => boolean} canDrag
 * @property {(from: string) => void} dragStarted
 * @property {(from: string, goal: string | null) => void} dropped
 * @property {(goal: string) => void} clicked a cell, or a way off the board
 * @property {(fence: import('../model/geometry.js').FencePlace | null, isTouch: boolean, isClick: boolean) => boolean} fence
 *   true if there can be a fence
 * @property {(cell: string | null) => void} hovered
 */

/**
 * Listens to the pointers of a board.
 * @param {SVGSVGElement} svg
 * @param {() => PointerHandlers} handlers
 */
export function listenToPointers(svg, handlers) {
  /** @type {{id: number, x: number, y: number, cell: string | null, exit: string | null, piece: SVGElement | null,
   *   isDrag: boolean} | null} */
  let press = null;

  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const cell = cellAt(lieOf(svg), spotOf(svg, event));
    const target = /** @type {Element} */ (event.target);
    const exit = target.closest('[data-exit]')?.getAttribute('data-exit') ?? null;
    // A quick pointer may leave the board before it has moved there.
    if (cell && handlers().canDrag(cell)) svg.setPointerCapture(event.pointerId);
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, cell, exit, piece: null, isDrag: false };
  });

  svg.addEventListener('pointermove', (event) => {
    // A mouse that was released elsewhere presses nothing any more.
    if (press && event.pointerType === 'mouse' && event.buttons === 0) release(event, true);
    if (!press) {
      if (event.pointerType === 'mouse') hover(svg, event, handlers());
      return;
    }
    if (press.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.isDrag && press.cell && Math.hypot(dx, dy) >= DRAG_FROM && handlers().canDrag(press.cell)) {
      press.isDrag = true;
      handlers().dragStarted(press.cell);
      // Marks are drawn before pieces, so a piece is the last one on its cell.
      const drawn = svg.querySelectorAll(`[data-mark="${press.cell}"], [data-piece="${press.cell}"]`);
      press.piece = /** @type {SVGElement | null} */ ([...drawn].at(-1) ?? null);
      press.piece?.classList.add('is-dragged');
    }
    if (!press.isDrag || !press.piece) return;
    const scale = svg.getScreenCTM()?.a ?? 1;
    press.piece.style.transform = `translate(${dx / scale}px, ${dy / scale}px) scale(1.12)`;
  });

  const release = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isLost) => {
    if (!press || press.id !== event.pointerId) return;
    const { cell, exit, isDrag, piece, x, y } = press;
    press = null;
    piece?.classList.remove('is-dragged');
    if (piece) piece.style.transform = '';
    const spot = spotOf(svg, event);
    if (isLost) {
      if (isDrag && cell) handlers().dropped(cell, cell);
    } else if (isDrag && cell) {
      handlers().dropped(cell, goalAt(svg, spot, cell));
    } else if (Math.hypot(event.clientX - x, event.clientY - y) < 12) {
      click(svg, event, exit, handlers());
    }
  };
  svg.addEventListener('pointerup', (event) => release(event, false));
  svg.addEventListener('pointercancel', (event) => release(event, true));
  svg.addEventListener('pointerleave', (event) => {
    // A finger that is lifted leaves, too, and what it showed is to stay.
    if (event.pointerType !== 'mouse') return;
    handlers().hovered(null);
    handlers().fence(null, false, false);
  });
}

/**
 * @param {SVGSVGElement} svg
 * @param {PointerEvent} event
 * @param {PointerHandlers} handlers
 */
function hover(svg, event, handlers) {
  const spot = spotOf(svg, event);
  const isFence = handlers.fence(fenceAt(lieOf(svg), spot), false, false);
  if (!isFence) handlers.hovered(cellAt(lieOf(svg), spot));
}

/**
 * @param {SVGSVGElement} svg
 * @param {PointerEvent} event
 * @param {string | null} exit
 * @param {PointerHandlers} handlers
 */
function click(svg, event, exit, handlers) {
  const spot = spotOf(svg, event);
  if (exit) {
    handlers.clicked(exit);
    return;
  }
  if (handlers.fence(fenceAt(lieOf(svg), spot), event.pointerType !== 'mouse', true)) return;
  const cell = cellAt(lieOf(svg), spot);
  if (!cell) return;
  handlers.clicked(cell);
  const element = svg.querySelector(`[data-cell="${cell}"]`);
  const hasFocus = svg.contains(document.activeElement);
  if (hasFocus && element instanceof SVGElement) element.focus({ preventScroll: true });
}

/**
 * Returns the goal of a drag: a cell, or the side at which it left the board.
 * @param {SVGSVGElement} svg
 * @param {{x: number, y: number}} spot
 * @param {string} from
 */
function goalAt(svg, spot, from) {
  const lie = lieOf(svg);
  const cell = cellAt(lie, spot);
  if (cell) return cell;
  const { x, y } = cornerOf(lie, from);
  const across = spot.x > x + CELL ? 1 : spot.x < x ? -1 : 0;
  const down = spot.y > y + CELL ? 1 : spot.y < y ? -1 : 0;
  const reach = 2 * MARGIN;
  const isNear = spot.x > -reach && spot.y > -reach
    && spot.x < lie.columns * CELL + reach && spot.y < lie.rows * CELL + reach;
  if (!isNear || (across !== 0 && down !== 0)) return null;
  return lie.isFlipped ? `off:${-across || 0},${down}` : `off:${across},${-down || 0}`;
}

/**
 * Returns the cell of a board at a place of the window.
 * @param {SVGSVGElement} svg
 * @param {{clientX: number, clientY: number}} at
 */
export function cellUnder(svg, at) {
  return cellAt(lieOf(svg), spotOf(svg, at));
}

/** @param {SVGSVGElement} svg */
function lieOf(svg) {
  return {
    columns: Number(svg.getAttribute('data-columns')),
    rows: Number(svg.getAttribute('data-rows')),
    isFlipped: svg.hasAttribute('data-flipped'),
  };
}

/**
 * @param {SVGSVGElement} svg
 * @param {{clientX: number, clientY: number}} at
 */
function spotOf(svg, { clientX, clientY }) {
  const matrix = svg.getScreenCTM();
  const point = new DOMPoint(clientX, clientY);
  return matrix ? point.matrixTransform(matrix.inverse()) : point;
}

/**
 * Shows the pieces of a move on their way, unless the person asked for less motion.
 * @param {SVGSVGElement} svg
 * @param {LegalMove} move
 */
export function showMotion(svg, { drawing }) {
  if (!drawing || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { from, to, pushed } = drawing;
  if (!from || !to) return;
  const lie = lieOf(svg);
  const step = cellStep(from, pushed[0] ?? to);
  const arrived = [[from, to], ...pushed.map((cell) => [cell, moved(cell, step)])];
  for (const [start = '', end = ''] of arrived) {
    const piece = svg.querySelector(`[data-piece="${end}"]`);
    const [before, after] = [cornerOf(lie, start), cornerOf(lie, end)];
    const shift = `translate(${before.x - after.x}px, ${before.y - after.y}px)`;
    piece?.animate([{ transform: shift }, { transform: 'none' }], { duration: 160, easing: 'ease-out' });
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {[number, number]}
 */
function cellStep(from, to) {
  const [[column, row], [toColumn, toRow]] = [cellOf(from), cellOf(to)];
  return [Math.sign(toColumn - column), Math.sign(toRow - row)];
}

/**
 * @param {string} cell
 * @param {[number, number]} step
 */
function moved(cell, [right, up]) {
  const [column, row] = cellOf(cell);
  return cellName(column + right, row + up);
}
