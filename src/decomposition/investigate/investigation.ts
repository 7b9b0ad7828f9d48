/** Cases, investigated: their numbers, and what their evidence says. */
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Zone } from '../../judge/zone.ts';
import type { ChecklistAnswer } from './checklist.ts';
import type { Conclusions } from './conclusions.ts';
import type { Findings } from './findings.ts';

export type Investigation = {
  readonly id: string;
  /** `not recorded` where neither the outputs nor the request say it. */
  readonly promptVersion: string;
  /** The name of the prompt, where one is known. */
  readonly prompt?: string;
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly JudgedMetric[];
  readonly clean: boolean;
  readonly findings: Findings;
  readonly conclusions: Conclusions;
  readonly checklist: readonly ChecklistAnswer[];
};

/** Where the investigated outputs came from. */
export type InvestigatedSource =
  | { readonly kind: 'recorded'; readonly folders: readonly string[] }
  | { readonly kind: 'extractor'; readonly repeat: number };

export type Investigated = {
  /** ISO date. */
  readonly date: string;
  readonly source: InvestigatedSource;
  /** Those with something to explain, the worst first. */
  readonly cases: readonly Investigation[];
  readonly clean: readonly string[];
  readonly errored: readonly { readonly id: string; readonly error: string }[];
  /** Outputs that were left out, and why. */
  readonly leftOut: readonly string[];
  /** Whether near misses by meaning were looked for, or why not. */
  readonly semantic: 'measured' | 'off' | 'not installed';
};

export function inZone({ gated }: Investigation, zone: Zone): JudgedMetric[] {
  return gated.filter((metric) => metric.zone === zone);
}

/** The worst first: what fails before what does not, then by the overall score. */
export function worstFirst(one: Investigation, other: Investigation): number {
  const fails = (some: Investigation) => inZone(some, 'fail').length;
  return fails(other) - fails(one) || overallOf(one) - overallOf(other) || (one.id < other.id ? -1 : 1);
}

/** Where there is no score at all there is nothing good either. */
export function overallOf({ metrics }: Investigation): number {
  const overall = metrics.find(({ id }) => id === 'decomposition/overall')?.measurement;
  return overall?.measured ? overall.value : Number.NEGATIVE_INFINITY;
}
