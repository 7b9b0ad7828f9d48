import type { Document } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';

type Raised = {
  readonly at: string;
  readonly severity: string;
  readonly rule: string;
  readonly message: string;
};

type Tracked = Raised & { readonly state: string; readonly event?: { readonly at: string } };

type Step =
  | { readonly kind: 'fault'; readonly at: string; readonly fault: keyof typeof FAULTS }
  | { readonly kind: 'fired' | 'resolved'; readonly at: string; readonly alert: Raised };

const FAULTS = {
  none: 'the service does what it should',
  slow: 'the service becomes slow',
  inventing: 'the service begins to invent concepts',
} as const;

/** One line of what happens, as it happens. */
export function sayStep(step: Step): string {
  const time = step.at.slice(11, 16);
  switch (step.kind) {
    case 'fault':
      return `${time}  ${FAULTS[step.fault]}`;
    case 'fired':
      return `${time}  ✗ ${step.alert.severity}: ${step.alert.message}`;
    case 'resolved':
      return `${time}  ✓ over: ${step.alert.rule}`;
  }
}

/** What came of it: which alerts fired, and which of them are over. */
export function rehearsalDocument(
  {
    requests,
    alerts,
  }: {
    readonly requests: number;
    readonly alerts: readonly Tracked[];
  },
  store: string | undefined,
): Document {
  const over = alerts.filter(({ state }) => state === 'resolved').length;
  return {
    title: 'A service in production, watched for an hour',
    answer: `${formatAmount(requests, 'request')}: ${formatAmount(alerts.length, 'alert')} fired, ${over} of them over by the end.`,
    blocks: [
      {
        kind: 'table',
        title: 'Alerts',
        columns: [
          { key: 'fired', header: 'fired', style: 'text' },
          { key: 'over', header: 'over', style: 'text' },
          { key: 'severity', header: 'severity', style: 'text' },
          { key: 'rule', header: 'rule', style: 'name', min: 24 },
          { key: 'message', header: 'what', style: 'text' },
        ],
        rows: alerts.map(({ at, state, event, severity, rule, message }) => ({
          fired: at.slice(11, 16),
          over: state === 'resolved' ? (event?.at.slice(11, 16) ?? '') : 'not yet',
          severity,
          rule,
          message,
        })),
      },
    ],
    notes: store === undefined ? [] : [`What came of it stays in ${store}, until you delete it.`],
    next:
      store === undefined
        ? [{ operation: 'example', positionals: ['production'] }]
        : ['production rate', 'brief', 'serve'].map((operation) => ({ operation, options: { store } })),
  };
}
