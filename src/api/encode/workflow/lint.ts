import type { z } from 'zod';
import type { AuthorRow, CategoryRow } from '../../../workflow/lint/count-contents.ts';
import type { Inspection } from '../../../workflow/lint/inspect.ts';
import type { lintRow, workflowLint } from '../../schema/workflow/lint.ts';

export type Linted = Inspection & {
  /** In the order of the ground truths. */
  readonly categories: readonly (readonly CategoryRow[])[];
  readonly authors: readonly AuthorRow[];
};

export function encodeLint(linted: Linted): z.infer<typeof workflowLint> {
  const { truths, runs, experiments, findings, mappings, notes, unreadable, categories, authors } = linted;
  return {
    format: 'assay-workflow-lint',
    version: 1,
    experiments: experiments.map((one) => ({ ...one })),
    truths: truths.map(({ path, truth }, index) => ({
      file: path,
      task: truth.task,
      version: truth.version,
      hash: truth.hash,
      errors: truth.errors.length,
      traps: truth.traps.length,
      categories: (categories[index] ?? []).map((row) => ({ ...row })),
    })),
    runs: runs.map(({ path, workflow, task, run, findings: own }) => ({
      file: path,
      workflow,
      task,
      run,
      findings: own.length,
      labels: own.flatMap(({ labels }) => labels).length,
    })),
    labels: authors.map((row) => ({ ...row })),
    mappings: [...mappings],
    notes: [...notes],
    unreadable: unreadable.map((one) => ({ ...one })),
    findings: findings.map((one) => ({ ...one })),
  };
}

const LEVELS = ['error', 'warning', 'note'] as const;

export function encodeLintRows({ findings, unreadable }: Inspection): z.infer<typeof lintRow>[] {
  return [
    ...unreadable.map(({ file, message, remedy }) => ({
      level: 'unreadable' as const,
      file,
      place: '',
      message: `${message}. ${remedy}`,
      rule: 'unreadable',
    })),
    ...LEVELS.flatMap((wanted) => findings.filter(({ level }) => level === wanted)).map((one) => ({
      level: one.level,
      file: one.file,
      place: one.place,
      message: one.message,
      rule: one.rule,
    })),
  ];
}
