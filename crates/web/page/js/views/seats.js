// A player beside the board: name, cards, fences in hand, and who is at the seat.

import { h } from '../dom/render.js';
import { cardSentence, cardShape, colorsOf } from '../board/pieces.js';

/**
 * @param {import('../explorer.js').Explorer} explorer
 * @param {Board} board
 * @param {0 | 1} player
 * @param {boolean} isAtTop as it is seen
 */
export function seatView(explorer, board, player, isAtTop) {
  const seat = board.seats[player];
  const isToMove = board.player_to_move === player;
  const agent = explorer.state.seats[player];
  const isThinking = isToMove && explorer.opponent.isThinking;
  return h('div', { class: `seat${isToMove ? ' is-to-move' : ''}`, key: `seat ${player}` },
    h('div', { class: 'seat-name' },
      h('span', { class: `swatch ${colorsOf(seat)}`, 'aria-hidden': 'true' }),
      h('span', null,
        h('b', null, seat.name), isToMove && h('span', { class: 'small' }, isThinking ? ' thinks \u2026' : ' to move'),
        (agent || seat.stock) && h('span', { class: 'small below' }, [agent, seat.stock].filter(Boolean).join(', ')))),
    seat.cards.length > 0 && h('div', { class: 'cards' },
      seat.cards.map((card, index) => cardButton(explorer, card, index, isToMove, isAtTop))),
    !isAtTop && board.cards_aside.length > 0 && h('div', { class: 'cards aside' },
      board.cards_aside.map((card) => h('div', { class: 'card', role: 'img', 'aria-label': `aside, ${cardSentence(card)}` },
        cardShape(card, false), h('span', null, card.name))),
      h('span', { class: 'small' }, 'aside')));
}

/**
 * @param {import('../explorer.js').Explorer} explorer
 * @param {Card} card
 * @param {number} index
 * @param {boolean} isToMove
 * @param {boolean} isAtTop
 */
function cardButton(explorer, card, index, isToMove, isAtTop) {
  const isChosen = isToMove && explorer.choice.card === card.name;
  const picture = [cardShape(card, isAtTop), h('span', null, card.name)];
  const key = `${card.name} ${index}`;
  if (!isToMove) return h('div', { class: 'card', key, role: 'img', 'aria-label': cardSentence(card) }, picture);
  return h('button', {
    class: `card${isChosen ? ' is-chosen' : ''}`, key, type: 'button', 'aria-pressed': String(isChosen),
    'aria-label': cardSentence(card), onclick: () => chooseCard(explorer, card.name, isChosen),
  }, picture);
}

/**
 * Takes a card, or the move that was asked for if it needs this card.
 * @param {import('../explorer.js').Explorer} explorer
 * @param {string} card
 * @param {boolean} isChosen
 */
function chooseCard(explorer, card, isChosen) {
  const asked = explorer.choice.asks.find((move) => move.drawing?.card === card);
  if (asked) explorer.play(asked.move);
  else explorer.choose({ card: isChosen ? null : card });
}
