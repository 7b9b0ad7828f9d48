/** The example of a watched service, as a newcomer runs it but twice as fast: an hour, two faults, and what is said of them. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { listener } from '../../src/operations/alerts/testing/listener.ts';
import { bareEnv } from '../bare-env.ts';
import { LAUNCHER } from '../launcher.ts';

/** Only to end what hangs: the hour waits for a machine that is late. */
const LONGEST_MS = 600_000;

/** Everything below a folder that is no folder itself. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
}

it(
  'tells of a slow and of an inventing service here and nowhere else, shows the week, and leads on with a store of its own',
  async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-example-test-'));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const [home, temporary] = [join(scratch, 'home'), join(scratch, 'tmp')];
    for (const folder of [home, temporary]) mkdirSync(folder);
    // Whoever is told of sessions and alerts otherwise.
    const elsewhere = await listener();
    const target = { webhook: elsewhere.url };
    const config = join(home, 'assay.config.json');
    writeFileSync(config, JSON.stringify({ session: target, alerts: target }));
    // Rejects where it ends with anything but 0.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [LAUNCHER, 'example', 'production', '--pace', '0.5'],
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
      'User feedback',
      'Failed decompositions',
      'Latency',
    ])
      expect(brief).toContain(`\n${section}`);
    expect(filesIn(home)).toEqual([config]);
    expect(elsewhere.heard).toEqual([]);
    const [folder = '', ...others] = readdirSync(temporary);
    expect([folder, others]).toEqual([expect.stringMatching(/^assay-example-production-/), []]);
    const store = join(temporary, folder, 'assay.db');
    for (const next of ['production rate', 'brief', 'serve'])
      expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(`assay ${next} --store ${store}`);
    const { stdout: list } = await promisify(execFile)(
      process.execPath,
      [LAUNCHER, 'production', 'rate', '--list', '--store', store, '--format', 'json'],
      { cwd: home, env: { ...bareEnv(home), TMPDIR: temporary }, maxBuffer: 1e9 },
    );
    const { open, items } = JSON.parse(list) as { open: number; items: { text: string | null }[] };
    expect(open).toBe(1200);
    expect(items[0]?.text).not.toBeNull();
  },
  LONGEST_MS,
);

/** Every socket refuses to listen, as on a machine that has none left. */
const NO_SOCKETS = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  net.Server.prototype.listen = function () {
    queueMicrotask(() => this.emit('error', new Error('no socket is left')));
    return this;
  };`)}`;

it('leaves nothing behind where its server cannot start', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-example-test-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const running = promisify(execFile)(
    process.execPath,
    ['--import', NO_SOCKETS, LAUNCHER, 'example', 'production'],
    { cwd: scratch, env: { ...bareEnv(scratch), TMPDIR: scratch } },
  );
  await expect(running).rejects.toMatchObject({ stderr: expect.stringContaining('[ADDRESS_TAKEN]') });
  expect(readdirSync(scratch)).toEqual([]);
});
