import { expect, it } from 'vitest';
import { evidenceWith } from './example-evidence.ts';
import { summarise } from './summary.ts';

const run = (name: string, critical: 0 | 1, minor: 0 | 1) => ({
  ...evidenceWith({
    errors: [
      ['CRITICAL', critical],
      ['MINOR', minor],
      ['MINOR', minor === 1 ? 0 : 1],
    ],
  }),
  run: name,
});

it('is as stable as the least stable of all that the table tracks', () => {
  // Minor errors: one of two in every run, so DR_minor never moves; critical ones come and go.
  const { stability, rows } = summarise([run('1', 1, 1), run('2', 0, 0), run('3', 1, 1)]);
  expect(rows.find(({ key }) => key === 'dr_minor')?.rs).toMatchObject({ value: 1 });
  expect(rows.find(({ key }) => key === 'dr_critical')?.rs).toMatchObject({ measured: true });
  expect(stability).toBe('UNSTABLE');
});

it('names what it could not tell instead of passing over it', () => {
  const { stability, stabilityUnknown } = summarise([run('1', 1, 1), run('2', 1, 1), run('3', 1, 1)]);
  expect(stability).toBe('STABLE');
  expect(stabilityUnknown.map(({ metric }) => metric.id)).toEqual(
    expect.arrayContaining(['workflow/dr-important', 'workflow/dis', 'workflow/dq', 'workflow/oes']),
  );
});
