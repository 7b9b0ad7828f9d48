/**
 * How often do the alert rules of production fire though nothing is wrong, how soon when something is, and how soon are they
 * over? Run: `node bench/alert-false-alarms.ts`. A service is simulated minute by minute, with requests at random times, and
 * looked at every minute (the sample every 5) as `assay serve` does. Nothing is counted before two healthy days have passed,
 * so that no window is empty. Seeded: the same figures each time.
 */
import {
  ALERT_RULES,
  type AlertRule,
  type AlertRuleId,
  LONGEST_WINDOW,
  WINDOWS,
} from '../src/decomposition/production/alert-rules.ts';
import {
  drawnReading,
  findingOf,
  informationOf,
  meanReading,
  type RuleReading,
  readingOfSample,
  shareReading,
} from '../src/decomposition/production/rule-finding.ts';
import { trendOf } from '../src/judge/trend.ts';
import { random } from '../src/stats/random.ts';
import type { DrawnItem } from '../src/stats/weighted-ratio.ts';

const DAY = 1440;
const HEALTHY_DAYS = 2;
const SAMPLE = 0.05;
const SAMPLE_EVERY = 5;
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

/** What the windows say after each minute; `undefined`: nobody looks in this one. */
type Service = (level: number, minute: number) => readonly (RuleReading | undefined)[] | undefined;

/** Requests of which each says a number, added up from the beginning. */
function requestService(rule: AlertRule, draw: (level: number) => number, perHour: number): Service {
  const sums = [{ n: 0, sum: 0, sumOfSquares: 0 }];
  return (level) => {
    const { n, sum, sumOfSquares } = sums.at(-1) ?? { n: 0, sum: 0, sumOfSquares: 0 };
    const now = { n: n + arrivals(perHour / 60), sum, sumOfSquares };
    for (let i = n; i < now.n; i += 1) {
      const value = draw(level);
      now.sum += value;
      now.sumOfSquares += value * value;
    }
    sums.push(now);
    if (sums.length > DAY + 1) sums.shift();
    const windows = WINDOWS.map((minutes) => {
      const before = sums[Math.max(0, sums.length - 1 - minutes)] ?? now;
      return {
        n: now.n - before.n,
        sum: now.sum - before.sum,
        sumOfSquares: now.sumOfSquares - before.sumOfSquares,
      };
    });
    const longest = windows.at(-1) ?? now;
    return windows.map((moments) => {
      if (rule.unit !== 'share' && rule.unit !== 'ms') return meanReading(moments, longest);
      const share = shareReading(Math.round(moments.sum), moments.n);
      // Of latency the share above the line decides, whatever the quantile is.
      return share && rule.unit === 'ms' ? { ...share, scale: { shown: 0, line: 0.05 } } : share;
    });
  };
}

/** Of the sampled ones that a rule can look at: people rate a fifth, the text of each was seen. */
const LOOKED_AT: Readonly<Partial<Record<AlertRuleId, number>>> = { 'hallucination-rated': 0.2 };

/** A sample of 5%, each of 20 concepts or quotes of which some are made up; half of the texts have three times the share. */
function sampleService({ id }: AlertRule, perHour: number): Service {
  const items: (DrawnItem & { readonly at: number })[] = [];
  return (level, minute) => {
    for (let i = arrivals((perHour * SAMPLE * (LOOKED_AT[id] ?? 1)) / 60); i > 0; i -= 1) {
      const count = binomial(20, level * (uniform() < 0.5 ? 0.5 : 1.5));
      items.push({ count, of: 20, probability: SAMPLE, at: minute });
    }
    if (minute % SAMPLE_EVERY !== SAMPLE_EVERY - 1) return undefined;
    while ((items[0]?.at ?? minute) <= minute - DAY) items.shift();
    const information = informationOf(items);
    return WINDOWS.map((minutes) => {
      const from = items.findIndex(({ at }) => at > minute - minutes);
      return drawnReading(from < 0 ? [] : items.slice(from), information);
    });
  };
}

/** So many requests of a minute are looked at where a share of them is, as the sample of the server is drawn. */
function lookedService(rule: AlertRule, perHour: number): Service {
  const seen = { id: '', probability: SAMPLE, unmentioned: { concepts: 20, unmentioned: 0 } };
  const days: { readonly requests: number; readonly looked: number }[] = [];
  return (level, minute) => {
    const requests = arrivals(perHour / 60);
    days.push({ requests, looked: binomial(requests, level) });
    if (days.length > DAY) days.shift();
    if (minute % SAMPLE_EVERY !== SAMPLE_EVERY - 1) return undefined;
    const sum = (key: 'requests' | 'looked') => days.reduce((all, one) => all + one[key], 0);
    const sample = { requests: sum('requests'), sampled: new Array<typeof seen>(sum('looked')).fill(seen) };
    return WINDOWS.map((minutes) =>
      minutes === LONGEST_WINDOW ? readingOfSample(rule, sample, sample) : undefined,
    );
  };
}

function serviceOf(rule: AlertRule, perHour: number): Service {
  const draw = DRAWS[rule.id];
  if (draw !== undefined) return requestService(rule, draw, perHour);
  return rule.id === 'sample-too-small' ? lookedService(rule, perHour) : sampleService(rule, perHour);
}

type Counted = { readonly fired: number; readonly firstAt: number; readonly overAt: number };

/** Alerts as they fire and resolve over so many minutes after the healthy days, at the level of each minute. */
function simulate(
  rule: AlertRule,
  perHour: number,
  healthy: number,
  levelAt: (minute: number) => number,
  minutes: number,
  until?: 'fired' | 'over',
): Counted {
  const service = serviceOf(rule, perHour);
  for (let minute = 0; minute < HEALTHY_DAYS * DAY; minute += 1) service(healthy, minute);
  let [fired, firstAt, overAt, isOpen] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, false];
  for (let minute = 0; minute < minutes; minute += 1) {
    const readings = service(levelAt(minute), HEALTHY_DAYS * DAY + minute);
    if (readings === undefined) continue;
    const windows = readings.map((reading, i) => ({ minutes: WINDOWS[i] ?? 0, reading }));
    const { state } = findingOf(rule, windows);
    if (state === 'firing' && !isOpen) {
      isOpen = true;
      fired += 1;
      if (fired === 1) firstAt = minute + 1;
      if (until === 'fired') break;
    }
    if (state === 'ok' && isOpen) {
      isOpen = false;
      overAt = minute + 1;
      if (until === 'over' && overAt > HOUR) break;
    }
  }
  return { fired, firstAt, overAt };
}

/** Healthy: the documented target, or half the line where there is none. Bad: clearly beyond. */
type Levels = { healthy: number; line: number; bad: number; said: string };
const MADE_UP: Levels = { healthy: 0.01, line: 0.02, bad: 0.06, said: '1% / 2% / 6%' };
const LEVELS: Readonly<Record<AlertRuleId, Levels | ((perHour: number) => Levels)>> = {
  'errors-high': { healthy: 0.005, line: 0.01, bad: 0.077, said: '0.5% / 1% / 7.7%' },
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
const HOUR = 60;

function medianOf(times: readonly number[]): string {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(median) ? String(median) : '–';
}

console.log(
  `Alerts per week over ${WEEKS} weeks; minutes are medians of ${DETECTIONS}, "–" where most did not within three days.\n`,
);
console.log(
  '| rule | healthy / on the line / bad | requests an hour | alerts a week when healthy | on the line | alerts in a bad week | bad: minutes until it fires | bad for an hour: minutes until it is over |',
);
console.log('|---|---|---:|---:|---:|---:|---:|---:|');
for (const rule of ALERT_RULES) {
  // Simulated as the rule before it.
  if (rule.id === 'hallucination-unsupported') continue;
  for (const perHour of [10, 100, 1000]) {
    const found = LEVELS[rule.id];
    const { healthy, line, bad, said } = typeof found === 'function' ? found(perHour) : found;
    const weekly = (level: number) =>
      (simulate(rule, perHour, healthy, () => level, WEEKS * 7 * DAY).fired / WEEKS).toFixed(2);
    const badWeek = simulate(rule, perHour, healthy, () => bad, 7 * DAY).fired;
    const trials = Array.from({ length: DETECTIONS }, () => ({
      fires: simulate(rule, perHour, healthy, () => bad, 3 * DAY, 'fired').firstAt,
      hour: simulate(rule, perHour, healthy, (minute) => (minute < HOUR ? bad : healthy), 3 * DAY, 'over'),
    }));
    const fires = medianOf(trials.map((one) => one.fires));
    const over = trials.flatMap(({ hour }) => (hour.firstAt <= HOUR ? [hour.overAt - HOUR] : []));
    console.log(
      `| \`${rule.id}\` | ${said} | ${perHour} | ${weekly(healthy)} | ${weekly(line)} | ${badWeek} | ${fires} | ${medianOf(over)} |`,
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
