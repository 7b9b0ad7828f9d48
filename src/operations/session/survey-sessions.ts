import { meanOfMoments } from '../../measure/over-cases.ts';
import { sessionMetrics } from '../../session/catalog.ts';
import type { FileReading } from '../../session/evidence.ts';
import { looksLike } from '../../session/ingest/files/file-kind.ts';
import type { RepositoryTrouble } from '../../session/outcomes/work-outcome.ts';
import type { TypeFrontier } from '../../session/pricing/frontier.ts';
import { type RoiRow, roiOf } from '../../session/pricing/roi.ts';
import type { ListedSession } from '../../session/session-groups.ts';
import type { Category } from '../../session/signals/signal.ts';
import { type MeasuredMetric, type QualitySummary, summarise, TOP } from '../../session/summary.ts';
import { quantileOfBins, type SessionRollup } from '../../store/rollup.ts';
import { scoredWith } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import {
  type AskRequest,
  askSessions,
  type Looked,
  type QueriedSessions,
  type ReadReport,
} from './ask-sessions.ts';
import { listedRow, type Wording, withWords } from './list-sessions.ts';
import { frontiersIn, roiOfSelected } from './measure-roi.ts';
import { attentionIn, type NeedsAttention } from './needs-attention.ts';
import type { SelectedSessions } from './selected-sessions.ts';

/** Overview of sessions: number, quality, cost, and which to look at. */
export type SessionOverview = ReadReport & {
  readonly files: readonly FileReading[];
  readonly looked: Looked;
  readonly elapsedMs: number;
  /** Scored sessions that the filter removed. */
  readonly filteredOut: number;
  readonly summary: QualitySummary;
  /** Source → number of sessions, largest first. */
  readonly sources: readonly (readonly [source: string, sessions: number])[];
  readonly attention: NeedsAttention;
  readonly newest: readonly ListedSession[];
  readonly byTaskType: readonly RoiRow[];
  readonly frontiers: readonly TypeFrontier[];
  /** When no session was found: files without a transcript, and what they look like. */
  readonly unrecognised?: readonly { readonly path: string; readonly looksLike: string }[];
  readonly repositoryTrouble?: RepositoryTrouble;
  /** The time zone of days; UTC without it. */
  readonly timezone?: string;
  /** The names of the weights, baselines and prices used. */
  readonly sets: {
    readonly baselines: string;
    readonly weights: string;
    readonly prices: string;
    /** The weights that differ from the documented ones. */
    readonly ownWeights?: readonly string[];
  };
};

export type SurveyRequest = AskRequest & {
  /** Include the request of these sessions. */
  readonly titles?: Wording | undefined;
};

/** Enough to remember the last hours of work. */
const NEWEST_SHOWN = 5;

/** Overview of sessions: number, quality, cost, and which to look at. */
export async function surveySessions(
  request: SurveyRequest,
  ports: Ports,
  also?: (asked: QueriedSessions) => Promise<void>,
): Promise<SessionOverview> {
  const start = ports.now().getTime();
  const { timezone } = request;
  const overview = await askSessions(request, ports, async (asked) => {
    const total = await asked.total();
    const files = await asked.files();
    const filteredOut = (await asked.store.countSessions()) - total.sessions;
    await also?.(asked);
    return {
      files,
      looked: asked.looked,
      filteredOut,
      ...(timezone !== undefined && { timezone }),
      summary: await summaryOf(asked),
      attention: await attentionIn(asked, request.titles, ports),
      newest: await newestOf(asked, request, ports),
      sources: await sourcesOf(asked),
      byTaskType: (await roiOfSelected(asked, 'task-type')).groups,
      frontiers: await frontiersIn(asked, 'model'),
      ...(total.sessions === 0 && filteredOut === 0 && unrecognisedIn(files)),
      ...(asked.repositoryTrouble && { repositoryTrouble: asked.repositoryTrouble }),
      sets: setsOf(asked, total.sessions),
    };
  });
  return { ...overview, elapsedMs: ports.now().getTime() - start };
}

/** Without sessions, nothing was scored. */
function setsOf({ options }: QueriedSessions, sessions: number): SessionOverview['sets'] {
  const { baselineSet: baselines, weights, prices } = scoredWith(options);
  const own = options.weights?.own;
  if (sessions === 0) return { baselines: '', weights: '', prices };
  return { baselines, weights, prices, ...(own && { ownWeights: own }) };
}

/** Enough to see that the folder is the wrong one. */
const MAX_UNRECOGNISED = 10;

function unrecognisedIn(files: SessionOverview['files']): Pick<SessionOverview, 'unrecognised'> {
  const unrecognised = files
    .slice(0, MAX_UNRECOGNISED)
    .map(({ path }) => ({ path, looksLike: looksLike(path) }));
  return unrecognised.length === 0 ? {} : { unrecognised };
}

/** Largest first. */
async function sourcesOf(asked: QueriedSessions): Promise<SessionOverview['sources']> {
  const rollups = await asked.rollup({ by: ['source'] });
  return rollups
    .map(({ group, sessions }) => [group.source ?? '', sessions] as const)
    .toSorted((a, b) => b[1] - a[1]);
}

async function newestOf(asked: QueriedSessions, { titles }: SurveyRequest, ports: Ports) {
  const rows = await asked.list({ order: 'newest', limit: NEWEST_SHOWN });
  const listed = rows.map((row) => listedRow(row, asked.opinions));
  return titles === undefined ? listed : withWords(listed, titles, ports);
}

export async function summaryOf(selected: SelectedSessions): Promise<QualitySummary> {
  const each = await selected.each();
  return each === undefined ? summaryOfSums(await selected.total()) : summarise(each);
}

/**
 * What `summarise` would return for the sessions; medians differ by at most 0.0025 (Q) and 0.01 (coverage) from the
 * exact ones.
 */
export function summaryOfSums(total: SessionRollup): QualitySummary {
  const { sessions, q, tiers, verified, categories, histograms } = total;
  const [qs, coverages] = [histograms?.q ?? [], histograms?.coverage ?? []];
  const middle = quantileOfBins(qs, 0.5);
  const coverage = quantileOfBins(coverages, 0.5);
  return {
    n: sessions,
    ...(middle !== undefined && {
      q: {
        median: middle,
        goodShare: (tiers.excellent + tiers.good) / q.n,
        poorShare: (tiers.poor + tiers.failed) / q.n,
        topShare: share(qs, TOP, 1) / q.n,
        verifiedShare: verified.yes / q.n,
        verificationFailedShare: verified.failed / q.n,
        histogram: Array.from({ length: TENTHS }, (_, i) => share(qs, i / TENTHS, (i + 1) / TENTHS)),
      },
    }),
    ...costOf(total),
    ...(coverage !== undefined && {
      coverage: {
        median: coverage,
        withoutOutcome: 1 - categories.outcome.n / sessions,
        lowShare: total.lowConfidence / sessions,
      },
    }),
    metrics: metricsOf(total),
  };
}

const TENTHS = 10;

/** The share between two values; both are bounds of bins. */
function share(bins: readonly number[], from: number, to: number): number {
  const [first, last] = [from, to].map((value) => Math.round(value * bins.length));
  return bins.slice(first, last).reduce((sum, count) => sum + count, 0);
}

function costOf({ sessions, cost, priced }: SessionRollup): Pick<QualitySummary, 'cost'> {
  if (cost.n === 0) return {};
  const { n, sum } = priced.q;
  const roi = n === 0 ? undefined : roiOf(sum / n, priced.sumUsd / n);
  return {
    cost: {
      totalUsd: cost.sumUsd,
      meanUsd: cost.sumUsd / cost.n,
      ...(roi?.measured && { roi: roi.value }),
      unknown: sessions - cost.n,
      isLowerBound: cost.atLeast > 0,
    },
  };
}

function metricsOf({ sessions, q, categories }: SessionRollup): MeasuredMetric[] {
  return sessionMetrics().map((metric) => {
    const name = metric.id.replace('session/', '') as Category | 'q';
    // The result for a session without this metric.
    const absent = metric.compute([{}]);
    const why = absent.measured ? '' : absent.reason;
    return { metric, measurement: meanOfMoments(name === 'q' ? q : categories[name], sessions, why) };
  });
}
