import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ApprovalEntry, appendApprovals, covers, readApprovals } from './approvals.ts';

const approval: ApprovalEntry = {
  kind: 'approval',
  content_sha256: 'c',
  at: '2026-01-29T00:00:00.000Z',
  who: 'Ada',
  reason: 'on purpose',
  metric: 'decomposition/overall',
  baseline_run: 'b',
  run: 'r',
  subject: 'local',
  golden_hash: 'g',
  scorer: 's',
  standard: 'documented',
  fell: 7.5,
};

it('holds for the run that was looked at, and for no other fall', () => {
  expect(covers(approval, approval)).toBe(true);
  expect(covers(approval, { ...approval, fell: 5.1 })).toBe(false);
  expect(covers(approval, { ...approval, fell: null })).toBe(false);
  expect(covers(approval, { ...approval, standard: 'own.1a2b3c4d' })).toBe(false);
  expect(covers({ ...approval, fell: null }, { ...approval, fell: null })).toBe(true);
});

it.each(['metric', 'baseline_run', 'content_sha256', 'subject', 'golden_hash', 'scorer'] as const)(
  'holds only for the same %s',
  (key) => {
    expect(covers(approval, { ...approval, [key]: 'other' })).toBe(false);
  },
);

it('and a reason are not the same', () => {
  expect(covers({ ...approval, kind: 'reason' }, approval)).toBe(false);
});

it('is added to a file, and a damaged file is left alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-approvals-'));
  try {
    const path = join(folder, 'approvals.json');
    expect(readApprovals(path)).toEqual([]);
    await Promise.all([1, 2, 3, 4].map((n) => appendApprovals(path, [{ ...approval, run: `r${n}` }])));
    expect(
      readApprovals(path)
        .map(({ run }) => run)
        .toSorted(),
    ).toEqual(['r1', 'r2', 'r3', 'r4']);
    writeFileSync(path, '{}');
    await expect(appendApprovals(path, [approval])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
