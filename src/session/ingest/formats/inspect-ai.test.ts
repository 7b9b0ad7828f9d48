import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeZip } from '../../../archives/testing/make-zip.ts';
import { readReport } from '../../calibration/harness/read-report.ts';
import { readAll } from '../read-all.ts';
import { inspectAiAdapter } from './inspect-ai.ts';
import { expectWellFormed, ofKind, readDocument, sessionsOf } from './testing/read-events.ts';

const path = 'test/fixtures/session/inspect-ai/log.json';
const log = JSON.parse(readFileSync(path, 'utf8'));
const read = readDocument(inspectAiAdapter, log, path);

describe('logs of Inspect AI', () => {
  it('have a session for each sample', () => {
    expectWellFormed(read);
    expect(read.unknown).toEqual([]);
    expect(sessionsOf(read)).toEqual(['smp-1', 'log:q2:1']);
  });

  it('begin when a sample did, also where a system message stands first', () => {
    const [sample] = log.samples;
    const messages = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'Go.' },
    ];
    const started_at = '2026-08-01T10:00:00+00:00';
    const one = readDocument(
      inspectAiAdapter,
      { ...log, samples: [{ ...sample, started_at, messages }] },
      path,
    );
    expect(ofKind(one, 'user')[0]?.at).toBe(Date.UTC(2026, 7, 1, 10));
  });

  it('restore long texts, and tell failed and denied calls from what a command printed', () => {
    expect(ofKind(read, 'user')[0]?.text).toBe('How many boats lie in the harbour?');
    const [first, second, third] = ofKind(read, 'result');
    expect(first).toMatchObject({ callId: 't1', ok: false });
    expect(second).not.toHaveProperty('ok');
    expect(third).toMatchObject({ callId: 't3', denied: true });
  });

  it('count tokens once, with what was cached apart, and say how a sample ended', () => {
    expect(ofKind(read, 'session')[0]).toMatchObject({
      model: 'gpt-5-mini',
      project: 'harbour',
      usage: { input: 300, output: 90, cacheRead: 1000, cacheWrite: 0 },
    });
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal', 'limit']);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
  });
});

describe('an archive of Inspect AI', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-inspect-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const { samples, ...header } = log;
  const members = {
    'header.json': JSON.stringify(header),
    'samples/q1_epoch_1.json': JSON.stringify(samples[0]),
    'samples/q2_epoch_1.json': JSON.stringify(samples[1]),
  };

  it.each(['stored', 'deflate', 'zstd', 'zstd twice'] as const)(
    'packed by %s reads like the log',
    async (how) => {
      const archive = join(folder, 'log.eval');
      writeFileSync(archive, makeZip(members, how));
      const { sessions } = await readAll([archive]);
      const { sessions: same } = await readAll([path]);
      const summaryOf = (all: typeof sessions) =>
        all
          .map(({ facts: { sessionId, runs } }) => [
            sessionId,
            runs[0]?.tools.calls,
            runs[0]?.end,
            runs[0]?.models,
          ])
          .sort();
      expect(summaryOf(sessions)).toEqual(summaryOf(same));
      expect((await readReport(archive)).labels.map(({ task, outcome }) => [task, outcome])).toEqual([
        ['q1', 1],
        ['q2', 0],
      ]);
    },
  );

  it('of an evaluation that broke off, with a damaged sample, gives what there is', async () => {
    const archive = join(folder, 'log.eval');
    const { 'header.json': start, ...rest } = members;
    writeFileSync(
      archive,
      makeZip({ '_journal/start.json': start, ...rest, 'samples/q3_epoch_1.json': '{"id": "q3"' }),
    );
    const { sessions, readings } = await readAll([archive]);
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(readings)).toContain('not JSON');
  });

  it('that is any other archive, or cut off, is no transcript', async () => {
    const other = join(folder, 'other.eval');
    writeFileSync(other, makeZip({ 'readme.txt': 'hello' }));
    const cut = join(folder, 'cut.eval');
    writeFileSync(cut, makeZip(members).subarray(0, 300));
    const { sessions, readings } = await readAll([other, cut]);
    expect(sessions).toEqual([]);
    expect(JSON.stringify(readings)).toContain('not a transcript');
  });
});
