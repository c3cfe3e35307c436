// The first view: the games, each with a link to its start.

import { serverData } from "./server_data.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const heading = document.createElement("h1");
heading.textContent = "Hindsight";
const list = document.createElement("ul");
for (const game of serverData().games) {
  const link = document.createElement("a");
  link.href = `/?g=${encodeURIComponent(game.example)}`;
  link.textContent = game.about;
  const item = document.createElement("li");
  item.append(link);
  list.append(item);
}
main.append(heading, list);
