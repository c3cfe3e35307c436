// The table or solved game: what it holds, how long its wins are, and positions drawn from it.

import { h } from '../dom/render.js';
import { barsOf, bytesText, countsOf, meanPlies } from '../model/histogram.js';
import { counted, sentenceOf, withCommas } from '../model/values.js';
import { badge } from './badge.js';
import { drawForm, longestRow } from './draws.js';
import { histogramView } from './histogram.js';
import { layersView } from './layers.js';
import { shareBar, shareList } from './shares.js';
import { errorSentence } from '../server/client.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/**
 * @typedef {object} TableScratch
 * @property {string} view
 * @property {true} isOfGame
 * @property {StatsReply | null} stats
 * @property {boolean} isAsked
 * @property {string | null} fault
 * @property {number | null} layer null for all layers
 * @property {boolean} isLinear
 * @property {number} bar index of the chosen bar
 * @property {{value: string, plies: string}} form
 * @property {string | null} drawFault
 */

/** @returns {TableScratch} */
const emptyScratch = () => ({
  view: 'table', isOfGame: true, stats: null, isAsked: false, fault: null, layer: null, isLinear: false, bar: 0,
  form: { value: '', plies: '' }, drawFault: null,
});

/** @type {import('./views.js').View} */
export const view = { panel: tableView };

/** @param {Explorer} explorer */
function tableView(explorer) {
  const { table } = explorer;
  if (!table) {
    return explorer.faults.length ? h('p', { class: 'empty' }, 'Nothing is known about this game.')
      : h('p', { class: 'small busy' }, 'Solving the game \u2026');
  }
  const kept = explorer.kept('table', emptyScratch);
  if (table.values === 'analysis') {
    return [notSolved(table), h('h3', null, 'A position of a random game'), drawForm(explorer, kept)];
  }
  if (!kept.isAsked) void loadStats(explorer, kept);
  return [factsView(table), kept.stats ? statsView(explorer, kept, kept.stats) : waiting(explorer, kept)];
}

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {StatsReply} stats
 */
function statsView(explorer, kept, stats) {
  const counts = countsOf(stats, kept.layer);
  const layers = stats.layers ?? [];
  const name = layers.find((one) => one.layer === kept.layer)?.name;
  const bars = barsOf(counts.histogram);
  const mean = meanPlies(bars);
  return [
    h('h3', null, name ?? (layers.length > 1 ? 'All positions' : 'Positions'),
      h('span', { class: 'small' }, ` ${withCommas(counts.positions)}`)),
    shareBar(counts), shareList(counts),
    h('h3', null, 'Plies to the end, with best play'),
    bars.length ? histogramView(explorer, kept, bars) : h('p', { class: 'empty' }, 'No position is won or lost.'),
    mean !== null && h('p', { class: 'small' }, `The mean is ${mean.toFixed(1)} plies.`),
    longestRow(explorer, kept, counts),
    layers.length > 1 && layersView(explorer, kept, layers),
    h('h3', null, 'A position at random'),
    drawForm(explorer, kept, layers),
  ];
}

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 */
function waiting(explorer, kept) {
  if (!kept.fault) return h('p', { class: 'small busy' }, 'Counting \u2026');
  return h('p', { class: 'fault' }, kept.fault, ' ',
    h('button', { type: 'button', class: 'quiet', onclick: () => void loadStats(explorer, kept) }, 'Try again'));
}

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 */
async function loadStats(explorer, kept) {
  kept.isAsked = true;
  kept.fault = null;
  try {
    kept.stats = await explorer.server?.get('stats', {});
  } catch (error) {
    kept.fault = errorSentence(error);
  }
  if (explorer.isWaiting('table', kept)) explorer.onChange();
}

/** @param {TableReply} table */
function factsView(table) {
  const { start, positions } = table;
  const [mover, other] = table.board.player_to_move === 1 ? [table.players[1], table.players[0]] : table.players;
  const source = table.values === 'table' ? `from the table ${table.id}` : 'solved here, in memory';
  const bits = table.bytes && positions ? `, ${(8 * table.bytes / positions).toPrecision(2)} bits a position` : '';
  return h('dl', { class: 'facts' }, [
    ['Game', h('code', null, table.game)],
    ['Values', source],
    start && ['Start', [badge(start), ` ${sentenceOf(start, mover, other)}`]],
    positions !== undefined && ['Positions', `${withCommas(positions)}${scopeWords(table.scope)}`],
    table.layout && ['Layout', [table.layout, table.tiers !== undefined && `, ${counted(table.tiers, 'tier')}`]],
    table.bytes !== undefined && ['Size', `${bytesText(table.bytes)}${bits}`],
    table.signature && ['Signature', h('code', null, table.signature)],
    table.digest && table.digest !== table.signature && ['Digest', h('code', null, table.digest)],
  ].map((fact) => fact && h('div', { key: fact[0] }, h('dt', null, fact[0]), h('dd', null, fact[1]))));
}

/** @param {string | null} scope */
function scopeWords(scope) {
  return scope === null || scope === 'all' ? '' : `, ${scope}`;
}

/** @param {TableReply} table */
function notSolved({ game, can_have_table: canHaveTable }) {
  return [
    h('p', null, 'This game is not solved here: it is too large for the time and memory of this server. Positions are ',
      'analysed one by one, and what is not proved is an estimate.'),
    canHaveTable && [
      h('p', null, 'A table has all values. These commands make one and serve it:'),
      h('pre', { class: 'mono command' }, `hindsight solve ${game} --out FILE.table\nhindsight serve FILE.table`),
    ],
  ];
}
