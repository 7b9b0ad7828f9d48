import { describe, expect, it } from 'vitest';
import { groupSessions, type ListedSession, totalsOf } from './session-groups.ts';

const listed = (part: Partial<ListedSession>): ListedSession => ({
  sessionId: 's',
  sessionKey: 'k',
  source: 'claude-code',
  taskType: 'coding',
  model: 'm',
  coverage: 1,
  runs: 1,
  skippedLines: 0,
  scorerVersion: 'v',
  turns: 1,
  headline: '',
  statements: [],
  ...part,
});

const at = (time: string) => `2026-11-${time}:00.000Z`;
const starting = (...times: string[]) => times.map((time) => listed({ startedAt: at(time) }));
const countsBy = (sessions: ListedSession[], by: Parameters<typeof groupSessions>[1]) =>
  groupSessions(sessions, by, () => []).map(({ key, sessions: n }) => [key, n]);

describe('what sessions come to', () => {
  it('is a mean of what was measured and a sum of what is known', () => {
    const total = totalsOf([
      listed({
        q: 0.5,
        costUsd: 1,
        inputTokens: 1,
        outputTokens: 2,
        cacheReadTokens: 3,
        cacheWriteTokens: 4,
      }),
      listed({
        q: 0.7,
        costUsd: 2,
        costAtLeast: 1,
        inputTokens: 1,
        outputTokens: 1,
        cacheReadTokens: 1,
        cacheWriteTokens: 1,
      }),
      listed({}),
    ]);
    expect(total).toMatchObject({
      sessions: 3,
      turns: 3,
      costUsd: 3,
      costUnknown: 1,
      costIsLowerBound: true,
      usage: { input: 2, output: 3, cacheRead: 4, cacheWrite: 5 },
    });
    expect(total.q).toMatchObject({ measured: true, value: 0.6, n: 2 });
  });

  it('has no cost and no Q where none is known', () => {
    const total = totalsOf([listed({})]);
    expect(total.costUsd).toBeUndefined();
    expect(total.q.measured).toBe(false);
  });
});

describe('groups of sessions', () => {
  it('of time come one after the other, with what has no time last', () => {
    const sessions = [...starting('12T09:00', '10T09:00', '12T23:59'), listed({})];
    expect(countsBy(sessions, 'day')).toEqual([
      ['2026-11-10', 1],
      ['2026-11-12', 2],
      [undefined, 1],
    ]);
    // The 9th was a Monday.
    expect(countsBy(sessions, 'week')).toEqual([
      ['2026-11-09', 3],
      [undefined, 1],
    ]);
    expect(countsBy(sessions, 'month')).toEqual([
      ['2026-11', 3],
      [undefined, 1],
    ]);
  });

  it('of five hours begin with the full hour of the first session that no other holds', () => {
    expect(countsBy(starting('10T09:40', '10T13:59', '10T14:00', '10T19:00'), 'block')).toEqual([
      ['2026-11-10T09:00:00.000Z', 2],
      ['2026-11-10T14:00:00.000Z', 1],
      ['2026-11-10T19:00:00.000Z', 1],
    ]);
  });

  it('of anything else come most expensive first', () => {
    const sessions = [
      listed({ project: '/a', costUsd: 1 }),
      listed({ project: '/b', costUsd: 2 }),
      listed({}),
    ];
    expect(countsBy(sessions, 'project')).toEqual([
      ['/b', 1],
      ['/a', 1],
      [undefined, 1],
    ]);
  });
});
