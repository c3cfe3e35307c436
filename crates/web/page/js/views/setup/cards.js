// Cards that change places while a position is put together.

import { h } from '../../dom/render.js';
import { letDrag } from '../../dom/drag.js';
import { cardSentence } from '../../board/pieces.js';
import { swapCards } from '../../model/draft_hands.js';
import { cardPicture } from '../seats.js';
import { change, choose, editorOf } from './editor.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./editor.js').Editor} Editor */
/** @typedef {import('../../model/draft_hands.js').Slot} Slot */

/**
 * Returns the view of a card.
 * @param {Explorer} explorer
 * @param {Editor} editor
 */
export function cardView(explorer, editor) {
  return (/** @type {Card} */ card, /** @type {Slot} */ slot, /** @type {boolean} */ isTurned) => {
    const name = nameOf(slot);
    const isChosen = editor.slot !== null && nameOf(editor.slot) === name;
    return h('button', {
      class: `card is-movable${isChosen ? ' is-chosen' : ''}`, key: name, type: 'button', 'data-slot': name,
      'aria-pressed': String(isChosen), 'aria-label': `${slot.hand === 'aside' ? 'aside, ' : ''}${cardSentence(card)}`,
      onclick: () => chooseCard(explorer, editor, slot),
      created: (/** @type {HTMLElement} */ element) => letDrag(element, (target) => {
        const goal = slotOf(target.closest('[data-slot]')?.getAttribute('data-slot') ?? '');
        const now = editorOf(explorer);
        if (goal && now) swap(explorer, now, slot, goal);
      }),
    }, cardPicture(card, isTurned));
  };
}

/** @param {Slot} slot */
function nameOf({ hand, index }) {
  return `${hand} ${index}`;
}

/** @param {string} name @returns {Slot | null} */
function slotOf(name) {
  const [hand, index] = name.split(' ');
  if (index === undefined) return null;
  return { hand: hand === 'aside' ? 'aside' : hand === '1' ? 1 : 0, index: Number(index) };
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Slot} slot
 */
function chooseCard(explorer, editor, slot) {
  const chosen = editor.slot;
  if (!chosen) choose(explorer, editor, { slot });
  else if (nameOf(chosen) === nameOf(slot)) choose(explorer, editor, {});
  else swap(explorer, editor, chosen, slot);
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Slot} one
 * @param {Slot} other
 */
function swap(explorer, editor, one, other) {
  change(explorer, editor, swapCards(editor.draft, one, other), 'The cards are swapped');
}
