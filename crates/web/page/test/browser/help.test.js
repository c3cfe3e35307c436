// The list of keys.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';

const explorer = await openExplorer();

explorer.onBoth('the list of keys opens, keeps the keyboard inside, and closes', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe');
  await page.getByRole('button', { name: 'Keys and help' }).click();
  const list = page.getByRole('dialog', { name: 'Keys' });
  await list.waitFor();
  await view.assertAccessible();
  await page.keyboard.press('f');
  assert.ok(!page.url().includes('flip'), 'keys mean nothing behind the list');
  await page.keyboard.press('Escape');
  // A list that is closed is hidden before it is gone.
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await list.getByRole('button', { name: 'Close' }).click();
  await list.waitFor({ state: 'detached' });
});
