// How much is won, drawn and lost.

import { h } from '../dom/render.js';
import { shareText } from '../model/histogram.js';
import { withCommas } from '../model/values.js';
import { badge } from './badge.js';

/** Parts of a bar of shares, each with its letter. */
const PARTS = /** @type {const} */ ([['wins', 'win', 'won'], ['draws', 'draw', 'drawn'], ['losses', 'loss', 'lost']]);

/**
 * A bar of what is won, drawn and lost. The numbers stand beside it.
 * @param {{positions: number, wins: number, draws: number, losses: number}} counts
 */
export function shareBar(counts) {
  let x = 0;
  return h('svg', { class: 'shares', viewBox: '0 0 600 28', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    PARTS.map(([key, value]) => {
      const width = counts.positions ? 600 * counts[key] / counts.positions : 0;
      x += width;
      return width > 0 && h('rect', { key, class: `share-${value}`, x: x - width, y: 0, width, height: 28 });
    }));
}

/**
 * The same in numbers.
 * @param {{positions: number, wins: number, draws: number, losses: number}} counts
 */
export function shareList(counts) {
  return h('ul', { class: 'share-list' }, PARTS.map(([key, value, word]) => h('li', { key },
    badge({ value, remoteness: null }, word), ' ', h('b', null, shareText(counts[key], counts.positions)),
    h('span', { class: 'small' }, ` ${withCommas(counts[key])} ${word}`))),
  h('li', { class: 'small' }, 'for the side to move'));
}
