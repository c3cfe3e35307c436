// The view Moves: values, the same move in the list and on the board, best play, and analyses.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { ask, bestLine, cell, eventually, middleOf, movesOf, placeOf, row, textOf, waitForWords } from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

/**
 * What a row of the list says.
 * @param {ValuedMove} move
 */
function rowText({ move, value, remoteness, gives, plies_lost: lost }) {
  const plies = (/** @type {number | null | undefined} */ count) => (count === 1 ? '1 ply' : `${count} plies`);
  const badge = { win: 'W +', draw: 'D =', loss: 'L \u2212' }[value ?? 'draw'];
  const gift = {
    nothing: '= best', plies: `gives ${plies(lost)}`, draw: 'gives the draw away', win: 'gives the win away',
  }[gives ?? 'nothing'];
  return [badge, move, value === 'draw' ? '' : plies(remoteness), gift].filter(Boolean).join(' ');
}

/** Three positions with all that a move can give away. */
const JUDGED = [
  '/?g=tic-tac-toe&p=xx./oo./...',
  '/?g=ostle:3x3:2:1&p=..W/BOW/B.._black_b2U',
  '/?g=onitama:3x4:boar&p=1R1/1rb/3/B2_boar,boar_boar,boar_boar_red',
];

/**
 * Opens an address and waits until the list has values: it is laid out anew for them.
 * @param {View} view
 * @param {string} address
 */
async function openMoves({ page }, address) {
  await page.goto(address);
  await page.locator('.move-row .badge').first().waitFor();
}

explorer.onBoth('every move is listed with its value, its plies and what it gives away', async (view) => {
  const { page } = view;
  /** @type {Set<string>} */
  const gifts = new Set();
  for (const address of JUDGED) {
    await openMoves(view, address);
    /** @type {ValuesReply} */
    const { moves } = await ask(view, 'probe', placeOf(view));
    const shown = await Promise.all((await page.locator('.move-row').all()).map(textOf));
    assert.deepEqual(shown, moves.map(rowText));
    const names = { win: 'Won', draw: 'Drawn', loss: 'Lost' };
    const counts = Object.entries(names).flatMap(([value, name]) => {
      const count = moves.filter((move) => move.value === value).length;
      return count ? [`${name} ${count}`] : [];
    });
    assert.deepEqual(await Promise.all((await page.locator('.group h3').all()).map(textOf)), counts);
    for (const { gives } of moves) gifts.add(gives ?? '');
  }
  assert.deepEqual([...gifts].sort(), ['draw', 'nothing', 'plies', 'win']);
  await view.assertAccessible();
  await view.screenshot('moves');
  const [first] = await page.locator('.move-row').all();
  assert.ok(first);
  const move = await first.getAttribute('data-move');
  await (view.device === 'phone' ? first.tap() : first.click());
  await page.waitForURL(/&m=/);
  assert.deepEqual(movesOf(view), [move]);
});

/**
 * True if an element covers the middle of a cell.
 * @param {View} view
 * @param {{element: import('playwright-core').Locator, name: string}} asked
 */
async function covers(view, { element, name }) {
  const { x, y } = await middleOf(view, name);
  const box = await element.boundingBox() ?? assert.fail('not to be seen');
  const slack = 10;
  return x > box.x - slack && x < box.x + box.width + slack && y > box.y - slack && y < box.y + box.height + slack;
}

/** @param {import('playwright-core').Locator} element */
function paperOf(element) {
  return element.evaluate((shown) => getComputedStyle(shown).backgroundColor);
}

explorer.onDesktop('a move looked at in the list is seen on the board, and the other way round', async (view) => {
  const { page } = view;
  await openMoves(view, '/?g=onitama:3x4:boar');
  const arrow = page.locator('.arrow');
  await row(view, 'a4a3:boar').hover();
  await arrow.waitFor();
  assert.ok(await covers(view, { element: arrow, name: 'a3' }));
  assert.ok(!await covers(view, { element: arrow, name: 'b3' }));
  await page.getByRole('heading', { level: 1 }).hover();
  await arrow.waitFor({ state: 'detached' });
  const plain = await paperOf(row(view, 'a4a3:boar'));
  await cell(view, 'a4').click();
  await cell(view, 'a3').hover();
  await arrow.waitFor();
  assert.notEqual(await paperOf(row(view, 'a4a3:boar')), plain);
  assert.equal(await paperOf(row(view, 'b4b3:boar')), plain);
  await page.keyboard.press('Escape');
  await row(view, 'c4c3:boar').focus();
  await arrow.waitFor();
  assert.ok(await covers(view, { element: arrow, name: 'c3' }), 'the keyboard looks at moves, too');
});

explorer.onDesktop('pieces that a looked-at move takes fade, and its fence is shown', async (view) => {
  const { page } = view;
  await openMoves(view, '/?g=onitama:3x4:boar&p=1R1/1rb/3/B2_boar,boar_boar,boar_boar_red');
  await row(view, 'b3c3:boar').hover();
  const fading = page.locator('.piece.fades');
  await fading.waitFor();
  assert.ok(await covers(view, { element: fading, name: 'c3' }));
  await openMoves(view, '/?g=quoridor:5x5:1');
  await row(view, 'c2h').hover();
  await page.locator('.fence.ghost').waitFor();
});

/**
 * Notes what the page asks the server from now on: the last part of each address, and the status of the answer.
 * @param {View} view
 */
function noteRequests({ page }) {
  /** @type {{name: string, status: number}[]} */
  const asked = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) asked.push({ name: pathname.split('/').at(-1) ?? '', status: response.status() });
  });
  return asked;
}

explorer.onDesktop('Space plays the best move, held it walks the line with one request for it', async (view) => {
  const { page } = view;
  await page.goto('/?g=onitama:3x4:boar');
  const best = await bestLine(view, 'onitama:3x4:boar');
  await waitForWords(view, 'Red wins in 21 plies');
  const asked = noteRequests(view);
  await page.keyboard.press(' ');
  await waitForWords(view, 'Red wins in 20 plies');
  assert.deepEqual(movesOf(view), best.slice(0, 1));
  const over = page.locator('.value-line', { hasText: 'The game is over: Red has won' });
  for (let repeats = 0; repeats < 300 && !await over.isVisible(); repeats += 1) {
    await page.keyboard.down(' ');
    await page.waitForTimeout(30);
  }
  await page.keyboard.up(' ');
  await over.waitFor();
  assert.deepEqual(movesOf(view), best);
  assert.equal(asked.filter(({ name }) => name === 'line').length, 1);
  assert.ok(asked.filter(({ name }) => name === 'position').length <= best.length);
  assert.deepEqual(asked.filter(({ status }) => status >= 400), []);
});

explorer.onBoth('the best line is shown to its end, and becomes the game', async (view) => {
  const { page } = view;
  await page.goto('/?g=ostle:3x3:2:1');
  const best = await bestLine(view, 'ostle:3x3:2:1');
  await page.getByRole('button', { name: 'Show the best line' }).click();
  const line = page.locator('.line');
  await line.filter({ hasText: ', the end' }).waitFor();
  assert.deepEqual(await line.getByRole('button').allInnerTexts(), best);
  await page.getByRole('button', { name: 'Add it to the game' }).click();
  assert.deepEqual(movesOf(view), best);
  await waitForWords(view, 'Black wins in 11 plies');
  await page.getByRole('button', { name: 'Last position' }).click();
  await waitForWords(view, 'The game is over');
});

explorer.onDesktop('a drawn game goes round, which the best line says', async (view) => {
  const { page } = view;
  await page.goto('/?g=onitama:3x4:boar&p=R1r/2b/B2/1br_boar,boar_boar,boar_boar_red');
  await waitForWords(view, 'Drawn with best play');
  await page.getByRole('button', { name: 'Show the best line' }).click();
  await page.getByText(' and round again').waitFor();
});

explorer.onDesktop('an analysed game has estimates that are told as such, and its analysis ends', async (view) => {
  const { page } = view;
  await page.goto('/?g=quoridor:9x9:10');
  const busy = page.getByText(/^Analysing/);
  await busy.waitFor();
  await waitForWords(view, /^~.*Not proved;.* \([+\u2212]?\d\.\d\d for White\)$/);
  await page.locator('.move-row', { hasText: 'estimate' }).first().waitFor();
  assert.equal(await page.locator('.group h3').first().innerText().then((text) => text.split(' ')[0]), 'Not');
  await busy.waitFor({ state: 'detached' });
  await page.getByText(/^From .* in \d+\.\d s\.$/).waitFor();
  await view.assertAccessible();
  await view.screenshot('analysis');
  const best = await page.locator('.move-row').first().getAttribute('data-move');
  await page.keyboard.press(' ');
  await page.waitForURL(/&m=/);
  assert.deepEqual(movesOf(view), [best]);
});

/**
 * An analysis of the start of four in a row.
 * @param {object} known
 * @param {object[]} moves what is known of the moves, by their columns
 */
function analysisOf(known, moves) {
  const nothing = { value: null, remoteness: null, bound: null, estimate: null };
  const listed = moves.map((one) => ({ to: '', line: [], ...nothing, ...one }));
  return { game: 'four:7x6', position: '', player: 'X', ...nothing, ...known, moves: listed, seconds: 1, work: 1, sources: ['playouts'] };
}

explorer.onDesktop('a longer analysis takes nothing away, nor does another game in between', async (view) => {
  const { page } = view;
  const bound = { value: 'win', bound: { value: 'win', plies: 41 } };
  const proved = analysisOf(bound, [{ move: 'd1', line: ['d1', 'd2'], ...bound }, { move: 'a1', estimate: 0.2 }]);
  const poorer = analysisOf({ estimate: 0.3 }, [{ move: 'a1', estimate: 0.3 }, { move: 'd1', estimate: 0.1 }]);
  const answers = [[poorer, proved], [poorer], [poorer, poorer]];
  let asked = 0;
  let isEveryMoveAsked = false;
  await page.route('**/analyse?**', (route) => {
    isEveryMoveAsked = new URL(route.request().url()).searchParams.get('every_move') === 'true';
    const events = answers[Math.min(asked, 2)]?.map((answer) => `data: ${JSON.stringify(answer)}\n\n`);
    asked += 1;
    return route.fulfill({ contentType: 'text/event-stream', body: events?.join('') ?? '' });
  });
  const assertKept = async () => {
    await waitForWords(view, /^W ?\+ ?X wins, in at most 41 plies$/);
    assert.equal(await textOf(page.locator('.move-row').first()), 'W + d1 at most 41 plies');
    assert.equal(await textOf(page.locator('.line')), 'd1 d2');
  };
  await page.goto('/?g=four:7x6');
  await assertKept();
  for (let presses = 1; presses <= 3; presses += 1) {
    await page.getByRole('button', { name: 'Analyse longer' }).click();
    await eventually(async () => assert.equal(asked, presses + 1));
    await page.getByText(/^Analysing/).waitFor({ state: 'detached' });
    await assertKept();
    assert.ok(!isEveryMoveAsked);
  }
  await page.getByRole('button', { name: 'Prove every move' }).click();
  await eventually(async () => assert.equal(asked, 5));
  assert.ok(isEveryMoveAsked, 'the analysis goes through all moves');
  await page.getByText(/^Analysing/).waitFor({ state: 'detached' });
  await assertKept();
  await page.getByRole('link', { name: 'Hindsight' }).click();
  await page.getByRole('link', { name: /^Tic-tac-toe/ }).click();
  await waitForWords(view, 'Drawn with best play');
  await page.goBack();
  await page.goBack();
  await assertKept();
  assert.equal(asked, 5, 'what was analysed is not asked again');
});

explorer.onDesktop('a game that has ended says who has won, and its last move is best', async (view) => {
  const { page } = view;
  await page.goto('/?g=four:7x6&m=a1,b1,a2,b2,a3,b3,a4#view=game');
  await page.getByText('Ply 7 of 7: X has won').waitFor();
  await page.getByRole('tab', { name: 'Play' }).click();
  await page.locator('.judged li').filter({ hasText: /7\. X a4 = a best move$/ }).waitFor();
  await waitForWords(view, 'The game is over: X has won');
});
