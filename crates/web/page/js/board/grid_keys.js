// The board by keys: arrows go from cell to cell, Enter and Space choose, h and v show a fence, Escape forgets.

import { isPointed } from '../dom/focus.js';

/** Keys that step through the game, or play the best move, after a click on the board. */
const GAME_KEYS = new Set([' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);

/**
 * @param {import('./board.js').BoardProps} props
 * @returns {(event: KeyboardEvent) => void}
 */
export function gridKeys(props) {
  return (event) => {
    const cell = /** @type {Element} */ (event.target).closest('[data-cell]');
    const name = cell?.getAttribute('data-cell');
    if (!cell || !name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!props.on.key && GAME_KEYS.has(event.key) && isPointed(cell)) return;
    if (!act(props, event, cell, name)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/**
 * @param {import('./board.js').BoardProps} props
 * @param {KeyboardEvent} event
 * @param {Element} cell
 * @param {string} name
 * @returns {boolean} true if the key has a meaning here
 */
function act(props, event, cell, name) {
  switch (event.key) {
    case 'ArrowLeft':
      return focus(cell.previousElementSibling);
    case 'ArrowRight':
      return focus(cell.nextElementSibling);
    case 'ArrowUp':
      return focus(inRow(cell, cell.parentElement?.previousElementSibling));
    case 'ArrowDown':
      return focus(inRow(cell, cell.parentElement?.nextElementSibling));
    case 'Home':
      return focus(cell.parentElement?.firstElementChild);
    case 'End':
      return focus(cell.parentElement?.lastElementChild);
    case 'Enter':
    case ' ':
      props.on.goal(name);
      return true;
    case 'Escape':
      props.on.cancel();
      return true;
    case 'h':
    case 'v':
      if (!props.board.has_fences) return false;
      props.on.fenceKey(name, event.key);
      return true;
    default:
      return props.on.key?.(name, event.key) ?? false;
  }
}

/**
 * @param {Element} cell
 * @param {Element | null | undefined} row
 */
function inRow(cell, row) {
  const index = [...(cell.parentElement?.children ?? [])].indexOf(cell);
  return row?.children[index];
}

/** @param {Element | null | undefined} cell */
function focus(cell) {
  if (cell instanceof SVGElement) cell.focus();
  return true;
}
