/**
 * How often does `assay workflow compare` say what, when the truth is known? Run: `node bench/compare-verdicts.ts`.
 * Seeded simulations of two workflows with 24 errors and 3 runs each, 1,000 pairs per line: the same workflow twice;
 * equal skill with other strengths (each error has its own chance, drawn anew for each side); and a real gain.
 */
import { random } from '../src/stats/random.ts';
import { compareSides } from '../src/workflow/compare/compare-sides.ts';
import { VERDICTS } from '../src/workflow/compare/comparison-verdict.ts';
import type { RunEvidence } from '../src/workflow/evidence.ts';
import { evidenceWith } from '../src/workflow/example-evidence.ts';

const [PAIRS, ERRORS, RUNS] = [1000, 24, 3];
const source = random(42);
const uniform = () => source.bits() / 2 ** 32;

/** The chance of each error to be found, spread around the mean. */
function skills(mean: number): number[] {
  return Array.from({ length: ERRORS }, () => Math.min(1, Math.max(0, mean + 0.8 * (uniform() - 0.5))));
}

function runsOf(chances: readonly number[]): RunEvidence[] {
  return Array.from({ length: RUNS }, (_, i) =>
    evidenceWith({
      run: String(i),
      errors: chances.map((chance) => ['MINOR', uniform() < chance ? 1 : 0] as const),
    }),
  );
}

function simulate(name: string, draw: () => readonly [readonly number[], readonly number[]]): void {
  const counts = new Map<string, number>();
  for (let i = 0; i < PAIRS; i++) {
    const [a, b] = draw();
    const { verdict } = compareSides({ name: 'a', runs: runsOf(a) }, { name: 'b', runs: runsOf(b) });
    counts.set(verdict.verdict, (counts.get(verdict.verdict) ?? 0) + 1);
  }
  console.log(`\n${name}`);
  for (const verdict of VERDICTS) {
    const count = counts.get(verdict);
    if (count !== undefined)
      console.log(`  ${verdict.padEnd(34)} ${((100 * count) / PAIRS).toFixed(1).padStart(5)}%`);
  }
}

simulate('the same workflow twice', () => {
  const chances = skills(0.5);
  return [chances, chances];
});
simulate('equal skill, other strengths', () => [skills(0.5), skills(0.5)]);
simulate('20 points better, other strengths', () => [skills(0.45), skills(0.65)]);
simulate('20 points better, error by error', () => {
  const chances = skills(0.4);
  return [chances, chances.map((chance) => Math.min(1, chance + 0.2))];
});
