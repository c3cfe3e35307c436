// Positions and games from texts and files.

import { h } from '../../dom/render.js';
import { sentence } from '../../loader.js';
import { addMove, newTree } from '../../model/tree.js';
import { betterFault, idOf, partsAt, readPasted } from '../../model/pasted.js';
import { readMoves } from '../../model/record.js';
import { Problem } from '../../server/client.js';

/** @typedef {import('../../explorer.js').Explorer} Explorer */

/** Largest file that is read, in bytes. */
const MOST_BYTES = 2 ** 25;
/** Games that are listed of a file. */
const MOST_GAMES = 2000;

/**
 * @typedef {object} PasteState
 * @property {string} text
 * @property {{text: string, at: number, detail: string} | null} problem where the text is wrong
 * @property {string | null} fault
 * @property {import('../../model/record.js').ReadGame[]} games games to choose from
 * @property {string[]} notes what could not be read
 * @property {boolean} isBusy
 */

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
        oninput: (/** @type {Event} */ event) => { paste.text = /** @type {HTMLTextAreaElement} */ (event.target).value; },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === 'Enter' && !event.shiftKey) submit(event);
        },
      })),
    h('div', { class: 'row' },
      h('button', { type: 'submit', disabled: paste.isBusy }, 'Open'),
      h('label', { class: 'button' }, 'From a file \u2026', h('input', {
        type: 'file', class: 'spoken', accept: '.jsonl,.json,.txt',
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
  return [h('span', null, before), h('mark', { class: 'wrong-sign' }, sign.trim() ? sign : '\u2423'), h('span', null, after)];
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 */
function gamesView(explorer, paste) {
  const { games } = paste;
  const open = (/** @type {Element | null} */ list) => {
    const game = list instanceof HTMLSelectElement ? games[Number(list.value)] : undefined;
    if (game) openRecord(explorer, paste, game);
  };
  const rest = games.length - MOST_GAMES;
  return h('form', {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      open(/** @type {Element} */ (event.target).querySelector('select'));
    },
  },
  h('label', { class: 'field' }, `${games.length} games to choose from${rest > 0 ? `; the first ${MOST_GAMES} are listed` : ''}`,
    h('select', { size: Math.min(8, Math.max(2, games.length)), key: 'games', value: '0', ondblclick: (/** @type {Event} */ event) => open(/** @type {Element} */ (event.currentTarget)) },
      games.slice(0, MOST_GAMES).map((game, index) => h('option', { value: String(index), key: index }, game.title)))),
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'main' }, 'Open this game')));
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {File} file
 */
async function openFile(explorer, paste, file) {
  if (file.size > MOST_BYTES) {
    told(explorer, paste, { fault: `${file.name} is too large: at most ${MOST_BYTES / 2 ** 20} MiB are read` });
    return;
  }
  const text = await file.text();
  if (text.length < 2000) paste.text = text.trim();
  await openText(explorer, paste, text);
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {string} text
 */
async function openText(explorer, paste, text) {
  told(explorer, paste, {});
  const pasted = readPasted(text);
  if (pasted.kind === 'empty') told(explorer, paste, { fault: 'There is no text yet' });
  else if (pasted.kind === 'text') await openPlain(explorer, paste, pasted.text);
  else if (pasted.kind === 'link') {
    history.pushState(null, '', location.pathname + pasted.address);
    explorer.open();
  } else {
    const { games: [first, ...others], faults: notes } = pasted;
    if (first && !others.length && !notes.length) openRecord(explorer, paste, first);
    else told(explorer, paste, { games: pasted.games, notes: notes.slice(0, 5) });
  }
}

/**
 * Opens a position, or moves from the start of the shown game.
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {string} text
 */
async function openPlain(explorer, paste, text) {
  const { server, state } = explorer;
  if (!server) return;
  told(explorer, paste, { isBusy: true });
  const position = await tried(server.position(text));
  const isPosition = !(position instanceof Error);
  const moves = readMoves(text);
  const game = isPosition ? null : await tried(server.positionAfter(state.start, moves));
  if (explorer.scratch?.paste !== paste) return;
  if (isPosition) {
    explorer.openGame(state.id, position.position, { view: 'setup' });
  } else if (!(game instanceof Error)) {
    openRecord(explorer, paste, { game: '', start: state.start, moves });
  } else if (position instanceof Problem && game instanceof Problem) {
    const { detail, at, parameter } = betterFault(position.reply, game.reply);
    told(explorer, paste, { problem: { detail, at: at ?? 0, text: parameter === 'm' ? moves.join(',') : text } });
  } else {
    told(explorer, paste, { fault: sentence(position instanceof Problem ? game : position) });
  }
}

/**
 * @template T
 * @param {Promise<T>} answer
 * @returns {Promise<T | Error>}
 */
function tried(answer) {
  return answer.catch((/** @type {Error} */ error) => error);
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {import('../../model/record.js').GameRecord} record
 */
function openRecord(explorer, paste, { game, start, moves }) {
  const { state, shown, data } = explorer;
  const open = state.id !== null && shown ? { id: state.id, game: shown.game } : null;
  const id = idOf(game, open, data);
  if (id === null) {
    told(explorer, paste, { fault: `This is a game of ${game}, which this server does not show` });
    return;
  }
  const root = newTree(null);
  let at = root;
  for (const move of moves) at = addMove(at, move, null);
  explorer.openGame(id, start, { root, at, view: 'game' });
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {Partial<PasteState>} news
 */
function told(explorer, paste, news) {
  Object.assign(paste, { problem: null, fault: null, games: [], notes: [], isBusy: false }, news);
  explorer.onChange();
}
