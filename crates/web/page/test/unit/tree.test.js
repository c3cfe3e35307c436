import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMove, endOfLine, linesOf, lineThrough, newTree, pathTo, promote, remove } from '../../js/model/tree.js';

/** The start, with lines a b c, a d e, and f. */
function sampleTree() {
  const root = newTree('start');
  const a = addMove(root, 'a', 'A');
  const b = addMove(a, 'b', null);
  const c = addMove(b, 'c', null);
  const d = addMove(a, 'd', null);
  const e = addMove(d, 'e', null);
  const f = addMove(root, 'f', null);
  return { root, a, b, c, d, e, f };
}

const moves = (nodes) => nodes.map((node) => node.move).join(' ').trim();

test('a move that is played again is the same node', () => {
  const { root, a } = sampleTree();
  assert.equal(addMove(root, 'a', 'other'), a);
  assert.equal(a.position, 'A');
  assert.equal(root.children.length, 2);
});

test('the line through a node goes back to the start and on by first children', () => {
  const { a, c, d, e } = sampleTree();
  assert.equal(moves(lineThrough(a)), 'a b c');
  assert.equal(moves(lineThrough(d)), 'a d e');
  assert.equal(endOfLine(a), c);
  assert.equal(e.ply, 3);
  assert.equal(pathTo(e).length, 4);
});

test('lines are listed with the main line first', () => {
  const { root, a, d, f } = sampleTree();
  const lines = linesOf(root);
  assert.deepEqual(lines.map(({ nodes }) => moves(nodes)), ['a b c', 'f', 'd e']);
  assert.deepEqual(lines.map(({ from }) => from), [root, root, a]);
  assert.equal(lines[1].nodes[0], f);
  assert.equal(lines[2].nodes[0], d);
});

test('promoting moves a line to the front at the last fork', () => {
  const { root, a, e, f } = sampleTree();
  assert.equal(promote(e), true);
  assert.equal(moves(lineThrough(root)), 'a d e');
  assert.equal(promote(e), false);
  assert.equal(promote(f), true);
  assert.equal(root.children[0], f);
  assert.equal(root.children[1], a);
});

test('removing a node takes all that follows', () => {
  const { root, a, d, b } = sampleTree();
  assert.equal(remove(d), a);
  assert.deepEqual(a.children, [b]);
  assert.equal(remove(root), root);
  assert.equal(root.children.length, 2);
});
