/** Conformance with the shared transcripts; the figures are those of their README and of a count by hand. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../event.ts';
import { openclawAdapter } from './openclaw/adapter.ts';
import { piAdapter } from './pi.ts';

const data = './shared/data/session';
const fixtures = `${data}/format-fixtures/Resources/Fixtures/stage0/agents`;

function recordsOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function read(path: string) {
  const records = recordsOf(path);
  const sample = { records: records.slice(0, 20), document: false, path };
  const isOpenclaw = openclawAdapter.detect(sample);
  const adapter = isOpenclaw ? openclawAdapter : piAdapter;
  const isKnown = adapter.detect(sample);
  const events: Event[] = [];
  const unknown: string[] = [];
  const state = openclawAdapter.start({ path });
  for (const [index, record] of records.entries()) {
    const type = adapter.step(state, record, index + 1, (event) => events.push(event));
    if (type !== undefined) unknown.push(type);
  }
  return { format: isKnown ? (isOpenclaw ? 'openclaw' : 'pi') : undefined, events, unknown, records };
}

const count = (events: readonly Event[], kind: Event['kind']) =>
  events.filter((event) => event.kind === kind).length;
const failed = (events: readonly Event[]) =>
  events.filter((event) => event.kind === 'result' && event.ok === false).length;
const cost = (events: readonly Event[]) =>
  events.reduce((sum, event) => sum + (event.kind === 'reply' ? (event.costUsd ?? 0) : 0), 0);

describe.skipIf(!existsSync(data))('the shared pi and OpenClaw transcripts', () => {
  it.each([
    [
      'before-compaction',
      { cost: '42.60', failed: 10, results: 448, replies: 484, calls: 454, compactions: 2, interrupts: 18 },
    ],
    [
      'large-session',
      { cost: '30.33', failed: 17, results: 373, replies: 453, calls: 391, compactions: 0, interrupts: 21 },
    ],
  ])('pi/%s', (name, expected) => {
    const { format, events, unknown } = read(`${data}/pi/${name}.jsonl`);
    expect(format).toBe('pi');
    expect(unknown).toEqual([]);
    expect({
      cost: cost(events).toFixed(2),
      failed: failed(events),
      results: count(events, 'result'),
      replies: count(events, 'reply'),
      calls: count(events, 'call'),
      compactions: count(events, 'compaction'),
      interrupts: count(events, 'interrupt'),
    }).toEqual(expected);
  });

  it('every entry of the pi sessions has a key of its own', () => {
    for (const path of globSync(`${data}/pi/*.jsonl`)) {
      const messages = recordsOf(path).filter((record) => (record as { type: string }).type === 'message');
      expect(new Set(messages.map((record) => piAdapter.entryKey?.(record))).size).toBe(messages.length);
    }
  });

  it.each([
    ['pi/small', 'pi', []],
    ['openclaw/small', 'openclaw', []],
    ['openclaw/large', 'openclaw', []],
    ['openclaw/schema_drift', 'openclaw', ['message system', 'compact']],
  ])('%s', (name, format, unknown) => {
    const read_ = read(`${fixtures}/${name}.jsonl`);
    expect(read_.format).toBe(format);
    expect(read_.unknown).toEqual(unknown);
    expect(count(read_.events, 'call')).toBe(count(read_.events, 'result'));
    expect(failed(read_.events)).toBe(0);
  });

  it('takes no other agent’s transcript for its own', () => {
    const others = globSync(`${data}/**/*.jsonl`).filter((path) => !/[/\\](?:pi|openclaw)[/\\]/.test(path));
    expect(others.length).toBeGreaterThan(50);
    const mistaken = others.filter((path) => {
      const sample = { records: recordsOf(path).slice(0, 20), document: false, path };
      return piAdapter.detect(sample) || openclawAdapter.detect(sample);
    });
    expect(mistaken).toEqual([]);
  });
});
