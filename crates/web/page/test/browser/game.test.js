// The view Game: the graph, branches, comments, keys, the back button, and links to all of it.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { ask, bestLine, byMouse, eventually, movesOf, playThrough, textOf, waitForWords } from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

const OSTLE = 'ostle:3x3:2:1';

/** @param {View} view */
function tree({ page }) {
  return page.getByRole('list', { name: 'Moves played' });
}

/** @param {View} view */
function graph({ page }) {
  return page.getByRole('slider', { name: 'Value over the game' });
}

/**
 * Waits until the graph tells the value of a ply, which is then the one that is shown.
 * @param {{page: import('playwright-core').Page}} view
 * @param {number} ply
 */
async function waitForPly({ page }, ply) {
  await page.locator('figcaption', { hasText: new RegExp(`^Ply ${ply} of \\d+: (?!Not known)`) }).waitFor();
}

/**
 * Opens the best line of Ostle at its end.
 * @param {View} view
 */
async function openLine(view) {
  const moves = await bestLine(view, OSTLE);
  await view.page.goto(`/?g=${OSTLE}&m=${moves}#view=game`);
  await waitForPly(view, moves.length);
  return moves;
}

explorer.onBoth('a click on the graph goes to that ply, arrows step from there', async (view) => {
  const { page } = view;
  const moves = await openLine(view);
  await view.assertAccessible();
  await view.screenshot('game');
  const { width, height } = await graph(view).boundingBox() ?? assert.fail('no graph');
  await graph(view).click({ position: { x: width * 6.1 / moves.length, y: height / 3 } });
  await waitForPly(view, 6);
  await waitForWords(view, 'Black wins in 5 plies');
  await graph(view).focus();
  await page.keyboard.press('ArrowRight');
  await waitForPly(view, 7);
  await page.keyboard.press('Home');
  await waitForPly(view, 0);
  await page.keyboard.press('End');
  await waitForPly(view, moves.length);
  await tree(view).getByRole('button', { name: `3. ${moves[2]}` }).click();
  await waitForPly(view, 3);
  assert.deepEqual(movesOf(view), moves, 'going back keeps the game');
});

explorer.onDesktop('another move after going back is a branch: promoted, commented, deleted', async (view) => {
  const { page } = view;
  const moves = await openLine(view);
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Forward' }).click();
  await waitForPly(view, 1);
  const other = (await positionAfter(view, moves.slice(0, 1))).moves.find(({ move }) => move !== moves[1]);
  assert.ok(other?.drawing);
  await byMouse(view, other.drawing, 0);
  const branch = tree(view).getByRole('button', { name: `2. ${other.move}` });
  await branch.waitFor();
  await tree(view).getByRole('button', { name: `2. ${moves[1]}` }).waitFor();
  assert.deepEqual(movesOf(view), moves, 'the main line stays');
  await page.getByLabel(`Comment on 2. ${other.move}`).fill('Better; or not? 50 % ~ <b>&amp;</b>');
  await page.getByRole('button', { name: 'Promote line' }).click();
  await page.waitForURL((url) => url.searchParams.get('m') === `${moves[0]},${other.move}`);
  assert.ok(await page.getByRole('button', { name: 'Promote line' }).isDisabled());
  await tree(view).getByText('Better; or not? 50 % ~ <b>&amp;</b>').waitFor();
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await branch.waitFor({ state: 'detached' });
  assert.deepEqual(movesOf(view), moves);
  await page.goBack();
  await branch.waitFor();
  await tree(view).getByText('Better; or not?').waitFor();
});

/**
 * The position after moves from the start of the shown game.
 * @param {View} view
 * @param {string[]} moves
 * @returns {Promise<PositionReply>}
 */
async function positionAfter(view, moves) {
  return ask(view, 'position', { game: OSTLE, m: moves.join(',') });
}

/** Two lines of tic-tac-toe: the branch leaves the main line after its first ply. */
const FORKED = '/?g=tic-tac-toe&m=b2,a1,c3#v=0.1~a2,c2,b3&at=1.2&view=game';

/**
 * Presses a key and waits until another place of the game is shown.
 * @param {View} view
 * @param {{key: string, at: string | null}} step place after it, such as `1.2`; null for the end of the main line
 */
async function pressed({ page }, { key, at }) {
  await page.keyboard.press(key);
  const isThere = (/** @type {URL} */ { hash }) => new URLSearchParams(hash.slice(1)).get('at') === at;
  await page.waitForURL(isThere, { timeout: 5000 }).catch(() => {
    assert.fail(`${key} does not go to ${at}: ${page.url()}`);
  });
}

explorer.onDesktop('keys step through the tree, turn the board and change the view', async (view) => {
  const { page } = view;
  await page.goto(FORKED);
  await tree(view).waitFor();
  for (const [key, at] of /** @type {[string, string | null][]} */ ([
    ['ArrowRight', '1.3'], ['ArrowLeft', '1.2'], ['k', '1.1'], ['j', '1.2'], ['ArrowDown', '1.3'], ['ArrowUp', '0.0'],
    ['ArrowRight', '0.1'], ['ArrowRight', '0.2'], ['Shift+ArrowDown', '1.1'], ['Shift+ArrowUp', '0.2'],
    ['ArrowDown', null], ['ArrowLeft', '0.2'], ['Shift+ArrowDown', '1.1'], ['j', '1.2'], ['Shift+ArrowLeft', '0.1'],
  ])) await pressed(view, { key, at });
  const corner = page.locator('[role="gridcell"]').first();
  assert.match(await corner.getAttribute('aria-label') ?? '', /^a3/);
  await page.keyboard.press('f');
  await page.waitForURL(/flip=1/);
  assert.match(await corner.getAttribute('aria-label') ?? '', /^c1/);
  const titles = ['Moves', 'Game', 'Play', 'Set up', 'Table', 'Puzzles'];
  for (const [index, name] of titles.entries()) {
    await page.keyboard.press(String(index + 1));
    await page.getByRole('tab', { name, selected: true }).waitFor();
    await page.getByRole('tabpanel', { name }).waitFor();
  }
  await page.keyboard.press('1');
  await page.keyboard.press('m');
  await page.locator('.move-row:focus').waitFor();
  await page.keyboard.press('b');
  await page.locator('[role="gridcell"]:focus').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
});

explorer.onDesktop('the back button takes moves back one by one', async (view) => {
  const { page } = view;
  await page.goto('/');
  await page.getByRole('link', { name: 'Tic-tac-toe' }).first().click();
  await playThrough(view, { moves: ['b2', 'a1', 'c3'], hand: byMouse });
  for (const count of [2, 1, 0]) {
    await page.goBack();
    await page.locator('.seat', { hasText: `${count % 2 ? 'O' : 'X'} to move` }).waitFor();
    assert.equal(movesOf(view).length, count);
  }
  await page.goBack();
  await page.getByRole('heading', { name: 'Board games, solved exactly' }).waitFor();
  await page.goForward();
  await page.goForward();
  await page.locator('.seat', { hasText: 'O to move' }).waitFor();
  assert.deepEqual(movesOf(view), ['b2']);
});

explorer.onDesktop('a link shows another person the same tree, ply, side and comments', async (view) => {
  const { page } = view;
  await page.goto(FORKED);
  await tree(view).getByRole('button', { name: '3. c2' }).click();
  await page.getByLabel('Comment on 3. c2').fill('A fork, at last');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Flip the board' }).click();
  await tree(view).getByText('A fork, at last').waitFor();
  const seen = async (/** @type {import('playwright-core').Page} */ of) => ({
    tree: await textOf(of.getByRole('list', { name: 'Moves played' })),
    shown: await textOf(of.locator('[aria-current="step"]')),
    value: await textOf(of.locator('.value-line')),
    graph: await textOf(of.locator('figcaption')),
    board: await of.getByRole('gridcell').evaluateAll((cells) => cells.map((one) => one.getAttribute('aria-label'))),
  });
  // The marks are those of tic-tac-toe's values; the main line, which is not shown, has none yet.
  const marked = /^1\. b2 2\. a1 2\. a2 \?\? 3\. c2 \?\? ?A fork, at last 4\. b3 \?\? 3\. c3$/;
  await eventually(async () => assert.match((await seen(page)).tree, marked));
  const first = await seen(page);
  assert.match(first.board[0] ?? '', /^c1/);
  assert.match(first.graph, /^Ply 3 of 4/);
  const other = await page.context().browser()?.newPage();
  assert.ok(other);
  await other.goto(page.url());
  await eventually(async () => assert.deepEqual(await seen(other), first));
  assert.equal(other.url(), page.url());
  await other.close();
});

explorer.onDesktop('the last move is marked, also of a link and after going back', async (view) => {
  const { page } = view;
  const marked = () => page.locator('.cell.is-last').evaluateAll((cells) => cells.map((one) => one.getAttribute('data-cell')).sort());
  await page.goto('/?g=onitama:3x4:boar&m=a4a3:boar,a1a2:boar');
  await page.locator('.cell.is-last').first().waitFor();
  assert.deepEqual(await marked(), ['a1', 'a2']);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.locator('.cell.is-last[data-cell="a4"]').waitFor();
  assert.deepEqual(await marked(), ['a3', 'a4']);
  await page.goto('/?g=quoridor:5x5:1&m=c1h');
  await page.locator('.fence.is-last').waitFor();
});
