// The board with the players beside it, and what clicks on it do.

import { h } from '../dom/render.js';
import { focusBoard } from '../dom/show.js';
import { boardView } from '../board/board.js';
import { listenToPointers, showMotion } from '../board/pointer.js';
import { fitting, goalOf, moveSentence, movesAside, movesTo, pieceName, sourcesOf } from '../model/moves.js';
import { badgeOf } from '../model/values.js';
import { spokenBadge } from './badge.js';
import { seatView } from './seats.js';
import { editedScene } from './views.js';

/** @typedef {import('../explorer.js').Explorer} Explorer */

/** Views in which a person finds out alone what a move is worth. */
const SILENT_VIEWS = new Set(['play', 'puzzles']);

/** @param {Explorer} explorer */
export function isSilent({ state }) {
  return SILENT_VIEWS.has(state.view);
}

/** Moves that a person may make on the board: none while an agent thinks. @param {Explorer} explorer */
function handMoves({ opponent, moves }) {
  return opponent.isThinking ? [] : moves;
}

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
    board.note && h('p', { class: 'note' }, board.note));
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
 * @param {Explorer} explorer
 * @param {PositionReply} shown
 * @returns {Scene}
 */
function gameScene(explorer, shown) {
  return {
    props: propsOf(explorer, shown),
    pointer: () => pointerHandlers(explorer),
    seat: (player, isAtTop) => seatView(explorer, shown.board, player, isAtTop),
  };
}

/**
 * @param {Explorer} explorer
 * @param {PositionReply} shown
 * @returns {import('../board/board.js').BoardProps}
 */
function propsOf(explorer, shown) {
  const { state, choice } = explorer;
  const { board } = shown;
  const { moves } = explorer;
  const hovered = moves.find((move) => move.move === explorer.hover) ?? null;
  const ghost = moves.find((move) => move.drawing?.fence?.name === choice.fence)?.drawing?.fence ?? null;
  return {
    board,
    isFlipped: state.isFlipped,
    label: `Board, ${board.columns} columns and ${board.rows} rows`,
    look: lookOf(explorer, board),
    exits: exitsOf(explorer),
    ghost: choice.fence ? ghost : null,
    arrow: hovered && arrowOf(explorer, hovered),
    fault: null,
    fading: hovered?.drawing?.removed.filter((cell) => cell !== hovered.drawing?.from) ?? [],
    on: {
      goal: (goal) => clickGoal(explorer, goal),
      fenceKey: (cell, direction) => fenceKey(explorer, cell, direction),
      cancel: () => {
        explorer.forgetChoice();
        explorer.onChange();
      },
    },
  };
}

/**
 * @param {Explorer} explorer
 * @param {Board} board
 */
function lookOf(explorer, board) {
  const { choice } = explorer;
  const moves = handMoves(explorer);
  const sources = sourcesOf(moves);
  const last = explorer.state.at.parent ? explorer.loader.lastMove?.move.drawing : null;
  const isLast = (/** @type {string} */ cell) => explorer.isSettled && (last?.from === cell || last?.to === cell);
  const free = choice.from ? [] : moves.filter(({ drawing }) => drawing?.from === null);
  /** @type {Map<string, LegalMove[]>} */
  const goals = new Map();
  const reaching = choice.from ? fitting(moves, { from: choice.from, card: choice.card }) : free;
  for (const move of reaching) {
    const goal = goalOf(move);
    if (goal) goals.set(goal, [...(goals.get(goal) ?? []), move]);
  }
  return (/** @type {string} */ cell) => {
    const reached = goals.get(cell);
    const name = pieceName(board, cell);
    const marks = board.marks.filter((mark) => mark.cell === cell).map((mark) => markName(mark, board));
    const words = [cell, name, ...marks];
    if (choice.from === cell) words.push('chosen');
    else if (reached && choice.from) words.push(goalWords(explorer, reached));
    else if (sources.has(cell)) words.push('can move');
    const classes = [
      sources.has(cell) || reached ? 'is-active' : '', choice.from === cell ? 'is-chosen' : '', isLast(cell) ? 'is-last' : '',
    ];
    return {
      label: words.join(', '),
      classes: classes.filter(Boolean).join(' '),
      target: reached && (choice.from || !isSilent(explorer)) ? targetOf(explorer, reached) : null,
    };
  };
}

/**
 * @param {Mark} mark
 * @param {Board} board
 */
function markName({ kind, player }, board) {
  return player === null ? kind : `${board.seats[player === 0 ? 0 : 1].name}'s ${kind}`;
}

/**
 * Words for a cell to which the chosen piece can go.
 * @param {Explorer} explorer
 * @param {LegalMove[]} moves
 */
function goalWords(explorer, moves) {
  const names = new Set(moves.map((move) => move.move));
  const best = isSilent(explorer) ? null : explorer.values?.moves.find((move) => names.has(move.move));
  return best ? `move here: ${spokenBadge(best)}` : 'move here';
}

/**
 * How a goal is marked: by the best of the moves to it.
 * @param {Explorer} explorer
 * @param {LegalMove[]} moves
 */
function targetOf(explorer, moves) {
  if (isSilent(explorer)) return { tone: 'open', letter: '' };
  // Moves of an answer come best first.
  const names = new Set(moves.map((move) => move.move));
  const best = explorer.values?.moves.find((move) => names.has(move.move));
  if (!best) return { tone: 'open', letter: '' };
  const { tone, letter, isProved } = badgeOf(best);
  return isProved ? { tone, letter } : { tone: 'open', letter: '' };
}

/** @param {Explorer} explorer */
function exitsOf(explorer) {
  const { moves, choice } = explorer;
  const leaving = moves.filter(({ drawing }) => drawing?.leaves && drawing.from && drawing.from === choice.from);
  return leaving.map((move) => ({
    from: move.drawing?.from ?? '',
    step: move.drawing?.leaves ?? /** @type {[number, number]} */ ([0, 0]),
    goal: goalOf(move) ?? '',
    ...targetOf(explorer, [move]),
  }));
}

/**
 * @param {Explorer} explorer
 * @param {LegalMove} move
 */
function arrowOf(explorer, move) {
  const { drawing } = move;
  if (!drawing) return null;
  const { tone } = targetOf(explorer, [move]);
  if (drawing.fence) return { fence: drawing.fence, tone };
  const goal = goalOf(move);
  if (!goal) return null;
  return { from: drawing.from ?? goal, to: goal, tone };
}

/**
 * Plays the move to a goal, chooses the piece of a cell, or asks which card is meant.
 * @param {Explorer} explorer
 * @param {string} goal
 */
export function clickGoal(explorer, goal) {
  const { choice } = explorer;
  const moves = handMoves(explorer);
  const meant = choice.from ? fitting(moves, { from: choice.from, goal, card: choice.card }) : movesTo(moves, goal);
  if (meant.length) {
    playOrAsk(explorer, meant);
  } else if (choice.from === goal || !sourcesOf(moves).has(goal)) {
    explorer.choose({ from: null, fence: null });
  } else {
    const fits = fitting(moves, { from: goal, card: choice.card }).length > 0;
    explorer.choose({ from: goal, fence: null, card: fits ? choice.card : null });
    const goals = new Set(fitting(moves, { from: goal }).flatMap((move) => goalOf(move) ?? []));
    explorer.announce(`${goal} chosen. It can go to ${[...goals].map(goalName).join(', ')}`);
  }
}

/** @param {string} goal */
function goalName(goal) {
  return goal.startsWith('off:') ? 'off the board' : goal;
}

/**
 * @param {Explorer} explorer
 * @param {LegalMove[]} meant moves that differ in their cards at most
 */
function playOrAsk(explorer, meant) {
  const [only] = meant;
  if (meant.length === 1 && only) explorer.play(only.move);
  else explorer.choose({ asks: meant });
}

/**
 * Shows a fence at a cell, or places the one that is shown.
 * @param {Explorer} explorer
 * @param {string} cell
 * @param {'h' | 'v'} direction
 */
function fenceKey(explorer, cell, direction) {
  const fence = fenceMove(explorer, { cell, isVertical: direction === 'v' });
  if (!fence) explorer.announce(`No fence ${cell}${direction} can be placed`);
  else if (explorer.choice.fence === fence.drawing?.fence?.name) explorer.play(fence.move);
  else {
    explorer.choose({ fence: fence.drawing?.fence?.name ?? null, from: null });
    explorer.announce(`Fence ${fence.move}. Press ${direction} again to place it, Escape to forget it`);
  }
}

/**
 * @param {Explorer} explorer
 * @param {{cell: string, isVertical: boolean} | null} at
 */
function fenceMove(explorer, at) {
  if (!at) return null;
  return handMoves(explorer).find(({ drawing }) => drawing?.fence?.cell === at.cell && drawing.fence.is_vertical === at.isVertical) ?? null;
}

/**
 * @param {Explorer} explorer
 * @returns {import('../board/pointer.js').PointerHandlers}
 */
function pointerHandlers(explorer) {
  return {
    canDrag: (cell) => sourcesOf(handMoves(explorer)).has(cell),
    dragStarted: (cell) => explorer.choose({ from: cell, fence: null }),
    dropped: (from, goal) => {
      if (goal && goal !== from && fitting(handMoves(explorer), { from, goal }).length) clickGoal(explorer, goal);
      else if (goal !== from) explorer.choose({ from: null });
    },
    clicked: (goal) => clickGoal(explorer, goal),
    fence: (at, isTouch, isClick) => {
      const fence = fenceMove(explorer, at);
      const name = fence?.drawing?.fence?.name ?? null;
      if (isClick && fence && (!isTouch || explorer.choice.fence === name)) {
        explorer.play(fence.move);
      } else if (name !== explorer.choice.fence && (name || !isClick)) {
        if (!isSilent(explorer)) explorer.hover = fence?.move ?? null;
        explorer.choose({ fence: name });
      }
      return fence !== null;
    },
    hovered: (cell) => {
      if (isSilent(explorer)) return;
      const { choice, moves } = explorer;
      const meant = !cell ? [] : choice.from
        ? fitting(moves, { from: choice.from, goal: cell, card: choice.card }) : movesTo(moves, cell);
      explorer.look(meant[0]?.move ?? null);
    },
  };
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
  const { lastMove } = explorer.loader;
  const svg = document.querySelector('svg.board');
  if (!lastMove || !explorer.isSettled || explorer.shown?.position !== lastMove.move.to) return;
  if (explorer.loader.motionShown === lastMove || !(svg instanceof SVGSVGElement)) return;
  explorer.loader.motionShown = lastMove;
  showMotion(svg, lastMove.move);
}
