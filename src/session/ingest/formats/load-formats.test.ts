import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS } from './formats.ts';
import { likelyFormats, loadFormats } from './load-formats.ts';
import { SAMPLES } from './testing/samples.ts';

const named = async (text: string) => (await likelyFormats(Buffer.from(text))).map(({ name }) => name);

describe('loading adapters', () => {
  it.each(SAMPLES)('is hinted at by the beginning of $sample.path for $name', async ({ name, sample }) => {
    const { packing } = FORMATS.find((format) => format.name === name) ?? {};
    const { records, document } = sample;
    const text = document ? JSON.stringify(records[0]) : records.map((one) => JSON.stringify(one)).join('\n');
    if (packing === undefined) expect(await named(text)).toContain(name);
  });

  it('loads few others for the files of which there are most', async () => {
    const text = readFileSync('test/fixtures/session/claude-code-subagents/s-main.jsonl', 'utf8');
    expect(await named(text)).toEqual(['claude-code']);
  });

  it('loads none for what looks like no transcript, and all of them in the order of the list when asked', async () => {
    expect(await named('# Notes\n\nNothing of interest.\n')).toEqual([]);
    expect((await loadFormats()).map(({ name }) => name)).toEqual(FORMATS.map(({ name }) => name));
  });
});
