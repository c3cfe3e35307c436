// Loads what the shown position needs: its board, its values, and the values along the line.

import { Unreachable, errorSentence } from '../server/client.js';
import { mergedKnown } from '../model/merge.js';
import { resultOf } from './analyses.js';
import { loadPositions } from './tree_loader.js';

/** @typedef {import('../model/tree.js').TreeNode} TreeNode */

/** Seconds of an analysis where not all values are known. */
const ANALYSIS_SECONDS = 5;
/** Time for which the values of a position wait while moves follow each other quickly, in milliseconds. */
const QUICK_WAIT = 220;

/** The loader of one explorer. */
export class Loader {
  /** @param {import('./explorer.js').Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    /** @type {AbortController | null} */
    this.abort = null;
    /** @type {number | undefined} */
    this.valueTimer = undefined;
    /** @type {(() => void)[]} those who wait for values */
    this.waiting = [];
    this.reset();
  }

  reset() {
    this.resetLine();
    /** @type {Map<string, KnownValue>} values along lines, for the side to move, by position */
    this.along = new Map();
    /** @type {Map<string, WalkPly>} moves of lines, by position and move */
    this.judged = new Map();
    this.isTableAsked = false;
    /** @type {boolean} true if the address names nothing that could be on the board */
    this.isLost = false;
    this.isWalking = false;
  }

  /** Forgets the shown line; what is known about positions stays. */
  resetLine() {
    this.abort?.abort();
    clearTimeout(this.valueTimer);
    this.abort = null;
    /** @type {string | null} what went wrong with the values of the shown position */
    this.valuesFault = null;
    this.isAnalysing = false;
    /** @type {LegalMove | null} the move that was played last, until it was seen */
    this.motion = null;
    /** @type {TreeNode | null} the node whose values are on their way */
    this.valuesAsked = null;
    this.tellWaiting();
    /** @type {string} the line whose values are known or asked for */
    this.walked = '';
  }

  /** Learns the positions of all nodes of the tree, then loads the shown one. */
  async loadTree() {
    const { explorer } = this;
    const { server, state } = explorer;
    if (!server) return;
    void this.loadTable();
    if (state.at.position !== null) this.load();
    if (!(await loadPositions(explorer, server))) return;
    this.isLost = state.root.position === null && explorer.client.isThere;
    this.load();
    if (this.isLost) explorer.onChange();
    else explorer.writeState();
  }

  async loadTable() {
    const { explorer } = this;
    const { server } = explorer;
    if (!server || explorer.table || this.isTableAsked) return;
    this.isTableAsked = true;
    try {
      const table = await server.table();
      if (explorer.server !== server) return;
      explorer.table = table;
      server.digest = table.digest;
      explorer.onChange();
      this.load();
    } catch (error) {
      if (explorer.server !== server) return;
      this.isTableAsked = false;
      explorer.fail(error);
    }
  }

  /**
   * Shows the position of the state, and asks for what is not known of it.
   * @param {{isQuick?: boolean}} [options] `isQuick` if other moves are likely to follow at once
   */
  load({ isQuick = false } = {}) {
    const { explorer } = this;
    const { server, state } = explorer;
    if (state.at === this.valuesAsked && state.at === explorer.shownAt) return;
    this.abort?.abort();
    clearTimeout(this.valueTimer);
    this.valuesAsked = null;
    this.valuesFault = null;
    this.isAnalysing = false;
    this.tellWaiting();
    const node = state.at;
    if (!server || node.position === null) return;
    this.abort = new AbortController();
    const { signal } = this.abort;
    const known = server.known('position', node.position);
    if (known) this.showPosition(node, known);
    else void this.loadPosition(server, node, signal);
    if (isQuick) this.valueTimer = setTimeout(() => this.loadValues(server, node, signal), QUICK_WAIT);
    else void this.loadValues(server, node, signal);
  }

  /** Asks again for what failed before. */
  loadMissing() {
    if (this.valuesFault || !this.explorer.values) this.load();
  }

  /**
   * @param {import('../server/game_server.js').GameServer} server
   * @param {TreeNode} node
   * @param {AbortSignal} signal
   */
  async loadPosition(server, node, signal) {
    try {
      const reply = await server.position(node.position ?? '', signal);
      if (this.explorer.state.at === node) this.showPosition(node, reply);
    } catch (error) {
      if (!signal.aborted) this.explorer.fail(error);
    }
  }

  /**
   * @param {TreeNode} node
   * @param {PositionReply} reply
   */
  showPosition(node, reply) {
    const { explorer } = this;
    explorer.shown = reply;
    explorer.shownAt = node;
    explorer.onChange();
    void this.loadLastMove(node);
    explorer.other.positionShown();
  }

  /**
   * Learns the moves before a position, one of which led there, so that it can be marked.
   * @param {TreeNode} node
   */
  async loadLastMove({ parent }) {
    const { server } = this.explorer;
    const before = parent?.position ?? null;
    if (!server || before === null || server.known('position', before)) return;
    // The mark is no matter for a message.
    await server.position(before).catch(() => null);
    this.explorer.onChange();
  }

  /**
   * @param {import('../server/game_server.js').GameServer} server
   * @param {TreeNode} node
   * @param {AbortSignal} signal
   */
  async loadValues(server, node, signal) {
    const { explorer } = this;
    const position = node.position ?? '';
    const { table } = explorer;
    if (!table || signal.aborted) return;
    this.valuesAsked = node;
    try {
      if (table.values !== 'analysis') {
        await server.values(position, signal);
        explorer.onChange();
        await this.walk(server, signal);
      } else if (explorer.analyses.isDone(server, position)) {
        explorer.analyses.conclude(server, position);
      } else {
        await this.analyse(server, position, { most: ANALYSIS_SECONDS }, signal);
      }
    } catch (error) {
      if (signal.aborted || explorer.state.at !== node) return;
      if (!(error instanceof Unreachable)) this.valuesFault = errorSentence(error);
    }
    if (this.valuesAsked === node) this.valuesAsked = null;
    this.tellWaiting();
    explorer.onChange();
  }

  /** True while values of the shown position are on their way, or will be once the game is solved. */
  get isWaiting() {
    const { table, client } = this.explorer;
    return this.isAnalysing || this.valuesAsked !== null || (table === null && client.isThere);
  }

  /** Waits until values of the shown position are there or failed, or another position is shown. @returns {Promise<void>} */
  valuesThere() {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  tellWaiting() {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /**
   * Analyses the shown position for as long as the server allows.
   * @param {{everyMove?: boolean}} [options] `everyMove` to prove every move, and not the best one first
   */
  async analyseLonger({ everyMove = false } = {}) {
    const { server, state, data } = this.explorer;
    const { position } = state.at;
    if (!server || position === null || !this.abort) return;
    const { signal } = this.abort;
    try {
      await this.analyse(server, position, { most: data.limits.seconds, everyMove }, signal);
    } catch (error) {
      if (!signal.aborted) this.valuesFault = errorSentence(error);
    }
    this.tellWaiting();
    this.explorer.onChange();
  }

  /**
   * @param {import('../server/game_server.js').GameServer} server
   * @param {string} position
   * @param {{most: number, everyMove?: boolean}} options `most` seconds, if the server allows as many
   * @param {AbortSignal} signal
   */
  async analyse(server, position, { most, everyMove = false }, signal) {
    const { explorer } = this;
    if (server.known('position', position)?.over) return;
    const seconds = Math.min(most, explorer.data.limits.seconds);
    this.isAnalysing = true;
    explorer.onChange();
    try {
      await server.analyse(position, { seconds, everyMove }, (answer) => {
        explorer.analyses.add(server, position, answer);
        explorer.onChange();
      }, signal);
      explorer.analyses.conclude(server, position);
    } finally {
      if (!signal.aborted) this.isAnalysing = false;
    }
  }

  /** Analyses all positions of the shown line. */
  async analyseLine() {
    const { explorer } = this;
    const { server } = explorer;
    if (!server) return;
    this.isWalking = true;
    explorer.onChange();
    try {
      await this.walk(server);
    } catch (error) {
      explorer.fail(error);
    }
    this.isWalking = false;
    explorer.onChange();
  }

  /**
   * Asks for the values along the shown line, unless they are known.
   * @param {import('../server/game_server.js').GameServer} server
   * @param {AbortSignal} [signal]
   */
  async walk(server, signal) {
    const { explorer } = this;
    const moves = explorer.line.slice(1).map((node) => node.move);
    const key = moves.join(',');
    if (this.walked === key || moves.length === 0) return;
    const walk = await server.walk(explorer.state.start, moves, signal);
    this.walked = key;
    this.keepWalk(walk);
  }

  /** @param {WalkReply} walk */
  keepWalk(walk) {
    for (const ply of walk.plies) {
      this.along.set(ply.position, mergedKnown(this.along.get(ply.position) ?? ply.before, ply.before));
      const key = `${ply.position} ${ply.move}`;
      if (ply.gives || !this.judged.get(key)?.gives) this.judged.set(key, ply);
    }
    this.explorer.onChange();
  }

  /**
   * The value of a position for the side to move, as far as it is known.
   * @param {TreeNode} node
   * @returns {KnownValue | null}
   */
  knownValue(node) {
    const { server } = this.explorer;
    if (node.position === null) return null;
    const result = server && resultOf(server, node.position);
    return result ?? this.explorer.valuesOf(node) ?? this.along.get(node.position) ?? null;
  }

  /**
   * What the move to a node gave away, as far as it is known.
   * @param {TreeNode} node
   * @returns {ValuedMove | WalkPly | null}
   */
  judgement(node) {
    const before = node.parent?.position ?? null;
    if (before === null) return null;
    const values = node.parent && this.explorer.valuesOf(node.parent);
    const move = values?.moves.find((one) => one.move === node.move);
    return move?.gives ? move : this.judged.get(`${before} ${node.move}`) ?? null;
  }

  /**
   * Notes a move so that the board shows it moving.
   * @param {LegalMove} move
   */
  animate(move) {
    this.motion = move;
  }
}
