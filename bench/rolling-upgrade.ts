/**
 * Servers of an earlier version over one ClickHouse that are replaced by this one, one after the other, while agents send to any
 * of them: `node bench/rolling-upgrade.ts [COMMIT]`. The earlier one is the last before the schema changed, as the history of the
 * repository has it; where it has none, nothing is measured. Every session must be stored once, with the score that reading its
 * lines in one piece gives. Exit code 1 when not.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Node, type Request, sendAll, startNode } from '../src/server/testing/fleet.ts';
import {
  differences,
  disturbed,
  saysOf,
  shuffled,
  storedIn,
  undisturbed,
} from '../src/server/testing/fleet-rows.ts';
import { sentFiles, sentTelemetry } from '../src/server/testing/fleet-sessions.ts';
import { random } from '../src/stats/random.ts';
import { ClickHouseServer, missingClickHouse } from '../src/store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../src/store/open.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SCHEMA = 'src/store/clickhouse/schema.ts';
const CHILD = 'src/server/testing/serve-child.ts';
const NODES = 3;
const AT_ONCE = 6;
const LOOKS = 600;
/** What ends without saying so ends by silence. */
const CONFIG = { session: { flagBelow: 1, silenceMinutes: 0.05 } };
const chance = random(1);

function git(...words: readonly string[]): string {
  return execFileSync('git', words, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function stepsIn(schema: string): string {
  return /^export const STEPS[^[]*\[\] = \[$(.*?)^\];$/ms.exec(schema)?.[1]?.trimEnd() ?? '';
}

/** The last version that knows only the first of the steps of the schema. */
function earlierCommit(): string {
  const known = stepsIn(readFileSync(join(ROOT, SCHEMA), 'utf8'));
  const commits = git('rev-list', 'HEAD', '--', SCHEMA).split('\n');
  const found = commits.find((commit) => {
    const steps = stepsIn(git('show', `${commit}:${SCHEMA}`));
    return steps !== '' && steps !== known && known.startsWith(steps);
  });
  if (found === undefined) throw new Error('there is none');
  return found;
}

/** The sources of the version before, with the packages of this one; undefined without a history. */
function earlierSources(
  within: string,
  named: string | undefined,
): { commit: string; child: string } | undefined {
  try {
    const commit = named ?? earlierCommit();
    const folder = join(within, 'earlier');
    mkdirSync(folder);
    execFileSync('sh', ['-c', 'git archive "$0" src package.json | tar -x -C "$1"', commit, folder], {
      cwd: ROOT,
    });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return { commit: commit.slice(0, 12), child: join(folder, CHILD) };
  } catch {
    return undefined;
  }
}

/** Sends a part to whoever lives while a server of the earlier version gives way to one of this. */
async function replaceOne(
  living: Node[],
  requests: readonly Request[],
  start: () => Promise<Node>,
): Promise<void> {
  const sending = sendAll(requests, () => living, chance, AT_ONCE);
  const next = await start();
  living.push(next);
  const leaving = living.shift();
  // As a fleet is upgraded: asked to end, it answers what is on its way.
  await leaving?.kill('SIGTERM');
  await sending;
}

async function measure(root: string, server: ClickHouseServer, earlier: { commit: string; child: string }) {
  const store = server.address('upgrade');
  const folder = (name: string) => join(root, name);
  const older = Array.from({ length: NODES }, (_, i) =>
    startNode({ folder: folder(`old-${i}`), store, config: CONFIG, child: earlier.child }),
  );
  const living = await Promise.all(older);
  const all = [...living];
  try {
    const files = [...sentFiles(), ...sentTelemetry()];
    const requests = disturbed(
      files.flatMap((file) => file.requests),
      chance,
    );
    const part = Math.ceil(requests.length / (NODES + 2));
    const portion = (i: number) => requests.slice(i * part, (i + 1) * part);
    await sendAll(portion(0), () => living, chance, AT_ONCE);
    for (let i = 0; i < NODES; i += 1)
      await replaceOne(living, portion(i + 1), async () => {
        const next = await startNode({ folder: folder(`new-${i}`), store, config: CONFIG });
        all.push(next);
        return next;
      });
    await sendAll(portion(NODES + 1), () => living, chance, AT_ONCE);
    const ends = files.flatMap(({ end }) => end ?? []);
    await sendAll(shuffled(ends, chance), () => living, chance, AT_ONCE);
    const expected = await undisturbed(folder('undisturbed'), files);
    const names = new Set(expected.map(({ source, sessionId }) => `${source} ${sessionId}`));
    const opened = await openStore(store);
    const wanted = expected.map(saysOf);
    let [left, rows] = [wanted, 0];
    for (let look = 0; left.length > 0 && look < LOOKS; look += 1) {
      await sleep(200);
      // A session that was read before its id came has another name until then.
      const stored = (await storedIn(opened)).filter(({ source, sessionId }) =>
        names.has(`${source} ${sessionId}`),
      );
      [left, rows] = [differences(stored.map(saysOf), wanted), stored.length];
    }
    const alerts = await opened.readAlerts();
    const doubled = alerts.length - new Set(alerts.map(({ subject }) => subject)).size;
    await opened.close();
    return { acknowledged: requests.length + ends.length, expected: expected.length, rows, left, doubled };
  } finally {
    for (const node of all) await node.kill();
  }
}

async function main(commit: string | undefined): Promise<void> {
  const missing = missingClickHouse();
  if (missing !== undefined) return console.log(`not measured: ${missing}`);
  const root = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
  try {
    const earlier = earlierSources(root, commit);
    if (earlier === undefined) return console.log('not measured: the history of the repository is not here');
    const server = await ClickHouseServer.start();
    try {
      const { acknowledged, expected, rows, left, doubled } = await measure(root, server, earlier);
      for (const one of left) console.log(one);
      console.log(
        `${NODES} servers of ${earlier.commit} replaced one by one: ${acknowledged} requests acknowledged, ${rows} of ${expected} sessions stored, ${left.length} missing or otherwise, ${doubled} alerts twice`,
      );
      process.exitCode = left.length === 0 && rows === expected && doubled === 0 ? 0 : 1;
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

await main(process.argv[2]);
