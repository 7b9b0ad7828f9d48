import { expect, it } from 'vitest';
import type { ListedSession } from '../../api/shapes.ts';
import { pickToRate } from './pick-to-rate.ts';

const session = (name: string, q: number | null) =>
  ({ session_id: name, session_key: `key of ${name}`, q }) as unknown as ListedSession;
const SESSIONS = [
  session('a', 0.95),
  session('b', 0.96),
  session('c', 0.97),
  session('low', 0.1),
  session('none', null),
];

it('draws a band of Q before a session, so that the rare bad one has half the chances here', () => {
  const picked = [0, 0.25, 0.5, 0.75].map((first) => {
    const draws = [first, 0];
    return pickToRate(SESSIONS, new Set(), () => draws.shift() ?? 0)?.session_id;
  });
  expect(picked).toEqual(['a', 'a', 'low', 'low']);
});

it('leaves out what is rated under its id or its key, and what has no Q', () => {
  const rated = new Set(['a', 'key of b', 'c', 'low']);
  expect(pickToRate(SESSIONS, rated, () => 0)).toBeUndefined();
});
