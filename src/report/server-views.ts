import { carry, type Given } from './action.ts';
import { formatAmount } from './number.ts';
import { type TableBlock, tableOf, type View } from './view.ts';

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

const SEVERITY_MARKS: Readonly<Record<string, string>> = { critical: '✗ critical', warning: '▲ warning' };

const STATE_MARKS: Readonly<Record<string, string>> = {
  open: '▲ open',
  acknowledged: '○ acknowledged',
  silenced: '– silenced',
  resolved: '✓ resolved',
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
            tableOf(
              'Alerts',
              alerts,
              [
                { key: 'id', min: 34, of: ({ alertId }) => alertId },
                { key: 'at', title: 'fired (UTC)', unit: 'time', priority: 3 },
                { key: 'severity', priority: 4, of: ({ severity }) => SEVERITY_MARKS[severity] ?? severity },
                { key: 'state', priority: 2, of: ({ state }) => STATE_MARKS[state] ?? state },
                { key: 'subject', unit: 'name', priority: 5 },
                { key: 'message', title: 'what', min: 20, priority: 1 },
              ],
              { limit: 20 },
            ),
          ],
    notes: [],
    next:
      open === undefined ? [] : [{ operation: 'alerts show', positionals: [open.alertId], options: same }],
  };
}

/** One alert with its events. */
export function alertView(alert: AlertRow, steps: readonly AlertStep[], given: Given): View {
  const same = carry(given, ['store', 'config']);
  const to = (verb: string) => ({ operation: `alerts ${verb}`, positionals: [alert.alertId], options: same });
  return {
    title: `Alert ${alert.alertId}`,
    answer: `${alert.message} (${alert.severity}, ${alert.state}, since ${alert.at})`,
    blocks: [historyTable(alert, steps)],
    notes: [],
    next:
      alert.state === 'resolved'
        ? [to('reopen')]
        : alert.state === 'open'
          ? [to('acknowledge'), to('resolve')]
          : [to('resolve')],
  };
}

function historyTable(alert: AlertRow, steps: readonly AlertStep[]): TableBlock {
  const raised: AlertStep = { at: alert.at, state: 'raised', who: 'Assay', why: alert.message };
  return tableOf(
    'History',
    [raised, ...steps],
    [
      { key: 'at', title: 'when (UTC)', unit: 'time' },
      { key: 'state', title: 'what', of: ({ state }) => (state === 'open' ? 'reopened' : state) },
      { key: 'until', unit: 'time', priority: 3, of: ({ until }) => until },
      { key: 'who', priority: 2 },
      { key: 'why', priority: 1, of: ({ why }) => why ?? '' },
    ],
  );
}

type AuditRow = {
  readonly at: string;
  readonly who: string;
  readonly origin: string;
  readonly what: string;
  readonly target?: string;
  readonly project?: string;
  readonly outcome: string;
  readonly status?: number;
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
        ? 'No matching entries.'
        : `${isAll ? '' : 'The latest '}${formatAmount(entries.length, 'entry', 'entries')}, newest first.`,
    blocks:
      entries.length === 0
        ? []
        : [
            tableOf('Who did what', entries, [
              { key: 'at', title: 'when (UTC)', unit: 'time', priority: 1 },
              { key: 'who', unit: 'name', priority: 3 },
              { key: 'origin', title: 'from', priority: 8 },
              // Every address starts the same; the part after that differs.
              { key: 'what', min: 24, priority: 2, of: ({ what }) => what.replace(' /api/v1/', ' /') },
              { key: 'target', title: 'of', priority: 5, of: ({ target }) => target ?? '' },
              { key: 'project', priority: 7, of: ({ project }) => project ?? '' },
              { key: 'times', unit: 'count', priority: 6 },
              { key: 'outcome', priority: 4, of: sayOutcome },
            ]),
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

const OUTCOME_MARKS: Readonly<Record<string, string>> = {
  done: '✓ done',
  refused: '▲ refused',
  failed: '✗ failed',
};

function sayOutcome({ outcome, status, origin, alteredFrom }: AuditRow): string {
  const code = `${origin === 'command line' ? 'exit code' : 'HTTP'} ${status}`;
  const why = status === undefined || outcome === 'done' ? '' : `, ${code}`;
  return `${OUTCOME_MARKS[outcome] ?? outcome}${why}${alteredFrom === undefined ? '' : ', ✗ altered'}`;
}

type AuditCheck = {
  readonly entries: number;
  readonly head: string | undefined;
  readonly hasAsked: boolean | undefined;
  readonly faults: readonly { readonly auditId: string; readonly at: string; readonly what: string }[];
};

export function auditCheckView({ entries, head, hasAsked, faults }: AuditCheck, given: Given): View {
  const counted = formatAmount(entries, 'entry', 'entries');
  const isWhole = faults.length === 0 && hasAsked !== false;
  const cut =
    hasAsked === false
      ? ['The entry that --head names is not there: the end was cut off, or it is old.']
      : [];
  return {
    title: 'Audit log',
    answer: isWhole
      ? `${counted}: each fits the one before it.${hasAsked === true ? ' The head that you kept is among them.' : ''}`
      : `${counted}, and the log is not as it was written: something was altered or removed.`,
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

function sayEnd({ expires_at: end, isOver }: TokenRow): string {
  if (end === null) return 'it is revoked';
  return `${end.slice(0, 16).replace('T', ' ')}${isOver ? ' (over)' : ''}`;
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
            tableOf('Tokens', tokens, [
              { key: 'id', unit: 'id' },
              { key: 'name', title: 'label', unit: 'name' },
              { key: 'scope', title: 'allows' },
              {
                key: 'for',
                title: 'sees',
                of: (one) => whatFor(one.projects, one.team).replace(/^for /, ''),
              },
              { key: 'created', title: 'made (UTC)', unit: 'time', of: (one) => one.created_at },
              { key: 'expires', title: 'good until (UTC)', of: sayEnd },
            ]),
          ],
    notes: [],
    next: tokens.length === 0 ? [{ operation: 'token create' }] : [],
  };
}
