// The description of the API, by the official schema of OpenAPI 3.1.

import { Validator } from '@seriousme/openapi-schema-validator';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from './server.js';

test('the description of the API is valid OpenAPI 3.1', async () => {
  const server = await startServer(['tic-tac-toe']);
  try {
    const answer = await fetch(`${server.address}api/v1/openapi.json`);
    const description = await answer.json();
    const validator = new Validator();
    const result = await validator.validate(description);
    assert.ok(result.valid, JSON.stringify(result));
    assert.equal(validator.version, '3.1');
    // The validator is one that finds faults.
    description.paths['/api/v1'].get.parameters = null;
    assert.equal((await validator.validate(description)).valid, false);
  } finally {
    await server.stop();
  }
});
