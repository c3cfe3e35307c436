// Keys of the whole page. Keys of the board are in `board/grid_keys.js`.

import { VIEWS, openHelp } from './views/frame.js';
import { isSilent } from './views/board_area.js';
import { isEditing } from './views/setup/editor.js';

/** @typedef {import('./explorer.js').Explorer} Explorer */

/** What each key does, as the help lists it. */
export const KEYS = [
  ['\u2190 \u2192, k j', 'one ply back, one forward'],
  ['\u2191 \u2193', 'first position, last position'],
  ['Shift+\u2191 Shift+\u2193', 'the same ply on another line'],
  ['Shift+\u2190', 'back to where this line leaves another'],
  ['Space', 'play the best move; hold it to see the whole line'],
  ['f', 'flip the board'],
  ['b', 'go to the board'],
  ['m', 'go to the moves'],
  ['1 to 6', 'moves, game, play, set up, table, puzzles'],
  ['n', 'take back, in Play and Set up; next puzzle, in Puzzles'],
  ['Esc', 'forget what is chosen; close this'],
  ['?', 'this list'],
];

/** What keys do on the board. */
export const BOARD_KEYS = [
  ['arrows', 'from square to square'],
  ['Enter', 'choose a piece, then where it goes'],
  ['h, v', 'show a fence to the north-east of the square; again: place it'],
  ['Delete', 'take what stands here off the board, in Set up'],
  ['Esc', 'forget what is chosen'],
];

/** Shortest time between best moves while the key is held, in milliseconds. */
const PACE = 130;
let playedLast = 0;

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
  b: () => focus('[role="grid"] [tabindex="0"]'),
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

/**
 * Plays the best move: of the best line from here where values are known, so that a held key asks for one line
 * and not for one a ply; else the first of the analysed moves.
 * @param {Explorer} explorer
 * @param {boolean} [isHeld]
 */
export async function playBest(explorer, isHeld = false) {
  const now = performance.now();
  if (isSilent(explorer) || isEditing(explorer) || !explorer.isSettled || explorer.isOver || (isHeld && now - playedLast < PACE)) return;
  playedLast = now;
  const { server, table, state } = explorer;
  const { position } = state.at;
  if (!server || position === null) return;
  if (table?.values === 'analysis' || !table) {
    const best = explorer.values?.moves[0];
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
