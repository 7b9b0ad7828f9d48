/** Files of other tools that somebody made to take a reader down, with what is hostile at every place of them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { importRuns } from './import-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-findings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What each reader of JSON is fuzzed from. */
const SEEDS = {
  sarif: 'tool.sarif',
  eslint: 'files.json',
  'code-climate': 'issues.json',
  semgrep: 'report.json',
  rdjson: 'log.json',
};
const seedOf = (name: keyof typeof SEEDS): unknown =>
  JSON.parse(readFileSync(`fuzz/corpus/workflow/from-${name}/${SEEDS[name]}`, 'utf8'));

const DEEP = 20_000;
const MANY = 1_000_000;
/** As JSON, because some of it cannot be written as a value. */
const HOSTILE: Readonly<Record<string, string>> = {
  'lists in lists': `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  'objects in objects': `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  prototypes: '{"__proto__":{"owned":1},"constructor":{"prototype":{"owned":1}}}',
  'a list without end': `[${'0,'.repeat(MANY)}0]`,
  'objects without end': `[${'{},'.repeat(MANY / 10)}{}]`,
  'a text without end': JSON.stringify('\u001b[2J\u202e'.repeat(100_000)),
  'no number': '1e999',
  nothing: 'null',
};

/** The document with each of its values, and each of its objects, in turn taken out for the mark. */
function* places(value: unknown, put: (part: unknown) => unknown = (part) => part): Generator<string> {
  yield JSON.stringify(put('\u0000here'));
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const inside = (one: unknown) =>
      put(
        Array.isArray(value)
          ? value.map((old, i) => (i === Number(key) ? one : old))
          : { ...value, [key]: one },
      );
    yield* places(part, inside);
  }
}

it.each(Object.keys(SEEDS) as (keyof typeof SEEDS)[])(
  'is a run, or an error that says what is wrong with it: %s',
  (name) => {
    const path = join(folder, `${name}--task--1.json`);
    const document = seedOf(name);
    writeFileSync(path, JSON.stringify(document));
    expect(importRuns(path).runs).toHaveLength(1);
    let tried = 0;
    for (const [what, json] of Object.entries(HOSTILE)) {
      const all = [...places(document)];
      // What is long is tried in a few places: it is parsed each time.
      const some = json.length < 1000 ? all : all.filter((_, i) => i % Math.ceil(all.length / 4) === 0);
      for (const text of some) {
        writeFileSync(
          path,
          text.replace(JSON.stringify('\u0000here'), () => json),
        );
        try {
          const { runs } = importRuns(path);
          expect(runs.flatMap(({ findings }) => findings).length, what).toBeLessThanOrEqual(100_000);
        } catch (error) {
          expect(error, `${what}: ${String(error)}`).toBeInstanceOf(AssayError);
          expect((error as AssayError).code, what).not.toBe('INTERNAL');
        }
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(30);
    expect(({} as { owned?: unknown }).owned).toBeUndefined();
  },
);
