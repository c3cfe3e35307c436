// The board in sight, once a click beside it has changed it.

/** Scrolls as little as it takes to see the board, after the page is drawn. */
export function showBoard() {
  requestAnimationFrame(() => document.querySelector('.board-area')?.scrollIntoView({ block: 'nearest' }));
}
