// The list of keys, and how values are shown.

import { h } from '../dom/render.js';
import { BOARD_KEYS, KEYS } from '../key_list.js';
import { badge } from './badge.js';

/** @param {import('../state/explorer.js').Explorer} explorer */
export function openHelp(explorer) {
  explorer.isHelpOpen = true;
  explorer.onChange();
}

/** @param {import('../state/explorer.js').Explorer} explorer */
export function helpView(explorer) {
  if (!explorer.isHelpOpen) return null;
  const close = () => {
    explorer.isHelpOpen = false;
    explorer.onChange();
  };
  return h('dialog', {
    key: 'help', class: 'help', 'aria-labelledby': 'help-title', onclose: close,
    created: (/** @type {HTMLDialogElement} */ dialog) => dialog.showModal(),
  },
  h('form', { method: 'dialog' }, h('h2', { id: 'help-title' }, 'Keys'), h('button', null, 'Close')),
  keyList(KEYS),
  h('h2', null, 'On the board'),
  keyList(BOARD_KEYS),
  h('h2', null, 'Values'),
  h('p', null, badge({ value: 'win', remoteness: 5 }), ' won, ', badge({ value: 'draw', remoteness: null }), ' drawn, ',
    badge({ value: 'loss', remoteness: 4 }), ' lost for the player who moves, with best play of both. ',
    badge({ value: null, remoteness: null, estimate: 0.3 }), ' is an estimate from \u22121 to +1, where nothing is proved. A ply is one move of one player.'));
}

/** @param {string[][]} keys */
function keyList(keys) {
  return h('dl', { class: 'keys' }, keys.map(([key, does]) => [h('dt', null, h('kbd', null, key)), h('dd', null, does)]));
}
