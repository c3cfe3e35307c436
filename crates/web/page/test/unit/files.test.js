import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { test } from 'node:test';

const FOLDER = resolve(import.meta.dirname, '../..');

/** Names and lines of the modules and style sheets. */
const FILES = ['js', 'style'].flatMap((root) =>
  readdirSync(resolve(FOLDER, root), { recursive: true })
    .map((name) => `${root}/${name}`)
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => ({ name, lines: readFileSync(resolve(FOLDER, name), 'utf8').split('\n') })));

test('no text goes over several lines, since indentation and lines of comment are left out in the program', () => {
  assert.ok(FILES.length > 20);
  for (const { name, lines } of FILES) {
    let inComment = false;
    for (const [index, text] of lines.entries()) {
      const line = text.trim();
      const isComment = inComment || line.startsWith('/*') || line.startsWith('//') || line.startsWith('*');
      if (inComment || line.startsWith('/*')) inComment = !line.endsWith('*/') && !line.includes('*/');
      const ticks = line.match(/`/g)?.length ?? 0;
      assert.ok(isComment || ticks % 2 === 0, `${name}:${index + 1}: ${line}`);
      const code = name.endsWith('.css') || isComment ? '' : line;
      assert.ok(!/\/\*(?!.*\*\/)/.test(code.replace(/'[^']*'/g, '')), `${name}:${index + 1}: a comment begins after code`);
    }
  }
});

/** Rooms of the modules, each with the rooms it may know. */
const KNOWN = {
  model: [], dom: [], server: [], board: ['model', 'dom'], state: ['model', 'server'],
  views: ['model', 'dom', 'server', 'board', 'state', 'key_list.js'],
};

test('rooms know only the rooms below them', () => {
  for (const { name, lines } of FILES.filter((file) => /^js\/.+\//.test(file.name))) {
    const room = name.split('/')[1];
    for (const line of lines) {
      const path = /^(?:import|export|\}).* from '(\.[^']+)';$/.exec(line)?.[1];
      if (!path) continue;
      const other = relative(FOLDER, resolve(FOLDER, dirname(name), path)).split('/')[1];
      assert.ok(other === room || KNOWN[room]?.includes(other), `${name} imports ${path}`);
    }
  }
});
