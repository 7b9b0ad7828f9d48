import { describe, expect, it, vi } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { toy } from '../testing/toy-format.ts';
import { hasTooManyParts, MAX_PARTS } from './scan-json.ts';

const folder = tempFolder();
const many = '{},'.repeat(MAX_PARTS);

describe('a line of more parts than any transcript has', () => {
  it('is told from a long text that only looks like it', () => {
    expect(hasTooManyParts(Buffer.from(`{"toy":[${many}{}]}`))).toBe(true);
    expect(hasTooManyParts(Buffer.from(JSON.stringify({ toy: many })))).toBe(false);
    expect(hasTooManyParts(Buffer.from(`{"toy":"${many}`))).toBe(false);
  });

  it.each(['\n', ''])('is counted and never parsed, the others are (ends with %j)', async (end) => {
    const path = folder.write(
      `parts${end.length}.jsonl`,
      `{"toy":"a","id":"1"}\n{"toy":"b","list":[${many}{}]}\n{"toy":"c","list":[${many}{}]}${end}`,
    );
    const parse = vi.spyOn(JSON, 'parse');
    const { sessions, reading } = await readFile(path, { formats: [toy] });
    const longest = parse.mock.calls.reduce((most, [text]) => Math.max(most, text.length), 0);
    parse.mockRestore();
    expect(longest).toBeLessThan(1000);
    expect(sessions[0]?.runs[0]?.replies).toBe(1);
    expect(reading.skipped).toEqual({ 'too many parts': { count: 2, firstLine: 2 } });
  });
});
