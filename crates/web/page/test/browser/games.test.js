// Whole games on the board: by mouse, by keys alone, and by touch. Steps that two cards of Onitama allow.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import {
  GAMES, bestLine, byKeys, byMouse, byTouch, cell, movesOf, playThrough, shownPosition, waitForTurn,
} from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

/**
 * Plays a game to its end and looks at what is left of it after that.
 * @param {View} view
 * @param {string} game
 * @param {import('./steps.js').Hand} hand
 */
async function playGame(view, game, hand) {
  await view.page.goto(`/?g=${game}`);
  const moves = await bestLine(view, game);
  const last = await playThrough(view, { moves, hand });
  assert.ok(last.over, `${last.position} is an end`);
  assert.deepEqual(movesOf(view), moves);
  const address = view.page.url();
  await view.page.reload();
  await waitForTurn(view, last);
  assert.equal(view.page.url(), address);
}

for (const game of GAMES) {
  explorer.onDesktop(`${game} by mouse, with clicks and drags`, (view) => playGame(view, game, byMouse));
  explorer.onDesktop(`${game} by keys alone`, (view) => playGame(view, game, byKeys));
  explorer.onPhone(`${game} by touch`, (view) => playGame(view, game, byTouch));
}

let seed = 12;

/** A number from 0 to 1, the same ones in each run. */
function random() {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

/**
 * A random deal of five cards that allow the step straight ahead, so that each player has two for it.
 * @param {View} view
 */
async function deal({ page }) {
  /** @type {{card: string, offsets: [number, number][]}[]} */
  const cards = await (await page.request.get('/api/v1/cards')).json();
  const ahead = cards.filter(({ offsets }) => offsets.some(([right, up]) => right === 0 && up === 1));
  const order = new Map(ahead.map(({ card }) => [card, random()]));
  return [...order].sort(([, one], [, other]) => one - other).slice(0, 5).map(([card]) => card);
}

/**
 * Two moves between the same squares with different cards.
 * @param {PositionReply} shown
 * @returns {[LegalMove, LegalMove]}
 */
function twoMoves({ moves, position }) {
  const squares = (/** @type {LegalMove} */ { drawing }) => `${drawing?.from} ${drawing?.to}`;
  for (const move of moves) {
    const other = moves.find((one) => one !== move && squares(one) === squares(move));
    if (other) return [move, other];
  }
  return assert.fail(`no step of ${position} has two cards`);
}

explorer.onDesktop('six plies of the real Onitama, where two cards allow a step', async (view) => {
  const { page } = view;
  const game = `onitama:5x5:${await deal(view)}`;
  await page.goto(`/?g=${game}`);
  const ask = page.getByRole('group', { name: 'Which card?' });
  for (let ply = 0; ply < 6; ply += 1) {
    const shown = await shownPosition(view);
    await waitForTurn(view, shown);
    if (shown.over) return;
    const [move] = ply < 2 ? twoMoves(shown).reverse() : shown.moves.sort(() => random() - 0.5);
    const { drawing } = move ?? assert.fail(`${game}: no moves in ${shown.position}`);
    assert.ok(drawing?.card);
    const isCardFirst = ply % 2 === 1;
    if (isCardFirst) await page.getByRole('button', { name: new RegExp(`^${drawing.card}\\b`) }).click();
    await byMouse(view, drawing, 0);
    if (ply === 0) {
      await view.assertAccessible();
      await view.screenshot('two-cards');
      await ask.getByRole('button', { name: 'Neither' }).click();
      await ask.waitFor({ state: 'detached' });
      assert.deepEqual(movesOf(view), [], 'nothing is played before the card is named');
      await cell(view, drawing.to ?? '').click();
    }
    if (await ask.isVisible()) await ask.getByRole('button', { name: drawing.card }).click();
    await page.waitForURL((url) => url.search.includes(`${drawing.from}${drawing.to}:${drawing.card}`));
    assert.equal(movesOf(view)[ply], move?.move, game);
  }
});
