// The games that were looked at last, each with its address, kept by the browser.

import { writeAddress } from '../model/address.js';

const KEY = 'hindsight.recent';
const MOST = 8;

/** @typedef {{id: string, address: string, plies: number}} Recent */

/** @returns {Recent[]} */
export function recentGames() {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const isRecent = (/** @type {any} */ one) => typeof one?.id === 'string' && typeof one?.address === 'string';
    return Array.isArray(read) ? read.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/**
 * Keeps the address of a game with moves.
 * @param {import('../model/address.js').PageState} state
 */
export function remember(state) {
  const { id } = state;
  if (id === null || (state.root.children.length === 0 && state.start === null)) return;
  let plies = 0;
  for (let at = state.root.children[0]; at; at = at.children[0]) plies += 1;
  const others = recentGames().filter((one) => one.id !== id);
  const recent = [{ id, address: writeAddress(state), plies }, ...others].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
