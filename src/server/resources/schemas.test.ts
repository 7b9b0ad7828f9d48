import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

it('serves the published schemas at an address for good, and no other file', async () => {
  const { ask } = await startTestServer({ withSessions: false });
  const answer = await ask('/schemas/golden-case.schema.json');
  expect(answer.headers.get('content-type')).toBe('application/schema+json');
  expect(await answer.text()).toBe(readFileSync('docs/formats/golden-case.schema.json', 'utf8'));
  for (const other of ['golden-case.md', 'golden-case', 'none.schema.json', '..%2Ferrors.schema.json'])
    expect((await ask(`/schemas/${other}`)).status, other).toBe(404);
});
