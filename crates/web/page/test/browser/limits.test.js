// Limits of browsers, and what they keep for the page.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { cell, eventually, movesOf } from './steps.js';

const explorer = await openExplorer();

explorer.onDesktop('a browser that allows few addresses gets few, and the last one', async (view) => {
  const { page } = view;
  // As Safari does it: 100 calls in 30 seconds.
  await page.addInitScript(() => {
    /** @type {number[]} */
    const times = [];
    for (const name of /** @type {const} */ (['pushState', 'replaceState'])) {
      const write = history[name].bind(history);
      history[name] = (...all) => {
        times.push(Date.now());
        if (times.filter((time) => time > Date.now() - 30_000).length > 100) throw new DOMException('too many', 'SecurityError');
        write(...all);
      };
    }
  });
  await page.goto('/?g=tic-tac-toe&m=b2,a1,c3,a3,a2,c2,b3,b1');
  await page.locator('.tree-move, .move-row').first().waitFor();
  const keys = page.keyboard;
  for (let round = 0; round < 25; round += 1) {
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'f', 'ArrowUp', 'ArrowDown']) await keys.press(key);
  }
  await keys.press('ArrowUp');
  await page.waitForURL(/at=0\.0/);
  for (const name of ['Game', 'Play', 'Table', 'Moves', 'Game']) await page.getByRole('tab', { name }).click();
  await page.waitForURL(/view=game/);
  await cell(view, 'c1').click();
  await page.goto('about:blank');
  await page.goBack();
  assert.match(page.url(), /at=1\.1&view=game/, 'what was still to be written is there when the person comes back');
  await page.getByRole('link', { name: 'Hindsight' }).click();
  await page.getByRole('link', { name: /^tic-tac-toe/ }).first().click();
  await eventually(async () => assert.equal(movesOf(view).length, 8));
});

explorer.onDesktop('a game that is too long for a link is told, and shown all the same', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe&m=b2#view=game');
  const comment = page.getByLabel('Comment on 1. b2');
  await comment.fill('\u00e9'.repeat(2 ** 19));
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.getByRole('alert').filter({ hasText: 'This game is too long for a link.' }).waitFor();
  await page.getByRole('tab', { name: 'Game' }).click();
  await comment.fill('short');
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.waitForURL(/c=0\.1~short/);
});

explorer.onBoth('games that were kept are links to this page and nowhere else', async (view) => {
  const { page } = view;
  const bad = [
    'javascript:alert(1)', 'https://example.org/?g=tic-tac-toe', '//example.org', '/api/v1', 'data:text/html,x', '?g=', 7, null,
  ];
  await page.addInitScript((games) => {
    localStorage.setItem('hindsight.recent', JSON.stringify(games));
    localStorage.setItem('hindsight.puzzles', '{"x": {"y": 1}');
  }, [null, 'x', ...bad.map((address, index) => ({ id: `kept ${index}`, address, plies: { a: 1 } })),
    { id: 'tic-tac-toe', address: '?g=tic-tac-toe&m=b2', plies: 'many' }]);
  await page.goto('/');
  const kept = page.locator('section', { hasText: 'Go on' }).getByRole('link');
  await kept.first().waitFor();
  assert.deepEqual(await kept.allInnerTexts(), ['tic-tac-toe\n1 move']);
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => /** @type {HTMLAnchorElement} */ (link).origin));
  assert.deepEqual([...new Set(links)], [new URL(page.url()).origin]);
  await kept.click();
  await page.locator('.seat', { hasText: 'O to move' }).waitFor();
  for (const text of ['{', '7', '[[]]', '"x"', '{"length": 3}']) {
    await page.addInitScript((damaged) => localStorage.setItem('hindsight.recent', damaged), text);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Games', exact: true }).waitFor();
    assert.equal(await page.getByText('Go on').count(), 0, text);
  }
});

explorer.onDesktop('a plus sign of a link is a space', async (view) => {
  const { page } = view;
  await page.goto('/?g=onitama:3x4:boar&p=R1r/2b/B2/1br+boar,boar+boar,boar+boar+red#c=0.0~well+done&view=game');
  await page.getByLabel('Comment on the start').waitFor();
  assert.equal(await page.getByLabel('Comment on the start').inputValue(), 'well done');
  await cell(view, 'c4').waitFor();
  assert.equal(await page.locator('.fault').count(), 0);
  await page.waitForURL((url) => url.search === '?g=onitama:3x4:boar&p=R1r/2b/B2/1br_boar,boar_boar,boar_boar_red');
});
