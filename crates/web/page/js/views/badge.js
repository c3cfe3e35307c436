// Values as they are shown everywhere: colour, letter, sign and plies.

import { h } from '../dom/render.js';
import { badgeOf } from '../model/values.js';

/**
 * @param {KnownValue} known
 * @param {string} [spoken] words for the badge; its parts are read out otherwise
 */
export function badge(known, spoken) {
  const { letter, sign, tone, isProved } = badgeOf(known);
  return h('span', {
    class: `badge tone-${tone}${isProved ? '' : ' is-estimate'}`, role: 'img', 'aria-label': spoken ?? spokenBadge(known),
  }, h('b', null, letter), sign && h('span', null, sign));
}

/** @param {KnownValue} known */
export function spokenBadge(known) {
  const { detail, isProved } = badgeOf(known);
  return isProved && detail ? `${outcomeText(known)}, ${detail}` : outcomeText(known);
}

/** A value in words without its plies. @param {KnownValue} known */
export function outcomeText(known) {
  const { tone, isProved, sign } = badgeOf(known);
  if (!isProved) return sign ? `not proved, estimate ${sign}` : 'not known';
  return { win: 'won', draw: 'drawn', loss: 'lost', open: '' }[tone];
}
