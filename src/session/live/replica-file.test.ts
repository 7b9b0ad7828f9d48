import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ReplicaFile, type SentPart } from './replica-file.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-replica-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MINUTE = 60_000;
const START = Date.parse('2026-11-16T05:00:00Z');

type Way = 'offset' | 'number' | 'time';

/** Lines in parts of one to three, each as it would be sent. */
function partsOf(lines: readonly string[], way: Way): SentPart[] {
  const parts: SentPart[] = [];
  let offset = 0;
  for (let i = 0; i < lines.length; i += 1 + (i % 3)) {
    const text = lines.slice(i, i + 1 + (i % 3)).join('');
    const bytes = Buffer.from(text);
    const hash = `${text.length}-${i}`;
    const number = parts.length + 1;
    const common = { hash, bytes, receivedAt: START };
    if (way === 'offset') parts.push({ ...common, key: `at ${offset} ${hash}`, offset });
    if (way === 'number') parts.push({ ...common, key: `id n-${number}`, id: `n-${number}` });
    if (way === 'time') parts.push({ ...common, key: `id ${(i * 7919) % 1009}`, at: START + i });
    offset += bytes.length;
  }
  return parts;
}

const story = fc.record({
  lines: fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 30 }),
  way: fc.constantFrom<Way>('offset', 'number', 'time'),
  chance: fc.infiniteStream(fc.nat()),
});

let files = 0;

it('is the same file in whatever order its parts come, however often and how many at once', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ lines, way, chance }) => {
      const below = (limit: number) => chance.next().value % limit;
      const text = lines.map((line, index) => `${index} ${line.replaceAll('\n', ' ')}\n`);
      const parts = partsOf(text, way);
      const sent = [...parts, ...parts.filter(() => below(3) === 0)];
      const file = new ReplicaFile(join(root, String(++files), 'a.jsonl'), join(root, `scratch-${files}`));
      let known = '';
      while (sent.length > 0) {
        const some = Array.from({ length: Math.min(sent.length, 1 + below(3)) }, () =>
          sent.splice(below(sent.length), 1),
        ).flat();
        const isOther = await file.add(some, START);
        const now = file.length === 0 ? '' : readFileSync(file.path, 'utf8');
        expect(isOther).toBe(now !== known);
        // Nothing is read that something may still come before.
        if (way !== 'time') expect(text.join('').startsWith(now)).toBe(true);
        known = now;
      }
      expect(known).toBe(text.join(''));
      expect(file.isWaiting).toBe(false);
      expect(file.unbroken).toBe(Buffer.byteLength(known));
    }),
    { numRuns: 60 },
  );
});

it('goes on without what did not come for a minute, and puts it in its place when it comes', async () => {
  const [first, second, third] = partsOf(['a\n', 'b\n', 'c\n', 'd\n'], 'offset') as [
    SentPart,
    SentPart,
    SentPart,
  ];
  const file = new ReplicaFile(join(root, 'late', 'a.jsonl'), join(root, 'late-scratch'));
  await file.add([first, third], START);
  expect(readFileSync(file.path, 'utf8')).toBe('a\n');
  expect(await file.missing(third.bytes, third.offset ?? 0)).toBe(0);
  expect(await file.add([], START + MINUTE - 1)).toBe(false);
  expect(await file.add([], START + MINUTE)).toBe(true);
  expect(readFileSync(file.path, 'utf8')).toBe('a\nd\n');
  expect(file.unbroken).toBe(2);
  await file.add([second], START + MINUTE);
  expect(readFileSync(file.path, 'utf8')).toBe('a\nb\nc\nd\n');
});

it('knows which bytes are there already, and refuses others in their place', async () => {
  const file = new ReplicaFile(join(root, 'known', 'a.jsonl'), join(root, 'known-scratch'));
  await file.add(partsOf(['ab\n', 'cd\n', 'ef\n'], 'offset'), START);
  expect(await file.missing(Buffer.from('cd\nef\ngh\n'), 3)).toBe(3);
  expect(await file.missing(Buffer.from('cd\nxx\n'), 3)).toBeUndefined();
});
