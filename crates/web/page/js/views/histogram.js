// The histogram: positions by plies to the end, won ones up, lost ones down.

import { h } from '../dom/render.js';
import { barSentence, heightOf, shortNumber, ticksOf } from '../model/histogram.js';
import { withCommas } from '../model/values.js';
import { showOne } from './draws.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('../model/histogram.js').Bar} Bar */
/** @typedef {import('./table.js').TableScratch} TableScratch */

const WIDTH = 600;
const LEFT = 62;
const MIDDLE = 126;
const HIGH = 104;
/** Lines closer to the middle are left out. */
const LEAST_HEIGHT = 18;

/**
 * @param {Explorer} explorer
 * @param {TableScratch} kept
 * @param {Bar[]} bars
 */
export function histogramView(explorer, kept, bars) {
  const at = Math.min(kept.bar, bars.length - 1);
  const bar = /** @type {Bar} */ (bars[at]);
  const choose = (/** @type {number} */ index) => {
    kept.bar = Math.min(bars.length - 1, Math.max(0, index));
    explorer.onChange();
  };
  const show = () => void showOne(explorer, kept, { value: bar.value, remoteness: String(bar.plies) });
  return h('figure', { class: 'histogram' },
    h('svg', {
      viewBox: `0 0 ${WIDTH} ${2 * MIDDLE + 26}`, role: 'slider', tabindex: '0',
      'aria-label': 'Positions by plies to the end', 'aria-valuetext': barSentence(bar),
      'aria-valuemin': 0, 'aria-valuemax': bars.length - 1, 'aria-valuenow': at,
      onpointerdown: (/** @type {PointerEvent} */ event) => choose(barUnder(bars, event)),
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (event.pointerType === 'mouse') choose(barUnder(bars, event));
      },
      ondblclick: show,
      onkeydown: (/** @type {KeyboardEvent} */ event) => step(event, at, bars.length, choose, show),
    }, gridLines(bars, kept.isLinear), pliesAxis(bars),
    bars.map((one, index) => barRect(bars, one, kept.isLinear, index === at))),
    h('figcaption', { class: 'row' },
      h('span', { class: 'bar-words' }, `${barSentence(bar)}.`),
      h('button', { type: 'button', onclick: show }, 'Show one'),
      h('label', { class: 'check' }, h('input', {
        type: 'checkbox', checked: kept.isLinear,
        onchange: () => {
          kept.isLinear = !kept.isLinear;
          explorer.onChange();
        },
      }), 'linear scale')),
    numbers(bars));
}

/** @param {Bar[]} bars */
function layOf(bars) {
  const columns = (bars.at(-1)?.plies ?? 0) + 1;
  return { columns, pitch: (WIDTH - LEFT - 4) / columns };
}

/**
 * @param {Bar[]} bars
 * @param {Bar} bar
 * @param {boolean} isLinear
 * @param {boolean} isChosen
 */
function barRect(bars, { value, plies, positions }, isLinear, isChosen) {
  const { pitch } = layOf(bars);
  const most = Math.max(...bars.map((one) => one.positions));
  const height = Math.max(1.5, HIGH * heightOf(positions, most, isLinear));
  const width = Math.max(1.5, Math.min(30, pitch * 0.82));
  return h('rect', {
    key: `${value} ${plies}`, class: `bar share-${value}${isChosen ? ' is-chosen' : ''}`,
    x: LEFT + (plies + 0.5) * pitch - width / 2, y: value === 'win' ? MIDDLE - height : MIDDLE, width, height,
  });
}

/**
 * @param {Bar[]} bars
 * @param {boolean} isLinear
 */
function gridLines(bars, isLinear) {
  const most = Math.max(...bars.map((one) => one.positions));
  const ticks = ticksOf(most, isLinear).map((tick) => ({ tick, height: HIGH * heightOf(tick, most, isLinear) }));
  const lines = ticks.filter(({ height }) => height > LEAST_HEIGHT);
  return [
    lines.flatMap(({ tick, height }) => [MIDDLE - height, MIDDLE + height].map((y) => h('g', { key: `grid ${y}` },
      h('line', { class: 'grid-line', x1: LEFT, x2: WIDTH, y1: y, y2: y }),
      h('text', { x: LEFT - 6, y: y + 5, 'text-anchor': 'end' }, shortNumber(tick))))),
    h('line', { key: 'middle', class: 'middle', x1: LEFT, x2: WIDTH, y1: MIDDLE, y2: MIDDLE }),
    h('text', { key: 'won', class: 'side', x: WIDTH - 4, y: 18, 'text-anchor': 'end' }, 'W won'),
    h('text', { key: 'lost', class: 'side', x: WIDTH - 4, y: 2 * MIDDLE - 8, 'text-anchor': 'end' }, 'L lost'),
  ];
}

/** @param {Bar[]} bars */
function pliesAxis(bars) {
  const { columns, pitch } = layOf(bars);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => columns / size <= 9) ?? 1000;
  return Array.from({ length: Math.ceil(columns / step) }, (_, index) => h('text', {
    key: `plies ${index}`, x: LEFT + (index * step + 0.5) * pitch, y: 2 * MIDDLE + 18, 'text-anchor': 'middle',
  }, index * step));
}

/**
 * Returns the index of the bar that is nearest to a pointer, on its side if there is one of these plies.
 * @param {Bar[]} bars
 * @param {PointerEvent} event
 */
function barUnder(bars, event) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const scale = WIDTH / box.width;
  const plies = ((event.clientX - box.left) * scale - LEFT) / layOf(bars).pitch - 0.5;
  const side = (event.clientY - box.top) * scale < MIDDLE ? 'win' : 'loss';
  const ways = bars.map((bar) => Math.abs(bar.plies - plies) + (bar.value === side ? 0 : 0.8));
  return ways.indexOf(Math.min(...ways));
}

/**
 * @param {KeyboardEvent} event
 * @param {number} at
 * @param {number} count
 * @param {(index: number) => void} choose
 * @param {() => void} show
 */
function step(event, at, count, choose, show) {
  if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') choose(at - 1);
  else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') choose(at + 1);
  else if (event.key === 'Home') choose(0);
  else if (event.key === 'End') choose(count - 1);
  else if (event.key === 'Enter') show();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Bar[]} bars */
function numbers(bars) {
  const plies = [...new Set(bars.map((bar) => bar.plies))];
  const count = (/** @type {Value} */ value, /** @type {number} */ of) =>
    withCommas(bars.find((bar) => bar.value === value && bar.plies === of)?.positions ?? 0);
  return h('details', null, h('summary', null, 'As numbers'),
    h('div', { class: 'scroll' }, h('table', { class: 'numbers' },
      h('thead', null, h('tr', null, ['plies', 'won', 'lost'].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', null, plies.map((of) => h('tr', { key: of },
        h('th', { scope: 'row' }, of), h('td', null, count('win', of)), h('td', null, count('loss', of))))))));
}
