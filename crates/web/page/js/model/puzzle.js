// Puzzles: how far a try at one has come, how hard it is, and words for both.

import { counted, giftText, pliesText } from './values.js';
import { goalOf, pieceName } from './moves.js';

/** @typedef {import('./tree.js').TreeNode} TreeNode */
/** @typedef {KnownValue & {best?: boolean | null, gives?: Gift | null, plies_lost?: number | null}} Judged */

/**
 * How far a try has come on the line to the shown position.
 * @typedef {object} Progress
 * @property {'move' | 'reply' | 'wrong' | 'solved' | 'waiting'} step `waiting` for values that are not there yet
 * @property {TreeNode | null} node where it was solved or went wrong
 * @property {Judged | null} judged the move to that node
 */

/**
 * Returns how far a try has come. The solver moves first, and players move in turn.
 * @param {TreeNode[]} path from the puzzle to the shown position
 * @param {(node: TreeNode) => Judged | null} judgementOf what the move to a node is worth, as far as it is known
 * @param {boolean} isDraw true if the solver is to save a draw: one move does it
 * @returns {Progress}
 */
export function progressOf(path, judgementOf, isDraw) {
  for (let ply = 1; ply < path.length; ply += 2) {
    const node = /** @type {TreeNode} */ (path[ply]);
    const judged = judgementOf(node);
    const best = judged?.best ?? null;
    if (!judged || best === null) return { step: 'waiting', node: null, judged: null };
    if (!best) return { step: 'wrong', node, judged };
    if (isDraw || (judged.value === 'win' && judged.remoteness === 1)) return { step: 'solved', node, judged };
  }
  return { step: path.length % 2 === 1 ? 'move' : 'reply', node: null, judged: null };
}

/**
 * True if a position can be given as a puzzle: the side to move can win, or save a draw, and can go wrong.
 * @param {ValuesReply} values
 */
export function isPuzzle({ value, moves }) {
  const kinds = new Set(moves.map((move) => move.best));
  return (value === 'win' || value === 'draw') && kinds.has(true) && kinds.has(false);
}

/** Plies from which a puzzle has two stars, three, four. */
const STAR_PLIES = [3, 5, 9];

/**
 * Returns the stars of a puzzle, from 1 to 5: by its plies, and one more if captures tempt or many moves are wrong.
 * @param {Grade} grade
 */
export function starsOf({ plies, tempting, wrong }) {
  const ownMoves = Math.ceil((plies ?? 1) / 2);
  const isHard = tempting > 0 || wrong >= 10 * ownMoves;
  return 1 + STAR_PLIES.filter((least) => (plies ?? 3) >= least).length + Number(isHard);
}

/**
 * Says what makes a puzzle hard.
 * @param {Grade} grade
 */
export function gradeWords({ tempting, quiet, wrong }) {
  const words = [];
  if (tempting) words.push(counted(tempting, 'tempting capture'));
  if (quiet) words.push('quiet start');
  words.push(counted(wrong, 'wrong move'));
  return words.join(', ');
}

/**
 * Says what is to be found.
 * @param {KnownValue} known
 * @param {string} mover
 */
export function taskWords({ value, remoteness }, mover) {
  if (value === 'draw') return `${mover} to move can save a draw. Find the move.`;
  if (remoteness === 1) return `${mover} to move wins at once. Find the move.`;
  const length = remoteness === null ? '' : ` in ${pliesText(remoteness)}`;
  return `${mover} to move wins${length}. Find the quickest way.`;
}

/**
 * Says what a wrong move does.
 * @param {string} move
 * @param {Judged} judged
 */
export function wrongWords(move, judged) {
  if (judged.gives === 'plies' && judged.plies_lost) return `${move} wins too, but ${pliesText(judged.plies_lost)} later.`;
  return `${move} ${giftText(judged) || 'is not best'}.`;
}

/**
 * Hints at a move: at its piece, or at what kind of move it is.
 * @param {LegalMove} move
 * @param {Board} board
 */
export function hintWords(move, board) {
  const { drawing } = move;
  if (drawing?.from) return `Look at the ${pieceName(board, drawing.from)} on ${drawing.from}.`;
  if (drawing?.fence) return `A ${drawing.fence.is_vertical ? 'vertical' : 'horizontal'} fence does it.`;
  const goal = goalOf(move);
  if (goal) return `Look at column ${goal.replace(/[^a-z].*$/, '')}.`;
  return drawing?.card ? `Look at the card ${drawing.card}.` : `The move begins with ${move.move.slice(0, 1)}.`;
}

/** How puzzles can end: `helped` after wrong tries or hints, `shown` if the solution was asked for. */
export const MARKS = { solved: '\u2713 solved', helped: '\u2713 with help', shown: '\u2717 shown' };

/** @typedef {keyof typeof MARKS} Mark */

/**
 * Says with how much help a puzzle was solved.
 * @param {number} wrong
 * @param {number} hints
 */
export function effortWords(wrong, hints) {
  const words = [];
  if (wrong) words.push(counted(wrong, 'wrong try', 'wrong tries'));
  if (hints) words.push(counted(hints, 'hint'));
  return words.join(' and ');
}
