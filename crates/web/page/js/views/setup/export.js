// The game and the board as they leave the page: texts, files, pictures, a link.

import { h } from '../../dom/render.js';
import { pngOf, svgText } from '../../board/picture.js';
import { copyText, saveFile } from '../../dom/files.js';
import { writeAddress } from '../../model/address.js';
import { writeRecord } from '../../model/record.js';
import { keptOf } from './editor.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */

/** @param {Explorer} explorer */
export function exportView(explorer) {
  const moves = explorer.line.slice(1).map((node) => node.move);
  const name = (explorer.state.id ?? 'game').replaceAll(/[^\w.=-]+/g, '-');
  const record = async () => new Blob([`${await recordOf(explorer, moves)}\n`]);
  return h('section', null, h('h2', null, 'Export'),
    h('div', { class: 'row' },
      copyButton(explorer, 'Copy moves', () => moves.join(' '), moves.length === 0),
      copyButton(explorer, 'Copy record', () => recordOf(explorer, moves)),
      copyButton(explorer, 'Copy link', () => linkOf(writeAddress(explorer.state))),
      saveButton(explorer, 'Save record', `${name}.jsonl`, record),
      saveButton(explorer, 'Board as SVG', `${name}.svg`, () => new Blob([boardText()])),
      saveButton(explorer, 'Board as PNG', `${name}.png`, () => pngOf(boardText()))),
    h('p', { class: 'small' }, 'A record is the line of the shown game, which hindsight review reads.'));
}

/**
 * @param {Explorer} explorer
 * @param {string} label
 * @param {string} name of the file
 * @param {() => Blob | Promise<Blob>} content
 */
function saveButton(explorer, label, name, content) {
  const save = async () => {
    try {
      saveFile(name, await content());
    } catch (error) {
      explorer.tell(`The file could not be made: ${error instanceof Error ? error.message : error}`);
    }
  };
  return h('button', { type: 'button', onclick: save }, label);
}

/** @returns {string} */
function boardText() {
  const svg = document.querySelector('svg.board');
  if (!(svg instanceof SVGSVGElement)) throw new Error('this game has no drawn board');
  return svgText(svg);
}

/**
 * Returns the shown line as a record.
 * @param {Explorer} explorer
 * @param {string[]} moves
 */
async function recordOf(explorer, moves) {
  const { state, shown, server, players, line } = explorer;
  const last = line.at(-1)?.position ?? null;
  const end = last === null ? null : await server?.position(last);
  const winner = end?.winner ? players.indexOf(end.winner) : -1;
  return writeRecord({
    game: shown?.game ?? '', start: state.start, moves, first: explorer.startPlayer,
    agents: [state.seats[0] || 'human', state.seats[1] || 'human'],
    winner: winner < 0 ? null : winner,
    ending: !end?.over ? 'unfinished' : winner < 0 ? 'draw' : end.ending ?? 'win',
  });
}

/** The link to an address of this page. @param {string} address from the question mark on */
export function linkOf(address) {
  return location.origin + location.pathname + address;
}

/**
 * A button that copies a text, and says so.
 * @param {Explorer} explorer
 * @param {string} label
 * @param {() => string | null | Promise<string>} text
 * @param {boolean} [isOff]
 */
export function copyButton(explorer, label, text, isOff = false) {
  const kept = keptOf(explorer);
  const isCopied = kept.copied === label;
  return h('button', {
    type: 'button', key: label, disabled: isOff, onclick: async () => {
      try {
        await copyText(await text() ?? '');
        kept.copied = label;
        explorer.announce('Copied');
        setTimeout(() => {
          if (kept.copied === label) kept.copied = '';
          explorer.onChange();
        }, 1500);
      } catch (error) {
        explorer.tell(`Nothing was copied: ${error instanceof Error ? error.message : error}`);
      }
    },
  }, isCopied ? 'Copied \u2713' : label);
}
