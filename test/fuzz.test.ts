/** What `npm run fuzz` begins with, and every input that it has ever found to break something. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMITTED, committedOf } from '../fuzz/corpus.ts';
import { examine } from '../fuzz/target.ts';
import { allTargets } from '../fuzz/targets.ts';
import { FORMATS } from '../src/session/ingest/formats/formats.ts';
import { IMPORTERS } from '../src/workflow/ingest/formats/importers.ts';

const TARGETS = await allTargets();

describe.each(TARGETS)('$name', (target) => {
  it('reads or refuses by name whatever is in its corpus, twice the same', async () => {
    const corpus = committedOf(target);
    expect(corpus.length).toBeGreaterThan(0);
    const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const opened = await target.open(folder);
    const outcomes: string[] = [];
    try {
      for (const { name, input } of corpus)
        await examine(opened, input).then(
          (outcome) => outcomes.push(...Object.keys(outcome)),
          (error) => expect.fail(`${name}: ${error instanceof Error ? error.stack : error}`),
        );
    } finally {
      await opened.close?.();
    }
    // A corpus of which nothing is understood tries nothing but the first check.
    expect(outcomes).toContain('result');
  });
});

it('has a target for every format of sessions and every importer of findings', () => {
  const names = TARGETS.map(({ name }) => name);
  const without = FORMATS.filter(
    ({ name }) => !names.some((one) => one.replace('rows-of-', '').startsWith(`session/${name}`)),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
  for (const { name } of IMPORTERS.filter((one) => one.name !== 'assay'))
    expect(names).toContain(`workflow/from-${name}`);
});

it('keeps no corpus of a target that is gone', () => {
  const folders = readdirSync(COMMITTED).flatMap((group) =>
    readdirSync(join(COMMITTED, group)).map((name) => `${group}/${name}`),
  );
  expect(folders.filter((folder) => !TARGETS.some(({ name }) => name === folder))).toEqual([]);
});
