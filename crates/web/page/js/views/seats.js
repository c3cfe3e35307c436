// A player beside the board: name, cards, fences in hand, and who is at the seat.

import { h } from '../dom/render.js';
import { cardSentence, cardShape, colorsOf } from '../board/pieces.js';

/** @typedef {import('../state/explorer.js').Explorer} Explorer */
/** @typedef {import('../model/draft_hands.js').Slot} Slot */

/**
 * @param {Explorer} explorer
 * @param {Board} board
 * @param {0 | 1} player
 * @param {boolean} isAtTop as it is seen
 * @param {(card: Card, slot: Slot, isTurned: boolean) => any} [cardView] for views with cards of their own
 * @param {Place | null} [wrong] place that is wrong
 */
export function seatView(explorer, board, player, isAtTop, cardView = gameCard(explorer, board), wrong = null) {
  const seat = board.seats[player];
  const isToMove = board.player_to_move === player;
  const agent = explorer.state.seats[player];
  const isThinking = isToMove && explorer.opponent.isThinking;
  const marked = (/** @type {boolean | undefined} */ isWrong) => (isWrong ? ' is-wrong' : '');
  return h('div', {
    class: `seat${isToMove ? ' is-to-move' : ''}${marked(wrong?.hand === player)}`, key: `seat ${player}`,
  },
  h('div', { class: 'seat-name' },
    h('span', { class: `swatch ${colorsOf(seat)}`, 'aria-hidden': 'true' }),
    h('span', null,
      h('b', null, seat.name),
      isToMove && h('span', { class: `small${marked(wrong?.turn)}` }, isThinking ? ' thinks \u2026' : ' to move'),
      (agent || seat.stock) && h('span', { class: 'small below' }, [agent, seat.stock].filter(Boolean).join(', ')))),
  seat.cards.length > 0 && h('div', { class: 'cards' },
    seat.cards.map((card, index) => cardView(card, { hand: player, index }, isAtTop))),
  !isAtTop && board.cards_aside.length > 0 && h('div', { class: `cards aside${marked(wrong?.aside)}` },
    board.cards_aside.map((card, index) => cardView(card, { hand: 'aside', index }, false)),
    h('span', { class: 'small' }, 'aside')));
}

/**
 * A card in the game. Those of the side to move can be chosen.
 * @param {Explorer} explorer
 * @param {Board} board
 */
function gameCard(explorer, board) {
  return (/** @type {Card} */ card, /** @type {Slot} */ { hand, index }, /** @type {boolean} */ isTurned) => {
    const key = `${card.name} ${index}`;
    const label = hand === 'aside' ? `aside, ${cardSentence(card)}` : cardSentence(card);
    const picture = cardPicture(card, isTurned);
    if (hand !== board.player_to_move) {
      return h('div', { class: 'card', key, role: 'img', 'aria-label': label }, picture);
    }
    const isChosen = explorer.choice.card === card.name;
    return h('button', {
      class: `card${isChosen ? ' is-chosen' : ''}`, key, type: 'button', 'aria-pressed': String(isChosen),
      'aria-label': label, onclick: () => chooseCard(explorer, card.name, isChosen),
    }, picture);
  };
}

/** @param {Card} card @param {boolean} isTurned */
export function cardPicture(card, isTurned) {
  return [cardShape(card, isTurned), h('span', null, card.name)];
}

/**
 * Takes a card, or the move that was asked for if it needs this card.
 * @param {Explorer} explorer
 * @param {string} card
 * @param {boolean} isChosen
 */
function chooseCard(explorer, card, isChosen) {
  const asked = explorer.choice.asks.find((move) => move.drawing?.card === card);
  if (asked) explorer.play(asked.move);
  else explorer.choose({ card: isChosen ? null : card });
}
