// Pieces, marks and cards, drawn around the origin in a cell of 100 units.

import { h } from '../dom/render.js';

/**
 * Class of the colours of a player's pieces.
 * @param {Seat | undefined} seat
 */
export function colorsOf(seat) {
  if (!seat) return 'nobody';
  const named = ['Red', 'Blue', 'Black', 'White'].includes(seat.name);
  return named ? `is-${seat.name.toLowerCase()}` : seat.is_dark ? 'is-dark' : 'is-light';
}

/**
 * Draws a piece.
 * @param {{shape: string, step?: [number, number] | undefined, sign?: string | undefined}} piece
 * @param {(step: [number, number]) => {x: number, y: number}} seen turns a step as the board lies
 */
export function pieceShape({ shape, step, sign }, seen) {
  switch (shape) {
    case 'pawn':
      return [
        h('path', { d: 'M -25 34 C -23 14 -11 12 -9 -2 H 9 C 11 12 23 14 25 34 Z' }),
        h('circle', { cy: -15, r: 15 }),
      ];
    case 'leader':
      return [
        h('path', { d: 'M -29 34 C -27 14 -14 12 -12 -3 H 12 C 14 12 27 14 29 34 Z' }),
        h('path', { d: 'M -22 -2 L -29 -31 L -12 -18 L 0 -38 L 12 -18 L 29 -31 L 22 -2 Z' }),
        h('path', { class: 'on-piece', d: 'M -23 22 H 23' }),
      ];
    case 'block':
      return [
        h('rect', { x: -35, y: -35, width: 70, height: 70, rx: 11 }),
        h('rect', { class: 'on-piece thin', x: -24, y: -24, width: 48, height: 48, rx: 7 }),
      ];
    case 'cross':
      return h('path', { class: 'stroke', d: 'M -26 -26 L 26 26 M 26 -26 L -26 26' });
    case 'ring':
      return h('circle', { class: 'stroke', r: 28 });
    case 'arrow': {
      const { x, y } = seen(step ?? [1, 0]);
      const turn = (Math.atan2(y, x) * 180) / Math.PI;
      return [
        h('circle', { r: 34 }),
        h('path', { class: 'on-piece', transform: `rotate(${turn})`, d: 'M -19 0 H 19 M 4 -14 L 19 0 L 4 14' }),
      ];
    }
    default:
      return [h('circle', { r: 34 }), h('text', { class: 'sign', y: 13 }, sign ?? '?')];
  }
}

/**
 * Draws a special cell.
 * @param {Mark} mark
 * @param {Seat | undefined} seat
 * @param {boolean} isAtTop
 */
export function markShape(mark, seat, isAtTop) {
  if (mark.kind === 'hole') return h('g', { class: 'hole' }, h('circle', { r: 41 }), h('circle', { r: 33, cy: 4 }));
  const turn = isAtTop ? -1 : 1;
  const d = `M -38 ${46 * turn} V ${38 * turn} H 38 V ${46 * turn}`;
  return h('path', { class: `home ${colorsOf(seat)}`, d });
}

/**
 * Draws a card as a grid of five by five squares, or more if a step is longer.
 * @param {Card} card
 * @param {boolean} isTurned true for the player at the top as it is seen
 */
export function cardShape(card, isTurned) {
  const reach = Math.max(2, ...card.steps.flat().map(Math.abs));
  const side = 2 * reach + 1;
  const turn = isTurned ? -1 : 1;
  const steps = new Set(card.steps.map(([right, forward]) => `${right * turn},${-forward * turn}`));
  const squares = [];
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) {
      const isStep = steps.has(`${x},${y}`);
      const isHere = x === 0 && y === 0;
      squares.push(h('rect', {
        class: isStep ? 'step' : isHere ? 'here' : null,
        x: (x + reach) * 10 + 0.5, y: (y + reach) * 10 + 0.5, width: 9, height: 9, rx: 1.5,
      }));
      if (isStep) squares.push(h('circle', { cx: (x + reach) * 10 + 5, cy: (y + reach) * 10 + 5, r: 2 }));
    }
  }
  return h('svg', { class: 'card-grid', viewBox: `0 0 ${side * 10} ${side * 10}`, 'aria-hidden': 'true' }, squares);
}

/**
 * Says a card in words.
 * @param {Card} card
 */
export function cardSentence(card) {
  const words = card.steps.map(([right, forward]) => {
    const across = right === 0 ? '' : `${Math.abs(right)} ${right < 0 ? 'left' : 'right'}`;
    const along = forward === 0 ? '' : `${Math.abs(forward)} ${forward < 0 ? 'back' : 'forward'}`;
    return [along, across].filter(Boolean).join(' ') || 'stays';
  });
  return `${card.name}: ${words.join(', ') || 'no steps'}`;
}
