// The layers of a table, of which one can be chosen.

import { h } from '../dom/render.js';
import { countsOf, shareText } from '../model/histogram.js';
import { counted } from '../model/values.js';
import { longestButton } from './draws.js';
import { shareBar } from './shares.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./table.js').TableScratch} TableScratch */

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {LayerStats[]} layers
 */
export function layersView(explorer, kept, layers) {
  const choose = (/** @type {number | null} */ layer) => {
    kept.layer = layer;
    explorer.onChange();
  };
  const button = (/** @type {number | null} */ layer, /** @type {string} */ name) => h('button', {
    type: 'button', class: 'layer-name', 'aria-pressed': String(kept.layer === layer), onclick: () => choose(layer),
  }, name);
  return [
    h('h3', null, 'Layers'),
    h('ul', { class: 'layers' },
      h('li', { key: 'all' }, button(null, 'All layers')),
      layers.map((one) => h('li', { key: one.layer }, button(one.layer, one.name),
        longestButton(explorer, kept, 'win', countsOf({ game: '', layers: [one] }, null).longestWin),
        h('span', { class: 'small' }, layerWords(one)), shareBar(one)))),
  ];
}

/** @param {LayerStats} layer */
function layerWords({ positions, wins, draws, losses }) {
  const share = (/** @type {number} */ part) => shareText(part, positions);
  return `${counted(positions, 'position')}: W ${share(wins)}, D ${share(draws)}, L ${share(losses)}`;
}
