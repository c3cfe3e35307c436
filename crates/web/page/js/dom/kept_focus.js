// The focus of a person at the keyboard stays where it was while the page is drawn anew: on the same element, on the
// same move of a list that was put in another order, or at the same place of a list whose moves are others.

import { isPointed } from './pointed.js';

/** Elements in lists that can have the focus. */
const ITEMS = 'li button';
/** The square that had the focus last. */
const BOARD = '[role="grid"] [tabindex="0"]';

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
