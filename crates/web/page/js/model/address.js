// The address of the page. It holds all that the page knows:
//
//   ?g=GAME&p=START&m=MOVE,MOVE..   the game or table, the first position, the main line
//   #v=LINE.PLY~MOVE,MOVE..;..      branches: the line and the ply after which they leave it
//   &at=LINE.PLY                    the position that is shown; the end of the main line if left out
//   &c=LINE.PLY~TEXT;..             comments
//   &view=NAME  &flip=1  &seats=AGENT~AGENT
//
// Line 0 is the main line, line 1 the first branch, and so on; ply 0 of line 0 is the start. A plus sign is a space.

import { addMove, endOfLine, linesOf, newTree } from './tree.js';

/** @typedef {import('./tree.js').TreeNode} TreeNode */

/** Names of the views, as they stand in addresses. */
const VIEW_NAMES = ['moves', 'game', 'play', 'setup', 'table', 'puzzles'];

/**
 * @typedef {object} PageState
 * @property {string | null} id game or table; null for the list of games
 * @property {string | null} start text of the first position; null for the start of the game
 * @property {TreeNode} root
 * @property {TreeNode} at
 * @property {string} view
 * @property {boolean} isFlipped
 * @property {[string, string]} seats agents of players 0 and 1; an empty text for a person
 */

/**
 * Returns the address of a state, from the question mark on.
 * @param {PageState} state
 */
export function writeAddress(state) {
  if (state.id === null) return '';
  const lines = linesOf(state.root);
  const query = [`g=${encoded(state.id)}`];
  if (state.start !== null) query.push(`p=${encoded(state.start).replaceAll('%20', '_')}`);
  const [main, ...branches] = lines;
  if (main?.nodes.length) query.push(`m=${movesText(main.nodes)}`);
  const places = placesOf(lines);
  const place = (/** @type {TreeNode} */ node) => places.get(node) ?? '0.0';
  const fragment = [];
  const texts = branches.map(({ from, nodes }) => `${place(from)}~${movesText(nodes)}`);
  if (texts.length) fragment.push(`v=${texts.join(';')}`);
  if (state.at !== endOfLine(state.root)) fragment.push(`at=${place(state.at)}`);
  const comments = [...places.keys()].filter((node) => node.comment);
  if (comments.length) {
    fragment.push(`c=${comments.map((node) => `${place(node)}~${encoded(node.comment)}`).join(';')}`);
  }
  if (state.view !== 'moves') fragment.push(`view=${encoded(state.view)}`);
  if (state.isFlipped) fragment.push('flip=1');
  if (state.seats.some((agent) => agent)) fragment.push(`seats=${state.seats.map(encoded).join('~')}`);
  return `?${query.join('&')}${fragment.length ? `#${fragment.join('&')}` : ''}`;
}

/**
 * Reads an address. What cannot be read is left out and told in `faults`.
 * @param {string} address from the question mark on
 * @returns {{state: PageState, faults: string[]}}
 */
export function readAddress(address) {
  /** @type {string[]} */
  const faults = [];
  const [query = '', ...fragments] = address.split('#');
  const asked = parameters(query.replace(/^\?/, ''), faults);
  const rest = parameters(fragments.join('#'), faults);
  const start = asked.get('p') ?? null;
  const root = newTree(null);
  addMoves(root, asked.get('m') ?? '', faults);
  const end = endOfLine(root);
  // Branches are numbered in the order of the text.
  const lines = linesOf(root);
  for (const branch of items(rest.get('v'))) {
    const [place = '', moves = ''] = parted(branch);
    const from = nodeAt(lines, place);
    if (!from || moves === '') {
      faults.push(`The branch '${branch}' of the link leaves no move of the game`);
      continue;
    }
    const nodes = addMoves(from, moves, faults);
    if (nodes.length) lines.push({ from, nodes });
  }
  for (const text of items(rest.get('c'))) {
    const [place = '', comment = ''] = parted(text);
    const node = nodeAt(lines, place);
    if (node) node.comment = decoded(comment, faults);
    else faults.push(`The comment at '${place}' of the link belongs to no move`);
  }
  const place = rest.get('at');
  const at = place === undefined ? end : nodeAt(lines, place);
  if (!at) faults.push(`The link names the place '${place}', which the game does not have`);
  const view = decoded(rest.get('view') ?? 'moves', faults);
  const isView = VIEW_NAMES.includes(view);
  if (!isView) faults.push(`The link names the view '${view}'; there are ${VIEW_NAMES.join(', ')}`);
  const seats = (rest.get('seats') ?? '').split('~').map((text) => decoded(text, faults));
  const state = {
    id: asked.has('g') ? decoded(asked.get('g') ?? '', faults) || null : null,
    start: start === null ? null : decoded(start.replaceAll('_', ' '), faults),
    root,
    at: at ?? end,
    view: isView ? view : 'moves',
    isFlipped: rest.get('flip') === '1',
    seats: /** @type {[string, string]} */ ([seats[0] ?? '', seats[1] ?? '']),
  };
  return { state, faults };
}

/**
 * Returns the parts of a text between commas, those inside of brackets left together.
 * @param {string} text
 */
export function splitMoves(text) {
  const moves = [''];
  let depth = 0;
  for (const sign of text) {
    depth += Number(sign === '(') - Number(sign === ')');
    if (sign === ',' && depth <= 0) moves.push('');
    else moves[moves.length - 1] += sign;
  }
  return moves.filter((move) => move !== '');
}

/** @param {import('./tree.js').Line[]} lines */
function placesOf(lines) {
  /** @type {Map<TreeNode, string>} */
  const places = new Map();
  const main = lines[0];
  if (main) places.set(main.from, '0.0');
  lines.forEach(({ nodes }, line) => nodes.forEach((node, ply) => places.set(node, `${line}.${ply + 1}`)));
  return places;
}

/**
 * @param {import('./tree.js').Line[]} lines
 * @param {string} place
 */
function nodeAt(lines, place) {
  const match = /^(\d{1,5})\.(\d{1,5})$/.exec(place);
  if (!match) return null;
  const line = lines[Number(match[1])];
  const ply = Number(match[2]);
  if (ply === 0) return match[1] === '0' ? line?.from ?? null : null;
  return line?.nodes[ply - 1] ?? null;
}

/**
 * @param {TreeNode} from
 * @param {string} text
 * @param {string[]} faults
 */
function addMoves(from, text, faults) {
  const nodes = [];
  let at = from;
  for (const move of splitMoves(text)) {
    at = addMove(at, decoded(move, faults), null);
    nodes.push(at);
  }
  return nodes;
}

/**
 * @param {string} text
 * @param {string[]} faults
 */
function parameters(text, faults) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const part of text.split('&').filter(Boolean)) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    if (found.has(name)) faults.push(`The link has '${name}' twice`);
    else found.set(name, equals < 0 ? '' : part.slice(equals + 1));
  }
  return found;
}

/** @param {string | undefined} text */
function items(text) {
  return (text ?? '').split(';').filter(Boolean);
}

/** @param {string} text */
function parted(text) {
  const at = text.indexOf('~');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** @param {TreeNode[]} nodes */
function movesText(nodes) {
  return nodes.map((node) => encoded(node.move)).join(',');
}

/** Encodes what has a meaning of its own in an address. @param {string} text */
function encoded(text) {
  const kept = /** @type {Record<string, string>} */ ({ '%3A': ':', '%2C': ',', '%2F': '/', '%3D': '=' });
  const plain = encodeURIComponent(text).replace(/%(3A|2C|2F|3D)/g, (code) => kept[code] ?? code);
  return plain.replaceAll('_', '%5F').replaceAll('~', '%7E');
}

/**
 * Decodes what forms of pages and programs encode, which write a space as a plus sign.
 * @param {string} text
 * @param {string[]} faults
 */
function decoded(text, faults) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    faults.push(`'${text}' of the link is damaged: after '%' come two signs of 0-9 and A-F`);
    return text;
  }
}
