// Answers about one game or table, each asked for once.

/** Answers that are kept. */
const MOST_KEPT = 4000;

/** The requests of one game. */
export class GameServer {
  /**
   * @param {import('./client.js').Client} client
   * @param {string} id
   */
  constructor(client, id) {
    this.client = client;
    this.id = id;
    this.base = `/api/v1/tables/${encodeURIComponent(id).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%3D', '=')}`;
    /** @type {Map<string, any>} */
    this.kept = new Map();
    /** @type {string | null} */
    this.digest = null;
  }

  /** @param {AbortSignal} [signal] @returns {Promise<TableReply>} */
  table(signal) {
    return this.client.json(this.base, { signal });
  }

  /**
   * Answer that is there already, if any.
   * @param {string} kind
   * @param {string} position
   */
  known(kind, position) {
    return this.kept.get(`${kind} ${position}`) ?? null;
  }

  /**
   * @param {string} kind
   * @param {string} position
   * @param {any} answer
   */
  keep(kind, position, answer) {
    const key = `${kind} ${position}`;
    this.kept.delete(key);
    this.kept.set(key, answer);
    if (this.kept.size > MOST_KEPT) this.kept.delete(/** @type {string} */ (this.kept.keys().next().value));
  }

  /**
   * @param {string} position
   * @param {AbortSignal} [signal]
   * @returns {Promise<PositionReply>}
   */
  position(position, signal) {
    return this.once('position', position, { p: position }, signal);
  }

  /**
   * The position after moves, with the texts of them and of all positions on the way. `start` is null for the
   * game's start. Moves may be one text, as people write a game.
   * @param {string | null} start
   * @param {string[] | string} moves
   * @param {AbortSignal} [signal]
   * @returns {Promise<PositionReply & {positions: string[], played: string[]}>}
   */
  async positionAfter(start, moves, signal) {
    /** @type {Record<string, string>} */
    const query = {};
    if (start !== null) query.p = start;
    if (moves.length) query.m = [moves].flat().join(',');
    const reply = await this.client.json(this.path('position', query), { signal });
    this.keep('position', reply.position, reply);
    return { ...reply, positions: reply.positions ?? [reply.position], played: reply.played ?? [] };
  }

  /**
   * @param {string} position
   * @param {AbortSignal} [signal]
   * @returns {Promise<ValuesReply>}
   */
  values(position, signal) {
    return this.once('values', position, { p: position }, signal, 'probe');
  }

  /**
   * @param {string} position
   * @param {AbortSignal} [signal]
   * @returns {Promise<LineReply>}
   */
  line(position, signal) {
    return this.once('line', position, { p: position }, signal);
  }

  /**
   * Analyses a position, and gives each answer to `onAnswer`.
   * @param {string} position
   * @param {{seconds: number, everyMove: boolean}} options `everyMove` to prove every move, and not the best one first
   * @param {(answer: ValuesReply) => void} onAnswer
   * @param {AbortSignal} signal
   */
  analyse(position, { seconds, everyMove }, onAnswer, signal) {
    const every = everyMove ? { every_move: 'true' } : {};
    const parameters = { p: position, seconds: String(seconds), ...every };
    return this.client.events(this.path('analyse', parameters), onAnswer, signal);
  }

  /**
   * The values along a game.
   * @param {string | null} start
   * @param {string[]} moves
   * @param {AbortSignal} [signal]
   * @returns {Promise<WalkReply>}
   */
  walk(start, moves, signal) {
    return this.client.json(this.path('walk', { ...(start === null ? {} : { p: start }), m: moves.join(',') }), { signal });
  }

  /**
   * Lets an agent choose a move.
   * @param {string} position
   * @param {string} agent
   * @param {number} seed
   * @param {AbortSignal} [signal]
   * @returns {Promise<ChooseReply>}
   */
  choose(position, agent, seed, signal) {
    return this.client.json(`${this.base}/choose`, { signal, body: { position, agent, seed } });
  }

  /**
   * Any other answer about this game.
   * @param {string} name such as `stats`, `random`, `puzzles`
   * @param {Record<string, string>} query
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  get(name, query, signal) {
    return this.client.json(this.path(name, query), { signal });
  }

  /**
   * @param {unknown} body a picture that a person put together
   * @param {AbortSignal} [signal]
   * @returns {Promise<PositionReply>}
   */
  setUp(body, signal) {
    return this.client.json(`${this.base}/setup`, { signal, body });
  }

  /**
   * @param {string} kind
   * @param {string} position
   * @param {Record<string, string>} query
   * @param {AbortSignal | undefined} signal
   * @param {string} [name]
   */
  async once(kind, position, query, signal, name = kind) {
    const known = this.known(kind, position);
    if (known) return known;
    const answer = await this.client.json(this.path(name, query), { signal });
    this.keep(kind, position, answer);
    return answer;
  }

  /**
   * @param {string} name
   * @param {Record<string, string>} query
   */
  path(name, query) {
    const all = this.digest ? { ...query, v: this.digest } : query;
    const text = Object.entries(all).map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('_', '%5F')}`);
    return `${this.base}/${name}${text.length ? `?${text.join('&')}` : ''}`;
  }
}
