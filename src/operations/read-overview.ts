import type { ListedRun } from '../api/schema/decomposition.ts';
import type { Measurement } from '../measure/metric.ts';
import type { ListedGroup } from '../session/session-groups.ts';
import type { TrackedAlert } from '../store/store.ts';
import { listRuns } from './list-runs.ts';
import type { Ports } from './ports.ts';
import { type Digest, digestSessions } from './session/digest-sessions.ts';
import { listSessions, type Wording } from './session/list-sessions.ts';
import { pageSessions } from './session/page-sessions.ts';

export type OverviewRequest = {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  /** Limits: days of sessions, number of runs, and items of each kind that needs attention. */
  readonly daysBack: number;
  readonly runs: number;
  readonly attention: number;
  /** Say what was asked of the sessions that need attention: transcripts are read again, keys of this environment masked. */
  readonly titles?: Wording | undefined;
};

type InstrumentOverview = {
  /** The metric that represents the others. */
  readonly headline: string;
  /** Newest first. */
  readonly runs: readonly ListedRun[];
};

/** The last run of a series in the period and the last one before it. */
type RunChange = {
  readonly instrument: string;
  readonly subject: string;
  readonly metric: string;
  readonly before: Measurement;
  readonly after: Measurement;
};

export type Overview = {
  readonly until: number;
  readonly sessions: {
    readonly stored: number;
    /** The end of their period: the common one, or the newest session where the last days have none. */
    readonly until: number;
    readonly digest: Digest;
    readonly daily: readonly ListedGroup[];
  };
  readonly decomposition: InstrumentOverview;
  readonly workflow: InstrumentOverview;
  readonly attention: {
    readonly alerts: readonly TrackedAlert[];
    /** The newest of each series, where it did not pass. */
    readonly runs: readonly ListedRun[];
  };
  readonly changed: readonly RunChange[];
};

/** Sessions and runs may be in two stores. */
export type OverviewPorts = { readonly sessions: Ports; readonly project: Ports };

const HEADLINES = {
  decomposition: 'decomposition/overall',
  workflow: 'workflow/overall-effectiveness-score',
} as const;

const DAY_MS = 86_400_000;

/** The three instruments at a glance: their state, what needs attention, what changed. */
export async function readOverview(request: OverviewRequest, ports: OverviewPorts): Promise<Overview> {
  const { until, attention: most } = request;
  const lately = { ...request, until: await endOfSessions(request, ports.sessions) };
  const decomposition = await instrumentOverview('decomposition', request, ports.project);
  const workflow = await instrumentOverview('workflow', request, ports.project);
  const both = [decomposition, workflow];
  return {
    until,
    sessions: await sessionsPart(lately, ports.sessions),
    decomposition,
    workflow,
    attention: {
      alerts: await openAlerts(request, ports),
      runs: both
        .flatMap(({ runs }) => newestOfEach(runs).filter(({ gate }) => gate.verdict !== 'passed'))
        .slice(0, most),
    },
    changed: both.flatMap((one) => changesOf(one, request)),
  };
}

/** Whoever was away for a month would see nothing of the last week: the week that ends with the newest session tells more. */
async function endOfSessions({ days, until }: OverviewRequest, ports: Ports): Promise<number> {
  const filter = { until: until + 1 };
  const { sessions } = await pageSessions({ filter, order: 'newest', limit: 1, counted: false }, ports);
  const newest = sessions[0]?.startedAt;
  const at = newest === undefined ? until : Date.parse(newest);
  return at >= until - days * DAY_MS ? until : at;
}

async function sessionsPart(
  { days, until, daysBack, titles }: OverviewRequest,
  ports: Ports,
): Promise<Overview['sessions']> {
  const from = 'store';
  const digest = await digestSessions({ from, days, until, titles }, ports);
  const filter = { since: until - daysBack * DAY_MS, until: until + 1 };
  const { groups } = await listSessions({ from, filter, sort: 'date', by: 'day', limit: 0 }, ports);
  const stored = await (await ports.store('looking')).countSessions();
  return { stored, until, digest, daily: groups };
}

async function instrumentOverview(
  instrument: keyof typeof HEADLINES,
  { runs: limit }: OverviewRequest,
  ports: Ports,
): Promise<InstrumentOverview> {
  return { headline: HEADLINES[instrument], runs: await listRuns(ports, { instrument, limit }) };
}

/** An alert of a store that both use is listed once. */
async function openAlerts(
  { until, attention: limit }: OverviewRequest,
  { sessions, project }: OverviewPorts,
): Promise<readonly TrackedAlert[]> {
  const query = { now: new Date(until).toISOString(), states: ['open'], order: 'newest', limit } as const;
  const alerts = new Map<string, TrackedAlert>();
  for (const ports of [project, sessions])
    for (const alert of await (await ports.store('looking')).trackAlerts(query))
      alerts.set(alert.alertId, alert);
  return [...alerts.values()].toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit);
}

function seriesOf({ subject, truthHash }: ListedRun): string {
  return JSON.stringify([subject, truthHash]);
}

function newestOfEach(runs: readonly ListedRun[]): readonly ListedRun[] {
  return [...Map.groupBy(runs, seriesOf).values()].flatMap(([newest]) => newest ?? []);
}

function changesOf(
  { headline, runs }: InstrumentOverview,
  { days, until }: OverviewRequest,
): readonly RunChange[] {
  const start = new Date(until - days * DAY_MS).toISOString();
  return [...Map.groupBy(runs, seriesOf).values()].flatMap((series) => {
    const after = series[0];
    const before = series.find(({ at }) => at < start);
    if (after === undefined || before === undefined || after === before) return [];
    const [then, now] = [before, after].map(
      ({ metrics }) => metrics.find(({ id }) => id === headline)?.measurement,
    );
    if (then === undefined || now === undefined) return [];
    const { instrument, subject } = after;
    return [{ instrument, subject, metric: headline, before: then, after: now }];
  });
}
