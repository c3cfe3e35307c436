// The address of the page, written no more often than browsers allow: beyond their limit Safari and Firefox throw,
// and Chromium forgets what it was told.

/** Time in which one write more is allowed, in milliseconds. */
const EACH = 600;
/** Writes that may follow each other at once: in 30 seconds there are 90, where Safari allows 100. */
const MOST_AT_ONCE = 40;
/** Wait after a write that the browser refused, in milliseconds; twice as long after each further one. */
const REFUSED_WAIT = 1000;
/** Longest of these waits, after which the next address is waited for. */
const LONGEST_WAIT = 32_000;
/** Longest address that browsers keep, in characters. */
const LONGEST_ADDRESS = 2_000_000;

/** The address bar of a window. An address that is still to be written gives way to one that comes after it. */
export class AddressBar {
  /** @param {Pick<Window, 'history' | 'location'>} page */
  constructor(page) {
    this.page = page;
    /** @type {string | null} the address that is still to be written */
    this.wanted = null;
    /** True if the back button is to return from the wanted address to the written one. */
    this.isNew = false;
    /** Time at which all that was written is allowed, one write after the other. */
    this.paidAt = 0;
    this.count = 0;
    this.refusedWait = REFUSED_WAIT;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** The address from the question mark on, also while it is still to be written. */
  get address() {
    const { search, hash } = this.page.location;
    return this.wanted ?? search + hash;
  }

  /**
   * Writes an address now, or as soon as the browser allows. Returns false if it is too long for browsers.
   * @param {string} address from the question mark on; an empty text for the first page
   * @param {boolean} isNew true if the back button is to return to the address before
   */
  write(address, isNew) {
    this.wanted = address;
    this.isNew ||= isNew;
    this.refusedWait = REFUSED_WAIT;
    if (address.length > LONGEST_ADDRESS) {
      this.stop();
      return false;
    }
    if (this.timer === undefined) this.flush();
    return true;
  }

  /** Forgets what is still to be written: the person went to another address. */
  forget() {
    this.stop();
    this.wanted = null;
    this.isNew = false;
  }

  /** Writes what is still to be written before the page is left. */
  leave() {
    if (this.timer !== undefined) this.tryToWrite();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  flush() {
    this.stop();
    const now = Date.now();
    // A clock that was set back is no reason to wait for long.
    const ahead = Math.min(Math.max(0, this.paidAt - now), MOST_AT_ONCE * EACH);
    const wait = ahead - (MOST_AT_ONCE - 1) * EACH;
    if (wait > 0) {
      this.later(wait);
    } else if (this.tryToWrite()) {
      this.paidAt = now + ahead + EACH;
    } else if (this.refusedWait <= LONGEST_WAIT) {
      this.later(this.refusedWait);
      this.refusedWait *= 2;
    }
  }

  /** @param {number} milliseconds */
  later(milliseconds) {
    this.timer = setTimeout(() => this.flush(), milliseconds);
  }

  /** Returns false if the browser refused. */
  tryToWrite() {
    const { history, location } = this.page;
    const { wanted } = this;
    if (wanted === null) return true;
    this.count += 1;
    // The number tells a write that was obeyed from one that was forgotten.
    const state = `${Date.now()} ${this.count}`;
    try {
      if (this.isNew) history.pushState(state, '', wanted || location.pathname);
      else history.replaceState(state, '', wanted || location.pathname);
    } catch {
      return false;
    }
    if (history.state !== state) return false;
    this.wanted = null;
    this.isNew = false;
    return true;
  }
}
