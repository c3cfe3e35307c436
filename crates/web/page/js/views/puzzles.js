// Puzzles: the one that is being solved.

import { h } from '../dom/render.js';
import { showBoard } from '../dom/focus.js';
import { moveSentence } from '../model/moves.js';
import { effortWords, hintWords, starsOf, taskWords, wrongWords } from '../model/puzzle.js';
import { lineThrough } from '../model/tree.js';
import { endingSentence } from './moves.js';
import { goalWords, puzzleForm, puzzleList, stars } from './puzzle_list.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('../state/puzzler.js').Puzzler} Puzzler */

/** @type {import('./views.js').View} */
export const view = { panel: puzzlesView, status: (explorer) => explorer.puzzler.task && puzzleStatus(explorer) };

/** @param {Explorer} explorer */
function puzzlesView(explorer) {
  const { table, puzzler } = explorer;
  if (!table) return explorer.faults.length ? null : h('p', { class: 'small busy' }, 'Solving the game \u2026');
  if (table.values === 'analysis') {
    return h('p', { class: 'empty' }, 'There are no puzzles here: a puzzle has one solution, and to know that takes ',
      'the values of all positions. This game is not solved here', table.can_have_table && '; the view Table says how to get a table', '.');
  }
  puzzler.search.begin();
  askForTask(explorer);
  return [
    h('section', { class: 'puzzle', 'aria-label': 'Puzzle' },
      puzzler.task ? taskView(explorer, puzzler) : noTask(puzzler)),
    puzzleList(puzzler),
    puzzleForm(puzzler, table.themes),
  ];
}

/** Asks for the values of a puzzle that came by a link. @param {Explorer} explorer */
function askForTask({ puzzler, server, onChange }) {
  const { position } = puzzler;
  if (!server || position === null || puzzler.asked === position || puzzler.listed) return;
  puzzler.asked = position;
  server.values(position).then(onChange, () => {});
}

/** @param {Puzzler} puzzler */
function noTask({ position, search }) {
  if (search.isBusy) return null;
  return h('p', { class: 'empty' }, position === null ? 'Choose a puzzle, and play for the side to move on the board.'
    : 'The first position on the board is no puzzle. Choose one from the list.');
}

/**
 * @param {Explorer} explorer
 * @param {Puzzler} puzzler
 */
function taskView(explorer, puzzler) {
  const { attempt, listed, progress, search } = puzzler;
  const fault = puzzler.fault ?? (progress.step === 'waiting' ? explorer.loader.valuesFault : null);
  const number = listed ? search.puzzles.indexOf(listed) + 1 : 0;
  const effort = effortWords(attempt.wrong, attempt.hints);
  return [
    listed ? h('h3', null, `Puzzle ${number} of ${search.puzzles.length} `, stars(starsOf(listed.grade)),
      h('span', { class: 'small' }, ` ${goalWords(listed)}`))
      : h('h3', null, 'This position as a puzzle'),
    h('p', { class: 'hint', role: 'status' }, puzzleStatus(explorer)),
    fault && h('p', { class: 'fault', role: 'alert' }, fault),
    effort && !attempt.end && h('p', { class: 'small' }, effort),
    buttons(explorer, puzzler),
    attempt.end && solutionSteps(explorer),
  ];
}

/**
 * Says how the try at the chosen puzzle goes.
 * @param {Explorer} explorer
 */
function puzzleStatus(explorer) {
  const { attempt, listed, progress, task } = explorer.puzzler;
  const { at } = explorer.state;
  const { step, node, judged } = progress;
  if (attempt.end === 'shown') {
    const last = explorer.isSettled && explorer.shown?.over ? explorer.shown : null;
    return last ? `${endingSentence(last)}.` : 'The solution is below. Go through it step by step.';
  }
  if (attempt.end || step === 'solved') {
    const effort = effortWords(attempt.wrong, attempt.hints);
    return `Solved${effort ? `, with ${effort}` : attempt.end ? ' without help' : ''}.`;
  }
  if (step === 'wrong' && node && judged) return `${wrongWords(node.move, judged)} It is taken back.`;
  if (step === 'waiting') return '\u2026';
  if (step === 'reply') return 'Right.';
  const { hint, lastWrong } = attempt;
  if (hint?.position === at.position && explorer.shown) {
    const move = explorer.moves.find((one) => one.move === hint.move);
    const { board } = explorer.shown;
    if (move) return hint.isShown ? `Play ${moveSentence(move, board)}.` : hintWords(move, board);
  }
  if (lastWrong?.position === at.position) return `${wrongWords(lastWrong.move, lastWrong.judged)} Try again.`;
  if (at.parent) return `Right. The answer is ${at.move}. Your move.`;
  return task ? taskWords(task, listed?.player ?? explorer.players[explorer.startPlayer === 0 ? 0 : 1]) : '';
}

/**
 * @param {Explorer} explorer
 * @param {Puzzler} puzzler
 */
function buttons(explorer, puzzler) {
  const { attempt, position, progress } = puzzler;
  const { step } = progress;
  const isOpen = !attempt.end && step !== 'solved';
  const isShown = attempt.end === 'shown';
  const { at } = explorer.state;
  const isHinted = attempt.hint?.position === at.position;
  const button = (/** @type {string} */ words, /** @type {() => void} */ onclick, /** @type {object} */ more = {}) =>
    h('button', { type: 'button', key: words, onclick, ...more }, words);
  return h('div', { class: 'row' },
    isOpen && step === 'wrong' && button('Try again', () => puzzler.takeBack(), { class: 'main' }),
    isOpen && step === 'reply' && !puzzler.abort && button('Answer', () => puzzler.answer(), { class: 'main' }),
    isOpen && h('button', {
      type: 'button', key: 'hint', onclick: () => void puzzler.hint(),
      disabled: step !== 'move' || !explorer.isSettled,
    }, isHinted ? 'Show the move' : 'Hint'),
    // One button, so that the keyboard stays on it.
    isOpen ? button('Give up', () => void puzzler.giveUp(), { key: 'on' })
      : button('Next step', () => explorer.forward(), {
        key: 'on', disabled: !at.children.length, class: isShown ? 'main' : null,
      }),
    !isOpen && button('Once more', () => puzzler.open(position ?? '')),
    !isOpen && button('All values', () => explorer.show('moves')),
    button('Next puzzle', () => {
      void puzzler.next();
      showBoard();
    }, { 'data-key': 'n', class: isOpen || isShown ? null : 'main' }));
}

/** @param {Explorer} explorer */
function solutionSteps(explorer) {
  const { at } = explorer.state;
  const nodes = lineThrough(at).slice(1);
  return h('ol', { class: 'tree', role: 'list', 'aria-label': 'The solution' }, nodes.map((node) =>
    h('li', { key: node.ply }, h('button', {
      type: 'button', class: node === at ? 'tree-move is-shown' : 'tree-move', 'aria-current': node === at && 'step',
      onclick: () => explorer.go(node),
    }, h('span', { class: 'small' }, `${node.ply}.`), ` ${node.move}`))));
}
