/**
 * How often a detected correction is one, over real conversations. The labels were given by reading every detection;
 * they hold ids, no text. Detections that nobody has read count as wrong.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../event.ts';
import { claudeCodeAdapter } from '../ingest/formats/claude-code/adapter.ts';
import type { Adapter } from '../ingest/formats/format.ts';
import { piAdapter } from '../ingest/formats/pi/adapter.ts';
import { tauAdapter } from '../ingest/formats/tau-bench/adapter.ts';
import { tau2Adapter } from '../ingest/formats/tau2-bench/adapter.ts';
import { startFold, step } from './fold.ts';
import type { FoldState } from './state.ts';

const DATA = '../shared/data/session';
const FOLDERS: readonly (readonly [folder: string, inside: string, adapter: Adapter])[] = [
  ['claude-code', 'claude-code/sessions', claudeCodeAdapter],
  ['pi', 'pi', piAdapter],
  ['tau-bench', 'tau-bench', tauAdapter],
  ['tau2-bench', 'tau2-bench', tau2Adapter],
];

type Label = { readonly file: string; readonly line: number; readonly correction: boolean };
const labels = JSON.parse(readFileSync('test/fixtures/session/corrections/labels.json', 'utf8')) as Label[];

function read(path: string, adapter: Adapter, take: (event: Event, session: string) => void): void {
  const state = adapter.start({ path });
  const emit = (event: Event, session = '') => take(event, session);
  const text = readFileSync(path, 'utf8');
  const lines = path.endsWith('.jsonl')
    ? text.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line)))
    : undefined;
  let line = 0;
  for (const record of lines ?? adapter.elements?.(JSON.parse(text)) ?? []) {
    line += 1;
    if (record !== undefined) adapter.step(state, record, line, emit);
  }
}

/** `file:line` of every event that was counted as a correction. */
function detections(): string[] {
  const found: string[] = [];
  for (const [folder, inside, adapter] of FOLDERS) {
    const names = readdirSync(`${DATA}/${inside}`).filter((name) =>
      /(?<!index)(?<!gemini)\.jsonl?$/.test(name),
    );
    for (const name of names.sort()) {
      const folds = new Map<string, FoldState>();
      read(`${DATA}/${inside}/${name}`, adapter, (event, session) => {
        const fold = folds.get(session) ?? startFold(folder);
        folds.set(session, fold);
        const before = count(fold);
        step(fold, event);
        if (count(fold) > before) found.push(`${folder}/${name}:${event.line}`);
      });
    }
  }
  return found;
}

const count = (fold: FoldState) => fold.runs.reduce((total, run) => total + run.corrections, 0);

describe.skipIf(!existsSync(DATA))('corrections in the shared conversations', () => {
  it('are found with a precision of at least 0.8', { timeout: 120_000 }, () => {
    const found = detections();
    const right = new Set(labels.filter((one) => one.correction).map((one) => `${one.file}:${one.line}`));
    const hits = found.filter((one) => right.has(one)).length;
    process.stdout.write(`${hits} of ${found.length} corrections found are corrections\n`);
    expect(found.length).toBeGreaterThan(60);
    expect(hits / found.length).toBeGreaterThanOrEqual(0.8);
  });
});
