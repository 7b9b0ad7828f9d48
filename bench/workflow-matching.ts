/**
 * The cost of matching, and the score of random findings. Run: `node bench/workflow-matching.ts`.
 *
 *  - 5,000 findings against 2,000 errors in one file: seconds and peak memory, compared with the same number of
 * comparisons
 *  of two pairs of lines in a plain loop (the floor of the same run).
 * - 40 random findings of a wrong category against 24 errors in 600 lines, 200 times: the detection rate that chance
 * earns.
 */
import { random } from '../src/stats/random.ts';
import type { RunEvidence } from '../src/workflow/evidence.ts';
import { examineRun } from '../src/workflow/match/examine-run.ts';
import { detectionRate } from '../src/workflow/metrics/detection-rate.ts';
import { runOf, truthOf } from '../src/workflow/testing/build.ts';

const source = random(42);
const [ERRORS, FINDINGS] = [2000, 5000];
const lines = (i: number, width: number) => [1 + i, i + width] as const;

const truth = truthOf(
  Array.from({ length: ERRORS }, (_, i) => ({
    category: 'EDGE',
    locations: [{ file: 'a.ts', lines: lines(3 * i, 2) }],
  })),
);
const run = runOf(
  Array.from({ length: FINDINGS }, (_, i) => ({
    title: `finding ${i}`,
    category: 'EDGE',
    file: 'a.ts',
    lines: lines(source.below(3 * ERRORS), 2),
  })),
);

let touching = 0;
const floorStart = performance.now();
for (const finding of run.findings) {
  for (const { locations } of truth.errors) {
    const [a, b] = [finding.lines, locations[0]?.lines];
    if (a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1]) touching++;
  }
}
const floor = performance.now() - floorStart;
const start = performance.now();
const evidence = examineRun(truth, run);
const elapsed = performance.now() - start;
console.log(`${FINDINGS} findings against ${ERRORS} errors in one file: ${(elapsed / 1000).toFixed(2)} s,`);
console.log(
  `  ${(elapsed / floor).toFixed(1)} × a plain loop over all pairs (${(floor / 1000).toFixed(2)} s, ${touching} overlaps)`,
);
console.log(
  `  peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB, ${evidence.findings.length} findings classed`,
);

const TRIALS = 200;
function chance(category: string | undefined): number {
  let sum = 0;
  for (let i = 0; i < TRIALS; i++) {
    const known = truthOf(
      Array.from({ length: 24 }, () => ({
        category: 'SECURE',
        locations: [{ file: 'a.ts', lines: lines(source.below(600), 1 + source.below(3)) }],
      })),
    );
    const guesses = runOf(
      Array.from({ length: 40 }, (_, n) => ({
        title: `guess ${n}`,
        file: 'a.ts',
        lines: lines(source.below(600), 1),
        ...(category !== undefined && { category }),
      })),
    );
    const one = detectionRate.compute([examineRun(known, guesses) satisfies RunEvidence]);
    sum += one.measured ? one.value : 0;
  }
  return sum / TRIALS;
}
console.log(
  '40 random one-line findings against 24 errors of 1 to 3 lines in 600 lines, mean detection rate:',
);
console.log(`  of a wrong category ${chance('PERF').toFixed(1)}%`);
console.log(`  without a category  ${chance(undefined).toFixed(1)}%`);
console.log(`  of the right one    ${chance('SECURE').toFixed(1)}%`);
