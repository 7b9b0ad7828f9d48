import type { ScoredSession } from './score-session.ts';

/** What took most of the score away, in a few words with the line that shows it. */
export function whyLow(session: ScoredSession, most = 2): string {
  const special = session.runs.find((run) => run.specialCaseReason !== undefined);
  if (session.specialCase !== undefined && special?.specialCaseReason !== undefined)
    return special.specialCaseReason;
  const losses = session.runs
    .filter((run) => run.specialCase === undefined)
    .flatMap((run) => Object.values(run.categories).flatMap((category) => category.signals))
    .filter((signal) => signal.cost > 0.005)
    .toSorted((a, b) => b.cost - a.cost);
  const seen = new Set<string>();
  const words: string[] = [];
  for (const { id, reading } of losses) {
    if (seen.has(id) || !reading.measured) continue;
    seen.add(id);
    const [line] = reading.lines;
    words.push(`${reading.because}${line === undefined ? '' : ` (line ${line})`}`);
    if (words.length === most) break;
  }
  return words.join('; ') || 'nothing stands out';
}
