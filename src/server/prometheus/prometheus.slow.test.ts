import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requests } from '../../operations/alerts/testing/requests.ts';
import { openStore } from '../../store/open.ts';
import { freePort } from '../../testing/free-port.ts';
import { keyOf } from '../../testing/server-keys.ts';
import { prometheusTools } from '../testing/prometheus-tools.ts';
import { startTestServer } from '../testing/test-server.ts';

const tools = prometheusTools();
const { prometheus, promtool } = tools ?? { prometheus: '', promtool: '' };

const RULES = 'deploy/prometheus';

type Answered = {
  readonly status: string;
  readonly data: {
    readonly result: readonly { readonly value: readonly [number, string] }[];
    readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[];
  };
};

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

/** What the dashboards ask, with every variable of theirs as all. */
function questions(): readonly string[] {
  const { panels } = JSON.parse(readFileSync('deploy/grafana/production.json', 'utf8')) as {
    panels: Panel[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll(/\$\w+/g, '.*')));
}

describe.skipIf(tools === undefined)('Prometheus', () => {
  it('takes the configuration and the rules, and finds that they fire when they should', () => {
    for (const words of [
      ['check', 'config', '--syntax-only', 'prometheus.yml'],
      ['check', 'rules', 'rules.yml'],
      ['test', 'rules', 'rules.test.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync(promtool, words, { cwd: RULES, encoding: 'utf8' });
      expect(`${status} ${stderr} ${stdout}`).toMatch(/^0 /);
    }
  });

  it('scrapes the running server, loads the rules and answers every question of the dashboard', async () => {
    const server = await startTestServer({ withSessions: false });
    const store = await openStore(server.store);
    const seen = { sample: { probability: 0.05, stratum: 'all' }, quotes: { given: 4, verified: 4 } };
    await store.appendDecompositions(
      requests('a', 50, Date.now(), (i) => ({ promptVersion: 'v1', model: 'm', ...(i % 5 === 0 && seen) })),
    );
    await store.close();
    const plain = await (await server.ask('/metrics', { headers: { accept: 'text/plain' } })).text();
    const checked = spawnSync(promtool, ['check', 'metrics'], { input: plain, encoding: 'utf8' });
    // What it says of the metrics of the process is the affair of the library.
    expect(checked.stderr.split('\n').filter((line) => line.startsWith('assay'))).toEqual([]);
    expect(checked.stderr).not.toContain('error while linting');
    const port = await freePort();
    const ask = await running(port, new URL(server.url).host);
    const requestsSeen = async () =>
      (await ask('query', 'sum(assay_decompositions_total)')).data.result[0]?.value[1];
    while ((await requestsSeen()) !== '50') await sleep(200);
    const { data } = await ask('rules');
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules).toHaveLength(7);
    for (const question of questions())
      expect([question, (await ask('query', question)).status]).toEqual([question, 'success']);
  }, 120_000);
});

/** A Prometheus that scrapes a server every second; what is asked of it is answered by its own API. */
async function running(port: number, target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-prometheus-'));
  cpSync(RULES, folder, { recursive: true });
  const config = readFileSync(join(RULES, 'prometheus.yml'), 'utf8');
  const token = join(folder, 'token');
  writeFileSync(token, keyOf(`http://${target}`) ?? '');
  writeFileSync(
    join(folder, 'prometheus.yml'),
    config
      .replace('127.0.0.1:4117', target)
      .replaceAll('/etc/prometheus/assay-token', token)
      .replaceAll('_interval: 15s', '_interval: 1s'),
  );
  const child = spawn(
    prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const base = `http://127.0.0.1:${port}`;
  for (;;) {
    const isReady = await fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) break;
    await sleep(200);
  }
  return async (what: string, query = ''): Promise<Answered> => {
    const words = query === '' ? '' : `?query=${encodeURIComponent(query)}`;
    return (await fetch(`${base}/api/v1/${what}${words}`)).json() as Promise<Answered>;
  };
}
