// Requests to the server. A server that is busy is asked again after the time it names; one that went away is
// looked for until it is back.

/** An answer of the server that is a fault. */
export class Problem extends Error {
  /** @param {ProblemReply} reply */
  constructor(reply) {
    super(problemSentence(reply));
    this.reply = reply;
  }
}

/** The server does not answer. */
export class Unreachable extends Error {}

/** @param {ProblemReply} reply */
function problemSentence({ title, detail }) {
  return detail ? `${title}: ${detail}` : title;
}

/** Requests of one page. */
export class Client {
  /** @param {(isThere: boolean) => void} onReach called when the server went away, and when it is back */
  constructor(onReach) {
    this.onReach = onReach;
    this.isThere = true;
  }

  /**
   * Asks for JSON. Throws a `Problem`, `Unreachable`, or an `AbortError` when the signal fires.
   * @param {string} path
   * @param {{signal?: AbortSignal | undefined, body?: unknown}} [options]
   * @returns {Promise<any>}
   */
  async json(path, { signal, body } = {}) {
    const init = body === undefined ? {} : {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.fetched(path, { ...init, signal: signal ?? null });
      if (response.ok) return readJson(response);
      const wait = Number(response.headers.get('Retry-After') ?? NaN);
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || !(wait <= 10) || attempt === 4) throw new Problem(await problemOf(response));
      await pause(wait * 1000 + 50, signal);
    }
  }

  /**
   * Reads a stream of events, each a JSON object, until one is named `done`.
   * @param {string} path
   * @param {(answer: any) => void} onAnswer
   * @param {AbortSignal} signal
   */
  async events(path, onAnswer, signal) {
    const response = await this.fetched(path, { signal });
    if (!response.ok || !response.body) throw new Problem(await problemOf(response));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        if (signal.aborted) throw error;
        throw this.gone();
      });
      if (done) return;
      text += value;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const name = /^event: ?(.*)$/m.exec(event)?.[1];
        const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
        if (!data.length) continue;
        const answer = JSON.parse(data.join('\n'));
        if (name === 'problem') throw new Problem(answer);
        onAnswer(answer);
      }
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  async fetched(path, init) {
    try {
      const response = await fetch(path, init);
      this.reached();
      return response;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw this.gone();
    }
  }

  reached() {
    if (this.isThere) return;
    this.isThere = true;
    this.onReach(true);
  }

  gone() {
    if (this.isThere) {
      this.isThere = false;
      this.onReach(false);
      void this.look();
    }
    return new Unreachable('The server does not answer. This page looks for it again and again.');
  }

  /** Looks for the server until it answers. */
  async look() {
    for (let wait = 500; !this.isThere; wait = Math.min(wait * 1.6, 5000)) {
      await pause(wait);
      const found = await fetch('/healthz').then((response) => response.ok, () => false);
      if (found) this.reached();
    }
  }
}

/** @param {Response} response */
async function readJson(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new Problem({ type: '', title: 'The answer of the server is damaged', status: response.status, detail: '' });
  }
}

/**
 * @param {Response} response
 * @returns {Promise<ProblemReply>}
 */
async function problemOf(response) {
  const isProblem = response.headers.get('Content-Type')?.includes('problem+json');
  if (isProblem) return readJson(response);
  return { type: '', title: `The server answered with status ${response.status}`, status: response.status, detail: '' };
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

/**
 * Says what went wrong.
 * @param {unknown} error
 */
export function errorSentence(error) {
  if (error instanceof Problem || error instanceof Unreachable) return error.message;
  return `The page failed: ${error instanceof Error ? error.message : error}`;
}
