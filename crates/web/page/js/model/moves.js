// From clicks to moves: the legal moves by the cells, fences and cards that they are drawn with.

/** Name of a move's goal: its cell, or the side where it leaves the board. @param {LegalMove} move */
export function goalOf({ drawing }) {
  if (!drawing) return null;
  if (drawing.to) return drawing.to;
  return drawing.leaves ? `off:${drawing.leaves.join(',')}` : null;
}

/** Cells whose pieces can move. @param {LegalMove[]} moves */
export function sourcesOf(moves) {
  return new Set(moves.flatMap(({ drawing }) => drawing?.from ?? []));
}

/**
 * Returns the moves that agree with what is chosen.
 * @param {LegalMove[]} moves
 * @param {{from?: string | null, goal?: string | null, card?: string | null, fence?: string | null}} choice
 */
export function fitting(moves, { from, goal, card, fence }) {
  return moves.filter((move) => {
    const { drawing } = move;
    if (!drawing) return false;
    return (
      (!from || drawing.from === from) &&
      (!goal || goalOf(move) === goal) &&
      (!card || drawing.card === card) &&
      (!fence || drawing.fence?.name === fence)
    );
  });
}

/**
 * Returns the moves that go to a cell with no piece chosen: signs that are set there, or the moves of the only
 * piece that can move.
 * @param {LegalMove[]} moves
 * @param {string} goal
 */
export function movesTo(moves, goal) {
  const only = sourcesOf(moves).size === 1;
  return fitting(moves, { goal }).filter(({ drawing }) => only || drawing?.from === null);
}

/** Moves that no click on the board makes: passes, and moves without a drawing. @param {LegalMove[]} moves */
export function movesAside(moves) {
  return moves.filter((move) => !move.drawing || (!goalOf(move) && !move.drawing.fence));
}

/**
 * Says a move in words.
 * @param {LegalMove} move
 * @param {Board} board before the move
 */
export function moveSentence({ move, drawing }, board) {
  if (!drawing) return move;
  const card = drawing.card ? ` with ${drawing.card}` : '';
  if (drawing.fence) return `fence ${drawing.fence.name}`;
  if (!drawing.from && !drawing.to) return drawing.card ? `pass, giving ${drawing.card} up` : move;
  if (!drawing.from) return `${drawing.to}`;
  const fallen = drawing.removed.filter((cell) => cell !== drawing.from);
  const names = fallen.map((cell) => `${pieceName(board, cell)} of ${cell}`);
  const pushes = drawing.pushed.length ? `, pushes ${drawing.pushed.join(', ')}` : '';
  const way = drawing.to ? `to ${drawing.to}` : 'off the board';
  return `${drawing.from} ${way}${card}${pushes}${names.length ? `, removes ${names.join(', ')}` : ''}`;
}

/**
 * Names the piece of a cell, such as `Red leader`.
 * @param {Board} board
 * @param {string} cell
 */
export function pieceName(board, cell) {
  const piece = board.pieces.find((one) => one.cell === cell);
  if (!piece) return 'empty';
  const owner = piece.player === null ? '' : board.seats[piece.player === 0 ? 0 : 1].name;
  const shape = piece.shape === 'sign' ? piece.sign ?? '' : shapeName(piece.shape);
  return owner === shape ? owner : `${owner} ${shape}`.trim();
}

/** @param {string} shape */
function shapeName(shape) {
  const names = /** @type {Record<string, string>} */ ({ cross: 'X', ring: 'O', arrow: 'car', block: 'piece' });
  return names[shape] ?? shape;
}
