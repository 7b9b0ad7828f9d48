import { carry, type Given } from '../../report/action.ts';
import { formatAmount, formatCount, formatRatio } from '../../report/number.ts';
import { type CellUnit, tableOf, type View } from '../../report/view.ts';
import type { AlertRule } from '../production/alert-rules.ts';
import type { DecompositionRecord } from '../production/record.ts';
import { type RuleFinding, sayMinutes } from '../production/rule-finding.ts';

const STYLES: Readonly<Record<AlertRule['unit'], CellUnit>> = {
  ms: 'duration-ms',
  share: 'ratio',
  usd: 'usd',
  count: 'count',
  score: 'score',
};

const WORDS: Readonly<Record<RuleFinding['state'], string>> = {
  firing: '✗ firing',
  ok: '✓ fine',
  unsure: '? unsure',
  'too few to tell': '– too few',
};

type Checked = {
  readonly findings: readonly RuleFinding[];
  readonly fired: readonly { readonly alertId: string }[];
  readonly resolved: readonly { readonly alertId: string }[];
};

export function productionCheckView({ findings, fired, resolved }: Checked, given: Given): View {
  const firing = findings.filter(({ state }) => state === 'firing');
  const decided = findings.filter(({ state }) => state !== 'too few to tell');
  const changed = [
    ...fired.map(({ alertId }) => `Fired: ${alertId}`),
    ...resolved.map(({ alertId }) => `Resolved: ${alertId}`),
  ];
  return {
    title: 'Alert rules of production',
    answer:
      firing.length > 0
        ? `${formatAmount(firing.length, 'rule')} of ${findings.length} beyond the line: ${firing.map(nameOf).join(', ')}.`
        : decided.length === 0
          ? 'Too few requests for any result.'
          : `No rule is violated; ${findings.length - decided.length} of ${findings.length} have too few requests.`,
    blocks: [
      ...(changed.length > 0 ? [{ kind: 'list' as const, title: 'What changed', items: changed }] : []),
      tableOf('Rules', findings, [
        { key: 'rule', unit: 'name', min: 26, of: nameOf },
        { key: 'state', of: ({ state }) => WORDS[state] },
        { key: 'value', title: 'now', of: ({ rule, value }) => ({ value, unit: STYLES[rule.unit] }) },
        { key: 'line', of: ({ rule }) => ({ value: rule.line, unit: STYLES[rule.unit] }) },
        { key: 'side', title: 'alerts', priority: 2, of: ({ rule }) => rule.side },
        { key: 'n', unit: 'count' },
        { key: 'window', priority: 1, of: ({ minutes }) => sayMinutes(minutes) },
        { key: 'severity', priority: 3, of: ({ rule }) => rule.severity },
      ]),
    ],
    notes: [
      'Latency is the p95. `window` is the one that decided. A line counts as crossed where chance would do it in fewer than 1 of 2,000 looks. `?` is beyond it, perhaps by chance.',
    ],
    next: firing.length > 0 ? [{ operation: 'alerts list', options: carry(given, ['store', 'config']) }] : [],
  };
}

function nameOf({ rule, subject }: Pick<RuleFinding, 'rule' | 'subject'>): string {
  return subject === 'production' ? rule.id : `${rule.id} (${subject.replace('production,', '')})`;
}

type Queue = {
  readonly open: number;
  readonly sampled: number;
  readonly items: readonly { readonly record: DecompositionRecord; readonly text?: object }[];
};

export function queueView({ open, sampled, items }: Queue, given: Given = {}): View {
  const [first] = items;
  return {
    title: 'To rate',
    answer: answerOf(open, sampled),
    blocks:
      items.length === 0
        ? []
        : [
            tableOf(
              'Waiting',
              items,
              [
                { key: 'id', title: 'request', unit: 'name', of: ({ record }) => record.id },
                { key: 'at', title: 'made (UTC)', unit: 'time', of: ({ record }) => record.at },
                { key: 'topic', of: ({ record }) => record.topic },
                { key: 'version', title: 'prompt', unit: 'name', of: ({ record }) => record.promptVersion },
                { key: 'concepts', unit: 'count', of: ({ record }) => record.concepts },
                { key: 'text', of: ({ text }) => (text === undefined ? 'not stored' : 'stored') },
              ],
              { limit: 20 },
            ),
          ],
    notes: open === 0 ? [] : ['The order is random, so that a partly rated sample is still fair.'],
    next:
      first === undefined
        ? [{ operation: 'production status', options: carry(given, ['store', 'config']) }]
        : [
            {
              operation: 'production rate',
              positionals: [first.record.id],
              options: { acceptable: true, ...carry(given, ['store', 'config']) },
            },
          ],
  };
}

function answerOf(open: number, sampled: number): string {
  if (sampled === 0) return 'No request was sampled in these days, so there is nothing to rate.';
  if (open === 0) return `All ${formatAmount(sampled, 'sampled request')} of these days are rated.`;
  return `${formatCount(open)} of ${formatAmount(sampled, 'sampled request')} have no rating; ${formatRatio(1 - open / sampled)} are rated.`;
}
