// The board in sight, and with the focus.

import { forgetPointed } from './pointed.js';

/** Scrolls as little as it takes to see the board once a click beside it has changed it, after the page is drawn. */
export function showBoard() {
  requestAnimationFrame(() => document.querySelector('.board-area')?.scrollIntoView({ block: 'nearest' }));
}

/** Gives the focus to the square that had it last, before what has it now leaves the page. */
export function focusBoard() {
  forgetPointed();
  /** @type {HTMLElement | null} */ (document.querySelector('[role="grid"] [tabindex="0"]'))?.focus();
}
