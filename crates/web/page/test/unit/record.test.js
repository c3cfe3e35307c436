import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecords, writeRecord } from '../../js/model/record.js';

const game = {
  game: 'onitama:3x4:boar', start: null, moves: ['b4b3:boar', 'a1a2:boar'], agents: ['random', 'mc'], first: 1,
  winner: 0, ending: 'stone',
};

test('a record is read as it is written', () => {
  const { games, faults } = readRecords(writeRecord(game));
  assert.deepEqual(faults, []);
  const title = '1. mc \u2013 random, 2 moves, random won';
  assert.deepEqual(games, [{ game: game.game, start: null, moves: game.moves, title }]);
  assert.ok(!writeRecord(game).includes('\n') && !('start' in JSON.parse(writeRecord(game))));
  assert.equal(readRecords(writeRecord({ ...game, start: 'x' })).games[0]?.start, 'x');
});

test('games are read from lines, each damaged one being told', () => {
  const others = '{"game":\n{"game":"ostle","moves":[1]}\n{"game":"ostle","moves":[]}';
  const { games, faults } = readRecords(`${writeRecord(game)}\n\n${others}`);
  assert.deepEqual(games.map((one) => one.game), ['onitama:3x4:boar', 'ostle']);
  assert.deepEqual(faults.map((fault) => fault.slice(0, 7)), ['Line 3:', 'Line 4:']);
  assert.match(faults[1] ?? '', /needs "game", a spec, and "moves"/);
});

test('the first line of a tournament is passed over', () => {
  const header = '{"event":"tournament","game":"ostle","seed":1,"max_turns":100,"opening":0}';
  const { games, faults } = readRecords(`${header}\n${writeRecord(game)}\n`);
  assert.deepEqual([games.length, faults], [1, []]);
  assert.deepEqual(readRecords(header), { games: [], faults: ['There is no game in this text'] });
});

test('one game may take several lines, and a list may hold games', () => {
  assert.equal(readRecords('{\n"game":"ostle",\n"moves":["e3L"]\n}').games[0]?.title, 'a game, 1 move');
  assert.equal(readRecords('[{"game":"ostle","moves":[]},{"game":"ostle","moves":[]}]').games.length, 2);
  assert.equal(readRecords('7').faults.length, 1);
});

test('other texts are refused in a sentence', () => {
  const texts = ['{', '{"moves":["a"]}', '{"game":"x","moves":[1]}', '{"game":"x","moves":"a"}', '{"game":1}', '7'];
  for (const text of texts) {
    const { games, faults } = readRecords(text);
    assert.deepEqual(games, [], text);
    assert.match(faults[0] ?? '', /^This is no game record: [a-z ]{2}/, text);
  }
});
