/** A project as people have one, made by the commands themselves from the bundled examples and the golden suite. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { openServer } from '../src/server/open-server.ts';
import type { CommandResult } from '../src/testing/run-command.ts';
import { withoutKey } from '../src/testing/server-keys.ts';
import { assayIn } from './command-folder.ts';

export type DashboardProject = {
  readonly folder: string;
  readonly assay: (...words: string[]) => Promise<CommandResult>;
  /** Returns its output only. */
  readonly print: (...words: string[]) => Promise<string>;
  /** The dashboard and its API over this folder; `web` are the built pages. */
  readonly serve: (web: string) => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
  readonly close: () => void;
};

/** Hostile text for every field; `hit` shows whether a browser ran it. */
export const HOSTILE = `=1+1<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>"'\``;

export function openDashboardProject(): DashboardProject {
  const folder = mkdtempSync(join(tmpdir(), 'assay-dashboard-'));
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n');
  const assay = (...words: string[]) => assayIn(folder, words);
  return {
    folder,
    assay,
    print: async (...words) => (await assay(...words)).stdout,
    serve: async (web) => {
      const store = join(folder, '.local/share/assay/assay.db');
      const ports = () => defaultPorts({ store, folder, identity: () => 'Ada Lovelace' });
      const serving = await openServer({
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
      withoutKey(serving.pageAt());
      return serving;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** Four runs of one suite, each worse than the one before, so that an alert is raised; the last one was let through. */
export async function addSuite({ folder, assay }: DashboardProject): Promise<void> {
  cpSync('examples/decomposition/golden', join(folder, 'golden'), { recursive: true });
  cpSync('prompts', join(folder, 'prompts'), { recursive: true });
  for (let lost = 0; lost < 4; lost++) copyOutputs(folder, lost);
  const run = ['--no-semantic', '--outputs'];
  await assay('decomposition', 'baseline', ...run, 'outputs-0');
  for (const name of ['outputs-1', 'outputs-2']) await assay('decomposition', 'run', ...run, name);
  await assay('decomposition', 'compare', ...run, 'outputs-3', '--approve', 'fewer concepts on purpose');
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

const REVIEWED = [
  ...['--truth', 'reviews/truth/webhook-relay.yaml'],
  ...['--documents', 'reviews/documents/webhook-relay'],
];

/** The example of an experiment, with scores in the store. */
export async function addReviews({ folder, assay }: DashboardProject): Promise<void> {
  cpSync('examples/workflow', join(folder, 'reviews'), { recursive: true });
  for (const name of ['review-1', 'review-2'])
    await assay('workflow', 'score', ...REVIEWED, '--runs', `reviews/runs/${name}`);
}

/** A blind evaluation of one of its reviews, which seals its ground truth. */
export async function startBlindReview({ assay }: DashboardProject): Promise<void> {
  const to = ['--runs', 'reviews/runs/review-2', '--out', 'blind', '--by', 'ada'];
  await assay('workflow', 'blind', 'start', ...REVIEWED, ...to);
}

/** A review of two findings against two known errors, with given names and words; `sealed` by an evaluation. */
export async function addSmallReview(
  { folder, assay }: DashboardProject,
  name: string,
  {
    workflow,
    words,
    sealed,
  }: { readonly workflow: string; readonly words: string; readonly sealed: boolean },
): Promise<void> {
  const errors = ['E1', 'E2'].map((id, index) => ({
    id,
    severity: index === 0 ? 'CRITICAL' : 'MINOR',
    category: 'SECURE',
    description: `${words} (error ${id})`,
    locations: [{ file: 'plan.md', section: words, lines: [index * 10 + 1, index * 10 + 2] }],
  }));
  const findings = ['F1', 'F2'].map((id, index) => ({
    id,
    title: `${words} (finding ${id})`,
    description: words,
    category: 'SECURE',
    file: 'plan.md',
    section: words,
    lines: [index * 10 + 1, index * 10 + 1],
    quote: words,
  }));
  const write = (path: string, value: object) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, path), JSON.stringify(value));
  };
  write('truth.json', { task: name, version: '1', errors });
  for (const run of ['1', '2', '3'])
    write(`run-${run}.json`, { workflow, task: name, run, truth_version: '1', findings });
  write('experiment.json', {
    name: words,
    tasks: [{ task: name, truth: 'truth.json' }],
    runs: [{ workflow, task: name, files: ['run-1.json', 'run-2.json', 'run-3.json'] }],
  });
  const truth = ['--truth', `${name}/truth.json`];
  await assay(
    'workflow',
    'score',
    ...truth,
    '--runs',
    `${name}/run-1.json`,
    `${name}/run-2.json`,
    `${name}/run-3.json`,
  );
  if (sealed)
    await assay(
      ...['workflow', 'blind', 'start', ...truth, '--runs', `${name}/run-1.json`],
      ...['--out', `${name}-blind`, '--by', 'ada'],
    );
}

/** A suite of one case in which every text is the given one. */
export async function addOddSuite({ folder, assay }: DashboardProject, words: string): Promise<void> {
  mkdirSync(join(folder, 'golden'));
  const sourceText = `A tide is a flow. ${words} The moon causes the tide.`;
  const golden = {
    id: 'odd-case',
    topic: words,
    domain: 'ecological',
    version: '1.0',
    created: '2026-01-29',
    citation: words,
    sourceText,
    expectedConcepts: ['tide', 'moon', 'flow', `missed ${words}`].map((label) => ({ label })),
    expectedRelationships: [
      { source: 'moon', target: 'tide', predicate: 'CAUSES' },
      { source: 'tide', target: `missed ${words}`, predicate: 'CAUSES' },
    ],
    forbiddenConcepts: [`canary ${words}`],
  };
  writeFileSync(join(folder, 'golden/odd-case.gold.json'), JSON.stringify(golden));
  const author = `${words} as an author`.replaceAll(/["\\]/g, '\\$&');
  writeFileSync(join(folder, '.gitconfig'), `[user]\n\tname = "${author}"\n\temail = ada@example.org\n`);
  const run = ['--no-semantic', '--min-cases', '1', '--outputs'];
  for (const found of [3, 2, 1, 0]) {
    mkdirSync(join(folder, `odd-${found}`));
    const labels = [`invented ${words}`, `canary ${words}`, ...['moon', 'tide', 'flow'].slice(0, found)];
    const concepts = labels.map((label) => ({ label, sourceQuote: words }));
    const relationships = [{ source: `invented ${words}`, target: 'tide', predicate: 'CAUSES' }];
    const output = { model: words, promptVersion: words, concepts, relationships };
    writeFileSync(join(folder, `odd-${found}/odd-case.json`), JSON.stringify(output));
    await assay('decomposition', found === 3 ? 'baseline' : 'run', ...run, `odd-${found}`);
  }
  await assay('decomposition', 'compare', ...run, 'odd-0', '--approve', `${words} let through`);
}
