// The legal moves with their values, best first.

import { breakable, h } from '../dom/render.js';
import { moveSentence } from '../model/moves.js';
import { badgeOf, giftText, groupsOf, leadSentence } from '../model/values.js';
import { badge, outcomeText } from './badge.js';
import { bestLineView } from './best_line.js';

/** @param {import('../state/explorer.js').Explorer} explorer */
export function movesView(explorer) {
  const { shown } = explorer;
  if (!shown) return null;
  if (explorer.isSettled && explorer.isOver) {
    return h('p', { class: 'empty' }, `The game is over: ${endingSentence(shown)}.`);
  }
  const { values } = explorer;
  const isShownNow = explorer.isSettled;
  if (!values || !isShownNow) return [progress(explorer), plainMoves(explorer)];
  const known = new Set(values.moves.map((move) => move.move));
  const lead = leadSentence(explorer.table?.game ?? '', values);
  const rest = explorer.moves.filter((move) => !known.has(move.move));
  return [
    progress(explorer),
    groupsOf(values.moves).map((group) => h('section', { class: 'group', key: group.name },
      h('h3', null, group.name, h('span', { class: 'small' }, ` ${group.moves.length}`)),
      h('ul', { class: 'move-list' }, group.moves.map((move) => moveRow(explorer, move))))),
    rest.length > 0 && h('ul', { class: 'move-list' }, rest.map((move) => plainRow(explorer, move))),
    bestLineView(explorer, values),
    lead && h('p', { class: 'small' }, lead),
    values.sources && h('p', { class: 'small' }, sourcesText(values)),
    values.sources && h('div', { class: 'row' },
      h('button', {
        type: 'button', disabled: explorer.loader.isAnalysing, onclick: () => void explorer.loader.analyseLonger(),
      }, 'Analyse longer'),
      values.moves.some((move) => !badgeOf(move).isProved) && h('button', {
        type: 'button', disabled: explorer.loader.isAnalysing,
        onclick: () => void explorer.loader.analyseLonger({ everyMove: true }),
      }, 'Prove every move')),
  ];
}

/**
 * Says how a finished game ended.
 * @param {PositionReply} shown
 */
export function endingSentence(shown) {
  if (!shown.winner) return 'a draw';
  const ending = shown.ending && shown.ending !== 'win' ? ` by the way of the ${shown.ending}` : '';
  return `${shown.winner} has won${ending}`;
}

/** @param {import('../state/explorer.js').Explorer} explorer */
function progress({ loader, table, faults }) {
  if (loader.valuesFault) return h('p', { class: 'fault' }, loader.valuesFault);
  if (loader.isAnalysing) return h('p', { class: 'small busy' }, 'Analysing \u2026 filled badges are proved, hollow ones are estimates');
  if (!table && !faults.length) return h('p', { class: 'small busy' }, 'Solving the game \u2026');
  return null;
}

/** @param {ValuesReply} values */
function sourcesText({ sources, seconds }) {
  const time = seconds === undefined ? '' : ` in ${seconds.toFixed(1)} s`;
  return `From ${sources?.join(', ')}${time}.`;
}

/** @param {import('../state/explorer.js').Explorer} explorer */
function plainMoves(explorer) {
  return h('ul', { class: 'move-list' }, explorer.moves.map((move) => plainRow(explorer, move)));
}

/**
 * @param {import('../state/explorer.js').Explorer} explorer
 * @param {LegalMove} move
 */
function plainRow(explorer, move) {
  return h('li', { key: move.move }, h('button', { type: 'button', ...rowProps(explorer, move.move) },
    h('span', { class: 'move-name' }, breakable(move.move))));
}

/**
 * @param {import('../state/explorer.js').Explorer} explorer
 * @param {ValuedMove} move
 */
function moveRow(explorer, move) {
  const { detail, isProved } = badgeOf(move);
  const legal = explorer.moves.find((one) => one.move === move.move);
  const words = legal && explorer.shown ? moveSentence(legal, explorer.shown.board) : move.move;
  return h('li', { key: move.move }, h('button', {
    type: 'button', 'aria-description': words === move.move ? null : words, ...rowProps(explorer, move.move),
  },
  badge(move, outcomeText(move)), ' ', h('span', { class: 'move-name' }, breakable(move.move)), ' ',
  h('span', { class: 'plies', 'aria-hidden': isProved ? null : 'true' }, detail), ' ',
  h('span', { class: move.best ? 'gift is-best' : 'gift' }, giftText(move))));
}

/**
 * @param {import('../state/explorer.js').Explorer} explorer
 * @param {string} move
 */
function rowProps(explorer, move) {
  return {
    class: `move-row${explorer.hover === move ? ' is-looked-at' : ''}`,
    'data-move': move,
    onclick: (/** @type {MouseEvent} */ event) => {
      explorer.play(move);
      // A key has no place of its own: its person goes on with the moves of the next position.
      if (event.detail === 0) explorer.focusWhenSettled('.move-row');
    },
    onpointerenter: () => explorer.look(move),
    onpointerleave: () => explorer.look(null),
    onfocus: () => explorer.look(move),
    onblur: () => explorer.look(null),
  };
}
