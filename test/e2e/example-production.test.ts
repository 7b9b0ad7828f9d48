/** The example of a watched service, as a newcomer runs it: an hour in a minute, two faults, and what is said of them. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { bareEnv } from '../bare-env.ts';

/** Only to end what hangs: the hour waits for a machine that is late. */
const LONGEST_MS = 600_000;

/** Everything below a folder that is no folder itself. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
}

it(
  'tells of a slow and of an inventing service, shows the week, and leaves nothing behind',
  async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-example-test-'));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const [home, temporary] = [join(scratch, 'home'), join(scratch, 'tmp')];
    for (const folder of [home, temporary]) mkdirSync(folder);
    // Rejects where it ends with anything but 0.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [resolve('bin/assay.js'), 'example', 'production'],
      { cwd: home, env: { ...bareEnv(home), TMPDIR: temporary } },
    );

    const at = (words: RegExp) => stderr.split('\n').findIndex((line) => words.test(line));
    const slow = [at(/becomes slow/), at(/✗ warning: p95 latency/), at(/✓ over: latency-high/)];
    const inventing = [at(/begins to invent/), at(/✗ critical: .*concepts that their text never mentions/)];
    for (const story of [slow, inventing]) {
      expect(story, stderr).not.toContain(-1);
      expect(story, stderr).toEqual(story.toSorted((a, b) => a - b));
    }

    expect(stdout).toMatch(/[\d,]+ requests: \d+ alerts? fired, [1-9]\d* of them over by the end/);
    expect(stdout).toMatch(/\d\d:\d\d +\d\d:\d\d +warning +latency-high/);
    expect(stdout).toMatch(/\d\d:\d\d +\S.* critical +hallucination-unmentioned/);
    const brief = stdout.slice(stdout.indexOf('Weekly quality brief'));
    for (const section of [
      'Lowest-scoring decompositions',
      'What users say',
      'Failed decompositions',
      'Latency',
    ])
      expect(brief).toContain(`\n${section}`);
    expect([...filesIn(home), ...filesIn(temporary), ...readdirSync(temporary)]).toEqual([]);
  },
  LONGEST_MS,
);
