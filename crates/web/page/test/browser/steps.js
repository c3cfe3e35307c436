// What a person does on the board and what the page shows then, for the tests of several views.

import assert from 'node:assert/strict';

/** @typedef {import('./harness.js').View} View */
/** @typedef {{game: string, p?: string | undefined, m?: string | undefined}} Place */

/**
 * Makes a move on the board. Of two ways to do it, the ply says which one is taken.
 * @typedef {(view: View, drawing: MoveDrawing, ply: number) => Promise<void>} Hand
 */

/** Games that are solved at once, each with its board in another form. */
export const GAMES = ['tic-tac-toe', 'onitama:3x4:boar', 'ostle:3x3:2:1', 'quoridor:5x5:1', 'dodgem:3x3'];

/**
 * Asks the server without the page.
 * @param {View} view
 * @param {string} name such as `line`
 * @param {Place} place
 * @returns {Promise<any>}
 */
export async function ask({ page }, name, { game, p, m }) {
  const query = Object.entries({ p, m }).flatMap(([key, text]) => (text ? `${key}=${encodeURIComponent(text)}` : []));
  const answer = await page.request.get(`/api/v1/tables/${game}/${name}?${query.join('&')}`);
  assert.ok(answer.ok(), `${name} of ${game} ${p ?? ''}: ${await answer.text()}`);
  return answer.json();
}

/**
 * The moves of best play from the start of a game.
 * @param {View} view
 * @param {string} game
 * @returns {Promise<string[]>}
 */
export async function bestLine(view, game) {
  const { line } = await ask(view, 'line', { game });
  return line.map((/** @type {{move: string}} */ { move }) => move);
}

/**
 * The legal moves of the shown position, with their pictures.
 * @param {View} view
 * @returns {Promise<PositionReply>}
 */
export function shownPosition(view) {
  return ask(view, 'position', placeOf(view));
}

/** The place that the page shows, by its address. @param {View} view @returns {Place} */
export function placeOf({ page }) {
  const { searchParams } = new URL(page.url());
  const text = (/** @type {string} */ name) => searchParams.get(name) ?? undefined;
  return { game: text('g') ?? '', p: text('p'), m: text('m') };
}

/** The moves in the address of the page. @param {View} view */
export function movesOf(view) {
  return (placeOf(view).m ?? '').split(',').filter(Boolean);
}

/**
 * Plays moves on the board, and waits for each until the page shows whose turn it is then.
 * @param {View} view
 * @param {{moves: string[], hand: Hand}} game
 * @returns {Promise<PositionReply>} the last position
 */
export async function playThrough(view, { moves, hand }) {
  const { game } = placeOf(view);
  let shown = await shownPosition(view);
  for (const [ply, name] of moves.entries()) {
    const move = shown.moves.find((/** @type {LegalMove} */ one) => one.move === name);
    assert.ok(move?.drawing, `${name} can be drawn in ${shown.position}`);
    await waitForTurn(view, shown);
    await hand(view, move.drawing, ply);
    shown = await ask(view, 'position', { game, p: move.to });
  }
  await waitForTurn(view, shown);
  return shown;
}

/**
 * Waits until the page shows whose turn it is, or that the game is over.
 * @param {View} view
 * @param {PositionReply} shown
 */
export async function waitForTurn(view, { over, player, winner }) {
  if (!over) await view.page.locator('.seat', { hasText: `${player} to move` }).waitFor();
  else await waitForWords(view, `The game is over: ${winner === null ? 'a draw' : `${winner} has won`}`);
}

/**
 * Waits until the line under the board has some words.
 * @param {View} view
 * @param {string | RegExp} words
 */
export async function waitForWords({ page }, words) {
  await page.locator('.value-line', { hasText: words }).waitFor();
}

/** @param {View} view @param {string} name */
export function cell({ page }, name) {
  return page.locator(`[data-cell="${name}"]`);
}

/**
 * By mouse: every second move is a drag.
 * @type {Hand}
 */
export async function byMouse(view, { from, to, leaves, fence }, ply) {
  if (fence) await cell(view, fence.cell).click(await besideFence(view, fence));
  else if (from && ply % 2 === 1) await drag(view, from, await spotOf(view, { from, to, leaves }));
  else {
    if (from) await cell(view, from).click();
    await (leaves ? exit(view, leaves) : cell(view, to ?? '')).click();
  }
}

/**
 * By touch: the first tap shows a fence, the second one places it.
 * @type {Hand}
 */
export async function byTouch(view, { from, to, leaves, fence }) {
  if (fence) {
    const spot = await besideFence(view, fence);
    await cell(view, fence.cell).tap(spot);
    await view.page.locator('.fence.ghost').first().waitFor();
    await cell(view, fence.cell).tap(spot);
  } else {
    if (from) await cell(view, from).tap();
    await (leaves ? exit(view, leaves) : cell(view, to ?? '')).tap();
  }
}

/**
 * By keys alone. The focus stays on the board after the first move.
 * @type {Hand}
 */
export async function byKeys(view, { from, to, leaves, fence }, ply) {
  const { keyboard } = view.page;
  if (ply === 0) await keyboard.press('b');
  if (fence) {
    await goByKeys(view, fence.cell);
    const key = fence.is_vertical ? 'v' : 'h';
    await keyboard.press(key);
    await keyboard.press(key);
    return;
  }
  if (from) {
    await goByKeys(view, from);
    await keyboard.press('Enter');
  }
  if (leaves) await tabTo(view, `off:${leaves.join(',')}`, 'data-exit');
  else await goByKeys(view, to ?? '');
  await keyboard.press('Enter');
}

/**
 * Goes with arrows to a cell from the one that has the focus.
 * @param {View} view
 * @param {string} goal
 */
export async function goByKeys(view, goal) {
  const { keyboard } = view.page;
  const at = await focused(view, 'data-cell');
  assert.ok(at, 'the board has the focus');
  const [across, up] = [columnOf(goal) - columnOf(at), rowOf(goal) - rowOf(at)];
  for (let n = 0; n < Math.abs(across); n += 1) await keyboard.press(across > 0 ? 'ArrowRight' : 'ArrowLeft');
  for (let n = 0; n < Math.abs(up); n += 1) await keyboard.press(up > 0 ? 'ArrowUp' : 'ArrowDown');
  assert.equal(await focused(view, 'data-cell'), goal, `arrows go from ${at} to ${goal}`);
}

/**
 * Presses Tab until the focus is where an attribute has a value.
 * @param {View} view
 * @param {string} value
 * @param {string} attribute
 */
export async function tabTo(view, value, attribute) {
  for (let presses = 0; presses < 40; presses += 1) {
    await view.page.keyboard.press('Tab');
    if (await focused(view, attribute) === value) return;
  }
  assert.fail(`Tab does not get to ${attribute} ${value}`);
}

/**
 * An attribute of the element that has the focus.
 * @param {View} view
 * @param {string} attribute
 */
export function focused({ page }, attribute) {
  return page.evaluate((name) => document.activeElement?.getAttribute(name) ?? null, attribute);
}

/**
 * Drags from the middle of a cell to a spot.
 * @param {View} view
 * @param {string} from
 * @param {{x: number, y: number}} goal
 */
export async function drag(view, from, goal) {
  const { mouse } = view.page;
  const start = await middleOf(view, from);
  await mouse.move(start.x, start.y);
  await mouse.down();
  await mouse.move((start.x + goal.x) / 2, (start.y + goal.y) / 2);
  await mouse.move(goal.x, goal.y);
  await mouse.up();
}

/**
 * Middle of a cell in the window.
 * @param {View} view
 * @param {string} name
 */
export async function middleOf(view, name) {
  const box = await boxOf(view, name);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Where a drag ends: the goal's middle, or a spot beside the board.
 * @param {View} view
 * @param {{from: string, to: string | null, leaves?: [number, number] | undefined}} move
 */
async function spotOf(view, { from, to, leaves }) {
  if (!leaves) return middleOf(view, to ?? '');
  const [right, up] = leaves;
  const box = await boxOf(view, from);
  const { x, y } = await middleOf(view, from);
  return { x: x + right * box.width * 0.7, y: y - up * box.height * 0.7 };
}

/**
 * Spot of a cell that is near the line of a fence. A fence stands at the upper right corner of its cell.
 * @param {View} view
 * @param {Fence} fence
 */
async function besideFence(view, fence) {
  const { width, height } = await boxOf(view, fence.cell);
  return { position: fence.is_vertical ? { x: width - 2, y: height * 0.3 } : { x: width * 0.7, y: 2 } };
}

/** @param {View} view @param {string} name */
async function boxOf(view, name) {
  const box = await cell(view, name).boundingBox();
  assert.ok(box, `${name} is on the board`);
  return box;
}

/** @param {View} view @param {[number, number]} leaves */
function exit({ page }, leaves) {
  return page.locator(`[data-exit="off:${leaves.join(',')}"]`);
}

/** @param {string} name */
function columnOf(name) {
  return name.charCodeAt(0);
}

/** @param {string} name */
function rowOf(name) {
  return Number(name.slice(1));
}

/**
 * The row of a move in the view Moves.
 * @param {View} view
 * @param {string} move
 */
export function row({ page }, move) {
  return page.locator(`.move-row[data-move="${move}"]`);
}

/**
 * Repeats a check until it passes, for some seconds at most.
 * @param {() => Promise<void>} check
 */
export async function eventually(check) {
  for (const end = Date.now() + 5000; ;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/**
 * Text as a person sees it, with one space in place of each gap.
 * @param {import('playwright-core').Locator} element
 */
export async function textOf(element) {
  return (await element.innerText()).replaceAll(/\s+/g, ' ').trim();
}
