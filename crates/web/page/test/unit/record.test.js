import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecord, writeRecord } from '../../js/model/record.js';

const GAME = {
  game: 'tic-tac-toe', start: null, moves: ['b2', 'a1'], agents: ['human', 'level:4'], first: 0, winner: null, ending: 'unfinished',
};

test('a game is written as a line and read again', () => {
  const line = writeRecord(GAME);
  assert.ok(!line.includes('\n'));
  assert.deepEqual(readRecord(line), { game: 'tic-tac-toe', start: null, moves: ['b2', 'a1'] });
  assert.ok(!('start' in JSON.parse(line)));
  const other = writeRecord({ ...GAME, start: 'x../.../...' });
  assert.equal(readRecord(`${other}\nmore`).start, 'x../.../...');
});

test('moves are read with spaces, commas, lines and numbers', () => {
  assert.deepEqual(readRecord('1. b2 a1\n2. c3,a1a2:(0,1)').moves, ['b2', 'a1', 'c3', 'a1a2:(0,1)']);
});

test('other texts are refused in a sentence', () => {
  for (const text of ['', '  ', '{', '{"moves":["a"]}', '{"game":"x","moves":[1]}', '{"game":"x","moves":"a"}', '{"game":1}']) {
    assert.match(readRecord(text).fault, /[a-z ]{20}/, text);
  }
});
