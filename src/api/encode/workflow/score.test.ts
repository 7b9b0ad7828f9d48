import { expect, it } from 'vitest';
import { evidenceWith, SIX_ERRORS } from '../../../workflow/example-evidence.ts';
import { THREE_RUNS } from '../../../workflow/example-runs.ts';
import { summarise } from '../../../workflow/summary.ts';
import { truthOf } from '../../../workflow/testing/build.ts';
import { encodeScore } from './score.ts';

const truth = truthOf([], [], { hash: 'abc' });

it('has the documented shape', () => {
  const json = encodeScore(truth, summarise(THREE_RUNS));
  expect(Object.keys(json)).toEqual(
    expect.arrayContaining(['task', 'truth_hash', 'matcher_version', 'runs', 'across_runs', 'oes']),
  );
  expect(json).toMatchObject({ task: 'T1', truth_hash: 'abc', stability: 'UNSTABLE' });
  expect(json.detection_intervals.over_runs.covers).toBe('run noise only');
  expect(json.detection_intervals.over_errors).toMatchObject({
    value: expect.any(Number) as number,
    low: expect.any(Number) as number,
    covers: 'choice of errors and run noise',
  });
  expect(json.stability_untold.every(({ reason }) => reason !== '')).toBe(true);
  const [run] = json.runs;
  expect(run?.metrics).toMatchObject({
    dr: 75,
    dr_critical: 100,
    dr_important: 50,
    precision: 1,
    dq: 5,
    wds: 75,
  });
  expect(run?.counts).toEqual({
    matched: 3,
    partial: 0,
    missed: 1,
    bonus: 0,
    false: 0,
    duplicate: 0,
    unresolved: 0,
  });
  expect(json.across_runs).toMatchObject({
    dr: { value: 62.5, sd: { value: 12.5 }, rs: { value: 0.8 }, n: 3 },
    fc: { value: 40 },
    found_any: { value: 75 },
    found_all: { value: 50 },
  });
});

it('has null for what was not measured, and the reason beside it', () => {
  const json = encodeScore(truth, summarise([evidenceWith({ errors: SIX_ERRORS })]));
  const [run] = json.runs;
  expect(run?.metrics).toMatchObject({ te: null, dq: null, oes: null, ce: null });
  expect(run?.reasons).toMatchObject({ te: 'the run does not say its agent_tokens and workflow_tokens' });
  expect(json.across_runs).toMatchObject({
    dr: {
      sd: { value: null, reason: 'needs two runs' },
      rs: { value: null, reason: 'needs 3 runs, there is 1' },
    },
    fc: { value: null, reason: 'needs at least two runs' },
    found_all: { value: null },
  });
  expect(json.oes).toMatchObject({ value: null, reason: 'not measured: dq, te' });
  const everything = JSON.stringify(json);
  expect(everything).not.toMatch(/NaN|Infinity/);
  expect(JSON.parse(everything)).toEqual(json);
});

it('shows detection with a partial match counted as nothing, half and one', () => {
  const json = encodeScore(
    truth,
    summarise([
      evidenceWith({
        errors: [
          ['MINOR', 1],
          ['MINOR', 0.5],
          ['MINOR', 0],
          ['MINOR', 0],
        ],
      }),
    ]),
  );
  expect(json.partial_credit.dr).toEqual({ '0': 25, '0.5': 37.5, '1': 50 });
});
