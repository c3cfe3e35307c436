// Which puzzles were solved, kept by the browser.

import { MARKS } from '../model/puzzle.js';

const KEY = 'hindsight.puzzles';
const MOST = 500;

/** @typedef {import('../model/puzzle.js').Mark} Mark */

/** @returns {Record<string, Mark>} by game and position */
export function readMarks() {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return Object.fromEntries(Object.entries(read ?? {}).filter(([, mark]) => Object.hasOwn(MARKS, mark)));
  } catch {
    return {};
  }
}

/**
 * @param {string} puzzle game and position
 * @param {Mark} mark
 */
export function writeMark(puzzle, mark) {
  const { [puzzle]: _, ...others } = readMarks();
  const entries = [...Object.entries(others), [puzzle, mark]].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
