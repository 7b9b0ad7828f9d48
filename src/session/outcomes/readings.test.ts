import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import { downstreamAcceptance } from '../signals/downstream-acceptance.ts';
import { stateChanged } from '../signals/state-changed.ts';
import { contextWith } from '../signals/testing/context.ts';
import type { WorkOutcome } from './work-outcome.ts';

const file = { artifact: 'file', made: 1, failed: 0, lines: [3] } as const;
const wrote = runWith({ artifacts: [file], changesAttempted: 1, toolKinds: { write: 1 } });
const young = { reason: 'the history ends before', from: Date.parse('2026-03-09T12:00:00Z') };

const context = (work?: Partial<WorkOutcome>) =>
  contextWith({
    work: work && {
      sessionId: 's',
      state: 'on-default',
      defaultBranch: 'main',
      survival: { 1: young, 7: young, 30: young },
      commits: [],
      reverted: false,
      ...work,
    },
  });

describe('what the repository says', () => {
  it.each<[number, Partial<WorkOutcome>]>([
    [1, { state: 'on-default' }],
    [0.5, { state: 'committed' }],
    [0.125, { state: 'on-default', shares: { committed: 0.125, onDefault: 0.125 } }],
    [0.75, { state: 'on-default', shares: { committed: 1, onDefault: 0.5 } }],
    [0.25, { state: 'committed', shares: { committed: 0.5, onDefault: 0 } }],
    [0, { state: 'not-committed' }],
    [0, { state: 'on-default', reverted: true }],
    [0, { state: 'committed', reverted: true }],
  ])('makes state changed %d for %o', (value, work) => {
    const failing = { ...wrote, stateChange: { value: 0, what: 'tests failed', line: 9 } };
    const passing = { ...wrote, stateChange: { value: 1, what: 'tests passed', line: 9 } };
    for (const run of [wrote, failing, passing, { ...wrote, end: 'error' as const }])
      expect(stateChanged.read(run, context(work))).toMatchObject({ measured: true, value });
  });

  it.each<WorkOutcome['state']>(['too-young', 'nothing-written', 'unknown'])(
    'leaves state changed to the transcript when it is %s',
    (state) => {
      expect(stateChanged.read(wrote, context({ state }))).toEqual(stateChanged.read(wrote, context()));
    },
  );

  it('does not undo a pull request that the transcript shows to be merged', () => {
    const merged = { ...wrote, stateChange: { value: 1, what: 'pull request merged', line: 9 } };
    expect(stateChanged.read(merged, context({ state: 'committed' }))).toMatchObject({ value: 1 });
  });

  it('is not about a run that wrote no file', () => {
    const talked = runWith({});
    expect(stateChanged.read(talked, context())).toEqual(stateChanged.read(talked, context({})));
    expect(downstreamAcceptance.read(talked, context({}))).toMatchObject({ measured: false });
  });

  it('makes downstream acceptance the share that survived, after the longest time that can be told', () => {
    const survival = { 1: { share: 1 }, 7: { share: 0.75 }, 30: young };
    expect(downstreamAcceptance.read(wrote, context({ survival }))).toMatchObject({
      value: 0.75,
      because: expect.stringContaining('75% of its lines were still there after 7 days'),
    });
    expect(downstreamAcceptance.read(wrote, context({ survival, reverted: true }))).toMatchObject({
      value: 0,
    });
  });

  it('says from which day acceptance can be told', () => {
    expect(downstreamAcceptance.read(wrote, context({}))).toMatchObject({
      measured: false,
      reason: expect.stringContaining('2026-03-09'),
    });
    const thanked = { ...wrote, acceptance: { value: 1, what: 'thanks', line: 9 } };
    expect(downstreamAcceptance.read(thanked, context({}))).toMatchObject({ measured: true, value: 1 });
  });
});
