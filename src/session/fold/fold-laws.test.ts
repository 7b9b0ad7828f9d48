import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexWork } from '../../testing/regex-work.ts';
import type { Event } from '../event.ts';
import { finish, startFold, step, withoutText } from './fold.ts';
import type { FoldState } from './state.ts';
import { folded, lined } from './testing/fold-events.ts';

const text = fc.oneof(
  fc.constantFrom(
    '',
    'HEARTBEAT_OK',
    'NO_REPLY',
    'no, that is wrong',
    'thanks, perfect',
    'Exit code 1',
    'Error: x',
  ),
  fc.string({ maxLength: 80 }),
);
const id = fc.constantFrom('a', 'b', 'c', 'd');
const usage = fc.record({ input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat() });
const tool = fc.constantFrom(
  'Bash',
  'Edit',
  'Task',
  'book_flight',
  'transfer_to_human',
  'message',
  '__proto__',
);
const input = fc.oneof(fc.jsonValue(), fc.record({ command: text }), fc.record({ file_path: id }));
const told = fc.oneof(
  fc.record({
    kind: fc.constant('user'),
    origin: fc.constantFrom('user', 'cron', 'heartbeat', 'subagent', 'hook', 'runtime'),
    text,
  }),
  fc.record(
    {
      kind: fc.constant('reply'),
      messageId: id,
      text,
      model: id,
      usage,
      costUsd: fc.nat().map((n) => n / 8),
      stop: fc.constantFrom('end', 'tool', 'length', 'error', 'aborted', 'refusal'),
    },
    { requiredKeys: ['kind', 'text'] },
  ),
  fc.record({ kind: fc.constant('call'), callId: id, tool, input }),
  fc.record(
    {
      kind: fc.constant('result'),
      callId: id,
      ok: fc.boolean(),
      running: fc.boolean(),
      denied: fc.boolean(),
      text,
    },
    { requiredKeys: ['kind', 'callId'] },
  ),
  fc.record(
    { kind: fc.constant('spawn'), spawnId: id, ok: fc.boolean() },
    { requiredKeys: ['kind', 'spawnId'] },
  ),
  fc.record({ kind: fc.constant('artifact'), artifact: fc.constantFrom('file', 'answer'), ok: fc.boolean() }),
  fc.record({ kind: fc.constant('end'), reason: fc.constantFrom('normal', 'error', 'open', 'unknown') }),
  fc.record({ kind: fc.constantFrom('compaction', 'interrupt') }),
  fc.record({ kind: fc.constantFrom('state-change', 'acceptance'), value: fc.double(), what: text }),
  fc.record(
    {
      kind: fc.constant('session'),
      sessionId: id,
      model: id,
      trigger: fc.constantFrom('cron', 'user'),
      costUsd: fc.nat(),
    },
    { requiredKeys: ['kind'] },
  ),
);
const events = fc.array(told, { maxLength: 60 }).map((list) => lined(list as Parameters<typeof lined>[0]));

const asJson = (state: FoldState) => JSON.parse(JSON.stringify(withoutText(state))) as FoldState;
const facts = (list: readonly Event[]) => finish(folded(list), 'x');
const sum = (list: readonly Event[], of: 'succeeded' | 'failed' | 'calls') =>
  facts(list)?.runs.reduce((total, run) => total + run.tools[of], 0) ?? 0;

describe('the fold', () => {
  it('gives the same facts in chunks as at once, with its state stored in between', () => {
    fc.assert(
      fc.property(events, fc.array(fc.nat({ max: 60 }), { maxLength: 6 }), (list, cuts) => {
        let state = startFold('test');
        for (const [index, event] of list.entries()) {
          if (cuts.includes(index)) {
            finish(state, 'x');
            state = asJson(state);
          }
          step(state, event);
        }
        expect(asJson(state)).toEqual(state);
        expect(finish(state, 'x')).toEqual(facts(list));
      }),
      { numRuns: 500 },
    );
  });

  it('never counts more successes because of another failed call', () => {
    fc.assert(
      fc.property(events, fc.nat({ max: 60 }), tool, (list, place, name) => {
        const failed: Event[] = [
          { kind: 'call', callId: 'new', tool: name, input: { n: 1 }, line: 1 },
          { kind: 'result', callId: 'new', ok: false, line: 1 },
        ];
        const more = [...list.slice(0, place), ...failed, ...list.slice(place)];
        expect(sum(more, 'succeeded')).toBeLessThanOrEqual(sum(list, 'succeeded'));
        expect(sum(more, 'failed')).toBe(sum(list, 'failed') + 1);
      }),
    );
  });

  it('keeps counts that add up', () => {
    fc.assert(
      fc.property(events, (list) => {
        for (const run of facts(list)?.runs ?? []) {
          const { calls, succeeded, failed, denied, unknown, firstAttemptSuccesses, failedAttempts } =
            run.tools;
          const together = failed - (failedAttempts ?? failed);
          expect(unknown).toBe(calls - succeeded - failed - denied);
          for (const n of [
            unknown,
            succeeded - firstAttemptSuccesses,
            together,
            run.changesAttempted - run.changesFailed,
            run.corrections,
          ]) {
            expect(n).toBeGreaterThanOrEqual(0);
          }
          expect(run.models.reduce((total, model) => total + model.messages, 0)).toBe(run.replies);
          expect(run.stateChange?.value ?? 0).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('lets two sessions be told one after the other or in turns', () => {
    fc.assert(
      fc.property(events, events, (left, right) => {
        const [a, b] = [startFold('test'), startFold('test')];
        for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
          const [one, other] = [left[i], right[i]];
          if (one !== undefined) step(a, one);
          if (other !== undefined) step(b, other);
        }
        expect([finish(a, 'x'), finish(b, 'x')]).toEqual([facts(left), facts(right)]);
      }),
    );
  });

  it('keeps no text, neither in its facts nor in its state', () => {
    const secret = 'hunter2-correct-horse';
    const said = `${secret} no, that is wrong ${secret.repeat(5)}`;
    const list = lined([
      { kind: 'user', origin: 'user', text: said },
      { kind: 'reply', text: said, messageId: said, stop: 'end' },
      { kind: 'call', callId: said, tool: said, input: { command: said, [said]: said, file_path: said } },
      { kind: 'result', callId: said, ok: false, text: said },
      { kind: 'spawn', spawnId: said, sessionId: said },
      { kind: 'interrupt' },
      { kind: 'user', origin: 'user', text: said },
    ]);
    expect(JSON.stringify([folded(list), facts(list)])).not.toContain('hunter2');
  });
});

describe('a huge session', () => {
  it('keeps a small state, and exact totals', () => {
    const state = startFold('test');
    const said = { input: 3, output: 2, cacheRead: 1, cacheWrite: 0 };
    const rounds = 100_000;
    for (let i = 0; i < rounds; i += 1) {
      const line = i * 5;
      const origin = i % 3 === 0 ? 'user' : i % 3 === 1 ? 'heartbeat' : 'cron';
      step(state, { kind: 'user', origin, text: `request ${i} about thing ${i % 7}`, line });
      step(state, {
        kind: 'reply',
        messageId: `m${i}`,
        text: i % 2 ? 'HEARTBEAT_OK' : 'ok',
        model: 'm',
        usage: said,
        line: line + 1,
      });
      step(state, {
        kind: 'call',
        callId: `c${i}`,
        tool: 'Bash',
        input: { command: `x${i}` },
        line: line + 2,
      });
      if (i % 10 > 0) step(state, { kind: 'result', callId: `c${i}`, ok: i % 4 > 0, line: line + 3 });
      step(state, { kind: 'reply', messageId: `m${i}`, text: '', model: 'm', usage: said, line: line + 4 });
    }
    expect(JSON.stringify(withoutText(state)).length).toBeLessThan(950_000);
    const runs = finish(state, 'x')?.runs ?? [];
    expect(runs.length).toBeLessThan(600);
    expect(runs.reduce((total, run) => total + (run.models[0]?.usage.input ?? 0), 0)).toBe(rounds * 3);
    expect(runs.reduce((total, run) => total + run.tools.calls, 0)).toBe(rounds);
  });

  it('of one run keeps a state of some kilobytes', () => {
    const state = startFold('test');
    step(state, { kind: 'user', origin: 'user', text: 'go', line: 1 });
    for (let i = 0; i < 100_000; i += 1) {
      step(state, { kind: 'reply', messageId: `m${i}`, text: 'x', model: `model ${i}`, line: i });
      step(state, { kind: 'call', callId: `c${i}`, tool: `tool ${i}`, input: { path: `p${i}` }, line: i });
      step(state, { kind: 'result', callId: `c${i}`, ok: false, line: i });
    }
    expect(JSON.stringify(withoutText(state)).length).toBeLessThan(60_000);
  });

  it('with texts of a megabyte is read in bounded parts', () => {
    const hostile = [
      'a'.repeat(1_000_000),
      'no, '.repeat(250_000),
      '"'.repeat(1_000_000),
      '`'.repeat(1_000_000),
      "it's still ".repeat(90_000),
      'a/'.repeat(500_000),
      "<<'E'\n".repeat(160_000),
      '((((('.repeat(200_000),
      ' '.repeat(1_000_000),
      '\n'.repeat(1_000_000),
      'no new a b c '.repeat(80_000),
    ];
    for (const long of hostile) {
      const list = lined([
        { kind: 'user', origin: 'user', text: long },
        { kind: 'reply', text: long },
        { kind: 'call', callId: 'c', tool: 'Bash', input: { command: long } },
        { kind: 'result', callId: 'c', text: long },
        { kind: 'call', callId: 'd', tool: long, input: long },
        { kind: 'result', callId: 'd', ok: true, text: long },
        { kind: 'user', origin: 'user', text: long },
      ]);
      const { calls, longest } = regexWork(() => expect(facts(list)?.runs).toHaveLength(1));
      expect(longest).toBeLessThanOrEqual(4_000);
      expect(calls).toBeLessThan(30_000);
    }
  });
});
