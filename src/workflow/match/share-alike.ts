/**
 * Runs of one review resemble each other: the same errors, mostly found again, by the same steps. What looks alike in
 * the evidence of thousands of them is one object in memory.
 */
import type { RunEvidence } from '../evidence.ts';

/** Beyond this many different ones they have little in common, and remembering them would be what takes the room. */
const MOST_KEPT = 20_000;

/** To be made once for all runs that are held together. */
export function shareAlike(): (evidence: RunEvidence) => RunEvidence {
  const known = new Map<string, unknown>();
  const one = <T>(item: T): T => {
    const key = JSON.stringify(item);
    const kept = known.get(key);
    if (kept !== undefined) return kept as T;
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, item);
    return item;
  };
  return (evidence) => ({
    ...evidence,
    evaluators: one(evidence.evaluators),
    concerns: one(evidence.concerns),
    errors: evidence.errors.map(one),
    findings: evidence.findings.map(one),
    edges: evidence.edges.map(one),
  });
}
