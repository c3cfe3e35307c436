// The state of the page and all that changes it. Views show an explorer and call its actions.

import { readAddress, writeAddress } from '../model/address.js';
import { addMove, endOfLine, lineThrough, newTree, pathTo, promote, remove } from '../model/tree.js';
import { GameServer } from '../server/game_server.js';
import { Unreachable, errorSentence } from '../server/client.js';
import { AddressBar } from './address_bar.js';
import { Analyses } from './analyses.js';
import { Loader } from './loader.js';
import { Opponent } from './opponent.js';
import { Puzzler } from './puzzler.js';
import { remember } from './recent.js';

/** @typedef {import('../model/tree.js').TreeNode} TreeNode */
/** @typedef {import('../model/address.js').PageState} PageState */

/** Choice on the board that is not a move yet. */
const NO_CHOICE = { from: null, card: null, fence: null, asks: [] };

const TOO_LONG = 'This game is too long for a link. It is lost when the page is closed; Set up saves it as a record.';

/**
 * @typedef {object} Choice
 * @property {string | null} from cell of the chosen piece
 * @property {string | null} card the chosen card
 * @property {string | null} fence name of the fence that is shown before it is placed
 * @property {LegalMove[]} asks moves that differ in their cards, one of which is to be chosen
 */

/** The explorer of one page. */
export class Explorer {
  /**
   * @param {import('../server/client.js').Client} client
   * @param {ServerData} data what the server sent with the page
   * @param {() => void} onChange
   */
  constructor(client, data, onChange) {
    this.client = client;
    this.data = data;
    this.onChange = onChange;
    this.bar = new AddressBar(window);
    this.analyses = new Analyses();
    /** @type {PageState} */
    this.state = emptyState();
    /** @type {GameServer | null} */
    this.server = null;
    /** @type {TableReply | null} */
    this.table = null;
    /** @type {PositionReply | null} the position on the board */
    this.shown = null;
    /** @type {TreeNode | null} the node that `shown` belongs to */
    this.shownAt = null;
    /** @type {string[]} what is wrong with the link, or failed, in sentences */
    this.faults = [];
    /** @type {Choice} */
    this.choice = { ...NO_CHOICE };
    /** @type {string | null} the move that is looked at, in the board, the list and the graph alike */
    this.hover = null;
    /** @type {Map<string, {isOfGame?: boolean}>} what each view keeps for itself */
    this.keptByView = new Map();
    this.isHelpOpen = false;
    /** @type {string | null} element that gets the focus once the position of the state is shown */
    this.wantedFocus = null;
    /** Words for a screen reader. */
    this.announcement = '';
    this.loader = new Loader(this);
    this.opponent = new Opponent(this);
    this.puzzler = new Puzzler(this);
  }

  /** Opens what the address of the page says. */
  open() {
    const { state, faults } = readAddress(this.bar.address);
    const isSameGame = this.state.id === state.id && this.server !== null;
    const isSameStart = isSameGame && this.state.start === state.start;
    this.stopOthers();
    if (isSameStart) keepPositions(this.state.root, state.root);
    this.state = state;
    this.faults = faults;
    this.forgetChoice();
    if (!isSameGame) this.changeGame();
    else if (!isSameStart) this.changeStart();
    if (state.id !== null) this.loader.loadTree();
    this.onChange();
  }

  changeGame() {
    const { id } = this.state;
    this.server = id === null ? null : new GameServer(this.client, id);
    this.table = null;
    this.shown = null;
    this.shownAt = null;
    this.keptByView.clear();
    this.puzzler.reset();
    this.loader.reset();
    const { first } = this.data;
    // The first position belongs to the address with which the page was opened.
    this.data = { ...this.data, first: null };
    if (first && this.server && first.id === id) {
      this.server.keep('position', first.position.position, first.position);
      this.table = first.table;
      this.server.digest = first.table?.digest ?? null;
      this.state.root.position = first.position.position;
      this.shown = first.position;
      this.shownAt = this.state.root;
    }
  }

  /** Turns to another first position of the same game. The old one stays on the board until the new one is there. */
  changeStart() {
    const { start, root } = this.state;
    if (start !== null && this.server?.known('position', start)) root.position = start;
    for (const [view, kept] of this.keptByView) if (!kept.isOfGame) this.keptByView.delete(view);
    this.loader.resetLine();
  }

  /**
   * Opens another game or position in place of this one.
   * @param {string | null} id
   * @param {string | null} [start]
   * @param {Partial<PageState>} [more]
   */
  openGame(id, start = null, more = {}) {
    this.openAddress(writeAddress({ ...emptyState(), id, start, ...more }));
  }

  /** Opens an address of this page. @param {string} address from the question mark on */
  openAddress(address) {
    const isWritten = this.bar.write(address, true);
    this.open();
    if (!isWritten) this.tell(TOO_LONG);
  }

  /** Opens the address to which the person went. */
  openVisited() {
    this.bar.forget();
    this.open();
  }

  /** Writes the state to the address; `isNew` if the back button is to return to the state before. */
  writeState(isNew = false) {
    const address = writeAddress(this.state);
    if (address !== this.bar.address && !this.bar.write(address, isNew)) this.tell(TOO_LONG);
    remember(this.state, address);
    this.onChange();
  }

  get isOver() {
    return this.shown?.over ?? false;
  }

  /** Moves of the shown position; none while another one is being loaded. */
  get moves() {
    return this.isSettled ? this.shown?.moves ?? [] : [];
  }

  /** True if the board shows the position of the state. */
  get isSettled() {
    return this.shown !== null && this.shownAt === this.state.at;
  }

  /** The move that led to the shown position, as it is drawn, if that is known. @returns {MoveDrawing | null} */
  get lastDrawing() {
    const { at } = this.state;
    const before = at.parent?.position ?? null;
    if (before === null || !this.isSettled) return null;
    /** @type {PositionReply | null} */
    const reply = this.server?.known('position', before) ?? null;
    return reply?.moves.find((one) => one.move === at.move)?.drawing ?? null;
  }

  /** Values of the shown position, as far as they are known. @returns {ValuesReply | null} */
  get values() {
    return this.valuesOf(this.state.at);
  }

  /** Values of a position of the tree, as far as they are known. @param {TreeNode} node @returns {ValuesReply | null} */
  valuesOf({ position }) {
    const { server } = this;
    return position === null || !server ? null : server.known('values', position) ?? this.analyses.of(server, position);
  }

  /**
   * Names of the side to move in a position and of the other side.
   * @param {string} mover
   * @returns {[string, string]}
   */
  sides(mover) {
    const players = this.players;
    return players[0] === mover ? [players[0], players[1]] : [players[1], players[0]];
  }

  /** @returns {[string, string]} */
  get players() {
    const seats = this.shown?.board.seats;
    return this.table?.players ?? (seats ? [seats[0].name, seats[1].name] : ['', '']);
  }

  /** Player to move at the start, 0 or 1. Players move in turn in every game. */
  get startPlayer() {
    if (!this.shown || !this.shownAt) return 0;
    return (Math.max(0, this.players.indexOf(this.shown.player)) + this.shownAt.ply) % 2;
  }

  /** Gives the focus to an element once the position of the state is on the page. @param {string} selector */
  focusWhenSettled(selector) {
    this.wantedFocus = selector;
    this.onChange();
  }

  /** Lets a screen reader say a text. @param {string} text */
  announce(text) {
    this.announcement = text;
    this.onChange();
  }

  /**
   * Plays a move of the shown position.
   * @param {string} move
   * @param {{isByAgent?: boolean, isQuiet?: boolean}} [options]
   */
  play(move, { isByAgent = false, isQuiet = false } = {}) {
    const legal = this.moves.find((one) => one.move === move);
    if (!legal) return;
    const from = this.state.at;
    if (!isByAgent) this.opponent.abandon();
    this.forgetFaultsOfLink();
    this.state.at = addMove(from, move, legal.to);
    this.forgetChoice();
    this.loader.animate(legal);
    this.loader.load({ isQuick: isQuiet });
    this.writeState(!isQuiet);
    if (!isByAgent) this.other.answer();
  }

  /** The one who answers the moves of a person. @returns {Opponent | Puzzler} */
  get other() {
    return this.state.view === 'puzzles' ? this.puzzler : this.opponent;
  }

  stopOthers() {
    this.opponent.stop();
    this.puzzler.stop();
  }

  /**
   * Shows a position of the tree.
   * @param {TreeNode} node
   */
  go(node) {
    if (node === this.state.at) return;
    this.stopOthers();
    this.state.at = node;
    this.forgetChoice();
    this.loader.load();
    this.writeState();
  }

  back() {
    if (this.state.at.parent) this.go(this.state.at.parent);
  }

  forward() {
    const next = this.state.at.children[0];
    if (next) this.go(next);
  }

  first() {
    this.go(this.state.root);
  }

  last() {
    this.go(endOfLine(this.state.at));
  }

  /** Shows the same ply on the next line at the last fork, or on the one before. @param {number} step */
  otherLine(step) {
    for (let at = this.state.at; at.parent; at = at.parent) {
      const { children } = at.parent;
      if (children.length < 2) continue;
      const next = children[(children.indexOf(at) + step + children.length) % children.length];
      if (next) this.go(next);
      return;
    }
  }

  /** Goes back to where the shown line left another one. */
  leaveVariation() {
    for (let at = this.state.at; at.parent; at = at.parent) {
      if (at.parent.children.indexOf(at) > 0) {
        this.go(at.parent);
        return;
      }
    }
  }

  /** @param {TreeNode} node */
  promote(node) {
    if (promote(node)) this.writeState(true);
  }

  /**
   * @param {TreeNode} node
   * @param {boolean} [isNew] true if the back button is to return to it
   */
  remove(node, isNew = true) {
    const parent = node.parent;
    if (!parent) return;
    const isShown = pathTo(this.state.at).includes(node);
    remove(node);
    if (isShown) {
      this.stopOthers();
      this.state.at = parent;
      this.forgetChoice();
      this.loader.load();
    }
    this.writeState(isNew);
  }

  /**
   * @param {TreeNode} node
   * @param {string} text
   */
  comment(node, text) {
    node.comment = text;
    this.writeState();
  }

  flip() {
    if (document.querySelector('.is-dragged')) return;
    this.state.isFlipped = !this.state.isFlipped;
    this.writeState();
  }

  /** @param {string} view */
  show(view) {
    if (view === this.state.view) return;
    if (view === 'puzzles' || view === 'setup') this.opponent.stop();
    this.puzzler.stop();
    this.state.view = view;
    this.hover = null;
    this.writeState(true);
    this.loader.loadMissing();
  }

  /** @param {0 | 1} player @param {string} agent */
  seat(player, agent) {
    const { seats } = this.state;
    seats[player] = agent;
    this.opponent.stop();
    this.turnToPerson();
    this.writeState();
  }

  /** Turns the board so that a person who plays an agent sits at the bottom. */
  turnToPerson() {
    const [first, second] = this.state.seats;
    const seats = this.shown?.board.seats;
    if (!seats || (first === '') === (second === '')) return;
    this.state.isFlipped = seats[first === '' ? 0 : 1].is_at_top;
  }

  /** @param {string | null} move */
  look(move) {
    if (move === this.hover) return;
    this.hover = move;
    this.onChange();
  }

  /** @param {Partial<Choice>} choice */
  choose(choice) {
    this.choice = { ...this.choice, asks: [], ...choice };
    this.onChange();
  }

  forgetChoice() {
    this.choice = { ...NO_CHOICE };
    this.hover = null;
  }

  /** @param {string} fault */
  tell(fault) {
    if (!this.faults.includes(fault)) this.faults = [...this.faults, fault];
    this.onChange();
  }

  /** Tells an error, unless the page says already that the server is away. @param {unknown} error */
  fail(error) {
    if (!(error instanceof Unreachable)) this.tell(errorSentence(error));
  }

  /** Forgets what was wrong with a link once a person goes on from it. */
  forgetFaultsOfLink() {
    this.faults = [];
  }

  forgetFaults() {
    this.faults = [];
    this.onChange();
  }

  /** The line through the shown position. */
  get line() {
    return lineThrough(this.state.at);
  }

  /**
   * What a view keeps: until another position is opened, or another game if it `isOfGame`.
   * @template {object} T
   * @param {string} view
   * @param {() => T} make
   * @returns {T}
   */
  kept(view, make) {
    const known = this.keptByView.get(view) ?? make();
    this.keptByView.set(view, known);
    return /** @type {T} */ (known);
  }

  /**
   * True if a view is open and keeps this object, so that an answer for it is still waited for.
   * @param {string} view
   * @param {object} kept
   */
  isWaiting(view, kept) {
    return this.state.view === view && this.keptByView.get(view) === kept;
  }
}

/** @returns {PageState} */
function emptyState() {
  const root = newTree(null);
  return { id: null, start: null, root, at: root, view: 'moves', isFlipped: false, seats: ['', ''] };
}

/**
 * Takes over the known positions of a tree with the same start.
 * @param {TreeNode} known
 * @param {TreeNode} read
 */
function keepPositions(known, read) {
  read.position = known.position;
  for (const child of read.children) {
    const same = known.children.find((one) => one.move === child.move);
    if (same) keepPositions(same, child);
  }
}
