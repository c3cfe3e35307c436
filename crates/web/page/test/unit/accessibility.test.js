import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleText } from '../browser/accessibility.js';

test('a broken rule is shown with its elements and what would be right', () => {
  const failureSummary = 'Fix any of the following:\n  Give it a name';
  const nodes = [{ html: '<a>', failureSummary }, { html: '<b>' }];
  const text = ruleText([{ id: 'link-name', help: 'Links have names', nodes }]);
  assert.equal(
    text,
    [
      'link-name: Links have names',
      '  <a>',
      '    Fix any of the following:',
      '    Give it a name',
      '  <b>',
    ].join('\n'),
  );
});
