/** What is wrong with which case, at its line in the golden file or the ground truth. */
import { z } from 'zod';
import type { CiComparison, CiResult } from './result.ts';

export type CaseRemark = {
  readonly level: 'error' | 'warning';
  /** What kind of fault it is; the same for every run. */
  readonly rule:
    | 'missed-error'
    | 'lost-error'
    | 'missed-concept'
    | 'forbidden-concept'
    | 'unexpected-concept'
    | 'case-error'
    | 'case-failed';
  readonly message: string;
  readonly path: string;
  readonly line: number;
};

export type GoldenSource = { readonly path: string; readonly text: string };

/** What decomposition adds to a case; other instruments have none. */
const lists = z.object({
  failed: z.boolean().default(false),
  missed: z.array(z.string()).default([]),
  extra: z.array(z.string()).default([]),
  canaries: z.array(z.string()).default([]),
});

/** Only of cases that failed: what a good output lacks is in the report, not at every line. */
export function remarksOf(
  result: CiResult,
  fileOf: (caseId: string) => GoldenSource | undefined,
): CaseRemark[] {
  const level = result.gate.verdict === 'passed' ? 'warning' : 'error';
  return result.cases.flatMap((one) => {
    const file = fileOf(one.id);
    const { failed, missed, extra, canaries } = lists.parse(one);
    if (file === undefined || !(failed || one.zone === 'fail' || one.error !== undefined)) return [];
    const at = (rule: CaseRemark['rule'], message: string, label?: string): CaseRemark => ({
      level,
      rule,
      message: `${one.id}: ${message}`,
      path: file.path,
      line: label === undefined ? 1 : lineOf(file.text, label),
    });
    const remarks = [
      ...(one.error === undefined ? [] : [at('case-error', one.error)]),
      ...missed.map((label) => at('missed-concept', `missed ${label}`, label)),
      ...canaries.map((label) => at('forbidden-concept', `extracted ${label}, which is forbidden`, label)),
      ...(extra.length === 0 ? [] : [at('unexpected-concept', `not expected: ${extra.join(', ')}`)]),
    ];
    return remarks.length > 0 ? remarks : [at('case-failed', 'a metric of it is in the fail zone')];
  });
}

/** What a review adds to a result: which errors of the ground truth each run missed. */
const reviewed = z.object({ runs: z.array(z.object({ missed: z.array(z.string()) })).default([]) });

/** Of a review that did not pass: errors that most of its runs missed. */
export function missedErrors(result: CiResult, truth: GoldenSource | undefined): CaseRemark[] {
  const { data } = reviewed.safeParse(result);
  if (data === undefined || truth === undefined || result.gate.verdict === 'passed') return [];
  const { runs } = data;
  const times = new Map<string, number>();
  for (const id of runs.flatMap(({ missed }) => [...new Set(missed)]))
    times.set(id, (times.get(id) ?? 0) + 1);
  return [...times]
    .filter(([, n]) => n > runs.length / 2)
    .map(([id, n]) => ({
      level: 'error',
      rule: 'missed-error',
      message: `${id}: missed in ${n} of ${runs.length} runs`,
      path: truth.path,
      line: lineOfWord(truth.text, id),
    }));
}

/** Of a comparison: errors that the candidate finds less often than the baseline. */
export function lostErrors({ gate, errors }: CiComparison, truth: GoldenSource | undefined): CaseRemark[] {
  if (truth === undefined) return [];
  return errors
    .filter(({ before, after }) => after < before)
    .map(({ id, before, after }) => ({
      level: gate.verdict === 'passed' ? 'warning' : 'error',
      rule: 'lost-error',
      message: `${id}: found in ${percent(after)} of the credit instead of ${percent(before)}`,
      path: truth.path,
      line: lineOfWord(truth.text, id),
    }));
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function lineOfWord(text: string, word: string): number {
  const words = (line: string) => line.split(/[\s"',:[\]{}|#*`]+/);
  return (
    1 +
    Math.max(
      0,
      text.split('\n').findIndex((line) => words(line).includes(word)),
    )
  );
}

/** The line of the label as a JSON string; the first line where it is missing. */
function lineOf(text: string, label: string): number {
  const place = text.indexOf(JSON.stringify(label));
  return place === -1 ? 1 : text.slice(0, place).split('\n').length;
}
