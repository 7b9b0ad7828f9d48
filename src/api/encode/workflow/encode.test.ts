import { expect, it } from 'vitest';
import { compareSides } from '../../../operations/workflow/compare-workflows.ts';
import { reportOf } from '../../../operations/workflow/report-of-arms.ts';
import { evidenceWith } from '../../../workflow/example-evidence.ts';
import { categoryHeatmap } from '../../../workflow/reports/category-heatmap.ts';
import { armOf, truthIn } from '../../../workflow/testing/arms.ts';
import { workflowComparison } from '../../schema/workflow/comparison.ts';
import { workflowHeatmap } from '../../schema/workflow/heatmap.ts';
import { workflowReport } from '../../schema/workflow/report.ts';
import { encodeWorkflowComparison } from './comparison.ts';
import { encodeHeatmap } from './heatmap.ts';
import { encodeReport } from './report.ts';

const read = { mappings: [], notes: [] };
const silent = armOf('v1', truthIn('T1', []), [[]]);

it('gives a comparison of single runs null for what was not measured', () => {
  const side = (name: string, credit: 0 | 1) => ({
    name,
    runs: [evidenceWith({ workflow: name, errors: [['MINOR', credit]] })],
  });
  const wire = encodeWorkflowComparison({
    comparison: compareSides(side('v1', 0), side('v2', 1)),
    ...read,
  });
  expect(wire).toMatchObject({
    verdict: 'too few to tell',
    welch: null,
    documented_rule: { significant: null },
  });
  expect(workflowComparison.parse(wire)).toEqual(wire);
});

it('gives a heatmap null and a reason where nothing is expected', () => {
  const wire = encodeHeatmap({ heatmap: categoryHeatmap(silent.runs), ...read });
  expect(wire.workflows[0]).toMatchObject({
    cc: { value: null, reason: 'the ground truth expects no errors' },
    cells: [],
  });
  expect(workflowHeatmap.parse(wire)).toEqual(wire);
});

it('gives a report every part, with null and its reason for what was not measured', () => {
  const wire = encodeReport({ name: 'login', report: reportOf([silent]), ...read });
  expect(wire.experiments[0]).toMatchObject({ oes: { value: null, reason: expect.any(String) as string } });
  expect(workflowReport.parse(wire)).toEqual(wire);
});
