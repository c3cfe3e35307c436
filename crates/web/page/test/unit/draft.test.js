import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardOf, bodyOf, draftOf, move, moveMark, put, setTurn } from '../../js/model/draft.js';
import { fenceAlong, fenceOf, setInHand, swapCards, toggleFence } from '../../js/model/draft_hands.js';
import { cleared, halfTurned, mirrored, swapped } from '../../js/model/draft_turns.js';

const pawn = (player) => ({ player, shape: 'pawn' });
const card = (name) => ({ name, steps: [] });

function boardWith(changes) {
  const seat = (name) => ({ name, is_at_top: false, is_dark: false, cards: [], stock: '', in_hand: null });
  return {
    columns: 3, rows: 3, pieces: [], marks: [], fences: [], has_fences: false, seats: [seat('Red'), seat('Blue')],
    cards_aside: [], player_to_move: 0, note: 'a note', ...changes,
  };
}

const setup = { pieces: [pawn(0), pawn(1)], marks: ['hole'], most_in_hand: [2, 2], has_turn: true };
const cells = ({ pieces }) => pieces.map(({ cell, player }) => `${cell}:${player}`).sort().join(' ');

function draftWith(changes = {}) {
  const board = boardWith({ pieces: [{ cell: 'a1', ...pawn(0) }, { cell: 'c3', ...pawn(1) }], ...changes });
  return draftOf(board, 0);
}

test('a draft has the picture of its board', () => {
  const board = boardWith({ pieces: [{ cell: 'a1', ...pawn(0) }], cards_aside: [card('ox')], note: '' });
  assert.deepEqual(boardOf(draftOf(board, 0), board), board);
});

test('a picture of a draft tells the fences in hand', () => {
  const board = boardWith({});
  const draft = { ...draftOf(board, 0), inHand: [1, 2] };
  assert.deepEqual(boardOf(draft, board).seats.map((seat) => seat.stock), ['1 fence', '2 fences']);
});

test('a piece is put in place of another one, and taken off', () => {
  const draft = draftWith();
  assert.equal(cells(put(draft, 'c3', pawn(0))), 'a1:0 c3:0');
  assert.equal(cells(put(draft, 'b2', pawn(1))), 'a1:0 b2:1 c3:1');
  assert.equal(cells(put(draft, 'a1', null)), 'c3:1');
  assert.equal(put(draft, 'b2', null), draft);
  assert.equal(cells(draft), 'a1:0 c3:1');
});

test('a piece moves, takes the place of another one, or leaves the board', () => {
  const draft = draftWith();
  assert.equal(cells(move(draft, setup, 'a1', 'b1')), 'b1:0 c3:1');
  assert.equal(cells(move(draft, setup, 'a1', 'c3')), 'c3:0');
  assert.equal(cells(move(draft, setup, 'a1', null)), 'c3:1');
  assert.equal(move(draft, setup, 'a1', 'a1'), draft);
  assert.equal(move(draft, setup, 'b2', 'b3'), draft);
});

test('a mark and what stands on its goal change places', () => {
  const marks = [{ cell: 'b2', kind: 'hole', player: null }, { cell: 'a1', kind: 'home', player: 0 }];
  const draft = draftWith({ marks });
  const moved = moveMark(draft, setup, 'hole', 'a1');
  assert.equal(cells(moved), 'b2:0 c3:1');
  assert.deepEqual(moved.marks.map(({ cell, kind }) => `${kind} ${cell}`), ['hole a1', 'home a1']);
  assert.equal(cells(move(draft, setup, 'c3', 'b2')), 'a1:0 b2:1');
  assert.equal(move(draft, setup, 'c3', 'b2').marks[0].cell, 'c3');
  assert.equal(move(draft, setup, 'b2', null), draft);
});

test('a mark that is not there is added', () => {
  const marked = moveMark(draftWith(), setup, 'hole', 'a1');
  assert.deepEqual(marked.marks, [{ cell: 'a1', kind: 'hole', player: null }]);
  assert.equal(cells(marked), 'c3:1');
});

test('a fence comes from the fuller hand and goes into the emptier one', () => {
  const draft = { ...draftWith(), inHand: [2, 1] };
  const fenced = toggleFence(draft, fenceOf('a1', false));
  assert.deepEqual([fenced.fences.map((fence) => fence.name), fenced.inHand], [['a1h'], [1, 1]]);
  const bare = toggleFence({ ...fenced, inHand: [1, 0] }, fenceOf('a1', false));
  assert.deepEqual([bare.fences, bare.inHand], [[], [1, 1]]);
});

test('a fence lies along the sides of two cells', () => {
  const draft = { ...draftWith(), fences: [fenceOf('a1', false), fenceOf('b1', true)] };
  const names = (isVertical) =>
    ['a1', 'b1', 'b2', 'c1', 'a2'].map((cell) => fenceAlong(draft, cell, isVertical)?.name ?? '');
  assert.deepEqual(names(false), ['a1h', 'a1h', '', '', '']);
  assert.deepEqual(names(true), ['', 'b1v', 'b1v', '', '']);
});

test('the other hand gets the rest of the fences', () => {
  const draft = { ...draftWith(), inHand: [2, 1], fences: [fenceOf('a1', false)] };
  assert.deepEqual(setInHand(draft, setup, 0, 1).inHand, [1, 2]);
  assert.deepEqual(setInHand(draft, setup, 1, 0).inHand, [2, 0]);
  assert.deepEqual(setInHand(draft, setup, 1, 9).inHand, [1, 2]);
  assert.deepEqual(setInHand(draft, setup, 0, NaN).inHand, [0, 2]);
});

test('cards change places between hands and the card aside', () => {
  const cards = [[card('ox'), card('crab')], [card('boar'), card('boar')]];
  const draft = { ...draftWith(), cards, aside: [card('tiger')] };
  const names = ({ cards, aside }) => [...cards, aside].map((held) => held.map((one) => one.name).join());
  const [crab, boar] = [{ hand: 0, index: 1 }, { hand: 1, index: 0 }];
  assert.deepEqual(names(swapCards(draft, crab, boar)), ['ox,boar', 'crab,boar', 'tiger']);
  const [tiger, ox] = [{ hand: 'aside', index: 0 }, { hand: 0, index: 0 }];
  assert.deepEqual(names(swapCards(draft, tiger, ox)), ['tiger,crab', 'boar,boar', 'ox']);
  assert.equal(swapCards(draft, { hand: 0, index: 7 }, { hand: 1, index: 0 }), draft);
});

test('the server is told what the game has', () => {
  const marks = [{ cell: 'b2', kind: 'hole', player: null }, { cell: 'a1', kind: 'home', player: 0 }];
  const draft = setTurn({ ...draftWith({ marks }), inHand: [1, 2], fences: [fenceOf('a1', true)] }, 1);
  assert.deepEqual(bodyOf(draft, setup), {
    pieces: draft.pieces, marks: [{ cell: 'b2', kind: 'hole' }], fences: ['a1v'], in_hand: [1, 2], player_to_move: 1,
  });
  const simple = bodyOf({ ...draftWith(), aside: [card('ox')] }, { ...setup, has_turn: false });
  assert.deepEqual(simple, { pieces: draft.pieces, marks: [], fences: [], cards: [[], []], cards_aside: ['ox'] });
});

test('a cleared board keeps its marks and gives the fences back', () => {
  const marks = [{ cell: 'b2', kind: 'hole', player: null }];
  const draft = cleared({ ...draftWith({ marks }), inHand: [1, 2], fences: [fenceOf('a1', true)] }, setup);
  assert.deepEqual([draft.pieces, draft.marks, draft.fences, draft.inHand], [[], marks, [], [2, 2]]);
});

test('mirrors and half turns move pieces, movable marks and fences, and undo themselves', () => {
  const board = boardWith({});
  const marks = [{ cell: 'a2', kind: 'hole', player: null }, { cell: 'a1', kind: 'home', player: 0 }];
  const draft = { ...draftWith({ marks }), fences: [fenceOf('a1', true), fenceOf('b2', false)] };
  const image = mirrored(draft, setup, board);
  assert.equal(cells(image), 'a3:1 c1:0');
  assert.deepEqual(image.marks.map((mark) => mark.cell), ['c2', 'a1']);
  assert.deepEqual(image.fences.map((fence) => fence.name), ['b1v', 'a2h']);
  assert.deepEqual(mirrored(image, setup, board), draft);
  const turned = halfTurned(draft, setup, board);
  assert.equal(cells(turned), 'a1:1 c3:0');
  assert.deepEqual(turned.fences.map((fence) => fence.name), ['b2v', 'a1h']);
  assert.deepEqual(halfTurned(turned, setup, board), draft);
});

test('swapped sides have the pieces, the hand and the turn of each other', () => {
  const kinds = [{ player: 0, shape: 'arrow', step: [1, 0] }, { player: 1, shape: 'arrow', step: [0, 1] }];
  const draft = {
    ...draftWith({ pieces: [{ cell: 'a1', ...kinds[0] }] }), cards: [[card('ox')], [card('crab')]], inHand: [2, 1],
  };
  const other = swapped(draft, { ...setup, pieces: kinds });
  assert.deepEqual(other?.pieces, [{ cell: 'a1', ...kinds[1] }]);
  assert.deepEqual([other?.cards[0][0]?.name, other?.inHand, other?.player], ['crab', [1, 2], 1]);
  assert.equal(swapped(draft, { ...setup, pieces: [...kinds, { player: 0, shape: 'leader' }] }), null);
});
