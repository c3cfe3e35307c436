// Counts of a table: sums over layers, shares, and the scales of the histogram.

import { pliesText, withCommas } from './values.js';

/**
 * Counts of a table or of one layer.
 * @typedef {object} Counts
 * @property {number} positions
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {HistogramRow[]} histogram
 * @property {Longest | null} longestWin
 * @property {Longest | null} longestLoss
 */

/** @typedef {{remoteness: number, position: string | null}} Longest `position` is null where it is to be drawn */

/**
 * Returns the counts of one layer, or of all if `layer` is null.
 * @param {StatsReply} stats
 * @param {number | null} layer
 * @returns {Counts}
 */
export function countsOf({ layers, positions = 0, wins = 0, draws = 0, losses = 0, histogram = [] }, layer) {
  if (!layers) return withLongest({ positions, wins, draws, losses, histogram }, []);
  const chosen = layers.filter((one) => layer === null || one.layer === layer);
  const sum = (/** @type {'positions' | 'wins' | 'draws' | 'losses'} */ key) =>
    chosen.reduce((total, one) => total + one[key], 0);
  /** @type {Map<string, HistogramRow>} */
  const rows = new Map();
  for (const row of chosen.flatMap((one) => one.histogram)) {
    const key = `${row.value} ${row.remoteness}`;
    rows.set(key, { ...row, positions: row.positions + (rows.get(key)?.positions ?? 0) });
  }
  const counts = { positions: sum('positions'), wins: sum('wins'), draws: sum('draws'), losses: sum('losses') };
  const known = chosen.flatMap((one) => [one.longest_win, one.longest_loss]);
  return withLongest({ ...counts, histogram: [...rows.values()] }, known);
}

/**
 * @param {Omit<Counts, 'longestWin' | 'longestLoss'>} counts
 * @param {(ValuedPosition | null)[]} known positions of the longest wins and losses
 * @returns {Counts}
 */
function withLongest(counts, known) {
  const longest = (/** @type {Value} */ value) => {
    const plies = counts.histogram.flatMap((row) => (row.value === value ? row.remoteness ?? [] : []));
    if (!plies.length) return null;
    const remoteness = Math.max(...plies);
    const found = known.find((one) => one?.value === value && one.remoteness === remoteness);
    return { remoteness, position: found?.position ?? null };
  };
  return { ...counts, longestWin: longest('win'), longestLoss: longest('loss') };
}

/**
 * A bar of the histogram.
 * @typedef {object} Bar
 * @property {'win' | 'loss'} value
 * @property {number} plies
 * @property {number} positions
 */

/**
 * Returns the bars by plies, of equal plies the won one first. Draws have no plies.
 * @param {HistogramRow[]} histogram
 * @returns {Bar[]}
 */
export function barsOf(histogram) {
  const bars = histogram.flatMap(({ value, remoteness, positions }) =>
    (value === 'draw' || remoteness === null || !positions ? [] : { value, plies: remoteness, positions }));
  const order = (/** @type {Bar} */ { plies, value }) => 2 * plies + Number(value === 'loss');
  return bars.sort((one, other) => order(one) - order(other));
}

/** Height of one position beside a factor of ten on the logarithmic scale, so that a single one can be seen. */
const ONE = 0.35;

/**
 * Returns the height of a bar, from 0 to 1.
 * @param {number} positions
 * @param {number} most positions of the highest bar
 * @param {boolean} isLinear
 */
export function heightOf(positions, most, isLinear) {
  if (positions <= 0 || most <= 0) return 0;
  return isLinear ? positions / most : (Math.log10(positions) + ONE) / (Math.log10(most) + ONE);
}

/**
 * Returns round numbers up to `most`: four at most, each a line of the histogram.
 * @param {number} most
 * @param {boolean} isLinear
 */
export function ticksOf(most, isLinear) {
  if (most < 1) return [];
  const decades = Math.floor(Math.log10(most) + 1e-9);
  if (!isLinear) {
    const step = Math.ceil((decades + 1) / 4);
    return Array.from({ length: Math.floor(decades / step) + 1 }, (_, index) => 10 ** (index * step));
  }
  const unit = [0.2, 0.5, 1, 2, 5].find((size) => most / (size * 10 ** decades) <= 4) ?? 5;
  const step = Math.max(1, unit * 10 ** decades);
  return Array.from({ length: Math.floor(most / step + 1e-9) }, (_, index) => Math.round((index + 1) * step));
}

/** @type {[number, string][]} */
const UNITS = [[1e12, ' T'], [1e9, ' G'], [1e6, ' M'], [1e3, ' k']];

/** Writes a round number shortly, such as `20 k`. @param {number} number */
export function shortNumber(number) {
  const [size, letter] = UNITS.find(([least]) => number >= least) ?? [1, ''];
  return `${Number((number / size).toPrecision(3))}${letter}`;
}

/**
 * Writes a share in percent: `0%` and `100%` only if they are exact.
 * @param {number} part
 * @param {number} all
 */
export function shareText(part, all) {
  if (all === 0 || part === 0) return '0%';
  if (part === all) return '100%';
  const percent = 100 * part / all;
  if (percent < 0.05) return '< 0.1%';
  return percent > 99.95 ? '> 99.9%' : `${percent.toFixed(1)}%`;
}

/** Writes a size in bytes. @param {number} bytes */
export function bytesText(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power ? (bytes / 1000 ** power).toPrecision(3) : bytes} ${units[power]}`;
}

/**
 * Says what a bar counts.
 * @param {Bar} bar
 */
export function barSentence({ value, plies, positions }) {
  const [noun, verb] = positions === 1 ? ['position', 'is'] : ['positions', 'are'];
  const end = plies === 0 ? ': the game is over' : ` in ${pliesText(plies)}`;
  return `${withCommas(positions)} ${noun} ${verb} ${value === 'win' ? 'won' : 'lost'}${end}`;
}

/**
 * Returns the mean number of plies of all that is won or lost, or null if nothing is.
 * @param {Bar[]} bars
 */
export function meanPlies(bars) {
  const all = bars.reduce((sum, bar) => sum + bar.positions, 0);
  return all ? bars.reduce((sum, bar) => sum + bar.plies * bar.positions, 0) / all : null;
}
