import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunEvidence } from '../evidence.ts';
import type { Finding } from '../review.ts';
import { runOf, truthOf } from '../testing/build.ts';
import { examineRun } from './examine-run.ts';

const FOLDER = '../shared/data/workflow/martian';
const JUDGES = [
  'anthropic_claude-opus-4-5-20251101',
  'anthropic_claude-sonnet-4-5-20250929',
  'openai_gpt-5.2',
];

type Verdicts = {
  readonly skipped?: boolean;
  readonly true_positives: readonly { readonly golden_comment: string; readonly matched_candidate: string }[];
  readonly false_negatives: readonly { readonly golden_comment: string }[];
  readonly tp: number;
  readonly total_candidates: number;
};
type Candidates = Record<string, Record<string, readonly { readonly text: string }[]>>;

const read = <T>(judge: string, file: string) =>
  JSON.parse(readFileSync(`${FOLDER}/offline/results/${judge}/${file}.json`, 'utf8')) as T;

/** One review of one pull request, with what the judge said about each candidate. */
function examineReview(
  judge: string,
  verdicts: Verdicts,
  candidates: readonly { readonly text: string }[],
): RunEvidence {
  const gold = [...verdicts.true_positives, ...verdicts.false_negatives].map(
    ({ golden_comment }) => golden_comment,
  );
  const errors = gold.map((description, i) => ({ id: `G${i}`, description }));
  // Where the judge credits one candidate with several errors, one label must be enough: the first.
  const matched = new Map(
    verdicts.true_positives
      .map(
        ({ golden_comment, matched_candidate }) => [matched_candidate, gold.indexOf(golden_comment)] as const,
      )
      .toReversed(),
  );
  const findings = candidates.map(({ text }): Partial<Finding> => {
    const error = matched.get(text);
    return {
      title: text,
      labels: [
        error === undefined ? { match: 'FALSE', by: judge } : { match: 'Y', error: `G${error}`, by: judge },
      ],
    };
  });
  return examineRun(truthOf(errors), runOf(findings));
}

function reviewsOf(judge: string) {
  const evaluations = read<Record<string, Record<string, Verdicts>>>(judge, 'evaluations');
  const candidates = read<Candidates>(judge, 'candidates');
  return Object.entries(evaluations).flatMap(([pr, tools]) =>
    Object.entries(tools)
      .filter(([, verdicts]) => verdicts.skipped !== true)
      .map(([tool, verdicts]) => ({ tool, verdicts, candidates: candidates[pr]?.[tool] ?? [] })),
  );
}

/** The most errors that can be credited when no candidate is credited twice: Kuhn's augmenting paths, as an oracle. */
function oneToOne(verdicts: Verdicts, candidates: readonly { readonly text: string }[]): number {
  const options = verdicts.true_positives.map(({ matched_candidate }) =>
    candidates.flatMap(({ text }, i) => (text === matched_candidate ? [i] : [])),
  );
  const owner = new Map<number, number>();
  const place = (error: number, tried: Set<number>): boolean =>
    (options[error] ?? []).some((candidate) => {
      if (tried.has(candidate)) return false;
      tried.add(candidate);
      const other = owner.get(candidate);
      if (other !== undefined && !place(other, tried)) return false;
      owner.set(candidate, error);
      return true;
    });
  return options.filter((_, error) => place(error, new Set())).length;
}

describe.skipIf(!existsSync(FOLDER))(`the Martian code review benchmark (needs ${FOLDER})`, () => {
  it.each(JUDGES)('gives each tool the recall of the labels of %s under one-to-one credit', (judge) => {
    const perTool = Map.groupBy(reviewsOf(judge), ({ tool }) => tool);
    expect(perTool.size).toBe(12);
    for (const [tool, reviews] of perTool) {
      const evidence = reviews.map(({ verdicts, candidates }) => examineReview(judge, verdicts, candidates));
      const errors = evidence.flatMap((one) => one.errors);
      const found = errors.filter(({ credit }) => credit === 1).length;
      const expected = reviews.reduce(
        (sum, { verdicts, candidates }) => sum + oneToOne(verdicts, candidates),
        0,
      );
      expect([tool, found / errors.length]).toEqual([tool, expected / errors.length]);
    }
  });

  it('credits no finding twice: 81 credits of the text-keyed labels are gone, and no review finds more than it said', () => {
    const lost = JUDGES.map((judge) =>
      reviewsOf(judge).reduce((sum, { verdicts, candidates }) => {
        const found = examineReview(judge, verdicts, candidates).errors.filter(
          ({ credit }) => credit === 1,
        ).length;
        expect(found).toBeLessThanOrEqual(candidates.length);
        return sum + verdicts.true_positives.length - found;
      }, 0),
    );
    expect(lost.reduce((sum, one) => sum + one, 0)).toBe(81);
  });
});
