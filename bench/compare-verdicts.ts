/**
 * How often `assay workflow compare` gives each verdict, and how often its intervals contain the truth, when that is
 * known? Run: `node bench/compare-verdicts.ts [PAIRS]`. Seeded simulations of two workflows, each error with a chance of
 * its own to be found and one in six critical, with false alarms:
 *
 * - the same workflow twice; equal skill with other strengths (chances drawn anew for each side); a real gain;
 * - a gain that loses critical errors; floods, which find more because they comment everywhere;
 * - tasks, and files of one task, whose errors are alike (each suits one of the two better);
 * - two workflows that answer the same every time (exact McNemar);
 * - coverage of the interval of the difference, and of the detection rate over errors: how often the 95% interval holds
 *   the value of the population that the errors were drawn from;
 * - power: how often the difference that a comparison says it can see 80% of the time is called improved.
 */
import { SIDES_VERDICTS } from '../src/judge/sides.ts';
import { compareSides } from '../src/operations/workflow/compare-workflows.ts';
import { random } from '../src/stats/random.ts';
import type { RunEvidence } from '../src/workflow/evidence.ts';
import { evidenceWith } from '../src/workflow/example-evidence.ts';
import { detectionRateOverErrors } from '../src/workflow/metrics/detection-rate-over-errors.ts';

const PAIRS = Number(process.argv[2] ?? 1000);
const source = random(42);
const uniform = () => source.bits() / 2 ** 32;
const between = (low: number, high: number) => low + (high - low) * uniform();
const clamp = (chance: number) => Math.min(1, Math.max(0, chance));

/** Task → the chance of each of its errors to be found. */
type Chances = readonly (readonly number[])[];

type Side = {
  readonly chances: Chances;
  /** False alarms of a run, on average. */
  readonly alarms?: number;
  /** Errors of so many files each are alike. */
  readonly files?: number;
  /** What random findings of the same number would have earned, in percent. */
  readonly chance?: number;
  readonly same?: boolean;
};

const isCritical = (error: number) => error % 6 === 0;

function runsOf({ chances, alarms = 0, files, chance, same = false }: Side, runs: number): RunEvidence[] {
  const once = chances.map((ofTask) => ofTask.map((one) => (uniform() < one ? 1 : 0)));
  return chances.flatMap((ofTask, task) =>
    Array.from({ length: runs }, (_, i) => {
      const evidence = evidenceWith({
        task: `T${task + 1}`,
        run: String(i + 1),
        errors: ofTask.map(
          (one, error) =>
            [
              isCritical(error) ? 'CRITICAL' : 'MINOR',
              same ? (once[task]?.[error] as 0 | 1) : uniform() < one ? 1 : 0,
            ] as const,
        ),
        others: { UNRESOLVED: same ? Math.round(alarms) : Math.round(alarms * between(0.5, 1.5)) },
        ...(chance !== undefined && { chance: { rate: chance, covered: chance / 100 } }),
      });
      if (files === undefined) return evidence;
      const errors = evidence.errors.map((error, place) => ({ ...error, document: `f${place % files}` }));
      return { ...evidence, errors };
    }),
  );
}

type Draw = () => { readonly a: Side; readonly b: Side };

const percent = (share: number) => `${(100 * share).toFixed(1)}%`.padStart(6);

function simulate(name: string, runs: number, truth: number, draw: Draw): void {
  const counts = new Map<string, number>();
  let [held, decided, powerful, claims] = [0, 0, 0, 0];
  for (let i = 0; i < PAIRS; i++) {
    const { a, b } = draw();
    const { verdict, paired } = compareSides(
      { name: 'a', runs: runsOf(a, runs) },
      { name: 'b', runs: runsOf(b, runs) },
    );
    counts.set(verdict.verdict, (counts.get(verdict.verdict) ?? 0) + 1);
    if (paired?.low !== undefined && paired.high !== undefined) {
      decided++;
      if (paired.low <= truth && truth <= paired.high) held++;
    }
    if (paired?.power.detectable !== undefined) {
      claims++;
      powerful += paired.power.detectable;
    }
  }
  console.log(`\n${name}, ${runs} runs each`);
  for (const verdict of SIDES_VERDICTS) {
    const count = counts.get(verdict);
    if (count !== undefined) console.log(`  ${verdict.padEnd(34)} ${percent(count / PAIRS)}`);
  }
  if (decided > 0) console.log(`  interval of the difference holds it ${percent(held / decided)}`);
  if (claims > 0)
    console.log(
      `  difference it says it sees 80% of the time, mean ${(powerful / claims).toFixed(1)} points`,
    );
}

const spread = (n: number, mean: number) => Array.from({ length: n }, () => between(mean - 0.4, mean + 0.4));

/** As many false alarms as three of ten findings. */
const noisy = (chances: Chances): Side => ({
  chances,
  alarms: (0.43 * chances.flat().reduce((sum, one) => sum + one, 0)) / chances.length,
});

for (const runs of [3, 5]) {
  for (const n of [12, 24, 48]) {
    simulate(`the same workflow twice, ${n} errors`, runs, 0, () => {
      const chances = spread(n, 0.5);
      return { a: noisy([chances]), b: noisy([chances]) };
    });
    simulate(`equal skill, other strengths, ${n} errors`, runs, 0, () => ({
      a: noisy([spread(n, 0.5)]),
      b: noisy([spread(n, 0.5)]),
    }));
    // A gain over the same strengths, but for critical errors, which both find equally often.
    for (const [gain, others] of [
      [0.2, 'equal critical ability'],
      [0.3, 'equal critical ability'],
    ] as const)
      simulate(
        `${100 * gain} points better on the others, ${others}, ${n} errors`,
        runs,
        (100 * gain * 5) / 6,
        () => {
          const before = Array.from({ length: n }, () => between(0.1, 0.9 - gain));
          const after = before.map((chance, error) => (isCritical(error) ? chance : chance + gain));
          return { a: noisy([before]), b: noisy([after]) };
        },
      );
    simulate(`20 points better, other strengths, ${n} errors`, runs, 20, () => ({
      a: noisy([spread(n, 0.4)]),
      b: noisy([spread(n, 0.6)]),
    }));
  }
  for (const loss of [0.3, 0.6])
    simulate(
      `30 points better on the others, critical ${100 * loss} worse, 24 errors`,
      runs,
      25 - (100 * loss) / 6,
      () => {
        const before = Array.from({ length: 24 }, (_, error) =>
          isCritical(error) ? between(0.7, 1) : between(0.1, 0.6),
        );
        const after = before.map((chance, error) => (isCritical(error) ? chance - loss : chance + 0.3));
        return { a: noisy([before]), b: noisy([after]) };
      },
    );
  simulate('a flood: 95% of 24 errors found, 300 false alarms', runs, 55, () => ({
    a: { ...noisy([spread(24, 0.4)]), chance: 5 },
    b: { chances: [Array(24).fill(0.95)], alarms: 300, chance: 90 },
  }));
  simulate('a small flood: 20 random findings more, one in five over an error', runs, 8, () => {
    const before = spread(24, 0.5);
    const after = before.map((chance) => 1 - (1 - chance) * 0.84);
    return { a: { ...noisy([before]), chance: 5 }, b: { chances: [after], alarms: 21, chance: 13 } };
  });
  simulate('the same deterministic tool twice, 24 errors drawn anew for each', runs, 0, () => ({
    a: { ...noisy([spread(24, 0.5)]), same: true },
    b: { ...noisy([spread(24, 0.5)]), same: true },
  }));
  simulate('a deterministic tool 30 points better, 24 errors', runs, 30, () => {
    const before = spread(24, 0.35);
    return {
      a: { ...noisy([before]), same: true },
      b: { ...noisy([before.map((chance) => clamp(chance + 0.3))]), same: true },
    };
  });
}

/** Each group of errors suits one of the two better, by as much for all of its errors. */
function leaning(groups: number, errors: number, gain: number): { a: number[]; b: number[] }[] {
  return Array.from({ length: groups }, () => {
    const lean = between(-0.3, 0.3);
    const chances = spread(errors, 0.5).map((chance) => clamp(chance * 0.5 + 0.25));
    return {
      a: chances.map((chance) => clamp(chance - (lean + gain) / 2)),
      b: chances.map((chance) => clamp(chance + (lean + gain) / 2)),
    };
  });
}

function byTask(tasks: number, errors: number, gain: number): Draw {
  return () => {
    const sides = leaning(tasks, errors, gain);
    return { a: noisy(sides.map(({ a }) => a)), b: noisy(sides.map(({ b }) => b)) };
  };
}
for (const tasks of [3, 6, 12])
  simulate(`equal skill, ${tasks} tasks of 8 alike errors`, 3, 0, byTask(tasks, 8, 0));
simulate('20 points better, 12 tasks of 8 alike errors', 3, 20, byTask(12, 8, 0.2));

/** The same in one task: the errors of a file are alike. */
function byFile(files: number, errors: number, gain: number): Draw {
  return () => {
    const sides = leaning(files, errors, gain);
    const mixed = (side: 'a' | 'b') =>
      Array.from(
        { length: files * errors },
        (_, i) => sides[i % files]?.[side][Math.floor(i / files)] as number,
      );
    return { a: { ...noisy([mixed('a')]), files }, b: { ...noisy([mixed('b')]), files } };
  };
}
for (const files of [5, 8, 16]) {
  simulate(`equal skill, ${files} files of 8 alike errors`, 3, 0, byFile(files, 8, 0));
  simulate(`30 points better, ${files} files of 8 alike errors`, 3, 30, byFile(files, 8, 0.3));
}
simulate('60 points better, 5 files of 40 alike errors', 3, 60, byFile(5, 40, 0.6));

console.log('\ncoverage of the detection rate over errors (95% claimed)');
const KINDS: readonly (readonly [name: string, truth: number, draw: () => number])[] = [
  ['chances from 0.1 to 0.9', 50, () => between(0.1, 0.9)],
  ['half always found, half never', 50, () => (uniform() < 0.5 ? 0 : 1)],
  ['mostly found', 90, () => (uniform() < 0.8 ? 1 : 0.5)],
  ['hardly found', 12.2, () => (uniform() < 0.15 ? 0.7 : 0.02)],
];
for (const [name, truth, draw] of KINDS) {
  const cells = [12, 24, 48].flatMap((n) =>
    [1, 3, 5].map((runs) => {
      let held = 0;
      for (let i = 0; i < PAIRS; i++) {
        const one = detectionRateOverErrors.compute(
          runsOf({ chances: [Array.from({ length: n }, draw)] }, runs),
        );
        if (one.measured && (one.low ?? 101) <= truth && truth <= (one.high ?? -1)) held++;
      }
      return `${n} errors × ${runs}: ${percent(held / PAIRS).trim()}`;
    }),
  );
  console.log(
    `  ${name}\n    ${cells.slice(0, 3).join('   ')}\n    ${cells.slice(3, 6).join('   ')}\n    ${cells.slice(6).join('   ')}`,
  );
}
