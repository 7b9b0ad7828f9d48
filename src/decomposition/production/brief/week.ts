import type { Measurement } from '../../../measure/metric.ts';
import { wilson } from '../../../stats/intervals.ts';
import { labelWords } from '../../investigate/label-words.ts';
import { emptyCell, mergeCells, type ProductionCell, startOf } from '../cell.ts';
import { driftOf } from '../drift.ts';
import { errorRate, latencyAt } from '../figures.ts';
import type { DecompositionRecord } from '../record.ts';
import type { Watched } from '../watched.ts';

type FailureKind = {
  readonly kind: string;
  readonly count: number;
  readonly before: number;
  readonly examples: readonly Pick<DecompositionRecord, 'id' | 'at' | 'model' | 'promptVersion'>[];
};

export type FailureTrend = {
  readonly rate: Measurement;
  readonly before: Measurement;
  readonly kinds: readonly FailureKind[];
};

const MOST_EXAMPLES = 2;

/** `failed`: some of the records, newest first. */
export function failureTrend(
  now: readonly ProductionCell[],
  before: readonly ProductionCell[],
  failed: readonly DecompositionRecord[],
): FailureTrend {
  const [here, there] = [now, before].map((cells) => mergeCells(cells) ?? emptyCell({ at: '' }));
  if (here === undefined || there === undefined) throw new RangeError('two spans are compared');
  return {
    rate: errorRate(here),
    before: errorRate(there),
    kinds: Object.entries(here.errorKinds)
      .map(([kind, count]) => ({
        kind,
        count,
        before: there.errorKinds[kind] ?? 0,
        examples: failed
          .filter(({ errorKind = 'unknown' }) => errorKind === kind)
          .slice(0, MOST_EXAMPLES)
          .map(({ id, at, model, promptVersion }) => ({ id, at, model, promptVersion })),
      }))
      .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1)),
  };
}

export type FeedbackOnOutput = {
  readonly outputId: string;
  readonly item?: string;
  readonly thumb?: 'up' | 'down';
  readonly score?: number;
  readonly comment?: string;
  readonly record?: DecompositionRecord;
};

/** One day of the week: what users said, what alerted, and what moved against the week before. */
export type WeekDay = {
  readonly day: string;
  readonly up: number;
  readonly down: number;
  readonly alerts: readonly string[];
  /** `undefined`: too few requests to tell. */
  readonly moved: readonly string[] | undefined;
};

/** Every day of the week from `since`, also one in which nothing happened. */
export function weekDays(
  { since, until, before }: { readonly since: string; readonly until: string; readonly before: string },
  cells: { readonly now: readonly ProductionCell[]; readonly before: readonly ProductionCell[] },
  said: readonly (FeedbackOnOutput & { readonly at: string })[],
  alerts: readonly { readonly at: string; readonly rule: string }[],
): WeekDay[] {
  const days: string[] = [];
  for (let ms = Date.parse(startOf('day', since)); ms < Date.parse(until); ms += 86_400_000)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days.map((day) => {
    const opinions = said.filter(({ at }) => at.startsWith(day)).flatMap((one) => opinionOf(one) ?? []);
    const after = cells.now.filter(({ at }) => at.startsWith(day));
    const { parts } = driftOf(
      { before: { since: before, until: since }, after: { since: day, until: day } },
      { before: cells.before, after },
    );
    return {
      day,
      up: opinions.filter((one) => one === 'up').length,
      down: opinions.filter((one) => one === 'down').length,
      alerts: alerts.filter(({ at }) => at.startsWith(day)).map(({ rule }) => rule),
      moved: parts.every(({ verdict }) => verdict === 'too few to tell')
        ? undefined
        : parts.filter(({ verdict }) => verdict === 'moved').map(({ what }) => what),
    };
  });
}

export type FeedbackCounts = { readonly up: number; readonly down: number };

type FeedbackPattern = {
  readonly by: 'topic' | 'prompt version' | 'model';
  readonly name: string;
  readonly down: number;
  readonly n: number;
  readonly elsewhere: number;
  readonly examples: readonly string[];
};

type DislikedItem = {
  readonly label: string;
  readonly down: number;
  readonly examples: readonly string[];
};
type DislikedWord = { readonly word: string; readonly count: number; readonly example: string };

export type FeedbackTrend = {
  readonly now: FeedbackCounts;
  readonly before: FeedbackCounts;
  readonly patterns: readonly FeedbackPattern[];
  readonly items: readonly DislikedItem[];
  /** Words of comments on what was disliked, the most first, each counted once a comment. */
  readonly words: readonly DislikedWord[];
};

const MOST = 3;

export function feedbackTrend(
  now: readonly FeedbackOnOutput[],
  before: readonly FeedbackOnOutput[],
): FeedbackTrend {
  const disliked = now.filter((one) => opinionOf(one) === 'down');
  return {
    now: countsOf(now),
    before: countsOf(before),
    patterns: patternsIn(now).slice(0, MOST),
    items: itemsIn(disliked).slice(0, MOST),
    words: wordsIn(disliked).slice(0, MOST),
  };
}

/** Three stars are neither. */
export function opinionOf({
  thumb,
  score,
}: Pick<FeedbackOnOutput, 'thumb' | 'score'>): 'up' | 'down' | undefined {
  if (thumb !== undefined) return thumb;
  if (score === undefined || score === 3) return undefined;
  return score > 3 ? 'up' : 'down';
}

function countsOf(said: readonly FeedbackOnOutput[]): FeedbackCounts {
  const opinions = said.map(opinionOf);
  return {
    up: opinions.filter((one) => one === 'up').length,
    down: opinions.filter((one) => one === 'down').length,
  };
}

/** Fewer say nothing of what they have in common. */
const FEWEST = 5;

const GROUPS = [
  ['topic', ({ topic }: DecompositionRecord) => topic],
  ['prompt version', ({ promptVersion }: DecompositionRecord) => promptVersion],
  ['model', ({ model }: DecompositionRecord) => model],
] as const;

/** Those where even the low end of a 99% interval is above the others: many groups are looked at. */
function patternsIn(said: readonly FeedbackOnOutput[]): FeedbackPattern[] {
  const withOpinion = said.filter((one) => opinionOf(one) !== undefined);
  return GROUPS.flatMap(([by, nameOf]) => {
    const groups = Map.groupBy(withOpinion, ({ record }) => record && nameOf(record));
    return [...groups].flatMap(([name, own]): FeedbackPattern[] => {
      const [mine, all] = [countsOf(own), countsOf(withOpinion)];
      const [n, rest] = [own.length, withOpinion.length - own.length];
      if (name === undefined || n < FEWEST || rest < FEWEST) return [];
      const elsewhere = (all.down - mine.down) / rest;
      if ((wilson(mine.down, n, 0.99)?.low ?? 0) <= elsewhere) return [];
      const examples = own.filter((one) => opinionOf(one) === 'down').map(({ outputId }) => outputId);
      return [{ by, name, down: mine.down, n, elsewhere, examples: distinct(examples) }];
    });
  }).sort((a, b) => b.down / b.n - b.elsewhere - (a.down / a.n - a.elsewhere));
}

function itemsIn(disliked: readonly FeedbackOnOutput[]): DislikedItem[] {
  const named = disliked.filter(({ item }) => item !== undefined);
  return [...Map.groupBy(named, ({ item = '' }) => item.toLowerCase())]
    .map(([, own]) => ({
      label: own[0]?.item ?? '',
      down: own.length,
      examples: distinct(own.map(({ outputId }) => outputId)),
    }))
    .sort((a, b) => b.down - a.down || (a.label < b.label ? -1 : 1));
}

/** A word of a single user is not a pattern. */
const WORD_FEWEST = 2;

function wordsIn(disliked: readonly FeedbackOnOutput[]): DislikedWord[] {
  const found = new Map<string, { count: number; readonly example: string; readonly word: string }>();
  for (const { comment } of disliked) {
    if (comment === undefined) continue;
    const words = comment.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    const byStem = new Map(words.map((word) => [[...labelWords(word).stems][0] ?? word, word]));
    for (const [stem, word] of byStem) {
      const known = found.get(stem);
      if (known === undefined) found.set(stem, { count: 1, example: comment, word });
      else known.count += 1;
    }
  }
  const ranked = [...found.values()]
    .filter(({ count }) => count >= WORD_FEWEST)
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  // Words that come together say the same thing once.
  return ranked.filter(({ example }, place) => ranked.findIndex((one) => one.example === example) === place);
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(0, MOST);
}

type LatencyFigures = {
  readonly p50: Measurement;
  readonly p95: Measurement;
  readonly p99: Measurement;
};

export type LatencyTrend = {
  readonly now: LatencyFigures;
  readonly before: LatencyFigures;
  /** Of the 95th percentile: told only where the intervals of the two spans do not meet. */
  readonly change: 'slower' | 'faster' | 'no clear change' | 'not measured';
  readonly days: readonly (LatencyFigures & { readonly day: string; readonly requests: number })[];
  readonly slowest: readonly Pick<DecompositionRecord, 'id' | 'latencyMs' | 'topic'>[];
};

export function latencyTrend(
  now: readonly ProductionCell[],
  before: readonly ProductionCell[],
  sampled: readonly DecompositionRecord[],
): LatencyTrend {
  const [here, there] = [figuresOf(now), figuresOf(before)];
  const days = Map.groupBy(now, ({ at }) => at.slice(0, 10));
  return {
    now: here,
    before: there,
    change: changeOf(there.p95, here.p95),
    days: [...days]
      .map(([day, cells]) => ({
        day,
        requests: cells.reduce((sum, { requests }) => sum + requests, 0),
        ...figuresOf(cells),
      }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    slowest: sampled
      .filter(({ latencyMs }) => latencyMs !== undefined)
      .sort((a, b) => (b.latencyMs ?? 0) - (a.latencyMs ?? 0))
      .slice(0, 3)
      .map(({ id, latencyMs, topic }) => ({ id, latencyMs, topic })),
  };
}

function figuresOf(cells: readonly ProductionCell[]): LatencyFigures {
  const { latency } = mergeCells(cells) ?? emptyCell({ at: '' });
  return { p50: latencyAt(latency, 0.5), p95: latencyAt(latency, 0.95), p99: latencyAt(latency, 0.99) };
}

function changeOf(before: Measurement, now: Measurement): LatencyTrend['change'] {
  if (!before.measured || !now.measured) return 'not measured';
  if (now.low !== undefined && before.high !== undefined && now.low > before.high) return 'slower';
  if (now.high !== undefined && before.low !== undefined && now.high < before.low) return 'faster';
  return 'no clear change';
}

export type LowRequest = {
  readonly id: string;
  readonly at: string;
  readonly topic?: string;
  readonly promptVersion?: string;
  /** 0–1: the mean of what is known of it. */
  readonly score: number;
  /** Absent: nobody rated it. */
  /** Share of its raters. */
  readonly acceptable?: number;
  readonly note?: string;
  /** Mean of what users gave, 1–5. */
  readonly stars?: number;
  readonly unsupportedQuotes?: { readonly count: number; readonly of: number };
  readonly unmentioned?: { readonly count: number; readonly of: number };
  readonly fabricated?: number;
};

export type WatchedRecord = Watched & { readonly record: DecompositionRecord };

/** The lowest first. What did not do badly in anything is left out. `notes`: id of a request → what the rater wrote. */
export function lowestRequests(
  sampled: readonly WatchedRecord[],
  notes: ReadonlyMap<string, string>,
  most: number,
): LowRequest[] {
  return sampled
    .flatMap((one): LowRequest[] => {
      const score = scoreOf(one);
      return score === undefined || score >= 1 ? [] : [lowOf(one, score, notes.get(one.id))];
    })
    .sort((a, b) => a.score - b.score || (a.at < b.at ? 1 : -1))
    .slice(0, most);
}

/** What is known weighs the same; what is not known does not count. */
export function scoreOf({ rated, scores, quotes, unmentioned }: Watched): number | undefined {
  const parts = [
    ...(rated?.acceptable === undefined ? [] : [rated.acceptable]),
    ...(scores === undefined || scores.length === 0 ? [] : [(mean(scores) - 1) / 4]),
    ...(quotes === undefined || quotes.given === 0 ? [] : [quotes.verified / quotes.given]),
    ...(unmentioned === undefined || unmentioned.concepts === 0
      ? []
      : [1 - unmentioned.unmentioned / unmentioned.concepts]),
  ];
  return parts.length === 0 ? undefined : mean(parts);
}

function lowOf(
  { record, rated, scores, quotes, unmentioned }: WatchedRecord,
  score: number,
  note: string | undefined,
): LowRequest {
  const { id, at, topic, promptVersion } = record;
  return {
    id,
    at,
    score,
    topic,
    promptVersion,
    acceptable: rated?.acceptable,
    note,
    ...(scores !== undefined && scores.length > 0 && { stars: mean(scores) }),
    ...(quotes && { unsupportedQuotes: { count: quotes.given - quotes.verified, of: quotes.given } }),
    ...(unmentioned && { unmentioned: { count: unmentioned.unmentioned, of: unmentioned.concepts } }),
    ...(rated?.fabricated && { fabricated: rated.fabricated.fabricated }),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
