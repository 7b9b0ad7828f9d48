/** Regressions that somebody let through, in a file beside the baseline: under git, so that a review sees them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../files.ts';
import { replaceFile, underLock } from '../locked-file.ts';
import { parseWith } from './ingest/parse.ts';

const text = z.string().min(1).max(10_000);

const approvalSchema = z.object({
  at: z.iso.datetime(),
  who: text,
  reason: text,
  metric: text,
  baseline_run: text,
  run: text,
  subject: text,
  golden_hash: text.nullable(),
  scorer: text,
  /** How far it fell, in points; nothing when the value was lost altogether. */
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
  return existsSync(path) ? parseWith(fileSchema, readJson(path), path).approvals : [];
}

export async function appendApprovals(path: string, entries: readonly ApprovalEntry[]): Promise<void> {
  await underLock(path, () => {
    const approvals = [...readApprovals(path), ...entries];
    const file: z.infer<typeof fileSchema> = { format: 'assay-approvals', version: 1, approvals };
    replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
  });
}

/** What a fall may differ by and still be the one that was looked at: under one point is no change. */
const SAME_POINTS = 1;

/** An approval holds for what was looked at: this baseline, this subject, a fall no deeper than the approved one. */
export function covers(
  approval: ApprovalEntry,
  now: Pick<ApprovalEntry, 'metric' | 'baseline_run' | 'subject' | 'golden_hash' | 'scorer' | 'fell'>,
): boolean {
  const same = (['metric', 'baseline_run', 'subject', 'golden_hash', 'scorer'] as const).every(
    (key) => approval[key] === now[key],
  );
  if (!same || (approval.fell === null) !== (now.fell === null)) return false;
  return approval.fell === null || now.fell === null || now.fell < approval.fell + SAME_POINTS;
}
