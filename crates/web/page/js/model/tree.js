// The tree of moves: all that was played and tried from one start.

/** A position in the tree, reached by `move` from its parent. */
export class TreeNode {
  /**
   * @param {TreeNode | null} parent
   * @param {string} move
   * @param {string | null} position text of the position; null until it is known
   */
  constructor(parent, move, position) {
    this.parent = parent;
    this.move = move;
    this.position = position;
    /** @type {TreeNode[]} the first child goes on the line of this node */
    this.children = [];
    this.comment = '';
  }

  /** Number of moves from the start. @returns {number} */
  get ply() {
    return this.parent ? this.parent.ply + 1 : 0;
  }
}

/**
 * Returns a tree without moves.
 * @param {string | null} position
 */
export function newTree(position) {
  return new TreeNode(null, '', position);
}

/**
 * Returns the node after a move, which is added if the tree lacks it.
 * @param {TreeNode} node
 * @param {string} move
 * @param {string | null} position
 */
export function addMove(node, move, position) {
  const known = node.children.find((child) => child.move === move);
  if (known) {
    known.position ??= position;
    return known;
  }
  const child = new TreeNode(node, move, position);
  node.children.push(child);
  return child;
}

/**
 * Returns the nodes from the start to a node, both included.
 * @param {TreeNode} node
 */
export function pathTo(node) {
  const path = [];
  for (let at = /** @type {TreeNode | null} */ (node); at; at = at.parent) path.push(at);
  return path.reverse();
}

/**
 * Returns the last node of the line that goes on from a node by first children.
 * @param {TreeNode} node
 */
export function endOfLine(node) {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

/**
 * Returns the line through a node: the nodes before it and, by first children, those after it.
 * @param {TreeNode} node
 */
export function lineThrough(node) {
  return pathTo(endOfLine(node));
}

/**
 * Makes the line of a node the first one at the last fork before it. Returns false if it was first everywhere.
 * @param {TreeNode} node
 */
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    const index = siblings.indexOf(at);
    if (index > 0) {
      siblings.splice(index, 1);
      siblings.unshift(at);
      return true;
    }
  }
  return false;
}

/**
 * Removes a node with all that follows. Returns its parent.
 * @param {TreeNode} node
 */
export function remove(node) {
  const parent = node.parent;
  if (!parent) return node;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}

/**
 * A line of the tree: the nodes that follow `from` by first children.
 * @typedef {object} Line
 * @property {TreeNode} from
 * @property {TreeNode[]} nodes
 */

/**
 * Returns the lines of a tree: the main line, then the branches in the order in which they leave it.
 * @param {TreeNode} root
 * @returns {Line[]}
 */
export function linesOf(root) {
  const lines = [{ from: root, nodes: nodesAfter(root) }];
  for (let index = 0; index < lines.length; index += 1) {
    const { from, nodes } = /** @type {Line} */ (lines[index]);
    const forks = index === 0 ? [from, ...nodes] : nodes;
    for (const fork of forks) {
      for (const first of fork.children.slice(1)) {
        lines.push({ from: fork, nodes: [first, ...nodesAfter(first)] });
      }
    }
  }
  return lines;
}

/** @param {TreeNode} node */
function nodesAfter(node) {
  const nodes = [];
  for (let at = node.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}
