import type { Moments } from '../../stats/moments.ts';
import type { ProductionCell } from './cell.ts';

/**
 * What is left of a cell without a part of what it is made of. The smallest and the largest latency stay those of the whole:
 * added to the part again, they give the whole.
 */
export function withoutCell(whole: ProductionCell, part: ProductionCell): ProductionCell {
  const bins = new Map(part.latency.bins);
  const { confidence, latency } = whole;
  const n = latency.n - part.latency.n;
  return {
    ...whole,
    requests: whole.requests - part.requests,
    errors: whole.errors - part.errors,
    errorKinds: countsWithout(whole.errorKinds, part.errorKinds),
    latency: {
      n,
      zeros: latency.zeros - part.latency.zeros,
      bins: latency.bins.flatMap(([bin, count]) => {
        const left = count - (bins.get(bin) ?? 0);
        return left === 0 ? [] : [[bin, left] as const];
      }),
      ...(n > 0 && { min: latency.min ?? 0, max: latency.max ?? 0 }),
    },
    confidence: {
      n: confidence.n - part.confidence.n,
      sum: exact(confidence.sum - part.confidence.sum),
      bins: confidence.bins.map((count, i) => count - (part.confidence.bins[i] ?? 0)),
    },
    confidenceOfRequests: momentsWithout(whole.confidenceOfRequests, part.confidenceOfRequests),
    concepts: momentsWithout(whole.concepts, part.concepts),
    relationships: momentsWithout(whole.relationships, part.relationships),
    cost: momentsWithout(whole.cost, part.cost),
    tokens: {
      input: whole.tokens.input - part.tokens.input,
      output: whole.tokens.output - part.tokens.output,
    },
    predicates: countsWithout(whole.predicates, part.predicates),
    sampled: whole.sampled - part.sampled,
    quotes: {
      given: whole.quotes.given - part.quotes.given,
      verified: whole.quotes.verified - part.quotes.verified,
    },
    mentions: {
      concepts: whole.mentions.concepts - part.mentions.concepts,
      unmentioned: whole.mentions.unmentioned - part.mentions.unmentioned,
    },
  };
}

function momentsWithout(whole: Moments, part: Moments): Moments {
  return {
    n: whole.n - part.n,
    sum: exact(whole.sum - part.sum),
    sumOfSquares: exact(whole.sumOfSquares - part.sumOfSquares),
  };
}

function countsWithout(
  whole: Readonly<Record<string, number>>,
  part: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(whole).flatMap(([name, count]) => {
      const left = count - (Object.hasOwn(part, name) ? (part[name] ?? 0) : 0);
      return left === 0 ? [] : [[name, left]];
    }),
  );
}

/** To the billionth, as cells are kept. */
function exact(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
