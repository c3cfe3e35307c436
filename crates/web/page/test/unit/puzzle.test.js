import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  effortWords, gradeWords, hintWords, isPuzzle, progressOf, starsOf, taskWords, wrongWords,
} from '../../js/model/puzzle.js';
import { addMove, newTree, pathTo } from '../../js/model/tree.js';

const best = (remoteness, value = 'win') => ({ value, remoteness, best: true, gives: 'nothing', plies_lost: 0 });
const bad = { value: 'draw', remoteness: null, best: false, gives: 'win', plies_lost: null };

/** Plays moves from a new tree; a move is judged by its name. */
function progress(moves, judgements, isDraw = false) {
  let at = newTree('start');
  for (const move of moves) at = addMove(at, move, null);
  return progressOf(pathTo(at), (node) => judgements[node.move] ?? null, isDraw);
}

test('the solver moves, is answered, and has solved it when the last move ends the game', () => {
  const judgements = { a: best(3), r: bad, b: best(1) };
  assert.equal(progress([], judgements).step, 'move');
  assert.equal(progress(['a'], judgements).step, 'reply');
  assert.equal(progress(['a', 'r'], judgements).step, 'move', 'replies are not judged');
  const solved = progress(['a', 'r', 'b'], judgements);
  assert.equal(solved.step, 'solved');
  assert.equal(solved.node.move, 'b');
});

test('the first wrong move counts, whatever follows it', () => {
  const judgements = { a: best(5), r: bad, w: bad, x: best(1), b: best(1) };
  const wrong = progress(['a', 'r', 'w', 'x', 'b'], judgements);
  assert.equal(wrong.step, 'wrong');
  assert.equal(wrong.node.move, 'w');
  assert.equal(wrong.judged, bad);
});

test('a move whose value is not known yet is waited for', () => {
  assert.equal(progress(['a'], {}).step, 'waiting');
  assert.equal(progress(['a'], { a: { value: null, remoteness: null, best: null } }).step, 'waiting');
});

test('one move saves a draw', () => {
  assert.equal(progress(['a'], { a: best(null, 'draw') }, true).step, 'solved');
  assert.equal(progress(['a', 'r', 'z'], { a: best(null, 'draw') }, true).step, 'solved');
  assert.equal(progress(['a'], { a: { ...bad, value: 'loss', gives: 'draw' } }, true).step, 'wrong');
});

test('a position is a puzzle if its side to move can gain something and can go wrong', () => {
  const moves = (...kinds) => kinds.map((kind) => ({ best: kind }));
  assert.ok(isPuzzle({ value: 'win', moves: moves(true, false) }));
  assert.ok(isPuzzle({ value: 'draw', moves: moves(false, true) }));
  assert.ok(!isPuzzle({ value: 'win', moves: moves(true, true) }));
  assert.ok(!isPuzzle({ value: 'loss', moves: moves(true, false) }));
  assert.ok(!isPuzzle({ value: null, moves: moves(null) }));
});

test('stars grow with plies, temptations and the number of wrong moves', () => {
  const grade = { plies: 1, tempting: 0, quiet: false, wrong: 2 };
  assert.equal(starsOf(grade), 1);
  assert.equal(starsOf({ ...grade, plies: 3 }), 2);
  assert.equal(starsOf({ ...grade, plies: 5 }), 3);
  assert.equal(starsOf({ ...grade, plies: 9 }), 4);
  assert.equal(starsOf({ ...grade, plies: 9, tempting: 1 }), 5);
  assert.equal(starsOf({ ...grade, plies: 21, tempting: 9, wrong: 999 }), 5);
  assert.equal(starsOf({ ...grade, plies: null, wrong: 7 }), 2);
});

test('words for grades, tasks, wrong moves and help', () => {
  const quiet = gradeWords({ plies: 5, tempting: 1, quiet: true, wrong: 1 });
  assert.equal(quiet, '1 tempting capture, quiet start, 1 wrong move');
  assert.equal(gradeWords({ plies: 5, tempting: 0, quiet: false, wrong: 11 }), '11 wrong moves');
  const task = taskWords({ value: 'win', remoteness: 5 }, 'Red');
  assert.equal(task, 'Red to move wins in 5 plies. Find the quickest way.');
  assert.equal(taskWords({ value: 'win', remoteness: 1 }, 'Red'), 'Red to move wins at once. Find the move.');
  assert.equal(taskWords({ value: 'draw', remoteness: null }, 'O'), 'O to move can save a draw. Find the move.');
  assert.equal(wrongWords('c3', bad), 'c3 gives the win away.');
  const slower = { ...best(5), best: false, gives: 'plies', plies_lost: 2 };
  assert.equal(wrongWords('c3', slower), 'c3 wins too, but 2 plies later.');
  assert.equal(effortWords(0, 0), '');
  assert.equal(effortWords(1, 0), '1 wrong try');
  assert.equal(effortWords(2, 1), '2 wrong tries and 1 hint');
});

test('a hint names the piece, or the kind of move, and not the goal', () => {
  const board = { pieces: [{ cell: 'b2', player: 0, shape: 'pawn' }], seats: [{ name: 'White' }, { name: 'Black' }] };
  const drawing = { from: null, to: null, pushed: [], removed: [] };
  const hint = (move, more) => hintWords({ move, to: '', drawing: more && { ...drawing, ...more } }, board);
  assert.equal(hint('b3', { from: 'b2', to: 'b3' }), 'Look at the White pawn on b2.');
  assert.equal(hint('d4h', { fence: { name: 'd4h', cell: 'd4', is_vertical: false } }), 'A horizontal fence does it.');
  assert.equal(hint('c1', { to: 'c1' }), 'Look at column c.');
  assert.equal(hint('pass:ox', { card: 'ox' }), 'Look at the card ox.');
  assert.equal(hint('zz', null), 'The move begins with z.');
});
