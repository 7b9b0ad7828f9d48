import { carry, type Given } from './action.ts';
import type { Document, ListBlock } from './document.ts';
import { formatAmount } from './number.ts';

export type AlertRow = {
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
export function alertsDocument(alerts: readonly AlertRow[], given: Given): Document {
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
                { key: 'id', header: 'id', style: 'text', min: 34 },
                { key: 'at', header: 'fired (UTC)', style: 'time', drop: 1 },
                { key: 'severity', header: 'severity', style: 'text', drop: 2 },
                { key: 'state', header: 'state', style: 'text' },
                { key: 'message', header: 'what', style: 'text', min: 20 },
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
export function alertDocument(alert: AlertRow, steps: readonly AlertStep[], given: Given): Document {
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
