// Words and signs for values. A value is for the side to move, that of a move for the player who makes it.

/**
 * A value as it is shown: never by colour alone.
 * @typedef {object} Badge
 * @property {string} letter W, D, L or ?
 * @property {string} sign +, =, -, or an estimate such as ~+0.34
 * @property {'win' | 'draw' | 'loss' | 'open'} tone
 * @property {string} detail plies, or words for what is not proved
 * @property {boolean} isProved
 */

const LETTERS = { win: 'W', draw: 'D', loss: 'L' };
/** Estimates from which a side is called slightly ahead, and ahead. */
const LEADS = [0.05, 0.25];
/**
 * What leads are worth (runs/2026-12-01-xeon-2c/estimates.md), by spec or all that begin so: of the positions where a
 * side was slightly ahead, and ahead, the share in per cent that it won, and that nobody won.
 * @type {Record<string, [number, number][]>}
 */
const WORTH = {
  'onitama:5x5:': [[55, 11], [91, 6]],
  dobutsu: [[68, 0], [67, 0]],
  'four:7x6': [[65, 2], [67, 0]],
  ostle: [[39, 30], [76, 9]],
  'quoridor:7x7:5': [[32, 45], [39, 43]],
  'quixo:5x5': [[19, 64], [38, 49]],
};
const SIGNS = { win: '+', draw: '=', loss: '\u2212' };

/**
 * @param {KnownValue} known
 * @returns {Badge}
 */
export function badgeOf(known) {
  const value = provedValue(known);
  if (value) {
    const detail = value === 'draw' ? '' : lengthText(known);
    return { letter: LETTERS[value], sign: SIGNS[value], tone: value, detail, isProved: true };
  }
  const estimate = known.estimate ?? null;
  if (estimate === null) return { letter: '?', sign: '', tone: 'open', detail: 'not known', isProved: false };
  return { letter: '~', sign: signed(estimate), tone: 'open', detail: 'estimate', isProved: false };
}

/** The proved value, with its plies or without; null if none is proved. @param {KnownValue} known */
export function provedValue(known) {
  return known.value ?? known.bound?.value ?? null;
}

/** Plies of a win or loss as far as they are known; an empty text if they are not. @param {KnownValue} known */
function lengthText({ remoteness, bound }) {
  if (remoteness !== null) return pliesText(remoteness);
  return bound?.plies ? `at most ${pliesText(bound.plies)}` : '';
}

/** @param {number} plies */
export function pliesText(plies) {
  return counted(plies, 'ply', 'plies');
}

/**
 * Writes a number of things.
 * @param {number} number
 * @param {string} one name of one thing
 * @param {string} [many] name of several
 */
export function counted(number, one, many = `${one}s`) {
  return `${withCommas(number)} ${number === 1 ? one : many}`;
}

/** @param {number} number from -1 to 1 */
export function signed(number) {
  const size = Math.abs(number).toFixed(2);
  return size === '0.00' ? '0.00' : `${number < 0 ? '\u2212' : '+'}${size}`;
}

/**
 * Says a value in words.
 * @param {KnownValue} known
 * @param {string} mover the side to move
 * @param {string} other the other side
 */
export function sentenceOf(known, mover, other) {
  const value = provedValue(known);
  if (value === 'draw') return 'Drawn with best play';
  if (value !== null) {
    const winner = value === 'win' ? mover : other;
    if (known.remoteness === 0) return `${winner} has won`;
    const length = lengthText(known);
    return `${winner} wins${length ? `${known.remoteness === null ? ',' : ''} in ${length}` : ''}`;
  }
  const estimate = known.estimate ?? null;
  if (estimate === null) return 'Not known';
  const lead = ['about even', 'slightly ahead', 'ahead'][leadOf(estimate)];
  const who = leadOf(estimate) ? `${estimate > 0 ? mover : other} is ` : '';
  return `Not proved; ${who}estimated to be ${lead} (${signed(estimate)} for ${mover})`;
}

/** 0 for even, 1 for slightly ahead, 2 for ahead. @param {number} estimate */
function leadOf(estimate) {
  return LEADS.filter((least) => Math.abs(estimate) >= least).length;
}

/**
 * Says how often the side that is said to be ahead won; an empty text if that was not counted, or no side is ahead.
 * @param {string} spec
 * @param {KnownValue} known
 */
export function leadSentence(spec, known) {
  const lead = provedValue(known) ? 0 : leadOf(known.estimate ?? 0);
  const game = Object.keys(WORTH).find((one) => spec === one || (one.endsWith(':') && spec.startsWith(one)));
  const worth = WORTH[game ?? '']?.[lead - 1];
  return worth ? `In games of level 7 the side so far ahead won ${worth[0]} %, and ${worth[1]} % were tied.` : '';
}

/**
 * Says what a move gives away.
 * @param {{best?: boolean | null, gives?: Gift | null, plies_lost?: number | null}} move
 */
export function giftText(move) {
  switch (move.gives) {
    case 'nothing':
      return '= best';
    case 'plies':
      return move.plies_lost ? `gives ${pliesText(move.plies_lost)}` : 'is slower';
    case 'draw':
      return 'gives the draw away';
    case 'win':
      return 'gives the win away';
    default:
      return '';
  }
}

/**
 * Moves of one outcome.
 * @typedef {object} Group
 * @property {string} name
 * @property {ValuedMove[]} moves
 */

/**
 * Returns moves, which come best first, as won, drawn or not known, and lost.
 * @param {ValuedMove[]} moves
 * @returns {Group[]}
 */
export function groupsOf(moves) {
  const names = { win: 'Won', draw: 'Drawn', open: 'Not proved', loss: 'Lost' };
  /** @type {Map<string, ValuedMove[]>} */
  const groups = new Map(['win', 'draw', 'open', 'loss'].map((tone) => [tone, []]));
  for (const move of moves) groups.get(badgeOf(move).tone)?.push(move);
  const listed = [...groups].map(([tone, of]) => ({ name: names[/** @type {'win'} */ (tone)], moves: of }));
  return listed.filter((group) => group.moves.length > 0);
}

/**
 * Returns the value for the other side.
 * @template {KnownValue} T
 * @param {T} known
 * @returns {KnownValue}
 */
export function forOther(known) {
  const other = { win: 'loss', draw: 'draw', loss: 'win' };
  const bound = known.bound ? { ...known.bound, value: /** @type {Value} */ (other[known.bound.value]) } : null;
  return {
    value: known.value ? /** @type {Value} */ (other[known.value]) : null,
    remoteness: known.remoteness,
    bound,
    estimate: known.estimate === null || known.estimate === undefined ? null : -known.estimate,
  };
}

/** Writes a number with commas. @param {number} number */
export function withCommas(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
