// Games as text: the lines that `hindsight match --games` writes and `hindsight review` reads.

import { counted } from './values.js';

/**
 * @typedef {object} GameRecord
 * @property {string} game
 * @property {string | null} start
 * @property {string[]} moves
 */

/** A game with words to choose it by. @typedef {GameRecord & {title: string}} ReadGame */

/**
 * Returns a game as one line of JSON.
 * @param {GameRecord & {agents: [string, string], first: number, winner: number | null, ending: string}} game
 */
export function writeRecord({ game, start, moves, agents, first, winner, ending }) {
  const head = { game, number: 0, agents, first };
  const tail = { moves, winner, ending, work: [0, 0], seconds: [0, 0] };
  return JSON.stringify(start === null ? { ...head, ...tail } : { ...head, start, ...tail });
}

/**
 * Reads games: a line of JSON for each, or one value of JSON over several lines. A line that is no game is told
 * in `faults`, except an object with the key `event`, which begins the file of a tournament.
 * @param {string} text
 * @returns {{games: ReadGame[], faults: string[]}}
 */
export function readRecords(text) {
  /** @type {ReadGame[]} */
  const games = [];
  /** @type {string[]} */
  const faults = [];
  const whole = parsed(text);
  const lines = whole ? [whole].flat() : text.split('\n').map((line) => line.trim());
  lines.forEach((line, index) => {
    if (line === '') return;
    const place = lines.length > 1 ? `Line ${index + 1}: ` : '';
    const read = whole ? line : parsed(line);
    const game = gameOf(read);
    if (typeof game !== 'string') games.push(game);
    else if (read?.event === undefined) faults.push(place + game);
  });
  if (!games.length && !faults.length) faults.push('There is no game in this text');
  return { games, faults };
}

/** @param {string} text @returns {any} null if the text is no JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {any} read
 * @returns {ReadGame | string} a game, or what is wrong
 */
function gameOf(read) {
  if (read === null || typeof read !== 'object') {
    return 'This is no game record: a record is an object of JSON, as match --games writes it';
  }
  const isList = Array.isArray(read.moves) && read.moves.every((/** @type {any} */ one) => typeof one === 'string');
  if (typeof read.game !== 'string' || !isList) {
    return 'This is no game record: it needs "game", a spec, and "moves", a list of texts';
  }
  const start = typeof read.start === 'string' ? read.start : null;
  return { game: read.game, start, moves: read.moves, title: titleOf(read) };
}

/** @param {any} read a game with the keys that records can have besides */
function titleOf({ number, agents, first, moves, winner, ending }) {
  const players = Array.isArray(agents) ? (first === 1 ? [...agents].reverse() : agents).join(' \u2013 ') : 'a game';
  const result = Array.isArray(agents) && typeof winner === 'number' ? `${agents[winner]} won` : ending;
  const words = [players, counted(moves.length, 'move'), result];
  const title = words.filter((word) => typeof word === 'string' && word).join(', ');
  return typeof number === 'number' ? `${number + 1}. ${title}` : title;
}
