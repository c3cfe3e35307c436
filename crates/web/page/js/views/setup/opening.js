// Opens what a person pasted, or chose as a file.

import { betterFault, idOf, readPasted } from '../../model/pasted.js';
import { addMove, newTree } from '../../model/tree.js';
import { Problem, errorSentence } from '../../server/client.js';
import { keptOf } from './editor.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */

/** Largest file that is read, in bytes. */
const MOST_BYTES = 2 ** 25;

/**
 * @typedef {object} PasteState
 * @property {string} text
 * @property {{text: string, at: number, detail: string} | null} problem where the text is wrong
 * @property {string | null} fault
 * @property {import('../../model/record.js').ReadGame[]} games games to choose from
 * @property {number} chosen index of the game that is chosen of these
 * @property {string[]} notes what could not be read
 * @property {boolean} isBusy
 */

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {File} file
 */
export async function openFile(explorer, paste, file) {
  if (file.size > MOST_BYTES) {
    told(explorer, paste, { fault: `${file.name} is too large: at most ${MOST_BYTES / 2 ** 20} MiB are read` });
    return;
  }
  const text = await file.text();
  if (text.length < 2000) paste.text = text.trim();
  await openText(explorer, paste, text);
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {string} text
 */
export async function openText(explorer, paste, text) {
  told(explorer, paste, {});
  const pasted = readPasted(text);
  if (pasted.kind === 'empty') told(explorer, paste, { fault: 'There is no text yet' });
  else if (pasted.kind === 'text') await openPlain(explorer, paste, pasted.text);
  else if (pasted.kind === 'link') explorer.openAddress(pasted.address);
  else {
    const { games: [first, ...others], faults: notes } = pasted;
    if (first && !others.length && !notes.length) openRecord(explorer, paste, first);
    else told(explorer, paste, { games: pasted.games, notes: notes.slice(0, 5) });
  }
}

/**
 * Opens a position, or moves from the start of the shown game.
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {string} text
 */
async function openPlain(explorer, paste, text) {
  const { server, state } = explorer;
  if (!server) return;
  told(explorer, paste, { isBusy: true });
  const position = await tried(server.position(text));
  const isPosition = !(position instanceof Error);
  const game = isPosition ? null : await tried(server.positionAfter(state.start, text));
  if (explorer.state.view !== 'setup' || keptOf(explorer).paste !== paste) return;
  if (isPosition) {
    explorer.openGame(state.id, position.position, { view: 'setup' });
  } else if (game && !(game instanceof Error)) {
    // A head of the text may name another position.
    const start = /^(?:\[|position|sfen|startpos)/.test(text) ? game.positions[0] ?? null : state.start;
    openRecord(explorer, paste, { game: '', start, moves: game.played });
  } else if (position instanceof Problem && game instanceof Problem) {
    const { detail, at } = betterFault(position.reply, game.reply);
    told(explorer, paste, { problem: { detail, at: at ?? 0, text } });
  } else {
    told(explorer, paste, { fault: errorSentence(position instanceof Problem ? game : position) });
  }
}

/**
 * @template T
 * @param {Promise<T>} answer
 * @returns {Promise<T | Error>}
 */
function tried(answer) {
  return answer.catch((/** @type {Error} */ error) => error);
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {import('../../model/record.js').GameRecord} record
 */
export function openRecord(explorer, paste, { game, start, moves }) {
  const { state, shown, data } = explorer;
  const open = state.id !== null && shown ? { id: state.id, game: shown.game } : null;
  const id = idOf(game, open, data);
  if (id === null) {
    told(explorer, paste, { fault: `This is a game of ${game}, which this server does not show` });
    return;
  }
  const root = newTree(null);
  let at = root;
  for (const move of moves) at = addMove(at, move, null);
  explorer.openGame(id, start, { root, at, view: 'game' });
}

/**
 * @param {Explorer} explorer
 * @param {PasteState} paste
 * @param {Partial<PasteState>} news
 */
function told(explorer, paste, news) {
  Object.assign(paste, { problem: null, fault: null, games: [], chosen: 0, notes: [], isBusy: false }, news);
  explorer.onChange();
}
