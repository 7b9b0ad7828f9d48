/** Conformance with the shared transcripts. Token figures are those of ccusage 20.0.24 on the same files. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../event.ts';
import { expectWellFormed, ofKind, type Read, readLines } from '../testing/read-events.ts';
import { claudeCodeAdapter } from './adapter.ts';

const data = '../shared/data/session';
const agents = `${data}/format-fixtures/Resources/Fixtures/stage0/agents`;

function read(path: string): Read & { lines: number; records: unknown[] } {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const kept = lines.filter((line) => claudeCodeAdapter.skipBytes?.(Buffer.from(line)) !== true);
  const records = kept.map((line): unknown => JSON.parse(line));
  return { ...readLines(claudeCodeAdapter, records, path), lines: lines.length, records };
}

function parse(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function add(sum: number[], read: Read): void {
  const messages = new Map<string, Usage>();
  for (const event of read.events) {
    if (event.kind === 'reply' && event.usage)
      messages.set(`${event.session} ${event.messageId}`, event.usage);
  }
  for (const { input, output, cacheWrite, cacheRead } of messages.values()) {
    [input, output, cacheWrite, cacheRead].forEach((count, index) => {
      sum[index] = (sum[index] ?? 0) + count;
    });
  }
}

describe.skipIf(!existsSync(data))('the shared Claude Code sessions', () => {
  const paths = globSync(`${data}/claude-code/sessions/*.jsonl`).sort();

  it('have the tokens that ccusage finds in them', () => {
    const all = [0, 0, 0, 0];
    const some: Record<string, number[]> = {};
    for (const path of paths) {
      const one = read(path);
      expect(one.unknown).toEqual([]);
      expectWellFormed(one);
      add(all, one);
      const sum = [0, 0, 0, 0];
      add(sum, one);
      some[basename(path).slice(0, 8)] = sum;
    }
    expect(paths).toHaveLength(41);
    expect(all).toEqual([34_054, 107_444, 5_358_129, 92_227_215]);
    expect(some['03a1382e']).toEqual([252, 9054, 362_980, 17_422_834]);
    expect(some['7505c804']).toEqual([104, 2541, 388_382, 8_602_989]);
    expect(some.a032db5a).toEqual([2657, 217, 645_474, 5_129_690]);
  });

  it('give the calls, refusals, interruptions, compactions and pull requests that are in them', () => {
    const count = { call: 0, denied: 0, failed: 0, interrupt: 0, compaction: 0, artifact: 0 };
    for (const path of paths) {
      const one = read(path);
      count.call += ofKind(one, 'call').length;
      for (const { denied, ok } of ofKind(one, 'result')) {
        if (denied) count.denied += 1;
        else if (ok === false) count.failed += 1;
      }
      count.interrupt += ofKind(one, 'interrupt').length;
      count.compaction += ofKind(one, 'compaction').length;
      count.artifact += ofKind(one, 'artifact').length;
    }
    expect(count).toEqual({ call: 1488, denied: 26, failed: 58, interrupt: 11, compaction: 4, artifact: 3 });
  });

  it('read from the fixtures, drifted ones too', () => {
    const fixtures = globSync(`${agents}/claude/**/*.jsonl`).sort();
    expect(fixtures).toHaveLength(5);
    for (const path of fixtures) {
      const one = read(path);
      expect(
        claudeCodeAdapter.detect({ records: one.records.slice(0, 20), document: false, path }),
        path,
      ).toBe(true);
      expectWellFormed(one);
      expect(ofKind(one, 'reply').length, path).toBeGreaterThan(0);
    }
  });

  it('are not taken for those of other agents', () => {
    for (const path of globSync(
      `${agents}/{qwen,pi,openclaw,codex,copilot,cursor,droid,grok,kimi}/**/*.jsonl`,
    )) {
      const records = readFileSync(path, 'utf8').split('\n').slice(0, 20).flatMap(parse);
      expect(claudeCodeAdapter.detect({ records, document: false, path }), path).toBe(false);
    }
  });
});
