// The puzzles to choose from, and the form that finds them.

import { h } from '../dom/render.js';
import { showBoard } from '../dom/focus.js';
import { MARKS, gradeWords, starsOf } from '../model/puzzle.js';
import { counted, pliesText, withCommas } from '../model/values.js';
import { readMarks } from '../state/marks.js';

/** @typedef {import('../state/puzzler.js').Puzzler} Puzzler */

const THEMES = /** @type {Record<string, string>} */ ({
  '': 'any win', sacrifice: 'sacrifice: give a piece up', quiet: 'quiet: the only winning move takes nothing',
  only: 'only move: all others lose', swindle: 'swindle: the one move that saves the draw',
});

/**
 * Stars as a picture with words.
 * @param {number} count
 */
export function stars(count) {
  return h('span', { class: 'stars', role: 'img', 'aria-label': `difficulty ${count} of 5` },
    '\u2605'.repeat(count), h('span', null, '\u2606'.repeat(5 - count)));
}

/** @param {Puzzler} puzzler */
export function puzzleList(puzzler) {
  const { search } = puzzler;
  const { reply } = search;
  const marks = readMarks();
  return h('section', null,
    h('h3', null, 'Puzzles'),
    search.isBusy && h('p', { class: 'small busy' }, 'Looking for puzzles \u2026'),
    search.fault && h('p', { class: 'fault', role: 'alert' }, search.fault),
    reply && !search.fault && h('p', { class: 'small', role: 'status' }, foundWords(reply)),
    h('ol', { class: 'puzzle-list', role: 'list' }, search.puzzles.map((puzzle, index) => {
      const isChosen = puzzle.position === puzzler.position;
      const mark = marks[puzzler.markKey(puzzle.position)];
      return h('li', { key: puzzle.position }, h('button', {
        type: 'button', class: 'puzzle-row', 'aria-current': isChosen ? 'true' : null,
        onclick: () => {
          puzzler.open(puzzle.position);
          showBoard();
        },
      },
      h('span', { class: 'small' }, `${index + 1}.`), stars(starsOf(puzzle.grade)),
      h('span', null, goalWords(puzzle), h('span', { class: 'small' }, ` ${gradeWords(puzzle.grade)}`)),
      mark && h('span', { class: `puzzle-mark is-${mark}` }, MARKS[mark])));
    })));
}

/**
 * Says what the solver of a puzzle reaches.
 * @param {PuzzleReply} puzzle
 */
export function goalWords({ player, value, remoteness }) {
  if (value === 'draw') return `${player} draws`;
  return `${player} wins${remoteness === null ? '' : ` in ${pliesText(remoteness)}`}`;
}

/** @param {PuzzlesReply} reply */
function foundWords({ found, puzzles, scanned, is_cut: isCut }) {
  const places = `among ${counted(scanned.positions, 'position')} drawn at random`;
  const cut = isCut ? ' The time was over before all were looked at; there may be more.' : '';
  if (!found) return `None was found ${places}. Look for other themes, or for fewer or more plies.${cut}`;
  const few = found < 10 ? ' Other themes or numbers of plies may have more.' : '';
  const of = found > puzzles.length ? `The hardest ${puzzles.length} of ${withCommas(found)}`
    : found === 1 ? 'One was' : `All ${withCommas(found)}`;
  return `${of} found ${places}.${cut}${few}`;
}

/**
 * @param {Puzzler} puzzler
 * @param {string[]} themes
 */
export function puzzleForm({ search }, themes) {
  const { form } = search;
  const set = (/** @type {keyof typeof form} */ key) => (/** @type {Event} */ event) => {
    form[key] = /** @type {HTMLInputElement} */ (event.target).value;
  };
  const plies = (/** @type {'fewest' | 'most'} */ key, /** @type {string} */ words) =>
    h('label', { class: 'field' }, words, h('input', {
      type: 'number', min: 1, max: 65535, value: form[key], placeholder: 'any', oninput: set(key),
      disabled: form.theme === 'swindle',
    }));
  return h('form', {
    class: 'row',
    onsubmit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      void search.find();
    },
  },
  h('label', { class: 'field' }, 'Theme', h('select', {
    value: form.theme,
    onchange: (/** @type {Event} */ event) => {
      set('theme')(event);
      void search.find();
    },
  }, ['', ...themes].map((theme) => h('option', { value: theme }, THEMES[theme] ?? theme)))),
  plies('fewest', 'Fewest plies'), plies('most', 'Most plies'),
  h('button', { type: 'submit' }, 'Find'),
  h('button', { type: 'button', onclick: () => void search.findOthers() }, 'Find others'));
}
