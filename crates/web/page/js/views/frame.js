// The page around a game: its name, the board, the controls, and the views beside it.

import { isPointed } from '../dom/focus.js';
import { breakable, h } from '../dom/render.js';
import { sentenceOf } from '../model/values.js';
import { asideView, askView, boardArea } from './board_area.js';
import { badge } from './badge.js';
import { openHelp } from './help.js';
import { endingSentence } from './moves.js';
import { VIEWS, editedScene, isSilent, openEntry, openView } from './views.js';
import { playBest } from './best_move.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/** @param {Explorer} explorer */
export function gamePage(explorer) {
  const { name: open, title } = openEntry(explorer);
  const view = openView(explorer);
  return [
    header(explorer),
    faultsView(explorer),
    h('main', { class: 'explorer' },
      h('section', { class: 'left', 'aria-label': 'Position' },
        boardArea(explorer),
        editedScene(explorer) ? view?.below?.(explorer)
          : [askView(explorer), asideView(explorer), valueLine(explorer), controls(explorer)]),
      h('section', { class: 'right' },
        h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views', onkeydown: tabKeys(explorer) },
          VIEWS.map((entry) => tab(explorer, entry.name, entry.title, entry.name === open))),
        h('div', {
          class: `panel panel-${open}`, role: 'tabpanel', id: 'panel', key: open, tabindex: '-1',
          'aria-labelledby': `tab-${open}`,
        }, h('h2', { class: 'spoken' }, title), view ? view.panel(explorer) : h('p', { class: 'small busy' }, 'On its way \u2026')))),
  ];
}

/** @param {Explorer} explorer */
function header(explorer) {
  const { id } = explorer.state;
  const game = explorer.table?.game ?? explorer.shown?.game;
  return h('header', { class: 'top' },
    h('a', { class: 'home', href: '/', onclick: goHome(explorer) }, 'Hindsight'),
    h('h1', null, breakable(id ?? ''), game && game !== id && h('span', { class: 'small' }, ` ${game}`)),
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
  const view = openView(explorer);
  const status = view?.status?.(explorer);
  if (status) return h('p', { class: view?.staysInSight ? 'value-line stays-in-sight' : 'value-line' }, status);
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
    // After a click on a tab arrows step through the game.
    if (!step || isPointed(/** @type {Element} */ (event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    const at = VIEWS.findIndex((view) => view.name === explorer.state.view);
    const next = VIEWS[(at + step + VIEWS.length) % VIEWS.length];
    if (!next) return;
    explorer.show(next.name);
    requestAnimationFrame(() => document.getElementById(`tab-${next.name}`)?.focus());
  };
}
