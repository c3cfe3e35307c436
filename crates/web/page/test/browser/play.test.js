// The view Play: agents at both seats, taking back, hints, and what the moves gave away.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';
import { ask, byMouse, byTouch, cell, movesOf, placeOf, shownPosition, waitForWords } from './steps.js';

const explorer = await openExplorer();

/** @typedef {import('./harness.js').View} View */

/**
 * Seats an agent.
 * @param {View} view
 * @param {{player: string, agent: string}} seat
 */
async function seat({ page }, { player, agent }) {
  await page.getByLabel(`${player} is played by`).selectOption(agent);
}

/**
 * Waits until some moves are played.
 * @param {View} view
 * @param {number} count
 */
async function waitForMoves(view, count) {
  await view.page.waitForURL(() => movesOf(view).length >= count);
}

/**
 * Plays the first legal moves of the person until the game is over.
 * @param {View} view
 * @param {string} person
 */
async function playToEnd(view, person) {
  const over = view.page.locator('.value-line', { hasText: 'The game is over' });
  const hand = view.device === 'phone' ? byTouch : byMouse;
  for (let turns = 0; turns < 9; turns += 1) {
    const mine = view.page.locator('.seat', { hasText: `${person} to move` });
    await mine.or(over).first().waitFor();
    const shown = await shownPosition(view);
    if (shown.over) return shown;
    assert.equal(shown.player, person);
    const count = movesOf(view).length;
    await hand(view, shown.moves[0]?.drawing ?? assert.fail('no picture of the move'), 0);
    await Promise.race([waitForMoves(view, count + 2), over.waitFor()]);
  }
  return assert.fail('the game has no end');
}

explorer.onBoth('a whole game against an agent of level 1, who answers each move', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=play');
  await seat(view, { player: 'O', agent: 'level:1' });
  assert.ok(!(await page.locator('.left').innerText()).includes('Drawn'), 'values stay hidden');
  await view.assertAccessible();
  const last = await playToEnd(view, 'X');
  assert.ok(movesOf(view).length >= 5);
  await waitForWords(view, last.winner ? `${last.winner} has won` : 'a draw');
  await view.screenshot('play');
});

explorer.onDesktop('the first move is that of an agent, once it is asked for', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=play');
  await seat(view, { player: 'X', agent: 'random' });
  await page.getByRole('button', { name: 'Let random move' }).click();
  await waitForMoves(view, 1);
  await playToEnd(view, 'O');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('.seat', { hasText: 'O to move' }).waitFor();
  assert.equal(movesOf(view).length, 1, 'the agent begins the new game, too');
});

explorer.onDesktop('two agents play each other until they are stopped', async (view) => {
  const { page } = view;
  await page.goto('/?g=onitama:3x4:boar#view=play&seats=level:1~random');
  await page.getByRole('button', { name: 'Let level:1 move' }).click();
  await waitForMoves(view, 2);
  await page.getByRole('button', { name: 'Stop' }).click();
  const count = movesOf(view).length;
  await page.waitForTimeout(800);
  assert.equal(movesOf(view).length, count);
  await page.getByRole('button', { name: /^Let (level:1|random) move$/ }).click();
  await waitForMoves(view, count + 1);
});

explorer.onDesktop('taking back gives the person the move again, with an agent and without', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=play&seats=~random');
  await cell(view, 'b2').click();
  await waitForMoves(view, 2);
  await page.locator('.seat', { hasText: 'X to move' }).waitFor();
  await page.keyboard.press('n');
  await page.waitForURL(/at=0\.0/);
  await cell(view, 'a1').click();
  await waitForWords(view, 'X to move');
  assert.equal(await page.locator('.judged li').count(), 2);
  await page.goto('/?g=tic-tac-toe&m=b2,a1#view=play');
  await page.getByRole('button', { name: 'Take back' }).click();
  await waitForWords(view, 'O to move');
});

explorer.onDesktop('a hint names the piece, and asked again the move', async (view) => {
  const { page } = view;
  await page.goto('/?g=onitama:3x4:boar#view=play');
  await waitForWords(view, 'Red to move');
  const { moves } = await ask(view, 'probe', placeOf(view));
  const best = /** @type {ValuedMove} */ (moves[0]);
  const [from, to] = [best.move.slice(0, 2), best.move.slice(2, 4)];
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByText(`Look at the piece on ${from}. Ask again for the move.`).waitFor();
  assert.equal(await page.locator('.arrow').count(), 0);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByText(`Play ${from} to ${to} with boar.`).waitFor();
  await page.locator('.arrow').waitFor();
  await view.assertAccessible();
  await cell(view, to).click();
  await waitForMoves(view, 1);
  assert.deepEqual(movesOf(view), [best.move]);
});

explorer.onDesktop('a hint of a game that is not solved says so, and is the same each time', async (view) => {
  const { page } = view;
  await page.goto('/?g=four:7x6#view=play');
  const button = page.getByRole('button', { name: 'Hint' });
  const hint = page.locator('.hint', { hasText: /Nothing is certain here\. The analysis prefers [a-g]1, estimate/ });
  /** @type {Set<string>} */
  const hints = new Set();
  for (let presses = 0; presses < 3; presses += 1) {
    await button.click();
    await hint.waitFor();
    hints.add(await hint.innerText());
  }
  await page.getByRole('button', { name: 'New game' }).click();
  await button.click();
  await hint.waitFor();
  hints.add(await hint.innerText());
  assert.equal(hints.size, 1, [...hints].join(', '));
  await page.getByRole('tab', { name: 'Moves' }).click();
  const first = await page.locator('.move-row').first().getAttribute('data-move');
  assert.ok([...hints][0]?.includes(`prefers ${first},`));
});

explorer.onPhone('an agent that is to move is in sight wherever the page is scrolled to', async (view) => {
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 640 });
  for (const game of ['onitama:5x5:tiger,crab,monkey,crane,dragon', 'onitama:3x4:boar', 'quoridor:9x9:10']) {
    await page.goto(`/?g=${game}#view=play&seats=random~random`);
    const button = page.getByRole('button', { name: 'Let random move' });
    await button.waitFor();
    for (const part of [0, 0.5, 1]) {
      await page.evaluate((share) => scrollTo(0, share * document.body.scrollHeight), part);
      const box = await button.boundingBox() ?? assert.fail('no button');
      assert.ok(box.y >= 0 && box.y + box.height <= 640, `${game} at ${part}: ${box.y}`);
      const isOnTop = await button.evaluate((one, { x, y }) => one.contains(document.elementFromPoint(x, y)), {
        x: box.x + box.width / 2, y: box.y + box.height / 2,
      });
      assert.ok(isOnTop, `${game} at ${part}`);
    }
  }
  await view.assertAccessible();
  await page.evaluate(() => scrollTo(0, 0));
  await view.screenshot('agent-to-move');
  await page.getByRole('button', { name: 'Let random move' }).tap();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).tap();
});

explorer.onBoth('moves are judged, and the review counts them', async (view) => {
  const { page } = view;
  await page.goto('/?g=tic-tac-toe&m=b2,b1,a1,c3,a3#view=play');
  const judged = page.locator('.judged li');
  await judged.filter({ hasText: /2\. O b1 \?\? gives the draw away; better: / }).waitFor();
  await judged.filter({ hasText: /1\. X b2 = a best move$/ }).waitFor();
  await page.getByRole('button', { name: 'Review the game' }).click();
  const counts = page.getByRole('row', { name: /^O\b/ });
  await counts.waitFor();
  assert.deepEqual(await counts.getByRole('cell').allInnerTexts(), ['2', '1', '1', '0', '75.0\u00a0%']);
  await view.assertAccessible();
  await view.screenshot('review');
  await page.getByRole('button', { name: /2\. O ?b1 ?gives the draw away/ }).click();
  await page.waitForURL(/at=0\.1/);
});

explorer.onDesktop('an agent that there is not is explained by the server', async (view) => {
  view.expectFault(/status of 400/);
  const { page } = view;
  await page.goto('/?g=tic-tac-toe#view=play');
  await seat(view, { player: 'X', agent: 'other' });
  await page.getByLabel('Agent, such as').fill('level:99');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Let level:99 move' }).click();
  const answer = await page.request.post('/api/v1/tables/tic-tac-toe/choose', {
    data: { position: '.../.../...', agent: 'level:99' },
  });
  const { detail } = await answer.json();
  await page.getByText(detail).waitFor();
  assert.match(detail, /level/);
  await cell(view, 'b2').click();
  await waitForMoves(view, 1);
});
