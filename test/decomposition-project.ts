/** A small project with golden cases whose figures can be computed by hand. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandResult } from '../src/testing/run-command.ts';
import { bareEnv } from './bare-env.ts';
import { assayIn } from './command-folder.ts';
import { LAUNCHER } from './launcher.ts';

const CONCEPTS = [
  'glacier',
  'harbour',
  'lantern',
  'meadow',
  'orchard',
  'pebble',
  'quarry',
  'saddle',
  'timber',
  'walnut',
];
const CANARY = 'phantom tide';
const TEXT = `${CONCEPTS.map((one) => `There is a ${one} of which much is said.`).join(' ')}`;

/** `case-1` … `case-n`: ten concepts, each causing the next. */
export function writeGolden(folder: string, cases = 8, version = '1.0'): void {
  mkdirSync(folder, { recursive: true });
  for (let i = 1; i <= cases; i++) {
    const golden = {
      id: `case-${i}`,
      topic: 'Things',
      domain: 'technical',
      version,
      created: '2026-01-29',
      sourceText: `${TEXT} ${ownWords(i)}.`,
      expectedConcepts: CONCEPTS.map((label, at) => ({ label, aliases: [], required: at < 5 })),
      expectedRelationships: edges(CONCEPTS.length),
      forbiddenConcepts: [CANARY],
      forbiddenRelationships: [{ source: 'walnut', target: 'glacier', predicate: 'CAUSES' }],
    };
    writeFileSync(join(folder, `case-${i}.gold.json`), JSON.stringify(golden, null, 2));
  }
}

/** So many that no two texts are nearly the same. */
function ownWords(text: number): string {
  return Array.from({ length: 150 }, (_, word) => `w${text}x${word}`).join(' ');
}

export type OutputParts = {
  /** The first so many of the ten concepts. */
  readonly found: number;
  readonly canary?: boolean;
  readonly forbidden?: boolean;
  readonly promptVersion?: string;
  readonly promptSha256?: string;
  readonly model?: string;
  readonly latencyMs?: number;
  readonly costUsd?: number;
};

/** Precision, relationship accuracy and provenance are 1; recall is found / 10; overall is 0.6 + 0.025 × found. */
export function outputWith({ found, canary, forbidden, ...rest }: OutputParts): object {
  const labels = [...CONCEPTS.slice(0, found), ...(canary ? [CANARY] : [])];
  return {
    concepts: labels.map((label) => ({ label, sourceQuote: `There is a ${label} of which much is said.` })),
    relationships: [
      ...edges(found),
      ...(forbidden ? [{ source: 'walnut', target: 'glacier', predicate: 'CAUSES' }] : []),
    ],
    ...rest,
  };
}

/** What outputs carry that a prompt with these words made. */
export function madeWith(words: string, model = 'm') {
  return { promptSha256: createHash('sha256').update(words).digest('hex'), model };
}

export function writeOutputs(
  folder: string,
  of: OutputParts | ((i: number) => OutputParts),
  cases = 8,
): void {
  mkdirSync(folder, { recursive: true });
  for (let i = 1; i <= cases; i++) {
    const parts = typeof of === 'function' ? of(i) : of;
    writeFileSync(join(folder, `case-${i}.json`), JSON.stringify(outputWith(parts)));
  }
}

function edges(count: number): object[] {
  return CONCEPTS.slice(0, count)
    .slice(1)
    .map((target, i) => ({ source: CONCEPTS[i], target, predicate: 'CAUSES' }));
}

export type MetricJson = {
  readonly value: number | null;
  readonly low: number | null;
  readonly n: number;
  readonly zone: string | null;
  readonly reason?: string;
};

export type RunJson = {
  readonly run: { id: string; subject: string; prompt: string | null; prompt_sha256: string | null };
  readonly suite: { truth_hash: string; n_cases: number; metrics: Record<string, MetricJson> };
  readonly cases: { id: string; metrics: Record<string, MetricJson>; [key: string]: unknown }[];
  readonly gate: {
    verdict: string;
    exit_code: number;
    reasons: string[];
    checks: { id: string; outcome: string }[];
  };
  readonly comparison: {
    action: string;
    differences: string[];
    metrics: Record<string, { size: string; points: number | null; paired?: { verdict: string } }>;
    cases: { id: string; metrics: Record<string, { points: number }> }[];
  };
  readonly notes: string[];
  readonly trends: readonly { readonly metric: string; readonly declines: number; readonly alert: boolean }[];
};

export type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** A folder of its own with golden cases, and the commands run in it. */
export function openProject(cases = 8) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-row3-'));
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n');
  writeGolden(join(folder, 'golden'), cases);
  const env = bareEnv(folder);
  const at = (name: string) => join(folder, name);
  const assay = (...words: string[]): Promise<CommandResult> => assayIn(folder, ['decomposition', ...words]);
  return {
    folder,
    env,
    at,
    assay,
    /** The same without waiting, for what runs at once or needs a server of this process. */
    start: (words: readonly string[], more: Record<string, string> = {}): Promise<Ended> => {
      const argv = [LAUNCHER, 'decomposition', ...words];
      const child = spawn(process.execPath, argv, { cwd: folder, env: { ...env, ...more } });
      const text = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (chunk: string) => {
          text[name] += chunk;
        });
      }
      return new Promise((done) => child.on('close', (status) => done({ status, ...text })));
    },
    json: async (...words: string[]): Promise<RunJson> => {
      const { stdout, stderr } = await assay(...words, '--format', 'json');
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as RunJson;
    },
    outputs: (name: string, of: Parameters<typeof writeOutputs>[1], count = cases) =>
      writeOutputs(at(name), of, count),
    read: (name: string) => readFileSync(at(name), 'utf8'),
    write: (name: string, text: string) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
    },
    readJson: (name: string) => JSON.parse(readFileSync(at(name), 'utf8')),
    close: () => rmSync(folder, { recursive: true }),
  };
}

export type Project = ReturnType<typeof openProject>;
