/** The four points of the quarterly optimisation, and the table of prompt versions. */
import type { Measurement, Unit } from '../../measure/metric.ts';
import { formatAmount, formatCount, formatRatio, formatValue } from '../../report/number.ts';
import type { CellUnit, TableBlock } from '../../report/view.ts';
import type { Brief, QuarterParts } from '../production/brief/brief.ts';
import { FEWEST_TO_REVIEW, type ThresholdReview } from '../production/brief/review-thresholds.ts';
import {
  ACTIVITY_PAGE,
  ALERTS_PAGE,
  type BriefSection,
  missing,
  NO_REQUESTS,
  PRODUCTION_PAGE,
  requestLinks,
} from './brief-section.ts';
import { verdictSentence } from './experiment-words.ts';
import { standingOf } from './production-view.ts';

export function quarterSections(brief: Brief, quarter: QuarterParts): BriefSection[] {
  return [
    sprintSection(brief, quarter),
    experimentSection(quarter),
    thresholdSection(quarter),
    learningSection(quarter),
    versionSection(brief, quarter),
  ];
}

const SPRINT = 'Where a prompt sprint would help most';
const EXPERIMENTS = 'A/B tests in production';
const THRESHOLDS = 'Thresholds against what was observed';
const LEARNINGS = 'What was decided, for the documentation';
const VERSIONS = 'Prompt versions';

type Aim = {
  readonly what: string;
  readonly one: Measurement;
  readonly unit: keyof typeof STYLES;
  readonly line: number;
  readonly wrong: 'above' | 'below';
  /** Where more than enough is as wrong as too little. */
  readonly most?: number;
};

/** The documented targets of production. */
function targetsOf({ operational, sample }: Brief): readonly Aim[] {
  return [
    { what: 'outputs that people accept', one: sample.acceptable, unit: 'ratio', line: 0.8, wrong: 'below' },
    { what: 'stars of users', one: sample.feedback, unit: 'count', line: 4, wrong: 'below' },
    { what: 'verified quotes', one: sample.quotesVerified, unit: 'ratio', line: 0.95, wrong: 'below' },
    {
      what: 'concepts called made up',
      one: sample.hallucination.ratedFabrications,
      unit: 'ratio',
      line: 0.02,
      wrong: 'above',
    },
    {
      what: 'concepts per topic',
      one: operational.concepts,
      unit: 'count',
      line: 15,
      most: 30,
      wrong: 'below',
    },
    {
      what: 'relationships per topic',
      one: operational.relationships,
      unit: 'count',
      line: 30,
      most: 60,
      wrong: 'below',
    },
    { what: 'average confidence', one: operational.confidence, unit: 'ratio', line: 0.75, wrong: 'below' },
    { what: 'p95 latency', one: operational.latencyP95, unit: 'ms', line: 3000, wrong: 'above' },
    { what: 'cost per decomposition', one: operational.costUsd, unit: 'usd', line: 0.05, wrong: 'above' },
    { what: 'error rate', one: operational.errorRate, unit: 'ratio', line: 0.01, wrong: 'above' },
  ];
}

/** As a share of the target; above 0 it is missed. */
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

function sprintSection(brief: Brief, { feedback, failures }: QuarterParts): BriefSection {
  if (brief.operational.requests === 0) return missing('sprint', SPRINT, NO_REQUESTS);
  const rows = targetsOf(brief)
    .map((aim) => ({ ...aim, gap: gapOf(aim), state: stateOf(aim) }))
    .sort((a, b) => (b.gap ?? -Infinity) - (a.gap ?? -Infinity));
  const off = rows.filter(({ state }) => state === 'missed');
  const unclear = rows.some(({ state }) => state === 'unclear');
  const [kind] = failures.kinds;
  return {
    id: 'sprint',
    title: SPRINT,
    says: [
      off.length === 0
        ? `No documented target is missed for certain${unclear ? '; of some too little is known' : ''}.`
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
    table: {
      kind: 'table',
      title: 'Targets, the furthest first',
      columns: [
        { key: 'what', title: 'what', unit: 'text' },
        { key: 'observed', title: 'observed', unit: 'text' },
        { key: 'target', title: 'target', unit: 'text' },
        { key: 'state', title: 'state', unit: 'text' },
      ],
      rows: rows.map(({ what, unit, line, most, one, state }) => ({
        what,
        observed: { value: one, unit: STYLES[unit] },
        target: most === undefined ? { value: line, unit: STYLES[unit] } : `${line}–${most}`,
        state,
      })),
    },
  };
}

const STYLES: Readonly<Record<'ratio' | 'count' | 'ms' | 'usd', CellUnit>> = {
  ratio: 'ratio',
  count: 'count',
  ms: 'duration-ms',
  usd: 'usd',
};

function experimentSection({ experiments }: QuarterParts): BriefSection {
  if (experiments.length === 0)
    return missing(
      'experiments',
      EXPERIMENTS,
      'No experiment was started or stopped. Before a major change of a prompt comes into force for all, give it to some.',
    );
  return {
    id: 'experiments',
    title: EXPERIMENTS,
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

function thresholdSection({ thresholds, days, runs }: QuarterParts): BriefSection {
  const seen = thresholds.filter(({ n }) => n > 0);
  if (seen.length === 0)
    return missing(
      'thresholds',
      THRESHOLDS,
      `${NO_REQUESTS} Runs of the golden cases are looked at as well.`,
    );
  return {
    id: 'thresholds',
    title: THRESHOLDS,
    says: [
      `${formatAmount(days, 'day')} of production and ${formatAmount(runs, 'run')} of the golden cases; from ${FEWEST_TO_REVIEW} on something is proposed.`,
      ...seen.flatMap(consequence),
    ],
    links: [PRODUCTION_PAGE, ALERTS_PAGE],
    table: {
      kind: 'table',
      title: 'Lines and what crossed them',
      columns: [
        { key: 'what', title: 'what', unit: 'text' },
        { key: 'line', title: 'line', unit: 'text' },
        { key: 'median', title: 'median', unit: 'text' },
        { key: 'worst', title: 'worst', unit: 'text' },
        { key: 'crossed', title: 'crossed', unit: 'text' },
        { key: 'proposal', title: 'proposal', unit: 'text' },
      ],
      rows: thresholds.map((one) => ({
        what: one.what,
        line: `${one.wrong} ${value(one.threshold, one.unit)}`,
        median: one.median === undefined ? undefined : value(one.median, one.unit),
        worst: one.worst === undefined ? undefined : value(one.worst, one.unit),
        crossed: one.n === 0 ? 'not measured' : `${one.crossed} of ${formatAmount(one.n, one.per)}`,
        proposal: proposalWords(one),
      })),
    },
  };
}

function proposalWords({ proposal, unit }: ThresholdReview): string {
  if (proposal.kind === 'too few') return 'too few to tell';
  return !('to' in proposal) ? 'keep' : `${proposal.kind} to ${value(proposal.to, unit)}`;
}

function consequence({ what, proposal, unit, crossed, n, per }: ThresholdReview): string[] {
  if (!('to' in proposal)) return [];
  const would = `${proposal.wouldCross} instead of ${crossed} of ${formatAmount(n, per)} would have crossed it`;
  const meaning =
    proposal.kind === 'loosen'
      ? 'fewer are told, and what is usual now counts as good: improve it first if it should not'
      : 'a worsening is told sooner';
  return [`${what} to ${value(proposal.to, unit)}: ${would}; ${meaning}.`];
}

function value(number: number, unit: Unit): string {
  return formatValue(number, unit);
}

function learningSection({ decisions }: QuarterParts): BriefSection {
  if (decisions.length === 0)
    return missing(
      'learnings',
      LEARNINGS,
      'The ledger of the prompts has no entry of this time, so there is nothing to write down.',
    );
  return {
    id: 'learnings',
    title: LEARNINGS,
    says: [
      'Each reason below is something that was learned; what holds in general belongs into the documentation.',
    ],
    links: [ACTIVITY_PAGE],
    table: {
      kind: 'table',
      title: 'Decisions',
      columns: [
        { key: 'at', title: 'at (UTC)', unit: 'time' },
        { key: 'prompt', title: 'prompt', unit: 'name' },
        { key: 'action', title: 'decision', unit: 'text' },
        { key: 'who', title: 'by', unit: 'text', priority: 1 },
        { key: 'reasons', title: 'reasons', unit: 'text', min: 20 },
      ],
      rows: decisions.map(({ at, prompt, action, who, reasons }) => ({
        at,
        prompt,
        action,
        who,
        reasons: reasons.join('; '),
      })),
      limit: 20,
    },
  };
}

function versionSection({ operational }: Brief, { versions }: QuarterParts): BriefSection {
  if (versions.length === 0) return missing('versions', VERSIONS, NO_REQUESTS);
  const unknown = versions.filter(({ cell }) => cell.promptVersion === undefined);
  const without = unknown.reduce((sum, { cell }) => sum + cell.requests, 0);
  return {
    id: 'versions',
    title: VERSIONS,
    says: [
      `${formatAmount(versions.length, 'version and model', 'versions and models')} over ${formatAmount(operational.requests, 'request')}.`,
      ...(without === 0
        ? []
        : [
            `${formatRatio(without / operational.requests)} of the requests do not say their prompt version.`,
          ]),
    ],
    links: [PRODUCTION_PAGE],
    table: versionTable(versions),
  };
}

function versionTable(versions: QuarterParts['versions']): TableBlock {
  return {
    kind: 'table',
    title: 'By prompt version and model',
    columns: [
      { key: 'prompt', title: 'prompt', unit: 'name' },
      { key: 'model', title: 'model', unit: 'name', priority: 8 },
      { key: 'requests', title: 'requests', unit: 'count', priority: 1 },
      { key: 'accepted', title: 'accepted', unit: 'ratio', priority: 2 },
      { key: 'stars', title: 'stars', unit: 'count', priority: 7 },
      { key: 'verified', title: 'verified', unit: 'ratio', priority: 6 },
      { key: 'confidence', title: 'confidence', unit: 'ratio', priority: 9 },
      { key: 'concepts', title: 'concepts', unit: 'count', priority: 10 },
      { key: 'p95', title: 'p95', unit: 'duration-ms', priority: 4 },
      { key: 'cost', title: 'cost', unit: 'usd', priority: 5 },
      { key: 'errors', title: 'errors', unit: 'ratio', priority: 3 },
    ],
    rows: versions.map(({ cell, figures, sample }) => ({
      prompt: cell.promptVersion,
      model: cell.model,
      requests: cell.requests,
      accepted: sample.acceptable,
      stars: sample.feedback,
      verified: sample.quotesVerified,
      confidence: figures.confidence,
      concepts: figures.concepts,
      p95: figures.latencyP95,
      cost: figures.costUsd,
      errors: figures.errorRate,
    })),
  };
}
