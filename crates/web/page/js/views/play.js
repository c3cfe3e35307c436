import { h } from '../dom/render.js';

/** @param {import('../explorer.js').Explorer} explorer */
export function playView(explorer) {
  return h('p', { class: 'empty' }, `${explorer.state.view} is not built yet`);
}
