// The board while a position is put together: it shows the draft, and clicks, drags and keys edit it.

import { cellOf } from '../../model/geometry.js';
import { boardOf, isSameKind, markAt, move, moveMark, pieceAt, put } from '../../model/draft.js';
import { fenceAlong, fenceOf, toggleFence } from '../../model/draft_hands.js';
import { pieceName } from '../../model/moves.js';
import { seatView } from '../seats.js';
import { cardView } from './cards.js';
import { change, choose, editorOf } from './editor.js';

/** @typedef {import('../../state/explorer.js').Explorer} Explorer */
/** @typedef {import('./editor.js').Editor} Editor */

/**
 * @param {Explorer} explorer
 * @returns {import('../board_area.js').Scene | null} null while there is no draft
 */
export function setupScene(explorer) {
  const editor = editorOf(explorer);
  if (!editor) return null;
  const { draft, reply, setup, shown } = editor;
  const drawn = boardOf(draft, shown.board);
  // Without a turn to choose, the position says whose turn it is.
  const board = setup.has_turn ? drawn : { ...drawn, player_to_move: reply?.board.player_to_move ?? null };
  const place = editor.problem?.place ?? null;
  return {
    props: {
      board,
      isFlipped: explorer.state.isFlipped,
      label: `Board to set up, ${board.columns} columns and ${board.rows} rows`,
      look: (cell) => lookOf(editor, board, cell),
      exits: [],
      ghost: editor.ghost,
      arrow: null,
      fault: place?.cell ?? place?.fence ?? null,
      fading: [],
      lastFence: null,
      on: {
        goal: (cell) => useTool(explorer, editor, cell),
        fenceKey: (cell, direction) => fenceKey(explorer, editor, cell, direction === 'v'),
        cancel: () => choose(explorer, editor, {}),
        key: (cell, key) => {
          if (key !== 'Delete' && key !== 'Backspace') return false;
          change(explorer, editor, put(draft, cell, null), `${cell} is empty`);
          return true;
        },
      },
    },
    pointer: () => pointerHandlers(explorer, editor),
    seat: (player, isAtTop) => seatView(explorer, board, player, isAtTop, cardView(explorer, editor), place),
  };
}

/**
 * @param {Editor} editor
 * @param {Board} board
 * @param {string} cell
 */
function lookOf({ draft, from, setup }, board, cell) {
  const marks = board.marks.filter((mark) => mark.cell === cell).map((mark) => mark.kind);
  const isChosen = from === cell;
  const isMovable = Boolean(pieceAt(draft, cell) ?? markAt(draft, setup, cell));
  return {
    label: [cell, pieceName(board, cell), ...marks, isChosen ? 'chosen' : ''].filter(Boolean).join(', '),
    classes: `${isMovable ? 'is-active' : ''} ${isChosen ? 'is-chosen' : ''}`.trim(),
  };
}

/**
 * Does what the chosen tool does at a cell. A piece that is put where it already stands is taken off.
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {string} cell
 */
function useTool(explorer, editor, cell) {
  const { draft, setup, tool, from } = editor;
  const piece = pieceAt(draft, cell);
  if (tool === 'move') {
    if (from === cell) choose(explorer, editor, {});
    else if (from) change(explorer, editor, move(draft, setup, from, cell), `${from} to ${cell}`);
    else if (piece ?? markAt(draft, setup, cell)) choose(explorer, editor, { from: cell });
    else explorer.announce(`${cell} is empty. Choose a piece to put there`);
  } else if (tool === 'erase') {
    change(explorer, editor, put(draft, cell, null), `${cell} is empty`);
  } else if (!('mark' in tool) && piece && isSameKind(piece, tool)) {
    change(explorer, editor, put(draft, cell, null), `${cell} is empty`);
  } else {
    place(explorer, editor, tool, cell);
  }
}

/**
 * Puts a piece or a mark on a cell.
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {import('./editor.js').Tool} tool
 * @param {string} cell
 */
export function place(explorer, editor, tool, cell) {
  const { draft, setup } = editor;
  if (typeof tool === 'string') {
    if (tool === 'erase') change(explorer, editor, put(draft, cell, null), `${cell} is empty`);
    return;
  }
  if ('mark' in tool) {
    change(explorer, editor, moveMark(draft, setup, tool.mark, cell), `${tool.mark} on ${cell}`);
    return;
  }
  const mark = markAt(draft, setup, cell);
  if (mark) {
    explorer.announce(`The ${mark.kind} is on ${cell}. Move it first`);
    return;
  }
  const next = put(draft, cell, tool);
  change(explorer, editor, next, `${pieceName(boardOf(next, editor.shown.board), cell)} on ${cell}`);
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {string} cell
 * @param {boolean} isVertical
 */
function fenceKey(explorer, editor, cell, isVertical) {
  const { columns, rows } = editor.shown.board;
  const [column, row] = cellOf(cell);
  const fence = fenceOf(cell, isVertical);
  if (column > columns - 2 || row > rows - 2) explorer.announce(`There is no room for a fence ${fence.name}`);
  else toggle(explorer, editor, fence);
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @param {Fence} fence
 */
function toggle(explorer, editor, fence) {
  const next = toggleFence(editor.draft, fence);
  change(explorer, editor, next, `Fence ${fence.name} ${next.fences.includes(fence) ? 'added' : 'removed'}`);
}

/**
 * @param {Explorer} explorer
 * @param {Editor} editor
 * @returns {import('../../board/pointer.js').PointerHandlers}
 */
function pointerHandlers(explorer, editor) {
  const { draft, setup, tool } = editor;
  return {
    canDrag: (cell) => Boolean(pieceAt(draft, cell) ?? markAt(draft, setup, cell)),
    dragStarted: (cell) => choose(explorer, editor, { from: cell }),
    dropped: (from, goal) => {
      const to = goal?.startsWith('off:') ? null : goal;
      change(explorer, editor, move(draft, setup, from, to), to === null ? `${from} is empty` : `${from} to ${to}`);
    },
    clicked: (cell) => useTool(explorer, editor, cell),
    fence: (at, _, isClick) => {
      if (!editor.shown.board.has_fences || typeof tool !== 'string') return false;
      const old = at && fenceAlong(draft, at.side, at.isVertical);
      const fence = old ?? (at && tool === 'move' ? fenceOf(at.cell, at.isVertical) : null);
      if (fence && isClick) toggle(explorer, editor, fence);
      else if (fence?.name !== editor.ghost?.name) {
        choose(explorer, editor, { from: editor.from, slot: editor.slot, ghost: fence });
      }
      return fence !== null;
    },
    hovered: () => {},
  };
}
