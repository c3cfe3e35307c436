// The page around a game: its name, the board, the controls, and the views beside it.

import { h } from '../dom/render.js';
import { sentenceOf } from '../model/values.js';
import { asideView, askView, boardArea, isSilent } from './board_area.js';
import { badge } from './badge.js';
import { endingSentence, movesView } from './moves.js';
import { gameView } from './game.js';
import { playView } from './play.js';
import { puzzleStatus, puzzlesView } from './puzzles.js';
import { setupControls, setupView } from './setup.js';
import { isEditing } from './setup/editor.js';
import { tableView } from './table.js';
import { playBest } from '../keys.js';

/** @typedef {import('../explorer.js').Explorer} Explorer */

/** @type {{name: string, title: string, view: (explorer: Explorer) => any}[]} */
export const VIEWS = [
  { name: 'moves', title: 'Moves', view: movesView },
  { name: 'game', title: 'Game', view: gameView },
  { name: 'play', title: 'Play', view: playView },
  { name: 'setup', title: 'Set up', view: setupView },
  { name: 'table', title: 'Table', view: tableView },
  { name: 'puzzles', title: 'Puzzles', view: puzzlesView },
];

/** @param {Explorer} explorer */
export function gamePage(explorer) {
  const { state } = explorer;
  const shown = VIEWS.find((view) => view.name === state.view) ?? VIEWS[0];
  return [
    header(explorer),
    faultsView(explorer),
    h('main', { class: 'explorer' },
      h('section', { class: 'left', 'aria-label': 'Position' },
        boardArea(explorer),
        isEditing(explorer) ? setupControls(explorer)
          : [askView(explorer), asideView(explorer), valueLine(explorer), controls(explorer)]),
      h('section', { class: 'right' },
        h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views', onkeydown: tabKeys(explorer) },
          VIEWS.map(({ name, title }) => tab(explorer, name, title, name === shown?.name))),
        h('div', {
          class: `panel panel-${shown?.name}`, role: 'tabpanel', id: 'panel', key: shown?.name, tabindex: '-1',
          'aria-labelledby': `tab-${shown?.name}`,
        }, h('h2', { class: 'spoken' }, shown?.title), shown?.view(explorer)))),
  ];
}

/** @param {Explorer} explorer */
function header(explorer) {
  const { id } = explorer.state;
  const game = explorer.table?.game ?? explorer.shown?.game;
  return h('header', { class: 'top' },
    h('a', { class: 'home', href: '/', onclick: goHome(explorer) }, 'Hindsight'),
    h('h1', null, id, game && game !== id && h('span', { class: 'small' }, ` ${game}`)),
    h('button', { type: 'button', class: 'quiet', 'aria-label': 'Keys and help', onclick: () => openHelp(explorer) }, '?'));
}

/** @param {Explorer} explorer */
export function goHome(explorer) {
  return (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    explorer.openGame(null);
  };
}

/** @param {Explorer} explorer */
export function openHelp(explorer) {
  explorer.isHelpOpen = true;
  explorer.onChange();
}

/** @param {Explorer} explorer */
export function faultsView(explorer) {
  const { faults, client } = explorer;
  return h('div', { class: 'faults', role: 'alert' },
    !client.isThere && h('p', { class: 'fault' }, 'The server does not answer. This page looks for it again and again; the board stays usable for what is known.'),
    client.isThere && faults.length > 0 && h('div', { class: 'fault' },
      faults.map((fault) => h('p', { key: fault }, fault)),
      h('button', { type: 'button', class: 'quiet', onclick: () => explorer.forgetFaults() }, 'Dismiss')));
}

/** The value of the shown position. @param {Explorer} explorer */
function valueLine(explorer) {
  const { shown, values } = explorer;
  if (!shown) return null;
  if (explorer.state.view === 'puzzles' && explorer.puzzler.task) {
    return h('p', { class: 'value-line' }, puzzleStatus(explorer));
  }
  if (explorer.isSettled && shown.over) {
    return h('p', { class: 'value-line' }, h('b', null, `The game is over: ${endingSentence(shown)}.`));
  }
  const [mover, other] = explorer.sides(shown.player);
  if (!explorer.isSettled) return h('p', { class: 'value-line' }, '\u2026');
  if (isSilent(explorer)) return h('p', { class: 'value-line' }, `${mover} to move`);
  if (!values) return h('p', { class: 'value-line' }, `${mover} to move`);
  const words = sentenceOf(values, mover, other);
  return h('p', { class: 'value-line' }, badge(values, `${mover} to move: ${words}`), h('span', null, words));
}

/** Pictures of the controls, in a square of 24 units. */
const ICONS = {
  first: 'M6 5v14M19 5 9 12l10 7z', back: 'M17 5 7 12l10 7z', forward: 'M7 5l10 7-10 7z', last: 'M18 5v14M5 5l10 7-10 7z',
  flip: 'M8 20V5M8 5 4 9M8 5l4 4M16 4v15m0 0 4-4m-4 4-4-4', best: 'm12 4 2.4 5.2 5.6.6-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L4 9.8l5.6-.6z',
};

/** @param {Explorer} explorer */
function controls(explorer) {
  const { at } = explorer.state;
  const button = (/** @type {string} */ label, /** @type {keyof typeof ICONS} */ icon, /** @type {boolean} */ isOff, /** @type {() => void} */ act) =>
    h('button', { type: 'button', class: 'control', 'aria-label': label, title: label, disabled: isOff, onclick: act },
      h('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: ICONS[icon], fill: icon === 'flip' ? 'none' : null })));
  const isEnd = at.children.length === 0;
  return h('div', { class: 'controls', role: 'group', 'aria-label': 'Steps through the game' },
    button('First position', 'first', !at.parent, () => explorer.first()),
    button('Back', 'back', !at.parent, () => explorer.back()),
    button('Forward', 'forward', isEnd, () => explorer.forward()),
    button('Last position', 'last', isEnd, () => explorer.last()),
    button('Flip the board', 'flip', false, () => explorer.flip()),
    !isSilent(explorer) && button('Play the best move', 'best', explorer.isOver, () => void playBest(explorer)));
}

/**
 * @param {Explorer} explorer
 * @param {string} name
 * @param {string} title
 * @param {boolean} isShown
 */
function tab(explorer, name, title, isShown) {
  return h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, key: name, 'aria-selected': String(isShown),
    'aria-controls': 'panel', tabindex: isShown ? '0' : '-1', onclick: () => explorer.show(name),
  }, title);
}

/** @param {Explorer} explorer */
function tabKeys(explorer) {
  return (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = VIEWS.findIndex((view) => view.name === explorer.state.view);
    const next = VIEWS[(at + step + VIEWS.length) % VIEWS.length];
    if (!next) return;
    explorer.show(next.name);
    requestAnimationFrame(() => document.getElementById(`tab-${next.name}`)?.focus());
  };
}
