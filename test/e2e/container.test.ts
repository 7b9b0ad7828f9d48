/**
 * The server as a container runs it: the packed package, the words, the environment and the health check of the container file,
 * as an account without a name and without rights, on a file system of which only the volume can be written to.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ClickHouseServer, missingClickHouse } from '../../src/store/clickhouse/testing/clickhouse-server.ts';
import { freePort } from '../../src/testing/free-port.ts';
import { type Container, readImage, readManifests } from '../deploy-files.ts';
import { packedPackage } from '../packed-package.ts';

const image = readImage();
const [user = '', group = ''] = image.user.split(':');
const [, launcher = ''] = image.entrypoint;
const root = dirname(dirname(launcher));

const canIsolate =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'setpriv', '--version']).status === 0;

/**
 * What a container has: its own root that nobody can write to, the package, the volume, and no rights. The dependencies and
 * Node are mounted, because the account cannot enter the folder of a clone that only its owner may enter.
 */
const ISOLATE = `set -e
mount --make-rprivate /
mount --bind "$DEPENDENCIES" "$1/node_modules"
mount -t tmpfs none "$PACKAGE_PARENT"; chmod 755 "$PACKAGE_PARENT"; mkdir "$PACKAGE"; mount --rbind "$1" "$PACKAGE"
touch "$PACKAGE_PARENT/node"; mount --bind "$NODE" "$PACKAGE_PARENT/node"
mount -t tmpfs none "$VOLUME_PARENT"; mkdir "$VOLUME"; mount --bind "$2" "$VOLUME"
for place in / "$PACKAGE_PARENT" "$PACKAGE" "$VOLUME_PARENT" /tmp /dev/shm; do
  mountpoint -q "$place" && mount -o bind,remount,ro "$place"
done
cd "$FOLDER"; shift 2
exec setpriv --reuid "$UID_" --regid "$GID_" --clear-groups --bounding-set -all --inh-caps -all --no-new-privs "$@"`;

let scratch = '';
let unpacked = '';
beforeAll(() => {
  if (!canIsolate) return;
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'assay-container-')));
  chmodSync(scratch, 0o755);
  unpacked = join(scratch, 'package');
  // One of its own, because secrets are put into it.
  cpSync(packedPackage(), unpacked, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  });
  mkdirSync(join(unpacked, 'node_modules'));
}, 900_000);
afterAll(() => {
  if (scratch !== '') rmSync(scratch, { recursive: true });
});

/** As Kubernetes gives one to a group: root's, and of the group of the account; one that is gone with the pod all may write to. */
function newVolume(mode = 0o2770): string {
  const volume = mkdtempSync(join(scratch, 'volume-'));
  chownSync(volume, 0, Number(group));
  chmodSync(volume, mode);
  return volume;
}

function inContainer(
  volume: string,
  words: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  return spawn('unshare', ['--mount', 'sh', '-c', ISOLATE, 'sh', unpacked, volume, ...words], {
    env: {
      PATH: `${dirname(root)}:/usr/sbin:/usr/bin:/sbin:/bin`,
      NODE: process.execPath,
      DEPENDENCIES: resolve('node_modules'),
      PACKAGE: root,
      PACKAGE_PARENT: dirname(root),
      VOLUME: image.volume,
      VOLUME_PARENT: dirname(image.volume),
      FOLDER: image.folder,
      UID_: user,
      GID_: group,
      ...image.env,
      ...env,
    },
  });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const assay = (volume: string, ...words: string[]) =>
  ended(inContainer(volume, [...image.entrypoint, ...words]));

/** With the words of the image or of a manifest, at a port that is free here. */
async function serve(volume: string, words: readonly string[], env: Record<string, string> = {}) {
  const port = String(await freePort());
  const child = inContainer(volume, [...image.entrypoint, ...words, '--port', port], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const finished = ended(child);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined);
  while ((await ask('/healthz')) === undefined && child.exitCode === null) await sleep(100);
  return { port, child, finished, ask };
}

describe.skipIf(!canIsolate)('the container', () => {
  it('can write to its volume and nowhere else', async () => {
    const tried = [root, '/tmp', '/etc', dirname(image.volume), image.volume];
    const words = [
      'sh',
      '-c',
      `for at in ${tried.join(' ')}; do touch $at/x 2>/dev/null && echo $at; done; id -u`,
    ];
    const { stdout } = await ended(inContainer(newVolume(), words));
    expect(stdout.trim().split('\n')).toEqual([image.volume, user]);
  });

  it('does not open itself to others without a token', async () => {
    const { code, stderr } = await assay(newVolume(), ...image.command);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/TOKEN_NEEDED[\s\S]*assay token create/)]);
  });

  it('serves with a token that was made in it, is healthy, and ends in time when told to', async () => {
    const volume = newVolume();
    const made = await assay(volume, 'token', 'create', 'me', '--scope', 'admin');
    expect(made.code).toBe(0);
    const { port, child, finished, ask } = await serve(volume, image.command);
    const authorization = `Bearer ${made.stdout.trim()}`;
    expect((await ask('/api/v1/overview'))?.status).toBe(401);
    expect((await ask('/api/v1/overview', { authorization }))?.status).toBe(200);
    expect(await (await ask('/'))?.text()).toContain('/assets/');
    const check = image.health.map((word) => word.replaceAll(image.port, port));
    expect(await ended(inContainer(volume, check))).toMatchObject({ code: 0 });
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
    expect(await ended(inContainer(volume, check))).toMatchObject({ code: 1 });
    expect(readdirSync(volume)).toEqual(expect.arrayContaining(['.config', 'assay.db']));
  });

  it('starts as a pod does: tokens from a secret, probes by the name they give', async () => {
    const { server, volume, token } = await newPod('single', newVolume());
    const { child, finished, ask, port } = await servePod(server, volume);
    for (const { httpGet } of probesOf(server))
      expect(await statusAt(port, httpGet.path, httpGet.httpHeaders[0]?.value ?? '')).toBe(200);
    expect(await statusAt(port, '/readyz', '10.1.2.3:4117')).toBe(200);
    expect(await statusAt(port, '/readyz', 'elsewhere.example')).toBe(403);
    expect((await ask('/metrics', { authorization: `Bearer ${token}` }))?.status).toBe(200);
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0 });
  });

  it.skipIf(missingClickHouse() !== undefined)(
    'starts as the pods of a fleet do, over one ClickHouse, and lives while that is away',
    async () => {
      const clickhouse = await ClickHouseServer.start();
      onTestFinished(() => clickhouse.stop());
      const env = { ASSAY_STORE: clickhouse.address('assay'), ASSAY_CLICKHOUSE_USER: 'default' };
      const pods = [await newPod('fleet', newVolume(0o2777)), await newPod('fleet', newVolume(0o2777))];
      const nodes = await Promise.all(pods.map(({ server, volume }) => servePod(server, volume, env)));
      for (const { port } of nodes) expect(await statusAt(port, '/readyz', 'localhost')).toBe(200);
      await clickhouse.kill();
      for (const { port } of nodes) {
        expect(await statusAt(port, '/healthz', 'localhost')).toBe(200);
        expect(await statusAt(port, '/readyz', 'localhost')).toBeGreaterThanOrEqual(500);
      }
      await clickhouse.resume();
      for (const { port, child, finished } of nodes) {
        while ((await statusAt(port, '/readyz', 'localhost')) !== 200) await sleep(200);
        child.kill('SIGTERM');
        expect(await finished).toMatchObject({ code: 0 });
      }
    },
  );
});

const probesOf = ({ startupProbe, livenessProbe, readinessProbe }: Container) =>
  [startupProbe, livenessProbe, readinessProbe].flatMap((one) => one ?? []);

/** A pod after the container that runs first: a secret is root's, what that makes of it the account's. */
async function newPod(form: 'single' | 'fleet', volume: string) {
  const secret = newVolume();
  const made = await assay(secret, 'token', 'create', 'me', '--scope', 'read');
  const [pod] = readManifests(form).flatMap(({ spec }) => spec.template?.spec ?? []);
  const given = join(scratch, 'package/tokens.json');
  spawnSync('cp', [join(secret, '.config/assay/tokens.json'), given]);
  chmodSync(given, 0o444);
  const install = pod?.initContainers[0]?.command?.map((word) =>
    word === '/run/tokens/tokens.json' ? join(root, 'tokens.json') : word,
  );
  expect(await ended(inContainer(volume, install ?? []))).toMatchObject({ code: 0, stderr: '' });
  rmSync(given);
  const server = pod?.containers[0];
  if (server === undefined) throw new Error(`${form} has no container`);
  return { server, volume, token: made.stdout.trim() };
}

function servePod({ args = [] }: Container, volume: string, env: Record<string, string> = {}) {
  const values = { POD_IP: '10.1.2.3', ASSAY_NAME: 'assay.example.com' };
  const words = args.map((word) =>
    word.replaceAll(/\$\((\w+)\)/g, (_, name: keyof typeof values) => values[name]),
  );
  return serve(volume, words, { ...values, ...env });
}

/** `fetch` sends a name of its own. */
async function statusAt(port: string, path: string, host: string): Promise<number | undefined> {
  const { request } = await import('node:http');
  const asked = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [{ statusCode?: number; resume: () => void }];
  answer.resume();
  return answer.statusCode;
}
