// Words about the shown position for a screen reader.

import { sentenceOf } from '../model/values.js';
import { endingSentence } from './moves.js';
import { isEditing, isSilent } from './views.js';

/**
 * Returns the last move, the side to move and the value; an empty text while these are on their way.
 * @param {import('../state/explorer.js').Explorer} explorer
 */
export function spokenPosition(explorer) {
  const { shown, state, values } = explorer;
  if (!shown || !explorer.isSettled || isEditing(explorer)) return '';
  const move = state.at.parent ? `${state.at.ply}. ${state.at.move}. ` : '';
  if (shown.over) return `${move}The game is over: ${endingSentence(shown)}.`;
  const [mover, other] = explorer.sides(shown.player);
  if (isSilent(explorer)) return `${move}${mover} to move.`;
  if (!values || explorer.loader.isAnalysing) return state.at.parent ? `${move}${mover} to move.` : '';
  return `${move}${mover} to move. ${sentenceOf(values, mover, other)}.`;
}
