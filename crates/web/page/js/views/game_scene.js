// The board of a game as it is seen: squares that can be chosen, goals with their values, ways off the board.

import { fitting, goalOf, pieceName, sourcesOf } from '../model/moves.js';
import { badgeOf } from '../model/values.js';
import { spokenBadge } from './badge.js';
import { clickGoal, fenceKey, handMoves, pointerHandlers } from './game_clicks.js';
import { seatView } from './seats.js';
import { isSilent } from './views.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/**
 * @param {Explorer} explorer
 * @param {PositionReply} shown
 * @returns {import('./board_area.js').Scene}
 */
export function gameScene(explorer, shown) {
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
    lastFence: explorer.lastDrawing?.fence?.name ?? null,
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
  const last = explorer.lastDrawing;
  const isLast = (/** @type {string} */ cell) => last?.from === cell || last?.to === cell;
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
