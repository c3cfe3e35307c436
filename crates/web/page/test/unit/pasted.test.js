import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betterFault, idOf, partsAt, readPasted } from '../../js/model/pasted.js';

test('a text is told by its form', () => {
  assert.deepEqual(readPasted(' \n'), { kind: 'empty' });
  assert.deepEqual(readPasted('http://127.0.0.1:8017/?g=ostle#at=0.1'), { kind: 'link', address: '?g=ostle#at=0.1' });
  assert.deepEqual(readPasted('c1 c5  1,1\n- white'), { kind: 'text', text: 'c1 c5  1,1\n- white' });
  assert.equal(readPasted('{"game":"ostle","moves":[]}').kind, 'games');
  assert.equal(readPasted('[Event "x"]\n{well} 1. e2').kind, 'text');
  assert.equal(readPasted('[ {"moves" :').kind, 'games');
  for (const comment of ['{well}', '{"sharp" move}', '{}', '{"']) {
    assert.equal(readPasted(`${comment} 1. e2`).kind, 'text');
  }
});

test('the fault that was found later in a text says more', () => {
  const fault = (/** @type {number | undefined} */ at) => ({ type: '', title: '', status: 400, detail: '', at });
  const [early, late, none] = [fault(0), fault(6), fault(undefined)];
  assert.equal(betterFault(early, late), late);
  assert.equal(betterFault(late, early), late);
  assert.equal(betterFault(early, none), early);
});

test('the place of a fault is counted in bytes', () => {
  assert.deepEqual(partsAt('xo?/', 2), ['xo', '?', '/']);
  assert.deepEqual(partsAt('\u00e9\u{1f600}?', 6), ['\u00e9\u{1f600}', '?', '']);
  assert.deepEqual(partsAt('xo', 2), ['xo', '', '']);
});

test('a record opens the table of its game, or its game', () => {
  const tables = [{ id: 'q', game: 'quoridor:5x5:2' }];
  const data = { tables, all_games: true };
  assert.equal(idOf('quoridor:5x5:2', null, data), 'q');
  assert.equal(idOf('', { id: 'ostle', game: 'ostle:5x5' }, data), 'ostle');
  assert.equal(idOf('ostle:5x5', { id: 'ostle', game: 'ostle:5x5' }, data), 'ostle');
  assert.equal(idOf('ostle:3x3', null, data), 'ostle:3x3');
  assert.equal(idOf('ostle:3x3', null, { ...data, all_games: false }), null);
});
