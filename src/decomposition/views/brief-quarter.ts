import type { Measurement } from '../../measure/metric.ts';
import { formatAmount, formatCount, formatRatio, formatValue } from '../../report/number.ts';
import { type CellUnit, tableOf } from '../../report/view.ts';
import type { Brief, QuarterParts } from '../production/brief/brief.ts';
import { FEWEST_TO_REVIEW, type ThresholdReview } from '../production/brief/review-thresholds.ts';
import {
  ACTIVITY_PAGE,
  ALERTS_PAGE,
  type BriefSection,
  NO_REQUESTS,
  PRODUCTION_PAGE,
  requestLinks,
  section,
} from './brief-section.ts';
import { verdictSentence } from './experiment-words.ts';
import { standingOf } from './production-view.ts';

export function quarterSections(brief: Brief, quarter: QuarterParts): BriefSection[] {
  const none = brief.operational.requests === 0 ? NO_REQUESTS : undefined;
  return [
    section('sprint', 'Where a prompt sprint would help most', none ?? sprint(brief, quarter)),
    section('experiments', 'A/B tests in production', experimentsOf(quarter)),
    section('thresholds', 'Thresholds against what was observed', thresholdsOf(quarter)),
    section('learnings', 'What was decided, for the documentation', learnings(quarter)),
    section('versions', 'Prompt versions', versionsOf(brief, quarter)),
  ];
}

type Aim = {
  readonly what: string;
  readonly one: Measurement;
  readonly unit: CellUnit;
  readonly line: number;
  readonly wrong: 'above' | 'below';
  /** Upper limit of an aim for which too much is as wrong as too little. */
  readonly most?: number;
};

function targetsOf({ operational, sample }: Brief): readonly Aim[] {
  const aim = (
    what: string,
    one: Measurement,
    unit: CellUnit,
    wrong: Aim['wrong'],
    line: number,
    most?: number,
  ) => ({ what, one, unit, wrong, line, most });
  return [
    aim('outputs that people accept', sample.acceptable, 'ratio', 'below', 0.8),
    aim('stars of users', sample.feedback, 'count', 'below', 4),
    aim('verified quotes', sample.quotesVerified, 'ratio', 'below', 0.95),
    aim('concepts rated as made up', sample.hallucination.ratedFabrications, 'ratio', 'above', 0.02),
    aim('concepts per topic', operational.concepts, 'count', 'below', 15, 30),
    aim('relationships per topic', operational.relationships, 'count', 'below', 30, 60),
    aim('average confidence', operational.confidence, 'ratio', 'below', 0.75),
    aim('p95 latency', operational.latencyP95, 'duration-ms', 'above', 3000),
    aim('cost per decomposition', operational.costUsd, 'usd', 'above', 0.05),
    aim('error rate', operational.errorRate, 'ratio', 'above', 0.01),
  ];
}

/** As a share of the target; above 0 the target is missed. */
function gapOf({ one, line, wrong, most }: Aim): number | undefined {
  if (!one.measured) return undefined;
  if (most !== undefined && one.value > most) return (one.value - most) / most;
  return (wrong === 'below' ? line - one.value : one.value - line) / line;
}

function stateOf({ one, line, wrong, most }: Aim) {
  const better = wrong === 'below' ? 'higher' : 'lower';
  return standingOf(
    { better, ...(most === undefined ? { zones: { target: line } } : { aim: [line, most] }) },
    one,
  );
}

function sprint(brief: Brief, { feedback, failures }: QuarterParts) {
  const rows = targetsOf(brief)
    .map((aim) => ({ ...aim, gap: gapOf(aim), state: stateOf(aim) }))
    .sort((a, b) => (b.gap ?? -Infinity) - (a.gap ?? -Infinity));
  const off = rows.filter(({ state }) => state === 'missed');
  const unclear = rows.some(({ state }) => state === 'unclear');
  const [kind] = failures.kinds;
  return {
    says: [
      off.length === 0
        ? `No documented target is missed for certain${unclear ? '; for some there is too little data' : ''}.`
        : `Furthest from its target: ${off[0]?.what}.`,
      ...feedback.patterns.map(({ by, name, down, n }) => `${by} ${name} is disliked: ${down} of ${n}`),
      ...(kind === undefined ? [] : [`most frequent error: ${kind.kind} (${formatCount(kind.count)})`]),
    ],
    links: [
      PRODUCTION_PAGE,
      ...requestLinks([
        ...feedback.patterns.flatMap(({ examples }) => examples),
        ...(kind?.examples ?? []).map(({ id }) => id),
      ]),
    ],
    table: tableOf('Targets, the furthest first', rows, [
      { key: 'what' },
      { key: 'observed', of: ({ one, unit }) => ({ value: one, unit }) },
      {
        key: 'target',
        of: ({ line, most, unit }) => (most === undefined ? { value: line, unit } : `${line}–${most}`),
      },
      { key: 'state' },
    ]),
  };
}

function experimentsOf({ experiments }: QuarterParts) {
  if (experiments.length === 0)
    return 'No experiment was started or stopped. Before a major change of a prompt comes into force for all, give it to some.';
  return {
    says: experiments.map(({ plan, reading, stopped }) => {
      const state = stopped === undefined ? 'goes on' : stopped.outcome.decision;
      return `${plan.id} (${plan.candidate} against ${plan.control}), ${state}: ${verdictSentence(reading)}`;
    }),
    links: experiments.map(({ plan: { id } }) => ({
      text: id,
      path: PRODUCTION_PAGE.path,
      does: { operation: 'production ab status', positionals: [id] },
    })),
  };
}

function thresholdsOf({ thresholds, days, runs }: QuarterParts) {
  const seen = thresholds.filter(({ n }) => n > 0);
  if (seen.length === 0) return `${NO_REQUESTS} Runs of the golden cases are included as well.`;
  return {
    says: [
      `${formatAmount(days, 'day')} of production and ${formatAmount(runs, 'run')} of the golden cases; from ${FEWEST_TO_REVIEW} on something is proposed.`,
      ...seen.flatMap(consequence),
    ],
    links: [PRODUCTION_PAGE, ALERTS_PAGE],
    table: tableOf('Lines and what crossed them', thresholds, [
      { key: 'what' },
      { key: 'line', of: ({ wrong, threshold, unit }) => `${wrong} ${formatValue(threshold, unit)}` },
      {
        key: 'median',
        of: ({ median, unit }) => (median === undefined ? undefined : formatValue(median, unit)),
      },
      { key: 'worst', of: ({ worst, unit }) => (worst === undefined ? undefined : formatValue(worst, unit)) },
      {
        key: 'crossed',
        of: ({ n, crossed, per }) => (n === 0 ? 'not measured' : `${crossed} of ${formatAmount(n, per)}`),
      },
      { key: 'proposal', of: proposalWords },
    ]),
  };
}

function proposalWords({ proposal, unit }: ThresholdReview): string {
  if (proposal.kind === 'too few') return 'too few to tell';
  return !('to' in proposal) ? 'keep' : `${proposal.kind} to ${formatValue(proposal.to, unit)}`;
}

function consequence({ what, proposal, unit, crossed, n, per }: ThresholdReview): string[] {
  if (!('to' in proposal)) return [];
  const would = `${proposal.wouldCross} instead of ${crossed} of ${formatAmount(n, per)} would have crossed it`;
  const meaning =
    proposal.kind === 'loosen'
      ? 'fewer alerts, and the present level counts as good: improve it first if it is not'
      : 'a regression is reported sooner';
  return [`${what} to ${formatValue(proposal.to, unit)}: ${would}; ${meaning}.`];
}

function learnings({ decisions }: QuarterParts) {
  if (decisions.length === 0)
    return 'The ledger of the prompts has no entry of this time, so there is nothing to write down.';
  return {
    says: [
      'Each reason below is something that was learned; what holds in general belongs into the documentation.',
    ],
    links: [ACTIVITY_PAGE],
    table: tableOf(
      'Decisions',
      decisions,
      [
        { key: 'at', title: 'at (UTC)', unit: 'time' },
        { key: 'prompt', unit: 'name' },
        { key: 'action', title: 'decision' },
        { key: 'who', title: 'by', priority: 1 },
        { key: 'reasons', min: 20, of: ({ reasons }) => reasons.join('; ') },
      ],
      { limit: 20 },
    ),
  };
}

function versionsOf({ operational }: Brief, { versions }: QuarterParts) {
  if (versions.length === 0) return NO_REQUESTS;
  const unknown = versions.filter(({ cell }) => cell.promptVersion === undefined);
  const without = unknown.reduce((sum, { cell }) => sum + cell.requests, 0);
  return {
    says: [
      `${formatAmount(versions.length, 'version and model', 'versions and models')} over ${formatAmount(operational.requests, 'request')}.`,
      ...(without === 0
        ? []
        : [`${formatRatio(without / operational.requests)} of the requests have no prompt version.`]),
    ],
    links: [PRODUCTION_PAGE],
    table: tableOf('By prompt version and model', versions, [
      { key: 'prompt', unit: 'name', of: ({ cell }) => cell.promptVersion },
      { key: 'model', unit: 'name', priority: 8, of: ({ cell }) => cell.model },
      { key: 'requests', unit: 'count', priority: 1, of: ({ cell }) => cell.requests },
      { key: 'accepted', unit: 'ratio', priority: 2, of: ({ sample }) => sample.acceptable },
      { key: 'stars', unit: 'count', priority: 7, of: ({ sample }) => sample.feedback },
      { key: 'verified', unit: 'ratio', priority: 6, of: ({ sample }) => sample.quotesVerified },
      { key: 'confidence', unit: 'ratio', priority: 9, of: ({ figures }) => figures.confidence },
      { key: 'concepts', unit: 'count', priority: 10, of: ({ figures }) => figures.concepts },
      { key: 'p95', unit: 'duration-ms', priority: 4, of: ({ figures }) => figures.latencyP95 },
      { key: 'cost', unit: 'usd', priority: 5, of: ({ figures }) => figures.costUsd },
      { key: 'errors', unit: 'ratio', priority: 3, of: ({ figures }) => figures.errorRate },
    ]),
  };
}
