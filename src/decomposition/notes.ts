import type { CaseEvidence } from './evidence.ts';

/** What a person wants to know about a case beside its numbers, over all its trials. */
export function notesOn({ trials }: CaseEvidence): string[] {
  const [missed, extra, canaries, forbidden] = [0, 1, 2, 3].map(() => new Set<string>()) as Lists;
  for (const { expected, concepts, relationships } of trials) {
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
  ];
}

type Lists = [Set<string>, Set<string>, Set<string>, Set<string>];

function list(what: string, labels: ReadonlySet<string>): string[] {
  return labels.size > 0 ? [`${what}: ${[...labels].join(', ')}`] : [];
}
