// Measures the page of a running server, for runs/: `npm run measure -- ADDRESS ID [LATENCY_MS]`.
//
// The first paint, what the page loads for it, and the time from a move to its value on the screen.

import { launchBrowser } from './browser.js';

const [address, id, latency = '0'] = process.argv.slice(2);
if (!address || !id) {
  console.error('usage: npm run measure -- ADDRESS ID [LATENCY_MS], such as http://127.0.0.1:8017 quoridor:5x5:1 50');
  process.exit(2);
}

/** Moves that are measured. */
const MOVES = 200;

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const session = await page.context().newCDPSession(page);
await session.send('Network.enable');
await session.send('Network.emulateNetworkConditions', {
  offline: false, latency: Number(latency), downloadThroughput: -1, uploadThroughput: -1,
});
await page.goto(`${address}/?g=${id}`);
const board = await page.evaluate(async () => {
  while (!document.querySelector('[data-cell]')) await new Promise(requestAnimationFrame);
  return performance.now();
});
await page.locator('.move-row .badge').first().waitFor();
const loaded = await page.evaluate(() => {
  const [document] = performance.getEntriesByType('navigation');
  const files = [document, ...performance.getEntriesByType('resource')].map((entry) =>
    /** @type {PerformanceResourceTiming} */ (entry));
  const named = new Set([...window.document.querySelectorAll('link')].map((link) => link.href));
  const first = files.filter((file) => named.has(file.name) || file === document || file.name.endsWith('/main.js'));
  const sum = (/** @type {PerformanceResourceTiming[]} */ of) => of.reduce((bytes, file) => bytes + file.encodedBodySize, 0);
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  return { paint, files: first.length, bytes: sum(first), all: sum(files.filter((file) => !file.name.includes('/api/'))) };
});
console.log(`first paint ${loaded.paint?.toFixed(0)} ms, board ${board.toFixed(0)} ms after the navigation`);
console.log(`first paint loads ${loaded.files} files, ${loaded.bytes} bytes as sent; all files of the page ${loaded.all} bytes`);

const times = await page.evaluate(async (moves) => {
  const value = () => document.querySelector('.value-line')?.textContent ?? '';
  const frame = () => new Promise(requestAnimationFrame);
  performance.setResourceTimingBufferSize(100_000);
  const requests = () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/probe?')).length;
  let random = 1;
  const isThere = () => document.querySelector('.value-line .badge, .value-line b') && !document.querySelector('.busy');
  /** @type {number[]} */
  const taken = [];
  while (taken.length < moves) {
    const rows = [...document.querySelectorAll('.move-row')];
    random = (random * 48_271) % 2_147_483_647;
    const row = /** @type {HTMLElement | undefined} */ (rows[random % Math.max(rows.length, 1)]);
    if (!row) {
      history.back();
      await new Promise((resolve) => setTimeout(resolve, 300));
      continue;
    }
    const before = location.href;
    const requestsBefore = requests();
    const started = performance.now();
    row.click();
    do await frame();
    while (location.href === before || !isThere() || value() === '\u2026');
    const time = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 50));
    // A position that was seen before needs no answer.
    if (requests() > requestsBefore) taken.push(time);
  }
  return taken.sort((a, b) => a - b);
}, MOVES);
const part = (/** @type {number} */ share) => times[Math.floor(share * (times.length - 1))]?.toFixed(1);
console.log(`from a move to its value: median ${part(0.5)} ms, 90 % ${part(0.9)} ms, most ${part(1)} ms of ${times.length} moves, latency ${latency} ms`);
await browser.close();
