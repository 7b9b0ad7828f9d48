import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const SESSION = '5f0c0000-1111-4222-8333-444455556666';
const STORED = `test/fixtures/session/copilot-cli/session-state/${SESSION}/events.jsonl`;

/** Spans of one conversation, under the name that it has in its agent's store, or another one. */
function exported(conversation: string): string {
  const text = readFileSync('test/fixtures/session/otlp-genai/document.json', 'utf8');
  const named =
    /"gen_ai\.conversation\.id",\s*"value":\s*\{\s*"stringValue":\s*"([^"]+)"/.exec(text)?.[1] ?? '';
  expect(named).not.toBe('');
  return text.replaceAll(`"${named}"`, `"${conversation}"`);
}

describe('a session that was exported as well as stored', () => {
  const folder = tempFolder();

  it('counts in the store alone', async () => {
    const same = folder.write('same.json', exported(SESSION));
    const other = folder.write('other.json', exported('aaaaaaaa-1111-4222-8333-444455556666'));
    const count = async (...paths: string[]) =>
      (await readAll(paths)).sessions.filter(({ facts }) => facts.source === 'otlp').length;
    expect(await count(same)).toBeGreaterThan(0);
    expect(await count(same, STORED)).toBe((await count(same)) - 1);
    expect(await count(other, STORED)).toBe(await count(other));
  });
});
