// The board with the players beside it.

import { boardView } from '../board/board.js';
import { listenToPointers, showMotion } from '../board/pointer.js';
import { h } from '../dom/render.js';
import { focusBoard } from '../dom/focus.js';
import { moveSentence, movesAside } from '../model/moves.js';
import { gameScene } from './game_scene.js';
import { editedScene } from './views.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/**
 * The board with its players as a view shows them, and what clicks and drags do there.
 * @typedef {object} Scene
 * @property {import('../board/board.js').BoardProps} props
 * @property {() => import('../board/pointer.js').PointerHandlers} pointer
 * @property {(player: 0 | 1, isAtTop: boolean) => any} seat
 */

/** @param {Explorer} explorer */
export function boardArea(explorer) {
  const { shown, state } = explorer;
  if (!shown) {
    return h('div', { class: 'board-area is-empty', 'aria-busy': 'true' }, h('p', null, 'The board is on its way \u2026'));
  }
  const { props, seat } = sceneOf(explorer, shown);
  const { board } = props;
  const top = board.seats[0].is_at_top !== state.isFlipped ? 0 : 1;
  const hasCards = board.seats.some((one) => one.cards.length > 0);
  const created = (/** @type {SVGSVGElement} */ svg) =>
    listenToPointers(svg, () => sceneOf(explorer, explorer.shown ?? shown).pointer());
  return h('div', { class: hasCards ? 'board-area has-cards' : 'board-area' },
    seat(top === 0 ? 0 : 1, true),
    board.columns > 0 && board.rows > 0 ? h('div', { class: 'board-box' }, boardView({ ...props, created }))
      : h('pre', { class: 'diagram' }, shown.diagram),
    seat(top === 0 ? 1 : 0, false),
    board.note && board.columns > 0 && h('p', { class: 'note' }, board.note));
}

/**
 * @param {Explorer} explorer
 * @param {PositionReply} shown
 * @returns {Scene}
 */
function sceneOf(explorer, shown) {
  return editedScene(explorer) ?? gameScene(explorer, shown);
}

/**
 * The moves of which one is to be chosen: their squares are the same, their cards are not.
 * @param {Explorer} explorer
 */
export function askView(explorer) {
  const { asks } = explorer.choice;
  const { shown } = explorer;
  if (asks.length < 2 || !shown) return null;
  return h('div', { class: 'ask', role: 'group', 'aria-label': 'Which card?', onclick: focusBoard },
    h('span', null, 'Which card?'),
    asks.map((move, index) => h('button', {
      key: move.move, type: 'button', onclick: () => explorer.play(move.move), 'aria-label': moveSentence(move, shown.board),
      created: index === 0 ? (/** @type {HTMLElement} */ button) => button.focus() : undefined,
    }, move.drawing?.card ?? move.move)),
    h('button', { type: 'button', class: 'quiet', onclick: () => explorer.choose({}) }, 'Neither'));
}

/**
 * Moves that no click on the board makes, such as passes.
 * @param {Explorer} explorer
 */
export function asideView(explorer) {
  const { shown } = explorer;
  const moves = movesAside(explorer.moves);
  if (!moves.length || !shown) return null;
  const label = 'Moves that are not on the board';
  return h('div', { class: 'ask', role: 'group', 'aria-label': label, onclick: focusBoard }, moves.map((move) => h('button', {
    key: move.move, type: 'button', onclick: () => explorer.play(move.move), 'aria-label': moveSentence(move, shown.board),
  }, move.move)));
}

/**
 * Lets the move that led to the shown position be seen once.
 * @param {Explorer} explorer
 */
export function animateLastMove(explorer) {
  const { loader, shown } = explorer;
  const svg = document.querySelector('svg.board');
  if (!loader.motion || !explorer.isSettled || !(svg instanceof SVGSVGElement)) return;
  if (shown?.position === loader.motion.to) showMotion(svg, loader.motion);
  loader.motion = null;
}
