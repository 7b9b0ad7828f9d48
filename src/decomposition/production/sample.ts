/**
 * Which requests are looked at closely: about a given share of all, rare kinds more often than frequent ones, so that they
 * are seen at all. How likely each was to be drawn is written down with it, and the estimate weighs it out again.
 */
import { createHash } from 'node:crypto';
import type { SampleDraw } from './record.ts';

export type SamplingPlan = {
  readonly rate: number;
  readonly seed: number;
};

export type Drawable = {
  readonly id: string;
  readonly topic?: string | undefined;
  readonly confidence?: number | undefined;
};

/** Kinds that are told apart; what comes beyond is one kind. */
const MOST_STRATA = 400;
/** So many requests are remembered before older ones count half: what was rare last month may not be today. */
const MEMORY = 20_000;

/**
 * Draws each request by itself (Poisson sampling), with a probability that follows from the requests before it. How rare a
 * kind is, r = N / (√Nₖ · Σ√N), is the square-root case of power allocation (M. Bankier, American Statistician 42, 1988): a
 * kind that is a hundred times rarer is drawn up to ten times as often. rate · r / (1 − rate + rate · r) is never above 1.
 */
export class Sampler {
  readonly #plan: SamplingPlan;
  readonly #counts = new Map<string, number>();
  #total = 0;
  #roots = 0;

  constructor(plan: SamplingPlan) {
    if (!(plan.rate >= 0 && plan.rate <= 1)) throw new RangeError(`a rate is from 0 to 1, got ${plan.rate}`);
    this.#plan = plan;
  }

  draw(request: Drawable): SampleDraw | undefined {
    const stratum = this.#count(stratumOf(request));
    const count = this.#counts.get(stratum) ?? 1;
    const rareness = this.#total / (Math.sqrt(count) * this.#roots);
    const { rate } = this.#plan;
    const probability = Number(((rate * rareness) / (1 - rate + rate * rareness)).toPrecision(6));
    if (probability === 0 || chanceOf(this.#plan.seed, request.id) >= probability) return undefined;
    return { probability, stratum };
  }

  #count(wanted: string): string {
    const isKnown = this.#counts.has(wanted) || this.#counts.size < MOST_STRATA;
    const stratum = isKnown ? wanted : OTHER;
    this.#set(stratum, (this.#counts.get(stratum) ?? 0) + 1);
    if (this.#total > MEMORY) for (const [name, count] of this.#counts) this.#set(name, count / 2);
    return stratum;
  }

  #set(stratum: string, count: number): void {
    const before = this.#counts.get(stratum) ?? 0;
    this.#total += count - before;
    this.#roots += Math.sqrt(count) - Math.sqrt(before);
    this.#counts.set(stratum, count);
  }
}

const OTHER = '(other)';
const LONGEST_TOPIC = 100;

function stratumOf({ topic = '(no topic)', confidence }: Drawable): string {
  return `${topic.slice(0, LONGEST_TOPIC)} / ${bandOf(confidence)}`;
}

function bandOf(confidence: number | undefined): string {
  if (confidence === undefined) return 'confidence unknown';
  if (confidence < 0.6) return 'low confidence';
  return confidence < 0.8 ? 'middling confidence' : 'high confidence';
}

/** A number from 0 to 1 that looks like chance and is always the same for the same request. */
function chanceOf(seed: number, id: string): number {
  return createHash('sha256').update(`${seed}\0${id}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
