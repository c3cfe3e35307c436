// Links that are damaged or odd, and a server that goes away.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { cell, movesOf, waitForWords } from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

/** A text that would end a script, open an element and run code if it were not taken as text. */
const ODD = '</script><img src=x onerror=alert(1)>%\'"&amp;\u{1F600}';
const CODED = encodeURIComponent(ODD);

/**
 * Damaged links to tic-tac-toe, each with the words that tell it and the number of moves that are kept.
 * @type {{link: string, told: string[], kept: number}[]}
 */
const DAMAGED = [
  { link: '&p=zzz&m=b2', told: ['This is no position of the game: this board has 3 rows'], kept: 0 },
  { link: '&p=xxx/ooo/xxx', told: ['X begins: as many x as o, or one more'], kept: 0 },
  { link: `&p=${CODED}`, told: ['This is no position of the game'], kept: 0 },
  { link: '&m=b2,b2,a1', told: ["'b2' is no legal move here"], kept: 1 },
  { link: '&m=b2,c1&m=a1#v=0.1~a1,q9', told: ["The link has 'm' twice", "'q9' is no legal move here"], kept: 2 },
  {
    link: '&m=b2#v=7.7~a1&at=9.9&c=5.5~hello&view=tables', kept: 1, told: [
      "The branch '7.7~a1' of the link leaves no move of the game", "The link names the place '9.9'",
      "The comment at '5.5' of the link belongs to no move", "The link names the view 'tables'; there are moves, game,",
    ],
  },
  {
    link: `&m=b2,${CODED}#v=0.0~${CODED}&at=${CODED}&view=${CODED}`, kept: 1, told: [
      `'${ODD.split(' ')[0]}' is no legal move here`, 'The link names the place', `The link names the view '${ODD}'`,
    ],
  },
  { link: '&m=b2,%FF#at=0.1&view=%E0', told: ["'%FF' of the link is", "'%E0' of the link is damaged"], kept: 1 },
];

explorer.onDesktop('damage of a link is told, and the rest is shown and can be played on', async (view) => {
  view.expectFault(/status of 400/);
  const { page } = view;
  page.on('dialog', () => assert.fail('code of the link runs'));
  for (const { link, told, kept } of DAMAGED) {
    await page.goto('about:blank');
    await page.goto(`/?g=tic-tac-toe${link}`);
    for (const words of told) await page.getByRole('alert').filter({ hasText: words }).waitFor();
    await waitForWords(view, 'Drawn with best play');
    assert.equal(movesOf(view).length, kept, link);
    await cell(view, 'c3').click();
    await page.waitForURL(() => movesOf(view).length === kept + 1);
    await page.locator('.fault').waitFor({ state: 'detached' });
  }
  assert.equal(await page.locator('img').count(), 0);
  await page.goto('/?g=tic-tac-toe&m=b2,q9');
  await page.getByRole('alert').filter({ hasText: "'q9' is no legal move here" }).waitFor();
  await view.assertAccessible();
  await view.screenshot('damaged');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.locator('.fault').waitFor({ state: 'detached' });
});

explorer.onPhone('a game that there is not, or that is too large, is told, with a way to the others', async (view) => {
  view.expectFault(/status of 40[04]/);
  const { page } = view;
  for (const [id, words] of [
    ['chess', "there is no table 'chess'"], ['onitama:26x26:boar', 'a board of 26x26 is too large'],
    [CODED, `there is no table '${ODD}'`], ['../../healthz', 'There is no such table'],
    ['%FF', "'%FF' of the link is damaged"],
  ]) {
    await page.goto('/?g=' + id);
    await page.getByRole('alert').filter({ hasText: words ?? '' }).waitFor();
    await page.getByText('There is no board for this link.').waitFor();
  }
  await view.assertAccessible();
  await page.goto('/?g=onitama:26x26:boar');
  const spec = page.getByLabel('as a spec');
  assert.equal(await spec.inputValue(), 'onitama:26x26:boar');
  await spec.fill('onitama:3x3:boar');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.locator('[data-cell="c3"]').waitFor();
});

explorer.onDesktop('odd words of comments and agents stay words', async (view) => {
  const { page } = view;
  page.on('dialog', () => assert.fail('code of the link runs'));
  await page.goto(`/?g=tic-tac-toe&m=b2#c=0.1~${CODED}&view=game&seats=${CODED}~level:1`);
  await page.locator('.comment').getByText(ODD, { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Comment on 1. b2').inputValue(), ODD);
  await page.getByRole('tab', { name: 'Play' }).click();
  assert.equal(await page.getByLabel('Agent, such as').inputValue(), ODD);
  await page.reload();
  assert.equal(await page.getByLabel('Agent, such as').inputValue(), ODD);
  assert.equal(await page.locator('img').count(), 0);
});

explorer.onDesktop('a server that goes away is told, and found again', async (view) => {
  view.expectFault(/ERR_CONNECTION|ERR_EMPTY/);
  const { page } = view;
  const gone = page.getByRole('alert').filter({ hasText: 'The server does not answer.' });
  const turn = (/** @type {string} */ player) => page.locator('.seat', { hasText: `${player} to move` });
  await page.goto('/?g=tic-tac-toe&m=b2,a1');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('ArrowLeft');
  await turn('O').waitFor();
  await explorer.stopServer();
  await cell(view, 'c3').click();
  await gone.waitFor();
  await view.screenshot('server-gone');
  await page.getByRole('button', { name: 'First position' }).click();
  await turn('X').waitFor();
  await page.getByRole('button', { name: 'Forward' }).click();
  await turn('O').waitFor();
  await waitForWords(view, 'Drawn with best play');
  await cell(view, 'b1').click();
  await explorer.restartServer();
  await gone.waitFor({ state: 'detached' });
  await turn('X').waitFor();
  await waitForWords(view, /X wins in \d plies/);
});
