import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { readAddress } from '../../js/model/address.js';
import { readMarks, writeMark } from '../../js/state/marks.js';
import { recentGames, remember } from '../../js/state/recent.js';

/** @type {Map<string, string>} */
let kept = new Map();
beforeEach(() => {
  kept = new Map();
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => kept.set(key, text),
  });
});

const RECENT = 'hindsight.recent';
const keep = (address) => remember(readAddress(address).state, address);

test('games are kept once each, the latest first, with their moves', () => {
  for (let game = 1; game <= 12; game += 1) keep(`?g=four:${game}x4&m=a1,a2`);
  keep('?g=four:9x4&m=a1,a2,a3#at=0.1');
  keep('?g=q&p=c1_c5');
  keep('?g=z');
  const games = recentGames();
  assert.equal(games.length, 8);
  assert.deepEqual(games.slice(0, 3), [
    { id: 'q', address: '?g=q&p=c1_c5', plies: 0 }, { id: 'four:9x4', address: '?g=four:9x4&m=a1,a2,a3#at=0.1', plies: 3 },
    { id: 'four:12x4', address: '?g=four:12x4&m=a1,a2', plies: 2 },
  ]);
});

test('only addresses of this page are links', () => {
  const damaged = [
    'javascript:alert(1)', 'https://example.org/?g=x', '//example.org/?g=x', '/api/v1', 'data:text/html,x', '', '#v=1',
    '?p=1&g=x', '?g=', '?g=y', '?g', ' ?g=x', '\\\\example.org', 'blob:x', 7, null, ['?g=x'], { g: 'x' },
  ];
  const games = [...damaged.map((address) => ({ id: 'x', address, plies: 2 })), { id: 'x', address: '?g=x&m=a' }];
  kept.set(RECENT, JSON.stringify([null, 3, 'x', [], ...games, { address: '?g=w' }, { id: {}, address: '?g=x' }]));
  assert.deepEqual(recentGames(), []);
  kept.set(RECENT, JSON.stringify(games.filter(({ address }) => address !== '?g=y' && address !== '?g=')));
  assert.deepEqual(recentGames(), [{ id: 'x', address: '?g=x&m=a', plies: 1 }]);
  for (const text of ['{', 'null', '7', '"x"', '{"0": 1}', '[[[', '\0']) {
    kept.set(RECENT, text);
    assert.deepEqual(recentGames(), [], text);
    keep('?g=x&m=a');
    assert.equal(recentGames().length, 1, text);
  }
});

test('marks of puzzles that cannot be read are none', () => {
  for (const text of ['{', 'null', '7', '"solved"', '[1]', '{"x": 1, "y": {"a": 2}, "z": "toString"}']) {
    kept.set('hindsight.puzzles', text);
    assert.deepEqual(readMarks(), {}, text);
    writeMark('p', 'solved');
    assert.deepEqual(readMarks(), { p: 'solved' }, text);
  }
});

test('a browser that keeps nothing shows the page all the same', () => {
  globalThis.localStorage = /** @type {any} */ ({
    getItem: () => { throw new Error('SecurityError'); },
    setItem: () => { throw new Error('QuotaExceededError'); },
  });
  keep('?g=x&m=a');
  writeMark('p', 'solved');
  assert.deepEqual([recentGames(), readMarks()], [[], {}]);
});
