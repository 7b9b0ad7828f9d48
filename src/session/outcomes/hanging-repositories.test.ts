import { join } from 'node:path';
import { expect, it } from 'vitest';
import { did } from '../fold/testing/tell.ts';
import { judgeWork } from './judge-work.ts';
import { hours, scratchRepository, sessionAt } from './testing/scratch-repository.ts';

it('asks no further repository when two have taken all their time, and says so', async () => {
  const sessions = ['one', 'two', 'three', 'four'].map((key) => {
    const repository = scratchRepository();
    repository.write('app.js', ['export const answer = 41;']);
    repository.commit('Begin', hours(0));
    const path = join(repository.path, 'app.js');
    const write = did('Write', { file_path: path, content: 'export const question = "unknown";' }, true);
    return { key, facts: sessionAt(key, repository.path, hours(2), ...write) };
  });
  const rows = await judgeWork(sessions, { places: [], environment: process.env, timeMs: 0 });
  expect([...rows.values()].map(({ state }) => state)).toEqual(Array(4).fill('unknown'));
  expect([...rows.values()].map(({ reason }) => /was not asked/.test(reason ?? ''))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
