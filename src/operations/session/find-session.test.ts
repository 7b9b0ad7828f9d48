import { expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import { session } from '../../store/testing/records.ts';
import { findSession } from './find-session.ts';

/** The match among sessions of these ids; `several` when it is ambiguous. */
async function foundAmong(ids: readonly string[], asked: string): Promise<string> {
  const store = await openStore(':memory:');
  try {
    await store.appendSessions(
      ids.map((sessionId, i) => ({ ...session(sessionId, 'r'), sessionKey: `${i}`.repeat(24) })),
    );
    return (await findSession(store, asked)).sessionId;
  } catch (error) {
    return error instanceof Error && /^\d+ sessions/.test(error.message) ? 'several' : 'none';
  } finally {
    await store.close();
  }
}

it.each([
  [['abc', 'abcd', 'xabc'], 'abc', 'abc'],
  [['abcd', 'xabc'], 'abc', 'abcd'],
  [['1-abc-2', 'xyz'], 'ABC', '1-abc-2'],
  [['abc1', 'abc2'], 'abc', 'several'],
  [['abc'], 'z', 'none'],
  // A key matches, but not a few characters that occur in one by chance.
  [['a', 'b'], '1'.repeat(24), 'b'],
  [['a', 'b'], '11111111', 'b'],
  [['a', 'b'], '111', 'none'],
])('finds among %j by %s: %s', async (ids, asked, found) => {
  expect(await foundAmong(ids, asked)).toBe(found);
});
