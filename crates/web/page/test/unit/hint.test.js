import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintOf, hintSentence } from '../../js/model/judge.js';

const win = { value: 'win', remoteness: 3 };
const loss = { value: 'loss', remoteness: 2 };
const draw = { value: 'draw', remoteness: null };
const guess = (estimate) => ({ value: null, remoteness: null, estimate });
const values = (known, ...moves) => ({ position: '', player: '', ...known, moves: moves.map((one, index) => ({ move: 'abcd'[index], to: '', ...one })) });

test('a hint is the first move, and certain only if that is proved', () => {
  const certain = [
    values(win, win, guess(0)), values(guess(0), win, guess(0)), values(draw, draw, guess(0.3)), values(draw, draw, loss),
    values(loss, loss, loss), values({ value: null, remoteness: null, bound: { value: 'win', plies: 9 } },
      { value: null, remoteness: null, bound: { value: 'win', plies: 9 } }, guess(0)),
  ];
  for (const known of certain) assert.deepEqual(hintOf(known), { move: 'a', isCertain: true, estimate: '' });
  assert.deepEqual(hintOf(values(guess(0.1), guess(0.1), guess(0))), { move: 'a', isCertain: false, estimate: ', estimate +0.10' });
  assert.deepEqual(hintOf(values(guess(0), draw, guess(-0.1))), { move: 'a', isCertain: false, estimate: '' });
  for (const nothing of [null, values(guess(0)), values(guess(0), guess(null)), values(guess(null), { value: null, remoteness: null })]) {
    assert.equal(hintOf(nothing), null);
  }
});

test('a hint that is not certain says so', () => {
  const words = (isCertain, from, isShown) =>
    hintSentence({ move: 'a', isCertain, estimate: ', estimate +0.10' }, { from, sentence: 'c1 to c2', isShown });
  assert.equal(words(true, 'c1', false), 'Look at the piece on c1. Ask again for the move.');
  assert.equal(words(true, 'c1', true), 'Play c1 to c2.');
  assert.equal(words(true, null, false), 'Play c1 to c2.');
  assert.equal(words(false, null, false), 'Nothing is certain here. The analysis prefers c1 to c2, estimate +0.10.');
  assert.equal(words(false, 'c1', false),
    'Nothing is certain here. The analysis prefers a move of the piece on c1. Ask again for the move.');
});
