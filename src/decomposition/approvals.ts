/**
 * Approved or explained regressions, in a file next to the baseline. The file belongs in git, so that reviewers see it.
 */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isAbsent, readJson } from '../files.ts';
import { replaceFile, underLock } from '../locked-file.ts';
import { parseWith } from './ingest/parse.ts';

const text = z.string().min(1).max(10_000);

const approvalSchema = z.object({
  /** A small regression needs a reason; a large one of the overall score needs an approval. */
  kind: z.enum(['approval', 'reason']),
  at: z.iso.datetime(),
  who: text,
  reason: text,
  metric: text,
  baseline_run: text,
  run: text,
  content_sha256: text.nullable(),
  subject: text,
  golden_hash: text.nullable(),
  scorer: text,
  standard: text,
  /** How far it fell, in points; null if the value became unmeasured. */
  fell: z.number().nullable(),
});

const fileSchema = z.object({
  format: z.literal('assay-approvals'),
  version: z.literal(1),
  approvals: z.array(approvalSchema),
});

export type ApprovalEntry = z.infer<typeof approvalSchema>;

export function approvalsFileOf(baselinePath: string): string {
  return join(dirname(baselinePath), 'approvals.json');
}

export function readApprovals(path: string): readonly ApprovalEntry[] {
  return isAbsent(path) ? [] : parseWith(fileSchema, readJson(path), path).approvals;
}

export async function appendApprovals(path: string, entries: readonly ApprovalEntry[]): Promise<void> {
  await underLock(path, () => {
    const approvals = [...readApprovals(path), ...entries];
    const file: z.infer<typeof fileSchema> = { format: 'assay-approvals', version: 1, approvals };
    replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
  });
}

export type ApprovedSubject = Pick<
  ApprovalEntry,
  | 'kind'
  | 'metric'
  | 'baseline_run'
  | 'content_sha256'
  | 'subject'
  | 'golden_hash'
  | 'scorer'
  | 'standard'
  | 'fell'
>;

/** An approval holds for this run and for repeated measurements of the same outputs, not for a later run. */
export function covers(approval: ApprovalEntry, now: ApprovedSubject): boolean {
  const same = (
    [
      'kind',
      'metric',
      'baseline_run',
      'content_sha256',
      'subject',
      'golden_hash',
      'scorer',
      'standard',
    ] as const
  ).every((key) => approval[key] === now[key]);
  return same && now.content_sha256 !== null && isSameFall(approval.fell, now.fell);
}

/** If the same outputs fell by a different amount, the baseline has changed. */
function isSameFall(one: number | null, other: number | null): boolean {
  return one === null || other === null ? one === other : Math.abs(one - other) < 1e-6;
}
