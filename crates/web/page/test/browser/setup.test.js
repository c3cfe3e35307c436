// Positions that are put together, and games as texts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { openExplorer } from './harness.js';

const explorer = await openExplorer();

const GAMES = [
  'onitama:3x4:boar', 'onitama:5x5:boar,ox,crab,tiger,dragon', 'ostle:3x3:2:1', 'quoridor:5x5:1', 'tic-tac-toe',
  'dodgem:3x3',
];

/** @typedef {import('./harness.js').View} View */

/**
 * Opens a game in the view and lets wrong drafts be answered with status 400.
 * @param {View} view
 * @param {string} game
 * @param {string} [moves]
 */
async function open(view, game, moves = '') {
  view.expectFault(/status of 400/);
  await view.page.goto(`/?g=${game}${moves && `&m=${moves}`}#view=setup`);
  await view.page.locator('.palette').waitFor();
}

/** @param {View} view @param {string} cell */
async function middle({ page }, cell) {
  const square = page.locator(`[data-cell="${cell}"]`);
  await square.scrollIntoViewIfNeeded();
  const box = await square.boundingBox();
  assert.ok(box, cell);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width };
}

/** @param {View} view @param {string} cell */
async function press(view, cell) {
  const { x, y } = await middle(view, cell);
  if (view.device === 'phone') await view.page.touchscreen.tap(x, y);
  else await view.page.mouse.click(x, y);
}

/**
 * @param {View} view
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 */
async function drag({ page, device }, from, to) {
  const steps = Array.from({ length: 6 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * (step + 1)) / 6, y: from.y + ((to.y - from.y) * (step + 1)) / 6,
  }));
  if (device === 'phone') {
    const session = await page.context().newCDPSession(page);
    /** @typedef {'touchStart' | 'touchMove' | 'touchEnd'} TouchType */
    const send = (/** @type {TouchType} */ type, /** @type {{x: number, y: number}[]} */ touchPoints) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', [from]);
    for (const step of steps) await send('touchMove', [step]);
    await send('touchEnd', []);
  } else {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const { x, y } of steps) await page.mouse.move(x, y);
    await page.mouse.up();
  }
}

/** Chooses a tool of the palette. @param {View} view @param {string} name */
async function choose({ page }, name) {
  const tool = page.locator('.tool', { hasText: name });
  await tool.click();
  await page.locator('.tool.is-chosen', { hasText: name }).waitFor();
}

/** Waits for the text of the position. @param {View} view @param {RegExp} pattern */
async function textIs({ page }, pattern) {
  await page.locator('.setup .position-text').first().filter({ hasText: pattern }).waitFor();
}

/** Waits for what is said of the draft. @param {View} view @param {RegExp} pattern */
async function verdictIs({ page }, pattern) {
  await page.locator('.verdict').filter({ hasText: pattern }).waitFor();
}

for (const game of GAMES) {
  explorer.onBoth(`every part of ${game} can be reached and read`, async (view) => {
    await open(view, game);
    await view.assertAccessible();
    const faults = await view.page.evaluate(() => {
      const parts = '.setup :is(button, textarea, .button, .check, input[type=number]), .seat button, .controls button';
      const small = [...document.querySelectorAll(parts)].filter((part) => {
        const { width, height } = part.getBoundingClientRect();
        return width < 43.5 || height < 43.5;
      });
      const { scrollWidth, clientWidth } = document.documentElement;
      const wide = scrollWidth > clientWidth ? ['the page scrolls sideways'] : [];
      return [...small.map((part) => part.outerHTML), ...wide];
    });
    assert.deepEqual(faults, []);
    await view.screenshot(`setup-${game.replaceAll(/\W/g, '-')}`);
  });
}

explorer.onBoth('pieces are moved, taken off, and put on the board', async (view) => {
  await open(view, 'onitama:5x5:boar,ox,crab,tiger,dragon');
  await drag(view, await middle(view, 'a1'), await middle(view, 'b3'));
  await textIs(view, /^rrRrr\/5\/1b3\/5\/1bBbb /);
  const edge = await middle(view, 'e5');
  await drag(view, edge, { x: edge.x - 3, y: edge.y - edge.size * 1.4 });
  await textIs(view, /^rrRr1\/5\/1b3\/5\/1bBbb /);
  await press(view, 'b3');
  await press(view, 'c3');
  await textIs(view, /^rrRr1\/5\/2b2\/5\/1bBbb /);
  await choose(view, 'Red pawn');
  await press(view, 'e4');
  await textIs(view, /^rrRr1\/4r\/2b2\/5\/1bBbb /);
  await press(view, 'e4');
  await textIs(view, /^rrRr1\/5\/2b2\/5\/1bBbb /);
  await choose(view, 'Take off');
  await press(view, 'c3');
  await textIs(view, /^rrRr1\/5\/5\/5\/1bBbb /);
});

explorer.onDesktop('a piece is dragged from the palette, and cards change places', async (view) => {
  const { page } = view;
  await open(view, 'onitama:5x5:boar,ox,crab,tiger,dragon');
  await press(view, 'a1');
  await page.keyboard.press('Delete');
  const tool = await page.locator('.tool', { hasText: 'Blue pawn' }).boundingBox();
  assert.ok(tool);
  await drag(view, { x: tool.x + 20, y: tool.y + 20 }, await middle(view, 'a2'));
  await textIs(view, /^rrRrr\/5\/5\/b4\/1bBbb ox,crab tiger,dragon boar red/);
  const cards = page.locator('.card');
  await cards.nth(0).click();
  await cards.nth(4).click();
  await textIs(view, / (boar,crab|crab,boar) tiger,dragon ox red/);
  const [from, to] = [await cards.nth(2).boundingBox(), await cards.nth(1).boundingBox()];
  assert.ok(from && to);
  await drag(view, { x: from.x + 20, y: from.y + 20 }, { x: to.x + 20, y: to.y + 20 });
  await textIs(view, / (boar,tiger|tiger,boar) (crab,dragon|dragon,crab) ox red/);
  await page.getByLabel('Blue', { exact: true }).check();
  await textIs(view, / blue$/);
  await page.getByText('Half turn').click();
  await page.getByText('Swap sides').click();
  await textIs(view, /^rrRr1\/4r\/5\/5\/bbBbb (crab,dragon|dragon,crab) (boar,tiger|tiger,boar) ox red/);
  const takeBack = page.getByRole('button', { name: 'Take back' });
  while (await takeBack.isEnabled()) await takeBack.click();
  await textIs(view, /^rrRrr\/5\/5\/5\/bbBbb ox,crab tiger,dragon boar red/);
});

explorer.onBoth('a wrong draft is told and marked, and goes nowhere', async (view) => {
  const { page } = view;
  await open(view, 'onitama:3x4:boar');
  await choose(view, 'Red leader');
  await press(view, 'b3');
  await verdictIs(view, /No position: .*master/);
  assert.equal(await page.locator('.cell.is-wrong').count(), 1);
  assert.equal(await page.locator('.position-text .wrong-sign').textContent(), 'R');
  assert.ok(await page.getByText('Explore from here').isDisabled());
  await view.assertAccessible();
  await view.screenshot('setup-wrong');
  await page.getByText('Clear').click();
  await verdictIs(view, /No position/);
  await page.locator('.turn.is-wrong').waitFor();
  assert.equal(await page.locator('.cell.is-wrong').count(), 0);
  const takeBack = page.getByRole('button', { name: 'Take back' });
  await takeBack.click();
  await takeBack.click();
  await verdictIs(view, /A position with Red to move/);
});

explorer.onDesktop('fences are added and taken away, and those in hand follow', async (view) => {
  const { page } = view;
  await open(view, 'quoridor:5x5:1');
  const { x, y, size } = await middle(view, 'b2');
  await page.mouse.move(x + size * 0.2, y - size / 2);
  assert.equal(await page.locator('.fence.ghost').count(), 1);
  await page.mouse.click(x + size * 0.2, y - size / 2);
  await textIs(view, /^c1 c5 0,1 b2h white/);
  await page.getByLabel('Fences of White').fill('1');
  await page.keyboard.press('Tab');
  await textIs(view, /^c1 c5 1,0 b2h white/);
  await page.mouse.click(x + size * 0.9, y - size / 2);
  await textIs(view, /^c1 c5 1,1 - white/);
  await page.locator('[data-cell="b2"]').focus();
  await page.keyboard.press('v');
  await textIs(view, /^c1 c5 0,1 b2v white/);
  await page.keyboard.press('h');
  await verdictIs(view, /No position/);
  assert.equal(await page.locator('.fence.is-wrong').count(), 1);
});

explorer.onDesktop('a position is set up by keys alone', async (view) => {
  const { page } = view;
  await open(view, 'ostle:3x3:2:1');
  await page.keyboard.press('b');
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await textIs(view, /^WW\.\/\.\.O\/BB\. black -/);
  for (let tabs = 0; tabs < 40; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.textContent === 'Black piece')) break;
  }
  for (const key of ['Enter', 'b', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await verdictIs(view, /No position/);
  await page.keyboard.press('Delete');
  await verdictIs(view, /A position with Black to move/);
  await page.keyboard.press('n');
  await verdictIs(view, /No position/);
});

explorer.onDesktop('a draft is explored and played, and the shown board is the next draft', async (view) => {
  const { page } = view;
  await open(view, 'tic-tac-toe');
  await choose(view, 'X');
  await press(view, 'b2');
  await verdictIs(view, /O to move/);
  await page.getByText('Explore from here').click();
  await page.locator('.panel-moves').waitFor();
  assert.equal(new URL(page.url()).search, '?g=tic-tac-toe&p=.../.x./...');
  await page.goBack();
  await textIs(view, /^\.\.\.\/\.\.\.\/\.\.\.$/);
  await page.getByText('Play from here').click();
  await page.locator('.panel-play').waitFor();
});

explorer.onDesktop('an answer that comes late changes no other view', async (view) => {
  const { page } = view;
  await open(view, 'tic-tac-toe');
  await page.route('**/setup', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue().catch(() => {});
  });
  await choose(view, 'X');
  await press(view, 'b2');
  await page.locator('#tab-moves').click();
  await page.waitForTimeout(600);
  assert.equal(await page.locator('.panel-moves').count(), 1);
  assert.ok(!page.url().includes('p='));
  await page.locator('#tab-setup').click();
  await textIs(view, /^\.\.\.\/\.x\.\/\.\.\.$/);
});

explorer.onBoth('positions, moves and records are opened from texts', async (view) => {
  const { page } = view;
  const enter = async (/** @type {string} */ text) => {
    await page.getByLabel('A position, moves').fill(text);
    await page.keyboard.press('Enter');
  };
  await open(view, 'tic-tac-toe');
  await enter('xx./oq./...');
  assert.equal(await page.locator('#paste-fault .wrong-sign').textContent(), 'q');
  await view.assertAccessible();
  await enter('b2 a1 zz');
  await page.locator('#paste-fault .position-text', { hasText: 'b2 a1 zz' }).waitFor();
  await enter('xx./oo./...');
  await textIs(view, /^xx\.\/oo\.\/\.\.\.$/);
  await enter('1. b1 {well} a1 *');
  await page.locator('.tree-move').nth(1).waitFor();
  assert.equal(new URL(page.url()).search, '?g=tic-tac-toe&p=xx./oo./...&m=b1,a1');
  await open(view, 'tic-tac-toe');
  await enter('{"game":"onitama:3x4:boar","moves":["b4b3:boar","a1a2:boar"]}');
  await page.locator('.tree-move').nth(1).waitFor();
  assert.equal(new URL(page.url()).search, '?g=onitama:3x4:boar&m=b4b3:boar,a1a2:boar');
});

explorer.onBoth('a game of a file is chosen from a list', async (view) => {
  const { page } = view;
  await open(view, 'tic-tac-toe');
  const lines = ['{"game":"tic-tac-toe","moves":["b2"]}', '{"game":"dodgem:3x3","moves":["a3b3"]}', 'rubbish'];
  const buffer = Buffer.from(lines.join('\n'));
  await page.setInputFiles('input[type=file]', { name: 'games.jsonl', mimeType: 'text/plain', buffer });
  await page.locator('.setup select').selectOption('1');
  assert.match(await page.locator('#paste-fault').textContent() ?? '', /Line 3/);
  await view.assertAccessible();
  await page.getByText('Open this game').click();
  await page.locator('.tree-move').waitFor();
  assert.equal(new URL(page.url()).search, '?g=dodgem:3x3&m=a3b3');
});

explorer.onDesktop('the game and the board are saved and copied', async (view) => {
  const { page } = view;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(view, 'tic-tac-toe', 'b2,a1');
  const copied = async (/** @type {string} */ label) => {
    await page.getByRole('button', { name: label }).click();
    await page.getByText('Copied \u2713').waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const saved = async (/** @type {string} */ label) => {
    const button = page.getByRole('button', { name: label });
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  };
  assert.equal(await copied('Copy moves'), 'b2 a1');
  assert.equal(await copied('Copy text'), '.../.x./o..');
  assert.match(await copied('Share'), /\/\?g=tic-tac-toe&p=\.\.\.\/\.x\.\/o\.\.$/);
  const record = await saved('Save record');
  assert.equal(record.name, 'tic-tac-toe.jsonl');
  const { game, moves, first, winner, ending } = JSON.parse(record.content.toString());
  assert.deepEqual([game, moves, first, winner, ending], ['tic-tac-toe', ['b2', 'a1'], 0, null, 'unfinished']);
  const svg = (await saved('Board as SVG')).content.toString();
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="[^"]*" width="392" height="392">/);
  assert.doesNotMatch(svg, /class=|style=|aria-/);
  assert.deepEqual([...(await saved('Board as PNG')).content.subarray(1, 4)], [...Buffer.from('PNG')]);
});
