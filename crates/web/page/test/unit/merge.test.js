import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedAnalysis, mergedKnown } from '../../js/model/merge.js';
import { GameServer } from '../../js/server/game_server.js';
import { Analyses, resultOf } from '../../js/state/analyses.js';

const win = (remoteness) => ({ value: 'win', remoteness, bound: null, estimate: null });
const loss = (remoteness) => ({ value: 'loss', remoteness, bound: null, estimate: null });
const draw = { value: 'draw', remoteness: null, bound: null, estimate: null };
const most = (value, plies) => ({ value, remoteness: null, bound: { value, plies }, estimate: null });
const won = (value) => ({ value, remoteness: null, bound: null, estimate: null });
const guess = (estimate) => ({ value: null, remoteness: null, bound: null, estimate });
const move = (name, known, line = [name]) => ({ move: name, to: `after ${name}`, ...known, line });
const answer = (known, ...moves) => ({ position: 'p', player: 'X', ...known, moves, seconds: 1, sources: ['playouts'] });
const none = () => null;
const partsOf = ({ value, remoteness, bound, estimate }) => ({ value, remoteness, bound, estimate });

test('a proved value is never replaced by less, whichever comes first', () => {
  // Each is more than those before it.
  const ranks = [[guess(0.9), guess(-0.9)], [won('win')], [most('win', 9)], [most('win', 7)], [win(5)]];
  ranks.forEach((less, rank) => ranks.slice(rank + 1).flat().forEach((more) => less.forEach((one) => {
    assert.deepEqual(mergedKnown(one, more), more);
    assert.deepEqual(mergedKnown(more, one), more);
  })));
  assert.deepEqual(mergedKnown(guess(0.1), draw), draw);
  assert.deepEqual(mergedKnown(draw, guess(0.1)), draw);
  assert.deepEqual(mergedKnown(guess(0.1), guess(0.2)), guess(0.2), 'the later estimate counts');
  assert.deepEqual(mergedKnown(most('loss', 8), most('loss', 12)), most('loss', 8));
});

test('an analysis that knows less takes no value, move or line away', () => {
  const known = answer(win(3), move('c1c2:crane', win(3), ['c1c2:crane', 'x', 'y']), move('a', loss(2)), move('b', guess(0.4)));
  const poorer = answer(guess(-0.2), move('b', guess(0.6)), move('a', guess(0.1)), move('c1c2:crane', guess(-0.5)));
  const merged = mergedAnalysis(known, poorer, none);
  assert.deepEqual(partsOf(merged), win(3));
  assert.deepEqual(merged.moves.map((one) => one.move), ['c1c2:crane', 'b', 'a']);
  assert.deepEqual(merged.moves[0], known.moves[0]);
  assert.equal(merged.moves[1].estimate, 0.6);
  assert.equal(mergedAnalysis(merged, poorer, none).value, 'win');
  const bounded = answer(most('win', 9), move('c', most('win', 9)), move('b', guess(0.6)));
  const better = mergedAnalysis(bounded, answer(won('win'), move('b', win(1)), move('c', won('win'))), none);
  assert.deepEqual(better.moves.map((one) => one.move), ['b', 'c']);
  assert.deepEqual([partsOf(better), partsOf(better.moves[1])], [win(1), most('win', 9)]);
});

test('moves that an answer leaves out stay', () => {
  const merged = mergedAnalysis(answer(win(3), move('a', win(3)), move('b', loss(4))), answer(guess(0)), none);
  assert.deepEqual(merged.moves.map((one) => one.move), ['a', 'b']);
  assert.equal(merged.value, 'win');
});

test('what is proved of the moves is proved of the position', () => {
  const merged = (...moves) => partsOf(mergedAnalysis(null, answer(guess(0), ...moves), none));
  assert.deepEqual(merged(move('a', most('win', 9)), move('b', guess(0))), most('win', 9));
  assert.deepEqual(merged(move('a', win(5)), move('b', guess(0))), most('win', 5), 'the open move may be quicker');
  assert.deepEqual(merged(move('a', win(1)), move('b', guess(0))), win(1));
  assert.deepEqual(merged(move('a', win(5)), move('b', loss(2))), win(5));
  assert.deepEqual(merged(move('a', loss(4)), move('b', loss(2))), loss(4));
  assert.deepEqual(merged(move('a', loss(4)), move('b', most('loss', 8))), most('loss', 8));
  assert.deepEqual(merged(move('a', loss(4)), move('b', won('loss'))), won('loss'));
  assert.deepEqual(merged(move('a', draw), move('b', loss(2))), draw);
  assert.deepEqual(merged(move('a', draw), move('b', guess(0))), guess(0));
  assert.deepEqual(merged(move('a', loss(4)), move('b', guess(0))), guess(0));
  assert.deepEqual(merged(), guess(0));
});

test('what is proved of the position after a move is proved of the move', () => {
  const after = { 'after a': loss(4), 'after b': most('win', 7), 'after c': guess(0.9), 'after d': loss(0) };
  const known = answer(guess(0), move('a', guess(0)), move('b', guess(0)), move('c', guess(0.3)));
  const merged = mergedAnalysis(null, known, (to) => after[to] ?? null);
  assert.deepEqual(merged.moves.map((one) => one.move), ['a', 'c', 'b']);
  assert.deepEqual(merged.moves.map(partsOf), [win(5), guess(0.3), most('loss', 8)]);
  assert.deepEqual(partsOf(merged), most('win', 5));
  const last = mergedAnalysis(null, answer(guess(0), move('d', guess(0))), (to) => after[to] ?? null);
  assert.deepEqual([partsOf(last.moves[0]), partsOf(last)], [win(1), win(1)]);
});

/** Answers about positions that a server has given. @param {string} id */
function serverOf(id) {
  return new GameServer(/** @type {any} */ (null), id);
}

test('an analysis that is longer, a second visit and another game in between keep what was proved', () => {
  const analyses = new Analyses();
  const proved = answer(win(3), move('a', win(3)), move('b', guess(0)));
  const poorer = answer(guess(0), move('b', guess(0.1)), move('a', guess(0)));
  const server = serverOf('x');
  const seen = [poorer, proved, poorer].map((one) => {
    analyses.add(server, 'p', one);
    return analyses.of(server, 'p').value;
  });
  assert.deepEqual(seen, [null, 'win', 'win']);
  assert.equal(analyses.isDone(server, 'p'), false);
  analyses.conclude(server, 'p');
  assert.equal(analyses.isDone(server, 'p'), true);
  analyses.add(serverOf('x'), 'p', poorer);
  assert.equal(analyses.isDone(server, 'p'), true);
  assert.deepEqual([analyses.of(server, 'p').value, analyses.of(server, 'p').moves[0].move], ['win', 'a']);
  assert.equal(analyses.of(serverOf('y'), 'p'), null, 'games have positions of their own');
});

test('a position is concluded anew from what was proved after its moves', () => {
  const analyses = new Analyses();
  const server = serverOf('x');
  analyses.add(server, 'p', answer(guess(0), move('a', guess(0)), move('b', guess(0))));
  analyses.add(server, 'after a', answer(loss(2)));
  assert.equal(analyses.of(server, 'p').value, null);
  analyses.conclude(server, 'p');
  assert.deepEqual(partsOf(analyses.of(server, 'p')), most('win', 3));
  server.keep('position', 'after b', { over: true, result: 'loss', moves: [] });
  analyses.conclude(server, 'p');
  assert.deepEqual([analyses.of(server, 'p').moves[0].move, analyses.of(server, 'p').remoteness], ['b', 1]);
  assert.equal(resultOf(server, 'after b').remoteness, 0);
  assert.equal(resultOf(server, 'p'), null);
});

test('analyses that are kept are bounded', () => {
  const analyses = new Analyses();
  const server = serverOf('x');
  for (let count = 0; count < 3000; count += 1) {
    analyses.add(server, `${count}`, answer(guess(0)));
    analyses.conclude(server, '0');
  }
  assert.ok(analyses.kept.size <= 1000);
  assert.ok(analyses.of(server, '0') && analyses.of(server, '2999') && !analyses.of(server, '1'));
});
