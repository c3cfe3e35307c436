import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  barSentence, barsOf, bytesText, countsOf, heightOf, meanPlies, shareText, shortNumber, ticksOf,
} from '../../js/model/histogram.js';

const row = (value, remoteness, positions) => ({ value, remoteness, positions });

const layers = [
  {
    layer: 0, name: 'two', positions: 10, wins: 6, draws: 1, losses: 3,
    longest_win: { value: 'win', remoteness: 3, position: 'a' },
    longest_loss: { value: 'loss', remoteness: 2, position: 'b' },
    histogram: [row('loss', 2, 3), row('win', 1, 4), row('win', 3, 2), row('draw', null, 1)],
  },
  {
    layer: 1, name: 'one', positions: 5, wins: 5, draws: 0, losses: 0,
    longest_win: { value: 'win', remoteness: 5, position: 'c' }, longest_loss: null,
    histogram: [row('win', 1, 1), row('win', 5, 4)],
  },
];

test('counts of a table are sums over its layers, with the longest of them all', () => {
  const all = countsOf({ game: 'g', layers }, null);
  assert.deepEqual([all.positions, all.wins, all.draws, all.losses], [15, 11, 1, 3]);
  assert.deepEqual(all.histogram.find((one) => one.remoteness === 1), row('win', 1, 5));
  assert.deepEqual(all.longestWin, { remoteness: 5, position: 'c' });
  assert.deepEqual(all.longestLoss, { remoteness: 2, position: 'b' });
  assert.equal(layers[0].histogram[1].positions, 4, 'the layers stay as they are');
});

test('counts of one layer are its own', () => {
  const two = countsOf({ game: 'g', layers }, 0);
  assert.equal(two.positions, 10);
  assert.deepEqual(two.longestWin, { remoteness: 3, position: 'a' });
  assert.equal(countsOf({ game: 'g', layers }, 1).longestLoss, null);
});

test('a solved game has no layers and no positions of its longest wins', () => {
  const histogram = [row('loss', 0, 2), row('win', 7, 1)];
  const counts = countsOf({ game: 'g', positions: 3, wins: 1, draws: 0, losses: 2, histogram }, null);
  assert.equal(counts.positions, 3);
  assert.deepEqual(counts.longestWin, { remoteness: 7, position: null });
  assert.deepEqual(counts.longestLoss, { remoteness: 0, position: null });
});

test('bars are in the order of plies and leave draws out', () => {
  const bars = barsOf([row('draw', null, 9), row('loss', 2, 3), row('win', 2, 1), row('win', 1, 4), row('win', 9, 0)]);
  assert.deepEqual(bars.map((bar) => [bar.value, bar.plies]), [['win', 1], ['win', 2], ['loss', 2]]);
  assert.equal(meanPlies(bars), (4 + 2 + 6) / 8);
  assert.equal(meanPlies([]), null);
});

test('heights go from a visible least to 1, on both scales', () => {
  assert.equal(heightOf(0, 1000, false), 0);
  assert.ok(heightOf(1, 1e6, false) > 0.03);
  assert.equal(heightOf(1e6, 1e6, false), 1);
  assert.equal(heightOf(1, 1, false), 1);
  assert.ok(heightOf(1000, 1e6, false) > heightOf(100, 1e6, false));
  assert.equal(heightOf(250, 1000, true), 0.25);
});

test('ticks are round, few, and not above the highest bar', () => {
  assert.deepEqual(ticksOf(3_000_000, false), [1, 100, 10_000, 1_000_000]);
  assert.deepEqual(ticksOf(1000, false), [1, 10, 100, 1000]);
  assert.deepEqual(ticksOf(3_000_000, true), [1_000_000, 2_000_000, 3_000_000]);
  assert.deepEqual(ticksOf(2358, true), [1000, 2000]);
  assert.deepEqual(ticksOf(0, true), []);
  for (let most = 1; most < 1e9; most = Math.ceil(most * 1.37)) {
    for (const isLinear of [false, true]) {
      const ticks = ticksOf(most, isLinear);
      assert.ok(ticks.length >= 1 && ticks.length <= 4, `${most}: ${ticks}`);
      assert.ok(ticks.every((tick) => tick >= 1 && tick <= most && Number.isInteger(tick)), `${most}: ${ticks}`);
    }
  }
});

test('numbers, shares and sizes are short and never say all or nothing falsely', () => {
  assert.equal(shortNumber(500), '500');
  assert.equal(shortNumber(20_000), '20 k');
  assert.equal(shortNumber(2_500_000), '2.5 M');
  assert.equal(shareText(1, 3), '33.3%');
  assert.equal(shareText(0, 3), '0%');
  assert.equal(shareText(3, 3), '100%');
  assert.equal(shareText(1, 1e6), '< 0.1%');
  assert.equal(shareText(999_999, 1e6), '> 99.9%');
  assert.equal(shareText(0, 0), '0%');
  assert.equal(bytesText(598_522), '599 kB');
  assert.equal(bytesText(999), '999 bytes');
  assert.equal(bytesText(78_082_642), '78.1 MB');
});

test('a bar says what it counts', () => {
  assert.equal(barSentence({ value: 'win', plies: 5, positions: 1_646_236 }), '1,646,236 positions are won in 5 plies');
  assert.equal(barSentence({ value: 'loss', plies: 1, positions: 1 }), '1 position is lost in 1 ply');
  assert.equal(barSentence({ value: 'loss', plies: 0, positions: 7 }), '7 positions are lost: the game is over');
});
