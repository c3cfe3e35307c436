// The first page: what can be looked at.

import { h } from '../dom/render.js';
import { faultsView } from './frame.js';
import { openHelp } from './help.js';
import { recentGames } from '../state/recent.js';
import { counted } from '../model/values.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/** Games worth a look, by their specs. */
const SHOWN = [
  ['tic-tac-toe', 'Tic-tac-toe'],
  ['onitama:3x4:boar', 'Onitama on 3 \u00D7 4, five boars'],
  ['onitama:5x5:boar,ox,crab,tiger,dragon', 'Onitama, the real board; analysed move by move'],
  ['ostle:3x3:2:1', 'Ostle on 3 \u00D7 3'],
  ['ostle', 'Ostle, the official game; analysed'],
  ['quoridor:5x5:1', 'Quoridor on 5 \u00D7 5, a fence each'],
  ['quoridor:9x9:10', 'Quoridor, the real board; analysed'],
  ['dodgem:3x3', 'Dodgem on 3 \u00D7 3'],
  ['l-game', 'The L-game'],
  ['dobutsu', 'Dobutsu shogi; analysed'],
  ['quixo:3x3', 'Quixo on 3 \u00D7 3'],
  ['four:4x4', 'Four in a row on 4 \u00D7 4'],
];

/** @param {Explorer} explorer */
export function homePage(explorer) {
  const { data } = explorer;
  const recent = recentGames();
  const names = data.games.map((game) => nameOf(game.example));
  const own = data.tables.filter((table) => table.bytes === null && !names.includes(nameOf(table.game)));
  // Games that the server has solved on the way are listed there too.
  const tables = data.tables.filter((table) => !own.includes(table) && (table.bytes !== null || !data.all_games));
  return [
    h('header', { class: 'top' }, h('span', { class: 'home' }, 'Hindsight'),
      h('button', { type: 'button', class: 'quiet', 'aria-label': 'Keys and help', onclick: () => openHelp(explorer) }, '?')),
    faultsView(explorer),
    h('main', { class: 'home-page' },
      explorer.loader.isLost && h('p', null, 'There is no board for this link. Choose another game, or mend its name below.'),
      h('h1', null, 'Board games, solved exactly'),
      h('p', { class: 'lead' }, 'Every position with its value and best play. Choose a game, and play, explore or look at its table.'),
      recent.length > 0 && section('Go on', recent.map(({ id, address, plies }) =>
        tile(explorer, address, id, plies ? counted(plies, 'move') : 'a position set up'))),
      own.length > 0 && section('Your games', own.map((table) =>
        tile(explorer, addressOf(table.id), table.id, tableWords(table)))),
      tables.length > 0 && section('Tables', tables.map((table) =>
        tile(explorer, addressOf(table.id), table.id, tableWords(table)))),
      data.all_games && section('Games', SHOWN.map(([spec = '', about = '']) => tile(explorer, addressOf(spec), about, spec))),
      data.all_games && specForm(explorer),
      h('footer', { class: 'small' }, `Hindsight ${data.version}. For programs: `, h('a', { href: '/api/v1' }, '/api/v1'), ', ',
        h('a', { href: '/api/v1/openapi.json' }, 'its description'), '.')),
  ];
}

/**
 * Name of a game, as its spec begins.
 * @param {string} spec
 */
function nameOf(spec) {
  return spec.split(':')[0]?.toLowerCase();
}

/** @param {ListedTable} table */
function tableWords({ game, id, positions }) {
  const words = game === id ? [] : [game];
  if (positions !== null) words.push(counted(positions, 'position'));
  return words.join(', ') || 'a game';
}

/** @param {string} id */
function addressOf(id) {
  return `?g=${encodeURIComponent(id).replaceAll('%3A', ':').replaceAll('%2C', ',')}`;
}

/**
 * @param {string} title
 * @param {any[]} tiles
 */
function section(title, tiles) {
  return h('section', null, h('h2', null, title), h('ul', { class: 'tiles' }, tiles));
}

/**
 * @param {Explorer} explorer
 * @param {string} address
 * @param {string} title
 * @param {string} about
 */
function tile(explorer, address, title, about) {
  return h('li', { key: address }, h('a', {
    class: 'tile', href: address,
    onclick: (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      explorer.openAddress(address);
    },
  }, h('b', null, title), h('span', { class: 'small' }, about)));
}

/** @param {Explorer} explorer */
function specForm(explorer) {
  const { games } = explorer.data;
  return h('section', null, h('h2', null, 'Any game'),
    h('form', {
      class: 'row',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        const spec = String(new FormData(form).get('spec') ?? '').trim();
        if (spec) explorer.openGame(spec);
      },
    },
    h('label', { class: 'field wide' }, 'Board, cards, pieces or fences, as a spec',
      h('input', {
        name: 'spec', list: 'specs', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
        placeholder: 'onitama:4x4:boar', key: explorer.state.id,
        created: (/** @type {HTMLInputElement} */ input) => { input.value = explorer.state.id ?? ''; },
      })),
    h('datalist', { id: 'specs' }, games.map((game) => h('option', { value: game.example }))),
    h('button', { type: 'submit' }, 'Open')),
    h('dl', { class: 'specs' }, games.map((game) => [h('dt', null, h('code', null, game.spec)), h('dd', null, game.about)])));
}
