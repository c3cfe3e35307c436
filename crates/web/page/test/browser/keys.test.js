// Keys after clicks, and where the focus is after the page has changed.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { cell, eventually, focused, movesOf, row, waitForWords } from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

/** @param {View} view @param {string} player */
async function waitForPlayer({ page }, player) {
  await page.locator('.seat', { hasText: `${player} to move` }).waitFor();
}

/** The open view. @param {View} view */
function openTab({ page }) {
  return page.locator('[role="tab"][aria-selected="true"]').innerText();
}

explorer.onDesktop('after a click on a tab arrows step through the game', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe&m=b2,a1,c3');
  for (const name of ['Game', 'Table', 'Play', 'Moves']) {
    await page.getByRole('tab', { name }).click();
    await page.keyboard.press('ArrowLeft');
    await waitForPlayer(view, 'X');
    await page.keyboard.press('ArrowLeft');
    await waitForPlayer(view, 'O');
    await page.keyboard.press('ArrowUp');
    await waitForPlayer(view, 'X');
    await page.keyboard.press('ArrowDown');
    await waitForPlayer(view, 'O');
    assert.equal(await openTab(view), name);
  }
});

explorer.onDesktop('a person who went to the tabs by keys goes from view to view with arrows', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe&m=b2,a1');
  await page.getByRole('tab', { name: 'Game' }).click();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  for (const name of ['Play', 'Set up', 'Table', 'Puzzles', 'Moves', 'Game']) {
    await page.keyboard.press('ArrowRight');
    await eventually(async () => assert.equal(await focused(view, 'id'), `tab-${name.toLowerCase().replace(' ', '')}`));
    assert.equal(await openTab(view), name);
  }
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => assert.equal(await openTab(view), 'Moves'));
  assert.ok(!page.url().includes('at='), 'no ply back');
});

explorer.onDesktop('after a click on the board arrows step through the game, after b they go over squares', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe');
  await cell(view, 'b2').click();
  await waitForWords(view, 'Drawn with best play');
  await page.keyboard.press('ArrowLeft');
  await waitForPlayer(view, 'X');
  await page.keyboard.press('ArrowRight');
  await waitForPlayer(view, 'O');
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(view, 'data-cell'), 'a2');
  await page.keyboard.press('Enter');
  await page.waitForURL(() => movesOf(view).length === 2);
});

explorer.onDesktop('the focus stays on its move while an analysis changes the list', async (view) => {
  const { page } = view;
  await page.goto('/?g=quoridor:9x9:10');
  await page.locator('.move-row').first().waitFor();
  await page.getByRole('button', { name: 'First position' }).focus();
  const move = await page.locator('.move-row').nth(2).getAttribute('data-move') ?? assert.fail('no move');
  await row(view, move).focus();
  /** @type {Set<string | null>} */
  const seen = new Set();
  const busy = page.getByText(/^Analysing/);
  for (const end = Date.now() + 9000; Date.now() < end && await busy.count();) seen.add(await focused(view, 'data-move'));
  seen.add(await focused(view, 'data-move'));
  assert.deepEqual([...seen], [move]);
  await page.getByRole('button', { name: 'Analyse longer' }).focus();
  await page.keyboard.press('Enter');
  await busy.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Analyse longer');
});

explorer.onDesktop('the focus stays in the list from ply to ply, and on a button that is off', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe&m=b2,a1,c3');
  await page.locator('.move-row .badge').first().waitFor();
  await page.locator('.move-row').nth(1).focus();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
    await page.keyboard.press(key);
    await page.locator('.move-row .badge').first().waitFor();
    await eventually(async () => assert.ok(await focused(view, 'data-move'), key));
  }
  assert.equal(await openTab(view), 'Moves');
  const back = page.getByRole('button', { name: 'Back', exact: true });
  await back.focus();
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('Enter');
  await page.waitForURL(/at=0\.0/);
  assert.equal(await focused(view, 'aria-label'), 'Back');
  assert.ok(await back.isDisabled());
  await page.keyboard.press('Tab');
  assert.notEqual(await focused(view, 'aria-label'), 'Back');
});
