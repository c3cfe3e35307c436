// Positions and games from texts and files.

import { h } from '../../dom/render.js';
import { partsAt } from '../../model/pasted.js';
import { openFile, openRecord, openText } from './opening.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./opening.js').PasteState} PasteState */

/** Games that are listed of a file. */
const MOST_GAMES = 2000;

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 */
export function pasteView(explorer, paste) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void openText(explorer, paste, paste.text);
  };
  return h('section', null, h('h2', null, 'Open a text'),
    h('form', {
      onsubmit: submit,
      ondragover: (/** @type {Event} */ event) => event.preventDefault(),
      ondrop: (/** @type {DragEvent} */ event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        void openFile(explorer, paste, file);
      },
    },
    h('label', { class: 'field' }, 'A position, moves, a game record, or a link',
      h('textarea', {
        rows: 2, value: paste.text, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', key: 'paste',
        'aria-describedby': 'paste-fault',
        oninput: (/** @type {Event} */ event) => {
          paste.text = /** @type {HTMLTextAreaElement} */ (event.target).value;
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === 'Enter' && !event.shiftKey) submit(event);
        },
      })),
    h('div', { class: 'row' },
      h('button', { type: 'submit', disabled: paste.isBusy }, 'Open'),
      h('label', { class: 'button' }, 'From a file \u2026', h('input', {
        type: 'file', class: 'spoken', accept: '.jsonl,.json,.txt,.pgn',
        onchange: (/** @type {Event} */ event) => {
          const field = /** @type {HTMLInputElement} */ (event.target);
          const file = field.files?.[0];
          field.value = '';
          if (file) void openFile(explorer, paste, file);
        },
      })),
      h('span', { class: 'small' }, 'as match --games writes it; or drop it here')),
    h('div', { id: 'paste-fault', role: 'status' },
      paste.problem && [
        h('p', { class: 'fault' }, paste.problem.detail),
        h('p', { class: 'mono position-text' }, faultyText(paste.problem.text, paste.problem.at)),
      ],
      paste.fault && h('p', { class: 'fault' }, paste.fault),
      paste.notes.map((note) => h('p', { class: 'fault' }, note)))),
    paste.games.length > 0 && gamesView(explorer, paste));
}

/**
 * A text with a mark where it is wrong.
 * @param {string} text
 * @param {number} at offset in bytes
 */
export function faultyText(text, at) {
  const [before, sign, after] = partsAt(text, at);
  const shown = sign.trim() ? sign : '\u2423';
  return [h('span', null, before), h('mark', { class: 'wrong-sign' }, shown), h('span', null, after)];
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 */
function gamesView(explorer, paste) {
  const { games } = paste;
  const open = () => {
    const game = games[paste.chosen];
    if (game) openRecord(explorer, paste, game);
  };
  const cut = games.length > MOST_GAMES ? `; the first ${MOST_GAMES} are listed` : '';
  return h('form', {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      open();
    },
  },
  h('label', { class: 'field' }, `${games.length} games to choose from${cut}`,
    h('select', {
      size: Math.min(8, Math.max(2, games.length)), key: 'games', value: String(paste.chosen), ondblclick: open,
      onchange: (/** @type {Event} */ event) => {
        paste.chosen = Number(/** @type {HTMLSelectElement} */ (event.target).value);
      },
    }, games.slice(0, MOST_GAMES).map((game, index) => h('option', { value: String(index), key: index }, game.title)))),
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'main' }, 'Open this game')));
}
