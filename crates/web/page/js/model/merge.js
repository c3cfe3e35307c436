// What several analyses know of a position together: nothing that was proved is lost. What is proved of the moves is
// proved of the position, too.

import { forOther, provedValue } from './values.js';

/**
 * Returns what two analyses know of the same position or move.
 * @param {KnownValue} before
 * @param {KnownValue} after the later one, whose estimate counts
 * @returns {KnownValue}
 */
export function mergedKnown(before, after) {
  return isLess(after, before) ? before : after;
}

/**
 * True if less is proved by one than by the other: exact plies are more than a bound, and that is more than the winner.
 * @param {KnownValue} one
 * @param {KnownValue} other
 */
function isLess(one, other) {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  return rank < otherRank || (rank === otherRank && (one.bound?.plies ?? 0) > (other.bound?.plies ?? 0));
}

/** @param {KnownValue} known */
function rankOf(known) {
  const value = provedValue(known);
  if (value === null) return 0;
  if (value === 'draw' || known.remoteness !== null) return 3;
  return known.bound ? 2 : 1;
}

/**
 * Returns what two analyses know of the same position and its moves, best first.
 * @param {ValuesReply | null} before
 * @param {ValuesReply} after the later one
 * @param {(position: string) => KnownValue | null} knownOf what is known of the positions after the moves
 * @returns {ValuesReply}
 */
export function mergedAnalysis(before, after, knownOf) {
  const old = new Map(before?.moves.map((move) => [move.move, move]));
  const moves = after.moves.map((move) => {
    const known = old.get(move.move) ?? move;
    old.delete(move.move);
    return withReply(isLess(move, known) ? known : move, knownOf(move.to));
  });
  moves.push(...old.values());
  moves.sort(byWorth);
  const known = mergedKnown(before ?? after, after);
  return { ...after, ...partsOf(mergedKnown(known, concluded(moves, known))), moves };
}

/**
 * Returns a move with what is proved of the position after it.
 * @param {ValuedMove} move
 * @param {KnownValue | null} reply
 * @returns {ValuedMove}
 */
function withReply(move, reply) {
  if (!reply) return move;
  const { value, remoteness, bound } = forOther(reply);
  const later = bound ? { ...bound, plies: bound.plies + 1 } : null;
  const known = { value, remoteness: remoteness === null ? null : remoteness + 1, bound: later, estimate: null };
  return isLess(move, known) ? { ...move, ...known } : move;
}

/**
 * Returns what follows from the moves for the position, or what is known of it if that is not less.
 * @param {ValuedMove[]} moves best first
 * @param {KnownValue} known
 * @returns {KnownValue}
 */
function concluded(moves, known) {
  const [best] = moves;
  if (!best) return known;
  const value = provedValue(best);
  const isOpen = moves.some((move) => provedValue(move) === null);
  if (value === null || (value !== 'win' && isOpen)) return known;
  const proved = value === 'draw' ? [] : moves.filter((move) => provedValue(move) === value);
  // A move whose plies are not exact may win sooner, or hold out longer.
  const isExact = best.remoteness === 1 || (!isOpen && proved.every((move) => move.remoteness !== null));
  const lengths = proved.map((move) => move.remoteness ?? move.bound?.plies ?? Infinity);
  const plies = value === 'win' ? Math.min(...lengths) : Math.max(...lengths);
  const hasBound = value !== 'draw' && !isExact && plies < Infinity;
  /** @type {KnownValue} */
  const after = {
    value, remoteness: value !== 'draw' && isExact ? plies : null, bound: hasBound ? { value, plies } : null, estimate: null,
  };
  return isLess(known, after) ? after : known;
}

/** @param {KnownValue} known @returns {KnownValue} */
function partsOf({ value, remoteness, bound = null, estimate = null }) {
  return { value, remoteness, bound, estimate };
}

/**
 * Orders moves as the server does: quick wins first, then draws and what is open by its estimate, slow losses,
 * quick losses.
 * @param {ValuedMove} one
 * @param {ValuedMove} other
 */
function byWorth(one, other) {
  const [[group, worth], [otherGroup, otherWorth]] = [worthOf(one), worthOf(other)];
  return group - otherGroup || otherWorth - worth;
}

/** @param {ValuedMove} move @returns {[number, number]} */
function worthOf(move) {
  const value = provedValue(move);
  const plies = move.remoteness ?? move.bound?.plies ?? 65_535;
  if (value === 'win') return [0, -plies];
  if (value === 'loss') return [2, plies];
  return [1, value === 'draw' ? 0 : move.estimate ?? -1];
}
