/**
 * How often does an experiment in production claim a difference where there is none, if somebody looks after every
 * request and stops at the first claim? Run: `node bench/ab-peeking.ts [EXPERIMENTS]`. Seeded simulations with a known
 * truth. The intervals only shrink, so a claim at the end equals a claim at any earlier look, and looking after every
 * unit costs one computation.
 *
 *  - error: a difference is claimed although there is none, compared with an ordinary z test under the same looks;
 * - coverage: how often the interval excludes the true difference at some look;
 * - power: how often a true difference is found after a number of units;
 * - unevenly filled arms, and how often that is reported;
 * - the whole verdict, guard rails and ratio included, on requests with keys, latency, cost and errors.
 */
import { armOf } from '../src/decomposition/production/experiment/assign.ts';
import { judgeExperiment } from '../src/decomposition/production/experiment/judge-experiment.ts';
import { type AbPlan, PLAN_DEFAULTS } from '../src/decomposition/production/experiment/plan.ts';
import { type ArmValue, differenceSequence, sampleRatioP } from '../src/stats/confidence-sequence.ts';
import { random } from '../src/stats/random.ts';

const EXPERIMENTS = Number(process.argv[2] ?? 2000);
const source = random(20260214);
const uniform = () => (source.bits() + 0.5) / 2 ** 32;
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)}%`.padStart(6);

type Draw = (inSecond: boolean) => number;

const yes =
  (first: number, second = first): Draw =>
  (inSecond) =>
    uniform() < (inSecond ? second : first) ? 1 : 0;
/** Shares of verified quotes: most of them 1, the others anywhere. */
const quotes: Draw = () => (uniform() < 0.6 ? 1 : uniform());
/** Lognormal latency around 1.8 s, cut off at 10 s. */
const latency: Draw = () => Math.min(1, (1800 * Math.exp(0.5 * normal())) / 10_000);

function unitsOf(draw: Draw, n: number, share: number): ArmValue[] {
  return Array.from({ length: n }, () => {
    const inSecond = uniform() < share;
    return { inSecond, value: draw(inSecond) };
  });
}

/** What peeking does to a test that is made for one look: from 50 units on it looks after each. */
function naiveClaims(units: readonly ArmValue[]): boolean {
  const empty = () => ({ n: 0, sum: 0, squares: 0 });
  const sums: readonly [ReturnType<typeof empty>, ReturnType<typeof empty>] = [empty(), empty()];
  return units.some(({ inSecond, value }, place) => {
    const arm = sums[inSecond ? 1 : 0];
    arm.n++;
    arm.sum += value;
    arm.squares += value * value;
    const [a, b] = sums.map(({ n, sum, squares }) => ({
      mean: sum / n,
      of: (squares / n - (sum / n) ** 2) / n,
    }));
    return place >= 50 && a && b && Math.abs(b.mean - a.mean) > 1.96 * Math.sqrt(a.of + b.of);
  });
}

console.log(`${EXPERIMENTS} experiments each, looked at after every unit`);
console.log('\nno difference                          units   error   z test under the same looks');
const NULLS: readonly (readonly [string, Draw, number])[] = [
  ['acceptable 80%', yes(0.8), 0.5],
  ['acceptable 95%', yes(0.95), 0.5],
  ['acceptable 80%, 10% get the candidate', yes(0.8), 0.1],
  ['share of quotes that are verified', quotes, 0.5],
  ['errors 0.5%', yes(0.005), 0.5],
  ['latency', latency, 0.5],
];
for (const [name, draw, share] of NULLS) {
  let [wrong, naive] = [0, 0];
  for (let i = 0; i < EXPERIMENTS; i++) {
    const units = unitsOf(draw, 3000, share);
    if (differenceSequence(units, share).p <= 0.05) wrong++;
    if (naiveClaims(units)) naive++;
  }
  console.log(
    `${name.padEnd(38)} ${'3000'.padStart(5)}  ${percent(wrong, EXPERIMENTS)}  ${percent(naive, EXPERIMENTS)}`,
  );
}

console.log('\na real difference                      units   left out at some look   told');
for (const [first, second] of [
  [0.8, 0.85],
  [0.8, 0.9],
  [0.8, 0.7],
  [0.9, 0.95],
] as const) {
  for (const n of [500, 1000, 2000, 4000]) {
    let [missed, decided] = [0, 0];
    const trials = Math.ceil(EXPERIMENTS / 4);
    for (let i = 0; i < trials; i++) {
      const { interval } = differenceSequence(unitsOf(yes(first, second), n, 0.5), 0.5);
      if (interval.low > second - first || interval.high < second - first) missed++;
      if (second > first ? interval.low > 0 : interval.high < 0) decided++;
    }
    const name = `${Math.round(100 * first)}% against ${Math.round(100 * second)}%`;
    console.log(
      `${name.padEnd(38)} ${String(n).padStart(5)}  ${percent(missed, trials)}                ${percent(decided, trials)}`,
    );
  }
}

console.log('\nratio of the arms, planned 50%         units   told at 0.001');
for (const real of [0.5, 0.52, 0.55, 0.6])
  for (const n of [1000, 5000]) {
    let detected = 0;
    for (let i = 0; i < EXPERIMENTS; i++)
      if (
        sampleRatioP(
          Array.from({ length: n }, () => uniform() < real),
          0.5,
        ) <= 0.001
      )
        detected++;
    console.log(
      `${`really ${Math.round(100 * real)}%`.padEnd(38)} ${String(n).padStart(5)}  ${percent(detected, EXPERIMENTS)}`,
    );
  }

type World = { readonly acceptable: number; readonly slower: number; readonly errors: number };

/** Keys with one request each, one in five rated. */
function verdictIn(place: number, n: number, { acceptable, slower, errors }: World): string {
  const plan: AbPlan = {
    ...PLAN_DEFAULTS,
    id: `simulated-${place}`,
    control: 'a-v1.0',
    candidate: 'a-v1.1',
  };
  const exposures = Array.from({ length: n }, (_, request) => {
    const keyHash = `${place}-${request}`;
    const arm = armOf(plan, keyHash);
    const [extra, failing] = arm === 'candidate' ? [slower, errors] : [0, 0.005];
    return {
      id: keyHash,
      at: '',
      status: uniform() < failing ? ('error' as const) : ('ok' as const),
      latencyMs: 1800 * Math.exp(0.5 * normal()) + extra,
      costUsd: 0.02 * Math.exp(0.4 * normal()),
      experiment: { arm, keyHash },
    };
  });
  const outcomes = exposures
    .filter((_, request) => request % 5 === 0)
    .map(({ at, experiment: { arm, keyHash } }) => ({
      at,
      keyHash,
      value: yes(0.8)(false) === 1 || (arm === 'candidate' && uniform() < acceptable * 5) ? 1 : 0,
    }));
  return judgeExperiment(plan, exposures, outcomes).verdict;
}

const WORLDS: readonly (readonly [string, World])[] = [
  ['nothing differs', { acceptable: 0, slower: 0, errors: 0.005 }],
  ['10 points better', { acceptable: 0.1, slower: 0, errors: 0.005 }],
  ['1.5 s slower', { acceptable: 0, slower: 1500, errors: 0.005 }],
  ['4% more errors', { acceptable: 0, slower: 0, errors: 0.045 }],
  ['10 points better and 1.5 s slower', { acceptable: 0.1, slower: 1500, errors: 0.005 }],
];
console.log('\nthe whole verdict, 5,000 keys, 1,000 of them rated');
for (const [name, world] of WORLDS) {
  const counts = new Map<string, number>();
  const trials = Math.ceil(EXPERIMENTS / 10);
  for (let i = 0; i < trials; i++) {
    const verdict = verdictIn(i, 5000, world);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const said = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([verdict, count]) => `${verdict} ${percent(count, trials).trim()}`);
  console.log(`${name.padEnd(38)} ${said.join(', ')}`);
}
