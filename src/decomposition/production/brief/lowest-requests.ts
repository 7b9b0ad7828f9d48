import type { DecompositionRecord } from '../record.ts';
import type { Watched } from '../watched.ts';

/** A sampled request that did badly, with all that speaks against it. */
export type LowRequest = {
  readonly id: string;
  readonly at: string;
  readonly topic?: string;
  readonly promptVersion?: string;
  /** 0–1: the mean of what is known of it. */
  readonly score: number;
  /** Absent: nobody rated it. */
  readonly acceptable?: boolean;
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
export function scoreOf({ acceptable, scores, quotes, unmentioned }: Watched): number | undefined {
  const parts = [
    ...(acceptable === undefined ? [] : [acceptable ? 1 : 0]),
    ...(scores === undefined || scores.length === 0 ? [] : [(mean(scores) - 1) / 4]),
    ...(quotes === undefined || quotes.given === 0 ? [] : [quotes.verified / quotes.given]),
    ...(unmentioned === undefined || unmentioned.concepts === 0
      ? []
      : [1 - unmentioned.unmentioned / unmentioned.concepts]),
  ];
  return parts.length === 0 ? undefined : mean(parts);
}

function lowOf(
  { record, acceptable, scores, quotes, unmentioned, fabricated }: WatchedRecord,
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
    acceptable,
    note,
    ...(scores !== undefined && scores.length > 0 && { stars: mean(scores) }),
    ...(quotes && { unsupportedQuotes: { count: quotes.given - quotes.verified, of: quotes.given } }),
    ...(unmentioned && { unmentioned: { count: unmentioned.unmentioned, of: unmentioned.concepts } }),
    ...(fabricated !== undefined && { fabricated: fabricated.fabricated }),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
