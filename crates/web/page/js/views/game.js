// The game: the value over its plies, and the tree of moves.

import { h } from '../dom/render.js';
import { pointOf } from '../model/graph.js';
import { badgeOf, giftText, sentenceOf } from '../model/values.js';
import { pathTo } from '../model/tree.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('../model/tree.js').TreeNode} TreeNode */

/** @param {Explorer} explorer */
export function gameView(explorer) {
  const { state } = explorer;
  const { at } = state;
  const isBranch = pathTo(at).some((node) => node.parent && node.parent.children[0] !== node);
  return [
    graphView(explorer),
    analysisButton(explorer),
    state.root.children.length === 0
      ? h('p', { class: 'empty' }, 'No move was played yet. Moves on the board, and other moves tried after going back, are kept here.')
      : h('ol', { class: 'tree', role: 'list', 'aria-label': 'Moves played' }, lineItems(explorer, state.root)),
    at.parent && h('div', { class: 'row' },
      h('button', { type: 'button', disabled: !isBranch, onclick: () => explorer.promote(at) }, 'Promote line'),
      h('button', { type: 'button', onclick: () => explorer.remove(at) }, 'Delete from here')),
    h('label', { class: 'field' }, `Comment on ${at.parent ? `${at.ply}. ${at.move}` : 'the start'}`,
      h('textarea', {
        rows: 2, value: at.comment, key: 'comment',
        onchange: (/** @type {Event} */ event) => explorer.comment(at, /** @type {HTMLTextAreaElement} */ (event.target).value),
      })),
  ];
}

/** Asks for the values along the line where they do not come by themselves. @param {Explorer} explorer */
function analysisButton(explorer) {
  const { line, loader, table } = explorer;
  if (table?.values !== 'analysis' || line.length < 2) return null;
  const isKnown = line.every((node) => loader.knownValue(node));
  if (loader.isWalking) return h('p', { class: 'small busy' }, 'Analysing every position of the game \u2026');
  return !isKnown && h('button', { type: 'button', onclick: () => void loader.analyseLine() }, 'Analyse the whole game');
}

/**
 * The moves after a node: its first line, with the other lines in brackets after the move they replace.
 * @param {Explorer} explorer
 * @param {TreeNode} node
 * @returns {any[]}
 */
function lineItems(explorer, node) {
  /** @type {any[]} */
  const items = [];
  for (let at = node; at.children[0]; at = at.children[0]) {
    const [first, ...others] = at.children;
    if (first) items.push(moveItem(explorer, first));
    for (const other of others) {
      items.push(h('li', { class: 'variation', key: `v ${other.ply} ${other.move}` },
        h('ol', { role: 'list' }, moveItem(explorer, other), lineItems(explorer, other))));
    }
  }
  return items;
}

/**
 * @param {Explorer} explorer
 * @param {TreeNode} node
 */
function moveItem(explorer, node) {
  const judged = explorer.loader.judgement(node);
  const gift = judged?.gives && judged.gives !== 'nothing' ? giftText(judged) : '';
  const isShown = node === explorer.state.at;
  const mark = judged?.gives === 'win' || judged?.gives === 'draw' ? '??' : judged?.gives === 'plies' ? '?!' : '';
  return h('li', { key: `${node.ply} ${node.move}` },
    h('button', {
      type: 'button', class: `tree-move${isShown ? ' is-shown' : ''}`, 'aria-current': isShown ? 'step' : null,
      'aria-label': [`${node.ply}. ${node.move}`, gift].filter(Boolean).join(', '), title: gift || null,
      onclick: () => explorer.go(node),
    }, h('span', { class: 'small' }, `${node.ply}.`), ` ${node.move}`,
    mark && h('b', { class: judged?.gives === 'plies' ? 'mark' : 'mark is-bad', 'aria-hidden': 'true' }, ` ${mark}`)),
    node.comment && h('span', { class: 'comment' }, node.comment));
}

const WIDTH = 600;
const HEIGHT = 168;
const EDGE = 14;

/**
 * The value over the plies of the shown line. A click goes to the position.
 * @param {Explorer} explorer
 */
export function graphView(explorer) {
  const { line } = explorer;
  const [first, second] = explorer.players;
  const points = line.map((node) => {
    const known = explorer.loader.knownValue(node);
    return known ? pointOf(node.ply, known, isFirstToMove(explorer, node)) : null;
  });
  const last = Math.max(line.length - 1, 1);
  const x = (/** @type {number} */ ply) => EDGE + (ply / last) * (WIDTH - 2 * EDGE);
  const y = (/** @type {number} */ height) => HEIGHT / 2 - height * (HEIGHT / 2 - EDGE);
  const drawn = points.flatMap((point, index) => (point?.height === null || !point ? [] : [{ ...point, index, height: point.height }]));
  const path = drawn.map(({ ply, height }, index) => `${index ? 'L' : 'M'} ${x(ply).toFixed(1)} ${y(height).toFixed(1)}`).join(' ');
  const shownPly = explorer.state.at.ply;
  const known = points[shownPly];
  const words = known ? sentenceOf(known.known, first, second) : 'Not known yet';
  return h('figure', { class: 'graph' },
    h('svg', {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'slider', tabindex: '0', 'aria-label': 'Value over the game',
      'aria-valuemin': 0, 'aria-valuemax': line.length - 1, 'aria-valuenow': shownPly,
      'aria-valuetext': `Ply ${shownPly}. ${words}`,
      onpointerdown: (/** @type {PointerEvent} */ event) => goTo(explorer, line, event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => step(explorer, event),
    },
    h('rect', { class: 'upper', x: 0, y: 0, width: WIDTH, height: HEIGHT / 2 }),
    h('rect', { class: 'lower', x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
    h('rect', { class: 'draw-band', x: 0, y: y(0.06), width: WIDTH, height: y(-0.06) - y(0.06) }),
    h('text', { x: 8, y: 20 }, `${first} wins`),
    h('text', { x: 8, y: HEIGHT - 9 }, `${second} wins`),
    h('path', { class: 'curve', d: path || 'M 0 0' }),
    drawn.map(({ ply, height, isProved, index }) => h('circle', {
      key: ply, cx: x(ply), cy: y(height), r: index === shownPly ? 7 : line.length > 80 ? 2.5 : 4,
      class: `dot ${isProved ? 'is-proved' : 'is-estimate'}${index === shownPly ? ' is-shown' : ''}`,
    })),
    h('line', { class: 'here', x1: x(shownPly), x2: x(shownPly), y1: 4, y2: HEIGHT - 4 })),
    h('figcaption', { class: 'small' }, `Ply ${shownPly} of ${line.length - 1}: ${words}`,
      known && badgeOf(known.known).isProved ? '' : known ? ' (hollow: an estimate)' : ''));
}

/**
 * @param {Explorer} explorer
 * @param {TreeNode} node
 */
function isFirstToMove(explorer, node) {
  const isFirstAtStart = explorer.startPlayer === 0;
  return (node.ply % 2 === 0) === isFirstAtStart;
}

/**
 * @param {Explorer} explorer
 * @param {TreeNode[]} line
 * @param {PointerEvent} event
 */
function goTo(explorer, line, event) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const share = ((event.clientX - box.left) / box.width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
  const node = line[Math.round(Math.min(1, Math.max(0, share)) * (line.length - 1))];
  if (node) explorer.go(node);
}

/**
 * @param {Explorer} explorer
 * @param {KeyboardEvent} event
 */
function step(explorer, event) {
  if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') explorer.back();
  else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') explorer.forward();
  else if (event.key === 'Home') explorer.first();
  else if (event.key === 'End') explorer.last();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
