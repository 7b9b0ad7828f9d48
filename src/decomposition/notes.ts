import type { CaseEvidence, TrialEvidence } from './evidence.ts';

/** What a person wants to know about a case beside its numbers, over all its trials. */
export function notesOn({ trials }: CaseEvidence): string[] {
  const [missed, extra, canaries, forbidden] = [0, 1, 2, 3].map(() => new Set<string>()) as Lists;
  for (const { expected, concepts, relationships, failed } of trials) {
    // What is wrong with it stands where errors do; that it missed everything says no more.
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
    ...list('not readable, so wrong', new Set(trials.flatMap(flawsIn))),
  ];
}

/** What was extracted and could not be read, with what is wrong with it. */
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
