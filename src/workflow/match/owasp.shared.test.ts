import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countsOf } from '../counts.ts';
import { detectionRate } from '../metrics/detection-rate.ts';
import { precision } from '../metrics/precision.ts';
import type { ReviewRun } from '../review.ts';
import { summarise } from '../summary.ts';
import { truthOf } from '../testing/build.ts';
import type { GroundTruth } from '../truth.ts';
import { examineRun } from './examine-run.ts';

const FOLDER = '../shared/data/workflow/owasp-benchmark';

/** The published integers of the v1.2 scorecards. */
const PUBLISHED = [
  { tool: 'SonarQube_Java_Plugin', tp: 607, fn: 808, tn: 1184, fp: 141 },
  { tool: 'OWASP_ZAP', tp: 245, fn: 1170, tn: 1324, fp: 1 },
  { tool: 'FindBugs', tp: 150, fn: 1265, tn: 1194, fp: 131 },
  { tool: 'PMD', tp: 0, fn: 1415, tn: 1325, fp: 0 },
];

const rowsOf = (file: string) =>
  readFileSync(`${FOLDER}/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((cell) => cell.trim()));

/** A real vulnerability is an expected error, a false one is a trap; both are a file and a category. */
function readBenchmark(): GroundTruth {
  const cases = rowsOf('expectedresults-1.2.csv').map(([name = '', category = '', real]) => ({
    id: name,
    category,
    real: real === 'true',
    locations: [{ file: `src/main/java/org/owasp/benchmark/testcode/${name}.java` }],
  }));
  return truthOf(
    cases.filter(({ real }) => real),
    cases.filter(({ real }) => !real),
    { task: 'owasp-benchmark-1.2', categories: [...new Set(cases.map(({ category }) => category))] },
  );
}

function readRun(tool: string): ReviewRun {
  const identified = rowsOf(`scorecard/Benchmark_v1.2_Scorecard_for_${tool}.csv`).filter(
    (row) => row[4] === 'true',
  );
  return {
    workflow: tool,
    task: 'owasp-benchmark-1.2',
    run: '1',
    concerns: [],
    findings: identified.map(([name = '', category = '']) => ({
      id: name,
      title: category,
      category,
      file: `testcode/${name}.java`,
      labels: [],
    })),
  };
}

describe.skipIf(!existsSync(FOLDER))(`the OWASP Benchmark (needs ${FOLDER})`, () => {
  it.each(PUBLISHED)('has the published totals of $tool', ({ tool, tp, fn, tn, fp }) => {
    const truth = readBenchmark();
    expect([truth.errors.length, truth.traps.length]).toEqual([1415, 1325]);
    const evidence = examineRun(truth, readRun(tool));
    const counts = countsOf(evidence);
    // File and category are all there is, so every match is partial; the scorecard counts it in full.
    expect(counts).toEqual({
      matched: 0,
      partial: tp,
      missed: fn,
      bonus: 0,
      false: fp,
      duplicate: 0,
      unresolved: 0,
    });
    expect(truth.traps.length - counts.false).toBe(tn);
    expect(evidence.findings.filter(({ trap }) => trap !== undefined)).toHaveLength(fp);
  });

  it('gives SonarQube precision 0.8115 and detection 42.9% where partial matches count in full', () => {
    const evidence = examineRun(readBenchmark(), readRun('SonarQube_Java_Plugin'));
    expect(precision.compute([evidence])).toMatchObject({ value: expect.closeTo(0.8115, 4) as number });
    const { sensitivity } = summarise([evidence]);
    expect(sensitivity['1']).toMatchObject({ value: expect.closeTo(42.9, 1) as number });
    expect(detectionRate.compute([evidence])).toMatchObject({ value: expect.closeTo(21.45, 2) as number });
  });

  it('counts every hit in full where each file holds one known case', () => {
    const truth: GroundTruth = { ...readBenchmark(), identify: 'file' };
    const evidence = examineRun(truth, readRun('SonarQube_Java_Plugin'));
    expect(countsOf(evidence)).toMatchObject({ matched: 607, partial: 0, missed: 808, false: 141 });
    expect(detectionRate.compute([evidence])).toMatchObject({ value: expect.closeTo(42.9, 1) as number });
  });

  it('leaves the precision of a tool that says nothing unmeasured', () => {
    const silence = examineRun(readBenchmark(), readRun('PMD'));
    expect(precision.compute([silence]).measured).toBe(false);
    expect(detectionRate.compute([silence])).toMatchObject({ value: 0 });
  });
});
