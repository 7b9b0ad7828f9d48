/** A project as people have one, made by the commands themselves from the bundled examples and the golden suite. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { openServer } from '../src/server/open-server.ts';
import { bareEnv } from './bare-env.ts';

const LAUNCHER = resolve('bin/assay.js');

export type DashboardProject = {
  readonly folder: string;
  readonly assay: (...words: string[]) => { status: number | null; stdout: string; stderr: string };
  /** The dashboard and its API over this folder; `web` are the built pages. */
  readonly serve: (web: string) => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
  readonly close: () => void;
};

/** What somebody could have written anywhere; `hit` tells whether a browser ran it. */
export const HOSTILE = `<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>"'\`=1+1`;

export function openDashboardProject(): DashboardProject {
  const folder = mkdtempSync(join(tmpdir(), 'assay-dashboard-'));
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n');
  const assay = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: bareEnv(folder),
    });
    return { status, stdout, stderr };
  };
  return {
    folder,
    assay,
    serve: async (web) => {
      const store = join(folder, '.assay', 'assay.db');
      const ports = () => defaultPorts({ store, folder, identity: () => 'Ada Lovelace' });
      return openServer({
        host: '127.0.0.1',
        port: 0,
        web,
        log: { choice: 'none', write: () => {} },
        folder,
        machine: { home: folder, environment: {} },
        config: (await loadConfig(folder)).config,
        sessions: ports(),
        project: ports(),
      });
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** Four runs of one suite, each worse than the one before, so that an alert is raised; the last one was let through. */
export function addSuite({ folder, assay }: DashboardProject): void {
  cpSync('examples/decomposition/golden', join(folder, 'golden'), { recursive: true });
  cpSync('prompts', join(folder, 'prompts'), { recursive: true });
  for (let lost = 0; lost < 4; lost++) copyOutputs(folder, lost);
  const run = ['--no-semantic', '--outputs'];
  assay('decomposition', 'baseline', ...run, 'outputs-0');
  for (const name of ['outputs-1', 'outputs-2']) assay('decomposition', 'run', ...run, name);
  assay('decomposition', 'compare', ...run, 'outputs-3', '--approve', 'fewer concepts on purpose');
}

/** The outputs of the example, each without its last concepts and what leads to them. */
function copyOutputs(folder: string, lost: number): void {
  const to = join(folder, `outputs-${lost}`);
  mkdirSync(to);
  for (const name of readdirSync('examples/decomposition/outputs')) {
    const output = JSON.parse(readFileSync(join('examples/decomposition/outputs', name), 'utf8'));
    const concepts = output.concepts.slice(0, output.concepts.length - lost);
    writeFileSync(join(to, name), JSON.stringify({ ...output, concepts }));
  }
}

/** The golden suite of this package, by the extractor that needs no model. */
export function addGoldenSuite({ folder, assay }: DashboardProject): void {
  cpSync('golden', join(folder, 'suite'), { recursive: true });
  assay('decomposition', 'run', '--golden', 'suite', '--extractor', 'local', '--no-semantic');
}

/** The example of an experiment, with scores in the store and a blind evaluation that has begun. */
export function addReviews({ folder, assay }: DashboardProject): void {
  cpSync('examples/workflow', join(folder, 'reviews'), { recursive: true });
  const truth = [
    '--truth',
    'reviews/truth/webhook-relay.yaml',
    '--documents',
    'reviews/documents/webhook-relay',
  ];
  for (const name of ['review-1', 'review-2'])
    assay('workflow', 'score', ...truth, '--runs', `reviews/runs/${name}`);
  assay(
    'workflow',
    'blind',
    'start',
    ...truth,
    '--runs',
    'reviews/runs/review-2',
    '--out',
    'blind',
    '--by',
    'ada',
  );
}
