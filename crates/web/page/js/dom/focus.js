// The focus. That of a person at the keyboard stays where it was while the page is drawn anew: on the same element, on
// the same move of a list that was put in another order, or at the same place of a list whose moves are others.

/** Elements in lists that can have the focus. */
const ITEMS = 'li button';
/** The square that had the focus last. */
const BOARD = '[role="grid"] [tabindex="0"]';

/**
 * The element that a mouse or a finger gave the focus to. Keys mean there what they mean anywhere on the page: a person
 * who clicks wants to step through the game with arrows, one who went there by keys wants to go on from there.
 * @type {EventTarget | null}
 */
let pointed = null;
let isPressed = false;

/** Notes from now on how elements get the focus. */
export function notePointers() {
  addEventListener('pointerdown', () => { isPressed = true; }, true);
  addEventListener('keydown', () => { isPressed = false; }, true);
  addEventListener('focusin', ({ target }) => { pointed = isPressed ? target : null; });
}

/** True if the element has the focus by a mouse or a finger. @param {Element} element */
export function isPointed(element) {
  return element === pointed && element === document.activeElement;
}

/** Scrolls as little as it takes to see the board once a click beside it has changed it, after the page is drawn. */
export function showBoard() {
  requestAnimationFrame(() => document.querySelector('.board-area')?.scrollIntoView({ block: 'nearest' }));
}

/** Gives the focus to the square that had it last, before what has it now leaves the page. */
export function focusBoard() {
  pointed = null;
  /** @type {HTMLElement | null} */ (document.querySelector(BOARD))?.focus();
}

/** What keeps the focus of one page. */
export class KeptFocus {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {number | null} place in the lists of the panel at which the focus is to be again */
    this.place = null;
  }

  /**
   * Draws the page.
   * @param {() => void} render
   * @param {boolean} isWhole false while the lists of the page are still to be filled
   */
  draw(render, isWhole) {
    const { root } = this;
    const focused = document.activeElement;
    const isKept = focused !== null && focused !== root && root.contains(focused) && !isPointed(focused);
    const panel = focused?.closest('#panel') ?? null;
    if (!isKept || focused !== panel) this.place = null;
    const place = isKept && panel ? [...panel.querySelectorAll(ITEMS)].indexOf(focused) : -1;
    const isLeft = focused?.closest('.left') !== null;
    render();
    if (!isKept) return;
    if (document.activeElement === document.body) {
      focusOn(heirOf(root, focused) ?? root.querySelector(isLeft ? BOARD : '#panel'));
      if (place >= 0 && document.activeElement === panel) this.place = place;
    }
    if (this.place !== null && isWhole) this.goToPlace();
  }

  goToPlace() {
    const items = this.root.querySelectorAll(`#panel :is(${ITEMS})`);
    const item = items[Math.min(this.place ?? 0, items.length - 1)];
    if (!item) return;
    this.place = null;
    focusOn(item);
  }
}

/**
 * Returns the element that stands for the same thing as one that has lost the focus, which may be itself: it was moved.
 * @param {HTMLElement} root
 * @param {Element} lost
 */
function heirOf(root, lost) {
  if (root.contains(lost)) return lost;
  const name = ['data-move', 'data-turn'].find((one) => lost.hasAttribute(one));
  return name ? root.querySelector(`[${name}="${CSS.escape(lost.getAttribute(name) ?? '')}"]`) : null;
}

/** @param {Element | null} element */
function focusOn(element) {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus();
}
