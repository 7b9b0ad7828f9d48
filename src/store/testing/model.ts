/** What a store must answer about sessions, worked out in plain arrays. */
import {
  BINS,
  COVERAGE_BINS,
  compareRollups,
  DIMENSIONS,
  Q_BINS,
  Q_PARTS,
  type RollupQuery,
  rollupOf,
  SCORED_WITH,
  type SessionRollup,
  SUMMED_CATEGORIES,
  SUMS,
  TIER_NAMES,
  USD_PARTS,
} from '../rollup.ts';
import type { SessionRow } from '../schema/session.ts';
import { KEY_PART } from '../sql/sessions.ts';
import type { SessionOrder, SessionQuery } from '../store.ts';
import { startOfBucket } from '../time-bucket.ts';

export function compareBytes(x: string, y: string): number {
  return Buffer.compare(Buffer.from(x), Buffer.from(y));
}

export class SessionModel {
  #rows: SessionRow[] = [];

  append(rows: readonly SessionRow[]): void {
    for (const row of rows) {
      const place = this.#rows.findIndex(({ sessionKey }) => sessionKey === row.sessionKey);
      const stored = this.#rows[place];
      if (stored === undefined) this.#rows.push(row);
      else if (compareScoring(stored, row) < 0) this.#rows[place] = row;
    }
  }

  prune(before: string): number {
    const gone = this.current().filter((row) => (row.startedAt ?? row.scoredAt) < before);
    const ids = new Set(gone.map(({ sessionKey }) => sessionKey));
    this.#rows = this.#rows.filter(({ sessionKey }) => !ids.has(sessionKey));
    return gone.length;
  }

  /** In the order of their start. */
  current(): SessionRow[] {
    return this.#rows.toSorted(
      (x, y) =>
        compareBytes(x.startedAt ?? '', y.startedAt ?? '') || compareBytes(x.sessionKey, y.sessionKey),
    );
  }

  sessions({ order = 'oldest', after, limit, ...query }: SessionQuery): SessionRow[] {
    const ordered = inOrder(
      this.current().filter((row) => fits(row, query)),
      order,
    );
    const from =
      after === undefined ? 0 : ordered.findIndex((row) => row.sessionKey === after.sessionKey) + 1;
    return ordered.slice(from, limit === undefined ? undefined : from + limit);
  }

  scorings(): readonly unknown[] {
    const groups = Map.groupBy(this.current(), (row) => JSON.stringify(SCORED_WITH.map((name) => row[name])));
    return [...groups.values()].map((rows) => [...SCORED_WITH.map((name) => rows[0]?.[name]), rows.length]);
  }

  rollup(query: RollupQuery): SessionRollup[] {
    const { bucket, by = [], histograms, ...narrow } = query;
    const groups = Map.groupBy(
      this.current().filter((row) => fits(row, narrow)),
      (row) =>
        JSON.stringify([bucketOfRow(row, bucket), DIMENSIONS.map((name) => by.includes(name) && row[name])]),
    );
    return [...groups.values()]
      .map((rows) => {
        const sums = new Array<number>(SUMS.length).fill(0);
        const bins = new Array<number>(BINS).fill(0);
        for (const share of rows.map(shareOf)) {
          for (const [i, sum] of share.sums.entries()) sums[i] = (sums[i] ?? 0) + sum;
          for (const bin of share.bins) bins[bin] = (bins[bin] ?? 0) + 1;
        }
        const [first] = rows;
        const group = DIMENSIONS.filter((name) => by.includes(name) && first?.[name] !== undefined);
        return rollupOf(
          first && bucketOfRow(first, bucket),
          Object.fromEntries(group.map((name) => [name, first?.[name]])),
          sums,
          histograms ? bins : undefined,
        );
      })
      .sort(compareRollups);
  }
}

function compareScoring(x: SessionRow, y: SessionRow): number {
  return compareBytes(x.scoredAt, y.scoredAt) || compareBytes(x.revision, y.revision);
}

function bucketOfRow({ startedAt }: SessionRow, bucket: RollupQuery['bucket']): string | undefined {
  if (bucket === undefined || startedAt === undefined) return undefined;
  return startOfBucket(bucket, startedAt);
}

function inOrder(rows: readonly SessionRow[], order: SessionOrder): SessionRow[] {
  // Unknown starts come last.
  const newest = (x: SessionRow, y: SessionRow) =>
    compareBytes(y.startedAt ?? '', x.startedAt ?? '') || compareBytes(x.sessionKey, y.sessionKey);
  const highest = (name: 'costUsd' | 'turns', some: readonly SessionRow[]) =>
    some
      .filter((row) => row[name] !== undefined)
      .sort((x, y) => (y[name] ?? 0) - (x[name] ?? 0) || newest(x, y));
  switch (order) {
    case 'file':
      return rows.toSorted(
        (x, y) =>
          compareBytes(x.path ?? '', y.path ?? '') ||
          (x.place ?? 0) - (y.place ?? 0) ||
          compareBytes(x.sessionKey, y.sessionKey),
      );
    case 'oldest':
      return [...rows];
    case 'newest':
      return rows.toReversed();
    case 'lowest Q':
      return rows.filter(({ q }) => q !== undefined).sort((x, y) => (x.q ?? 0) - (y.q ?? 0) || newest(x, y));
    case 'costliest':
      return highest('costUsd', rows);
    case 'longest':
      return highest('turns', rows);
    case 'needs attention':
      return rows
        .filter(({ attention = 0 }) => attention > 0)
        .sort(
          (x, y) =>
            (y.attention ?? 0) - (x.attention ?? 0) || (y.costUsd ?? 0) - (x.costUsd ?? 0) || newest(x, y),
        );
  }
}

/** Any model of a session has the part in its name. */
function hasModel({ model, otherModels }: SessionRow, part: string): boolean {
  return `${model ?? ''}\n${otherModels ?? ''}`.split('\n').some((name) => name.toLowerCase().includes(part));
}

function isNamed(row: SessionRow, text: string): boolean {
  const { taskType, source, agent, model, otherModels, project, sessionId, sessionKey } = row;
  const names = [taskType, source, agent, model, project, ...(otherModels?.split('\n') ?? [])];
  return (
    names.some((name) => name?.toLowerCase().includes(text.toLowerCase())) ||
    sessionId === text ||
    (text.length >= KEY_PART && sessionKey.startsWith(text))
  );
}

type Narrowed = Omit<SessionQuery, 'order' | 'after' | 'limit'>;

function isTroubled({ q = 0, corrections = 0, linesWritten = 0, verified }: SessionRow): boolean {
  return q < 0.6 - 1e-9 || corrections > 0 || (linesWritten > 0 && verified !== 'yes');
}

function fits(row: SessionRow, query: Narrowed): boolean {
  const { since, until, qBelow, coverageFrom, agentOrSource, modelPart, projectNamed, ...others } = query;
  const { search, ...equal } = others;
  const { startedAt: start, q } = row;
  return (
    (search === undefined || isNamed(row, search)) &&
    (coverageFrom === undefined || row.coverage >= coverageFrom) &&
    (projectNamed === undefined || row.project?.endsWith(projectNamed) === true) &&
    (agentOrSource === undefined ||
      [row.agent, row.source].some((name) => name?.toLowerCase() === agentOrSource.toLowerCase())) &&
    (modelPart === undefined || hasModel(row, modelPart.toLowerCase())) &&
    (since === undefined || (start !== undefined && start >= since)) &&
    (until === undefined || (start !== undefined && start < until)) &&
    (qBelow === undefined || (q !== undefined && q < qBelow)) &&
    Object.entries(equal).every(
      ([name, value]) => value === undefined || row[name as keyof SessionRow] === value,
    )
  );
}

/** Beyond these a value is no measurement; it counts as the limit, so that sums stay whole numbers. */
const [MAX_USD, MAX_TOKENS] = [1e6, 1e11];

/** What a session adds to sums, worked out without SQL. */
export function shareOf(row: SessionRow): {
  readonly sums: readonly number[];
  readonly bins: readonly number[];
} {
  const { q, costUsd: cost, tier } = row;
  const [scored, priced] = [Number(q !== undefined), Number(cost !== undefined)];
  const exactQ = clamp(q, 1);
  const partsOfQ = Math.round(exactQ * Q_PARTS);
  const partsOfSquare = Math.round(exactQ * exactQ * Q_PARTS);
  const partsOfUsd = Math.round(clamp(cost, MAX_USD) * USD_PARTS);
  const both = scored * priced;
  const atLeast = Number(row.costAtLeast === 1);
  const sums = [1, scored, partsOfQ, partsOfSquare];
  for (const name of TIER_NAMES) sums.push(Number(tier === name));
  sums.push(
    scored * Number(row.verified === 'yes'),
    scored * Number(row.verified === 'failed'),
    Number(row.coverage < 0.5),
    priced,
    partsOfUsd,
    priced * atLeast,
    both,
    both * partsOfQ,
    both * partsOfSquare,
    both * partsOfUsd,
    both * atLeast,
    both * Number(isTroubled(row)),
    Math.round(clamp(row.inputTokens, MAX_TOKENS)),
    Math.round(clamp(row.outputTokens, MAX_TOKENS)),
    Math.round(clamp(row.cacheReadTokens, MAX_TOKENS)),
    Math.round(clamp(row.cacheWriteTokens, MAX_TOKENS)),
  );
  for (const name of SUMMED_CATEGORIES) {
    const value = clamp(row[name], 1);
    sums.push(
      Number(row[name] !== undefined),
      Math.round(value * Q_PARTS),
      Math.round(value * value * Q_PARTS),
    );
  }
  sums.push(
    Number((row.attention ?? 0) > 0),
    Math.round(clamp(row.riskyActions, MAX_TOKENS)),
    Math.round(clamp(row.turns, MAX_TOKENS)),
  );
  const coverageBin = Q_BINS + binOf(row.coverage, COVERAGE_BINS);
  return { sums, bins: q === undefined ? [coverageBin] : [binOf(q, Q_BINS), coverageBin] };
}

function clamp(value: number | undefined, most: number): number {
  return value === undefined ? 0 : Math.min(most, Math.max(0, value));
}

/** A value that misses a line by rounding is on it, as in zones and tiers; 1 is in the last bin. */
function binOf(value: number, bins: number): number {
  return Math.min(bins - 1, Math.floor(clamp(value, 1) * bins + 1e-7));
}
