// Positions drawn from a table, and its longest wins and losses.

import { h } from '../dom/render.js';
import { showBoard } from '../dom/focus.js';
import { pliesText } from '../model/values.js';
import { Problem, errorSentence } from '../server/client.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./table.js').TableScratch} TableScratch */

/** Values that can be asked for. */
const VALUES = [['', 'any'], ['win', 'won'], ['draw', 'drawn'], ['loss', 'lost']];

/**
 * Shows a position drawn at random from the chosen layer.
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {Record<string, string>} query
 */
export async function showOne(explorer, kept, query) {
  const { server } = explorer;
  if (!server) return;
  kept.drawFault = null;
  try {
    const asked = kept.layer === null ? query : { ...query, layer: String(kept.layer) };
    const { position } = await server.get('random', asked);
    if (explorer.isWaiting('table', kept)) openHere(explorer, position);
  } catch (error) {
    const isNone = error instanceof Problem && error.reply.status === 404;
    kept.drawFault = isNone ? 'There is no such position. The histogram shows which there are.' : errorSentence(error);
    explorer.onChange();
  }
}

/**
 * Puts a position on the board and keeps this view open.
 * @param {Explorer} explorer
 * @param {string} position
 */
export function openHere(explorer, position) {
  const { id, view, seats, isFlipped } = explorer.state;
  explorer.openGame(id, position, { view, seats, isFlipped });
  showBoard();
}

/**
 * A button that shows a longest win or loss.
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {'win' | 'loss'} value
 * @param {import('../model/histogram.js').Longest | null} longest
 */
export function longestButton(explorer, kept, value, longest) {
  if (!longest) return null;
  const { remoteness, position } = longest;
  const show = () => {
    if (position !== null) openHere(explorer, position);
    else void showOne(explorer, kept, { value, remoteness: String(remoteness) });
  };
  return h('button', { type: 'button', key: value, onclick: show }, `Longest ${value}: ${pliesText(remoteness)}`);
}

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {import('../model/histogram.js').Counts} counts
 */
export function longestRow(explorer, kept, { longestWin, longestLoss }) {
  return h('div', { class: 'row' },
    longestButton(explorer, kept, 'win', longestWin), longestButton(explorer, kept, 'loss', longestLoss));
}

/**
 * The form of a random position. Without layers the value is not asked for: nothing is known of it.
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {LayerStats[]} [layers]
 */
export function drawForm(explorer, kept, layers) {
  const { form } = kept;
  const set = (/** @type {'value' | 'plies'} */ key) => (/** @type {Event} */ event) => {
    form[key] = /** @type {HTMLInputElement} */ (event.target).value;
    explorer.onChange();
  };
  const hasPlies = form.value !== 'draw';
  return h('form', {
    class: 'row',
    onsubmit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const query = { value: form.value, remoteness: hasPlies ? form.plies : '' };
      void showOne(explorer, kept, Object.fromEntries(Object.entries(query).filter(([, text]) => text)));
    },
  },
  layers && h('label', { class: 'field' }, 'Value', h('select', { value: form.value, onchange: set('value') },
    VALUES.map(([value, words]) => h('option', { value }, words)))),
  layers && h('label', { class: 'field' }, 'Plies', h('input', {
    type: 'number', min: 0, max: 65535, value: hasPlies ? form.plies : '', disabled: !hasPlies,
    placeholder: hasPlies ? 'any' : 'none', oninput: set('plies'),
  })),
  layers && layers.length > 1 && layerField(explorer, kept, layers),
  h('button', { type: 'submit' }, 'Show one'),
  kept.drawFault && h('p', { class: 'fault', role: 'alert' }, kept.drawFault));
}

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {LayerStats[]} layers
 */
function layerField(explorer, kept, layers) {
  return h('label', { class: 'field' }, 'Layer', h('select', {
    value: kept.layer === null ? '' : String(kept.layer),
    onchange: (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      kept.layer = value === '' ? null : Number(value);
      explorer.onChange();
    },
  }, h('option', { value: '' }, 'all'), layers.map(({ layer, name }) => h('option', { value: String(layer) }, name))));
}
