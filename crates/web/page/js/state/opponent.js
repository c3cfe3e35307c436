// Agents at the board. An agent answers a move of a person; it does not move while someone looks back.


/** Shortest time between the moves of two agents, in milliseconds. */
const PACE = 500;

/** The agents of one explorer. */
export class Opponent {
  /** @param {import('./explorer.js').Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.isOn = false;
    /** @type {AbortController | null} */
    this.abort = null;
    /** @type {string | null} */
    this.fault = null;
  }

  /** Agent of the side to move; an empty text for a person. */
  get agentToMove() {
    const { shown, state } = this.explorer;
    const player = shown?.board.player_to_move ?? null;
    return player === null ? '' : state.seats[player === 0 ? 0 : 1];
  }

  get isThinking() {
    return this.abort !== null;
  }

  /** Lets agents move from now on, as soon as it is their turn. */
  answer() {
    const { state } = this.explorer;
    if (!state.seats.some((agent) => agent)) return;
    this.isOn = true;
    this.fault = null;
    this.positionShown();
  }

  stop() {
    this.isOn = false;
    this.abandon();
  }

  /** Ends the choice of a move, which nobody waits for any more. */
  abandon() {
    this.abort?.abort();
    this.abort = null;
  }

  /** Lets the agent move whose turn it is in the position that came on the board. */
  positionShown() {
    const { explorer } = this;
    if (!this.isOn || this.abort || !explorer.isSettled || explorer.isOver || !this.agentToMove) return;
    void this.move();
  }

  async move() {
    const { explorer } = this;
    const { server, state } = explorer;
    const { at } = state;
    if (!server || at.position === null) return;
    const abort = new AbortController();
    this.abort = abort;
    explorer.onChange();
    const started = performance.now();
    try {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const reply = await server.choose(at.position, this.agentToMove, seed, abort.signal);
      const rest = state.seats.every((agent) => agent) ? PACE - (performance.now() - started) : 0;
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (abort.signal.aborted) return;
      this.abort = null;
      explorer.play(reply.move, { isByAgent: true });
      this.positionShown();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.fault = errorSentence(error);
      this.stop();
    }
    explorer.onChange();
  }

  /** Goes back to the last position in which a person was to move. */
  takeBack() {
    const { explorer } = this;
    const isAgent = explorer.state.seats.map((agent) => agent !== '');
    const hasAgents = isAgent[0] !== isAgent[1];
    this.stop();
    let at = explorer.state.at.parent;
    // Players alternate in all games, so the parent's mover is the other side of this one.
    const player = explorer.shown?.board.player_to_move ?? null;
    const isOurTurn = player !== null && !isAgent[player];
    if (hasAgents && isOurTurn && at?.parent) at = at.parent;
    if (at) explorer.go(at);
  }
}
import { errorSentence } from '../server/client.js';
