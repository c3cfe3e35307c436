// The server whose page is tested.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../../../..');

/** Folder of what is built. */
export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/**
 * A server that listens.
 * @typedef {object} RunningServer
 * @property {string} address address with a slash at its end
 * @property {() => Promise<void>} stop ends the server
 */

/**
 * Starts a server.
 * @param {string[]} sources tables and specs, as `hindsight serve` takes them
 * @param {string} [port] a free one if left out
 * @returns {Promise<RunningServer>}
 */
export async function startServer(sources, port = '0') {
  const program = resolve(process.env.HINDSIGHT ?? `${TARGET}/release/hindsight`);
  if (!existsSync(program)) {
    throw new Error(`there is no ${program}: run cargo build --release, or set HINDSIGHT`);
  }
  const options = ['serve', '--port', port, ...sources];
  const server = spawn(program, options, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const end = once(server, 'exit');
  const kill = () => server.kill();
  process.once('exit', kill);
  const lines = createInterface({ input: server.stdout });
  const [line] = await Promise.race([once(lines, 'line'), end]);
  if (typeof line !== 'string') {
    throw new Error(`${program} ${options.join(' ')} ended before it listened`);
  }
  return {
    address: line,
    async stop() {
      kill();
      await end;
      process.off('exit', kill);
    },
  };
}
