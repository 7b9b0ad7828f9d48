/** Conformance with the shared Codex and Gemini files; token figures are those of ccusage 20.0.24 where it reads them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../event.ts';
import { codexAdapter } from './codex/adapter.ts';
import type { Adapter } from './format.ts';
import { geminiAdapter } from './gemini.ts';
import { expectWellFormed, type Read, readLines } from './testing/read-events.ts';

const data = '../shared/data/session';
const fixtures = `${data}/format-fixtures/Resources/Fixtures`;

function parse(text: string): { records: unknown[]; document: boolean } {
  try {
    return { records: [JSON.parse(text)], document: true };
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return { records: lines.map((line): unknown => JSON.parse(line)), document: false };
  }
}

function read(adapter: Adapter, path: string): Read {
  const { records, document } = parse(readFileSync(path, 'utf8'));
  expect(adapter.detect({ records: records.slice(0, 20), document, path }), path).toBe(true);
  const elements = document && adapter.elements ? [...adapter.elements(records[0], { path })] : records;
  const one = readLines(adapter, elements, path);
  expectWellFormed(one);
  expect(one.unknown, path).toEqual([]);
  return one;
}

function tokens({ events }: Read): number[] {
  const messages = new Map<string, Usage>();
  for (const event of events) {
    if (event.kind === 'reply' && event.usage)
      messages.set(`${event.session} ${event.messageId}`, event.usage);
  }
  const all = [...messages.values()];
  return (['input', 'output', 'cacheRead'] as const).map((name) =>
    all.reduce((sum, one) => sum + one[name], 0),
  );
}

const table = (adapter: Adapter, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [basename(path), tokens(read(adapter, path))]));

describe.skipIf(!existsSync(data))('the shared Codex rollouts', () => {
  it('are all known to the last record, with the tokens that are in them', () => {
    const paths = globSync([`${fixtures}/codex_05*.jsonl`, `${fixtures}/stage0/agents/codex/*.jsonl`]).sort();
    expect(table(codexAdapter, paths)).toEqual({
      'codex_050_legacy.jsonl': [1420, 910, 0],
      'codex_051_usage.jsonl': [2460, 2430, 1800],
      'codex_052_raw.jsonl': [1620, 880, 980],
      'codex_053_rate_limit.jsonl': [1211, 182, 10_880],
      'large.jsonl': [1211, 182, 10_880],
      'schema_drift.jsonl': [0, 0, 0],
      'small.jsonl': [12_757, 81, 3584],
    });
  });
});

describe.skipIf(!existsSync(data))('the shared Gemini sessions', () => {
  it('are all known to the last record, with the tokens that are in them and thoughts as output', () => {
    const paths = [
      ...globSync(`${data}/claude-code/sessions/*.gemini.json`),
      ...globSync(`${fixtures}/stage0/agents/gemini/*`),
    ].sort();
    expect(table(geminiAdapter, paths)).toEqual({
      '2026-01-09-faff42ab-6ea5-4f78-b8c4-f7dd6272af08.gemini.json': [13_635, 70 + 232, 35_330],
      '29eb990e-c773-4302-a4e7-317f0af0001f.gemini.json': [0, 0, 0],
      'jsonl_v040.jsonl': [12_422, 228, 11_502],
      'large.json': [100, 10, 0],
      'schema_drift.json': [0, 0, 0],
      'small.json': [10, 5, 0],
    });
  });
});
