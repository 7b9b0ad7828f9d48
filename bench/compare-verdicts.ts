/**
 * How often `assay workflow compare` gives each verdict, and how often its intervals contain the truth, on data with a
 * known truth. Run: `node bench/compare-verdicts.ts [PAIRS]`. Seeded simulations of two workflows, each error with its
 * own chance to be found:
 *
 *  - the same workflow twice; equal skill with other strengths (chances drawn anew for each side); a real gain;
 * - the same with tasks whose errors are alike (a task suits one of the two better), no document named;
 * - coverage of the interval of the difference, and of the detection rate over errors: how often the 95% interval
 *  contains the value of the population that the errors were drawn from;
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

function runsOf(chances: Chances, runs: number): RunEvidence[] {
  return chances.flatMap((ofTask, task) =>
    Array.from({ length: runs }, (_, i) =>
      evidenceWith({
        task: `T${task + 1}`,
        run: String(i),
        errors: ofTask.map((chance) => ['MINOR', uniform() < chance ? 1 : 0] as const),
      }),
    ),
  );
}

type Draw = () => { readonly a: Chances; readonly b: Chances };

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

for (const runs of [3, 5]) {
  for (const n of [12, 24, 48]) {
    simulate(`the same workflow twice, ${n} errors`, runs, 0, () => {
      const chances = spread(n, 0.5);
      return { a: [chances], b: [chances] };
    });
    simulate(`equal skill, other strengths, ${n} errors`, runs, 0, () => ({
      a: [spread(n, 0.5)],
      b: [spread(n, 0.5)],
    }));
    simulate(`20 points better, other strengths, ${n} errors`, runs, 20, () => ({
      a: [spread(n, 0.4)],
      b: [spread(n, 0.6)],
    }));
  }
}

/** Each task suits one of the two better, by as much for all of its errors. */
function byTask(tasks: number, errors: number, gain: number): Draw {
  return () => {
    const sides = Array.from({ length: tasks }, () => {
      const lean = between(-0.3, 0.3);
      const chances = spread(errors, 0.5).map((chance) => clamp(chance * 0.5 + 0.25));
      return {
        a: chances.map((chance) => clamp(chance - (lean + gain) / 2)),
        b: chances.map((chance) => clamp(chance + (lean + gain) / 2)),
      };
    });
    return { a: sides.map(({ a }) => a), b: sides.map(({ b }) => b) };
  };
}
for (const tasks of [3, 6, 12])
  simulate(`equal skill, ${tasks} tasks of 8 alike errors`, 3, 0, byTask(tasks, 8, 0));
simulate('20 points better, 12 tasks of 8 alike errors', 3, 20, byTask(12, 8, 0.2));

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
        const one = detectionRateOverErrors.compute(runsOf([Array.from({ length: n }, draw)], runs));
        if (one.measured && (one.low ?? 101) <= truth && truth <= (one.high ?? -1)) held++;
      }
      return `${n} errors × ${runs}: ${percent(held / PAIRS).trim()}`;
    }),
  );
  console.log(
    `  ${name}\n    ${cells.slice(0, 3).join('   ')}\n    ${cells.slice(3, 6).join('   ')}\n    ${cells.slice(6).join('   ')}`,
  );
}
