import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { type Action, carry, type Given } from '../../report/action.ts';
import { formatAmount, formatCount, formatRatio } from '../../report/number.ts';
import {
  type CellUnit,
  type Row,
  type Styled,
  type TableBlock,
  tableOf,
  type View,
} from '../../report/view.ts';
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
          'sends these with each record: id of the experiment, arm and hash of the key',
        ],
      },
    ],
    notes: ['What was planned is in the ledger of the prompts and is not changed any more.'],
    next: [{ operation: 'production ab status', positionals: [plan.id], options: carry(given, CARRIED) }],
  };
}

function experimentsTable(all: readonly ExperimentStatus[]): TableBlock {
  return tableOf('Experiments', all, [
    { key: 'experiment', unit: 'name', of: ({ plan }) => plan.id },
    { key: 'state', of: ({ stopped }) => stopped?.outcome.decision ?? 'goes on' },
    { key: 'verdict', of: ({ reading }) => reading.verdict },
    { key: 'difference', unit: 'difference', of: ({ reading }) => differenceOf(reading.primary) },
    { key: 'requests', unit: 'count', of: ({ reading }) => reading.exposures },
    { key: 'known', unit: 'count', of: ({ reading: { primary } }) => primary.n[0] + primary.n[1] },
    { key: 'started', title: 'started (UTC)', unit: 'time', of: ({ startedAt }) => startedAt },
  ]);
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
      `The interval of ${formatRatio(plan.confidence)} may be checked at any time: stopping when it excludes 0 preserves the error rate.`,
      'A key counts once, with its first request and its first known outcome.',
      `Latency above 10 s and cost above $0.20 count as that much. A guard rail is crossed when the whole interval is beyond what is allowed.`,
      ...(stopped === undefined ? [] : [`Stopped by ${stopped.who}: ${stopped.reasons.join('; ')}`]),
    ],
    next: nextOf(status, given),
  };
}

function armsTable({ plan, reading: { keys, primary } }: ExperimentStatus): TableBlock {
  const arms = ([plan.control, plan.candidate] as const).map((prompt, i) => ({
    arm: ['control', 'candidate'][i],
    prompt,
    keys: keys[i],
    known: primary.n[i],
    value: meanOf(primary.means[i], primary.n[i] ?? 0),
  }));
  const difference: Row = { arm: 'difference', value: { value: differenceOf(primary), unit: 'difference' } };
  return tableOf<Row>(
    `By ${primaryWords(plan)}`,
    [...arms, difference],
    [
      { key: 'arm' },
      { key: 'prompt', unit: 'name' },
      { key: 'keys', unit: 'count' },
      { key: 'known', title: 'outcome known', unit: 'count' },
      { key: 'value', title: 'mean', unit: 'ratio' },
    ],
  );
}

const GUARD_STYLES: Readonly<Record<keyof Guards, CellUnit>> = {
  errors: 'ratio',
  latencyMs: 'duration-ms',
  costUsd: 'usd',
};

function guardsTable(guards: readonly GuardReading[]): TableBlock {
  const seen = ({ n }: GuardReading) => n[0] + n[1] > 0;
  const styled = (one: GuardReading, value: Styled['value']) => ({ value, unit: GUARD_STYLES[one.guard] });
  return tableOf('Guard rails', guards, [
    { key: 'guard', title: 'guard rail', of: ({ guard }) => GUARD_WORDS[guard] },
    { key: 'control', of: (one) => styled(one, meanOf(one.means[0], one.n[0])) },
    { key: 'candidate', of: (one) => styled(one, meanOf(one.means[1], one.n[1])) },
    {
      key: 'worse',
      title: 'worse by at least',
      of: (one) => styled(one, seen(one) ? Math.max(0, one.low) : undefined),
    },
    { key: 'allowed', of: (one) => styled(one, one.margin) },
    {
      key: 'state',
      of: (one) => (seen(one) ? (one.crossed ? 'crossed' : 'not crossed') : 'not measured'),
    },
  ]);
}

function nextOf({ plan, reading, stopped }: ExperimentStatus, given: Given): Action[] {
  const options = carry(given, CARRIED);
  if (stopped === undefined)
    return reading.over ? [{ operation: 'production ab stop', positionals: [plan.id], options }] : [];
  return [{ operation: 'decomposition prompt list', options: carry(given, ['prompts']) }];
}

function meanOf(mean: number | undefined, n: number): Measurement {
  return mean === undefined ? unmeasured('there is no outcome yet') : estimate(mean, n);
}

function differenceOf({ difference, interval, n }: ExperimentStatus['reading']['primary']): Measurement {
  return difference === undefined
    ? unmeasured('an arm is empty')
    : estimate(difference, n[0] + n[1], { low: interval.low, high: interval.high });
}
