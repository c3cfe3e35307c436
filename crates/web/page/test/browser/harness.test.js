// Faults of a page that its tests would not look for.

import assert from 'node:assert/strict';
import { openExplorer } from './harness.js';

const explorer = await openExplorer();

explorer.onDesktop('errors, refused styles and requests elsewhere are faults', async (view) => {
  await view.page.goto('/');
  view.assertNoFaults();
  await view.page.evaluate(async () => {
    console.error('loud');
    setTimeout(() => {
      throw new Error('late');
    }, 0);
    document.head.append(document.createElement('style'));
    document.head.lastElementChild?.append('a { color: red }');
    await fetch('http://localhost:9/').catch(() => {});
    await fetch('/api/v1/tables/nothing');
  });
  await view.page.goto('http://localhost:9/').catch(() => {});
  const expected = [
    /^console: loud/,
    /^error: Error: late/,
    /^console: .*inline style/,
    /^console: Connecting to 'http:\/\/localhost:9\/'/,
    /^console: .*status of 404.*nothing/,
    /^request outside of the server: http:\/\/localhost:9\//,
  ];
  for (const pattern of expected) {
    assert.ok(view.faults.some((fault) => pattern.test(fault)), `${pattern}: ${view.faults}`);
  }
  assert.throws(() => view.assertNoFaults(), /loud/);
  view.expectFault(/./);
});
