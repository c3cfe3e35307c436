import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellAt, cellName, cellOf, cornerOf, exitOf, fenceAt, fenceMiddle, middleOf,
} from '../../js/model/geometry.js';
import { fitting, goalOf, moveSentence, movesAside, movesTo, pieceName, sourcesOf } from '../../js/model/moves.js';

const LIES = [false, true].map((isFlipped) => ({ columns: 5, rows: 4, isFlipped }));

test('cells have names, also after column z', () => {
  for (const [column, row] of [[0, 0], [25, 9], [26, 0], [51, 11], [52, 3]]) {
    assert.deepEqual(cellOf(cellName(column, row)), [column, row]);
  }
  assert.equal(cellName(26, 0), 'aa1');
});

test('a cell is found where it is drawn, from both sides', () => {
  for (const lie of LIES) {
    for (let column = 0; column < 5; column += 1) {
      for (let row = 0; row < 4; row += 1) {
        const name = cellName(column, row);
        assert.equal(cellAt(lie, middleOf(lie, name)), name);
      }
    }
    assert.equal(cellAt(lie, { x: -1, y: 5 }), null);
    assert.equal(cellAt(lie, { x: 5, y: 401 }), null);
  }
  assert.deepEqual(cornerOf(LIES[0], 'a4'), { x: 0, y: 0 });
  assert.deepEqual(cornerOf(LIES[1], 'e1'), { x: 0, y: 0 });
});

test('a fence is found where it is drawn, from both sides', () => {
  for (const lie of LIES) {
    for (let column = 0; column < 4; column += 1) {
      for (let row = 0; row < 3; row += 1) {
        const cell = cellName(column, row);
        const { x, y } = fenceMiddle(lie, cell);
        const right = lie.isFlipped ? cell : cellName(column + 1, row);
        const above = lie.isFlipped ? cell : cellName(column, row + 1);
        assert.deepEqual(fenceAt(lie, { x: x + 30, y: y + 4 }), { cell, isVertical: false, side: right });
        assert.deepEqual(fenceAt(lie, { x: x - 4, y: y - 30 }), { cell, isVertical: true, side: above });
      }
    }
    assert.equal(fenceAt(lie, { x: 50, y: 50 }), null);
    assert.equal(fenceAt(lie, { x: 500, y: 0 }), null);
  }
});

test('ways off the board lie beside it', () => {
  const exit = exitOf(LIES[0], 'e1', [1, 0]);
  assert.ok(exit.x > 500 && exit.y === middleOf(LIES[0], 'e1').y);
  assert.ok(exitOf(LIES[1], 'e1', [1, 0]).x < 0);
  assert.ok(exitOf(LIES[0], 'e1', [0, -1]).y > 400);
});

const drawn = (drawing) => ({ from: null, to: null, pushed: [], removed: [], ...drawing });
const CARDS = [
  { move: 'a1a2:ox', to: '', drawing: drawn({ from: 'a1', to: 'a2', card: 'ox' }) },
  { move: 'a1a2:boar', to: '', drawing: drawn({ from: 'a1', to: 'a2', card: 'boar' }) },
  { move: 'b1b2:ox', to: '', drawing: drawn({ from: 'b1', to: 'b2', card: 'ox', removed: ['b2'] }) },
  { move: 'pass:ox', to: '', drawing: drawn({ card: 'ox' }) },
  { move: 'odd', to: '', drawing: null },
];

test('moves are chosen by square, goal and card', () => {
  assert.deepEqual([...sourcesOf(CARDS)], ['a1', 'b1']);
  assert.deepEqual(fitting(CARDS, { from: 'a1', goal: 'a2' }).map((move) => move.move), ['a1a2:ox', 'a1a2:boar']);
  assert.deepEqual(fitting(CARDS, { from: 'a1', goal: 'a2', card: 'boar' }).map((move) => move.move), ['a1a2:boar']);
  assert.deepEqual(movesTo(CARDS, 'b2'), [], 'with two pieces, the piece is chosen first');
  assert.equal(movesTo(CARDS.slice(2, 3), 'b2').length, 1, 'with one piece, its goal is enough');
  assert.deepEqual(movesAside(CARDS).map((move) => move.move), ['pass:ox', 'odd']);
});

test('moves off the board and fences have goals of their own', () => {
  const off = { move: 'c2off', to: '', drawing: drawn({ from: 'c2', leaves: [1, 0], removed: ['c2'] }) };
  const fence = { move: 'e3h', to: '', drawing: drawn({ fence: { name: 'e3h', cell: 'e3', is_vertical: false } }) };
  assert.equal(goalOf(off), 'off:1,0');
  assert.equal(goalOf(fence), null);
  assert.deepEqual(movesAside([off, fence]), []);
  assert.deepEqual(fitting([off, fence], { fence: 'e3h' }), [fence]);
});

test('moves and pieces are told in words', () => {
  const board = {
    pieces: [{ cell: 'b2', player: 1, shape: 'leader' }, { cell: 'c1', player: 0, shape: 'cross' }],
    seats: [{ name: 'X' }, { name: 'Blue' }],
  };
  assert.equal(moveSentence(CARDS[2], board), 'b1 to b2 with ox, removes Blue leader of b2');
  assert.equal(moveSentence(CARDS[3], board), 'pass, giving ox up');
  assert.equal(moveSentence(CARDS[4], board), 'odd');
  assert.equal(pieceName(board, 'c1'), 'X');
  assert.equal(pieceName(board, 'a1'), 'empty');
});
