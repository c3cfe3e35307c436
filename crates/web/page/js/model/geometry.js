// Places on the board. A cell has 100 units; x goes right and y down from the upper left corner as it is seen.

/** Width and height of a cell. */
export const CELL = 100;
/** Room around the cells for names and for moves off the board. */
export const MARGIN = 46;
/** Distance from the line between cells within which a pointer means a fence. */
const FENCE_REACH = 17;

/** How a board lies. @typedef {{columns: number, rows: number, isFlipped: boolean}} Lie */
/** @typedef {{x: number, y: number}} Spot */

/**
 * Returns the column and the row of a cell, from 0, by its name such as `b3` or `ab12`.
 * @param {string} name
 * @returns {[number, number]}
 */
export function cellOf(name) {
  const match = /^([a-z]+)(\d+)$/.exec(name);
  if (!match) return [0, 0];
  let column = 0;
  for (const letter of match[1] ?? '') column = column * 26 + letter.charCodeAt(0) - 96;
  return [column - 1, Number(match[2]) - 1];
}

/**
 * @param {number} column
 * @param {number} row
 */
export function cellName(column, row) {
  return `${columnName(column)}${row + 1}`;
}

/** @param {number} column @returns {string} */
export function columnName(column) {
  const letter = String.fromCharCode(97 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/**
 * Returns the corner of a cell that is upper left as it is seen.
 * @param {Lie} lie
 * @param {string} cell
 * @returns {Spot}
 */
export function cornerOf(lie, cell) {
  const [column, row] = cellOf(cell);
  return lie.isFlipped
    ? { x: (lie.columns - 1 - column) * CELL, y: row * CELL }
    : { x: column * CELL, y: (lie.rows - 1 - row) * CELL };
}

/**
 * @param {Lie} lie
 * @param {string} cell
 */
export function middleOf(lie, cell) {
  const { x, y } = cornerOf(lie, cell);
  return { x: x + CELL / 2, y: y + CELL / 2 };
}

/**
 * Returns the cell at a spot, if there is one.
 * @param {Lie} lie
 * @param {Spot} spot
 */
export function cellAt(lie, { x, y }) {
  const across = Math.floor(x / CELL);
  const down = Math.floor(y / CELL);
  if (across < 0 || down < 0 || across >= lie.columns || down >= lie.rows) return null;
  return lie.isFlipped
    ? cellName(lie.columns - 1 - across, down)
    : cellName(across, lie.rows - 1 - down);
}

/**
 * Returns a step of columns to the right and rows up as it is seen.
 * @param {Lie} lie
 * @param {[number, number]} step
 * @returns {Spot}
 */
export function seenStep(lie, [right, up]) {
  return lie.isFlipped ? { x: -right, y: up } : { x: right, y: -up };
}

/**
 * Returns the middle of the place beside the board to which a step leads from a cell.
 * @param {Lie} lie
 * @param {string} from
 * @param {[number, number]} step
 */
export function exitOf(lie, from, step) {
  const { x, y } = middleOf(lie, from);
  const seen = seenStep(lie, step);
  const reach = CELL / 2 + MARGIN / 2;
  return { x: x + seen.x * reach, y: y + seen.y * reach };
}

/**
 * Returns the middle of a fence by the cell south-west of it.
 * @param {Lie} lie
 * @param {string} cell
 * @returns {Spot}
 */
export function fenceMiddle(lie, cell) {
  const { x, y } = cornerOf(lie, cell);
  return lie.isFlipped ? { x, y: y + CELL } : { x: x + CELL, y };
}

/**
 * A fence: the cell south-west of its middle, and its direction. `side` is the cell below the pointer's spot, or
 * to the left of it.
 * @typedef {{cell: string, isVertical: boolean, side: string}} FencePlace
 */

/**
 * Returns the fence that a spot means.
 * @param {Lie} lie
 * @param {Spot} spot
 * @returns {FencePlace | null}
 */
export function fenceAt(lie, { x, y }) {
  const off = (/** @type {number} */ at) => Math.abs(at / CELL - Math.round(at / CELL)) * CELL;
  const [offX, offY] = [off(x), off(y)];
  if (Math.min(offX, offY) > FENCE_REACH || x < 0 || y < 0 || x > lie.columns * CELL || y > lie.rows * CELL) return null;
  const isVertical = offX < offY;
  const across = isVertical ? Math.round(x / CELL) : nearestLine(x, lie.columns);
  const down = isVertical ? nearestLine(y, lie.rows) : Math.round(y / CELL);
  if (across < 1 || down < 1 || across >= lie.columns || down >= lie.rows) return null;
  const name = (/** @type {number} */ right, /** @type {number} */ below) => (lie.isFlipped
    ? cellName(lie.columns - 1 - right, below - 1) : cellName(right - 1, lie.rows - 1 - below));
  const inCell = (/** @type {number} */ at) => Math.floor(at / CELL) + (lie.isFlipped ? 0 : 1);
  const side = isVertical ? name(across, Math.floor(y / CELL) + (lie.isFlipped ? 1 : 0)) : name(inCell(x), down);
  return { cell: name(across, down), isVertical, side };
}

/**
 * Returns the line between cells that is nearest to a place.
 * @param {number} at
 * @param {number} cells
 */
function nearestLine(at, cells) {
  return Math.min(cells - 1, Math.max(1, Math.round(at / CELL)));
}
