// The view Table: facts, histogram, layers, and positions drawn from them.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';

const explorer = await openExplorer();

/**
 * Waits until the value under the board has some words.
 * @param {import('./harness.js').View} view
 * @param {RegExp} words
 */
async function waitForValue({ page }, words) {
  await page.locator('.value-line', { hasText: words }).waitFor();
}

explorer.onBoth('facts, histogram and a random position of a solved game', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=table');
  const slider = page.getByRole('slider', { name: 'Positions by plies to the end' });
  await slider.waitFor();
  const facts = await page.locator('#panel').innerText();
  assert.match(facts, /solved here/);
  assert.match(facts, /5,478/);
  assert.match(facts, /19\.5%\s*1,068 drawn/);
  await view.assertAccessible();
  await view.screenshot('table');
  await page.getByLabel('Value').selectOption('draw');
  await page.getByRole('button', { name: 'Show one' }).last().click();
  await waitForValue(view, /Drawn with best play|a draw/);
  await page.getByRole('button', { name: 'Longest win: 5 plies' }).click();
  await waitForValue(view, /wins in 5 plies/);
  assert.match(page.url(), /view=table/);
});

explorer.onDesktop('the histogram by keys: a bar says what it counts, and Enter shows one', async (view) => {
  const { page } = view;
  await page.goto('/?g=onitama:3x3:boar#view=table');
  const slider = page.getByRole('slider', { name: 'Positions by plies to the end' });
  await slider.focus();
  await page.keyboard.press('End');
  const last = await slider.getAttribute('aria-valuetext');
  assert.match(last ?? '', /^[\d,]+ positions? (is|are) (won|lost) in \d+ plies$/);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const words = await slider.getAttribute('aria-valuetext');
  assert.notEqual(words, last);
  const plies = Number(/in (\d+) pl/.exec(words ?? '')?.[1]);
  await page.keyboard.press('Enter');
  await waitForValue(view, new RegExp(`wins in ${plies} pl`));
  assert.equal(await slider.getAttribute('aria-valuetext'), words, 'the bar stays chosen');
  const address = page.url();
  await page.goBack();
  assert.ok(!page.url().includes('&p='));
  assert.notEqual(page.url(), address);
  await page.getByText('As numbers').click();
  assert.ok(await page.getByRole('row').count() > plies);
  await page.getByLabel('linear scale').check();
  await view.assertAccessible();
});

explorer.onDesktop('a draw that finds nothing says so', async (view) => {
  view.expectFault(/status of 404.*random/);
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=table');
  await page.getByLabel('Plies', { exact: true }).fill('99');
  await page.getByRole('button', { name: 'Show one' }).last().click();
  await page.getByText('There is no such position.').waitFor();
});

explorer.onPhone('a game that is not solved says how to get a table if this machine can make it', async (view) => {
  const { page } = view;
  for (const game of ['dobutsu', 'quoridor:9x9:10']) {
    /** @type {TableReply} */
    const table = await (await page.request.get(`/api/v1/tables/${game}`)).json();
    await page.goto(`/?g=${game}#view=table`);
    await page.getByText('This game is not solved here').waitFor();
    const commands = await page.getByText(`hindsight solve ${game} --out`).count();
    assert.equal(commands, table.can_have_table ? 1 : 0, game);
    await page.getByRole('tab', { name: 'Puzzles' }).click();
    await page.getByText('There are no puzzles here').waitFor();
    assert.equal(await page.getByText('how to get a table').count(), commands);
    await page.getByRole('tab', { name: 'Table' }).click();
  }
  await page.getByRole('button', { name: 'Show one' }).click();
  await page.waitForURL(/&p=/);
  await view.assertAccessible();
});
