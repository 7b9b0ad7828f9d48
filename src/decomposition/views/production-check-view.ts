import { carry, type Given } from '../../report/action.ts';
import { formatAmount, formatCount, formatRatio } from '../../report/number.ts';
import type { CellUnit, View } from '../../report/view.ts';
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

/** What each rule of production says now, and what changed with this look. */
export function productionCheckView({ findings, fired, resolved }: Checked, given: Given): View {
  const firing = findings.filter(({ state }) => state === 'firing');
  const told = findings.filter(({ state }) => state !== 'too few to tell');
  const changed = [
    ...fired.map(({ alertId }) => `Fired: ${alertId}`),
    ...resolved.map(({ alertId }) => `Resolved: ${alertId}`),
  ];
  return {
    title: 'Alert rules of production',
    answer:
      firing.length > 0
        ? `${formatAmount(firing.length, 'rule')} of ${findings.length} beyond the line: ${firing.map(nameOf).join(', ')}.`
        : told.length === 0
          ? 'Too few requests to tell anything.'
          : `No rule is beyond its line; ${findings.length - told.length} of ${findings.length} have too few requests to tell.`,
    blocks: [
      ...(changed.length > 0 ? [{ kind: 'list' as const, title: 'What changed', items: changed }] : []),
      {
        kind: 'table',
        title: 'Rules',
        columns: [
          { key: 'rule', title: 'rule', unit: 'name', min: 26 },
          { key: 'state', title: 'state', unit: 'text' },
          { key: 'value', title: 'now', unit: 'text' },
          { key: 'line', title: 'line', unit: 'text' },
          { key: 'side', title: 'alerts', unit: 'text', priority: 2 },
          { key: 'n', title: 'n', unit: 'count' },
          { key: 'window', title: 'window', unit: 'text', priority: 1 },
          { key: 'severity', title: 'severity', unit: 'text', priority: 3 },
        ],
        rows: findings.map(({ rule, subject, state, value, n }) => ({
          rule: nameOf({ rule, subject }),
          state: WORDS[state],
          value: { value, unit: STYLES[rule.unit] },
          line: { value: rule.line, unit: STYLES[rule.unit] },
          side: rule.side,
          n,
          window: sayMinutes(rule.minutes),
          severity: rule.severity,
        })),
      },
    ],
    notes: [
      'Latency is the p95. A line counts as crossed where chance would do it in fewer than 1 of 1,000 looks; `?` is beyond it, perhaps by chance.',
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

/** Sampled requests that wait for somebody to rate them. */
export function queueView({ open, sampled, items }: Queue, given: Given = {}): View {
  const [first] = items;
  return {
    title: 'To rate',
    answer: answerOf(open, sampled),
    blocks:
      items.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Waiting',
              limit: 20,
              columns: [
                { key: 'id', title: 'request', unit: 'name' },
                { key: 'at', title: 'made (UTC)', unit: 'time' },
                { key: 'topic', title: 'topic', unit: 'text' },
                { key: 'version', title: 'prompt', unit: 'name' },
                { key: 'concepts', title: 'concepts', unit: 'count' },
                { key: 'text', title: 'text', unit: 'text' },
              ],
              rows: items.map(({ record, text }) => ({
                id: record.id,
                at: record.at,
                topic: record.topic,
                version: record.promptVersion,
                concepts: record.concepts,
                text: text === undefined ? 'not kept' : 'kept',
              })),
            },
          ],
    notes:
      open === 0 ? [] : ['The order is left to chance: whoever stops early has still rated a fair part.'],
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
  if (sampled === 0) return 'No request was sampled in these days, so that there is nothing to rate.';
  if (open === 0) return `All ${formatAmount(sampled, 'sampled request')} of these days are rated.`;
  return `${formatCount(open)} of ${formatAmount(sampled, 'sampled request')} wait for somebody to rate them; ${formatRatio(1 - open / sampled)} are rated.`;
}
