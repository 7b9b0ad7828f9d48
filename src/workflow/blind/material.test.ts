import { describe, expect, it } from 'vitest';
import { freeze, occurrences, shownCandidates, shownFinding, shownStatement } from './material.ts';
import { blindId, examine, MATERIAL, RUN, TRUTH } from './testing/sample.ts';

describe('freeze', () => {
  it('drops labels of the run files: they name errors that nobody may see yet', () => {
    expect(JSON.stringify(MATERIAL.findings)).not.toContain('somebody');
    freeze(TRUTH, [RUN], (truth, run) => {
      expect(run.findings.every(({ labels }) => labels.length === 0)).toBe(true);
      return examine(truth, run);
    });
  });

  it('gives findings neutral ids in an order that is the same for everybody', () => {
    expect(MATERIAL.findings.map(({ id }) => id)).toEqual(['F01', 'F02', 'F03', 'F04']);
    expect(freeze(TRUTH, [RUN], examine)).toEqual(MATERIAL);
  });

  it('tells findings of several runs apart that have the same id', () => {
    const findings = RUN.findings.map((one) => ({ ...one, title: `${one.title} again` }));
    const two = freeze(TRUTH, [RUN, { ...RUN, run: 'second', findings }], examine);
    expect(new Set(two.findings.map(({ id }) => id)).size).toBe(8);
    const ofE1 = two.edges.filter(({ error }) => error === 'E1').map(({ finding }) => finding);
    expect(new Set(ofE1).size).toBe(2);
  });

  it('has what several runs say in the same words judged once', () => {
    // Only what evaluators see counts: ids and concerns may differ.
    const findings = RUN.findings.map((one) => ({ ...one, id: `${one.id}2`, concern: 'B7' }));
    const two = freeze(TRUTH, [RUN, { ...RUN, run: 'second', findings }], examine);
    expect(two.findings).toHaveLength(4);
    expect(two.findings.map((one) => occurrences(one).map(({ run }) => run))).toEqual(
      Array.from({ length: 4 }, () => [0, 1]),
    );
    expect(two.edges.filter(({ error }) => error === 'E1')).toHaveLength(1);
  });

  it('asks twice about what one run says twice', () => {
    const [a, ...rest] = RUN.findings;
    if (a === undefined) throw new Error('the sample has findings');
    expect(
      freeze(TRUTH, [{ ...RUN, findings: [a, { ...a, id: 'a2' }, ...rest] }], examine).findings,
    ).toHaveLength(5);
  });

  it('refuses runs of another task, and what holds nothing to evaluate', () => {
    expect(() => freeze(TRUTH, [{ ...RUN, task: 'T2' }], examine)).toThrow('is about task "T2"');
    expect(() => freeze(TRUTH, [{ ...RUN, findings: [] }], examine)).toThrow('no findings');
    expect(() => freeze({ ...TRUTH, errors: [] }, [RUN], examine)).toThrow('no errors');
  });
});

describe('what each step shows', () => {
  it('step 1: what a finding says, not where it comes from', () => {
    const shown = JSON.stringify(MATERIAL.findings.map(shownFinding));
    expect(shown).toContain('finding a');
    for (const secret of ['secret-version', 'first', 'A1', 'statement', 'E1'])
      expect(shown).not.toContain(secret);
  });

  it('step 2: statements, not where they are found', () => {
    const shown = JSON.stringify(TRUTH.errors.map(shownStatement));
    expect(shown).toContain('statement of E1');
    expect(shown).not.toContain('place of');
  });

  it('step 3: the criteria that connect a finding with errors', () => {
    expect(shownCandidates(MATERIAL, blindId('b'))).toMatchObject([
      { error: 'E2', strength: 'P', criteria: ['lines'], description: 'statement of E2' },
    ]);
    expect(shownCandidates(MATERIAL, blindId('d'))).toEqual([]);
  });
});
