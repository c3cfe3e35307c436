// Elements that are dragged outside of the board, such as cards: a copy goes with the pointer.

/** Way in pixels from which a pressed pointer drags. */
export const DRAG_FROM = 6;

/**
 * Lets an element be dragged by mouse and touch.
 * @param {HTMLElement} element
 * @param {(target: Element, at: PointerEvent) => void} onDrop called with the element that was below the pointer
 */
export function letDrag(element, onDrop) {
  /** @type {PointerEvent | null} */
  let press = null;
  /** @type {HTMLElement | null} */
  let copy = null;
  let isDropped = false;
  const end = () => {
    copy?.remove();
    copy = null;
    press = null;
  };
  element.addEventListener('pointerdown', (event) => {
    isDropped = false;
    if (event.button !== 0) return;
    press = event;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    if (press?.pointerId !== event.pointerId) return;
    const way = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
    if (!copy && way < DRAG_FROM) return;
    copy ??= copyOf(element);
    copy.style.left = `${event.clientX}px`;
    copy.style.top = `${event.clientY}px`;
  });
  element.addEventListener('pointerup', (event) => {
    isDropped = copy !== null;
    end();
    const target = isDropped ? document.elementFromPoint(event.clientX, event.clientY) : null;
    if (target) onDrop(target, event);
  });
  element.addEventListener('pointercancel', end);
  // The end of a drag is no click.
  element.addEventListener('click', (event) => isDropped && event.stopImmediatePropagation(), { capture: true });
}

/** @param {HTMLElement} element */
function copyOf(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  copy.classList.add('drag-copy');
  copy.setAttribute('aria-hidden', 'true');
  document.body.append(copy);
  return copy;
}
