// The view Puzzles: finding, solving, wrong moves, hints and solutions.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';

const explorer = await openExplorer();

/** X to move wins at c3 alone. */
const WIN = '/?g=tic-tac-toe&p=xx./oo./...#view=puzzles';

/** @param {import('./harness.js').View} view */
function status({ page }) {
  return page.locator('.puzzle').getByRole('status');
}

/**
 * @param {import('./harness.js').View} view
 * @param {string | RegExp} words
 */
async function waitForStatus(view, words) {
  await status(view).filter({ hasText: words }).waitFor();
}

/**
 * Clicks a cell of the board.
 * @param {import('./harness.js').View} view
 * @param {string} cell
 */
async function choose({ page }, cell) {
  await page.locator(`[data-cell="${cell}"] .mark`).click({ force: true });
}

/**
 * The best move of the shown position.
 * @param {import('./harness.js').View} view
 * @returns {Promise<string>}
 */
async function bestMove({ page }) {
  const asked = new URL(page.url()).searchParams;
  const base = `/api/v1/tables/${asked.get('g')}`;
  /** @type {Record<string, string>} */
  const query = { p: asked.get('p') ?? '' };
  const moves = asked.get('m');
  if (moves) query.m = moves;
  const { position } = await (await page.request.get(`${base}/position`, { params: query })).json();
  const answer = await page.request.get(`${base}/probe`, { params: { p: position } });
  return (await answer.json()).moves[0].move;
}

/**
 * Plays best moves until the puzzle is solved.
 * @param {import('./harness.js').View} view
 */
async function solve(view) {
  for (let moves = 0; moves < 10; moves += 1) {
    await choose(view, await bestMove(view));
    await waitForStatus(view, /Solved|Right\. The answer is .* Your move/);
    if (/Solved/.test(await status(view).innerText())) return;
  }
  assert.fail('not solved');
}

explorer.onBoth('ten puzzles are found, one is solved, and that is kept', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=puzzles');
  const rows = page.locator('.puzzle-row');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 10);
  await view.assertAccessible();
  await rows.nth(1).click();
  await waitForStatus(view, /to move wins in \d+ pl(y|ies)/);
  assert.ok(!(await page.locator('.left').innerText()).includes('W +'), 'values stay hidden');
  await solve(view);
  await waitForStatus(view, 'Solved without help.');
  await view.assertAccessible();
  await view.screenshot('puzzles');
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await page.getByRole('heading', { name: 'Puzzle 3 of 10' }).waitFor();
  await page.reload();
  await rows.nth(1).getByText('solved').waitFor();
});

explorer.onBoth('a wrong move is explained and taken back', async (view) => {
  await view.page.goto(WIN);
  await waitForStatus(view, 'X to move wins at once');
  const address = view.page.url();
  await choose(view, 'c2');
  await waitForStatus(view, 'c2 gives the win away. It is taken back.');
  await waitForStatus(view, 'c2 gives the win away. Try again.');
  assert.equal(view.page.url(), address);
  await choose(view, 'c3');
  await waitForStatus(view, 'Solved, with 1 wrong try.');
});

explorer.onDesktop('by keys alone: hints, the move, and the solution step by step', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=puzzles');
  const first = page.locator('.puzzle-row').first();
  await first.focus();
  await page.keyboard.press('Enter');
  await waitForStatus(view, 'to move wins');
  const hint = page.getByRole('button', { name: 'Hint' });
  await hint.focus();
  await page.keyboard.press('Enter');
  await waitForStatus(view, 'Look at column');
  await page.keyboard.press('Enter');
  await waitForStatus(view, /^Play /);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForStatus(view, 'The solution is below');
  const steps = page.getByRole('list', { name: 'The solution' }).getByRole('button');
  for (let step = await steps.count(); step > 0; step -= 1) await page.keyboard.press('Enter');
  await waitForStatus(view, /has won/);
  await view.assertAccessible();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Puzzle 2 of 10' }).waitFor();
});

explorer.onDesktop('one move saves a draw, and agents at the seats keep out of it', async (view) => {
  await view.page.goto('/?g=tic-tac-toe&p=x../.../...#view=puzzles&seats=random~random');
  await waitForStatus(view, 'O to move can save a draw');
  /** @type {string[]} */
  const asked = [];
  view.page.on('request', (request) => asked.push(request.url()));
  await choose(view, 'b2');
  await waitForStatus(view, 'Solved without help.');
  assert.deepEqual(asked.filter((url) => url.includes('/choose')), []);
});

explorer.onDesktop('a search without puzzles says what to change; a game without values has none', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=puzzles');
  await page.getByLabel('Fewest plies').fill('8');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText('The fewest plies are more than the most.').waitFor();
  await page.getByLabel('Most plies').fill('');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText(/None was found among .* Look for other themes/).waitFor();
  await view.assertAccessible();
  await page.goto('/?g=quoridor:9x9:10#view=puzzles');
  await page.getByText('There are no puzzles here').waitFor();
});
