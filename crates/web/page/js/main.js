// Starts the page: it shows what the server sent with it, then what the address says.

import { KeptFocus, notePointers } from './dom/focus.js';
import { render, stopOffButtons } from './dom/render.js';
import { Client } from './server/client.js';
import { Explorer } from './state/explorer.js';
import { listenToKeys } from './keys.js';
import { animateLastMove } from './views/board_area.js';
import { gamePage } from './views/frame.js';
import { helpView } from './views/help.js';
import { homePage } from './views/home.js';
import { spokenPosition } from './views/spoken.js';
import { loadViews } from './views/views.js';

const root = /** @type {HTMLElement} */ (document.getElementById('page'));
const live = /** @type {HTMLElement} */ (document.getElementById('live'));
const data = /** @type {ServerData} */ (JSON.parse(document.getElementById('server')?.textContent ?? '{}'));

const focus = new KeptFocus(root);
let isDrawn = true;
let spoken = '';

function draw() {
  isDrawn = true;
  const { state } = explorer;
  focus.draw(() => {
    render(root, state.id === null || explorer.loader.isLost ? homePage(explorer) : gamePage(explorer), helpView(explorer));
  }, explorer.isSettled);
  document.title = state.id === null ? 'Hindsight' : `${state.id} \u2013 Hindsight`;
  animateLastMove(explorer);
  giveFocus();
  speak();
}

/** Gives the focus to what was asked for, once it is there. */
function giveFocus() {
  if (!explorer.wantedFocus || !explorer.isSettled) return;
  const element = root.querySelector(explorer.wantedFocus) ?? root.querySelector('[data-cell][tabindex="0"]');
  explorer.wantedFocus = null;
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus();
}

/** Tells a screen reader the move and the value once they are there. */
function speak() {
  const words = explorer.announcement || spokenPosition(explorer);
  explorer.announcement = '';
  if (!words || words === spoken) return;
  spoken = words;
  live.textContent = words;
}

/** Draws once for all changes of a task. */
function onChange() {
  if (!isDrawn) return;
  isDrawn = false;
  queueMicrotask(draw);
}

const client = new Client((isThere) => {
  if (isThere) void explorer.loader.loadTree();
  onChange();
});
const explorer = new Explorer(client, data, onChange);
addEventListener('popstate', () => explorer.openVisited());
addEventListener('pagehide', () => explorer.bar.leave());
stopOffButtons(root);
notePointers();
listenToKeys(explorer);
explorer.open();
void loadViews(explorer);
