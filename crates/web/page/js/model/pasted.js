// Texts that a person pastes: links, game records, positions, moves.

import { readRecords } from './record.js';

/**
 * @typedef {{kind: 'empty'} | {kind: 'link', address: string} | {kind: 'text', text: string}
 *   | {kind: 'games', games: import('./record.js').ReadGame[], faults: string[]}} Pasted
 */

/**
 * Says what a text is. Whether a plain text is a position or moves is known to the server alone.
 * @param {string} text
 * @returns {Pasted}
 */
export function readPasted(text) {
  const trimmed = text.trim();
  if (!trimmed) return { kind: 'empty' };
  const link = /^(?:https?:\/\/[^\s?#]*)?(\?g=\S+)$/.exec(trimmed);
  if (link) return { kind: 'link', address: link[1] ?? '' };
  // A brace may begin a comment, a bracket a tag. The server has the same test.
  if (/^(?:\[\s*)?\{\s*"[a-z_]*"\s*:/.test(trimmed)) return { kind: 'games', ...readRecords(trimmed) };
  return { kind: 'text', text: trimmed };
}

/**
 * Returns the fault that says more about a text which is neither a position nor a list of moves: the one that was
 * found later in it.
 * @param {ProblemReply} asPosition
 * @param {ProblemReply} asMoves
 */
export function betterFault(asPosition, asMoves) {
  return (asMoves.at ?? 0) > (asPosition.at ?? 0) ? asMoves : asPosition;
}

/**
 * Returns the parts of a text before, at and after a fault. The part at the fault is a sign, or empty at the end.
 * @param {string} text
 * @param {number} at offset in bytes
 * @returns {[string, string, string]}
 */
export function partsAt(text, at) {
  let bytes = 0;
  let before = '';
  for (const sign of text) {
    const size = new TextEncoder().encode(sign).length;
    if (bytes + size > at) return [before, sign, text.slice(before.length + sign.length)];
    bytes += size;
    before += sign;
  }
  return [text, '', ''];
}

/**
 * Returns the id under which the server has the game of a record; null if it does not have it.
 * @param {string} game
 * @param {{id: string, game: string} | null} open the game that is open
 * @param {ServerData} data
 */
export function idOf(game, open, { tables, all_games: hasAll }) {
  if (open && (game === open.game || game === open.id || game === '')) return open.id;
  return tables.find((table) => table.game === game)?.id ?? (hasAll ? game : null);
}
