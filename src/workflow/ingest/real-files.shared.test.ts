import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importRuns, importTruth } from './import-file.ts';

const FOLDER = '../shared/data/workflow/sarif-truth';

describe.skipIf(!existsSync(FOLDER))(`SARIF ground truths in the wild (needs ${FOLDER})`, () => {
  // Counts as published beside the files.
  it.each([
    ['BenchmarkJava', 1415, 1325],
    ['go-sec-code', 24, 14],
    ['skf-labs/python', 383, 4],
    ['sast-rules/python', 308, 107],
    ['JulietCSharp-mutated', 473, 615],
  ])('%s has %i errors and %i traps', (name, errors, traps) => {
    const { truth, mappings } = importTruth(`${FOLDER}/${name}/truth.sarif`);
    expect([truth.errors.length, truth.traps.length]).toEqual([errors, traps]);
    expect(mappings.filter(({ field }) => field === 'severity')).toEqual([
      { field: 'severity', from: 'warning', to: 'IMPORTANT', count: errors, because: 'default for SARIF' },
    ]);
    expect(truth.categories.every((category) => /^CWE-\d+$/.test(category))).toBe(true);
  });
});

const REPORT = '../shared/data/workflow/owasp-benchmark/results/Benchmark_1.2-SiteShadow-v1.0.0-902.sarif';

describe.skipIf(!existsSync(REPORT))(`a SARIF report in the wild (needs ${REPORT})`, () => {
  it('has 902 findings, whose categories are the weaknesses that its rules are tagged with', () => {
    const { runs, mappings } = importRuns(REPORT, { task: 'OWASP-BenchmarkJava-v1.2' });
    expect(runs[0]?.workflow).toBe('SiteShadow 1.0.0');
    expect(runs[0]?.findings).toHaveLength(902);
    expect(mappings).toContainEqual({
      field: 'category',
      from: 'sql-injection',
      to: 'CWE-89',
      count: 272,
      because: 'tag of the rule',
    });
  });
});
