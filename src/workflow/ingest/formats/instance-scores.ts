/**
 * Scores that a benchmark counted per instance: expected errors, matched errors and reported findings. Single findings
 * are not identified, so only detection rate and precision can be computed.
 */
import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { ReviewRun, Tally } from '../../review.ts';
import { check, isRecord, MAX_ITEMS, name, type RawValue, refuse } from '../fields.ts';
import {
  type ImportedRuns,
  type Importer,
  type ImportOptions,
  linesAsOne,
  type RawFile,
} from './importer.ts';

const count = z.int().min(0).max(MAX_ITEMS).optional();
const share = z.number().min(0).max(1).optional();
const listed = z.array(z.unknown()).max(MAX_ITEMS).optional();

const score = z.object({
  instance_id: name,
  agent_name: name.nullish(),
  agent_version: name.nullish(),
  model: name.nullish(),
  timeout: z.boolean().nullish(),
  infrastructure_error: z.boolean().nullish(),
  error_message: z.string().nullish(),
  expected_comment_count: count,
  matched_comment_count: count,
  missed_comment_count: count,
  incorrect_comment_count: count,
  generated_comment_count: count,
  expected_comments: listed,
  generated_comments: listed,
  precision: share,
  recall: share,
});
type Score = z.output<typeof score>;

export const instanceScores: Importer = {
  name: 'instance-scores',
  title: 'scores per instance',
  cannotCarry: ['category', 'severity', 'depth', 'concerns', 'lines', 'quote', 'labels', 'tokens'],
  detect: (file) => {
    const first = firstOf(file);
    return (
      isRecord(first) &&
      Object.hasOwn(first, 'instance_id') &&
      ['matched_comment_count', 'recall', 'precision'].some((key) => Object.hasOwn(first, key))
    );
  },
  readRuns: (file, options) => readScores(listOf(file), options),
};

function firstOf(file: RawFile): unknown {
  if (file.kind === 'lines') return file.lines[0]?.value;
  if (file.kind === 'text') return undefined;
  const { value } = file.document;
  return Array.isArray(value) ? value[0] : value;
}

function listOf(file: RawFile): RawValue {
  if (file.kind === 'lines') return linesAsOne(file, (scores) => scores);
  if (file.kind === 'text') throw refuse({ path: file.path, value: undefined }, [], 'is text, not scores');
  const { document } = file;
  return Array.isArray(document.value) ? document : { ...document, value: [document.value] };
}

function readScores(source: RawValue, options: ImportOptions): ImportedRuns {
  const scores = check(z.array(score).max(MAX_ITEMS), source);
  const failed: string[] = [];
  const unknown: string[] = [];
  const runs = scores.flatMap((one, index): ReviewRun[] => {
    const broken = one.timeout === true || one.infrastructure_error === true || Boolean(one.error_message);
    const tally = broken ? tallyOfFailure(one) : tallyOf(one, source, index);
    if (broken) (tally === undefined ? unknown : failed).push(one.instance_id);
    if (tally === undefined) return [];
    const run = {
      workflow: options.workflow ?? workflowOf(one, options, source),
      task: one.instance_id,
      run: options.run ?? basename(source.path, extname(source.path)),
      model: options.model ?? one.model ?? undefined,
    };
    return [{ ...run, concerns: [], findings: [], tally, path: source.path }];
  });
  const notes = [
    'findings have no identity in it: detection rate, precision and F1 can be had, nothing else',
    failed.length > 0 && `instances that ended in an error count as 0 found: ${failed.length} (${failed[0]})`,
    unknown.length > 0 &&
      `skipped instances that ended in an error without a number of expected errors: ${unknown.length} (${unknown[0]})`,
  ].filter((note) => note !== false);
  return { runs, mappings: [], notes };
}

function workflowOf(
  { agent_name, agent_version, model }: Score,
  options: ImportOptions,
  source: RawValue,
): string {
  const said = [agent_name, agent_version, model].filter(Boolean).join(' ');
  const chosen = said || options.unnamed;
  if (chosen === undefined) {
    throw refuse(source, [], 'neither the file nor its name gives the workflow', [
      { say: 'Name the workflow', options: { workflow: true } },
    ]);
  }
  return chosen;
}

/** An aborted run found nothing, whatever score the file gives it. */
function tallyOfFailure(one: Score): Tally | undefined {
  const expected = expectedOf(one);
  return expected ? { expected, matched: 0, reported: 0 } : undefined;
}

function expectedOf({ expected_comment_count, expected_comments, ...one }: Score): number | undefined {
  if (expected_comment_count !== undefined) return expected_comment_count;
  if (expected_comments !== undefined && expected_comments.length > 0) return expected_comments.length;
  const { matched_comment_count: matched, missed_comment_count: missed } = one;
  return matched === undefined || missed === undefined ? expected_comments?.length : matched + missed;
}

function tallyOf(one: Score, source: RawValue, index: number): Tally {
  const expected = expectedOf(one);
  const matched =
    one.matched_comment_count ??
    (expected === undefined || one.recall === undefined ? undefined : Math.round(expected * one.recall));
  const reported = reportedOf(one, matched);
  if (expected === undefined || matched === undefined || reported === undefined) {
    throw refuse(
      source,
      [index],
      'has no counts of expected, matched and reported errors; shares alone cannot be added up',
      'Give expected_comment_count, matched_comment_count and generated_comment_count (or missed_ and incorrect_comment_count).',
    );
  }
  if (matched > expected || matched > reported) {
    throw refuse(source, [index], `matched ${matched} of ${expected} expected and ${reported} reported`);
  }
  return { expected, matched, reported };
}

function reportedOf(one: Score, matched: number | undefined): number | undefined {
  if (one.generated_comment_count !== undefined) return one.generated_comment_count;
  if (matched !== undefined && one.incorrect_comment_count !== undefined)
    return matched + one.incorrect_comment_count;
  if (one.generated_comments !== undefined) return one.generated_comments.length;
  return matched !== undefined && matched > 0 && one.precision
    ? Math.round(matched / one.precision)
    : undefined;
}
