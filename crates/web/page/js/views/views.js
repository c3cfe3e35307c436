// The views beside the board. Moves and Game come with the page; the others are loaded after the first paint.

import { gameView } from './game.js';
import { movesView } from './moves.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/**
 * A view beside the board.
 * @typedef {object} View
 * @property {(explorer: Explorer) => any} panel
 * @property {(explorer: Explorer) => any} [status] words in place of the value, if there are any
 * @property {boolean} [staysInSight] true if these words are seen wherever the page is scrolled to
 * @property {(explorer: Explorer) => import('./board_area.js').Scene | null} [scene] the board while a person
 *   edits it; null while the board shows the game
 * @property {(explorer: Explorer) => any} [below] what stands below the board while a person edits it
 */

/**
 * Views in their order. One that is silent hides values, so that a person finds out alone what a move is worth.
 * @type {{name: string, title: string, isSilent?: boolean, load?: () => Promise<{view: View}>}[]}
 */
export const VIEWS = [
  { name: 'moves', title: 'Moves' },
  { name: 'game', title: 'Game' },
  { name: 'play', title: 'Play', isSilent: true, load: () => import('./play.js') },
  { name: 'setup', title: 'Set up', load: () => import('./setup.js') },
  { name: 'table', title: 'Table', load: () => import('./table.js') },
  { name: 'puzzles', title: 'Puzzles', isSilent: true, load: () => import('./puzzles.js') },
];

/** @type {Map<string, View>} */
const loaded = new Map([['moves', { panel: movesView }], ['game', { panel: gameView }]]);

/** Loads the views that did not come with the page, the open one first. @param {Explorer} explorer */
export async function loadViews(explorer) {
  for (const { name, load } of [openEntry(explorer), ...VIEWS]) {
    if (!load || loaded.has(name)) continue;
    try {
      loaded.set(name, (await load()).view);
    } catch {
      loaded.set(name, { panel: () => 'This part of the page could not be loaded. Reload the page to try again.' });
    }
    explorer.onChange();
  }
}

/** The entry of the view that is open. @param {Explorer} explorer */
export function openEntry({ state }) {
  return VIEWS.find((view) => view.name === state.view) ?? /** @type {typeof VIEWS[0]} */ (VIEWS[0]);
}

/** The view that is open; null while it is being loaded. @param {Explorer} explorer */
export function openView(explorer) {
  return loaded.get(openEntry(explorer).name) ?? null;
}

/** The board that a person edits; null while the board shows the game. @param {Explorer} explorer */
export function editedScene(explorer) {
  return openView(explorer)?.scene?.(explorer) ?? null;
}

/** True if a person edits the board. @param {Explorer} explorer */
export function isEditing(explorer) {
  return editedScene(explorer) !== null;
}

/** True if the open view hides values. @param {Explorer} explorer */
export function isSilent(explorer) {
  return openEntry(explorer).isSilent === true;
}
