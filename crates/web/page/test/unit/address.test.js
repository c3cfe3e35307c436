import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddress, splitMoves, writeAddress } from '../../js/model/address.js';
import { addMove, linesOf, newTree } from '../../js/model/tree.js';

/** The parts of a state that an address holds, as plain data. */
function plain(state) {
  const lines = linesOf(state.root);
  return {
    ...state,
    root: lines.map(({ from, nodes }) => [from.ply, nodes.map((node) => `${node.move}|${node.comment}`)]),
    at: lines.flatMap(({ nodes }, line) => (nodes.includes(state.at) ? [`${line}.${nodes.indexOf(state.at) + 1}`] : []))[0] ?? 'start',
  };
}

function stateOf(lines, more = {}) {
  const root = newTree(null);
  let at = root;
  for (const line of lines) {
    at = root;
    for (const move of line) at = addMove(at, move, null);
  }
  return { id: 'tic-tac-toe', start: null, root, at, view: 'moves', isFlipped: false, seats: ['', ''], ...more };
}

test('a state is the same after it was written and read', () => {
  const states = [
    stateOf([[]]),
    stateOf([['b2', 'a1', 'c3']]),
    stateOf([['b2', 'a1', 'c3'], ['b2', 'c1', 'a3'], ['a1'], ['b2', 'c1', 'a2', 'c2']]),
    stateOf([['b1b2:(0,2)', 'pass:boar']], { id: 'onitama:3x4:boar', start: 'rRr/3/3/bBb boar,boar boar,boar boar red' }),
    stateOf([['b1b2:wolf', 'pass:stone']], { id: 'onitama:3x4:wolf=(0,2)(1,-1)@blue,stone=(),ox,ox,wolf' }),
    stateOf([['a%3', 'b;c', 'd~e', 'f_g', 'h&i', 'j#k', 'l+m', 'n o']], { isFlipped: true, view: 'game' }),
    stateOf([['b2']], { seats: ['level:4', 'mcts:playouts=1000,prune=1%'], view: 'play' }),
  ];
  states[2].at = states[2].root.children[0];
  states[2].at.comment = 'good; 50 % ~ of_all & more = 100 #1';
  for (const state of states) {
    const { state: again, faults } = readAddress(writeAddress(state));
    assert.deepEqual(faults, []);
    assert.deepEqual(plain(again), plain(state));
  }
});

test('random trees survive', () => {
  let seed = 5;
  const random = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 300; round += 1) {
    const state = stateOf([[]]);
    const nodes = [state.root];
    for (let count = random(30); count > 0; count -= 1) {
      const node = addMove(nodes[random(nodes.length)], `m${random(5)}:(${random(3)},-1)`, null);
      if (!nodes.includes(node)) nodes.push(node);
      if (random(6) === 0) node.comment = `c${random(9)},; ~ %`;
    }
    state.at = nodes[random(nodes.length)];
    const { state: again, faults } = readAddress(writeAddress(state));
    assert.deepEqual(faults, []);
    assert.deepEqual(plain(again), plain(state));
  }
});

test('links read well', () => {
  const state = stateOf([['c2', 'c4'], ['c2', 'd5']], { id: 'quoridor:5x5:1' });
  assert.equal(writeAddress(state), '?g=quoridor:5x5:1&m=c2,c4#v=0.1~d5&at=1.1');
  const start = stateOf([[]], { id: 'q', start: 'c1 c5 1,1 - white' });
  assert.equal(writeAddress(start), '?g=q&p=c1_c5_1,1_-_white');
  assert.equal(writeAddress(stateOf([[]], { id: null })), '');
});

test('a plus sign is a space, as forms of pages write it', () => {
  const { state, faults } = readAddress('?g=my+table&p=c1+c5_1,1+-+white&m=a+1,l%2Bm#c=0.1~well+done&seats=my+bot~');
  assert.deepEqual(faults, []);
  assert.deepEqual([state.id, state.start, state.at.move], ['my table', 'c1 c5 1,1 - white', 'l+m']);
  assert.deepEqual([state.at.parent.move, state.at.parent.comment, state.seats[0]], ['a 1', 'well done', 'my bot']);
  assert.ok(!writeAddress(state).includes('+'));
});

test('damaged links are told, and what can be read is kept', () => {
  const { state, faults } = readAddress('?g=x&m=a,b&m=c&p=%zz#v=9.9~q;0.1~;0.1~k&at=7.1&c=0.8~no;0.1~yes&view=game');
  assert.equal(state.id, 'x');
  assert.deepEqual(plain(state).root, [[0, ['a|yes', 'b|']], [1, ['k|']]]);
  assert.equal(plain(state).at, '0.2');
  assert.equal(state.view, 'game');
  assert.equal(faults.length, 6);
  for (const fault of faults) assert.match(fault, /link/);
  const other = readAddress('?g=x#view=__proto__');
  assert.equal(other.state.view, 'moves');
  assert.equal(other.faults.length, 1);
  assert.match(other.faults[0], /^The link names the view '__proto__'; there are moves, game,/);
});

test('any text is read without failing', () => {
  let seed = 9;
  const signs = '?#&=;~,.%()_+0123abgmpvc\u00e9\ud83d\ude00 ';
  for (let round = 0; round < 2000; round += 1) {
    let text = '';
    for (let length = 0; length < 40; length += 1) {
      seed = (seed * 48271) % 2147483647;
      text += signs[seed % signs.length];
    }
    const { state } = readAddress(text);
    assert.ok(state.root);
    assert.ok(state.at);
  }
});

test('commas inside of brackets part no moves', () => {
  assert.deepEqual(splitMoves('a1a2:(0,1),b2,,c3'), ['a1a2:(0,1)', 'b2', 'c3']);
  assert.deepEqual(splitMoves(''), []);
});
