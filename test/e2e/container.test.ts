/**
 * The server as a container runs it: the packed package, the words, the environment and the health check of the container file,
 * as an account without a name and without rights, on a file system of which only the volume can be written to.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readImage, readManifests } from '../deploy-files.ts';
import { packInto } from '../packed-package.ts';

const image = readImage();
const [user = '', group = ''] = image.user.split(':');
const [, launcher = ''] = image.entrypoint;
const root = dirname(dirname(launcher));
const node = dirname(process.execPath);

const canIsolate =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'setpriv', '--version']).status === 0;

/** What a container has: its own root that nobody can write to, the package, the volume, no rights, and others before it. */
const ISOLATE = `set -e
mount --make-rprivate /
mount -t tmpfs none "$PACKAGE_PARENT"; mkdir "$PACKAGE"; mount --bind "$1" "$PACKAGE"
mount -t tmpfs none "$VOLUME_PARENT"; mkdir "$VOLUME"; mount --bind "$2" "$VOLUME"
for place in / "$PACKAGE_PARENT" "$PACKAGE" "$VOLUME_PARENT" /tmp /dev/shm; do
  mountpoint -q "$place" && mount -o bind,remount,ro "$place"
done
cd "$FOLDER"; shift 2
exec nice -n 10 setpriv --reuid "$UID_" --regid "$GID_" --clear-groups --bounding-set -all --inh-caps -all --no-new-privs "$@"`;

let scratch = '';
let unpacked = '';
beforeAll(() => {
  if (!canIsolate) return;
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'assay-container-')));
  chmodSync(scratch, 0o755);
  unpacked = packInto(scratch);
}, 900_000);
afterAll(() => {
  if (scratch !== '') rmSync(scratch, { recursive: true });
});

/** As Kubernetes gives one to a group: root's, and of the group of the account. */
function newVolume(): string {
  const volume = mkdtempSync(join(scratch, 'volume-'));
  chownSync(volume, 0, Number(group));
  chmodSync(volume, 0o2770);
  return volume;
}

function inContainer(
  volume: string,
  words: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  return spawn('unshare', ['--mount', 'sh', '-c', ISOLATE, 'sh', unpacked, volume, ...words], {
    env: {
      PATH: `${node}:/usr/sbin:/usr/bin:/sbin:/bin`,
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

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

/** With the words of the image or of a manifest, at a port that is free here. */
async function serve(volume: string, words: readonly string[], env: Record<string, string> = {}) {
  const port = await freePort();
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
    const volume = newVolume();
    const secret = newVolume();
    const made = await assay(secret, 'token', 'create', 'me', '--scope', 'read');
    expect(made.code).toBe(0);
    const [pod] = readManifests('single').flatMap(({ spec }) => spec.template?.spec ?? []);
    const [server] = pod?.containers ?? [];
    // What is mounted from a secret is root's, and a link.
    const given = join(scratch, 'package/tokens.json');
    spawnSync('cp', [join(secret, '.config/assay/tokens.json'), given]);
    chmodSync(given, 0o444);
    const install = pod?.initContainers[0]?.command?.map((word) =>
      word === '/run/tokens/tokens.json' ? join(root, 'tokens.json') : word,
    );
    expect(await ended(inContainer(volume, install ?? []))).toMatchObject({ code: 0, stderr: '' });
    rmSync(given);
    const values = { POD_IP: '10.1.2.3', ASSAY_NAME: 'assay.example.com' };
    const words = server?.args?.map((word) =>
      word.replaceAll(/\$\((\w+)\)/g, (_, name: keyof typeof values) => values[name]),
    );
    const { child, finished, ask, port } = await serve(volume, words ?? [], values);
    for (const { httpGet } of [server?.startupProbe, server?.livenessProbe, server?.readinessProbe].flatMap(
      (one) => one ?? [],
    )) {
      const [{ value = '' } = {}] = httpGet.httpHeaders;
      expect(await statusAt(port, httpGet.path, value)).toBe(200);
    }
    expect(await statusAt(port, '/readyz', '10.1.2.3:4117')).toBe(200);
    expect(await statusAt(port, '/readyz', 'elsewhere.example')).toBe(403);
    const authorization = `Bearer ${made.stdout.trim()}`;
    expect((await ask('/metrics', { authorization }))?.status).toBe(200);
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0 });
  });
});

/** `fetch` sends a name of its own. */
async function statusAt(port: string, path: string, host: string): Promise<number | undefined> {
  const { request } = await import('node:http');
  const asked = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [{ statusCode?: number; resume: () => void }];
  answer.resume();
  return answer.statusCode;
}
