import type { CaseEvidence } from './evidence.ts';

/** What a person wants to know about a case beside its numbers, over all its trials. */
export function notesOn({ trials }: CaseEvidence): string[] {
  const [missed, extra, canaries, forbidden] = [0, 1, 2, 3].map(() => new Set<string>()) as Lists;
  const flaws = new Set<string>();
  for (const { expected, concepts, relationships, failed } of trials) {
    // What is wrong with it stands where errors do; that it missed everything says no more.
    if (failed !== undefined) continue;
    for (const { label, found } of expected) if (!found) missed.add(label);
    for (const { label, match, canary, flaw } of concepts) {
      if (flaw !== undefined) flaws.add(`${label} (${flaw})`);
      if (canary !== undefined) canaries.add(canary);
      else if (!match) extra.add(label);
    }
    for (const { source, predicate, target, forbidden: isForbidden, flaw } of relationships) {
      if (flaw !== undefined) flaws.add(`${source} ${predicate} ${target} (${flaw})`);
      if (isForbidden) forbidden.add(`${source} ${predicate} ${target}`);
    }
  }
  return [
    ...list('missed', missed),
    ...list('not expected', extra),
    ...list('canaries', canaries),
    ...list('forbidden relationships (a warning)', forbidden),
    ...list('not readable, so wrong', flaws),
  ];
}

type Lists = [Set<string>, Set<string>, Set<string>, Set<string>];

function list(what: string, labels: ReadonlySet<string>): string[] {
  return labels.size > 0 ? [`${what}: ${[...labels].join(', ')}`] : [];
}
