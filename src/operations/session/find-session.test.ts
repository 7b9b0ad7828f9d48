import { describe, expect, it } from 'vitest';
import { matchesOf } from './find-session.ts';

const named = (...ids: string[]) =>
  ids.map((sessionId, i) => ({ key: `${i}`.repeat(24), session: { sessionId } }));
const idsOf = (ids: string[], asked: string) =>
  matchesOf(named(...ids), asked).map(({ session }) => session.sessionId);

describe('finding a session by what a person types', () => {
  it('takes the whole id before a beginning, and a beginning before any part', () => {
    expect(idsOf(['abc', 'abcd', 'xabc'], 'abc')).toEqual(['abc']);
    expect(idsOf(['abcd', 'xabc'], 'abc')).toEqual(['abcd']);
    expect(idsOf(['1-abc-2', 'xyz'], 'ABC')).toEqual(['1-abc-2']);
  });

  it('names every candidate where several fit, and none where nothing does', () => {
    expect(idsOf(['abc1', 'abc2'], 'abc')).toEqual(['abc1', 'abc2']);
    expect(idsOf(['abc'], 'z')).toEqual([]);
  });

  it('takes a key, but no few characters that are in one by chance', () => {
    expect(idsOf(['a', 'b'], '1'.repeat(24))).toEqual(['b']);
    expect(idsOf(['a', 'b'], '111')).toEqual([]);
  });
});
