import { expect, it } from 'vitest';
import { reviewScore } from '../../api/schema/workflow.ts';
import { encode } from '../../api/wire.ts';
import { measureCases } from '../../measure/measure.ts';
import { estimate } from '../../measure/metric.ts';
import { textTable } from '../../report/text-table.ts';
import { workflowMetrics } from '../catalog.ts';
import { THREE_RUNS } from '../example-evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import { summaryOf } from '../summary.ts';
import { truthOf } from '../testing/build.ts';
import { experimentTable, scoreTable } from './score-metrics.ts';

const added: ReviewMetric = {
  id: 'workflow/findings-per-run',
  title: 'Findings per run',
  question: 'How much does the review say?',
  formula: 'findings of a run',
  unit: 'count',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'higher',
  example: { given: 'none', cases: [], value: 0 },
  compute: (runs) =>
    estimate(
      runs.reduce((sum, run) => sum + run.findings.length, 0),
      runs.length,
    ),
};

it('shows a metric that was only added to the catalogue in table, JSON and CSV', () => {
  const metrics = [...workflowMetrics(), added];
  const cases = THREE_RUNS.map((evidence) => ({ id: evidence.run, evidence, notes: [] }));
  const summary = summaryOf(THREE_RUNS, metrics, measureCases(metrics, cases));
  const names = experimentTable(summary).rows.map(({ metric }) => metric);
  expect(names).toContain('Findings per run');
  expect(encode(reviewScore, { truth: truthOf([]), summary }).runs[0]?.metrics).toHaveProperty(
    'findings_per_run',
  );
  expect(scoreTable(summary).rows.some(({ metric }) => metric === 'findings_per_run')).toBe(true);
});

it('shows shares as percentages and everything else with two digits, and keeps the value itself', () => {
  const metrics = workflowMetrics();
  const cases = THREE_RUNS.map((evidence) => ({ id: evidence.run, evidence, notes: [] }));
  const table = experimentTable(summaryOf(THREE_RUNS, metrics, measureCases(metrics, cases)));
  const text = textTable(table).rows.map((row) => row.map((cell) => cell.text).slice(0, 5));
  expect(text).toContainEqual(['DR', '75.0%', '62.5%', '50.0%', '62.5%']);
  expect(text).toContainEqual(['P', '1.00', '0.75', '0.50', '0.75']);
  expect(table.rows[0]).toMatchObject({
    mean: { value: { measured: true, value: 62.5 }, unit: 'percent' },
  });
});
