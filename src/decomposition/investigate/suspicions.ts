/** Section 6.5: where the golden case, not the extraction, may be wrong. */
import { normalise } from '../match/normalise.ts';
import type { Context } from './findings.ts';
import type { Extra } from './precision.ts';
import type { MissedConcept } from './recall.ts';
import { findPhrase } from './text-index.ts';

const SUSPICION_KINDS = [
  'expected, not in the text',
  'canary in the text',
  'alias missing',
  'concept missing',
  'never found',
] as const;

export type Suspicion = {
  readonly kind: (typeof SUSPICION_KINDS)[number];
  readonly label: string;
  readonly why: string;
};

/** The number of different runs from which agreement can be judged. */
export const RUNS_TO_AGREE = 2;

export function suspicions(
  context: Context,
  missed: readonly MissedConcept[],
  extras: readonly Extra[],
): Suspicion[] {
  return [
    ...notInText(context),
    ...canariesInText(context),
    ...aliasesMissing(context, extras),
    ...conceptsMissing(context, extras),
    ...neverFound(context, missed),
  ];
}

function notInText({ golden, text }: Context): Suspicion[] {
  return golden.expectedConcepts
    .filter(({ label, aliases }) => ![label, ...aliases].some((name) => findPhrase(text, name)))
    .map(({ label }) => ({
      kind: 'expected, not in the text',
      label,
      why: 'neither the label nor an alias stands in the text',
    }));
}

function canariesInText({ golden, text }: Context): Suspicion[] {
  return golden.forbiddenConcepts.flatMap((label): Suspicion[] => {
    const passage = findPhrase(text, label);
    return passage === undefined
      ? []
      : [{ kind: 'canary in the text', label, why: `the text says "${passage.text}"` }];
  });
}

function aliasesMissing({ golden }: Context, extras: readonly Extra[]): Suspicion[] {
  const owner = new Map(
    golden.expectedConcepts.flatMap(({ label, aliases }) =>
      [label, ...aliases].map((name) => [normalise(name), label] as const),
    ),
  );
  const bracketed = bracketsIn(golden.sourceText);
  return extras.flatMap(({ label, near, canary }): Suspicion[] => {
    if (canary !== undefined) return [];
    const suspect = (expected: string, why: string): Suspicion[] => [
      { kind: 'alias missing', label, why: `may be another name of ${expected}: ${why}` },
    ];
    if (near?.level !== undefined) return suspect(near.expected, `it ${near.why}`);
    const other = bracketed.get(normalise(label))?.find((name) => owner.has(name));
    return other === undefined
      ? []
      : suspect(owner.get(other) ?? '', 'the text puts one in brackets after the other');
  });
}

const MOST_BEFORE = 6;

/** `sea-level rise (SLR)`: each side → the names of the other; the side before may begin at any of its last words. */
function bracketsIn(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  const add = (one: string, other: string) => names.set(one, [...(names.get(one) ?? []), other]);
  for (const { 1: inner = '', index } of text.matchAll(/\(([^()]{1,80})\)/g)) {
    const before = text
      .slice(Math.max(0, index - 200), index)
      .trim()
      .split(/\s+/)
      .slice(-MOST_BEFORE);
    const inside = normalise(inner);
    for (let from = 0; from < before.length; from++) {
      const outer = normalise(before.slice(from).join(' '));
      add(inside, outer);
      add(outer, inside);
    }
  }
  return names;
}

function conceptsMissing({ runs, distinctRuns }: Context, extras: readonly Extra[]): Suspicion[] {
  if (distinctRuns < RUNS_TO_AGREE) return [];
  return extras
    .filter(({ kind, mention }) => mention === 'stated' && (kind === 'in the text' || kind === 'near miss'))
    .filter((extra) => extra.near?.level === undefined)
    .filter((extra) => extra.runs >= RUNS_TO_AGREE && 2 * extra.runs > runs.length)
    .map((extra) => ({
      kind: 'concept missing',
      label: extra.label,
      why: `${extra.runs} of ${runs.length} runs extract it and the text says it`,
    }));
}

function neverFound({ runs, distinctRuns }: Context, missed: readonly MissedConcept[]): Suspicion[] {
  if (distinctRuns < RUNS_TO_AGREE) return [];
  return missed
    .filter((one) => one.runs === runs.length && one.kind !== 'not in the text')
    .map(({ label, kind }) => ({
      kind: 'never found',
      label,
      why: `none of ${runs.length} runs finds it; in the text it is ${kind}`,
    }));
}
