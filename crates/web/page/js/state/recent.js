// The games that were looked at last, each with its address, kept by the browser. What is read may be damaged, or
// put there by another page of the same server: it is a link only if it is an address of this page.

import { readAddress } from '../model/address.js';

const KEY = 'hindsight.recent';
const MOST = 8;
/** Longest address that is kept, in characters. */
const LONGEST = 100_000;

/** @typedef {{id: string, address: string, plies: number}} Recent */

/** @returns {Recent[]} */
export function recentGames() {
  return keptGames().flatMap(({ id, address }) => {
    const { state } = readAddress(address);
    return state.id === id ? { id, address, plies: pliesOf(state) } : [];
  }).slice(0, MOST);
}

/** What is kept, the latest first, of each game once. @returns {{id: string, address: string}[]} */
function keptGames() {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const games = Array.isArray(read) ? read.filter(isGame) : [];
    return games.filter(({ id }, index) => games.findIndex((other) => other.id === id) === index);
  } catch {
    return [];
  }
}

/** @param {any} one */
function isGame(one) {
  const isText = typeof one?.id === 'string' && typeof one.address === 'string';
  return isText && one.address.startsWith('?g=') && one.address.length <= LONGEST;
}

/** Moves of the main line. @param {import('../model/address.js').PageState} state */
function pliesOf({ root }) {
  let plies = 0;
  for (let at = root.children[0]; at; at = at.children[0]) plies += 1;
  return plies;
}

/**
 * Keeps the address of a game with moves.
 * @param {import('../model/address.js').PageState} state
 * @param {string} address
 */
export function remember({ id, root, start }, address) {
  if (id === null || address.length > LONGEST || (root.children.length === 0 && start === null)) return;
  const others = keptGames().filter((one) => one.id !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ id, address }, ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
