import { expect, it } from 'vitest';
import { runSteps } from './stop-if-aborted.ts';

it('gives others a turn between two steps, and stops when nobody wants it any more', async () => {
  const seen: string[] = [];
  const abort = new AbortController();
  const steps = function* () {
    for (let step = 0; step < 3; step += 1) {
      seen.push(`step ${step}`);
      yield;
    }
    return 'done';
  };
  setImmediate(() => seen.push('another'));
  expect(await runSteps(steps(), abort.signal)).toBe('done');
  expect(seen).toEqual(['step 0', 'another', 'step 1', 'step 2']);
  abort.abort();
  await expect(runSteps(steps(), abort.signal)).rejects.toMatchObject({ code: 'STOPPED' });
});
