import { carry, type Given } from './action.ts';
import { formatAmount } from './number.ts';
import type { ListBlock, View } from './view.ts';

type AlertRow = {
  readonly alertId: string;
  readonly severity: string;
  readonly rule: string;
  readonly subject: string;
  readonly message: string;
  readonly at: string;
  readonly state: string;
};

type AlertStep = {
  readonly state: string;
  readonly who: string;
  readonly why?: string;
  readonly until?: string;
  readonly at: string;
};

/** What deserves attention, newest first. */
export function alertsView(alerts: readonly AlertRow[], given: Given): View {
  const same = carry(given, ['store', 'config']);
  const open = alerts.find(({ state }) => state === 'open');
  return {
    title: 'Alerts',
    answer:
      alerts.length === 0
        ? 'There are no such alerts.'
        : `${formatAmount(alerts.length, 'alert')}, newest first.`,
    blocks:
      alerts.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Alerts',
              limit: 20,
              columns: [
                { key: 'id', title: 'id', unit: 'text', min: 34 },
                { key: 'at', title: 'fired (UTC)', unit: 'time', priority: 1 },
                { key: 'severity', title: 'severity', unit: 'text', priority: 2 },
                { key: 'state', title: 'state', unit: 'text' },
                { key: 'message', title: 'what', unit: 'text', min: 20 },
              ],
              rows: alerts.map(({ alertId, at, severity, state, message }) => ({
                id: alertId,
                at,
                severity,
                state,
                message,
              })),
            },
          ],
    notes: [],
    next:
      open === undefined ? [] : [{ operation: 'alerts show', positionals: [open.alertId], options: same }],
  };
}

/** One alert, and what became of it. */
export function alertView(alert: AlertRow, steps: readonly AlertStep[], given: Given): View {
  const same = carry(given, ['store', 'config']);
  const to = (verb: string) => ({ operation: `alerts ${verb}`, positionals: [alert.alertId], options: same });
  const history: ListBlock = {
    kind: 'list',
    title: 'What became of it',
    items: steps.map(
      ({ state, who, why, until, at }) =>
        [`${at}: ${state}`, until && `until ${until}`, `by ${who}`].filter(Boolean).join(' ') +
        (why ? `: ${why}` : ''),
    ),
  };
  return {
    title: `Alert ${alert.alertId}`,
    answer: `${alert.message} (${alert.severity}, ${alert.state}, since ${alert.at})`,
    blocks: steps.length === 0 ? [] : [history],
    notes: [],
    next:
      alert.state === 'resolved'
        ? [to('reopen')]
        : alert.state === 'open'
          ? [to('acknowledge'), to('resolve')]
          : [to('resolve')],
  };
}

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
export function auditView(entries: readonly AuditRow[], isAll: boolean, given: Given): View {
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
                { key: 'at', title: 'when (UTC)', unit: 'time', priority: 1 },
                { key: 'who', title: 'who', unit: 'name', priority: 3 },
                { key: 'origin', title: 'from', unit: 'text', priority: 8 },
                { key: 'outcome', title: 'outcome', unit: 'text', priority: 4 },
                { key: 'what', title: 'what', unit: 'text', min: 24, priority: 2 },
                { key: 'target', title: 'of', unit: 'text', priority: 5 },
                { key: 'project', title: 'project', unit: 'text', priority: 7 },
                { key: 'times', title: 'times', unit: 'count', priority: 6 },
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

export function auditCheckView({ entries, head, hasAsked, faults }: AuditCheck, given: Given): View {
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

type TokenRow = {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly isOver: boolean;
  readonly projects?: readonly string[];
  readonly team?: string;
};

export function whatFor(projects?: readonly string[], team?: string): string {
  if (projects === undefined && team === undefined) return 'for all projects';
  const named = [...(projects ?? []), ...(team === undefined ? [] : [`the team ${team}`])];
  return named.length === 0 ? 'for no project' : `for ${named.join(', ')}`;
}

/** Who may ask a server, and until when. */
export function tokenView(tokens: readonly TokenRow[]): View {
  return {
    title: 'Tokens',
    answer: tokens.length === 0 ? 'There are no tokens.' : `${formatAmount(tokens.length, 'token')}.`,
    blocks:
      tokens.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Tokens',
              columns: [
                { key: 'id', title: 'id', unit: 'id' },
                { key: 'name', title: 'label', unit: 'name' },
                { key: 'scope', title: 'allows', unit: 'text' },
                { key: 'for', title: 'sees', unit: 'text' },
                { key: 'created', title: 'made (UTC)', unit: 'time' },
                { key: 'expires', title: 'good until (UTC)', unit: 'text' },
              ],
              rows: tokens.map(({ id, name, scope, created_at, expires_at, isOver, projects, team }) => ({
                id,
                name,
                scope,
                for: whatFor(projects, team).replace(/^for /, ''),
                created: created_at,
                expires:
                  expires_at === null
                    ? 'it is revoked'
                    : `${expires_at.slice(0, 16).replace('T', ' ')}${isOver ? ' (over)' : ''}`,
              })),
            },
          ],
    notes: [],
    next: tokens.length === 0 ? [{ operation: 'token create' }] : [],
  };
}
