// The first view.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';

const explorer = await openExplorer();

explorer.onBoth('the first view has a heading and a link for each game', async (view) => {
  const { page } = view;
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  /** @type {{name: string}[]} */
  const games = await (await page.request.get('/api/v1/games')).json();
  const links = await page.locator("a[href*='g=']").evaluateAll((links) =>
    links.map((link) => new URL(/** @type {HTMLAnchorElement} */ (link).href).search),
  );
  assert.ok(games.length > 0);
  for (const { name } of games) {
    const named = links.filter((search) => {
      const id = new URLSearchParams(search).get('g');
      return id?.split(':')[0] === name;
    });
    assert.ok(named.length > 0, `no link for ${name} among ${links}`);
  }
  await view.assertAccessible();
  await view.screenshot('first');
});
