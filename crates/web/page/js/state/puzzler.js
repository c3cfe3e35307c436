// Puzzles at the board: judges the moves of the solver, answers right ones, takes wrong ones back.

import { isPuzzle, progressOf } from '../model/puzzle.js';
import { addMove, pathTo, promote } from '../model/tree.js';
import { pause, errorSentence } from '../server/client.js';
import { writeMark } from './marks.js';
import { PuzzleSearch } from './puzzle_search.js';
import { bestMove, solution } from './solution.js';

/** Time in which the solver's move can be seen before it is answered, in milliseconds. */
const ANSWER_AFTER = 550;
/** Time in which a wrong move stays on the board, in milliseconds. */
const TAKEN_BACK_AFTER = 1300;

/**
 * A person's work at one puzzle.
 * @typedef {object} Attempt
 * @property {number} wrong
 * @property {number} hints
 * @property {{position: string, move: string, isShown: boolean} | null} hint
 * @property {{position: string, move: string, judged: import('../model/puzzle.js').Judged} | null} lastWrong
 * @property {import('../model/puzzle.js').Mark | null} end
 */

/** The puzzles of one explorer. A puzzle is the first position of the tree. */
export class Puzzler {
  /** @param {import('./explorer.js').Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    /** @type {AbortController | null} */
    this.abort = null;
    this.isOn = false;
    this.search = new PuzzleSearch(explorer);
    this.reset();
  }

  /** Begins with another game. */
  reset() {
    this.stop();
    this.search.abort?.abort();
    this.search = new PuzzleSearch(this.explorer);
    /** @type {Map<string, Attempt>} */
    this.attempts = new Map();
    /** @type {string | null} the position whose values the view asked for */
    this.asked = null;
    /** @type {string | null} */
    this.fault = null;
  }

  stop() {
    this.isOn = false;
    this.abort?.abort();
    this.abort = null;
  }

  /** Text of the position that is the puzzle, if one was chosen. */
  get position() {
    const { start, root } = this.explorer.state;
    return start === null ? null : root.position;
  }

  /** The chosen puzzle in the list. */
  get listed() {
    return this.search.puzzles.find((puzzle) => puzzle.position === this.position) ?? null;
  }

  /** Value of the chosen puzzle; null if it is none, or if its values are not there. @returns {KnownValue | null} */
  get task() {
    const { listed, position } = this;
    if (listed || position === null) return listed;
    /** @type {ValuesReply | null} */
    const values = this.explorer.server?.known('values', position);
    return values && isPuzzle(values) ? values : null;
  }

  /** @returns {Attempt} */
  get attempt() {
    const position = this.position ?? '';
    let attempt = this.attempts.get(position);
    if (!attempt) {
      attempt = { wrong: 0, hints: 0, hint: null, lastWrong: null, end: null };
      this.attempts.set(position, attempt);
    }
    return attempt;
  }

  get progress() {
    const { explorer } = this;
    const path = pathTo(explorer.state.at);
    return progressOf(path, (node) => explorer.loader.judgement(node), this.task?.value === 'draw');
  }

  /** Judges the move that was played, once its position is on the board. */
  answer() {
    if (this.abort || !this.task || this.attempt.end) return;
    this.isOn = true;
    this.fault = null;
    this.positionShown();
  }

  positionShown() {
    if (this.isOn && !this.abort && this.explorer.isSettled) void this.react();
  }

  async react() {
    const { explorer } = this;
    const node = explorer.state.at;
    await this.doing(async (server, signal) => {
      if (node.parent) await server.values(node.parent.position ?? '', signal);
      const { step, node: judgedAt, judged } = this.progress;
      if (step === 'wrong' && judgedAt === node && judged) {
        const { attempt } = this;
        attempt.wrong += 1;
        attempt.lastWrong = { position: node.parent?.position ?? '', move: node.move, judged };
        explorer.onChange();
        await pause(TAKEN_BACK_AFTER, signal);
        this.abort = null;
        explorer.remove(node, false);
      } else if (step === 'solved' && judgedAt === node) {
        const { wrong, hints } = this.attempt;
        this.end(wrong || hints ? 'helped' : 'solved');
      } else if (step === 'reply') {
        const asked = bestMove(server, this.listed, node.position ?? '', signal);
        const [move] = await Promise.all([asked, pause(ANSWER_AFTER, signal)]);
        this.abort = null;
        if (move) explorer.play(move, { isByAgent: true });
      }
    });
  }

  /**
   * Does something that `stop` can end. Its faults are told beside the puzzle.
   * @param {(server: import('../server/game_server.js').GameServer, signal: AbortSignal) => Promise<void>} act
   */
  async doing(act) {
    const { server } = this.explorer;
    if (!server) return;
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    this.fault = null;
    try {
      await act(server, abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.fault = errorSentence(error);
    }
    if (this.abort === abort) this.abort = null;
    this.isOn = false;
    this.explorer.onChange();
  }

  /** Hints at the piece of the best move, then at the move. */
  hint() {
    const { explorer, attempt } = this;
    const position = explorer.state.at.position ?? '';
    return this.doing(async (server, signal) => {
      if (attempt.hint?.position !== position) {
        const move = await bestMove(server, this.listed, position, signal);
        if (!move || explorer.state.at.position !== position) return;
        attempt.hint = { position, move, isShown: false };
        attempt.hints += 1;
      } else if (!attempt.hint.isShown) {
        attempt.hint.isShown = true;
        attempt.hints += 1;
      }
      const move = explorer.moves.find((one) => one.move === attempt.hint?.move);
      explorer.choose({ from: move?.drawing?.from ?? null });
      if (attempt.hint?.isShown) explorer.look(attempt.hint.move);
    });
  }

  /** Takes a wrong move off the board. */
  takeBack() {
    const { node } = this.progress;
    this.stop();
    if (node) this.explorer.remove(node, false);
  }

  /** Puts the solution into the tree, to be gone through step by step. */
  async giveUp() {
    const { explorer } = this;
    const { step, node } = this.progress;
    const from = step === 'wrong' && node?.parent ? node.parent : explorer.state.at;
    await this.doing(async (server, signal) => {
      const { line, end } = await solution(server, this.listed, from.position ?? '', signal);
      let at = from;
      const shown = this.task?.value === 'draw' ? line.slice(0, 1) : line;
      shown.forEach(({ move }, ply) => { at = addMove(at, move, line[ply + 1]?.position ?? end); });
      while (promote(at));
      this.end('shown');
      this.abort = null;
      if (from === explorer.state.at) explorer.writeState(true);
      else explorer.go(from);
    });
  }

  /** @param {import('../model/puzzle.js').Mark} mark */
  end(mark) {
    this.attempt.end = mark;
    writeMark(this.markKey(this.position ?? ''), mark);
  }

  /** @param {string} position */
  markKey(position) {
    return `${this.explorer.table?.game} ${position}`;
  }

  /** Opens a puzzle, or begins with it again. @param {string} position */
  open(position) {
    const { id, isFlipped } = this.explorer.state;
    this.attempts.delete(position);
    this.explorer.openGame(id, position, { view: 'puzzles', isFlipped });
  }

  /** Opens the puzzle after the chosen one; finds others after the last one. */
  async next() {
    const index = this.search.puzzles.findIndex((puzzle) => puzzle.position === this.position);
    if (index + 1 >= this.search.puzzles.length) await this.search.findOthers();
    if (this.search.fault) return;
    const next = this.search.puzzles[index + 1] ?? this.search.puzzles[0];
    if (next) this.open(next.position);
  }
}
