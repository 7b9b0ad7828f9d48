/** Section 6.1: concepts that were expected and not extracted. */
import { type Context, mentionOf } from './findings.ts';
import { type LabelWords, labelWords, likenessOf } from './label-words.ts';
import type { Extra } from './precision.ts';
import type { Passage } from './text-index.ts';

/** Each missed concept is exactly one of these; the first that fits. */
export const MISSED_KINDS = ['stated', 'stated under an alias', 'implied', 'not in the text'] as const;

type MissedKind = (typeof MISSED_KINDS)[number];

export type MissedConcept = {
  readonly label: string;
  readonly required: boolean;
  readonly kind: MissedKind;
  readonly runs: number;
  readonly name?: string;
  readonly passage?: Passage;
  /** What was extracted instead, judging by words or a looser match level. */
  readonly nearest?: { readonly label: string; readonly why: string };
};

export function missedConcepts(context: Context, extras: readonly Extra[]): MissedConcept[] {
  const nearest = nearestExtra(extras);
  const missed = context.golden.expectedConcepts.flatMap(
    ({ label, aliases, required }, i): MissedConcept[] => {
      const runs = context.runs.filter(({ trial }) => trial.expected[i]?.found === undefined).length;
      if (runs === 0) return [];
      const instead = nearest(label, aliases);
      return [
        {
          label,
          required,
          runs,
          ...whereStated(context, label, aliases),
          ...(instead && { nearest: instead }),
        },
      ];
    },
  );
  return missed.sort((a, b) => b.runs - a.runs || Number(b.required) - Number(a.required));
}

function whereStated(
  { text }: Context,
  label: string,
  aliases: readonly string[],
): Pick<MissedConcept, 'kind' | 'name' | 'passage'> {
  const mentions = [label, ...aliases].map((name) => ({ name, ...mentionOf(text, name) }));
  const [own] = mentions;
  if (own?.mention === 'stated') return { kind: 'stated', name: label, passage: own.passage };
  const alias = mentions.find(({ mention }) => mention === 'stated');
  if (alias?.mention === 'stated') {
    return { kind: 'stated under an alias', name: alias.name, passage: alias.passage };
  }
  const implied = mentions.find(({ mention }) => mention === 'implied');
  if (implied?.mention === 'implied')
    return { kind: 'implied', name: implied.name, passage: implied.passage };
  return { kind: 'not in the text' };
}

function nearestExtra(
  extras: readonly Extra[],
): (label: string, aliases: readonly string[]) => MissedConcept['nearest'] {
  const candidates = extras
    .filter(({ canary }) => canary === undefined)
    .map((extra) => ({ extra, words: labelWords(extra.label) }));
  return (label, aliases) => {
    const loose = extras.find(({ near }) => near?.level !== undefined && near.expected === label);
    if (loose?.near !== undefined) return { label: loose.label, why: loose.near.why };
    return mostAlike([label, ...aliases].map(labelWords), candidates);
  };
}

function mostAlike(
  names: readonly LabelWords[],
  candidates: readonly { readonly extra: Extra; readonly words: LabelWords }[],
): MissedConcept['nearest'] {
  let best: { readonly label: string; readonly why: string; readonly share: number } | undefined;
  for (const { extra, words } of candidates) {
    for (const name of names) {
      const alike = likenessOf(name, words);
      if (alike !== undefined && alike.share > (best?.share ?? 0)) best = { label: extra.label, ...alike };
    }
  }
  return best && { label: best.label, why: best.why };
}
