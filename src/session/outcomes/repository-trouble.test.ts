import { expect, it } from 'vitest';
import type { WorkOutcome } from './work-outcome.ts';
import { repositoryTrouble } from './work-outcome.ts';

const unknown = (reason: string): Pick<WorkOutcome, 'state' | 'reason'> => ({ state: 'unknown', reason });

function troubleOf(...reasons: readonly string[]) {
  const work = reasons.map((reason, i) => [`${i}`, unknown(reason) as WorkOutcome] as const);
  return repositoryTrouble(new Map(work)).repositoryTrouble;
}

it('is told with the reason of most sessions', () => {
  const shallow = 'the repository could not be read: it is a shallow clone';
  expect(troubleOf(shallow, 'the repository that was named is a file: clone it first', shallow)).toEqual({
    sessions: 3,
    reason: shallow,
  });
});

it('is not that a folder is gone, or that nobody asks', () => {
  expect(troubleOf('the folder it worked in is not here')).toBeUndefined();
  expect(repositoryTrouble(undefined)).toEqual({});
});
