// Positions that are put together on the board, read from texts, and games that leave the page as texts.

import { h } from '../dom/render.js';
import { writeAddress } from '../model/address.js';
import { setTurn } from '../model/draft.js';
import { setInHand } from '../model/draft_hands.js';
import { cleared, halfTurned, mirrored, swapped } from '../model/draft_turns.js';
import { newTree } from '../model/tree.js';
import { edit, editorOf, keptOf, takeBack, takeStart, verdictOf } from './setup/editor.js';
import { copyButton, exportView, linkOf } from './setup/export.js';
import { faultyText, pasteView } from './setup/paste.js';
import { paletteView } from './setup/palette.js';
import { setupScene } from './setup/scene.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./setup/editor.js').Editor} Editor */

/** @type {import('./views.js').View} */
export const view = { panel: setupView, scene: setupScene, below: setupControls };

/** @param {Explorer} explorer */
function setupView(explorer) {
  const editor = editorOf(explorer);
  const { table, faults } = explorer;
  return h('div', { class: 'setup' },
    editor && [paletteView, turnView, wholeBoard, resultView].map((part) => part(explorer, editor)),
    !table && !faults.length && h('p', { class: 'small busy' }, 'Solving the game \u2026'),
    table && !table.setup && h('p', { class: 'empty' },
      'The pieces of this game cannot be put on the board one by one. A position is read from its text.'),
    pasteView(explorer, keptOf(explorer).paste),
    exportView(explorer));
}

/**
 * What stands below the board: what the server says of the draft, and the last edit taken back.
 * @param {Explorer} explorer
 */
function setupControls(explorer) {
  const editor = editorOf(explorer);
  if (!editor) return null;
  const isWrong = editor.problem !== null || editor.fault !== null;
  return [
    h('p', { class: isWrong ? 'fault verdict' : 'verdict' }, verdictOf(editor) || '\u2026'),
    h('div', { class: 'controls' },
      h('button', {
        type: 'button', 'data-key': 'n', disabled: editor.past.length === 0, onclick: () => takeBack(explorer, editor),
      }, '\u21B6 Take back'),
      h('button', { type: 'button', onclick: () => explorer.flip() }, '\u21C5 Flip the board')),
  ];
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 */
function turnView(explorer, editor) {
  const { draft, setup, problem } = editor;
  const sides = /** @type {(0 | 1)[]} */ ([0, 1]);
  const classes = (/** @type {string} */ name, /** @type {boolean | undefined} */ isWrong) =>
    ({ class: isWrong ? `${name} is-wrong` : name });
  return h('div', { class: 'row' },
    setup.has_turn && h('fieldset', classes('turn', problem?.place?.turn), h('legend', null, 'To move'),
      sides.map((side) => h('label', { class: 'check' }, h('input', {
        type: 'radio', name: 'turn', checked: draft.player === side,
        onchange: () => edit(explorer, editor, setTurn(draft, side)),
      }), explorer.players[side]))),
    draft.inHand && sides.map((side) => h('label', classes('field', problem?.place?.hand === side),
      `Fences of ${explorer.players[side]}`, h('input', {
        type: 'number', inputmode: 'numeric', min: 0, max: setup.most_in_hand?.[side],
        value: String(draft.inHand?.[side]),
        onchange: (/** @type {Event} */ event) => {
          const field = /** @type {HTMLInputElement} */ (event.target);
          edit(explorer, editor, setInHand(draft, setup, side, Number(field.value)));
        },
      }))));
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 */
function wholeBoard(explorer, editor) {
  const { draft, setup, shown } = editor;
  const other = swapped(draft, setup);
  const button = (/** @type {string} */ name, /** @type {() => void} */ act) =>
    h('button', { type: 'button', onclick: act }, name);
  return h('div', { class: 'row', role: 'group', 'aria-label': 'The whole board' },
    button('Clear', () => edit(explorer, editor, cleared(draft, setup))),
    button('Start', () => void takeStart(explorer, editor)),
    button('Mirror', () => edit(explorer, editor, mirrored(draft, setup, shown.board))),
    button('Half turn', () => edit(explorer, editor, halfTurned(draft, setup, shown.board))),
    other && button('Swap sides', () => edit(explorer, editor, other)));
}

/**
 * The text of the draft, and where to go with it.
 * @param {Explorer} explorer
 * @param {Editor} editor
 */
function resultView(explorer, editor) {
  const { reply, problem } = editor;
  const { id, isFlipped } = explorer.state;
  const position = reply?.position ?? null;
  const open = (/** @type {string} */ view) => () => explorer.openGame(id, position, { view });
  const addressOf = () => {
    const root = newTree(null);
    return writeAddress({ id, start: position, root, at: root, view: 'moves', isFlipped, seats: ['', ''] });
  };
  return h('section', null, h('h2', null, 'Position'),
    h('p', { class: 'mono position-text' }, problem ? wrongText(problem) : position ?? '\u2026'),
    h('div', { class: 'row' },
      h('button', { type: 'button', class: 'main', disabled: !position, onclick: open('moves') }, 'Explore from here'),
      h('button', { type: 'button', disabled: !position, onclick: open('play') }, 'Play from here'),
      copyButton(explorer, 'Copy text', () => position, !position),
      copyButton(explorer, 'Share', () => linkOf(addressOf()), !position)));
}

/**
 * The text that was put together, marked where it is wrong. A fault without a place is one of the whole text.
 * @param {ProblemReply} problem
 */
function wrongText({ text = '', at, place }) {
  return place ? faultyText(text, at ?? 0) : text;
}
