// The element that a mouse or a finger gave the focus to. Keys mean there what they mean anywhere on the page: a person
// who clicks wants to step through the game with arrows, one who went there by keys wants to go on from there.

/** @type {EventTarget | null} */
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

/** Lets the element that has the focus be one that keys went to. */
export function forgetPointed() {
  pointed = null;
}
