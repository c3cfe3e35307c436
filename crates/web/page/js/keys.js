// Keys of the whole page. Keys of the board are in `board/grid_keys.js`.

import { playBest } from './views/best_move.js';
import { focusBoard } from './dom/focus.js';
import { openHelp } from './views/help.js';
import { VIEWS, isEditing } from './views/views.js';

/** @typedef {import('./state/explorer.js').Explorer} Explorer */

/**
 * Listens to keys that are meant for no part of the page alone.
 * @param {Explorer} explorer
 */
export function listenToKeys(explorer) {
  document.addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (explorer.isHelpOpen || target.closest('input, textarea, select, dialog')) return;
    const isButton = target.closest('button:not([aria-selected="true"]), a, [role="button"], summary') !== null;
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    if (act(explorer, event)) event.preventDefault();
  });
}

/**
 * @param {Explorer} explorer
 * @param {KeyboardEvent} event
 * @returns {boolean} true if the key has a meaning
 */
function act(explorer, event) {
  if (event.key === '?') {
    openHelp(explorer);
    return true;
  }
  if (explorer.state.id === null) return false;
  const view = VIEWS[Number(event.key) - 1];
  if (view) {
    explorer.show(view.name);
    return true;
  }
  const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
  const action = ACTIONS[key];
  if (!action || (isEditing(explorer) && !EDITOR_KEYS.has(key))) return false;
  action(explorer, event);
  return true;
}

/** @type {Record<string, (explorer: Explorer, event: KeyboardEvent) => void>} */
const ACTIONS = {
  ArrowLeft: (explorer) => explorer.back(),
  k: (explorer) => explorer.back(),
  ArrowRight: (explorer) => explorer.forward(),
  j: (explorer) => explorer.forward(),
  ArrowUp: (explorer) => explorer.first(),
  ArrowDown: (explorer) => explorer.last(),
  'Shift+ArrowUp': (explorer) => explorer.otherLine(-1),
  'Shift+ArrowDown': (explorer) => explorer.otherLine(1),
  'Shift+ArrowLeft': (explorer) => explorer.leaveVariation(),
  f: (explorer) => explorer.flip(),
  ' ': (explorer, event) => void playBest(explorer, event.repeat),
  b: focusBoard,
  m: (explorer) => {
    explorer.show('moves');
    requestAnimationFrame(() => focus('.move-row'));
  },
  n: () => click('[data-key="n"]'),
  Escape: (explorer) => {
    explorer.forgetChoice();
    explorer.onChange();
  },
};

/** Keys that have a meaning while a position is put together; the game stands still then. */
const EDITOR_KEYS = new Set(['f', 'b', 'm', 'n']);

/** @param {string} selector */
function focus(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
}

/** @param {string} selector */
function click(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}
