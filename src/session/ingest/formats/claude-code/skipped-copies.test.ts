import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hashKey } from '../../copies/entry-keys.ts';
import { readFile } from '../../reading/read-file.ts';
import { mutate, seeded } from '../../testing/mutate-bytes.ts';
import { tempFolder } from '../../testing/temp-folder.ts';
import { loadFormats } from '../load-formats.ts';

const folder = tempFolder();
const LONG = '0'.repeat(20);
const FIXTURES = 'test/fixtures/session';

/** Lines of transcripts of Claude Code, with the ids that their makers gave them. */
function transcripts(): string[] {
  const places = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' });
  return (
    places
      .filter((place) => place.endsWith('.jsonl'))
      .map((place) => readFileSync(join(FIXTURES, place), 'utf8'))
      .filter((text) => text.includes('"id":"msg_') && text.includes('"requestId":"'))
      .slice(0, 6)
      // Ids as long as those of real ones.
      .map((text) => text.replace(/"id":"msg_([^"]{1,19})"/g, `"id":"msg_$1${LONG}"`))
      .map((text) => text.replace(/"requestId":"([^"]{1,19})"/g, `"requestId":"$1${LONG}"`))
  );
}

const passed = { with: 0, without: 0 };

async function readRest(path: string, copies: ReadonlySet<number>, skips: boolean) {
  const format = (await loadFormats()).find(({ name }) => name === 'claude-code');
  const rest = format?.weighCopies?.(format, new Set()).rest(path, skips ? copies : undefined);
  if (rest === undefined) throw new Error('no format');
  const skipBytes = (line: Buffer): boolean => {
    const skipped = rest.skipBytes?.(line) === true;
    if (skipped) passed[skips ? 'with' : 'without'] += 1;
    return skipped;
  };
  return (await readFile(path, { formats: [{ ...rest, skipBytes }], copies })).sessions;
}

/** Every second entry that has a key. */
async function someKeys(path: string): Promise<ReadonlySet<number>> {
  const keys: number[] = [];
  const format = (await loadFormats()).find(({ name }) => name === 'claude-code');
  const rest = format?.weighCopies?.(format, new Set()).rest(path);
  if (rest === undefined) throw new Error('no format');
  const entryKey = (record: unknown): string | undefined => {
    const key = rest.entryKey?.(record);
    if (key !== undefined) keys.push(hashKey(key));
    return key;
  };
  await readFile(path, { formats: [{ ...rest, entryKey }] });
  return new Set(keys.filter((_, place) => place % 2 === 0));
}

it('are passed over without being parsed, and nothing else is, also where lines are damaged', async () => {
  const random = seeded(20_261_116);
  for (const [index, text] of transcripts().entries()) {
    const path = folder.write(`${index}.jsonl`, text);
    const copies = await someKeys(path);
    for (let round = 0; round < 8; round++) {
      const lines: Buffer[] = text
        .trimEnd()
        .split('\n')
        .map((line) => Buffer.from(line));
      if (round > 0)
        for (let times = 0; times < 3; times++) {
          const at = random.below(lines.length);
          lines[at] = mutate(lines[at] as Buffer, random);
        }
      folder.write(
        `${index}.jsonl`,
        Buffer.concat(lines.map((line) => Buffer.concat([line, Buffer.from('\n')]))),
      );
      expect(await readRest(path, copies, true)).toEqual(await readRest(path, copies, false));
    }
  }
  expect(passed.with).toBeGreaterThan(passed.without);
});
