/**
 * How often do the alert rules of production fire though nothing is wrong, and how soon when something is? Run:
 * `node bench/alert-false-alarms.ts`. A service is simulated minute by minute, with requests at random times, and looked at every
 * minute (the sample every 15) as `assay serve` does. Seeded: the same figures each time. Beside each rule stands the plain
 * comparison, which fires whenever the figure of the window is beyond the line.
 */
import {
  ALERT_RULES,
  type AlertRule,
  type AlertRuleId,
  windowsOf,
} from '../src/decomposition/production/alert-rules.ts';
import { ALERT_LEVEL, findingOf, type RuleReading } from '../src/decomposition/production/rule-finding.ts';
import { trendOf } from '../src/judge/trend.ts';
import { random } from '../src/stats/random.ts';
import { type DrawnItem, weightedRatio } from '../src/stats/weighted-ratio.ts';

const DAY = 1440;
const SAMPLE = 0.05;
const source = random(20261116);
const uniform = () => (source.bits() + 0.5) / 2 ** 32;

function normal(): number {
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Requests of one minute: Poisson, by Knuth's product for few and by the normal for many. */
function arrivals(mean: number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  let [count, product] = [0, uniform()];
  for (const limit = Math.exp(-mean); product > limit; count += 1) product *= uniform();
  return count;
}

function binomial(n: number, p: number): number {
  let count = 0;
  for (let i = 0; i < n; i += 1) if (uniform() < p) count += 1;
  return count;
}

/** What one request says, where the service as a whole is at `level`. */
const DRAWS: Readonly<Partial<Record<AlertRuleId, (level: number) => number>>> = {
  'errors-high': (level) => (uniform() < level ? 1 : 0),
  // A level is the share above the line.
  'latency-high': (level) => (uniform() < level ? 1 : 0),
  'confidence-low': (level) => Math.min(1, Math.max(0, level + 0.1 * normal())),
  // Lognormal with a coefficient of variation of 0.8: costs have a long tail.
  'cost-high': (level) => level * Math.exp(0.703 * normal() - 0.703 ** 2 / 2),
  'concepts-few': (level) => Math.max(0, Math.round(level + 4 * normal())),
};

/** Sums of a window that moves by a minute. */
class Window {
  readonly #minutes: Float64Array;
  #at = 0;
  n = 0;
  sum = 0;
  sumOfSquares = 0;

  constructor(minutes: number) {
    this.#minutes = new Float64Array(3 * minutes);
  }

  push(n: number, sum: number, sumOfSquares: number): void {
    const [i, values] = [3 * (this.#at % (this.#minutes.length / 3)), this.#minutes];
    this.n += n - (values[i] ?? 0);
    this.sum += sum - (values[i + 1] ?? 0);
    this.sumOfSquares += sumOfSquares - (values[i + 2] ?? 0);
    values.set([n, sum, sumOfSquares], i);
    this.#at += 1;
  }
}

function readingOf(rule: AlertRule, { n, sum, sumOfSquares }: Window): RuleReading | undefined {
  if (n === 0) return undefined;
  if (rule.id === 'errors-high') return { kind: 'share', count: Math.round(sum), n };
  if (rule.id === 'latency-high') {
    const above = Math.round(sum);
    // Only on which side of the line the quantile lies matters here.
    return { kind: 'quantile', p: 0.95, value: above / n > 0.05 ? rule.line + 1 : 0, above, n };
  }
  return { kind: 'mean', moments: { n, sum, sumOfSquares: Math.max(sumOfSquares, (sum * sum) / n) } };
}

type Counted = { fired: number; plain: number; firstAt: number | undefined };

/** Alerts as they fire and resolve, over so many minutes; with `until` it ends with the first. */
function simulate(rule: AlertRule, level: number, perHour: number, minutes: number, until = false): Counted {
  const counted: Counted = { fired: 0, plain: 0, firstAt: undefined };
  let [isOpen, isPlainOpen] = [false, false];
  const look = (reading: RuleReading | undefined, minute: number) => {
    const { state, value } = findingOf(rule, reading);
    if (state === 'firing' && !isOpen) {
      counted.fired += 1;
      counted.firstAt ??= minute;
    }
    isOpen = state === 'firing' || (isOpen && state !== 'ok');
    const isBeyond = value !== undefined && (rule.side === 'above' ? value > rule.line : value < rule.line);
    if (isBeyond && !isPlainOpen) counted.plain += 1;
    isPlainOpen = isBeyond;
  };
  const draw = DRAWS[rule.id];
  const isOver = () => until && counted.fired > 0;
  if (rule.id === 'sample-too-small') simulateLooked(level, perHour, minutes, look, isOver);
  else if (draw === undefined) simulateSample(rule.id, level, perHour, minutes, look, isOver);
  else {
    const windows = windowsOf(rule).map((length) => new Window(length));
    for (let minute = 0; minute < minutes && !(until && counted.fired > 0); minute += 1) {
      const n = arrivals(perHour / 60);
      let [sum, squares] = [0, 0];
      for (let i = 0; i < n; i += 1) {
        const value = draw(level);
        sum += value;
        squares += value * value;
      }
      for (const window of windows) window.push(n, sum, squares);
      // The first that has enough to tell, or else the longest.
      const window = windows.find((one) => one.n >= rule.minimum) ?? windows.at(-1);
      look(window && readingOf(rule, window), minute + 1);
    }
  }
  return counted;
}

/** Of the sampled ones that a rule can look at: people rate a fifth, the text of each was seen. */
const LOOKED_AT: Readonly<Partial<Record<AlertRuleId, number>>> = { 'hallucination-rated': 0.2 };

/** So many requests of a minute are looked at where a share of them is, as the sample of the server is drawn. */
function simulateLooked(
  level: number,
  perHour: number,
  minutes: number,
  look: (reading: RuleReading | undefined, minute: number) => void,
  isOver: () => boolean,
): void {
  const window = new Window(DAY);
  for (let minute = 0; minute < minutes && !isOver(); minute += 1) {
    const n = arrivals(perHour / 60);
    window.push(n, binomial(n, level), 0);
    // A server that has only just begun to record has no day behind it.
    if (minute % 15 === 14 && minute >= DAY)
      look({ kind: 'count', value: window.sum, n: window.n }, minute + 1 - DAY);
  }
}

/** A sample of 5%, each of 20 concepts or quotes of which some are made up; texts differ in how many (by a coin). */
function simulateSample(
  rule: AlertRuleId,
  level: number,
  perHour: number,
  minutes: number,
  look: (reading: RuleReading | undefined, minute: number) => void,
  isOver: () => boolean,
): void {
  const items: (DrawnItem & { at: number })[] = [];
  for (let minute = 0; minute < minutes && !isOver(); minute += 1) {
    for (let i = arrivals((perHour * SAMPLE * (LOOKED_AT[rule] ?? 1)) / 60); i > 0; i -= 1)
      // Half of the texts have three times the share of the other half.
      items.push({
        count: binomial(20, level * (uniform() < 0.5 ? 0.5 : 1.5)),
        of: 20,
        probability: SAMPLE,
        at: minute,
      });
    if (minute % 15 !== 14) continue;
    while ((items[0]?.at ?? minute) < minute - DAY) items.shift();
    const found = weightedRatio(items, 'share', 1 - 2 * ALERT_LEVEL);
    look(found && { kind: 'estimate', ...found, low: found.low ?? 0, high: found.high ?? 1 }, minute + 1);
  }
}

/** Healthy: the documented target, or half the line where there is none. Bad: clearly beyond. */
type Levels = { healthy: number; line: number; bad: number; said: string };
const MADE_UP: Levels = { healthy: 0.01, line: 0.02, bad: 0.06, said: '1% / 2% / 6%' };
const LEVELS: Readonly<Record<AlertRuleId, Levels | ((perHour: number) => Levels)>> = {
  'errors-high': { healthy: 0.005, line: 0.01, bad: 0.05, said: '0.5% / 1% / 5%' },
  'latency-high': { healthy: 0.02, line: 0.05, bad: 0.2, said: '2% / 5% / 20% above 5000 ms' },
  'confidence-low': { healthy: 0.75, line: 0.7, bad: 0.6, said: '0.75 / 0.70 / 0.60' },
  'cost-high': { healthy: 0.05, line: 0.1, bad: 0.15, said: '$0.05 / $0.10 / $0.15' },
  'concepts-few': { healthy: 15, line: 10, bad: 7, said: '15 / 10 / 7' },
  'hallucination-rated': { ...MADE_UP, said: '1% / 2% / 6%, a fifth of the sample rated' },
  'hallucination-unmentioned': MADE_UP,
  'hallucination-unsupported': MADE_UP,
  'sample-too-small': (perHour) => ({
    healthy: SAMPLE,
    line: 30 / (24 * perHour),
    bad: 0.1 * (30 / (24 * perHour)),
    said: '5% / 30 a day / 3 a day looked at',
  }),
};

/** The documented line of a session (`session.flagBelow`). */
const SESSION_LINE = 0.4;
const WEEKS = Number(process.argv[2] ?? 8);
const DETECTIONS = 15;

console.log(
  `Alerts per week over ${WEEKS} weeks each; "plain" fires whenever the figure is beyond the line.\n`,
);
console.log(
  '| rule | healthy / on the line / bad | requests an hour | alerts a week when healthy (plain) | on the line (plain) | bad: minutes until it fires, median of 15 |',
);
console.log('|---|---|---:|---:|---:|---:|');
for (const rule of ALERT_RULES) {
  for (const perHour of [10, 100, 1000]) {
    const found = LEVELS[rule.id];
    const levels = typeof found === 'function' ? found(perHour) : found;
    const week = (level: number) => {
      const { fired, plain } = simulate(rule, level, perHour, WEEKS * 7 * DAY);
      return `${(fired / WEEKS).toFixed(2)} (${(plain / WEEKS).toFixed(1)})`;
    };
    const times = Array.from(
      { length: DETECTIONS },
      () => simulate(rule, levels.bad, perHour, 3 * DAY, true).firstAt ?? Number.POSITIVE_INFINITY,
    ).sort((a, b) => a - b);
    const median = times[Math.floor(DETECTIONS / 2)] ?? Number.POSITIVE_INFINITY;
    const soon = Number.isFinite(median) ? String(median) : 'never: too few to tell';
    console.log(
      `| \`${rule.id}\` | ${levels.said} | ${perHour} | ${week(levels.healthy)} | ${week(levels.line)} | ${soon} |`,
    );
  }
}

/**
 * The other two rules look at no window. Q of a session is computed from what it did and not drawn, so that chance has no part
 * in it: what fires is the share of sessions that are below. Spread as sessions of one team are, around a mean.
 */
console.log('\n| rule | Q of the sessions | sessions a week | alerts a week |');
console.log('|---|---|---:|---:|');
for (const mean of [0.7, 0.55, 0.4])
  for (const perWeek of [10, 100, 1000]) {
    let fired = 0;
    for (let i = 0; i < WEEKS * perWeek; i += 1)
      if (Math.min(1, Math.max(0, mean + 0.12 * normal())) < SESSION_LINE) fired += 1;
    console.log(
      `| \`session-q-low\` | mean ${mean.toFixed(2)}, sd 0.12 | ${perWeek} | ${(fired / WEEKS).toFixed(1)} |`,
    );
  }

/** Runs of a suite of so many cases, each off by 10 points from run to run; the metric is their mean. */
console.log(
  '\n| rule | cases | noise of the metric | alerts per 100 runs when nothing changes (plain: a fall of more than a point) | when it falls by 2 points a run: runs until it fires, median of 15 |',
);
console.log('|---|---:|---:|---:|---:|');
const RUNS = 100_000;
const RECALL = { id: 'recall', title: 'Recall', unit: 'ratio', better: 'higher' } as const;
for (const cases of [5, 20, 100, 500]) {
  const noise = 0.1 / Math.sqrt(cases);
  const run = (fall: number) => (i: number) => ({
    runId: String(i),
    at: '',
    value: 0.85 - fall * i + noise * normal(),
  });
  const series = Array.from({ length: RUNS }, (_, i) => run(0)(i));
  let [fired, plain] = [0, 0];
  for (let i = 3; i < RUNS; i += 1) {
    const { alert, declines } = trendOf(RECALL, series.slice(i - 3, i + 1));
    if (alert) fired += 1;
    if (declines > 0) plain += 1;
  }
  const times = Array.from({ length: DETECTIONS }, () => {
    const falling = Array.from({ length: 40 }, (_, i) => run(0.02)(i));
    const first = falling.findIndex((_, i) => i >= 3 && trendOf(RECALL, falling.slice(i - 3, i + 1)).alert);
    return first < 0 ? Number.POSITIVE_INFINITY : first;
  }).sort((a, b) => a - b);
  const median = times[Math.floor(DETECTIONS / 2)] ?? Number.POSITIVE_INFINITY;
  console.log(
    `| \`three-declines\` | ${cases} | ${(100 * noise).toFixed(1)} points | ${((100 * fired) / RUNS).toFixed(2)} (${((100 * plain) / RUNS).toFixed(1)}) | ${Number.isFinite(median) ? median : 'not within 40'} |`,
  );
}
