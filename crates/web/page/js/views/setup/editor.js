// The editor of a position: its draft, the edits that can be taken back, and what the server says of it.

import { Problem, pause, errorSentence } from '../../server/client.js';
import { endingSentence } from '../moves.js';
import { bodyOf, draftOf } from '../../model/draft.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */
/** @typedef {import('../../model/draft.js').Draft} Draft */

/** Time after an edit in which another one may follow, in milliseconds. */
const WAIT = 120;

/** What a click on a cell does: it moves a piece, takes it off, or puts a piece or a mark there.
 * @typedef {'move' | 'erase' | import('../../model/draft.js').Kind | {mark: string}} Tool */

/**
 * @typedef {object} Editor
 * @property {Draft} draft
 * @property {Draft[]} past drafts before the edits
 * @property {Setup} setup what can be edited
 * @property {PositionReply} shown the position from which the draft was taken
 * @property {Tool} tool
 * @property {string | null} from cell of the piece that is being moved
 * @property {import('../../model/draft_hands.js').Slot | null} slot card that is being swapped
 * @property {Fence | null} ghost
 * @property {PositionReply | null} reply the position of the draft; null while it is not known
 * @property {ProblemReply | null} problem what is wrong with the draft
 * @property {string | null} fault what failed
 * @property {AbortController} abort ends the last request
 */

/**
 * What the view keeps while it is open.
 * @typedef {object} Kept
 * @property {unknown} at the position from which the draft was taken
 * @property {Editor | null} editor
 * @property {import('./opening.js').PasteState} paste
 * @property {string} copied name of what was copied last
 */

/**
 * @param {Explorer} explorer
 * @returns {Kept}
 */
export function keptOf(explorer) {
  const paste = { text: '', problem: null, fault: null, games: [], chosen: 0, notes: [], isBusy: false };
  return explorer.kept('setup', () => ({ at: null, editor: null, copied: '', paste }));
}

/**
 * The editor of the shown position; null while that is on its way, or for a game without one.
 * @param {Explorer} explorer
 * @returns {Editor | null}
 */
export function editorOf(explorer) {
  const { shown, table, state } = explorer;
  const kept = keptOf(explorer);
  if (kept.at === state.at && kept.editor) return kept.editor;
  if (!shown || !explorer.isSettled || !table?.setup) return null;
  kept.editor?.abort.abort();
  kept.at = state.at;
  const player = shown.board.player_to_move ?? table.players.indexOf(shown.player);
  kept.editor = {
    draft: draftOf(shown.board, player === 1 ? 1 : 0), past: [], setup: table.setup, tool: 'move',
    from: null, slot: null, ghost: null, shown, reply: shown, problem: null, fault: null, abort: new AbortController(),
  };
  return kept.editor;
}

/**
 * Does an edit and says it. An edit that changes nothing ends what was begun.
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Draft} draft
 * @param {string} words what was done, for a screen reader
 */
export function change(explorer, editor, draft, words) {
  explorer.announce(words);
  if (draft === editor.draft) choose(explorer, editor, {});
  else edit(explorer, editor, draft);
}

/**
 * Puts another draft in place of the last one, and asks the server about it.
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Draft} draft
 */
export function edit(explorer, editor, draft) {
  if (draft === editor.draft) return;
  editor.past.push(editor.draft);
  replace(explorer, editor, draft);
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 */
export function takeBack(explorer, editor) {
  const draft = editor.past.pop();
  if (draft) replace(explorer, editor, draft);
}

/**
 * Changes what is chosen in the editor, but not the draft.
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Partial<Editor>} chosen
 */
export function choose(explorer, editor, chosen) {
  Object.assign(editor, { from: null, slot: null, ghost: null }, chosen);
  explorer.onChange();
}

/**
 * Takes the start of the game as the draft.
 * @param {Explorer} explorer
 * @param {Editor} editor
 */
export async function takeStart(explorer, editor) {
  const { server, table } = explorer;
  try {
    const start = await server?.positionAfter(null, []);
    if (!start || keptOf(explorer).editor !== editor) return;
    edit(explorer, editor, draftOf(start.board, table?.players.indexOf(start.player) === 1 ? 1 : 0));
  } catch (error) {
    editor.fault = errorSentence(error);
    explorer.onChange();
  }
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Draft} draft
 */
function replace(explorer, editor, draft) {
  editor.abort.abort();
  editor.abort = new AbortController();
  const reply = editor.past.length ? null : editor.shown;
  choose(explorer, editor, { draft, reply, problem: null, fault: null });
  if (!reply) void check(explorer, editor, editor.abort.signal);
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {AbortSignal} signal
 */
async function check(explorer, editor, signal) {
  const { server } = explorer;
  const isLate = () => signal.aborted || keptOf(explorer).editor !== editor;
  try {
    await pause(WAIT, signal);
    const reply = await server?.setUp(bodyOf(editor.draft, editor.setup), signal);
    if (isLate() || !reply) return;
    server?.keep('position', reply.position, reply);
    editor.reply = reply;
  } catch (error) {
    if (isLate()) return;
    if (error instanceof Problem && error.reply.type === '/problems/position') editor.problem = error.reply;
    else editor.fault = errorSentence(error);
  }
  if (explorer.state.view === 'setup') explorer.announce(verdictOf(editor));
}

/**
 * Says in a sentence what the server makes of the draft.
 * @param {Editor} editor
 */
export function verdictOf({ reply, problem, fault }) {
  if (problem) return `No position: ${problem.detail}`;
  if (fault) return fault;
  if (!reply) return '';
  if (reply.over) return `A position in which the game is over: ${endingSentence(reply)}`;
  return `A position with ${reply.player} to move`;
}
