// What holds in every view of every game, on a narrow screen and on a wide one.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { GAMES, bestLine } from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

const VIEWS = ['Moves', 'Game', 'Play', 'Set up', 'Table', 'Puzzles'];

/**
 * Opens a view and waits until all of it is there.
 * @param {View} view
 * @param {string} name
 */
async function openView({ page }, name) {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tabpanel', { name }).waitFor();
  await page.locator('#panel .busy').waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
}

/**
 * Controls that are too small for a finger, with their sizes. Links inside of sentences are as high as these.
 * @param {View} view
 */
function smallControls({ page }) {
  return page.evaluate(() => {
    const controls = document.querySelectorAll('button, a, input, select, textarea, summary, [role="slider"]');
    return [...controls].flatMap((control) => {
      const isChoice = control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type);
      const { width, height } = ((isChoice && control.closest('label')) || control).getBoundingClientRect();
      if (width === 0 || getComputedStyle(control).display === 'inline') return [];
      const least = control.tagName === 'BUTTON' ? 44 : 24;
      const name = control.getAttribute('aria-label') || control.textContent || control.outerHTML;
      return width < 24 || height < least - 0.5 ? [`${name}: ${width.toFixed()} x ${height.toFixed()}`] : [];
    });
  });
}

/**
 * Asserts that nothing is cut off at the side and that controls are large enough.
 * @param {View} view
 * @param {string} name
 */
async function assertFits(view, name) {
  const { page } = view;
  const [wide, width] = await page.evaluate(() => [document.scrollingElement?.scrollWidth ?? 0, innerWidth]);
  assert.ok((wide ?? 0) <= (width ?? 0), `${name} is ${wide} wide on ${width}`);
  assert.deepEqual(await smallControls(view), [], name);
}

/**
 * Asserts that no element is wider than its place but those that can be scrolled, and that none is over another.
 * @param {View} view
 * @param {string} name
 */
async function assertNothingCut({ page }, name) {
  const faults = await page.evaluate(() => {
    const told = (/** @type {Element} */ element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`;
    const shown = [...document.querySelectorAll('#page *')].filter((element) =>
      element.clientWidth && element instanceof HTMLElement && !element.closest('.spoken, .scroll, .board-box'));
    const wide = shown.filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline');
    const over = shown.filter((element) => {
      const next = element.nextElementSibling;
      if (!next || !shown.includes(/** @type {HTMLElement} */ (next)) || next.matches('dialog')) return false;
      const [a, b] = [element.getBoundingClientRect(), next.getBoundingClientRect()];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      return across > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    });
    const page = document.scrollingElement?.scrollWidth ?? 0;
    return [...wide.map((element) => `too wide: ${told(element)}`), ...over.map((element) => `under another: ${told(element)}`),
      ...(page > innerWidth ? [`the page is ${page} wide`] : [])];
  });
  assert.deepEqual(faults, [], name);
}

for (const game of GAMES) {
  explorer.onBoth(`${game}: every view fits, and everyone can use it`, async (view) => {
    const [first] = await bestLine(view, game);
    await view.page.goto(`/?g=${game}&m=${first}`);
    for (const name of VIEWS) {
      await openView(view, name);
      await assertFits(view, name);
      await view.assertAccessible();
      await view.screenshot(`${game}-${name}`.replaceAll(/\W+/g, '-'));
    }
  });
}

for (const [width, height] of [[320, 568], [3840, 2160]]) {
  explorer.onDesktop(`views fit ${width} x ${height} pixels`, async (view) => {
    const { page } = view;
    await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertFits(view, 'the first page');
    await view.screenshot(`${width}-first`);
    await page.goto('/?g=onitama:3x4:boar');
    for (const name of VIEWS) {
      await openView(view, name);
      await assertFits(view, name);
      await view.screenshot(`${width}-${name}`.replaceAll(/\W+/g, '-'));
    }
    const board = await page.locator('svg.board').boundingBox() ?? assert.fail('no board');
    assert.ok(board.width >= 0.8 * 320 && board.x + board.width <= (width ?? 0));
    assert.ok(board.height >= Math.min(0.35 * (height ?? 0), 250), 'the board uses the screen');
  });
}

for (const [width, height] of [[1000, 800], [360, 640]]) {
  explorer.onDesktop(`text of twice the size fits ${width} x ${height} pixels`, async (view) => {
    const { page } = view;
    await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
    const enlarge = () => page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await enlarge();
    await assertNothingCut(view, 'the first page');
    for (const game of ['onitama:5x5:tiger,crab,monkey,crane,dragon', 'quoridor:5x5:1']) {
      await page.goto(`/?g=${game}`);
      await enlarge();
      for (const name of VIEWS) {
        await openView(view, name);
        await assertNothingCut(view, `${name} of ${game}`);
        await view.screenshot(`large-text-${width}-${game}-${name}`.replaceAll(/\W+/g, '-'));
      }
      await page.keyboard.press('?');
      await assertNothingCut(view, 'the list of keys');
      await page.keyboard.press('Escape');
    }
  });
}
