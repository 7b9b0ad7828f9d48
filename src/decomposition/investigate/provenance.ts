/** Section 6.4: concepts whose quote is missing or does not stand in the text. */
import type { QuoteCheck } from '../evidence.ts';
import { normalise } from '../match/normalise.ts';
import type { Context } from './context.ts';
import { type NearestPassage, nearestPassage } from './nearest-passage.ts';
import type { TextIndex } from './text-index.ts';

/** Each quote that was not verified is exactly one of these. */
export const QUOTE_KINDS = [
  'missing',
  'too short',
  'too long',
  'elsewhere',
  'truncated',
  'paraphrased',
  'spelled differently',
  'not from the text',
  'not looked up',
] as const;

export type QuoteKind = (typeof QUOTE_KINDS)[number];

export type QuoteFault = {
  readonly label: string;
  readonly kind: QuoteKind;
  readonly count: number;
  readonly quote?: string;
  readonly nearest?: NearestPassage;
};

/** Different quotes of a case that are looked up; at some 0.2 ms each, more than any real output has. */
export const MOST_LOOKED_UP = 2000;

/** From this share of its words on a quote comes from the passage. */
const PARAPHRASED_FROM = 0.5;

/** What is kept of a quote: it may be as long as a chapter. */
const LONGEST_KEPT = 1000;

export function quoteFaults({ runs, text }: Context): QuoteFault[] {
  const faults = new Map<string, { readonly fault: Omit<QuoteFault, 'count'>; count: number }>();
  const lookUp = rememberedLookUp(text);
  for (const { output, trial } of runs) {
    for (const [i, { label, quote }] of trial.concepts.entries()) {
      if (quote.state === 'verified') continue;
      const words = quote.state === 'none' ? undefined : output.concepts[i]?.sourceQuote;
      const key = JSON.stringify([normalise(label), words]);
      const known = faults.get(key);
      if (known !== undefined) known.count++;
      else faults.set(key, { fault: faultOf(label, quote.state, words, lookUp), count: 1 });
    }
  }
  return [...faults.values()]
    .map(({ fault, count }) => ({ ...fault, count }))
    .sort((a, b) => QUOTE_KINDS.indexOf(a.kind) - QUOTE_KINDS.indexOf(b.kind));
}

type LookUp = (quote: string) => NearestPassage | undefined | 'not looked up';

function rememberedLookUp(text: TextIndex): LookUp {
  const known = new Map<string, NearestPassage | undefined>();
  return (quote) => {
    if (known.has(quote)) return known.get(quote);
    if (known.size >= MOST_LOOKED_UP) return 'not looked up';
    const nearest = nearestPassage(text, quote);
    known.set(quote, nearest);
    return nearest;
  };
}

function faultOf(
  label: string,
  state: Exclude<QuoteCheck['state'], 'verified'>,
  words: string | undefined,
  lookUp: LookUp,
): Omit<QuoteFault, 'count'> {
  if (state === 'none' || words === undefined) return { label, kind: 'missing' };
  const quote = words.slice(0, LONGEST_KEPT);
  if (state === 'too short' || state === 'too long' || state === 'elsewhere')
    return { label, kind: state, quote };
  const nearest = lookUp(words);
  if (nearest === 'not looked up') return { label, kind: 'not looked up', quote };
  return { label, kind: kindOf(nearest), quote, ...(nearest && { nearest }) };
}

function kindOf(nearest: NearestPassage | undefined): QuoteKind {
  if (nearest === undefined) return 'not from the text';
  if (nearest.how === 'respelled') return 'spelled differently';
  if (nearest.how === 'shortened') return 'truncated';
  const fromText = nearest.shared > 0 && nearest.shared >= PARAPHRASED_FROM * nearest.of;
  return fromText ? 'paraphrased' : 'not from the text';
}
