// The puzzles to choose from: what is looked for, and what was found.


/** The search of one game. */
export class PuzzleSearch {
  /** @param {import('./explorer.js').Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.form = { theme: '', fewest: '', most: '5' };
    this.seed = 1;
    /** @type {PuzzlesReply | null} */
    this.reply = null;
    this.isBegun = false;
    this.isBusy = false;
    /** @type {string | null} */
    this.fault = null;
    /** @type {AbortController | null} */
    this.abort = null;
  }

  get puzzles() {
    return this.reply?.puzzles ?? [];
  }

  /** Looks for puzzles once. */
  begin() {
    if (!this.isBegun) void this.find();
  }

  /** Looks for other puzzles of the same kind. */
  findOthers() {
    this.seed += 1;
    return this.find();
  }

  async find() {
    const { theme, fewest, most } = this.form;
    this.isBegun = true;
    this.fault = null;
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.isBusy = true;
    this.explorer.onChange();
    try {
      const isEmpty = fewest !== '' && most !== '' && Number(fewest) > Number(most);
      if (isEmpty) throw new RangeError('The fewest plies are more than the most.');
      const query = { theme, min_plies: fewest, max_plies: most, count: '10', seed: String(this.seed) };
      const asked = Object.fromEntries(Object.entries(query).filter(([, text]) => text));
      const reply = await this.explorer.server?.get('puzzles', asked, abort.signal);
      if (abort.signal.aborted) return;
      this.reply = reply;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.fault = error instanceof RangeError ? error.message : errorSentence(error);
    }
    this.isBusy = false;
    this.explorer.onChange();
  }
}
import { errorSentence } from '../server/client.js';
