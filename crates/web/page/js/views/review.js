// The review of a game: how often each player chose a best move, and which moves gave something away.

import { h } from '../dom/render.js';
import { LEAST_LOSS } from '../model/judge.js';
import { giftText, signed } from '../model/values.js';
import { graphView } from './game.js';
import { errorSentence } from '../server/client.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {{line: string, walk: WalkReply | null, fault: string | null, isBusy: boolean}} Review */

/**
 * @param {Explorer} explorer
 * @param {{review: Review | null}} kept
 */
export function reviewView(explorer, kept) {
  const { line } = explorer;
  if (line.length < 2) return null;
  const moves = line.slice(1).map((node) => node.move);
  const review = kept.review?.line === moves.join(',') ? kept.review : null;
  return h('section', null,
    h('h3', null, 'Review'),
    !review && h('button', { type: 'button', class: explorer.isOver ? 'main' : null, onclick: () => void start(explorer, kept, moves) },
      'Review the game'),
    review?.isBusy && h('p', { class: 'small busy' }, 'Looking at every move \u2026'),
    review?.fault && h('p', { class: 'fault' }, review.fault),
    review?.walk && [counts(review.walk), graphView(explorer), mistakes(explorer, review.walk)]);
}

/**
 * @param {Explorer} explorer
 * @param {{review: Review | null}} kept
 * @param {string[]} moves
 */
async function start(explorer, kept, moves) {
  const { server, state } = explorer;
  if (!server) return;
  /** @type {Review} */
  const review = { line: moves.join(','), walk: null, fault: null, isBusy: true };
  kept.review = review;
  explorer.onChange();
  try {
    review.walk = await server.walk(state.start, moves);
    if (explorer.server === server) explorer.loader.keepWalk(review.walk);
  } catch (error) {
    review.fault = errorSentence(error);
  }
  review.isBusy = false;
  explorer.onChange();
}

/** @param {WalkReply} walk */
function counts({ players, source }) {
  return h('div', { class: 'scroll' }, h('table', { class: 'numbers' },
    h('thead', null, h('tr', null, ['player', 'moves', 'best', 'gave away', 'unknown', 'accuracy'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, players.map((player) => h('tr', { key: player.player },
      h('th', { scope: 'row' }, player.player),
      [player.moves, player.best_moves, player.gave_away, player.unknown, percent(player.accuracy)]
        .map((cell) => h('td', null, cell)))))),
  h('p', { class: 'small' }, 'Accuracy: 100 % if no move gave a result away.'),
  source === 'analyses' && h('p', { class: 'small' }, 'The game is not solved here: moves are judged where their values are proved.'));
}

/** @param {number | null} share in per cent */
function percent(share) {
  return share === null ? '?' : `${share.toFixed(1)}\u00a0%`;
}

/**
 * @param {Explorer} explorer
 * @param {WalkReply} walk
 */
function mistakes(explorer, { plies }) {
  const listed = plies.filter((ply) => (ply.gives && ply.gives !== 'nothing') || estimateLost(ply) >= LEAST_LOSS);
  if (!listed.length) return h('p', null, 'No move is known to have given anything away.');
  const line = explorer.line;
  return h('ul', { class: 'move-list' }, listed.map((ply) => {
    const loss = ply.gives ? giftText(ply) : `falls by ${signed(estimateLost(ply)).slice(1)}, by estimate`;
    const node = line[ply.ply - 1];
    return h('li', { key: ply.ply }, h('button', {
      type: 'button', class: 'mistake', onclick: () => node && explorer.go(node),
    }, h('span', { class: 'small' }, `${ply.ply}. ${ply.player}`), h('b', null, ply.move), h('span', null, loss),
    ply.best_move !== ply.move && h('span', { class: 'small' }, `better: ${ply.best_move}`)));
  }));
}

/** @param {WalkPly} ply */
function estimateLost(ply) {
  const { before } = ply;
  const [was, is] = [before.estimate ?? null, ply.estimate ?? null];
  return was === null || is === null ? 0 : was - is;
}
