// Play against agents: who sits where, taking back, hints, and what the moves gave away.

import { h } from '../dom/render.js';
import { judgeByGift, judgeByValues } from '../model/judge.js';
import { moveSentence } from '../model/moves.js';
import { reviewView } from './review.js';
import { errorSentence } from '../server/client.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {{view: string, hint: {position: string, move: string, isShown: boolean} | null, fault: string | null,
 *   others: [boolean, boolean], review: import('./review.js').Review | null}} PlayScratch */

/** Agents that are offered by name. */
const AGENTS = [
  ['', 'a person'],
  ...Array.from({ length: 10 }, (_, index) => [`level:${index + 1}`, `level ${index + 1}${levelWords(index + 1)}`]),
  ['perfect', 'perfect play (solved games)'],
  ['lure', 'perfect play that sets traps'],
  ['random', 'random moves'],
];

/** @param {number} level */
function levelWords(level) {
  return { 1: ', careless', 4: ', casual', 7: ', strong', 10: ', its best' }[level] ?? '';
}

/** @returns {PlayScratch} */
const emptyScratch = () => ({ view: 'play', hint: null, fault: null, others: [false, false], review: null });

/** @type {import('./views.js').View} */
export const view = { panel: playView };

/** @param {Explorer} explorer */
function playView(explorer) {
  const kept = explorer.kept('play', emptyScratch);
  const { opponent, state } = explorer;
  const fault = opponent.fault ?? kept.fault;
  return [
    h('div', { class: 'seats-form' }, seatField(explorer, kept, 0), seatField(explorer, kept, 1)),
    h('div', { class: 'row' }, turnButton(explorer),
      h('button', { type: 'button', 'data-key': 'n', disabled: !state.at.parent, onclick: () => opponent.takeBack() }, 'Take back'),
      h('button', { type: 'button', disabled: explorer.isOver || !explorer.isSettled, onclick: () => void hint(explorer, kept) }, 'Hint'),
      h('button', { type: 'button', onclick: () => newGame(explorer) }, 'New game')),
    hintLine(explorer, kept),
    fault && h('p', { class: 'fault' }, fault),
    madeMoves(explorer),
    reviewView(explorer, kept),
  ];
}

/**
 * @param {Explorer} explorer
 * @param {PlayScratch} kept
 * @param {0 | 1} player
 */
function seatField(explorer, kept, player) {
  const agent = explorer.state.seats[player];
  const isListed = AGENTS.some(([name]) => name === agent);
  const isOther = kept.others[player] || !isListed;
  return h('div', { class: 'row' },
    h('label', { class: 'field' }, `${explorer.players[player]} is played by`,
      h('select', {
        value: isOther ? 'other' : agent, 'data-seat': player,
        onchange: (/** @type {Event} */ event) => {
          const { value } = /** @type {HTMLSelectElement} */ (event.target);
          kept.others[player] = value === 'other';
          explorer.seat(player, value === 'other' ? 'mcts:playouts=1000' : value);
        },
      }, AGENTS.map(([name, words]) => h('option', { value: name }, words)), h('option', { value: 'other' }, 'another agent \u2026'))),
    isOther && h('label', { class: 'field' }, 'Agent, such as mcts:playouts=5000',
      h('input', {
        value: agent, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
        onchange: (/** @type {Event} */ event) => explorer.seat(player, /** @type {HTMLInputElement} */ (event.target).value.trim()),
      })));
}

/** Starts, continues or stops the agents. @param {Explorer} explorer */
function turnButton(explorer) {
  const { opponent, state } = explorer;
  const hasAgents = state.seats.some((agent) => agent);
  if (opponent.isThinking || (opponent.isOn && state.seats.every((agent) => agent) && !explorer.isOver)) {
    return h('button', { type: 'button', key: 'stop', onclick: () => { opponent.stop(); explorer.onChange(); } }, 'Stop');
  }
  const isTheirTurn = hasAgents && explorer.isSettled && !explorer.isOver && opponent.agentToMove !== '';
  return isTheirTurn && h('button', { type: 'button', key: 'go', class: 'main', onclick: () => opponent.answer() },
    `Let ${opponent.agentToMove} move`);
}

/** @param {Explorer} explorer */
function newGame(explorer) {
  const { id, start, seats, isFlipped } = explorer.state;
  explorer.openGame(id, start, { seats, isFlipped, view: 'play' });
  explorer.opponent.answer();
}

/**
 * Shows the piece of a good move, then the move.
 * @param {Explorer} explorer
 * @param {PlayScratch} kept
 */
async function hint(explorer, kept) {
  const { position } = explorer.state.at;
  const { server } = explorer;
  if (!server || position === null) return;
  kept.fault = null;
  if (kept.hint?.position === position) {
    kept.hint.isShown = true;
  } else {
    try {
      const best = explorer.values?.moves[0]?.move ?? (await server.choose(position, 'level:8', 1)).move;
      if (explorer.state.at.position !== position) return;
      kept.hint = { position, move: best, isShown: false };
    } catch (error) {
      kept.fault = errorSentence(error);
      explorer.onChange();
      return;
    }
  }
  const move = explorer.moves.find((one) => one.move === kept.hint?.move);
  explorer.choose({ from: move?.drawing?.from ?? null });
  if (kept.hint?.isShown) explorer.look(kept.hint.move);
}

/**
 * @param {Explorer} explorer
 * @param {PlayScratch} kept
 */
function hintLine(explorer, { hint: given }) {
  if (!given || given.position !== explorer.state.at.position || !explorer.shown) return null;
  const move = explorer.moves.find((one) => one.move === given.move);
  const from = move?.drawing?.from;
  const words = given.isShown || !from ? `Play ${move ? moveSentence(move, explorer.shown.board) : given.move}.`
    : `Look at the piece on ${from}. Ask again for the move.`;
  return h('p', { class: 'hint', role: 'status' }, words);
}

/** The last moves and what each gave away. @param {Explorer} explorer */
function madeMoves(explorer) {
  const path = [];
  for (let at = explorer.state.at; at.parent && path.length < 6; at = at.parent) path.push(at);
  if (!path.length) return h('p', { class: 'empty' }, 'Choose who plays, and move. Each move is judged here.');
  return h('section', null, h('h3', null, 'Last moves'), h('ul', { class: 'judged' }, path.map((node) => {
    const judged = judge(explorer, node);
    const seat = explorer.players[(explorer.startPlayer + node.ply - 1) % 2 === 0 ? 0 : 1];
    return h('li', { key: `${node.ply} ${node.move}`, class: `judged-${judged.kind}` },
      h('span', { class: 'small' }, `${node.ply}. ${seat}`), ' ', h('b', null, node.move), ' ',
      judged.kind !== 'unknown' && SIGNS[judged.kind], ' ', judged.words,
      judged.better && judged.better !== node.move && h('span', { class: 'small' }, `; better: ${judged.better}`));
  })));
}

const SIGNS = { best: '=', slower: '?!', mistake: '??', perhaps: '?', unknown: '' };

/**
 * @param {Explorer} explorer
 * @param {import('../model/tree.js').TreeNode} node
 */
function judge(explorer, node) {
  const before = node.parent?.position ?? '';
  /** @type {ValuesReply | null} */
  const values = explorer.server?.known('values', before) ?? null;
  if (values) return judgeByValues(values, node.move);
  const walked = explorer.loader.judged.get(`${before} ${node.move}`);
  return walked ? judgeByGift(walked, walked.best_move) : { words: '', kind: /** @type {const} */ ('unknown'), better: null };
}
