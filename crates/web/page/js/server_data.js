// The data that the server puts into the page.

/**
 * A game that the program knows.
 * @typedef {{spec: string, example: string, about: string}} ListedGame
 */

/**
 * Returns the data that the page begins with.
 * @returns {{version: string, all_games: boolean, games: ListedGame[]}}
 */
export function serverData() {
  return JSON.parse(document.getElementById("server")?.textContent ?? "{}");
}
