// The board of a game: what clicks, drags and keys on it do.

import { fitting, goalOf, movesTo, sourcesOf } from '../model/moves.js';
import { isSilent } from './views.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */

/** Moves that a person may make on the board: none while an agent thinks. @param {Explorer} explorer */
export function handMoves({ opponent, moves }) {
  return opponent.isThinking ? [] : moves;
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
export function fenceKey(explorer, cell, direction) {
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
export function pointerHandlers(explorer) {
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
