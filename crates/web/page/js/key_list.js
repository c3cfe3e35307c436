// Keys and what they do, as the help lists them.

/** What each key does, as the help lists it. */
export const KEYS = [
  ['\u2190 \u2192, k j', 'one ply back, one forward'],
  ['\u2191 \u2193', 'first position, last position'],
  ['Shift+\u2191 Shift+\u2193', 'the same ply on another line'],
  ['Shift+\u2190', 'back to where this line leaves another'],
  ['Space', 'play the best move; hold it to see the whole line'],
  ['f', 'flip the board'],
  ['b', 'go to the board'],
  ['m', 'go to the moves'],
  ['1 to 6', 'moves, game, play, set up, table, puzzles'],
  ['n', 'take back, in Play and Set up; next puzzle, in Puzzles'],
  ['Esc', 'forget what is chosen; close this'],
  ['?', 'this list'],
];

/** What keys do on the board. */
export const BOARD_KEYS = [
  ['arrows', 'from square to square, after b or Tab'],
  ['Enter or Space', 'choose a piece, then where it goes'],
  ['h, v', 'show a fence to the north-east of the square; again: place it'],
  ['Delete', 'take what stands here off the board, in Set up'],
  ['Esc', 'forget what is chosen'],
];
