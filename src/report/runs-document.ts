import type { GateVerdict } from '../judge/gate.ts';
import { carry, type Given } from './action.ts';
import type { Document } from './document.ts';
import { formatAmount } from './number.ts';

export type RunRow = {
  readonly runId: string;
  readonly at: string;
  readonly instrument: string;
  readonly subject: string;
  readonly caseCount: number;
  readonly gate: { readonly verdict: GateVerdict };
};

/** The runs of a store, newest first. */
export function runsDocument(runs: readonly RunRow[], address: string, given: Given): Document {
  const same = carry(given, ['store', 'config']);
  const [newest] = runs;
  if (newest === undefined) {
    return {
      title: 'Runs',
      answer: `No runs in ${address} yet.`,
      blocks: [],
      notes: [],
      next: [{ operation: 'example', options: same }],
    };
  }
  return {
    title: 'Runs',
    answer: `${formatAmount(runs.length, 'run')} in ${address}, newest first.`,
    blocks: [
      {
        kind: 'table',
        title: 'Runs',
        limit: 10,
        columns: [
          { key: 'id', header: 'id', style: 'id' },
          { key: 'at', header: 'measured (UTC)', style: 'time' },
          { key: 'instrument', header: 'instrument', style: 'name' },
          { key: 'subject', header: 'subject', style: 'text' },
          { key: 'cases', header: 'cases', style: 'count' },
          { key: 'verdict', header: 'verdict', style: 'text' },
        ],
        rows: runs.map(({ runId, at, instrument, subject, caseCount, gate }) => ({
          id: runId,
          at,
          instrument,
          subject,
          cases: caseCount,
          verdict: gate.verdict,
        })),
      },
    ],
    notes: [],
    next: [{ operation: 'runs', positionals: [newest.runId], options: same }],
  };
}
