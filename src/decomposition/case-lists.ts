/** Found, missed and invented concepts of a case, as lists and as one graph. */
import type { CaseEvidence, FieldEvidence, TrialEvidence } from './evidence.ts';

export type CaseLists = ReturnType<typeof trialLists>;

/** A case with repeats lists the results of all of them; `trials` distinguishes them. */
export function caseLists(evidence: CaseEvidence | undefined): Omit<CaseLists, 'error'> & {
  readonly trials?: readonly CaseLists[];
} {
  const trials = (evidence?.trials ?? []).map(trialLists);
  const answered = trials.filter(({ error }) => error === undefined);
  // A failed trial misses everything, which would hide what the others missed.
  const used = answered.length > 0 ? answered : trials;
  const all = <T>(list: (trial: CaseLists) => readonly T[]) => distinct(used.flatMap(list));
  return {
    matches: all((trial) => trial.matches),
    missed: all((trial) => trial.missed),
    extra: all((trial) => trial.extra),
    canaries: all((trial) => trial.canaries),
    forbiddenRelationships: all((trial) => trial.forbiddenRelationships),
    flaws: all((trial) => trial.flaws),
    trials: trials.length > 1 ? trials : undefined,
  };
}

function trialLists({ concepts, expected, relationships, failed }: TrialEvidence) {
  return {
    matches: concepts.flatMap(({ label, match }) => (match === undefined ? [] : [{ label, ...match }])),
    missed: missedConcepts(expected).map(({ label }) => label),
    extra: concepts.filter(({ match, canary }) => !match && canary === undefined).map(({ label }) => label),
    canaries: concepts.flatMap(({ canary }) => canary ?? []),
    forbiddenRelationships: relationships
      .filter((edge) => edge.forbidden === true)
      .map(({ source, target, predicate }) => ({ source, target, predicate })),
    flaws: [
      ...concepts.flatMap(({ label, flaw }) => (flaw === undefined ? [] : [`${label} (${flaw})`])),
      ...relationships.flatMap(({ source, predicate, target, flaw }) =>
        flaw === undefined ? [] : [`${source} ${predicate} ${target} (${flaw})`],
      ),
    ],
    error: failed,
  };
}

export function missedConcepts(expected: TrialEvidence['expected']): TrialEvidence['expected'] {
  return expected.filter(({ found }) => found === undefined);
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/**
 * Merges both sides into one graph. An extracted concept is drawn as the expected concept that it matches. An end that
 * was never extracted as a concept is drawn as the expected one with the same spelling.
 */
export function graphEdges({
  concepts,
  expected,
  relationships,
  expectedRelationships,
}: Pick<TrialEvidence, 'concepts' | 'expected' | 'relationships' | 'expectedRelationships'>) {
  const nodes = new Map([
    ...expected.map(({ label }) => [spelling(label), label] as const),
    ...concepts.flatMap(({ label, match }) => (match ? [[spelling(label), match.expected] as const] : [])),
  ]);
  const nodeOf = (label: string) => nodes.get(spelling(label)) ?? label;
  return [
    ...relationships.map(({ correct, forbidden, ...edge }) => ({
      ...edge,
      state:
        correct !== undefined ? ('right' as const) : forbidden ? ('forbidden' as const) : ('wrong' as const),
      from: nodeOf(edge.source),
      to: nodeOf(edge.target),
    })),
    ...expectedRelationships
      .filter(({ found }) => found === undefined)
      .map((edge) => ({ ...edge, state: 'missing' as const, from: edge.source, to: edge.target })),
  ];
}

function spelling(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function notesOn({ trials }: CaseEvidence): string[] {
  const [missed, extra, canaries, forbidden] = [0, 1, 2, 3].map(() => new Set<string>()) as Lists;
  for (const { expected, concepts, relationships, failed } of trials) {
    // Its error is shown with the other errors; listing everything as missed adds nothing.
    if (failed !== undefined) continue;
    for (const { label, found } of expected) if (!found) missed.add(label);
    for (const { label, match, canary } of concepts) {
      if (canary !== undefined) canaries.add(canary);
      else if (!match) extra.add(label);
    }
    for (const { source, predicate, target, forbidden: isForbidden } of relationships) {
      if (isForbidden) forbidden.add(`${source} ${predicate} ${target}`);
    }
  }
  return [
    ...list('missed', missed),
    ...list('not expected', extra),
    ...list('canaries', canaries),
    ...list('forbidden relationships (a warning)', forbidden),
    ...list('fields', new Set(trials.flatMap(({ fields = [] }) => fields.flatMap(fieldNote)))),
    ...list('not readable, so wrong', new Set(trials.flatMap(flawsIn))),
  ];
}

function fieldNote({ name, expected, said, right, given, wanted }: FieldEvidence): string[] {
  if (right === wanted && right === given) return [];
  if (said === undefined) return [`${name} missing`];
  return [expected === undefined ? `${name} not expected` : `${name} is ${said}, not ${expected}`];
}

function flawsIn({ concepts, relationships }: TrialEvidence): string[] {
  return [
    ...concepts.flatMap(({ label, flaw }) => (flaw === undefined ? [] : [`${label} (${flaw})`])),
    ...relationships.flatMap(({ source, predicate, target, flaw }) =>
      flaw === undefined ? [] : [`${source} ${predicate} ${target} (${flaw})`],
    ),
  ];
}

type Lists = [Set<string>, Set<string>, Set<string>, Set<string>];

function list(what: string, labels: ReadonlySet<string>): string[] {
  return labels.size > 0 ? [`${what}: ${[...labels].join(', ')}`] : [];
}
