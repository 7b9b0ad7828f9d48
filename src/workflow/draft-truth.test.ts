import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultPorts } from '../operations/default-ports.ts';
import { draftGroundTruth } from '../operations/workflow/draft-ground-truth.ts';
import { lintFiles } from '../operations/workflow/lint-files.ts';
import { scoreReviews } from '../operations/workflow/score-reviews.ts';

const REVIEW = 'examples/workflow/runs/review-1/webhook-relay/run-1.json';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-truth-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each(['relay.yaml', 'relay.json'])('keeps the rules of lint as %s, and is never written over', (name) => {
  const truth = join(folder, name);
  const drafted = draftGroundTruth({ truth, review: REVIEW, task: 'webhook-relay' });
  expect(drafted.truth.errors.length).toBeGreaterThan(0);
  const { findings, unreadable } = lintFiles({ paths: [truth] });
  expect(unreadable).toEqual([]);
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([]);
  expect(findings.map(({ rule }) => rule)).toContain('draft');
  const before = readFileSync(truth, 'utf8');
  expect(() => draftGroundTruth({ truth, review: REVIEW })).toThrow('is there already');
  expect(readFileSync(truth, 'utf8')).toBe(before);
});

it('turns no gate green, though the review that made it finds all of it', async () => {
  const truth = join(folder, 'relay.yaml');
  const { truth_version: _, ...run } = JSON.parse(readFileSync(REVIEW, 'utf8')) as {
    truth_version?: string;
    findings: { labels?: unknown }[];
  };
  const findings = run.findings.map(({ labels: __, ...finding }) => finding);
  const review = join(folder, 'run-1.json');
  writeFileSync(review, JSON.stringify({ ...run, findings }));
  draftGroundTruth({ truth, review });
  const ports = defaultPorts();
  const { verdict } = await scoreReviews(
    { inputs: { truth, runs: [review] }, components: [], minimums: new Map([['dr', 50]]) },
    ports,
  );
  await ports.close();
  expect(verdict.gate.verdict).toBe('inconclusive');
  expect(verdict.gate.reasons.join()).toContain('webhook-relay is a draft that nobody has corrected');
});

it('takes a review in words whose file says neither workflow nor task', () => {
  const review = join(folder, 'review.md');
  writeFileSync(review, '1. **Critical**: design.md line 12: the retry never stops.\n');
  const { truth } = draftGroundTruth({ truth: join(folder, 'relay.yaml'), review });
  expect(truth).toMatchObject({ task: 'relay', errors: [{ severity: 'CRITICAL' }] });
});
