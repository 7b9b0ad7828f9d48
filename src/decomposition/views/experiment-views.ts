/** What a person reads of experiments in production. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { type Action, carry, type Given } from '../../report/action.ts';
import { formatAmount, formatCount, formatRatio } from '../../report/number.ts';
import type { CellUnit, Row, TableBlock, View } from '../../report/view.ts';
import type { GuardReading } from '../production/experiment/judge-experiment.ts';
import type { ExperimentStatus, Guards, KnownExperiment } from '../production/experiment/plan.ts';
import { distrustWords, GUARD_WORDS, primaryWords, verdictSentence } from './experiment-words.ts';

const CARRIED = ['prompts', 'store', 'config'];

export function experimentStartedView({ plan }: KnownExperiment, given: Given = {}): View {
  return {
    title: `Experiment ${plan.id}`,
    answer: `Started: ${plan.candidate} for ${formatRatio(plan.share)} of the keys, ${plan.control} for the others, compared by ${primaryWords(plan)}.`,
    blocks: [
      {
        kind: 'list',
        title: 'What a service does now',
        items: [
          `asks assign(experiment, key) of the library, or GET /api/v1/experiments/${plan.id}/arm?key=…, which prompt a user gets`,
          'sends what it is told with each record: id of the experiment, arm and hash of the key',
        ],
      },
    ],
    notes: ['What was planned is in the ledger of the prompts and is not changed any more.'],
    next: [{ operation: 'production ab status', positionals: [plan.id], options: carry(given, CARRIED) }],
  };
}

function experimentsTable(all: readonly ExperimentStatus[]): TableBlock {
  return {
    kind: 'table',
    title: 'Experiments',
    columns: [
      { key: 'experiment', title: 'experiment', unit: 'name' },
      { key: 'state', title: 'state', unit: 'text' },
      { key: 'verdict', title: 'verdict', unit: 'text' },
      { key: 'difference', title: 'difference', unit: 'difference' },
      { key: 'requests', title: 'requests', unit: 'count' },
      { key: 'known', title: 'known', unit: 'count' },
      { key: 'started', title: 'started (UTC)', unit: 'time' },
    ],
    rows: all.map(({ plan, reading, stopped, startedAt }) => ({
      experiment: plan.id,
      state: stopped === undefined ? 'goes on' : stopped.outcome.decision,
      verdict: reading.verdict,
      difference: differenceOf(reading.primary.difference, reading.primary.interval, reading.primary.n),
      requests: reading.exposures,
      known: reading.primary.n[0] + reading.primary.n[1],
      started: startedAt,
    })),
  };
}

export function experimentsView(all: readonly ExperimentStatus[], given: Given = {}): View {
  const going = all.filter(({ stopped }) => stopped === undefined);
  const next: Action[] = going.slice(0, 1).map(({ plan }) => ({
    operation: 'production ab status',
    positionals: [plan.id],
    options: carry(given, CARRIED),
  }));
  return {
    title: 'Experiments in production',
    answer:
      all.length === 0
        ? 'No experiment was started yet.'
        : `${formatAmount(all.length, 'experiment')}, of which ${formatCount(going.length)} ${going.length === 1 ? 'goes' : 'go'} on.`,
    blocks: all.length === 0 ? [] : [experimentsTable(all)],
    notes: [],
    next:
      all.length === 0
        ? [{ operation: 'decomposition prompt list', options: carry(given, ['prompts']) }]
        : next,
  };
}

export function experimentView(status: ExperimentStatus, given: Given = {}): View {
  const { plan, reading, stopped } = status;
  const sentence = verdictSentence(reading);
  const said = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  return {
    title: `Experiment ${plan.id}`,
    answer: stopped === undefined ? said : `Stopped, decision: ${stopped.outcome.decision}. ${said}`,
    blocks: [armsTable(status), guardsTable(reading.guards)],
    notes: [
      ...reading.distrust.map((one) => `${distrustWords(one)}: find out why before anything else.`),
      `The interval of ${formatRatio(plan.confidence)} may be looked at any time: stopping when it excludes 0 keeps its error.`,
      'A key counts once, with its first request and the first that became known of it.',
      `Latency above 10 s and cost above $0.20 count as that much. A guard rail is crossed when the whole interval is beyond what is allowed.`,
      ...(stopped === undefined ? [] : [`Stopped by ${stopped.who}: ${stopped.reasons.join('; ')}`]),
    ],
    next: nextOf(status, given),
  };
}

function armsTable({ plan, reading: { keys, primary } }: ExperimentStatus): TableBlock {
  const arm = (place: 0 | 1, name: string): Row => ({
    arm: name,
    prompt: place === 0 ? plan.control : plan.candidate,
    keys: keys[place],
    known: primary.n[place],
    value: meanOf(primary.means[place], primary.n[place]),
  });
  return {
    kind: 'table',
    title: `By ${primaryWords(plan)}`,
    columns: [
      { key: 'arm', title: 'arm', unit: 'text' },
      { key: 'prompt', title: 'prompt', unit: 'name' },
      { key: 'keys', title: 'keys', unit: 'count' },
      { key: 'known', title: 'outcome known', unit: 'count' },
      { key: 'value', title: 'mean', unit: 'ratio' },
    ],
    rows: [
      arm(0, 'control'),
      arm(1, 'candidate'),
      {
        arm: 'difference',
        value: { value: differenceOf(primary.difference, primary.interval, primary.n), unit: 'difference' },
      },
    ],
  };
}

const GUARD_STYLES: Readonly<Record<keyof Guards, CellUnit>> = {
  errors: 'ratio',
  latencyMs: 'duration-ms',
  costUsd: 'usd',
};

function guardsTable(guards: readonly GuardReading[]): TableBlock {
  return {
    kind: 'table',
    title: 'Guard rails',
    columns: [
      { key: 'guard', title: 'guard rail', unit: 'text' },
      { key: 'control', title: 'control', unit: 'text' },
      { key: 'candidate', title: 'candidate', unit: 'text' },
      { key: 'worse', title: 'worse by at least', unit: 'text' },
      { key: 'allowed', title: 'allowed', unit: 'text' },
      { key: 'state', title: 'state', unit: 'text' },
    ],
    rows: guards.map(({ guard, means, n, low, margin, crossed }) => {
      const unit = GUARD_STYLES[guard];
      const known = n[0] + n[1];
      return {
        guard: GUARD_WORDS[guard],
        control: { value: meanOf(means[0], n[0]), unit },
        candidate: { value: meanOf(means[1], n[1]), unit },
        worse: { value: known === 0 ? undefined : Math.max(0, low), unit },
        allowed: { value: margin, unit },
        state: known === 0 ? 'not measured' : crossed ? 'crossed' : 'not crossed',
      };
    }),
  };
}

function nextOf({ plan, reading, stopped }: ExperimentStatus, given: Given): Action[] {
  const options = carry(given, CARRIED);
  if (stopped === undefined)
    return reading.over ? [{ operation: 'production ab stop', positionals: [plan.id], options }] : [];
  return [{ operation: 'decomposition prompt list', options: carry(given, ['prompts']) }];
}

function meanOf(mean: number | undefined, n: number): Measurement {
  return mean === undefined ? unmeasured('nothing is known of it yet') : estimate(mean, n);
}

function differenceOf(
  difference: number | undefined,
  { low, high }: { readonly low: number; readonly high: number },
  [a, b]: readonly [number, number],
): Measurement {
  return difference === undefined
    ? unmeasured('an arm is empty')
    : estimate(difference, a + b, { low, high });
}
