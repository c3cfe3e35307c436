// Play against agents: who sits where, taking back, hints, and what the moves gave away.

import { h } from '../dom/render.js';
import { hintOf, hintSentence, judgeByGift, judgeByValues } from '../model/judge.js';
import { moveSentence } from '../model/moves.js';
import { reviewView } from './review.js';
import { resultOf } from '../state/analyses.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {{view: string, hint: {position: string, isShown: boolean} | null, others: [boolean, boolean],
 *   review: import('./review.js').Review | null}} PlayScratch */

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
const emptyScratch = () => ({ view: 'play', hint: null, others: [false, false], review: null });

/** @type {import('./views.js').View} */
export const view = { panel: playView, status: agentStatus, staysInSight: true };

/** @param {Explorer} explorer */
function playView(explorer) {
  const kept = explorer.kept('play', emptyScratch);
  const { opponent, state } = explorer;
  return [
    h('div', { class: 'seats-form' }, seatField(explorer, kept, 0), seatField(explorer, kept, 1)),
    h('div', { class: 'row' },
      h('button', { type: 'button', 'data-key': 'n', disabled: !state.at.parent, onclick: () => opponent.takeBack() }, 'Take back'),
      h('button', { type: 'button', disabled: explorer.isOver || !explorer.isSettled, onclick: () => void hint(explorer, kept) }, 'Hint'),
      h('button', { type: 'button', onclick: () => newGame(explorer) }, 'New game')),
    hintLine(explorer, kept),
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

/**
 * Says that an agent is to move, with the button that starts it, or stops it; null while a person is to move.
 * @param {Explorer} explorer
 */
function agentStatus(explorer) {
  const { opponent, state } = explorer;
  const { fault } = opponent;
  const agent = opponent.agentToMove;
  const areBoth = state.seats.every((one) => one);
  if (!agent || !explorer.shown || explorer.isOver) return null;
  const isOn = opponent.isThinking || (opponent.isOn && areBoth);
  return [
    h('span', null, isOn ? `${agent} thinks \u2026` : `${explorer.shown.player} to move`),
    isOn ? h('button', { type: 'button', 'data-turn': 'agent', onclick: () => { opponent.stop(); explorer.onChange(); } }, 'Stop')
      : h('button', { type: 'button', class: 'main', 'data-turn': 'agent', onclick: () => opponent.answer() }, `Let ${agent} move`),
    fault && h('span', { class: 'fault', role: 'alert' }, fault),
  ];
}

/** @param {Explorer} explorer */
function newGame(explorer) {
  const { id, start, seats, isFlipped } = explorer.state;
  explorer.openGame(id, start, { seats, isFlipped, view: 'play' });
  explorer.opponent.answer();
}

/**
 * Shows the piece of the best move, then the move: the same one each time, once the analysis is at its end.
 * @param {Explorer} explorer
 * @param {PlayScratch} kept
 */
async function hint(explorer, kept) {
  const { loader, state } = explorer;
  const { position } = state.at;
  if (position === null) return;
  const isShown = kept.hint?.position === position && !loader.isWaiting;
  kept.hint = { position, isShown };
  if (loader.valuesFault) loader.load();
  explorer.onChange();
  while (loader.isWaiting && explorer.state.at.position === position) await loader.valuesThere();
  if (kept.hint?.position !== explorer.state.at.position) return;
  const given = hintOf(explorer.values);
  const move = explorer.moves.find((one) => one.move === given?.move);
  if (!move) return;
  explorer.choose({ from: move.drawing?.from ?? null });
  if (kept.hint.isShown) explorer.look(move.move);
}

/**
 * @param {Explorer} explorer
 * @param {PlayScratch} kept
 */
function hintLine(explorer, { hint: asked }) {
  const { loader, shown } = explorer;
  if (!asked || asked.position !== explorer.state.at.position || !shown) return null;
  if (loader.valuesFault) return h('p', { class: 'fault', role: 'alert' }, loader.valuesFault);
  if (loader.isWaiting) return h('p', { class: 'hint busy', role: 'status' }, 'Looking for the best move \u2026');
  const given = hintOf(explorer.values);
  const move = explorer.moves.find((one) => one.move === given?.move);
  const words = given && move ? hintSentence(given, {
    from: move.drawing?.from ?? null, sentence: moveSentence(move, shown.board), isShown: asked.isShown,
  }) : 'Nothing is certain here: no move is known to be better than another.';
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
  const values = node.parent && explorer.valuesOf(node.parent);
  const judged = values && judgeByValues(values, node.move);
  if (judged && judged.kind !== 'unknown') return judged;
  // A move that has ended the game with a win is best, whatever was known before.
  if (explorer.server && resultOf(explorer.server, node.position ?? '')?.value === 'loss') return judgeByGift({ gives: 'nothing' }, node.move);
  const walked = explorer.loader.judged.get(`${before} ${node.move}`);
  if (walked?.gives) return judgeByGift(walked, walked.best_move);
  return judged ?? { words: '', kind: /** @type {const} */ ('unknown'), better: null };
}
