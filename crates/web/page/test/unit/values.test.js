import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heightOf, pointOf } from '../../js/model/graph.js';
import { judgeByValues } from '../../js/model/judge.js';
import {
  badgeOf, counted, forOther, giftText, groupsOf, leadSentence, pliesText, sentenceOf, signed, withCommas,
} from '../../js/model/values.js';

const win = (remoteness) => ({ value: 'win', remoteness });
const loss = (remoteness) => ({ value: 'loss', remoteness });
const draw = { value: 'draw', remoteness: null };
const guess = (estimate) => ({ value: null, remoteness: null, estimate });
const bound = (value, plies) => ({ value: null, remoteness: null, bound: { value, plies } });

test('a badge tells a value by letter, sign and plies, not by colour alone', () => {
  assert.deepEqual(badgeOf(win(18)), { letter: 'W', sign: '+', tone: 'win', detail: '18 plies', isProved: true });
  assert.deepEqual(badgeOf(loss(1)), { letter: 'L', sign: '\u2212', tone: 'loss', detail: '1 ply', isProved: true });
  assert.deepEqual(badgeOf(draw), { letter: 'D', sign: '=', tone: 'draw', detail: '', isProved: true });
  assert.equal(badgeOf(bound('win', 9)).detail, 'at most 9 plies');
  assert.equal(badgeOf({ ...bound('win', 1), value: 'win' }).detail, 'at most 1 ply');
  assert.equal(badgeOf(win(null)).detail, '');
  assert.deepEqual(badgeOf(guess(0.341)), { letter: '~', sign: '+0.34', tone: 'open', detail: 'estimate', isProved: false });
  assert.equal(badgeOf({ value: null, remoteness: null }).letter, '?');
});

test('sentences name the winner', () => {
  assert.equal(sentenceOf(win(21), 'White', 'Black'), 'White wins in 21 plies');
  assert.equal(sentenceOf(loss(4), 'White', 'Black'), 'Black wins in 4 plies');
  assert.equal(sentenceOf(loss(0), 'White', 'Black'), 'Black has won');
  assert.equal(sentenceOf(draw, 'White', 'Black'), 'Drawn with best play');
  assert.equal(sentenceOf(bound('loss', 7), 'X', 'O'), 'O wins, in at most 7 plies');
  assert.equal(sentenceOf({ ...bound('win', 1), value: 'win' }, 'X', 'O'), 'X wins, in at most 1 ply');
  assert.equal(sentenceOf(win(null), 'X', 'O'), 'X wins');
  assert.equal(sentenceOf({ ...loss(null), bound: null }, 'X', 'O'), 'O wins');
  assert.equal(sentenceOf(win(0), 'X', 'O'), 'X has won');
  assert.equal(sentenceOf(guess(-0.4), 'X', 'O'), 'Not proved; O is estimated to be ahead (\u22120.40 for X)');
  assert.equal(sentenceOf(guess(0.2), 'X', 'O'), 'Not proved; X is estimated to be slightly ahead (+0.20 for X)');
  assert.equal(sentenceOf(guess(0.04), 'X', 'O'), 'Not proved; estimated to be about even (+0.04 for X)');
  assert.equal(sentenceOf({ value: null, remoteness: null }, 'X', 'O'), 'Not known');
});

test('a lead is told with what it was worth in games', () => {
  assert.equal(leadSentence('ostle', guess(0.05)),
    'In games of level 7 the side so far ahead won 39 %, and 30 % were tied.');
  assert.equal(leadSentence('onitama:5x5:boar,ox,crab,tiger,dragon', guess(-0.25)),
    'In games of level 7 the side so far ahead won 91 %, and 6 % were tied.');
  for (const [spec, known] of [['ostle', guess(0.04)], ['ostle', win(3)], ['quoridor:9x9:10', guess(1)], ['ostle:3x3:2:1', guess(1)]]) {
    assert.equal(leadSentence(spec, known), '');
  }
});

test('numbers are written with signs and commas', () => {
  assert.deepEqual([signed(0.001), signed(-0.5), signed(1)], ['0.00', '\u22120.50', '+1.00']);
  assert.deepEqual([withCommas(0), withCommas(999), withCommas(1234567)], ['0', '999', '1,234,567']);
  assert.equal(pliesText(1), '1 ply');
  assert.deepEqual([0, 1, 2, 1000].map((number) => counted(number, 'tier')), ['0 tiers', '1 tier', '2 tiers', '1,000 tiers']);
});

test('moves are grouped by their outcome, in their order', () => {
  const moves = [
    { move: 'a', to: '', ...win(3) }, { move: 'b', to: '', ...guess(0.5) }, { move: 'c', to: '', ...draw },
    { move: 'd', to: '', ...guess(-0.5) }, { move: 'e', to: '', ...loss(2) },
  ];
  const groups = groupsOf(moves).map(({ name, moves: of }) => `${name}: ${of.map((move) => move.move).join('')}`);
  assert.deepEqual(groups, ['Won: a', 'Drawn: c', 'Not proved: bd', 'Lost: e']);
});

test('the other side sees the opposite', () => {
  for (const known of [win(3), loss(2), draw, guess(0.25), bound('win', 5)]) {
    const { value, remoteness, bound: b, estimate } = forOther(forOther(known));
    assert.deepEqual([value, remoteness, b?.value, estimate ?? null],
      [known.value, known.remoteness, known.bound?.value, known.estimate ?? null]);
  }
  assert.equal(forOther(win(3)).value, 'loss');
  assert.equal(forOther(guess(0.25)).estimate, -0.25);
});

test('gifts are told in words', () => {
  assert.equal(giftText({ gives: 'plies', plies_lost: 4 }), 'gives 4 plies');
  assert.equal(giftText({ gives: 'plies', plies_lost: 1 }), 'gives 1 ply');
  assert.equal(giftText({ gives: 'nothing' }), '= best');
  assert.equal(giftText({ gives: 'win' }), 'gives the win away');
  assert.equal(giftText({ gives: null }), '');
});

test('the graph is higher the sooner player 0 wins, and never in the band of draws', () => {
  const heights = [win(0), win(5), win(50), win(250), draw, loss(250), loss(5)].map(heightOf);
  assert.deepEqual(heights, [...heights].sort((a, b) => b - a));
  assert.equal(heights[0], 1);
  assert.ok(heights[3] > 0.12 && heights[5] < -0.12);
  assert.equal(heightOf(guess(0.3)), 0.3);
  assert.equal(heightOf({ ...bound('win', 5), value: 'win' }), heightOf(win(5)));
  assert.ok(heightOf(win(null)) < heightOf(win(250)) && heightOf(win(null)) > 0);
  assert.equal(heightOf({ value: null, remoteness: null }), null);
  assert.equal(pointOf(2, win(5), false).height, heightOf(loss(5)));
  assert.equal(pointOf(2, guess(0.5), false).isProved, false);
});

test('a played move is judged by what is known of all moves', () => {
  const solved = { moves: [
    { move: 'a', ...win(3), gives: 'nothing', best: true }, { move: 'b', ...win(7), gives: 'plies', plies_lost: 4 },
    { move: 'c', ...draw, gives: 'win' },
  ] };
  assert.deepEqual(judgeByValues(solved, 'a'), { words: 'a best move', kind: 'best', better: null });
  assert.deepEqual(judgeByValues(solved, 'b'), { words: 'gives 4 plies', kind: 'slower', better: 'a' });
  assert.equal(judgeByValues(solved, 'c').kind, 'mistake');
  const analysed = { moves: [{ move: 'a', ...guess(0.5) }, { move: 'b', ...guess(0.45) }, { move: 'c', ...guess(-0.2) }] };
  assert.equal(judgeByValues(analysed, 'b').kind, 'unknown');
  assert.deepEqual(judgeByValues(analysed, 'c'), { words: 'gives 0.70 away, by estimate', kind: 'perhaps', better: 'a' });
  assert.equal(judgeByValues(analysed, 'z').kind, 'unknown');
});
