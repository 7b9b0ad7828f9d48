import { isConfirmed } from './counts.ts';
import type { FindingOutcome, RunEvidence } from './evidence.ts';

export type FindingAcross = {
  readonly identity: string;
  readonly title: string;
  readonly error?: string;
  /** How many of the runs it appears in. */
  readonly runs: number;
  /** In more than half of the runs: only these are reported as confirmed. */
  readonly confirmed: boolean;
};

/** Every finding of repeated runs that counts once, the most frequent first; the confirmed ones unless told. */
export function findingsAcross(
  runs: readonly RunEvidence[],
  counts: (finding: FindingOutcome) => boolean = isConfirmed,
): FindingAcross[] {
  const found = new Map<string, { readonly title: string; readonly error?: string; runs: number }>();
  for (const run of runs) {
    const once = new Map(run.findings.filter(counts).map((finding) => [finding.identity, finding]));
    for (const { identity, title, error } of once.values()) {
      const known = found.get(identity);
      if (known === undefined) found.set(identity, { title, error, runs: 1 });
      else known.runs++;
    }
  }
  return [...found]
    .map(([identity, one]) => ({ identity, ...one, confirmed: one.runs * 2 > runs.length }))
    .sort((a, b) => b.runs - a.runs || (a.identity < b.identity ? -1 : 1));
}
