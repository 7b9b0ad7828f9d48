import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../event.ts';
import { readFile } from '../../reading/read-file.ts';
import { placeSidecar } from '../../reading/transcript.ts';
import type { Sidecar } from '../format.ts';
import { readSidecars, sidecarPaths } from './sidecar.ts';
import { readTrajectory } from './trajectory.ts';

let home: string;
let sessions: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-openclaw-'));
  sessions = join(home, 'agents', 'main', 'sessions');
  cpSync('test/fixtures/session/openclaw-home', home, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const sidecar = (name: string) => readSidecars(join(sessions, name));
const sessionFacts = ({ before }: Sidecar) => Object.assign({}, ...before);
const endsOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === 'end' ? [event.reason] : []));

describe('the index of sessions', () => {
  it('gives a sub-agent its parent, model, tokens and cost, and how it ended', () => {
    const child = sidecar('child-1.jsonl');
    expect(sessionFacts(child)).toMatchObject({
      sessionId: 'child-1',
      parentSessionId: 'chat-1',
      agent: 'main',
      trigger: 'subagent',
      model: 'small-model',
      costUsd: 0.25,
      usage: { input: 50, output: 5, cacheRead: 3, cacheWrite: 0 },
    });
    expect(endsOf(child.after)).toEqual(['timeout']);
  });

  it('names neither a trigger nor the tokens of the last run for a conversation of many runs', () => {
    rmSync(join(sessions, 'chat-1.trajectory.jsonl'));
    const chat = sidecar('chat-1.jsonl');
    const facts = sessionFacts(chat);
    expect(facts).toMatchObject({ sessionId: 'chat-1', agent: 'main', model: 'big-model' });
    for (const name of ['trigger', 'usage', 'costUsd']) expect(facts).not.toHaveProperty(name);
    expect(endsOf(chat.after)).toEqual(['open']);
  });

  it('knows an earlier session of the same conversation, but not how that one ended', () => {
    const archive = sidecar('chat-0.jsonl.reset.2026-06-01T00-00-00.000Z');
    expect(sessionFacts(archive)).toMatchObject({ sessionId: 'chat-0', agent: 'main' });
    expect(archive.after).toEqual([]);
  });

  it('is read again when it changes', () => {
    expect(endsOf(sidecar('child-1.jsonl').after)).toEqual(['timeout']);
    const path = join(sessions, 'sessions.json');
    writeFileSync(path, '{"agent:main:subagent:u1":{"sessionId":"child-1","status":"done"}}');
    utimesSync(path, 1, 1);
    expect(endsOf(sidecar('child-1.jsonl').after)).toEqual(['normal']);
  });
});

describe('the log of a cron job', () => {
  it('tells how the run of a session ended, what it used and whether it was delivered', () => {
    const cron = sidecar('cron-1.jsonl');
    expect(sessionFacts(cron)).toMatchObject({
      sessionId: 'cron-1',
      trigger: 'cron',
      model: 'small-model',
      usage: { input: 70, output: 7, cacheRead: 3, cacheWrite: 0 },
    });
    expect(endsOf(cron.after)).toEqual(['timeout']);
    expect(cron.after).toContainEqual(
      expect.objectContaining({ kind: 'artifact', artifact: 'message', ok: false }),
    );
  });

  it('still tells of a session that the index has forgotten', () => {
    writeFileSync(join(sessions, 'sessions.json'), '{}');
    const cron = sidecar('cron-1.jsonl');
    expect(sessionFacts(cron)).toMatchObject({ trigger: 'cron', usage: { input: 70, output: 7 } });
    expect(endsOf(cron.after)).toEqual(['timeout']);
    expect(sidecarPaths(join(sessions, 'cron-1.jsonl'))).toContainEqual(
      join(sessions, '..', '..', '..', 'cron', 'runs', 'job-1.jsonl'),
    );
    expect(sidecar('other.jsonl').before).toEqual([]);
  });

  it('makes no cron session of a conversation that a job wrote into', () => {
    writeFileSync(join(sessions, 'sessions.json'), '{}');
    const run = { action: 'finished', status: 'ok', sessionId: 'talk', sessionKey: 'agent:main:main' };
    writeFileSync(join(home, 'cron', 'runs', 'job-2.jsonl'), `${JSON.stringify(run)}\n`);
    expect(sidecar('talk.jsonl').before).toEqual([]);
  });
});

describe('the trajectory', () => {
  it('is preferred for how runs ended, and tells what they sent', () => {
    const { between, after } = sidecar('chat-1.jsonl');
    expect(
      between.map((event) => (event.kind === 'artifact' ? [event.artifact, event.ok] : event.kind)),
    ).toEqual([['message', true], ['cron', true], ['file', false], 'end']);
    expect(endsOf(between)).toEqual(['normal']);
    expect(endsOf(after)).toEqual(['timeout']);
  });

  it('adds up the tokens of all runs, and names a trigger only when all runs have the same', () => {
    const facts = sessionFacts(sidecar('chat-1.jsonl'));
    expect(facts.usage).toEqual({ input: 100, output: 10, cacheRead: 1, cacheWrite: 2 });
    expect(facts).not.toHaveProperty('trigger');
    const started = (data: object) => ({ type: 'session.started', runId: 'r', data });
    expect(
      readTrajectory([started({ trigger: 'heartbeat' }), started({ trigger: 'heartbeat' })]).trigger,
    ).toBe('heartbeat');
    expect(readTrajectory([started({ trigger: 'heartbeat', messageProvider: 'cron-event' })]).trigger).toBe(
      'cron',
    );
  });

  it('counts compactions of all runs, and only those that the transcript does not show are added', () => {
    const artifacts = (runId: string, compactionCount: unknown) => ({
      type: 'trace.artifacts',
      runId,
      data: { compactionCount },
    });
    const { compactions } = readTrajectory([
      artifacts('a', 1),
      artifacts('b', 9),
      artifacts('b', 2),
      artifacts('c', 'x'),
    ]);
    expect(compactions).toBe(3);
    const added = (shown: number) => {
      let count = 0;
      const one = { before: [], between: [], after: [], compactions };
      placeSidecar(
        one,
        ({ kind }) => (count += kind === 'compaction' ? 1 : 0),
        undefined,
        () => shown,
      ).finish();
      return count;
    };
    expect([0, 1, 3, 5].map(added)).toEqual([3, 2, 0, 0]);
  });

  it('keeps the last word about a run that was tried again', () => {
    const ended = (status: string) => ({
      type: 'session.ended',
      runId: 'r',
      ts: '2026-06-03T18:00:00Z',
      data: { status },
    });
    expect(readTrajectory([ended('error'), ended('success')]).runs.map(endsOf)).toEqual([['normal']]);
  });

  it.each([
    [{ status: 'success' }, 'normal'],
    [{ status: 'error', promptError: 'x' }, 'error'],
    [{ status: 'interrupted', aborted: true }, 'aborted'],
    [{ status: 'success', timedOutDuringCompaction: true }, 'timeout'],
    [{ status: 'interrupted', aborted: true, timedOut: true }, 'timeout'],
  ])('%j is an end: %s', (data, reason) => {
    expect(readTrajectory([{ type: 'session.ended', runId: 'r', data }]).runs.map(endsOf)).toEqual([
      [reason],
    ]);
  });
});

describe('events of a sidecar', () => {
  const turn = (line: number, at: string): Event => ({
    kind: 'user',
    origin: 'user',
    text: '',
    line,
    at: Date.parse(at),
  });

  it('come before the transcript, between its runs and after it', () => {
    const seen: string[] = [];
    const events = placeSidecar(sidecar('chat-1.jsonl'), (event) => seen.push(`${event.line} ${event.kind}`));
    events.emit(turn(2, '2026-06-03T18:00:00Z'));
    events.emit({ kind: 'reply', text: 'done', line: 3 });
    events.emit(turn(4, '2026-06-03T18:30:00Z'));
    events.finish();
    expect(seen).toEqual([
      ...['1 session', '1 session', '2 user', '3 reply'],
      ...['3 artifact', '3 artifact', '3 artifact', '3 end'],
      ...['4 user', '4 end'],
    ]);
  });

  it('are not given twice when a transcript is read on', () => {
    const seen: string[] = [];
    const since = Date.parse('2026-06-03T18:20:00Z');
    const events = placeSidecar(sidecar('chat-1.jsonl'), (event) => seen.push(event.kind), since);
    events.emit(turn(4, '2026-06-03T18:30:00Z'));
    expect(seen).toEqual(['session', 'session', 'user']);
  });
});

describe('files beside a transcript', () => {
  it('may all be missing', () => {
    expect(readSidecars('/nowhere/agents/x/sessions/a.jsonl')).toEqual({
      before: [],
      between: [],
      after: [],
    });
    expect(sidecarPaths('/nowhere/a.jsonl')).toEqual([]);
  });

  it('are not read through links, and folders in their place do no harm', () => {
    const other = join(home, 'agents', 'other', 'sessions');
    mkdirSync(join(other, 'b.trajectory.jsonl'), { recursive: true });
    symlinkSync(join(sessions, 'sessions.json'), join(other, 'sessions.json'));
    symlinkSync(join(sessions, 'chat-1.trajectory.jsonl'), join(other, 'child-1.trajectory.jsonl'));
    expect(readSidecars(join(other, 'child-1.jsonl'))).toEqual({ before: [], between: [], after: [] });
    expect(readSidecars(join(other, 'b.jsonl'))).toEqual({ before: [], between: [], after: [] });
  });

  it('may hold anything', () => {
    const line = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          type: fc.constantFrom('session.ended', 'trace.artifacts', 'session.started'),
          data: fc.jsonValue(),
          ts: fc.jsonValue(),
          runId: fc.jsonValue(),
        })
        .map((record) => JSON.stringify(record)),
    );
    const entry = fc.dictionary(
      fc.constantFrom(
        'sessionId',
        'spawnedBy',
        'status',
        'model',
        'inputTokens',
        'usageFamilySessionIds',
        'estimatedCostUsd',
      ),
      fc.oneof(fc.constant<unknown>('a'), fc.jsonValue()),
    );
    const key = fc.constantFrom(
      'agent:main:main',
      'agent:main:cron:job-1',
      'hook:1',
      '__proto__',
      'agent:::',
      'cron:',
    );
    fc.assert(
      fc.property(
        fc.array(line),
        fc.dictionary(key, fc.oneof(entry, fc.jsonValue())),
        fc.array(line),
        (lines, index, runs) => {
          writeFileSync(join(sessions, 'a.trajectory.jsonl'), lines.join('\n'));
          writeFileSync(join(sessions, 'sessions.json'), JSON.stringify(index));
          writeFileSync(join(home, 'cron', 'runs', 'job-1.jsonl'), runs.join('\n'));
          const { before, between, after } = sidecar('a.jsonl');
          for (const event of [...before, ...between, ...after]) expect(typeof event.kind).toBe('string');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a transcript that is read on', () => {
  it('has as many compactions as one that is read at once', async () => {
    const path = join(sessions, 'long.jsonl');
    const entry = (id: string, parentId: string | null, more: object) =>
      `${JSON.stringify({ id, parentId, timestamp: '2026-06-03T18:00:00.000Z', ...more })}\n`;
    const head = `${JSON.stringify({ type: 'session', version: 3, id: 'long', timestamp: '2026-06-03T18:00:00.000Z', cwd: '/' })}\n`;
    const said = { type: 'message', message: { role: 'user', content: '[OpenClaw heartbeat poll]' } };
    const reply = {
      type: 'message',
      message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    };
    const compaction = { type: 'compaction', summary: 's', firstKeptEntryId: 'a', tokensBefore: 1 };
    // Only what has told its format is read on.
    const chat = Array.from({ length: 20 }, (_, i) => entry(`m${i}`, i === 0 ? 'a' : `m${i - 1}`, reply));
    const first = head + entry('a', null, said) + chat.join('') + entry('b', 'm19', compaction);
    const record = { type: 'trace.artifacts', runId: 'r', data: { compactionCount: 3 } };
    writeFileSync(join(sessions, 'long.trajectory.jsonl'), `${JSON.stringify(record)}\n`);
    writeFileSync(path, first);
    const before = await readFile(path, { remember: true });
    writeFileSync(path, first + entry('c', 'b', compaction) + entry('d', 'c', reply));
    const resume = before.progress;
    const both = [await readFile(path), await readFile(path, { resume })];
    expect(both.map(({ resumed }) => resumed)).toEqual([false, true]);
    for (const { sessions: read } of both)
      expect(read[0]?.runs.reduce((sum, { compactions }) => sum + compactions, 0)).toBe(3);
  });
});
