import { carry, type Given } from './action.ts';
import type { Document } from './document.ts';
import { formatAmount } from './number.ts';

type AuditRow = {
  readonly at: string;
  readonly who: string;
  readonly origin: string;
  readonly what: string;
  readonly target?: string;
  readonly project?: string;
  readonly outcome: string;
  readonly times: number;
  readonly alteredFrom?: string;
};

/** Who did what, newest first. `isAll`: there is nothing older. */
export function auditDocument(entries: readonly AuditRow[], isAll: boolean, given: Given): Document {
  const options = carry(given, ['store', 'config']);
  const altered = entries.filter(({ alteredFrom }) => alteredFrom !== undefined).length;
  return {
    title: 'Audit log',
    answer:
      entries.length === 0
        ? 'Nothing of that is written down.'
        : `${isAll ? '' : 'The latest '}${formatAmount(entries.length, 'entry', 'entries')}, newest first.`,
    blocks:
      entries.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Who did what',
              columns: [
                { key: 'at', header: 'when (UTC)', style: 'time', drop: 1 },
                { key: 'who', header: 'who', style: 'name', drop: 3 },
                { key: 'origin', header: 'from', style: 'text', drop: 8 },
                { key: 'outcome', header: 'outcome', style: 'text', drop: 4 },
                { key: 'what', header: 'what', style: 'text', min: 24, drop: 2 },
                { key: 'target', header: 'of', style: 'text', drop: 5 },
                { key: 'project', header: 'project', style: 'text', drop: 7 },
                { key: 'times', header: 'times', style: 'count', drop: 6 },
              ],
              rows: entries.map(
                ({ at, who, origin, outcome, what, target, project, times, alteredFrom }) => ({
                  at,
                  who,
                  origin,
                  outcome: alteredFrom === undefined ? outcome : `${outcome}, ✗ altered`,
                  // Every address begins so: what tells them apart is after it.
                  what: what.replace(' /api/v1/', ' /'),
                  target: target ?? '',
                  project: project ?? '',
                  times,
                }),
              ),
            },
          ],
    notes:
      altered === 0
        ? []
        : [
            `${formatAmount(altered, 'entry is', 'entries are')} not as written: somebody altered what stands there.`,
          ],
    next: entries.length === 0 ? [] : [{ operation: 'audit verify', options }],
  };
}

type AuditCheck = {
  readonly entries: number;
  readonly head: string | undefined;
  readonly hasAsked: boolean | undefined;
  readonly faults: readonly { readonly auditId: string; readonly at: string; readonly what: string }[];
};

export function auditCheckDocument({ entries, head, hasAsked, faults }: AuditCheck, given: Given): Document {
  const told = formatAmount(entries, 'entry', 'entries');
  const isWhole = faults.length === 0 && hasAsked !== false;
  const cut =
    hasAsked === false
      ? ['The entry that --head names is not there: the end was cut off, or it is old.']
      : [];
  return {
    title: 'Audit log',
    answer: isWhole
      ? `${told}: each fits the one before it.`
      : `${told}, and the log is not as it was written: something was altered or removed.`,
    blocks: [
      ...(isWhole
        ? []
        : [
            {
              kind: 'list' as const,
              title: 'What does not fit',
              items: [...cut, ...faults.map(({ auditId, at, what }) => `${at} ${auditId}: ${what}`)],
            },
          ]),
      ...(head === undefined
        ? []
        : [{ kind: 'list' as const, title: 'Head', items: [`${head} is the newest entry.`] }]),
    ],
    notes: [
      'Whoever can write to the store can write the whole log anew. Keep the head elsewhere, and give it as --head later: then that is noticed.',
    ],
    next: head === undefined ? [] : [{ operation: 'audit list', options: carry(given, ['store', 'config']) }],
  };
}
